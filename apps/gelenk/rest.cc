#include "apps/gelenk/rest.h"

#include <fmt/format.h>

#include "gelenk/analysis/simulate.h"
#include "gelenk/base/index.h"
#include "gelenk/system/hard_laws.h"

namespace gelenk::app {
namespace {

std::string motion_text(const analysis::Equilibrium& found) {
  Eigen::Index axis = 0;
  found.direction.cwiseAbs().maxCoeff(&axis);
  if (found.is_turning) return fmt::format("turning about {}", "xyz"[axis]);
  return fmt::format("moving along {}{}", found.direction[axis] < 0.0 ? "-" : "", "xyz"[axis]);
}

ExitCode say_what_drives(const system::System& system, Console& console) {
  std::string names, hints;
  for (const system::Driver& driver : system.drivers) {
    const system::Coordinate& c = system.coordinates[at(driver.coordinate)];
    const bool slides = c.type->motion == model::Coordinate::Motion::translation;
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", driver.path);
    hints +=
        fmt::format(" --drive {}.{}=\"0 {}\"", system.joints[at(c.joint)].path, c.type->name, slides ? "mm/s" : "rpm");
  }
  return console.fail(
      ExitCode::simulation_failed,
      fmt::format("the machine does not rest: {} {} it", names, system.drivers.size() == 1 ? "moves" : "move"),
      fmt::format("hold it where it is:{}; or give the driver enabled: false", hints));
}

}  // namespace

std::optional<ExitCode> refuse_unknown_insides(const system::System& system, Console& console) {
  if (!system.sealed.empty()) {
    return console.fail(ExitCode::usage_error,
                        "where the machine rests is not known: what is inside of sealed "
                        "components has no derivatives here",
                        "use the open model, or simulate until it rests");
  }
  if (!system.codes.empty()) {
    return console.fail(ExitCode::usage_error,
                        "where the machine rests is not known: its code in C has states of its own",
                        "simulate until it rests");
  }
  if (system.has_jumps()) {
    return console.fail(ExitCode::usage_error,
                        fmt::format("where the machine rests is not known: it has {}, which are not part of this "
                                    "analysis yet",
                                    system::jumps_text(system)),
                        "simulate until it rests, or give them enabled: false");
  }
  for (const system::Node& node : system.nodes) {
    if (!node.flows) continue;
    return console.fail(
        ExitCode::usage_error,
        fmt::format("where the machine rests is not known: the node '{}' follows speeds or states", node.path),
        "simulate until it rests");
  }
  return std::nullopt;
}

std::optional<analysis::Equilibrium> hold_start(const system::System& system, const system::Params& params,
                                                const analysis::Assembly& assembly, Console& console, ExitCode& code) {
  if (const std::optional<ExitCode> refused = refuse_unknown_insides(system, console)) {
    code = *refused;
    return std::nullopt;
  }
  analysis::Equilibrium held =
      analysis::hold_still(system, params, assembly.state, analysis::run_rank_tolerance(assembly));
  if (held.is_found) return held;
  code = held.is_driven
             ? say_what_drives(system, console)
             : console.fail(ExitCode::simulation_failed, "the start pose cannot be held: its joints do not close");
  return std::nullopt;
}

std::optional<analysis::Equilibrium> find_rest(const system::System& system, const system::Params& params,
                                               const analysis::Assembly& assembly, Console& console, ExitCode& code) {
  if (const std::optional<ExitCode> refused = refuse_unknown_insides(system, console)) {
    code = *refused;
    return std::nullopt;
  }
  analysis::Equilibrium found =
      analysis::find_equilibrium(system, params, assembly.state, analysis::run_rank_tolerance(assembly));
  if (found.is_found) return found;
  if (found.is_driven) {
    code = say_what_drives(system, console);
  } else if (found.restless_state >= 0) {
    code = console.fail(ExitCode::simulation_failed,
                        fmt::format("no pose was found in which the machine rests: the state '{}' keeps changing",
                                    system.states[at(found.restless_state)].path),
                        "its rate must be zero somewhere; a clock or an integral without a goal never rests");
  } else if (found.runaway < 0) {
    code = console.fail(ExitCode::simulation_failed, "no pose was found in which the machine rests",
                        "start it nearer to where it would rest: --start JOINT.COORDINATE=VALUE");
  } else {
    code =
        console.fail(ExitCode::simulation_failed,
                     fmt::format("no pose was found in which the machine rests: '{}' keeps {}",
                                 system.lead_part(at(found.runaway)).path, motion_text(found)),
                     "join it to something, or give it a spring to rest on; gelenk check shows what is free to move");
  }
  return std::nullopt;
}

}  // namespace gelenk::app
