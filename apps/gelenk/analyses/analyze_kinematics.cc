// Kinematics: what a sweep is reported as.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/gelenk/analyses/coordinate_names.h"
#include "apps/gelenk/analyses/kinematics.h"
#include "apps/gelenk/analyses/point_path.h"
#include "apps/gelenk/analyses/pose_record.h"
#include "apps/gelenk/analyses/text_file.h"
#include "apps/gelenk/option_number.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/base/index.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

constexpr std::size_t kPoses = 361;
constexpr double kMostPoses = 1e7;
constexpr std::size_t kMostLines = 25;
// Of the size of the machine, or rad: what moves less does not move.
constexpr double kStill = 1e-9;

class KinematicsText {
 public:
  KinematicsText(const model::Machine& machine, const AssembledMachine& assembled, const KinematicSweep& sweep)
      : display_(machine.display), assembled_(assembled), sweep_(sweep) {}

  std::string text() const {
    const SweepRange& range = sweep_.range;
    std::string text = fmt::format("{}: {} with {} from {} to {}\n", assembled_.system.name,
                                   counted(sweep_.poses, "pose"), range.name, swept(sweep_.first), swept(sweep_.last));
    if (sweep_.before) text += end_text("starts", *sweep_.before);
    if (sweep_.behind) text += end_text("ends", *sweep_.behind);
    if (sweep_.undetermined > 0) {
      text += fmt::format(
          "{} that nothing prescribes: poses and velocities take the shortest way, accelerations are those of the free "
          "machine\n",
          counted(sweep_.undetermined, "motion"));
    }
    text += coordinates();
    if (!sweep_.turns.empty()) text += "dead centers\n";
    for (std::size_t i = 0; i < std::min(sweep_.turns.size(), kMostLines); ++i) {
      const analysis::TurningPoint& turn = sweep_.turns[i];
      text += fmt::format("  {:<32} is {}, {}, at {}\n", coordinate_path(assembled_.system, at(turn.coordinate)),
                          turn.is_largest ? "largest" : "smallest", shown_value(turn.coordinate, turn.value, 6),
                          swept(swept_at(turn.time)));
    }
    if (sweep_.turns.size() > kMostLines) text += fmt::format("  and {} more\n", sweep_.turns.size() - kMostLines);
    return text;
  }

  void write(JsonWriter& json) const {
    const SweepRange& range = sweep_.range;
    json.key("kinematics").begin_object().member("swept", range.name).member("poses", sweep_.poses);
    json.member("first", sweep_.first).member("last", sweep_.last).member("rate", range.rate);
    json.member("undetermined", sweep_.undetermined).key("stops").begin_array();
    for (const std::optional<SweepEnd>& end : {sweep_.before, sweep_.behind}) {
      if (!end) continue;
      json.begin_object().member("at", end->value).member("reason", end->reason).end_object();
    }
    json.end_array().key("deadCenters").begin_array();
    for (const analysis::TurningPoint& turn : sweep_.turns) {
      json.begin_object().member("coordinate", coordinate_path(assembled_.system, at(turn.coordinate)));
      json.member("kind", turn.is_largest ? "largest" : "smallest").member("value", turn.value);
      json.member("at", swept_at(turn.time)).end_object();
    }
    json.end_array().key("coordinates").begin_object();
    for (const std::size_t i : scalars()) {
      const auto& [smallest, largest, smallest_rate, largest_rate] = sweep_.ranges[i];
      json.key(coordinate_path(assembled_.system, i)).begin_object().member("smallest", smallest);
      json.member("largest", largest).member("smallestRatio", std::min(ratio(smallest_rate), ratio(largest_rate)));
      json.member("largestRatio", std::max(ratio(smallest_rate), ratio(largest_rate))).end_object();
    }
    json.end_object().end_object();
  }

 private:
  std::vector<std::size_t> scalars() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < assembled_.system.coordinates.size(); ++i) {
      if (assembled_.system.coordinates[i].type->motion != model::Coordinate::Motion::orientation) result.push_back(i);
    }
    return result;
  }
  // Rates along the sweep, per unit of what is swept.
  double ratio(double rate) const { return rate / (sweep_.range.coordinate < 0 ? 1.0 : sweep_.range.rate); }
  double swept_at(double time) const { return sweep_.range.coordinate < 0 ? time : sweep_.range.value_at(time); }
  std::string shown_value(std::int32_t coordinate, double value, int digits) const {
    return shown_quantity(display_, value, assembled_.system.coordinates[at(coordinate)].type->quantity(), digits);
  }
  std::string swept(double value) const {
    if (sweep_.range.coordinate < 0) return shown_quantity(display_, value, Quantity::time, 6);
    return shown_value(sweep_.range.coordinate, value, 6);
  }
  std::string end_text(std::string_view verb, const SweepEnd& end) const {
    return fmt::format("it {} at {}{}\n", verb, swept(end.value), end.reason.empty() ? "" : ": " + end.reason);
  }

  std::string coordinates() const {
    std::string text;
    std::size_t lines = 0, more = 0;
    for (const std::size_t i : scalars()) {
      const auto& range = sweep_.ranges[i];
      const auto index = static_cast<std::int32_t>(i);
      const model::Coordinate& type = *assembled_.system.coordinates[i].type;
      const double unit = type.motion == model::Coordinate::Motion::translation ? assembled_.params.length : 1.0;
      if (index == sweep_.range.coordinate || range.largest - range.smallest <= kStill * unit) continue;
      if (++lines > kMostLines) {
        ++more;
        continue;
      }
      if (lines == 1)
        text += fmt::format("  {:<32} {:>14} {:>14}   {}\n", "coordinate", "smallest", "largest", "ratio");
      const double low = ratio(range.smallest_rate), high = ratio(range.largest_rate);
      text +=
          fmt::format("  {:<32} {:>14} {:>14}   {} .. {} {}\n", coordinate_path(assembled_.system, i),
                      shown_value(index, range.smallest, 6), shown_value(index, range.largest, 6),
                      format_rounded(std::min(low, high), 5), format_rounded(std::max(low, high), 5), ratio_unit(i));
    }
    if (more > 0) text += fmt::format("  and {} more\n", more);
    return text;
  }

  std::string ratio_unit(std::size_t i) const {
    const std::string_view own = coordinate_unit(assembled_.system, i);
    const std::string_view of =
        sweep_.range.coordinate < 0 ? "s" : coordinate_unit(assembled_.system, at(sweep_.range.coordinate));
    return own == of ? std::string() : fmt::format("{}/{}", own, of);
  }

  const Display& display_;
  const AssembledMachine& assembled_;
  const KinematicSweep& sweep_;
};

std::optional<std::size_t> read_count(const std::string& text, Console& console, ExitCode& code) {
  if (text.empty()) return kPoses;
  const std::optional<double> number = parse_number(text);
  if (number && *number >= 2.0 && *number <= kMostPoses && *number == std::floor(*number)) {
    return static_cast<std::size_t>(*number);
  }
  code = console.fail(ExitCode::usage_error,
                      fmt::format("--count needs a whole number from 2 to 10000000, not {}", shown(text)));
  return std::nullopt;
}

}  // namespace

ExitCode analyze_kinematics(const AnalyzeRequest& request, ModelInput& input, const AssembledMachine& machine,
                            Console& console) {
  ExitCode code = ExitCode::ok;
  if (const std::optional<ExitCode> refused = refuse_to_drive(machine.system, console)) return *refused;
  const std::optional<std::size_t> count = read_count(request.count, console, code);
  if (!count) return code;
  const std::optional<SweepRange> range = read_sweep(request, machine.system, console, code);
  if (!range) return code;
  std::optional<std::vector<PointPath>> paths = read_paths(request.paths, request.force, *input.machine, console, code);
  if (!paths) return code;
  KinematicSweep sweep;
  sweep.range = *range;
  sweep.driven = machine_of_sweep(input, machine, *range, console, code);
  if (!sweep.driven) return code;
  std::unique_ptr<PoseRecord> record;
  if (!request.output.empty()) {
    RecordSpan span{range->from, range->to, *count};
    if (range->coordinate >= 0) span = {0.0, range->time_of(range->to), *count};
    record = PoseRecord::open(request, input, *sweep.driven, analysis::run_rank_tolerance(machine.assembly), span,
                              console, code);
    if (!record) return code;
  }
  const PoseSink sink = [&](analysis::DrivenPoses& poses) {
    const double swept = range->coordinate < 0 ? poses.time() : range->value_at(poses.time());
    for (PointPath& path : *paths) note_pose(poses, swept, path);
    return !record || record->add(poses.state());
  };
  const bool is_followed = follow_sweep(input, machine, *count, sink, sweep, console, code);
  std::string error;
  if (record) {
    for (const analysis::TurningPoint& turn : sweep.turns) {
      record->event(turn.time, "dead center",
                    machine.system.joints[at(machine.system.coordinates[at(turn.coordinate)].joint)].path,
                    turn.is_largest ? "it is largest here" : "it is smallest here");
    }
    error = record->close();
  }
  if (!is_followed && code != ExitCode::ok) return code;
  const std::string_view unit = range->coordinate < 0 ? "s" : coordinate_unit(machine.system, at(range->coordinate));
  if (!error.empty()) return console.fail(ExitCode::file_error, error);
  for (const PointPath& path : *paths) {
    const std::string text = text_of(path, range->name, unit, input.machine->display);
    if (const std::optional<ExitCode> failed = save_text(path.file, text, request.force, console)) return *failed;
  }
  const KinematicsText text(*input.machine, machine, sweep);
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("file", request.model.file).member("ok", true);
    text.write(json);
    console.out(json.end_object().take());
  } else {
    console.out(text.text());
  }
  return ExitCode::ok;
}

}  // namespace gelenk::app
