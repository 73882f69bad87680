#include "gelenk/analysis/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "gelenk/analysis/driven_way.h"
#include "gelenk/analysis/run_integrator.h"
#include "gelenk/base/index.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/math/small_dense.h"

namespace gelenk::analysis {
namespace {

struct Element {
  std::string kind;
  std::string path;
  SourceRange where;
};

bool is_finite(const mechanics::Wrench<double>& wrench) {
  return wrench.force.allFinite() && wrench.moment.allFinite();
}

// The first force or law whose value is not finite.
std::optional<Element> bad_element(const system::System& system, const mechanics::Context& context,
                                   mechanics::Workspace& workspace) {
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  const mechanics::View<double> now = mechanics::view(context, workspace);
  for (const system::Node& node : system.nodes) {
    if (workspace.nodes.is_found[at(node.group)] == 0) return Element{"node", node.path, node.where};
  }
  for (const system::Driver& driver : system.drivers) {
    const bool is_bad =
        !std::isfinite(now.signal(driver.law)) || (driver.law_rate >= 0 && !std::isfinite(now.signal(driver.law_rate)));
    if (is_bad) return Element{"driver", driver.path, driver.where};
  }
  for (std::size_t f = 0; f < system.forces.size(); ++f) {
    const mechanics::ForceResult<double> result = now.force(static_cast<std::int32_t>(f));
    if (!is_finite(result.on_a) || !is_finite(result.on_b)) {
      return Element{"force", system.forces[f].path, system.forces[f].where};
    }
  }
  for (const system::IntegratedState& state : system.states) {
    if (!std::isfinite(now.signal(state.rate))) return Element{"state", state.path, state.where};
  }
  return std::nullopt;
}

// The node whose forces hold it least, when that is hardly at all.
const system::Node* slack_node(const system::System& system, const mechanics::Workspace& workspace) {
  constexpr double kHardly = 0.02;  // of the stiffest direction
  for (std::size_t g = 0; g < system.node_groups.size(); ++g) {
    const std::size_t count = system.node_groups[g].unknowns.size();
    if (weakest_way(workspace.nodes.matrices[g], count).ratio > kHardly) continue;
    return &system.nodes[at(system.node_groups[g].nodes.front())];
  }
  return nullptr;
}

std::size_t fastest_body(const system::Params& params, const system::State& state) {
  std::size_t fastest = 0;
  double largest = -1.0;
  for (std::size_t b = 0; b < state.position.size(); ++b) {
    const double* const v = &state.velocity[6 * b];
    const double speed = Vector3(v[0], v[1], v[2]).norm() + params.length * Vector3(v[3], v[4], v[5]).norm();
    if (speed <= largest) continue;
    largest = speed;
    fastest = b;
  }
  return fastest;
}

// The state that changes fastest, when that is faster than any part turns or goes its own way.
const system::IntegratedState* faster_state(const system::System& system, const system::Params& params,
                                            const system::State& state, std::size_t body) {
  const double* const v = &state.velocity[6 * body];
  double fastest = Vector3(v[0], v[1], v[2]).norm() / params.length + Vector3(v[3], v[4], v[5]).norm();
  const system::IntegratedState* result = nullptr;
  const mechanics::Context context{system, params, state};
  mechanics::Workspace workspace(system);
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  const mechanics::View<double> now = mechanics::view(context, workspace);
  for (const system::IntegratedState& one : system.states) {
    const double value = state.extra[at(one.place)];
    const double rate = std::abs(now.signal(one.rate)) / (params.extra_scales[at(one.place)] + std::abs(value));
    if (!(rate > fastest)) continue;
    fastest = rate;
    result = &one;
  }
  return result;
}

std::string motion_text(const system::System& system, const system::State& state, std::size_t body) {
  const double* const v = &state.velocity[6 * body];
  const double speed = Vector3(v[0], v[1], v[2]).norm();
  const double rate = Vector3(v[3], v[4], v[5]).norm();
  return fmt::format("{}, {}", shown_quantity(system.display, speed, Quantity::speed, 4),
                     shown_quantity(system.display, rate, Quantity::angular_rate, 4));
}

// A driven machine that locks up a little further on: the driver asks for what its joints do not let it do.
std::optional<Diagnostic> explain_lock(const system::System& system, const system::Params& params,
                                       const system::State& state, double time) {
  // Longer than a step near a dead center, and too short for another one.
  constexpr double kAhead = 0.1;  // lengths of the machine or rad
  if (system.drivers.empty() || !system.sealed.empty()) return std::nullopt;
  const std::vector<HeldCoordinate> led = next_drives(system, params, state, kAhead);
  if (led.empty()) return std::nullopt;
  const DrivenWay way = follow_way(system, params, state, led);
  if (way.is_complete()) return std::nullopt;
  const system::Driver& driver = system.drivers[way.led];
  Diagnostic d;
  d.code = Code::not_solvable;
  d.element = driver.path;
  d.element_kind = "driver";
  d.where = driver.where;
  d.message =
      fmt::format("{}, reached at {} s: {}", limit_text(system, way), format_rounded(time, 4), lock_text(system, way));
  d.hint = fmt::format(
      "drive it within its range, or change the lengths; `gelenk check --sweep {}` shows how far it goes", driver.path);
  return d;
}

// A disk that is about to lie flat: there it has no lowest point to roll on.
std::optional<Diagnostic> explain_flat_disk(const system::System& system, const system::Params& params,
                                            const system::State& state, double time) {
  constexpr double kNearlyFlat = 10.0 * model::kFlattestDisk;
  if (!system.sealed.empty()) return std::nullopt;
  mechanics::Workspace workspace(system);
  mechanics::update_positions({system, params, state}, workspace);
  for (const system::Row& row : system.rows) {
    if (row.kind != system::RowKind::rim_gap) continue;
    const Vector3 axis = workspace.frames[at(row.frame_b)].R.col(2);
    const double sine = axis.cross(Vector3(workspace.frames[at(row.frame_a)].R.col(2))).norm();
    if (sine > kNearlyFlat) continue;
    const system::Joint& joint = system.joints[at(row.joint)];
    Diagnostic d;
    d.code = Code::disk_lies_flat;
    d.element = joint.path;
    d.element_kind = "joint";
    d.where = joint.where;
    d.message = fmt::format("its disk falls flat on the plane at {} s", format_rounded(time, 4));
    d.hint =
        "a disk that lies flat has no lowest point to roll on: end the run before, give it more spin, or hold it up";
    return d;
  }
  return std::nullopt;
}

// Code in C that has no result even for the shortest step.
std::optional<Diagnostic> explain_silent_code(const system::System& system, const mechanics::Workspace& workspace,
                                              const std::string& when) {
  for (std::size_t c = 0; c < system.codes.size(); ++c) {
    if (workspace.codes[c].outcome != system::CodeOutcome::no_answer) continue;
    Diagnostic d;
    d.code = Code::not_solvable;
    d.element = system.codes[c].path;
    d.element_kind = "section";
    d.where = system.codes[c].where;
    d.message = fmt::format("its code returned no result {}, not even for the shortest step", when);
    d.hint = "evaluate() returns 0 where it has a result: look at what it is given there";
    return d;
  }
  return std::nullopt;
}

}  // namespace

std::string element_of_signal(const system::System& system, std::int32_t signal) {
  for (const system::Force& force : system.forces) {
    if (force.value == signal) return force.path;
  }
  for (const system::Driver& driver : system.drivers) {
    if (driver.law == signal || driver.law_rate == signal) return driver.path;
  }
  for (const system::IntegratedState& state : system.states) {
    if (state.rate == signal) return state.path;
  }
  for (const system::Output& output : system.outputs) {
    if (output.value == signal) return output.path;
  }
  return {};
}

std::string hidden_law_text(const system::System& system, std::int32_t signal, double from, double to) {
  return fmt::format("the formula of '{}' changes more between {} and {} s than one step can resolve",
                     element_of_signal(system, signal), format_rounded(from, 6), format_rounded(to, 6));
}

Diagnostic explain_chattering(const system::System& system, std::int32_t signal, double time) {
  Diagnostic d;
  d.code = Code::step_too_small;
  d.message =
      fmt::format("its formula switches back and forth without time advancing, at {} s", format_rounded(time, 9));
  d.hint =
      "smooth it: let it change over a small range instead of at a point, for example tanh(rate/(1 mm/s)) instead of "
      "sign(rate)";
  for (const system::Force& force : system.forces) {
    if (force.value != signal) continue;
    d.element = force.path;
    d.element_kind = "force";
    d.where = force.where;
    d.hint = "for dry friction use the force `joint_friction`; otherwise " + d.hint;
  }
  for (const system::Driver& driver : system.drivers) {
    if (driver.law != signal && driver.law_rate != signal) continue;
    d.element = driver.path;
    d.element_kind = "driver";
    d.where = driver.where;
  }
  for (const system::IntegratedState& state : system.states) {
    if (state.rate != signal) continue;
    d.element = state.path;
    d.element_kind = "state";
    d.where = state.where;
  }
  return d;
}

Diagnostic explain_failure(const system::System& system, const system::Params& params, MachineProblem& problem,
                           integrate::Failure failure, double time, const RunOptions& options) {
  const system::State& state = problem.state(integrate::Integrator::kCurrentState);
  Diagnostic d;
  const std::string when = fmt::format("at {} s", format_rounded(time, 9));
  if (system.bodies.empty()) {
    d.message = fmt::format("nothing can be computed {}", when);
    return d;
  }
  if (problem.events().law_jump().is_impossible()) {
    const system::Driver& driver = system.drivers[at(problem.events().law_jump().driver)];
    d.code = Code::not_solvable;
    d.element = driver.path;
    d.element_kind = "driver";
    d.where = driver.where;
    d.message = fmt::format("its position jumps by {} at {} s, which no motion can follow",
                            format_rounded(problem.events().law_jump().value, 4),
                            format_rounded(problem.events().law_jump().time, 9));
    d.hint = "let it move there over some time, for example with a table or a sine";
    return d;
  }
  if (std::optional<Diagnostic> silent =
          explain_silent_code(system, problem.dynamics().equations().workspace(), when)) {
    return *std::move(silent);
  }
  if (std::optional<Diagnostic> flat = explain_flat_disk(system, params, state, time)) return *std::move(flat);
  if (std::optional<Diagnostic> lock = explain_lock(system, params, state, time)) return *std::move(lock);
  const std::size_t body = fastest_body(params, state);
  const system::Part& part = system.lead_part(body);
  d.element = part.path;
  d.element_kind = "part";
  d.where = part.where;
  const std::string fastest = fmt::format("the fastest part is '{}' ({})", part.path, motion_text(system, state, body));
  if (failure == integrate::Failure::evaluation_failed && problem.dynamics().is_stage_open()) {
    failure = integrate::Failure::projection_failed;
  }
  switch (failure) {
    case integrate::Failure::step_too_small:
      d.code = Code::step_too_small;
      d.message = fmt::format("the steps became too small {}: {}", when, fastest);
      d.hint =
          "look at what happens there: a stiff spring or damper, a singular pose, an unbounded force; a larger "
          "tolerance or a softer element helps";
      if (const system::IntegratedState* const quick = faster_state(system, params, state, body)) {
        d.element = quick->path;
        d.element_kind = "state";
        d.where = quick->where;
        d.message = fmt::format("the steps became too small {}: it changes faster than anything else", when);
        d.hint = "look at its rate there; an implicit method such as bdf takes long steps where it only decays fast";
      }
      break;
    case integrate::Failure::chattering:
      d.code = Code::step_too_small;
      d.message = fmt::format("a law switches back and forth without time advancing, {}", when);
      d.hint = "smooth the law: let it change over a small range instead of at a point";
      break;
    case integrate::Failure::projection_failed:
      d.code = Code::not_solvable;
      d.message = fmt::format("the joints could not be kept closed {}: {}", when, fastest);
      d.hint = options.is_adaptive() ? "try a smaller max_step or tolerance" : "try a smaller step";
      break;
    default: {
      d.code = Code::became_not_finite;
      // The state of the stage that failed is gone; the law that breaks does so near the last good state as well, a
      // little later.
      system::State later = state;
      const mechanics::Context context{system, params, later};
      mechanics::Workspace workspace(system);
      std::optional<Element> bad = bad_element(system, context, workspace);
      const double ahead = options.is_adaptive() ? 1e-9 * std::max(1.0, time) : options.step;
      for (const double part_of_step : {0.5, 1.0}) {
        if (bad) break;
        later.time = time + part_of_step * ahead;
        bad = bad_element(system, context, workspace);
      }
      const system::Node* const slack = bad ? nullptr : slack_node(system, workspace);
      if (slack != nullptr || (bad && bad->kind == "node")) {
        d.element = slack != nullptr ? slack->path : bad->path;
        d.element_kind = "node";
        d.where = slack != nullptr ? slack->where : bad->where;
        d.message = fmt::format("its forces no longer say where it is {}", when);
        d.hint = "a node must not go limp: keep the springs and cables at it stretched, or give the place a small mass";
      } else if (bad) {
        d.element = bad->path;
        d.element_kind = bad->kind;
        d.where = bad->where;
        d.message = fmt::format("its value is no longer a number {}", when);
        d.hint = "look at its formula there: a root or logarithm of a negative number, a division by zero";
      } else if (!is_explicit(options.method) && problem.dynamics().bad_body() < 0) {
        d.code = Code::not_solvable;
        d.message = fmt::format("the equations of an implicit step could not be solved {}: {}", when, fastest);
        d.hint = options.is_adaptive() ? "look for a force that jumps or turns stiff there; dopri5 may get past it"
                                       : "a force changes too much within a step: try a smaller step, or method bdf";
      } else {
        if (problem.dynamics().bad_body() >= 0) {
          const system::Part& other = system.lead_part(at(problem.dynamics().bad_body()));
          d.element = other.path;
          d.where = other.where;
        }
        d.message = fmt::format("its acceleration is no longer a number {}; {}", when, fastest);
        d.hint = options.is_adaptive() ? "look at the forces on it" : "try a smaller step, or method dopri5";
      }
    }
  }
  return d;
}

}  // namespace gelenk::analysis
