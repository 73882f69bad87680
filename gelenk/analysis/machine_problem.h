#pragma once

#include <string>
#include <vector>

#include "gelenk/analysis/equations.h"
#include "gelenk/integrate/integrator.h"
#include "gelenk/integrate/problem.h"

namespace gelenk::analysis {

// A machine as integrators see it. A tangent vector has, for the positions, six numbers per body (velocity, rate of the
// rotation vector), for the velocities six per body, and one for each extra state.
class MachineProblem : public integrate::Problem {
 public:
  // Methods that choose their steps may be told to try another one when a stage falls on a singular pose.
  MachineProblem(const system::System& system, const system::Params& params, double rank_tolerance, double tolerance,
                 bool refuses_singular_stages);

  void reserve(int states, int rates) override;
  void copy(int from, int to) override;
  bool evaluate(int state, int rate) override;
  void combine(int from, double time, std::span<const integrate::Term> terms, int to) override;
  integrate::Norm error_norm(int from, int to, std::span<const integrate::Term> error) override;
  bool project(int state) override;
  double next_discontinuity(double time) override;
  void cross(int state) override;
  std::size_t switch_count() const override { return system_.state_switches.size(); }
  void slacks(int state, std::span<double> values) override;
  void flip(int state, std::size_t which) override;

  // The start of a run: on its constraints, sides set.
  void set_state(int slot, const system::State& state);
  const system::State& state(int slot) const { return slots_[static_cast<std::size_t>(slot)].state; }

  // Accelerations of the bodies and multipliers of the rows at a state that was projected.
  bool accelerations(int slot, std::span<double> accelerations, std::span<double> multipliers);
  // The equations that last worked on a slot. Outputs have their own, so that they leave no trace in the motion.
  Equations& equations_of(int slot) {
    return slot == integrate::Integrator::kOutputState ? output_equations_ : equations_;
  }

  struct Statistics {
    std::int64_t factorizations = 0;
    std::int64_t pivot_changes = 0;
    std::int64_t rank_changes = 0;
    double largest_drift = 0.0;     // position residual before projection
    double largest_residual = 0.0;  // after it
    double largest_rate_residual = 0.0;
    double largest_dropped = 0.0;  // of rows that are not enforced
  };
  const Statistics& statistics() const { return statistics_; }
  // A position law that jumped, or whose rate did, when a state last crossed a discontinuity; driver -1: none did.
  struct LawJump {
    std::int32_t driver = -1;
    double time = 0.0, value = 0.0, rate = 0.0;
    bool is_impossible() const { return driver >= 0 && value != 0.0; }
  };
  const LawJump& law_jump() const { return law_jump_; }
  // The body whose rate was not finite, when evaluate() failed; -1: none.
  std::int32_t bad_body() const { return bad_body_; }

 private:
  struct Slot {
    system::State state;
    std::vector<double> turn;  // rotation vector of each body from the base of the step; three per body
    bool is_base = true;       // turn is zero
    solve::PivotSet pivots;
    double base_pivot = 0.0;  // smallest pivot at the base of the step
    FactorPose factor_pose;
  };

  Slot& slot(int index) { return slots_[static_cast<std::size_t>(index)]; }
  // The equations with the factorization that belongs to the slot.
  Equations& prepare(int index);
  void count(solve::PivotChange change);
  void find_law_jump(const system::State& before, const system::State& after);
  static std::int32_t first_bad_body(std::span<const double> accelerations);  // -1: all are finite
  integrate::Norm weighted_norm(const system::State& state) const;            // of offset_
  double rounding_near(const system::State& state, double pivot, double step) const;

  const system::System& system_;
  const system::Params& params_;
  double tolerance_;
  bool refuses_singular_stages_;
  Equations equations_;
  Equations output_equations_;
  std::vector<Slot> slots_;
  std::vector<std::vector<double>> rates_;
  std::vector<Vector3> start_position_;
  std::vector<double> offset_;
  std::vector<double> multipliers_;
  std::vector<double> no_motion_;  // zero for each row
  // Kept so that steps allocate nothing.
  std::vector<std::int32_t> held_sides_, accepted_before_;
  system::State factor_state_;
  // The slot that the main equations have loaded with its own factorization, since it was projected; -1: none.
  int loaded_slot_ = -1;
  // Whose factorization the main equations hold: pose and pivots as they were.
  FactorPose held_pose_;
  // No law jumps by itself between these times.
  double quiet_from_ = 0.0, quiet_until_ = -1.0;
  Statistics statistics_;
  std::int32_t bad_body_ = -1;
  LawJump law_jump_;
};

}  // namespace gelenk::analysis
