#include "gelenk/analysis/machine/problem.h"

#include <algorithm>

#include "gelenk/mechanics/quantities.h"

namespace gelenk::analysis {

MachineProblem::MachineProblem(const system::System& system, const system::Params& params, double tolerance,
                               const DynamicsOptions& options, std::span<subsystem::Subsystem* const> subsystems)
    : system_(system),
      params_(params),
      subsystems_(subsystems),
      slots_(system),
      dynamics_(system, params, slots_, options, subsystems),
      errors_(system, params, tolerance, slots_, dynamics_, subsystems_),
      events_(system, params, slots_, dynamics_, subsystems_),
      stages_(system, params, slots_, dynamics_, subsystems_),
      flat_(system, params, tolerance, slots_),
      singular_poses_(system, slots_, dynamics_) {}

void MachineProblem::reserve(int states, int rates, integrate::Chart chart) {
  subsystems_.reserve(states, rates, chart, dynamics_.keeps_multipliers());
  slots_.reserve(states, rates, chart);
}

void MachineProblem::set_state(int index, const system::State& state, std::span<const std::string> subsystems) {
  reserve(index + 1, 0, slots_.chart());
  subsystems_.start(index, subsystems);
  slots_.start(index, state);
  dynamics_.forget_stage();
}

void MachineProblem::copy(int from, int to) {
  subsystems_.copy(from, to);
  slots_.copy(from, to);
}

void MachineProblem::combine(int from, double time, std::span<const integrate::Term> terms, int to) {
  subsystems_.combine(from, time, terms, to);
  slots_.combine(from, time, terms, to);
}

void MachineProblem::combine_rates(std::span<const integrate::Term> terms, int to) {
  subsystems_.combine_rates(terms, to);
  slots_.combine_rates(terms, to);
}

bool MachineProblem::project(int state) {
  const LawJump& jump = events_.law_jump();
  if (jump.is_impossible() && slots_[state].state.time == jump.time) return false;
  return dynamics_.project(state);
}

void MachineProblem::save_state(int state, ByteWriter& out) const {
  slots_.save_state(state, out);
  subsystems_.save(subsystem::States::Kept::state, state, out);
}

void MachineProblem::load_state(int state, ByteReader& in) {
  slots_.load_state(state, slots_[integrate::Integrator::kCurrentState].state, in);
  subsystems_.load(subsystem::States::Kept::state, state, in);
  dynamics_.forget_factors();
}

void MachineProblem::save_rate(int rate, ByteWriter& out) const {
  slots_.save_rate(rate, out);
  subsystems_.save(subsystem::States::Kept::rate, rate, out);
}

void MachineProblem::load_rate(int rate, ByteReader& in) {
  slots_.load_rate(rate, in);
  subsystems_.load(subsystem::States::Kept::rate, rate, in);
}

integrate::ImplicitProblem* MachineProblem::implicit() {
  if (!subsystems_.can_be_implicit()) throw subsystem::Failure("a part of the machine runs with explicit methods only");
  dynamics_.keep_multipliers();
  return &stages_;
}

// Who holds states as numbers must find them from the same origins again.
integrate::FlatProblem* MachineProblem::flat() {
  dynamics_.keep_origins();
  return &flat_;
}

integrate::JumpProblem* MachineProblem::jumps() {
  if (impulses_ == nullptr) impulses_ = std::make_unique<MachineImpulses>(system_, params_, slots_, dynamics_);
  return impulses_.get();
}

void MachineProblem::start_work(int index) {
  system::State& state = slots_[index].state;
  const mechanics::Context context{system_, params_, state};
  mechanics::Workspace& workspace = dynamics_.place(index);
  std::fill(state.extra.begin() + static_cast<std::ptrdiff_t>(system_.extra.motion_count()), state.extra.end(), 0.0);
  state.extra[system_.work_place(system::Work::forces)] = -mechanics::energy(context, workspace).potential;
}

}  // namespace gelenk::analysis
