#include "apps/gelenk/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gelenk/base/diagnostic_printer.h"
#include "gelenk/base/shell_word.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/model/mobility.h"

namespace gelenk::app {
namespace {

using results::RunStatus;

// Slower than this nothing moves: machine lengths per second.
constexpr double kAtRest = 1e-9;
// Shorter than this part of the machine (or smaller, in rad) is rounding.
constexpr double kRounding = 1e-9;

std::string method_text(const analysis::RunOptions& options) {
  const std::string name = analysis::method_name(options.method);
  if (!options.is_adaptive()) return fmt::format("{}, step {} s", name, format_rounded(options.step, 4));
  return fmt::format("{}, tolerance {}", name, format_rounded(options.tolerance, 3));
}

// How to make it move: the free coordinate that the most parts hang on is not known, the first one is as good.
std::string drive_hint(const model::Machine& machine, const std::string& file) {
  const model::MobilityReport mobility = model::expected_mobility(machine);
  for (const model::CoordinateUse& use : mobility.independent) {
    const model::JointNode& joint = machine.joints[use.joint.index()];
    const model::Coordinate& c = joint.type->coordinates[use.coordinate];
    const bool is_alone = joint.type->coordinates.size() == 1;
    return fmt::format("gelenk run {} --drive {}{}=\"{}\"", shell_word(file), joint.path,
                       is_alone ? std::string() : fmt::format(".{}", c.name),
                       c.motion == model::Coordinate::Motion::translation ? "0.1 m/s" : "60 rpm");
  }
  return {};
}

std::string nothing_moves_text(const model::Machine& machine, const system::System& system, const RunRequest& request) {
  const bool has_loads = !system.forces.empty() || !std::holds_alternative<model::NoGravity>(machine.gravity);
  const std::string hint = drive_hint(machine, request.model.file);
  return fmt::format("nothing moves: {}{}\n",
                     has_loads ? "the machine starts where it rests" : "no gravity, force or driver acts here",
                     hint.empty() ? hint : "; try " + hint);
}

// Singular poses, the first one in words; the certificate has all of them.
std::string rank_line(const system::System& system, const analysis::MachineStatistics& statistics) {
  const std::vector<analysis::RankChange>& history = statistics.rank_history;
  if (history.empty()) return {};
  const std::string more =
      history.size() > 1 ? fmt::format("; and {} more such events", history.size() - 1) : std::string();
  return fmt::format("singular pose: at {} s {}{}\n", format_rounded(history.front().time, 4),
                     analysis::rank_change_text(system, history.front()), more);
}

void write_run_json(const RunRequest& request, const ModelInput& input, const system::System& system,
                    const analysis::Assembly& assembly, const analysis::RunOptions& options, const RunOutcome& outcome,
                    Console& console, ExitCode code) {
  const analysis::RunResult& result = outcome.result;
  const analysis::MachineStatistics& s = result.statistics;
  JsonWriter json;
  json.begin_object().member("ok", code == ExitCode::ok).member("exitCode", static_cast<int>(code));
  json.member("model", input.machine->name).member("modelFile", request.model.file).member("file", outcome.file);
  json.member("status", results::status_name(result.status))
      .member("verdict", results::verdict_name(outcome.certificate.verdict));
  json.member("time", result.time).member("rows", outcome.rows).member("wallSeconds", outcome.wall_seconds);
  json.member("method", analysis::method_name(options.method));
  json.key("steps").begin_object();
  json.member("accepted", result.counters.accepted).member("rejected", result.counters.rejected);
  json.member("evaluations", result.counters.evaluations).member("smallest", result.smallest_step);
  json.member("largest", result.largest_step).member("events", result.event_count).end_object();
  json.key("system").begin_object();
  json.member("bodies", system.bodies.size()).member("rows", system.row_count());
  json.member("rankTolerance", assembly.rank_tolerance).member("assemblyResidual", assembly.residual);
  json.member("assembledBy", analysis::closed_by_name(assembly.closed_by));
  json.member("factorizations", s.factorizations).member("pivotChanges", s.pivot_changes);
  json.member("rankChanges", s.rank_changes).end_object();
  json.key("residuals").begin_object();
  json.member("drift", s.largest_drift).member("position", s.largest_residual).member("rate", s.largest_rate_residual);
  if (system.holds_velocities()) json.member("slip", s.largest_slip);
  json.member("notEnforced", s.largest_dropped).end_object();
  json.key("energy").begin_object();
  json.member("kineticStart", result.start_energy.kinetic).member("potentialStart", result.start_energy.potential);
  json.member("kineticEnd", result.end_energy.kinetic).member("potentialEnd", result.end_energy.potential).end_object();
  json.key("failure");
  if (result.failure) {
    json.begin_object().member("code", code_label(result.failure->code)).member("element", result.failure->element);
    json.member("message", result.failure->message).member("hint", result.failure->hint).end_object();
  } else {
    json.null();
  }
  json.key("stiff");
  if (result.stiff) {
    json.begin_object().member("time", result.stiff->time).member("element", result.stiff->element);
    json.member("rate", result.stiff->rate).end_object();
  } else {
    json.null();
  }
  json.member("fileError", result.file_error).key("certificate");
  results::write_json(outcome.certificate, json);
  json.key("diagnostics");
  write_diagnostics_json(json, input.diagnostics, input.loaded.sources);
  console.out(json.end_object().take());
}

// What a repetition of the run found: the quantity that it changes most.
std::string repetition_line(const results::Certificate& certificate, const analysis::RunOptions& options) {
  const std::optional<results::StepError> worst = results::largest_step_error(certificate);
  if (!worst) return {};
  const bool is_confirmed = certificate.confirmation.has_value();
  const std::string_view other = !is_confirmed           ? "twice the step"
                                 : options.is_adaptive() ? "a tenth of the tolerance"
                                                         : "half the step";
  const std::string_view verb = is_confirmed ? "confirmed" : "estimated";
  if (worst->change == nullptr) {
    return fmt::format("{}: {} changes nothing{}\n", verb, other,
                       certificate.contacts ? " by more than a thousandth of the machine's size" : "");
  }
  const results::Certificate::Change& change = *worst->change;
  const std::string unit = change.unit == "1" ? std::string() : " " + change.unit;
  std::string text = fmt::format("{}: with {} '{}' changes most: by {}{}", verb, other, change.output,
                                 format_rounded(change.largest_change, 2), unit);
  if (change.range > 0.0) {
    text += fmt::format(", {} % of its range", format_rounded(100.0 * change.largest_change / change.range,
                                                              change.largest_change < change.range ? 2 : 4));
  }
  text += fmt::format(", at {} s", format_rounded(change.at_time, 4));
  if (!is_confirmed) text += "; its error is taken as half of that";
  return text + "\n";
}

std::string summary(const RunRequest& request, const ModelInput& input, const system::System& system,
                    const analysis::Assembly& assembly, const analysis::RunOptions& options,
                    const RunOutcome& outcome) {
  const analysis::RunResult& result = outcome.result;
  const double simulated = result.time - options.start_time;
  std::string text = fmt::format("{}: {} s simulated in {} s ({}{})\n", input.machine->name,
                                 format_rounded(simulated, 6), format_rounded(outcome.wall_seconds, 3),
                                 method_text(options), options.is_default ? ", by default" : "");
  const bool is_usual = options.method == integrate::Method::dopri5 && !options.asks_for_auto;
  if (!options.method_reason.empty() && !is_usual) {
    text += fmt::format("method: {}, because {}\n", analysis::method_name(options.method), options.method_reason);
  }
  const std::string smallest = format_rounded(result.smallest_step, 3);
  const std::string largest = format_rounded(result.largest_step, 3);
  text += fmt::format("steps: {} taken{}, {} s long{}\n", result.counters.accepted,
                      options.is_adaptive() ? fmt::format(", {} rejected", result.counters.rejected) : "",
                      smallest == largest ? largest : fmt::format("{} to {}", smallest, largest),
                      result.event_count > 0 ? ", " + counted(result.event_count, "event") : "");
  if (!assembly.moved.empty()) {
    const analysis::MovedPart& far = assembly.moved.front();
    text += "assembled: " + moved_count_text(*input.machine, assembly.moved.size()) + ",";
    if (system.parts.size() > 1) {
      text += fmt::format(" '{}'", system.parts[static_cast<std::size_t>(far.part)].path);
    }
    text += fmt::format(" by {}\n", moved_text(*input.machine, far, outcome.machine_size));
  }
  // Whether anything moves inside sealed components nobody knows.
  if (result.largest_speed < kAtRest && result.status == RunStatus::done && system.sealed.empty()) {
    text += nothing_moves_text(*input.machine, system, request);
  }
  if (result.stiff) {
    text += fmt::format("stiff: from {} s on '{}' keeps the steps small ({} per second); try --method bdf\n",
                        format_rounded(result.stiff->time, 3), result.stiff->element,
                        format_rounded(result.stiff->rate, 2));
  }
  if (!result.branch.empty()) text += fmt::format("start: {}\n", result.branch);
  text += rank_line(system, result.statistics);
  text += repetition_line(outcome.certificate, options);
  text += fmt::format("results: {} ({})\n", outcome.file, counted(outcome.rows, "row"));
  text += fmt::format("verdict: {}\n", results::verdict_line(outcome.certificate));
  return text;
}

}  // namespace

std::string moved_text(const model::Machine& machine, const analysis::MovedPart& moved, double machine_size) {
  std::vector<std::string> pieces;
  if (moved.distance > kRounding * machine_size)
    pieces.push_back(shown_quantity(machine.display, moved.distance, Quantity::length, 3));
  if (moved.angle > kRounding) pieces.push_back(shown_quantity(machine.display, moved.angle, Quantity::angle, 3));
  return join(pieces, " and ");
}

std::string moved_count_text(const model::Machine& machine, std::size_t moved) {
  if (machine.parts.size() == 1) return "the part was moved to its start values";
  const bool has_starts = std::any_of(machine.joints.begin(), machine.joints.end(), [](const model::JointNode& joint) {
    return std::any_of(joint.start.begin(), joint.start.end(),
                       [](const model::CoordinateStart& start) { return !start.is_rate; });
  });
  return fmt::format("{} of {} parts were moved to close the joints{}", moved, machine.parts.size(),
                     has_starts ? " at their start values" : "");
}

ExitCode report_run(const RunRequest& request, ModelInput& input, const system::System& system,
                    const analysis::Assembly& assembly, const analysis::RunOptions& options, const RunOutcome& outcome,
                    Console& console) {
  const analysis::RunResult& result = outcome.result;
  ExitCode code = ExitCode::ok;
  if (result.status == RunStatus::failed) code = ExitCode::simulation_failed;
  if (result.has_component_failed) code = ExitCode::component_failed;
  if (result.status == RunStatus::stopped) code = ExitCode::interrupted;
  if (!result.file_error.empty()) code = ExitCode::file_error;
  if (console.json) {
    write_run_json(request, input, system, assembly, options, outcome, console, code);
    return code;
  }
  if (result.failure) {
    Diagnostics failure;
    failure.error(result.failure->code, result.failure->where, result.failure->message) = *result.failure;
    print_to_stderr(failure, input.loaded.sources, console);
  }
  if (!result.file_error.empty()) {
    console.fail(code, result.file_error,
                 outcome.rows > 0 ? fmt::format("what was recorded before that is in {}", outcome.file)
                                  : "make room, or choose another place with -o");
  }
  if (!console.quiet) console.summary(summary(request, input, system, assembly, options, outcome));
  return code;
}

}  // namespace gelenk::app
