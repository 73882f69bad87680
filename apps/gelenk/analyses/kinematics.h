#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/gelenk/analyses/driven_machine.h"
#include "apps/gelenk/analyze.h"
#include "gelenk/analysis/kinematic/turning_points.h"

// `gelenk analyze kinematics`: a coordinate is led through its values, and the machine follows.
namespace gelenk::app {

// "crank_bearing.angle=0..360deg", "time=0..2 s"
struct SweepRange {
  std::string name;              // as it was given
  std::int32_t coordinate = -1;  // System::coordinates; -1: time
  double from = 0.0, to = 0.0;   // SI
  double rate = 1.0;             // of the coordinate along the sweep, with its sign; SI

  double time_of(double value) const { return (value - from) / rate; }
  double value_at(double time) const { return from + rate * time; }
};

// Where the way ends before the sweep does.
struct SweepEnd {
  double value = 0.0;
  std::string reason;
};

struct KinematicSweep {
  SweepRange range;
  std::unique_ptr<DrivenMachine> driven;
  std::size_t poses = 0;
  std::size_t undetermined = 0;
  double first = 0.0, last = 0.0;          // values that were reached
  std::optional<SweepEnd> before, behind;  // what stops it
  std::vector<analysis::TurningPoint> turns;
  std::vector<analysis::TurningPoints::Range> ranges;
};

// Sees each pose, in order.
using PoseSink = std::function<bool(analysis::DrivenPoses& poses)>;  // false: no further one

// Nothing, with the exit code, when the request makes no sense.
std::optional<SweepRange> read_sweep(const AnalyzeRequest& request, const system::System& system, Console& console,
                                     ExitCode& code);
// The machine that the range drives. Null, with the exit code: there is none.
std::unique_ptr<DrivenMachine> machine_of_sweep(ModelInput& input, const AssembledMachine& machine,
                                                const SweepRange& range, Console& console, ExitCode& code);
// Leads it from end to end, as far as it goes. False, with the exit code, when no pose was reached or the sink failed.
bool follow_sweep(ModelInput& input, const AssembledMachine& machine, std::size_t count, const PoseSink& sink,
                  KinematicSweep& sweep, Console& console, ExitCode& code);

ExitCode analyze_kinematics(const AnalyzeRequest& request, ModelInput& input, const AssembledMachine& machine,
                            Console& console);

}  // namespace gelenk::app
