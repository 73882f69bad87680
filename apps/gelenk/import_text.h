#pragma once

#include <optional>
#include <string>

#include "apps/gelenk/import_changes.h"
#include "apps/gelenk/import_program.h"
#include "apps/gelenk/model_input.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/model/mobility.h"

namespace gelenk::app {

// The imported model with its joints closed.
struct ImportedMachine {
  ModelInput input;
  std::optional<model::MobilityReport> mobility;  // none: it could not be put together
  double residual = 0.0;                          // what remains open of joints that contradict each other
  struct Joint {
    std::string name;
    model::JointGap drawn;  // how far it was open in the drawing
    double residual = 0.0;  // what remains open: lengths of the machine, rad
  };
  std::vector<Joint> joints;
  ImportCost cost;
};

// Where the model is, as the user says it.
struct ImportPlaces {
  std::string folder, name;
  bool is_users_file_kept = false;
};

// "590 x 220 x 175 mm"; what it weighs and how much of that is a guess; what stands still, and why.
std::string import_size_text(const JsonValue& report);
std::string import_mass_text(const JsonValue& report);
std::string import_ground_text(const JsonValue& report);

// At most 25 lines: what was found, what was assumed, what to look at, what to type next.
std::string import_summary(const JsonValue& report, const ImportedMachine& machine, const ImportPlaces& places);
// The report as one object, with what is known of the machine, and what an update has changed.
std::string import_json(const JsonValue& report, const ImportedMachine& machine, const ImportPlaces& places,
                        const std::optional<std::vector<ImportChange>>& changes);

}  // namespace gelenk::app
