// What implicit methods ask subsystems for.
#include <algorithm>

#include "gelenk/analysis/subsystem_equations.h"

namespace gelenk::analysis {

using subsystem::Ahead;

solve::ImplicitFunctions SubsystemEquations::implicit_functions_of(Connection& connection) {
  solve::ImplicitFunctions functions;
  functions.self = &connection;
  functions.factor = [](void* self, double* D) {
    Connection& one = *static_cast<Connection*>(self);
    one.point.slot = one.slot;
    one.point.loads = one.newton_loads;
    if (one.newton_border.is_empty()) return one.note(one.subsystem->newton()->factor(one.point, D));
    const bool is_done = one.note(one.subsystem->newton()->factor(one.point, one.newton_border.mobility().data()));
    one.newton_border.give_mobility(D);
    return is_done;
  };
  functions.up = [](void* self, double* r) {
    Connection& one = *static_cast<Connection*>(self);
    if (one.newton_border.is_empty()) {
      one.note(one.subsystem->newton()->up(r));
      return;
    }
    one.note(one.subsystem->newton()->up(one.newton_border.motions()));
    one.newton_border.give_r(true, r);
  };
  functions.down = [](void* self, const double* tau, double* x) {
    Connection& one = *static_cast<Connection*>(self);
    if (one.newton_border.is_empty()) {
      one.note(one.subsystem->newton()->down(tau, x));
      return;
    }
    one.note(one.subsystem->newton()->down(one.newton_border.loads(true, tau), one.newton_border.motions()));
    one.newton_border.give_motions(false, x);
  };
  return functions;
}

void SubsystemEquations::set_newton(subsystem::Newton::At at, double velocity_gain, double position_gain,
                                    std::span<const double> loads, std::span<const double> on_shafts) {
  for (const std::unique_ptr<Connection>& one : connections_) {
    one->point = {one->slot, at, velocity_gain, position_gain, {}};
    one->newton_loads.clear();
    for (const std::size_t port : one->ports) {
      one->newton_loads.insert(one->newton_loads.end(), &loads[6 * port], &loads[6 * port] + 6);
    }
    one->append_shaft_loads(on_shafts, one->newton_loads);
  }
}

void SubsystemEquations::put_newton_right_side(int rate, std::span<double> motions) {
  for (const std::unique_ptr<Connection>& one : connections_) {
    if (Ahead* const ahead = one->subsystem->ahead()) ahead->begin_newton_right_side(rate);
  }
  for (const std::unique_ptr<Connection>& one : connections_) {
    one->newton_motions.resize(3 * one->subsystem->shape().motions());
    one->note(one->subsystem->newton()->put_right_side(rate, one->newton_motions));
    for (std::size_t i = 0; i < one->ports.size(); ++i) {
      std::copy_n(&one->newton_motions[kNewtonMotions * i], kNewtonMotions, &motions[kNewtonMotions * one->ports[i]]);
    }
  }
}

void SubsystemEquations::take_newton(int rate, int to) {
  for (const std::unique_ptr<Connection>& one : connections_) one->note(one->subsystem->newton()->take(rate, to));
}

void SubsystemEquations::begin_stage(const integrate::Stage& stage) {
  for (const std::unique_ptr<Connection>& one : connections_) one->note(one->subsystem->newton()->begin_stage(stage));
}

void SubsystemEquations::begin_stage_step(Ahead::StageStep step) {
  for (const std::unique_ptr<Connection>& one : connections_) {
    if (Ahead* const ahead = one->subsystem->ahead()) ahead->begin_stage_step(step);
  }
}

void SubsystemEquations::place_stage() {
  begin_stage_step(Ahead::StageStep::place);
  for (const std::unique_ptr<Connection>& one : connections_) one->note(one->subsystem->newton()->place_stage());
}

double SubsystemEquations::take_stage() {
  begin_stage_step(Ahead::StageStep::take);
  double largest = 0.0;
  for (const std::unique_ptr<Connection>& one : connections_) {
    double size = 0.0;
    one->note(one->subsystem->newton()->take_stage(size));
    // One that failed answers with no number, which must not get lost.
    if (!(size <= largest)) largest = size;
  }
  return largest;
}

void SubsystemEquations::end_stage() {
  begin_stage_step(Ahead::StageStep::end);
  for (const std::unique_ptr<Connection>& one : connections_) one->note(one->subsystem->newton()->end_stage());
}

double SubsystemEquations::send_stage_loads(std::span<double> loads, std::span<const double> on_shafts) {
  for (const std::unique_ptr<Connection>& one : connections_) {
    one->stage_loads.clear();
    for (const std::size_t port : one->ports) {
      one->stage_loads.insert(one->stage_loads.end(), &loads[6 * port], &loads[6 * port] + 6);
      std::fill_n(&loads[6 * port], 6, 0.0);
    }
    one->append_shaft_loads(on_shafts, one->stage_loads);
    if (Ahead* const ahead = one->subsystem->ahead()) ahead->begin_stage_loads(one->stage_loads);
  }
  double largest = 0.0;
  for (const std::unique_ptr<Connection>& one : connections_) {
    double change = 0.0;
    one->note(one->subsystem->newton()->put_stage_loads(one->stage_loads, change));
    largest = std::max(largest, change);
  }
  return largest;
}

}  // namespace gelenk::analysis
