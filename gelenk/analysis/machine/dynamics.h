#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/analysis/equations.h"
#include "gelenk/analysis/machine/slots.h"
#include "gelenk/analysis/machine/statistics.h"
#include "gelenk/integrate/integrator.h"

namespace gelenk::analysis {

// How the equations of a machine are solved.
struct DynamicsOptions {
  double rank_tolerance = 1e-6;
  // Methods that choose their steps may be asked to try another one when a stage falls on a singular pose.
  bool refuses_singular_stages = false;
  Partitioning partitioning = Partitioning::automatic;
  solve::FlatOptions flat = {};
};

// Rates and projections of the slots of a machine. Outputs have equations of their own, so that they leave no trace in
// the motion.
class MachineDynamics {
 public:
  MachineDynamics(const system::System& system, const system::Params& params, MachineSlots& slots,
                  const DynamicsOptions& options, std::span<subsystem::Subsystem* const> subsystems);

  // The rate becomes the derivative at the state.
  bool evaluate(int state, int rate);
  // Accelerations of the bodies and multipliers of the rows (none wanted: empty) at a slot.
  bool accelerations(int slot, std::span<double> accelerations, std::span<double> multipliers);
  // The same of a sweep that an owner has led, as a rate.
  bool take_accelerations(int slot, int rate);
  // Back onto the constraints.
  bool project(int slot);
  // Bodies and frames of a slot, in the workspace of the outputs.
  mechanics::Workspace& place(int slot);

  // The equations with the factorization that belongs to the slot.
  Equations& prepare(int slot);
  // The equations that last worked on a slot.
  Equations& equations_of(int slot) {
    return slot == integrate::Integrator::kOutputState ? output_equations_ : equations_;
  }
  Equations& equations() { return equations_; }
  const Equations& equations() const { return equations_; }
  Equations& output_equations() { return output_equations_; }

  // Every state that is evaluated keeps its multipliers: stages start from them.
  void keep_multipliers() { keeps_multipliers_ = true; }
  bool keeps_multipliers() const { return keeps_multipliers_; }
  // Origins of groups of bodies stay where they are.
  void keep_origins() { keeps_origins_ = true; }
  // What the main equations hold is of no use any more: the stage, its factors, the loaded slot.
  void forget_stage() { held_stage_.is_set = false; }
  void forget_factors() { held_pose_.is_set = held_stage_.is_set = false; }
  void forget_loaded() { loaded_ = {}; }

  void count(solve::PivotChange change);
  MachineStatistics& statistics() { return statistics_; }
  const MachineStatistics& statistics() const { return statistics_; }
  // Smallest pivot of the stages since this was last asked for.
  double take_smallest_stage_pivot();
  // The body whose rate was not finite, when evaluate() failed; -1: none.
  std::int32_t bad_body() const { return bad_body_; }
  // Whether evaluate() failed because the joints of a stage could not be closed.
  bool is_stage_open() const { return is_stage_open_; }

 private:
  bool accelerations_on_constraints(int slot, std::span<double> accelerations, std::span<double> multipliers);
  bool find_finite_accelerations(int slot, std::span<double> accelerations, std::span<double> multipliers);
  bool put_rates(int slot, const system::State& there, std::vector<double>& out);
  void note_projection(int slot, const Equations& equations);
  void note_rank(const MachineSlot& slot);  // against pivots_before_
  // Near singular poses (singular_poses.cc).
  bool is_beside_singular_pose(const MachineSlot& slot) const;
  bool is_too_singular(const solve::PivotSet& pivots, const MachineSlot& stage) const;
  bool lands_on_singular_pose(const MachineSlot& slot) const;
  bool is_near_held_stage(const MachineSlot& slot) const;
  bool is_loaded(int slot) const { return loaded_.slot == slot && loaded_.revision == slots_[slot].revision; }

  const system::System& system_;
  const system::Params& params_;
  MachineSlots& slots_;
  bool refuses_singular_stages_;
  bool keeps_origins_ = false;
  bool keeps_multipliers_ = false;
  Equations equations_;
  Equations output_equations_;
  MachineStatistics statistics_;
  std::vector<double> multipliers_;  // of the slot that was evaluated last; drivers need them
  // The slot that the main equations have loaded with its own factorization, since it was projected.
  struct Loaded {
    int slot = -1;
    std::uint64_t revision = 0;
  };
  Loaded loaded_;
  // Whose factorization the main equations hold: pose and pivots as they were.
  FactorPose held_pose_;
  // Of the stage whose factorization the main equations hold: times of its base and its own.
  struct HeldStage {
    double base_time = 0.0, time = 0.0;
    bool is_set = false;
  };
  HeldStage held_stage_;
  MachineSlot on_constraints_;  // the stage that accelerations_on_constraints() last looked at, projected
  double smallest_stage_pivot_ = 1.0;
  std::int32_t bad_body_ = -1;
  bool is_stage_open_ = false;
  // Kept so that steps allocate nothing.
  std::vector<std::int32_t> held_sides_;
  solve::PivotSet pivots_before_;
  system::State factor_state_;
};

// rad/s, or lengths of the machine per second.
double fastest_motion(const system::State& state, double length);

}  // namespace gelenk::analysis
