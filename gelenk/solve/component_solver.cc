#include "gelenk/solve/component_solver.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gelenk/base/index.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {
namespace {

// Neighbors with very different masses cost digits, how many depends on how they are connected. A machine that loses
// more than this at the pose of planning has all its sweeps corrected.
constexpr double kLossOfDigits = 1e-13;
constexpr std::int32_t kTestLoads = 3;
// Closing rows that are nearer to dependence than this lose as many digits, which a correction brings back.
constexpr double kNearSingular = 1e-3;
constexpr int kMostCorrections = 3;
constexpr double kGoodResidual = 1e-14;

}  // namespace

ComponentSolver::ComponentSolver(std::shared_ptr<const Plan> plan, std::span<const NodeFunctions> foreign)
    : foreign_(foreign.begin(), foreign.end()) {
  start(std::move(plan));
}

void ComponentSolver::start(std::shared_ptr<const Plan> plan) {
  plan_ = std::move(plan);
  tree_ = std::make_unique<ComponentTree>(plan_, foreign_);
  row_count_ = plan_->layout().row_numbers.size();
  rows_in_order_ = std::is_sorted(plan_->layout().row_numbers.begin(), plan_->layout().row_numbers.end());
  row_scales_.resize(rows_in_order_ ? 0 : row_count_);
  for (std::size_t i = 0; i < row_scales_.size(); ++i) {
    row_scales_[at(plan_->layout().row_numbers[i])] = plan_->row_scales()[i];
  }
  is_dropped_.assign(row_count_, 0);
  held_ = {};
  held_.rank = -1;  // no set is like it
  // An owner outside the machine finds that out himself.
  const bool is_led = !plan_->nodes.back().ports.empty();
  loses_digits_ = !is_led && loss_of_digits() > kLossOfDigits;
}

// What a correction changes in the accelerations of some loads at the pose of planning. A single one may happen to lose
// much less than others.
double ComponentSolver::loss_of_digits() {
  tree_->load(plan_->masses, plan_->values.data(), plan_->port_arms);
  double loss = 0.0;
  if (!tree_->factor(plan_->tau).needs_other_program) {
    for (std::int32_t which = 0; which < kTestLoads; ++which) {
      tree_->make_test_load(which);
      tree_->sweep(NodeLoad::given);
      tree_->residual();
      tree_->sweep(NodeLoad::rest);
      const NodeResidual result = tree_->residual();
      if (result.motion > 0.0) loss = std::max(loss, result.change / result.motion);
    }
  }
  // Nothing was decided yet, and most machines need none of the room that this took.
  for (const NodeFunctions& foreign : foreign_) foreign.forget(foreign.self);
  tree_ = std::make_unique<ComponentTree>(plan_, foreign_);
  return loss;
}

template <class Visit>
void ComponentSolver::visit_joints(Visit&& visit) const {
  for (const JointRows& joint : plan_->layout().joints) {
    const double* const values = blocks_.joints.data() + joint.first_value;
    visit(joint, JointView{&joint, values, false}, JointView{&joint, values, true});
  }
}

// Rows of each decision: accepted ones in their order, then dropped ones. A set from elsewhere may be anything.
bool ComponentSolver::take_pivots(const PivotSet& pivots) {
  std::size_t number = 0;
  std::size_t accepted = 0;
  std::size_t dropped = 0;
  bool is_good = pivots.counts.size() == pivots.weakest.size();
  tree_->visit_decisions([&](const Program& program, const Op& op, std::span<std::int32_t> order, auto& decision) {
    decision = {};
    const std::size_t index = number++;
    if (!is_good || index >= pivots.counts.size()) {
      is_good = false;
      return;
    }
    const std::int32_t count = pivots.counts[index];
    is_good = count >= 0 && count <= op.row_count && accepted + at(count) <= pivots.accepted.size() &&
              dropped + at(op.row_count - count) <= pivots.dropped.size();
    if (!is_good) return;
    const auto local = [&](std::int32_t row) {
      std::int32_t first = 0;
      for (const Closing& closing : program.closing_of(op)) {
        const std::span<const std::int32_t> rows = program.layout.rows_of(program.layout.joints[at(closing.joint)]);
        const auto found = std::find(rows.begin(), rows.end(), row);
        if (found != rows.end()) return first + static_cast<std::int32_t>(found - rows.begin());
        first += static_cast<std::int32_t>(rows.size());
      }
      return kNone;
    };
    listed_.assign(order.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::int32_t place = local(i < at(count) ? pivots.accepted[accepted++] : pivots.dropped[dropped++]);
      is_good = is_good && place != kNone && listed_[at(place)]++ == 0;
      order[i] = place;
    }
    if (is_good) {
      decision = {count, pivots.weakest[index]};
    } else {
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
    }
  });
  return is_good && number == pivots.counts.size();
}

void ComponentSolver::give_pivots(PivotSet& pivots) {
  pivots.accepted.clear();
  pivots.dropped.clear();
  pivots.counts.clear();
  pivots.weakest.clear();
  pivots.freed = plan_->freed;
  pivots.smallest = 1.0;
  tree_->visit_decisions([&](const Program& program, const Op& op, std::span<std::int32_t> order, auto& decision) {
    pivots.counts.push_back(decision.accepted);
    pivots.weakest.push_back(decision.smallest);
    pivots.smallest = std::min(pivots.smallest, decision.smallest);
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::int32_t local = order[i];
      for (const Closing& closing : program.closing_of(op)) {
        const std::span<const std::int32_t> rows = program.layout.rows_of(program.layout.joints[at(closing.joint)]);
        if (at(local) < rows.size()) {
          (i < at(decision.accepted) ? pivots.accepted : pivots.dropped).push_back(rows[at(local)]);
          break;
        }
        local -= static_cast<std::int32_t>(rows.size());
      }
    }
  });
  for (const NodePlan& node : plan_->nodes) {
    for (const std::int32_t joint : node.program.idle) {
      const JointRowLayout& layout = node.program.layout;
      for (const std::int32_t row : layout.rows_of(layout.joints[at(joint)])) pivots.dropped.push_back(row);
    }
  }
  pivots.rank = static_cast<std::int32_t>(row_count_ - pivots.dropped.size());
  pivots.put_new_stamp();
}

void ComponentSolver::count_rank() {
  rank_ = row_count_ - dropped_.size();
  std::fill(is_dropped_.begin(), is_dropped_.end(), char{0});
  if (dropped_.empty()) return;
  std::vector<char> by_row(row_count_, 0);
  for (const std::int32_t row : dropped_) by_row[at(row)] = 1;
  for (std::size_t i = 0; i < row_count_; ++i) is_dropped_[i] = by_row[at(plan_->layout().row_numbers[i])];
}

void ComponentSolver::plan_again(std::vector<std::int32_t> freed) {
  start(make_plan(
      plan_->layout(), plan_->masses, plan_->values,
      {plan_->tau, plan_->partition, std::move(freed), plan_->form, plan_->port_arms, plan_->foreign, plan_->borders}));
}

PivotChange ComponentSolver::factor(const PoseBlocks& blocks, const RankRule& rule, PivotSet& pivots) {
  ahead_ = {};
  return factor_tree(blocks, rule, pivots);
}

PivotChange ComponentSolver::factor_ahead(const PoseBlocks& blocks, const RankRule& rule, PivotSet& pivots,
                                          std::span<const double> f, std::span<const double> u,
                                          std::span<const double> port_biases) {
  ahead_ = {f, u, port_biases};
  return factor_tree(blocks, rule, pivots);
}

PivotChange ComponentSolver::factor_tree(const PoseBlocks& blocks, const RankRule& rule, PivotSet& pivots) {
  tau_ = used_tolerance(rule.tolerance);
  const RankRule here(tau_, rule.decides);
  if (pivots.freed != plan_->freed) plan_again(pivots.freed);
  blocks_ = blocks;
  const bool is_held = pivots == held_;
  bool is_cached = is_held || take_pivots(pivots);
  const std::int32_t rank_before = is_cached && pivots.rank > 0 ? pivots.rank : -1;
  for (;;) {
    tree_->load(blocks.masses, blocks.joints.data(), blocks.port_arms);
    is_ahead_up_ = !ahead_.f.empty() && (plan_->is_whole() || plan_->is_anchored()) && rows_in_order_;
    const NodeReport report =
        is_ahead_up_ ? tree_->factor_and_sweep_up(here, ahead_, !wanted_multipliers_) : tree_->factor(here);
    if (report.needs_other_program) {
      std::vector<std::int32_t> freed = plan_->freed;
      freed.push_back(tree_->lost_joint());
      std::sort(freed.begin(), freed.end());
      plan_again(std::move(freed));
      is_cached = false;
      blocks_ = blocks;
      continue;
    }
    smallest_ = report.smallest;
    is_corrected_ = loses_digits_ || smallest_ < kNearSingular;
    is_cached = is_cached && report.chosen_again == 0;
    if (is_cached && is_held) return PivotChange::none;
    give_pivots(pivots);
    held_ = pivots;
    dropped_ = pivots.dropped;
    count_rank();
    if (is_cached) return PivotChange::none;
    return rank_before >= 0 && rank_before != pivots.rank ? PivotChange::rank_changed : PivotChange::chosen_again;
  }
}

std::span<const double> ComponentSolver::in_layout_order(std::span<const double> u) {
  if (rows_in_order_) return u;
  u_.resize(row_count_);
  for (std::size_t i = 0; i < row_count_; ++i) u_[i] = u[at(plan_->layout().row_numbers[i])];
  return u_;
}

SweepReport ComponentSolver::solve(std::span<const double> f, std::span<const double> u, std::span<double> a,
                                   std::span<double> lambda, std::span<const double> port_biases) {
  return sweep({f, in_layout_order(u), port_biases}, false, a, lambda);
}

SweepReport ComponentSolver::solve_ahead(std::span<double> a, std::span<double> lambda,
                                         std::span<const double> port_biases) {
  return sweep({ahead_.f, in_layout_order(ahead_.u), port_biases}, is_ahead_up_, a, lambda);
}

SweepReport ComponentSolver::sweep(const ComponentTree::RightSide& right_side, bool is_up, std::span<double> a,
                                   std::span<double> lambda) {
  is_ahead_up_ = false;
  const bool wants_multipliers = is_corrected_ || !lambda.empty();
  if (wants_multipliers) lambda_.resize(row_count_);
  wanted_multipliers_ = wants_multipliers;
  const std::span<double> multipliers = wants_multipliers ? std::span<double>(lambda_) : std::span<double>{};
  SweepReport report;
  if (!is_corrected_) {
    if (is_up) {
      tree_->sweep_down(a, multipliers);
    } else {
      tree_->sweep(right_side, a, multipliers);
    }
  } else {
    tree_->set_right_side(right_side, a, multipliers);
    tree_->sweep(NodeLoad::given);
    // The free motion of a joint fulfills its rows by itself: what rounding leaves is seen in the forces.
    double before = 0.0;
    for (; report.corrections < kMostCorrections; ++report.corrections) {
      const NodeResidual left = tree_->residual();
      report.residual = left.rows;
      report.dropped_residual = left.dropped;
      report.worst_dropped = left.worst_dropped;
      const double forces = left.inertial_forces > 0.0 ? left.forces / left.inertial_forces : left.forces;
      const double now = std::max(forces, left.rows);
      if (!(now > kGoodResidual) || (report.corrections > 0 && !(now < 0.5 * before))) break;
      before = now;
      tree_->sweep(NodeLoad::rest);
    }
    tree_->collect();
  }
  for (std::size_t i = 0; i < lambda.size(); ++i) lambda[at(plan_->layout().row_numbers[i])] = lambda_[i];
  return report;
}

void ComponentSolver::set_right_side(std::span<const double> f, std::span<const double> u,
                                     std::span<const double> port_biases) {
  lambda_.resize(row_count_);
  motion_.resize(6 * plan_->masses.size());
  tree_->set_right_side({f, in_layout_order(u), port_biases}, motion_, lambda_);
}

void ComponentSolver::factor_planned(double tau) {
  PivotSet pivots;
  pivots.freed = plan_->freed;
  factor({plan_->masses, plan_->values, {}, {}, plan_->port_arms}, tau, pivots);
}

void ComponentSolver::forget() {
  const NodeFunctions root = functions();
  root.forget(root.self);
  held_ = {};
  held_.rank = -1;  // no set is like it
}

void ComponentSolver::take_result(std::span<double> a, std::span<double> lambda) {
  tree_->collect();
  std::copy(motion_.begin(), motion_.end(), a.begin());
  for (std::size_t i = 0; i < lambda.size(); ++i) lambda[at(plan_->layout().row_numbers[i])] = lambda_[i];
}

SweepReport ComponentSolver::project(std::span<const double> r, std::span<const double> u, std::span<double> a,
                                     std::span<double> lambda) {
  forces_.resize(r.size());
  for (std::size_t b = 0; b < plan_->masses.size(); ++b) {
    const BodyMass& m = blocks_.masses[b];
    for (std::size_t i = 0; i < 3; ++i) forces_[6 * b + i] = m.mass * r[6 * b + i];
    multiply_symmetric3(m.inertia.data(), &r[6 * b + 3], &forces_[6 * b + 3]);
  }
  return solve(forces_, u, a, lambda);
}

// The wrenches of μ as loads: the accepted rows answer with what holds them in balance.
void ComponentSolver::complete_redundancy(std::span<double> mu) {
  const std::vector<std::int32_t>& numbers = plan_->layout().row_numbers;
  std::vector<double> lambda(row_count_);
  for (std::size_t i = 0; i < row_count_; ++i) lambda[i] = plan_->row_scales()[i] * mu[at(numbers[i])];
  forces_.assign(6 * plan_->masses.size() + plan_->port_size(), 0.0);
  motion_.resize(6 * plan_->masses.size());
  visit_joints([&](const JointRows& joint, const JointView& side_a, const JointView& side_b) {
    const double* const of_joint = &lambda[at(joint.first_row)];
    if (joint.a >= 0) add_row_wrench(side_a, of_joint, &forces_[tree_->place_of_load(joint.a)]);
    if (joint.b >= 0) add_row_wrench(side_b, of_joint, &forces_[tree_->place_of_load(joint.b)]);
  });
  std::vector<double> zero(row_count_, 0.0);
  std::vector<double> answer(row_count_, 0.0);
  solve(forces_, zero, motion_, answer);
  const std::span<const double> scales = row_scales();
  for (std::size_t j = 0; j < row_count_; ++j) {
    if (scales[j] > 0.0) mu[j] += answer[j] / scales[j];
  }
}

void ComponentSolver::redundancy_gradient(std::span<const double> mu, std::span<double> gradient) {
  const std::span<const double> scales = row_scales();
  std::vector<double> u(row_count_);
  for (std::size_t j = 0; j < row_count_; ++j) u[j] = scales[j] > 0.0 ? mu[j] / scales[j] : 0.0;
  forces_.assign(6 * plan_->masses.size(), 0.0);
  motion_.resize(forces_.size());
  solve(forces_, u, motion_, {});
  const auto motion_of = [&](std::int32_t end) {
    const std::size_t place = 6 * at(end);
    return place < motion_.size() ? &motion_[place] : &tree_->port_motions()[place - motion_.size()];
  };
  std::fill(gradient.begin(), gradient.end(), 0.0);
  const std::vector<std::int32_t>& numbers = plan_->layout().row_numbers;
  visit_joints([&](const JointRows& joint, const JointView& side_a, const JointView& side_b) {
    std::vector<double> product(joint.row_count(), 0.0);
    if (joint.a >= 0) add_row_products(side_a, motion_of(joint.a), product.data());
    if (joint.b >= 0) add_row_products(side_b, motion_of(joint.b), product.data());
    for (std::size_t i = 0; i < joint.row_count(); ++i) {
      const std::size_t row = at(joint.first_row) + i;
      const std::size_t j = at(numbers[row]);
      if (is_dropped_[row] != 0) gradient[j] = mu[j] - scales[j] * product[i];
    }
  });
}

}  // namespace gelenk::solve
