#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/gelenk/stored_run.h"
#include "gelenk/export/scene.h"
#include "gelenk/export/scene_motion.h"
#include "gelenk/results/reader.h"

namespace gelenk::app {

struct ShowRequest {
  ModelRequest model;               // the file of a model or of a run
  std::vector<std::string> starts;  // as in MachineOverrides; of a model only
  std::optional<double> time;       // of a run: another pose than that of the start
  // A model with errors is shown as far as it can be, its errors are in the diagnostics and are not printed; of a run
  // that has no rows yet the start is shown.
  bool is_with_errors = false;
  bool has_free_motions = false;  // the scene says how the machine can move, which takes a while
};

// FILE and --allow-outside
void add_shown_file(Options& options, ShowRequest& request);
// --set and --start
void add_pose_options(Options& options, ShowRequest& request);

// A machine that can be shown: a model in its start pose, or a run.
struct ShownMachine {
  StoredRun stored;                                    // the machine, whichever it came from
  std::unique_ptr<results::Reader> run;                // null: a model
  std::unique_ptr<exporting::RecordedPoses> recorded;  // of the run
  exporting::Scene scene;
  std::vector<Pose> poses;          // X_WP at the time that was asked for
  std::vector<std::string> notes;   // what is not shown as it is
  std::vector<std::string> damage;  // of the run; already reported
  bool is_incomplete = false;       // of a model with errors: some of it could not be read

  const model::Machine& machine() const { return *stored.input.machine; }
};

// Reads the file, brings the parts together, and makes the scene. Says what is wrong and returns the exit code.
std::optional<ExitCode> show_machine(const ShowRequest& request, Console& console, ShownMachine& shown);

}  // namespace gelenk::app
