#pragma once

#include <memory>
#include <optional>
#include <string>

#include "apps/gelenk/analyses/driven_machine.h"
#include "apps/gelenk/analyze.h"
#include "gelenk/analysis/observer.h"
#include "gelenk/results/recorder.h"

// Poses of a driven machine as the rows of a results file, with the loads that belong to the motion.
namespace gelenk::app {

struct RecordSpan {
  double begin = 0.0, end = 0.0;  // s
  std::size_t rows = 2;
};

class PoseRecord {
 public:
  // Null, with the exit code, when the file cannot be written.
  static std::unique_ptr<PoseRecord> open(const AnalyzeRequest& request, const ModelInput& input,
                                          const DrivenMachine& driven, double rank_tolerance, const RecordSpan& span,
                                          Console& console, ExitCode& code);
  // A state on the constraints. False: the file cannot be written, or something in it is not finite.
  bool add(const system::State& state);
  void event(double time, const std::string& kind, const std::string& element, const std::string& text);
  // What went wrong, or nothing.
  std::string close();
  std::size_t rows() const { return recorder_->row_count(); }

 private:
  PoseRecord(const DrivenMachine& driven, double rank_tolerance);

  analysis::MachineProblem problem_;
  analysis::Observer observer_;
  std::unique_ptr<results::Recorder> recorder_;
  std::string error_;
};

}  // namespace gelenk::app
