#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/analysis/partition.h"
#include "gelenk/analysis/subsystem_equations.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/solve/component_solver.h"
#include "gelenk/solve/flat_solver.h"
#include "gelenk/solve/motion_solver.h"
#include "gelenk/solve/rank_rule.h"

// The equations of a machine together with a solver: what all analyses share.
namespace gelenk::analysis {

// Where a factorization was made: enough to make it again, bit for bit. Only for solvers that remember it.
struct FactorPose {
  std::vector<Vector3> position;
  std::vector<Quaternion> orientation;
  double time = 0.0;
  std::vector<double> extra;  // that the motion depends on: drivers turn their rows with them
  bool is_set = false;
};

// Positions and orientations of `to` := those of `from` ⊞ d, with d six per body: displacement of the center of mass,
// rotation vector; world axes. Both may be the same state.
void retract(const system::State& from, std::span<const double> d, system::State& to);

class Equations {
 public:
  // `flat`: of Partitioning::none, for comparisons; it chooses well by itself.
  Equations(const system::System& system, const system::Params& params,
            Partitioning partitioning = Partitioning::automatic, std::shared_ptr<const solve::Plan> plan = nullptr,
            const solve::FlatOptions& flat = {}, std::span<subsystem::Subsystem* const> subsystems = {});

  // A row counts as independent when it is further than this from the others; see assemble().
  void set_rank_tolerance(double tau) { rank_tolerance_ = tau; }
  double rank_tolerance() const { return rank_tolerance_; }

  // Positions, velocities, laws and rows of a state into the workspace, as the solver takes them.
  void load(const system::State& state);
  // The same, and the forces: for solve_accelerations().
  void load_with_forces(const system::State& state);
  // The same as load(), and frames and rows one by one (mechanics/evaluate.h).
  void load_rows(const system::State& state);
  // What the loaded pose may say about rank (solve/rank_rule.h): on its constraints anything, beside them less.
  enum class Rank { decide, keep };
  // Says to subsystems that load_with_forces(), factor() and solve_accelerations() come next.
  void begin_accelerations(Rank rank);
  // Factors at the loaded state.
  solve::PivotChange factor(solve::PivotSet& pivots, Rank rank = Rank::decide);
  // The same with another rank tolerance than that of the run.
  solve::PivotChange factor_with_tolerance(double tau, solve::PivotSet& pivots) {
    return solver_->factor(blocks(), tau, pivots);
  }
  // After load() at almost the pose of the factorization.
  solve::PivotChange refresh(solve::PivotSet& pivots, Rank rank = Rank::decide);

  // Accelerations of the bodies and multipliers of the rows (none wanted: empty) of the loaded state with the
  // factorization at hand.
  solve::SweepReport solve_accelerations(const system::State& state, std::span<double> accelerations,
                                         std::span<double> multipliers);

  // Brings a state back onto its constraints, positions then velocities, each change as small as can be in the mass
  // metric. Factors at the state as it comes, and leaves the result loaded. False when the positions do not come
  // together.
  // is_near: the factorization at hand is that of a pose so near that it serves the positions as well.
  bool project(system::State& state, solve::PivotSet& pivots, FactorPose& pose, bool is_near = false);

  // Of the states that come next, as subsystems number them.
  void set_slot(int slot) { subsystems_.set_slot(slot); }
  SubsystemEquations& subsystems() { return subsystems_; }

  // The same work in pieces, for a machine that is a subsystem of another one.
  void load_parts(const system::State& state, unsigned parts);  // subsystem::Part
  subsystem::Gap put_right_side(const system::State& state, subsystem::RightSide kind);
  void take_accelerations(std::span<double> accelerations, std::span<double> multipliers);
  void take_positions(system::State& state);
  void take_velocities(system::State& state);
  void settle(system::State& state);
  solve::ComponentSolver& components() { return *components_; }

  mechanics::Workspace& workspace() { return workspace_; }
  solve::MotionSolver& solver() { return *solver_; }
  const solve::MotionSolver& solver() const { return *solver_; }
  // To be shared with other equations of the same machine; none when flat.
  const std::shared_ptr<const solve::Plan>& plan() const { return plan_; }
  // Largest of the position residuals of the last project(), before and after (m and rad), and of the rates after.
  struct Drift {
    double position_before = 0.0, position_after = 0.0, velocity_after = 0.0;
    double dropped = 0.0;  // largest position residual of a row that is not enforced
    double slip = 0.0;     // largest rate of a row of velocities, before
  };
  const Drift& drift() const { return drift_; }

 private:
  void begin(std::span<const SubsystemEquations::Step> steps, Rank rank = Rank::keep);
  solve::RankRule rule(Rank rank) const { return {rank_tolerance_, rank == Rank::decide}; }
  void note_loaded(unsigned known);
  bool has_biases() const { return biases_of_ == loaded_; }
  bool has_forces() const { return forces_of_ == loaded_; }
  void set_sizes();
  void complete_forces(const mechanics::Context& context);
  double largest_accepted();
  double good_residual() const;
  solve::PoseBlocks blocks() const;
  void load_positions(const mechanics::Context& context);
  void load_velocities(const mechanics::Context& context);
  void load_joints(const mechanics::Context& context);
  void position_residuals(const mechanics::Context& context);
  void rate_residuals(const mechanics::Context& context);
  template <class Take>
  double reduce_residuals(double error, Take&& take);
  void factor_for_projection(const system::State& state, Rank rank, solve::PivotSet& pivots, FactorPose& pose);
  void project_positions(system::State& state);
  bool decide_rank(system::State& state, solve::PivotSet& pivots, FactorPose& pose);
  bool project_velocities(system::State& state);

  const system::System& system_;
  const system::Params& params_;
  std::shared_ptr<const solve::Plan> plan_;
  mechanics::Workspace workspace_;
  SubsystemEquations subsystems_;
  std::unique_ptr<solve::MotionSolver> solver_;
  solve::ComponentSolver* components_ = nullptr;  // the same, or that of the joints inside it; null when flat
  bool takes_joints_ = true;
  // What the numbers at hand belong to. Whatever is loaded gets a new revision; 0: they belong to nothing.
  std::uint64_t loaded_ = 1;         // bodies, ports and laws in the workspace
  std::uint64_t biases_of_ = 0;      // u in right_side_
  std::uint64_t forces_of_ = 0;      // forces in the workspace
  std::uint64_t ahead_of_ = 0;       // forces and biases with which the factorization went up
  std::uint64_t rows_ = 1;           // joints, or rows one by one, in the workspace: a revision of their own
  std::uint64_t factored_rows_ = 0;  // those of the last factorization, which sweeps read
  double rank_tolerance_ = 1e-6;
  Drift drift_;
  subsystem::Gap gap_of_subsystems_;  // of the residuals that were last asked for
  std::vector<double> right_side_;
  // Of project()
  std::vector<double> zeros_, motion_;  // six per body
  std::vector<double> row_values_;
  std::vector<std::int32_t> velocity_rows_;
};

}  // namespace gelenk::analysis
