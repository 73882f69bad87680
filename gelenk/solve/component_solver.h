#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/solve/component_plan.h"
#include "gelenk/solve/component_tree.h"
#include "gelenk/solve/motion_solver.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {

// Solves a machine by the elimination programs of its components: time and memory grow with the number of bodies, loops
// and redundant rows cost no more than they are.
class ComponentSolver final : public MotionSolver {
 public:
  // Below this distance a row is rounding noise.
  static constexpr double kSmallestRankTolerance = 1e-9;
  // What factor() makes of a distance that it is given.
  static double used_tolerance(double tau) { return std::max(tau, kSmallestRankTolerance); }

  // `foreign`: functions of the components from elsewhere.
  explicit ComponentSolver(std::shared_ptr<const Plan> plan, std::span<const NodeFunctions> foreign = {});

  bool takes_joints() const override { return true; }
  bool remembers_pose() const override { return false; }
  PivotChange factor(const PoseBlocks& blocks, const RankRule& rule, PivotSet& pivots) override;
  PivotChange refresh(const PoseBlocks& blocks, PivotSet& pivots) override { return factor(blocks, tau_, pivots); }
  // The same with f and u of the solve_ahead() that follows; they must stay as and where they are until then. Large
  // machines are gone through once less.
  PivotChange factor_ahead(const PoseBlocks& blocks, const RankRule& rule, PivotSet& pivots, std::span<const double> f,
                           std::span<const double> u, std::span<const double> port_biases = {});
  // solve() for the f, u and biases of factor_ahead().
  SweepReport solve_ahead(std::span<double> a, std::span<double> lambda, std::span<const double> port_biases = {});
  using MotionSolver::solve;
  SweepReport solve(std::span<const double> f, std::span<const double> u, std::span<double> a, std::span<double> lambda,
                    std::span<const double> port_biases) override;
  SweepReport project(std::span<const double> r, std::span<const double> u, std::span<double> a,
                      std::span<double> lambda) override;

  std::size_t row_count() const override { return row_count_; }
  std::size_t rank() const override { return rank_; }
  std::span<const std::int32_t> dropped_rows() const override { return dropped_; }
  std::span<const double> row_scales() const override { return rows_in_order_ ? plan_->row_scales() : row_scales_; }
  bool is_corrected() const override { return is_corrected_; }
  double smallest_pivot() const override { return smallest_ * smallest_; }
  const Plan& plan() const { return *plan_; }

  // For an owner outside the machine, who leads it through functions(). After factor():
  std::span<const double> mobility() const { return tree_->mobility(); }
  double smallest() const { return smallest_; }
  // The right side of the next sweeps, as in solve(); f has no loads on ports that the owner has to himself.
  void set_right_side(std::span<const double> f, std::span<const double> u, std::span<const double> port_biases);
  NodeFunctions functions() { return tree_->functions(); }
  // The pose of planning, with decisions of its own.
  void factor_planned(double tau);
  void forget();
  // What these sweeps found.
  void take_result(std::span<double> a, std::span<double> lambda);

  std::size_t memory() const { return tree_->memory(); }

 private:
  void complete_redundancy(std::span<double> mu) override;
  void redundancy_gradient(std::span<const double> mu, std::span<double> gradient) override;
  double rank_tolerance() const override { return tau_; }

  PivotChange factor_tree(const PoseBlocks& blocks, const RankRule& rule, PivotSet& pivots);
  SweepReport sweep(const ComponentTree::RightSide& right_side, bool is_up, std::span<double> a,
                    std::span<double> lambda);
  void start(std::shared_ptr<const Plan> plan);
  void plan_again(std::vector<std::int32_t> freed);
  double loss_of_digits();
  bool take_pivots(const PivotSet& pivots);
  void give_pivots(PivotSet& pivots);
  void count_rank();
  std::span<const double> in_layout_order(std::span<const double> u);
  template <class Visit>
  void visit_joints(Visit&& visit) const;

  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<ComponentTree> tree_;
  std::size_t row_count_ = 0;
  std::size_t rank_ = 0;
  double tau_ = 1e-6;
  double smallest_ = 1.0;
  bool loses_digits_ = false;
  bool rows_in_order_ = false;         // those of the layout are those of the machine
  bool is_corrected_ = false;          // sweeps of this factorization are
  bool wanted_multipliers_ = false;    // the last sweep: the next one probably will
  ComponentTree::RightSide ahead_;     // of factor_ahead(); none: empty
  bool is_ahead_up_ = false;           // it went up with this factorization, and no other one since
  std::vector<double> row_scales_;     // by row, unless the rows of the layout are in order
  std::vector<std::int32_t> dropped_;  // rows
  std::vector<char> is_dropped_;       // by row of the layout
  PivotSet held_;                      // as given out last
  std::vector<char> listed_;
  PoseBlocks blocks_;
  std::vector<NodeFunctions> foreign_;
  std::vector<double> u_, lambda_;       // by row of the layout
  std::vector<double> forces_, motion_;  // six per body, loads on ports behind the forces
};

}  // namespace gelenk::solve
