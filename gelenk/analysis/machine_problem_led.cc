// A machine that is a component of somebody else's: he leads, piece by piece.
#include <algorithm>
#include <utility>

#include "gelenk/analysis/machine_problem.h"
#include "gelenk/base/index.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/solve/rank_rule.h"
#include "gelenk/system/compile.h"

namespace gelenk::analysis {

void MachineProblem::load_parts(int index, unsigned parts) {
  if (index < 0) {
    equations_.set_slot(index);
    equations_.load(system::drawn_state(system_, params_));
    return;
  }
  if (parts == 0) {
    place(index);
    return;
  }
  Equations& equations = equations_of(index);
  equations.set_slot(index);
  equations.load_parts(slot(index).state, parts);
}

void MachineProblem::factor_for_owner(int index, const solve::RankRule& rule, std::span<double> answer) {
  Equations& equations = equations_of(index);
  solve::ComponentSolver& solver = equations.components();
  bool is_again = false;
  if (index < 0) {
    solver.factor_planned(rule.tolerance);
  } else {
    equations.set_slot(index);
    equations.set_rank_tolerance(rule.tolerance);
    const solve::PivotChange change =
        equations.factor(slot(index).pivots, rule.decides ? Equations::Rank::decide : Equations::Rank::keep);
    is_again = change != solve::PivotChange::none;
    count(change);
  }
  const std::span<const double> D = solver.mobility();
  std::copy(D.begin(), D.end(), answer.begin());
  answer[D.size()] = is_again ? 1.0 : 0.0;
  answer[D.size() + 1] = solver.smallest();
  answer[D.size() + 2] = static_cast<double>(solver.rank());
}

Equations::Gap MachineProblem::put_right_side(int index, gelenk_right_side kind) {
  const Slot& s = slot(index);
  Equations& equations = equations_of(index);
  equations.set_slot(index);
  if (kind == GELENK_POSITION_GAPS && s.is_at_event) kinetic_before_ = mechanics::kinetic_energy(params_, s.state);
  return equations.put_right_side(s.state, kind);
}

bool MachineProblem::take_result(int index, gelenk_right_side kind, int rate) {
  Slot& s = slot(index);
  Equations& equations = equations_of(index);
  equations.set_slot(index);
  if (kind == GELENK_POSITION_GAPS) {
    equations.take_positions(s.state);
    return true;
  }
  if (kind != GELENK_ACCELERATIONS) {
    equations.take_velocities(s.state);
    return true;
  }
  std::vector<double>& out = rates_[at(rate)];
  const std::size_t bodies = system_.bodies.size();
  const std::span<double> accelerations = std::span(out).subspan(position_width() * bodies, 6 * bodies);
  equations.take_accelerations(accelerations, multipliers_);
  if (keeps_multipliers_) s.multipliers.assign(multipliers_.begin(), multipliers_.end());
  equations.sealed().take_accelerations(rate);
  bad_body_ = first_bad_body(accelerations);
  return bad_body_ < 0 && !equations.sealed().has_failed() && put_rates(index, s.state, out);
}

void MachineProblem::mark_event(int index) {
  slot(index).is_at_event = true;
  sealed_.flip(index, -1);
}

void MachineProblem::settle(int index) {
  Slot& s = slot(index);
  Equations& equations = equations_of(index);
  equations.set_slot(index);
  equations.settle(s.state);
  equations.sealed().settle();
  if (std::exchange(s.is_at_event, false)) {
    s.state.extra[system_.work_place(system::Work::impacts)] +=
        mechanics::kinetic_energy(params_, s.state) - kinetic_before_;
  }
  s.is_base = true;
  s.base_time = s.state.time;
  std::fill(s.turn.begin(), s.turn.end(), 0.0);
}

std::span<const double> MachineProblem::by_port(std::span<const double> at_mounts) {
  const mechanics::Ports& ports = equations_.workspace().ports;
  outside_.assign(6 * ports.size(), 0.0);
  for (std::size_t m = 0; m < system_.mounts.size(); ++m) {
    std::copy_n(&at_mounts[6 * m], 6, &outside_[6 * at(ports.at_frame(system_.mounts[m].frame))]);
  }
  return outside_;
}

bool MachineProblem::factor_newton_for_owner(int index, double velocity_gain, double position_gain,
                                             std::span<const double> outside, std::span<double> D) {
  accelerations_.resize(6 * system_.bodies.size());
  Equations& equations = equations_of(index);
  equations.set_slot(index);
  equations.take_accelerations(accelerations_, multipliers_);
  const ImplicitEquations::Point point = newton_point(index, velocity_gain, by_port(outside));
  return implicit_equations().factor_for_owner(point, velocity_gain, position_gain, D.data());
}

bool MachineProblem::factor_stage_for_owner(std::span<const double> outside, std::span<double> D) {
  return implicit_equations().factor_for_owner(stage_point(by_port(outside)), stage_.velocity_gain,
                                               stage_.position_gain, D.data());
}

void MachineProblem::put_newton_right_side_for_owner(int rate, std::span<double> motions) {
  put_newton_right_side(rate);
  implicit_equations().put_port_motions(motions_, accelerations_, port_motions_);
  const mechanics::Ports& ports = equations_.workspace().ports;
  for (std::size_t m = 0; m < system_.mounts.size(); ++m) {
    const std::size_t port = at(ports.at_frame(system_.mounts[m].frame));
    std::copy_n(&port_motions_[kNewtonMotions * port], kNewtonMotions, &motions[kNewtonMotions * m]);
  }
}

void MachineProblem::newton_up(std::span<double> r) {
  state_newton_.add_forces(implicit_equations(), forces_);
  implicit_equations().set_right_side(forces_, row_motions_);
  const solve::ImplicitFunctions root = implicit_equations().functions();
  root.up(root.self, r.data());
}

void MachineProblem::newton_down(std::span<const double> loads, std::span<double> motions) {
  const solve::ImplicitFunctions root = implicit_equations().functions();
  root.down(root.self, loads.data(), motions.data());
  implicit_equations().collect(forces_, row_motions_);
}

void MachineProblem::place_stage_for_owner() {
  place_stage();
  equations_.sealed().place_stage();
  equations_.load_rows(slot(stage_.to).state);
}

double MachineProblem::put_stage_loads(std::span<const double> outside) { return stage_residual(by_port(outside)); }

}  // namespace gelenk::analysis
