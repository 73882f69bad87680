#include "gelenk/solve/component_solver.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gelenk/base/index.h"

namespace gelenk::solve {
namespace {

// Neighbors with very different masses cost digits, how many depends on how they are connected. A machine that loses
// more than this at the pose of planning has all its sweeps corrected.
constexpr double kLossOfDigits = 1e-13;
// Closing rows that are nearer to dependence than this lose as many digits, which a correction brings back.
constexpr double kNearSingular = 1e-3;
constexpr int kMostCorrections = 3;
constexpr double kGoodResidual = 1e-14;

// Numbers between -1 and 1 that are the same everywhere.
class FixedNumbers {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / static_cast<double>(std::uint64_t{1} << 52) - 1.0;
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace

ComponentSolver::ComponentSolver(std::shared_ptr<const Plan> plan) { start(std::move(plan)); }

void ComponentSolver::start(std::shared_ptr<const Plan> plan) {
  plan_ = std::move(plan);
  tree_ = std::make_unique<ComponentTree>(plan_);
  row_count_ = plan_->layout().row_numbers.size();
  rows_in_order_ = std::is_sorted(plan_->layout().row_numbers.begin(), plan_->layout().row_numbers.end());
  row_scales_.resize(rows_in_order_ ? 0 : row_count_);
  for (std::size_t i = 0; i < row_scales_.size(); ++i) {
    row_scales_[at(plan_->layout().row_numbers[i])] = plan_->row_scales()[i];
  }
  is_dropped_.assign(row_count_, 0);
  held_ = {};
  held_.rank = -1;  // no set is like it
  loses_digits_ = false;
  loses_digits_ = loss_of_digits() > kLossOfDigits;
  if (loses_digits_) return;
  // Most machines need none of the room that this took.
  for (std::vector<double>* numbers : {&u_, &lambda_, &more_u_, &more_lambda_, &more_f_, &more_a_}) {
    std::vector<double>().swap(*numbers);
  }
  tree_ = std::make_unique<ComponentTree>(plan_);
}

void ComponentSolver::make_room_for_corrections() {
  for (std::vector<double>* rows : {&u_, &lambda_, &more_u_, &more_lambda_}) rows->resize(row_count_);
  for (std::vector<double>* bodies : {&more_f_, &more_a_}) bodies->resize(6 * plan_->masses.size());
}

// What a correction changes in the accelerations of some load at the pose of planning.
double ComponentSolver::loss_of_digits() {
  make_room_for_corrections();
  blocks_ = {plan_->masses, plan_->values, {}, {}};
  tree_->load(plan_->masses, plan_->values.data());
  if (tree_->factor(plan_->tau).outcome != Elimination<double>::Outcome::good) return 0.0;
  FixedNumbers numbers;
  std::vector<double> f(more_f_.size());
  std::vector<double> any(f.size());
  for (std::size_t b = 0; b < plan_->masses.size(); ++b) {
    const BodyMass& m = plan_->masses[b];
    for (std::size_t i = 0; i < 6; ++i) f[6 * b + i] = numbers.next() * (i < 3 ? m.mass : 1.0 / m.mean_inverse_inertia);
    for (std::size_t i = 0; i < 6; ++i) any[6 * b + i] = numbers.next();
  }
  SweepReport report;
  std::fill(u_.begin(), u_.end(), 0.0);
  row_residual(u_, any, report);
  for (std::size_t i = 0; i < row_count_; ++i) u_[i] = -more_u_[i];
  std::vector<double> a(f.size());
  sweep(f, u_, a, true);
  force_residual(f, a);
  row_residual(u_, a, report);
  sweep(more_f_, more_u_, more_a_, false);
  double change = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    change = std::max(change, std::abs(more_a_[i]));
    size = std::max(size, std::abs(a[i]));
  }
  // Nothing was decided yet.
  tree_->visit_decisions([](const Program&, const Op&, std::span<std::int32_t>, auto& decision) { decision = {}; });
  return size > 0.0 ? change / size : 0.0;
}

template <class Visit>
void ComponentSolver::visit_joints(Visit&& visit) const {
  for (const JointRows& joint : plan_->layout().joints) {
    const double* const values = blocks_.joints.data() + joint.first_value;
    visit(joint, JointView<double>{&joint, values, false}, JointView<double>{&joint, values, true});
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
  start(make_plan(plan_->layout(), plan_->masses, plan_->values,
                  {plan_->tau, plan_->partition, std::move(freed), plan_->form}));
}

PivotChange ComponentSolver::factor(const PoseBlocks& blocks, double tau, PivotSet& pivots) {
  tau_ = std::max(tau, kSmallestRankTolerance);
  if (pivots.freed != plan_->freed) plan_again(pivots.freed);
  blocks_ = blocks;
  bool is_cached = true;
  if (pivots != held_) is_cached = take_pivots(pivots);
  const std::int32_t rank_before = is_cached && pivots.rank > 0 ? pivots.rank : -1;
  for (;;) {
    tree_->load(blocks.masses, blocks.joints.data());
    const ComponentTree::Report report = tree_->factor(tau_);
    if (report.outcome == Elimination<double>::Outcome::too_many_columns) continue;
    if (report.outcome == Elimination<double>::Outcome::joint_lost_rank) {
      std::vector<std::int32_t> freed = plan_->freed;
      freed.push_back(report.joint);
      std::sort(freed.begin(), freed.end());
      plan_again(std::move(freed));
      is_cached = false;
      blocks_ = blocks;
      continue;
    }
    smallest_ = report.smallest;
    is_corrected_ = loses_digits_ || smallest_ < kNearSingular;
    if (is_corrected_) make_room_for_corrections();
    is_cached = is_cached && report.chosen_again == 0;
    if (is_cached && pivots == held_) return PivotChange::none;
    give_pivots(pivots);
    held_ = pivots;
    dropped_ = pivots.dropped;
    count_rank();
    if (is_cached) return PivotChange::none;
    return rank_before >= 0 && rank_before != pivots.rank ? PivotChange::rank_changed : PivotChange::chosen_again;
  }
}

void ComponentSolver::sweep(std::span<const double> f, std::span<const double> u, std::span<double> a,
                            bool wants_multipliers) {
  if (wants_multipliers) lambda_.resize(row_count_);
  tree_->sweep(f, u, a, wants_multipliers ? std::span<double>(lambda_) : std::span<double>{});
}

std::span<const double> ComponentSolver::in_layout_order(std::span<const double> u) {
  if (rows_in_order_) return u;
  u_.resize(row_count_);
  for (std::size_t i = 0; i < row_count_; ++i) u_[i] = u[at(plan_->layout().row_numbers[i])];
  return u_;
}

// more_f_ := f - M a + Gᵀλ; its largest part against the forces at hand.
double ComponentSolver::force_residual(std::span<const double> f, std::span<const double> a) {
  std::copy(f.begin(), f.end(), more_f_.begin());
  visit_joints([&](const JointRows& joint, const JointView<double>& side_a, const JointView<double>& side_b) {
    const double* const lambda = &lambda_[at(joint.first_row)];
    if (joint.a >= 0) add_row_wrench(side_a, lambda, &more_f_[6 * at(joint.a)]);
    if (joint.b >= 0) add_row_wrench(side_b, lambda, &more_f_[6 * at(joint.b)]);
  });
  double largest = 0.0;
  double size = 0.0;
  for (std::size_t b = 0; b < plan_->masses.size(); ++b) {
    const BodyMass& m = blocks_.masses[b];
    double* const rest = &more_f_[6 * b];
    const double* const w = &a[6 * b + 3];
    double moment[3];
    multiply_symmetric3(m.inertia.data(), w, moment);
    const double scale[2] = {1.0 / std::sqrt(m.mass), std::sqrt(m.mean_inverse_inertia)};
    for (std::size_t i = 0; i < 6; ++i) {
      const double inertial = i < 3 ? m.mass * a[6 * b + i] : moment[i - 3];
      size = std::max(size, std::abs(inertial) * scale[i / 3]);
      rest[i] -= inertial;
      largest = std::max(largest, std::abs(rest[i]) * scale[i / 3]);
    }
  }
  return size > 0.0 ? largest / size : largest;
}

// more_u_ := u - G a on the accepted rows, zero on the dropped ones.
double ComponentSolver::row_residual(std::span<const double> u, std::span<const double> a, SweepReport& report) {
  std::copy(u.begin(), u.end(), more_u_.begin());
  report.residual = 0.0;
  report.dropped_residual = 0.0;
  report.worst_dropped = -1;
  visit_joints([&](const JointRows& joint, const JointView<double>& side_a, const JointView<double>& side_b) {
    product_.assign(joint.row_count(), 0.0);
    double* const out = product_.data();
    if (joint.a >= 0) add_row_products(side_a, &a[6 * at(joint.a)], out);
    if (joint.b >= 0) add_row_products(side_b, &a[6 * at(joint.b)], out);
    for (std::size_t i = 0; i < joint.row_count(); ++i) {
      const std::size_t row = at(joint.first_row) + i;
      const double rest = more_u_[row] - out[i];
      const double scaled = std::abs(plan_->row_scales()[row] * rest);
      if (is_dropped_[row] != 0) {
        more_u_[row] = 0.0;
        if (report.worst_dropped < 0 || scaled > report.dropped_residual) {
          report.dropped_residual = scaled;
          report.worst_dropped = plan_->layout().row_numbers[row];
        }
      } else {
        more_u_[row] = rest;
        report.residual = std::max(report.residual, scaled);
      }
    }
  });
  return report.residual;
}

SweepReport ComponentSolver::solve(std::span<const double> f, std::span<const double> by_number, std::span<double> a,
                                   std::span<double> lambda) {
  const std::span<const double> u = in_layout_order(by_number);
  sweep(f, u, a, is_corrected_ || !lambda.empty());
  SweepReport report;
  if (is_corrected_) {
    // The free motion of a joint fulfills its rows by itself: what rounding leaves is seen in the forces.
    double before = 0.0;
    for (; report.corrections < kMostCorrections; ++report.corrections) {
      const double now = std::max(force_residual(f, a), row_residual(u, a, report));
      if (!(now > kGoodResidual) || (report.corrections > 0 && !(now < 0.5 * before))) break;
      before = now;
      std::copy(lambda_.begin(), lambda_.end(), more_lambda_.begin());
      sweep(more_f_, more_u_, more_a_, true);
      for (std::size_t i = 0; i < a.size(); ++i) a[i] += more_a_[i];
      for (std::size_t i = 0; i < row_count_; ++i) lambda_[i] += more_lambda_[i];
    }
  }
  for (std::size_t i = 0; i < lambda.size(); ++i) lambda[at(plan_->layout().row_numbers[i])] = lambda_[i];
  return report;
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
  forces_.assign(6 * plan_->masses.size(), 0.0);
  motion_.resize(forces_.size());
  visit_joints([&](const JointRows& joint, const JointView<double>& side_a, const JointView<double>& side_b) {
    if (joint.a >= 0) add_row_wrench(side_a, &lambda[at(joint.first_row)], &forces_[6 * at(joint.a)]);
    if (joint.b >= 0) add_row_wrench(side_b, &lambda[at(joint.first_row)], &forces_[6 * at(joint.b)]);
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
  std::fill(gradient.begin(), gradient.end(), 0.0);
  const std::vector<std::int32_t>& numbers = plan_->layout().row_numbers;
  visit_joints([&](const JointRows& joint, const JointView<double>& side_a, const JointView<double>& side_b) {
    std::vector<double> product(joint.row_count(), 0.0);
    if (joint.a >= 0) add_row_products(side_a, &motion_[6 * at(joint.a)], product.data());
    if (joint.b >= 0) add_row_products(side_b, &motion_[6 * at(joint.b)], product.data());
    for (std::size_t i = 0; i < joint.row_count(); ++i) {
      const std::size_t row = at(joint.first_row) + i;
      const std::size_t j = at(numbers[row]);
      if (is_dropped_[row] != 0) gradient[j] = mu[j] - scales[j] * product[i];
    }
  });
}

}  // namespace gelenk::solve
