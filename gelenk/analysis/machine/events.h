#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gelenk/analysis/machine/dynamics.h"
#include "gelenk/analysis/subsystem_states.h"
#include "gelenk/integrate/problem.h"
#include "gelenk/system/motion_laws.h"
#include "gelenk/system/switch_dips.h"
#include "gelenk/system/time_laws.h"

namespace gelenk::analysis {

// A position law that jumped, or whose rate did, when a state last crossed a discontinuity; driver -1: none did.
struct LawJump {
  std::int32_t driver = -1;
  double time = 0.0, value = 0.0, rate = 0.0;
  bool is_impossible() const { return driver >= 0 && value != 0.0; }
};

// Where a machine changes by itself: jumps of laws, switches.
class MachineEvents final : public integrate::WatchedLaws {
 public:
  MachineEvents(const system::System& system, const system::Params& params, MachineSlots& slots,
                MachineDynamics& dynamics, SubsystemStates& subsystems)
      : system_(system),
        params_(params),
        slots_(slots),
        dynamics_(dynamics),
        subsystems_(subsystems),
        time_laws_(system, params),
        motion_laws_(system, params),
        switch_dips_(system, params) {}

  // See integrate::Problem.
  double next_discontinuity(double time);
  double longest_step(int slot, double wanted, double longest);
  void cross(int slot);
  std::size_t switch_count() const { return system_.state_switches.size() + subsystems_.switch_count(); }
  void slacks(int slot, std::span<double> values);
  void flip(int slot, std::size_t which);

  // See integrate::WatchedLaws; numbers of laws are those of their signals.
  std::size_t argument_count() const override { return motion_laws_.arguments().size(); }
  void arguments(int slot, std::span<double> values) override;
  std::int32_t hidden(int slot, const Way& way, double longest, int parts) override;
  std::int32_t between_ends(int slot, const Way& way, double length) override;
  std::size_t dip_argument_count() const override { return switch_dips_.arguments().size(); }
  void dip_arguments(int slot, std::span<double> values) override;
  DipSearch first_dip(int slot, const Way& way, double until) override;

  // The signal of a law of time that does something within less than the step from this state on; -1: none does.
  std::int32_t law_hidden_by(int slot, double step);
  std::size_t time_law_count() const { return time_laws_.size(); }
  const LawJump& law_jump() const { return law_jump_; }

  // Switches as the state and the inputs say: of the machine, and of its subsystems.
  void set_all_sides(int slot);
  void set_sides_of_subsystems(int slot);
  // A switch of an owner has flipped.
  void mark_event(int slot);

 private:
  void give_inputs(int slot);
  void read(std::span<const system::LawArgument> arguments, int slot, std::span<double> values);
  void find_law_jump(const system::State& before, const system::State& after);

  const system::System& system_;
  const system::Params& params_;
  MachineSlots& slots_;
  MachineDynamics& dynamics_;
  SubsystemStates& subsystems_;
  system::TimeLaws time_laws_;
  system::MotionLaws motion_laws_;
  system::SwitchDips switch_dips_;
  LawJump law_jump_;
  // No law jumps by itself between these times.
  double quiet_from_ = 0.0, quiet_until_ = -1.0;
  system::State before_;  // a crossing; kept so that steps allocate nothing
};

}  // namespace gelenk::analysis
