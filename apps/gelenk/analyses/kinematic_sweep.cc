// The way of a sweep: its range, its machine, its poses, and what ends it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/gelenk/analyses/coordinate_names.h"
#include "apps/gelenk/analyses/kinematics.h"
#include "apps/gelenk/option_number.h"
#include "gelenk/analysis/driven_way.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/base/index.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/expression/evaluate.h"

namespace gelenk::app {
namespace {

using Motion = model::Coordinate::Motion;

constexpr double kShortest = 1e-8;   // lengths of the machine and rad, of the coordinate: it cannot move on
constexpr double kClear = 100.0;     // of that, from an end of the way to the first pose
constexpr double kFirstLook = 1e-4;  // the same, of another coordinate past a dead center
constexpr double kLastLook = 0.5;
constexpr double kBeyond = 0.05;  // how far past its end the way is asked what stops it

double unit_of(const AssembledMachine& machine, std::size_t coordinate) {
  return machine.system.coordinates[coordinate].type->motion == Motion::translation ? machine.params.length : 1.0;
}

// "0..360deg": a number without a unit has that of the other one.
bool read_bounds(const std::string& text, Quantity quantity, SweepRange& range, Console& console, ExitCode& code) {
  const std::size_t dots = text.find("..");
  std::optional<ExitCode> failed;
  if (dots == std::string::npos) {
    code = console.fail(ExitCode::usage_error, fmt::format("--sweep needs two ends, not {}", shown(text)),
                        "for example: --sweep crank.angle=0..360deg");
    return false;
  }
  std::string first(trim(std::string_view(text).substr(0, dots)));
  const std::string second(trim(std::string_view(text).substr(dots + 2)));
  if (parse_number(first) && !parse_number(second)) {
    first += " " + second.substr(number_length(second.starts_with('-') ? second.substr(1) : second) +
                                 (second.starts_with('-') ? 1 : 0));
  }
  std::optional<double> from, to;
  const bool is_read = !first.empty() && !second.empty() &&
                       read_option("--sweep", first, quantity, from, console, failed, OptionRange::any) &&
                       read_option("--sweep", second, quantity, to, console, failed, OptionRange::any);
  if (!is_read) {
    code = failed ? *failed
                  : console.fail(ExitCode::usage_error, fmt::format("--sweep needs two ends, not {}", shown(text)),
                                 "for example: --sweep crank.angle=0..360deg");
    return false;
  }
  if (*from == *to) {
    code = console.fail(ExitCode::usage_error, "--sweep begins where it ends", "give two different values");
    return false;
  }
  range.from = *from;
  range.to = *to;
  return true;
}

bool drives_by_time(const system::System& system, Console& console, ExitCode& code) {
  if (system.drivers.empty()) {
    code = console.fail(ExitCode::usage_error, "--sweep time: the model has no driver that moves it",
                        "sweep a joint coordinate instead");
    return false;
  }
  for (const system::Driver& driver : system.drivers) {
    if (driver.level == model::DriverNode::Level::position) continue;
    code = console.fail(ExitCode::usage_error,
                        fmt::format("--sweep time: driver '{}' prescribes a {}, not a position", driver.path,
                                    driver.level == model::DriverNode::Level::rate ? "rate" : "acceleration"),
                        fmt::format("sweep its coordinate: --sweep {}=0..360deg", driver.path));
    return false;
  }
  return true;
}

// The other coordinate that moves most there: it goes on where the swept one must turn back.
std::int32_t fastest_other(const DrivenMachine& driven, const AssembledMachine& machine, analysis::DrivenPoses& poses) {
  std::int32_t fastest = -1;
  double largest = 0.0;
  for (std::size_t i = 0; i < driven.system.coordinates.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    if (driven.system.coordinates[i].type->motion == Motion::orientation) continue;
    if (std::any_of(driven.system.drivers.begin(), driven.system.drivers.end(),
                    [&](const system::Driver& driver) { return driver.coordinate == index; })) {
      continue;
    }
    const double rate = std::abs(poses.rate(index)) / unit_of(machine, i);
    if (rate <= largest) continue;
    largest = rate;
    fastest = index;
  }
  return fastest;
}

// The end of the way to all digits: the machine is led by another coordinate, through the dead center.
std::optional<double> exact_end(ModelInput& input, const AssembledMachine& machine, const KinematicSweep& sweep,
                                analysis::DrivenPoses& poses, bool is_backward, Console& console) {
  const std::int32_t other = fastest_other(*sweep.driven, machine, poses);
  if (other < 0) return std::nullopt;
  std::vector<std::string> drives = held_drives(machine, sweep.range.coordinate);
  const double way = poses.rate(other) * (is_backward ? -1.0 : 1.0);
  const double value = poses.coordinate(other);
  drives.push_back(straight_drive(machine.system, at(other), value, way > 0.0 ? 1.0 : -1.0, 0.0));
  ExitCode ignored = ExitCode::ok;
  const std::unique_ptr<DrivenMachine> led = drive_machine(input, drives, console, ignored, sweep.range.coordinate);
  if (!led) return std::nullopt;
  const double unit = unit_of(machine, at(other));
  analysis::DrivenPoses through(led->system, led->params, analysis::run_rank_tolerance(machine.assembly),
                                kShortest * unit);
  system::State state = analysis::state_for(led->system, led->params, sweep.driven->system, poses.state());
  state.time = 0.0;
  if (!through.start(state)) return std::nullopt;
  const double before = through.rate(sweep.range.coordinate);
  for (double look = kFirstLook * unit; look < kLastLook * unit; look *= 2.0) {
    const analysis::DrivenPoses::Place place = through.place();
    if (!through.lead_to(look)) return std::nullopt;
    if ((through.rate(sweep.range.coordinate) < 0.0) == (before < 0.0)) continue;
    through.go_back(place);
    if (!analysis::lead_to_turn(through, sweep.range.coordinate, look)) return std::nullopt;
    return through.coordinate(sweep.range.coordinate);
  }
  return std::nullopt;
}

SweepEnd find_end(ModelInput& input, const AssembledMachine& machine, const KinematicSweep& sweep,
                  analysis::DrivenPoses& poses, bool is_backward, Console& console) {
  const SweepRange& range = sweep.range;
  if (range.coordinate < 0) return {poses.time(), "the drivers contradict each other or the joints"};
  SweepEnd end{poses.coordinate(range.coordinate), {}};
  analysis::HeldCoordinate one;
  one.coordinate = range.coordinate;
  one.from = end.value;
  const double beyond = kBeyond * unit_of(machine, at(range.coordinate));
  one.value = end.value + std::copysign(beyond, is_backward ? -range.rate : range.rate);
  std::vector<analysis::HeldCoordinate> led{one};
  for (const system::Driver& driver : sweep.driven->system.drivers) {
    if (driver.coordinate == range.coordinate) continue;
    analysis::HeldCoordinate held;
    held.coordinate = driver.coordinate;
    held.from = held.value = poses.coordinate(driver.coordinate);
    led.push_back(held);
  }
  const analysis::DrivenWay way = analysis::follow_way(
      machine.system, machine.params,
      analysis::state_for(machine.system, machine.params, sweep.driven->system, poses.state()), std::move(led));
  if (!way.is_complete()) end.reason = analysis::lock_text(machine.system, way);
  if (const std::optional<double> exact = exact_end(input, machine, sweep, poses, is_backward, console)) {
    end.value = *exact;
  }
  return end;
}

}  // namespace

std::optional<SweepRange> read_sweep(const AnalyzeRequest& request, const system::System& system, Console& console,
                                     ExitCode& code) {
  SweepRange range;
  const std::size_t equals = request.sweep.find('=');
  if (equals == std::string::npos || equals == 0) {
    code =
        console.fail(ExitCode::usage_error,
                     request.sweep.empty() ? std::string("kinematics needs a coordinate to be led")
                                           : fmt::format("--sweep needs NAME=FROM..TO, not {}", shown(request.sweep)),
                     "for example: --sweep crank.angle=0..360deg, or --sweep time=0..2s");
    return std::nullopt;
  }
  range.name = std::string(trim(std::string_view(request.sweep).substr(0, equals)));
  Quantity quantity = Quantity::time, rate_quantity = Quantity::number;
  if (range.name != "time") {
    std::string problem, hint;
    range.coordinate = find_coordinate(system, range.name, "--sweep", problem, hint);
    if (range.coordinate < 0) {
      code = console.fail(ExitCode::usage_error, problem, hint);
      return std::nullopt;
    }
    const model::Coordinate& type = *system.coordinates[at(range.coordinate)].type;
    quantity = type.quantity();
    rate_quantity = type.rate_quantity();
    range.name = coordinate_path(system, at(range.coordinate));
  } else if (!drives_by_time(system, console, code)) {
    return std::nullopt;
  }
  if (!read_bounds(request.sweep.substr(equals + 1), quantity, range, console, code)) return std::nullopt;
  if (range.coordinate < 0 && range.to < range.from) {
    code = console.fail(ExitCode::usage_error, "--sweep time: it ends before it begins");
    return std::nullopt;
  }
  if (!request.rate.empty()) {
    std::optional<double> rate;
    std::optional<ExitCode> failed;
    if (range.coordinate < 0) {
      code = console.fail(ExitCode::usage_error, "--rate and --sweep time cannot be combined",
                          "the drivers of the model say how fast it moves");
      return std::nullopt;
    }
    if (!read_option("--rate", request.rate, rate_quantity, rate, console, failed)) {
      code = *failed;
      return std::nullopt;
    }
    range.rate = *rate;
  }
  if (range.to < range.from) range.rate = -range.rate;
  return range;
}

std::unique_ptr<DrivenMachine> machine_of_sweep(ModelInput& input, const AssembledMachine& machine,
                                                const SweepRange& range, Console& console, ExitCode& code) {
  std::vector<std::string> drives;
  if (range.coordinate >= 0) {
    drives = held_drives(machine, range.coordinate);
    drives.push_back(straight_drive(machine.system, at(range.coordinate), range.from, range.rate, 0.0));
  }
  return drive_machine(input, drives, console, code);
}

bool follow_sweep(ModelInput& input, const AssembledMachine& machine, std::size_t count, const PoseSink& sink,
                  KinematicSweep& sweep, Console& console, ExitCode& code) {
  const SweepRange& range = sweep.range;
  const DrivenMachine& driven = *sweep.driven;
  const bool is_time = range.coordinate < 0;
  const double begin = is_time ? range.from : 0.0;
  const double end = is_time ? range.to : range.time_of(range.to);
  const double shortest =
      kShortest * (is_time ? end - begin : unit_of(machine, at(range.coordinate)) / std::abs(range.rate));
  analysis::DrivenPoses poses(driven.system, driven.params, analysis::run_rank_tolerance(machine.assembly), shortest);
  system::State start = analysis::state_for(driven.system, driven.params, machine.system, machine.assembly.state);
  if (!is_time) {
    mechanics::Workspace workspace(machine.system);
    const mechanics::Context context{machine.system, machine.params, machine.assembly.state};
    mechanics::update_positions(context, workspace);
    start.time = range.time_of(mechanics::view(context, workspace).coordinate(range.coordinate));
  }
  if (!poses.start(start)) {
    code = console.fail(ExitCode::simulation_failed, "the machine cannot be driven from its start pose");
    return false;
  }
  sweep.undetermined = poses.undetermined();
  const analysis::DrivenPoses::Place home = poses.place();
  double first = begin;
  if (!poses.lead_to(begin)) {
    sweep.before = find_end(input, machine, sweep, poses, poses.time() > begin, console);
    if (poses.time() < begin || poses.time() > end) {
      code = console.fail(ExitCode::simulation_failed,
                          fmt::format("the sweep cannot be reached: {} stops at {}{}", range.name,
                                      format_rounded(sweep.before->value, 6),
                                      sweep.before->reason.empty() ? "" : ": " + sweep.before->reason));
      return false;
    }
    // Next to the end no step leads away from it.
    first = poses.time() + kClear * shortest;
    poses.go_back(home);
  }
  analysis::TurningPoints turns(driven.system, driven.params);
  for (std::size_t k = 0; k < count; ++k) {
    const double time =
        k + 1 == count ? end : begin + (end - begin) * (static_cast<double>(k) / static_cast<double>(count - 1));
    if (time < first) continue;
    if (!poses.lead_to(time)) {
      sweep.behind = find_end(input, machine, sweep, poses, false, console);
      break;
    }
    turns.note(poses);
    const double value = is_time ? time : poses.coordinate(range.coordinate);
    if (sweep.poses++ == 0) sweep.first = value;
    sweep.last = value;
    if (sink && !sink(poses)) return false;
  }
  turns.finish();
  sweep.turns = turns.found();
  sweep.ranges = turns.ranges();
  if (sweep.poses > 0) return true;
  code = console.fail(ExitCode::simulation_failed, "the machine locks up before the first pose of the sweep");
  return false;
}

}  // namespace gelenk::app
