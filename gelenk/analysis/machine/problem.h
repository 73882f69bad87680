#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gelenk/analysis/machine/dynamics.h"
#include "gelenk/analysis/machine/errors.h"
#include "gelenk/analysis/machine/events.h"
#include "gelenk/analysis/machine/flat.h"
#include "gelenk/analysis/machine/impulses.h"
#include "gelenk/analysis/machine/singular_poses.h"
#include "gelenk/analysis/machine/slots.h"
#include "gelenk/analysis/machine/stages.h"
#include "gelenk/analysis/subsystem_states.h"
#include "gelenk/integrate/problem.h"

namespace gelenk::analysis {

// A machine as integrators see it: its own bodies, and the subsystems that touch it at ports and hear its signals. Each
// part of the work has a class of its own; here they are put together.
class MachineProblem final : public integrate::Problem {
 public:
  // `tolerance`: of steps that choose their length.
  MachineProblem(const system::System& system, const system::Params& params, double tolerance,
                 const DynamicsOptions& options, std::span<subsystem::Subsystem* const> subsystems = {});

  void reserve(int states, int rates, integrate::Chart chart) override;
  void copy(int from, int to) override;
  bool evaluate(int state, int rate) override { return dynamics_.evaluate(state, rate); }
  void combine(int from, double time, std::span<const integrate::Term> terms, int to) override;
  void combine_rates(std::span<const integrate::Term> terms, int to) override;
  integrate::Norm error_norm(int from, int to, std::span<const integrate::Term> error) override {
    return errors_.norm(from, to, error);
  }
  bool project(int state) override;

  void save_state(int state, ByteWriter& out) const override;
  void load_state(int state, ByteReader& in) override;
  void save_rate(int rate, ByteWriter& out) const override;
  void load_rate(int rate, ByteReader& in) override;

  integrate::ImplicitProblem* implicit() override;
  integrate::FlatProblem* flat() override;
  integrate::JumpProblem* jumps() override;
  // Null: the method has no time steps with jumps.
  const MachineImpulses* impulses() const { return impulses_.get(); }

  // The start of a run: on its constraints, sides set. Subsystems start as they are drawn, or from bytes, one for each.
  void set_state(int slot, const system::State& state, std::span<const std::string> subsystems = {});
  // The books of a run are opened in this state: no work was done yet.
  void start_work(int slot);
  const system::State& state(int slot) const { return slots_[slot].state; }

  MachineSlots& slots() { return slots_; }
  MachineDynamics& dynamics() { return dynamics_; }
  const MachineDynamics& dynamics() const { return dynamics_; }
  MachineEvents& events() { return events_; }
  MachineStages& stages() { return stages_; }
  SingularPoses& singular_poses() { return singular_poses_; }
  SubsystemStates& subsystems() { return subsystems_; }

 private:
  // What integrators ask for; others ask events().
  double next_discontinuity(double time) override { return events_.next_discontinuity(time); }
  double longest_step(int state, double wanted, double longest) override {
    return events_.longest_step(state, wanted, longest);
  }
  integrate::WatchedLaws* watched_laws() override { return &events_; }
  void cross(int state) override { events_.cross(state); }
  std::size_t switch_count() const override { return events_.switch_count(); }
  void slacks(int state, std::span<double> values) override { events_.slacks(state, values); }
  void flip(int state, std::size_t which) override { events_.flip(state, which); }

  const system::System& system_;
  const system::Params& params_;
  SubsystemStates subsystems_;
  MachineSlots slots_;
  MachineDynamics dynamics_;
  MachineErrors errors_;
  MachineEvents events_;
  MachineStages stages_;
  MachineFlat flat_;
  SingularPoses singular_poses_;
  std::unique_ptr<MachineImpulses> impulses_;
};

}  // namespace gelenk::analysis
