#include "gelenk/analysis/machine/events.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/mechanics/switches.h"

namespace gelenk::analysis {

double MachineEvents::next_discontinuity(double time) {
  // Asked for in every step: the answer holds until it is reached.
  if (!(time >= quiet_from_ && time < quiet_until_)) {
    quiet_from_ = time;
    quiet_until_ = std::min(mechanics::next_discontinuity(system_, params_, time), subsystems_.next_jump(time));
  }
  return quiet_until_;
}

double MachineEvents::longest_step(int index, double wanted, double longest) {
  return time_laws_.size() == 0 ? wanted : time_laws_.longest_step(slots_[index].state, wanted, longest).step;
}

std::int32_t MachineEvents::law_hidden_by(int index, double step) {
  constexpr double kShorter = 0.5;  // a step just a little too long sees the law all the same
  if (time_laws_.size() == 0) return -1;
  const system::TimeLaws::Limit limit = time_laws_.longest_step(slots_[index].state, step, step);
  return limit.step < kShorter * step ? limit.signal : -1;
}

void MachineEvents::read(std::span<const system::LawArgument> arguments, int index, std::span<double> values) {
  const mechanics::Context context{system_, params_, slots_[index].state};
  const auto view = mechanics::view(context, dynamics_.place(index));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const system::Symbol& symbol = system_.signals[at(arguments[i].signal)].symbols[at(arguments[i].symbol)];
    values[i] = symbol.kind == system::Symbol::Kind::time ? context.state.time : view.channel(symbol.channel);
  }
}

void MachineEvents::arguments(int index, std::span<double> values) { read(motion_laws_.arguments(), index, values); }

std::int32_t MachineEvents::hidden(int index, const Way& way, double longest, int parts) {
  return motion_laws_.hidden({way.start, way.middle, way.end}, longest, parts, slots_[index].state.sides);
}

std::int32_t MachineEvents::between_ends(int index, const Way& way, double length) {
  const system::State& state = slots_[index].state;
  const std::int32_t law = motion_laws_.between_ends({way.start, way.middle, way.end}, state.sides);
  return law >= 0 || time_laws_.size() == 0 ? law : time_laws_.between_ends(state, length);
}

void MachineEvents::dip_arguments(int index, std::span<double> values) {
  read(switch_dips_.arguments(), index, values);
}

MachineEvents::DipSearch MachineEvents::first_dip(int index, const Way& way, double until) {
  const auto found = switch_dips_.first({way.start, way.middle, way.end}, until, slots_[index].state.sides);
  DipSearch search;
  search.unsearched = found.unsearched;
  if (found.dip) search.dip = Dip{found.dip->which, found.dip->place};
  return search;
}

void MachineEvents::cross(int index) {
  subsystems_.cross(index);
  slots_.touch(index);
  slots_[index].is_at_event = true;
  system::State& state = slots_[index].state;
  before_ = state;
  mechanics::set_time_sides(system_, params_, state);
  find_law_jump(before_, state);
}

// Position laws depend on time only: at the same time they have one value on the side before and one on that behind.
void MachineEvents::find_law_jump(const system::State& before, const system::State& after) {
  constexpr double kNotable = 1e-6;   // rad or m, and per second; below this a jump is rounding
  constexpr double kRounding = 1e-9;  // s, or part of the time: how well the time of the jump is known
  law_jump_ = {};
  for (std::size_t d = 0; d < system_.drivers.size(); ++d) {
    const system::Driver& driver = system_.drivers[d];
    if (driver.level != model::DriverNode::Level::position) continue;
    mechanics::Workspace& workspace = dynamics_.output_equations().workspace();
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

// To subsystems, for a slot that is placed.
void MachineEvents::give_inputs(int index) {
  Equations& equations = dynamics_.output_equations();
  equations.subsystems().give_inputs({system_, params_, slots_[index].state}, 0, equations.workspace());
}

void MachineEvents::set_sides_of_subsystems(int index) {
  dynamics_.place(index);
  give_inputs(index);
  subsystems_.set_all_sides(index);
}

void MachineEvents::set_all_sides(int index) {
  mechanics::set_all_sides(system_, params_, dynamics_.place(index), slots_[index].state);
}

void MachineEvents::slacks(int index, std::span<double> values) {
  const std::size_t own = system_.state_switches.size();
  mechanics::switch_slacks({system_, params_, slots_[index].state}, dynamics_.place(index), values.first(own));
  if (subsystems_.switch_count() > 0) give_inputs(index);
  subsystems_.slacks(index, values.subspan(own));
}

void MachineEvents::flip(int index, std::size_t which) {
  MachineSlot& s = slots_[index];
  slots_.touch(index);
  s.is_at_event = true;
  const std::size_t own = system_.state_switches.size();
  mechanics::Workspace& workspace = dynamics_.place(index);
  if (which < own) {
    subsystems_.mark_event(index);
    mechanics::flip_switch(system_, params_, workspace, which, s.state);
    return;
  }
  give_inputs(index);
  subsystems_.flip(index, which - own);
}

void MachineEvents::mark_event(int index) {
  slots_[index].is_at_event = true;
  subsystems_.mark_event(index);
}

}  // namespace gelenk::analysis
