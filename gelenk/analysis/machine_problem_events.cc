// Where a machine begins, and where it changes by itself: jumps of laws, switches.
#include <algorithm>
#include <cmath>

#include "gelenk/analysis/machine_problem.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/mechanics/switches.h"

namespace gelenk::analysis {

double MachineProblem::next_discontinuity(double time) {
  // Asked for in every step: the answer holds until it is reached.
  if (!(time >= quiet_from_ && time < quiet_until_)) {
    quiet_from_ = time;
    quiet_until_ = std::min(mechanics::next_discontinuity(system_, params_, time), sealed_.next_jump(time));
  }
  return quiet_until_;
}

double MachineProblem::longest_step(int index, double wanted, double longest) {
  return time_laws_.size() == 0 ? wanted : time_laws_.longest_step(slot(index).state, wanted, longest).step;
}

std::int32_t MachineProblem::law_hidden_by(int index, double step) {
  constexpr double kShorter = 0.5;  // a step just a little too long sees the law all the same
  if (time_laws_.size() == 0) return -1;
  const system::TimeLaws::Limit limit = time_laws_.longest_step(slot(index).state, step, step);
  return limit.step < kShorter * step ? limit.signal : -1;
}

void MachineProblem::cross(int index) {
  sealed_.cross(index);
  system::State& state = slot(index).state;
  if (index == loaded_slot_) loaded_slot_ = -1;
  slot(index).is_at_event = true;
  factor_state_ = state;
  mechanics::set_time_sides(system_, params_, state);
  find_law_jump(factor_state_, state);
}

// Position laws depend on time only: at the same time they have one value on the side before and one on that behind.
void MachineProblem::find_law_jump(const system::State& before, const system::State& after) {
  constexpr double kNotable = 1e-6;   // rad or m, and per second; below this a jump is rounding
  constexpr double kRounding = 1e-9;  // s, or part of the time: how well the time of the jump is known
  law_jump_ = {};
  for (std::size_t d = 0; d < system_.drivers.size(); ++d) {
    const system::Driver& driver = system_.drivers[d];
    if (driver.level != model::DriverNode::Level::position) continue;
    mechanics::Workspace& workspace = output_equations_.workspace();
    const auto jump = [&](std::int32_t signal) {
      const double behind = mechanics::view({system_, params_, after}, workspace).signal(signal);
      return behind - mechanics::view({system_, params_, before}, workspace).signal(signal);
    };
    const double rate = jump(driver.law_rate);
    const double value = jump(driver.law);
    const double smooth = kRounding * std::max(1.0, std::abs(after.time)) * (1.0 + std::abs(rate));
    if (std::abs(value) > kNotable + 10.0 * smooth) {
      law_jump_ = {static_cast<std::int32_t>(d), after.time, value, rate};
      return;
    }
    if (std::abs(rate) > kNotable && law_jump_.driver < 0)
      law_jump_ = {static_cast<std::int32_t>(d), after.time, 0.0, rate};
  }
}

void MachineProblem::start_work(int index) {
  system::State& state = slot(index).state;
  const mechanics::Context context{system_, params_, state};
  mechanics::Workspace& workspace = place(index);
  std::fill(state.extra.begin() + static_cast<std::ptrdiff_t>(system_.extra.motion_count()), state.extra.end(), 0.0);
  state.extra[system_.work_place(system::Work::forces)] = -mechanics::energy(context, workspace).potential;
}

// The output's workspace: the main one belongs to the step.
mechanics::Workspace& MachineProblem::place(int index) {
  const mechanics::Context context{system_, params_, slot(index).state};
  mechanics::Workspace& workspace = output_equations_.workspace();
  output_equations_.set_slot(index);
  output_equations_.sealed().look(workspace);
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  return workspace;
}

// To sealed components, for a slot that is placed.
void MachineProblem::give_inputs(int index) {
  output_equations_.sealed().give_inputs({system_, params_, slot(index).state}, 0, output_equations_.workspace());
}

void MachineProblem::start_sealed_sides(int index) {
  place(index);
  give_inputs(index);
  sealed_.start_sides(index);
}

void MachineProblem::set_all_sides(int index) {
  mechanics::set_all_sides(system_, params_, place(index), slot(index).state);
}

void MachineProblem::slacks(int index, std::span<double> values) {
  const std::size_t own = system_.state_switches.size();
  mechanics::switch_slacks({system_, params_, slot(index).state}, place(index), values.first(own));
  if (sealed_.switch_count() > 0) give_inputs(index);
  sealed_.slacks(index, values.subspan(own));
}

void MachineProblem::flip(int index, std::size_t which) {
  Slot& s = slot(index);
  if (index == loaded_slot_) loaded_slot_ = -1;
  s.is_at_event = true;
  const std::size_t own = system_.state_switches.size();
  if (which >= own) {
    place(index);
    give_inputs(index);
  }
  sealed_.flip(index, which < own ? -1 : static_cast<int>(which - own));
  if (which < own) mechanics::flip_switch(system_, params_, place(index), which, s.state);
}

}  // namespace gelenk::analysis
