#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/mechanics/evaluate.h"
#include "gelenk/solve/flat_solver.h"

// The equations of a machine together with a solver: what all analyses share.
namespace gelenk::analysis {

// Where a factorization was made: enough to make it again, bit for bit.
struct FactorPose {
  std::vector<Vector3> position;
  std::vector<Quaternion> orientation;
  double time = 0.0;
  std::vector<double> extra;  // that the motion depends on: drivers turn their rows with them
  bool is_set = false;
};

// q := q ⊞ d, with d six per body: displacement of the center of mass, rotation vector; world axes.
void retract(std::span<const double> d, system::State& state);

class Equations {
 public:
  Equations(const system::System& system, const system::Params& params, solve::FlatOptions options = {});

  // A pivot counts when it exceeds tau²; see assemble().
  void set_rank_tolerance(double tau) { rank_tolerance_ = tau; }
  double rank_tolerance() const { return rank_tolerance_; }

  // Positions, velocities, laws and rows of a state into the workspace.
  void load(const system::State& state);
  // Factors at the loaded state.
  solve::PivotChange factor(solve::PivotSet& pivots);
  // New blocks for an old factorization.
  void refresh() { solver_.set_blocks(workspace_.inverse_masses, workspace_.blocks); }

  // Accelerations of the bodies and multipliers of the rows of the loaded state with the factorization at hand.
  solve::SweepReport solve_accelerations(const system::State& state, std::span<double> accelerations,
                                         std::span<double> multipliers);

  // Brings a state back onto its constraints, positions then velocities, each change as small as can be in the mass
  // metric. Factors at the state as it comes, and leaves the result loaded. False when the positions do not come
  // together.
  bool project(system::State& state, solve::PivotSet& pivots, FactorPose& pose);

  const system::System& system() const { return system_; }
  const system::Params& params() const { return params_; }
  mechanics::Workspace& workspace() { return workspace_; }
  solve::FlatSolver& solver() { return solver_; }
  // Largest of the position residuals of the last project(), before and after (m and rad), and of the rates after.
  struct Drift {
    double position_before = 0.0, position_after = 0.0, velocity_after = 0.0;
    double dropped = 0.0;  // largest position residual of a row that is not enforced
  };
  const Drift& drift() const { return drift_; }

 private:
  double largest_accepted(std::span<const double> values) const;
  double good_residual() const;
  void project_positions(system::State& state);

  const system::System& system_;
  const system::Params& params_;
  mechanics::Workspace workspace_;
  solve::FlatSolver solver_;
  double rank_tolerance_ = 1e-6;
  Drift drift_;
  std::vector<double> zeros_;  // six per body
  std::vector<double> row_values_;
  std::vector<double> right_side_;
  std::vector<double> motion_;  // six per body
  std::vector<double> multipliers_;
  std::vector<double> free_accelerations_;
};

}  // namespace gelenk::analysis
