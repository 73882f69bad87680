#include "gelenk/solve/coupled_solver.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/row_cholesky.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {
namespace {

// One correction brings back what rounding of J A left of the couplings.
constexpr int kPasses = 2;

PivotChange stronger(PivotChange one, PivotChange other) { return std::max(one, other); }

}  // namespace

CoupledSolver::CoupledSolver(std::unique_ptr<MotionSolver> joints, std::size_t body_count,
                             std::span<const RowBodies> rows, std::size_t coupling_count, CoupledComponents* others)
    : joints_(std::move(joints)),
      others_(others),
      motion_size_(6 * body_count),
      first_(joints_->row_count()),
      islands_(body_count, rows, coupling_count, others != nullptr),
      factor_(coupling_count),
      scales_(first_ + coupling_count, 0.0),
      force_(motion_size_, 0.0),
      zeros_(first_, 0.0),
      left_(coupling_count, 0.0),
      change_(coupling_count, 0.0),
      ordered_(coupling_count, 0.0),
      shaft_loads_(others == nullptr ? 0 : others->shaft_count(), 0.0),
      shaft_motions_(shaft_loads_.size(), 0.0),
      sum_(coupling_count, 0.0) {
  assert(rows.size() == first_);
}

// A set lists rows of the joints as the solver inside gave them, then those of the couplings; the last of its counts is
// theirs. A set from elsewhere may be anything.
void CoupledSolver::take_pivots(const PivotSet& pivots) {
  if (pivots.has_stamp_of(held_)) return;
  joint_pivots_ = PivotSet(pivots);
  std::vector<std::int32_t> own;
  const auto split = [&](std::vector<std::int32_t>& rows) {
    for (const std::int32_t row : rows) {
      if (at(row) >= first_) own.push_back(row - static_cast<std::int32_t>(first_));
    }
    std::erase_if(rows, [&](std::int32_t row) { return at(row) >= first_; });
    return own.size();
  };
  const std::size_t accepted = split(joint_pivots_.accepted);
  is_chosen_ = split(joint_pivots_.dropped) == count() && !joint_pivots_.counts.empty() &&
               joint_pivots_.counts.size() == joint_pivots_.weakest.size();
  std::vector<std::int32_t> sorted = own;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) is_chosen_ = is_chosen_ && at(sorted[i]) == i;
  if (!is_chosen_) {
    own.resize(count());
    std::iota(own.begin(), own.end(), 0);
    factor_.put_order(own, 0);
    return;
  }
  factor_.put_order(own, accepted);
  smallest_when_chosen_ = joint_pivots_.weakest.back();
  joint_pivots_.counts.pop_back();
  joint_pivots_.weakest.pop_back();
  joint_pivots_.rank -= static_cast<std::int32_t>(accepted);
}

void CoupledSolver::give_pivots(PivotSet& pivots) {
  pivots = PivotSet(joint_pivots_);
  for (std::size_t i = 0; i < count(); ++i) {
    (i < factor_.rank() ? pivots.accepted : pivots.dropped)
        .push_back(factor_.order()[i] + static_cast<std::int32_t>(first_));
  }
  pivots.counts.push_back(static_cast<std::int32_t>(factor_.rank()));
  pivots.weakest.push_back(smallest_when_chosen_);
  pivots.smallest = std::min(pivots.smallest, smallest_when_chosen_);
  pivots.rank += static_cast<std::int32_t>(factor_.rank());
  pivots.put_new_stamp();
  held_ = pivots;
}

// s = (J D Jᵀ)^(-1/2) with D = diag(1/m, 1/mean inertia) of the bodies and of the shafts alone, as rows of joints are
// scaled. A row that moves nothing gets s = 0.
void CoupledSolver::scale_rows() {
  std::copy_n(joints_->row_scales().begin(), first_, scales_.begin());
  std::vector<double>& sums = change_;
  std::fill(sums.begin(), sums.end(), 0.0);
  for (const CouplingBlock& block : blocks_.couplings) {
    const std::size_t b = at(block.body);
    const double mass = takes_joints() ? 1.0 / blocks_.masses[b].mass : blocks_.inverse_masses[b].inverse_mass;
    const double inertia =
        takes_joints() ? blocks_.masses[b].mean_inverse_inertia : blocks_.inverse_masses[b].mean_inverse_inertia;
    const std::array<double, 6>& J = block.values;
    sums[at(block.row)] +=
        mass * (J[0] * J[0] + J[1] * J[1] + J[2] * J[2]) + inertia * (J[3] * J[3] + J[4] * J[4] + J[5] * J[5]);
  }
  if (others_ != nullptr) others_->shaft_mobilities(shaft_motions_);
  for (const CouplingShaft& one : blocks_.shafts) {
    sums[at(one.row)] += one.factor * one.factor * shaft_motions_[at(one.shaft)];
  }
  for (std::size_t k = 0; k < count(); ++k) scales_[first_ + k] = sums[k] > 0.0 ? 1.0 / std::sqrt(sums[k]) : 0.0;
}

// Of couplings, on shafts: Jᵀμ.
void CoupledSolver::put_shaft_loads(std::span<const double> mu) {
  std::fill(shaft_loads_.begin(), shaft_loads_.end(), 0.0);
  for (const CouplingShaft& one : blocks_.shafts) shaft_loads_[at(one.shaft)] += one.factor * mu[at(one.row)];
  others_->put_shaft_loads(shaft_loads_);
}

// Sweeps that come next are not of couplings.
void CoupledSolver::release_shafts() {
  std::fill(shaft_loads_.begin(), shaft_loads_.end(), 0.0);
  others_->put_shaft_loads(shaft_loads_);
}

// A and Λ: the solver inside with each group of couplings as loads. Beside components from elsewhere each is a group.
void CoupledSolver::respond() {
  if (others_ != nullptr) others_->clear_right_sides();
  for (std::size_t g = 0; g < islands_.group_count; ++g) {
    if (others_ != nullptr) {
      for (std::size_t k = 0; k < count(); ++k) left_[k] = islands_.group[k] == g ? 1.0 : 0.0;
      put_shaft_loads(left_);
    }
    std::fill(force_.begin(), force_.end(), 0.0);
    for (const CouplingBlock& block : blocks_.couplings) {
      if (islands_.group[at(block.row)] != g) continue;
      for (std::size_t i = 0; i < 6; ++i) force_[6 * at(block.body) + i] += block.values[i];
    }
    const std::span<double> response = std::span(responses_).subspan(g * stride(), stride());
    joints_->solve(force_, zeros_, response.first(motion_size_), std::span(reactions_).subspan(g * first_, first_));
    if (others_ != nullptr) others_->shaft_motions(response.subspan(motion_size_));
  }
  if (others_ != nullptr) release_shafts();
}

// What a unit of another coupling does along a block: that one shares the island of its body.
double CoupledSolver::product(const CouplingBlock& block, std::size_t other) const {
  const double* const moved = &response_to(other)[6 * at(block.body)];
  double sum = 0.0;
  for (std::size_t i = 0; i < 6; ++i) sum += block.values[i] * moved[i];
  return sum;
}

void CoupledSolver::fill_products() {
  factor_.clear();
  const auto add = [&](std::size_t k, std::size_t l, double value) {
    factor_.add(k, l, scales_[first_ + k] * value * scales_[first_ + l]);
  };
  for (const CouplingBlock& block : blocks_.couplings) {
    for (const std::int32_t l : islands_.couplings[at(islands_.island_of_body[at(block.body)])]) {
      add(at(block.row), at(l), product(block, at(l)));
    }
  }
  for (const CouplingShaft& one : blocks_.shafts) {
    for (std::size_t l = 0; l < count(); ++l) {
      add(at(one.row), l, one.factor * response_to(l)[motion_size_ + at(one.shaft)]);
    }
  }
}

PivotChange CoupledSolver::factor_couplings(const RankRule& rule) {
  if (!is_laid_out_) {
    islands_.put_couplings(blocks_.couplings);
    factor_.put_pattern(islands_.neighbors);
    responses_.assign(islands_.group_count * stride(), 0.0);
    reactions_.assign(islands_.group_count * first_, 0.0);
    is_laid_out_ = true;
  }
  respond();
  scale_rows();
  fill_products();
  // Squares of distances: below this they are rounding.
  const RankRule here(std::max(rule.tolerance, smallest_mobility_tolerance(1.0)), rule.decides || !is_chosen_);
  PivotChange change = PivotChange::none;
  if (!is_chosen_ || !factor_.factor_with(here, smallest_when_chosen_)) {
    const std::ptrdiff_t before = is_chosen_ ? static_cast<std::ptrdiff_t>(factor_.rank()) : -1;
    factor_.choose(here.tolerance, here.most_rows(before));
    change = before >= 0 && std::cmp_not_equal(before, factor_.rank()) ? PivotChange::rank_changed
                                                                       : PivotChange::chosen_again;
    factor_.factor_with(kTheseRows, 0.0);
    smallest_when_chosen_ = factor_.smallest();
    is_chosen_ = true;
  }
  smallest_ = factor_.rank() > 0 ? factor_.smallest() : 1.0;
  return change;
}

PivotChange CoupledSolver::factor(const PoseBlocks& blocks, const RankRule& rule, PivotSet& pivots) {
  blocks_ = blocks;
  take_pivots(pivots);
  const bool is_held = pivots.has_stamp_of(held_);
  const PivotChange of_joints = joints_->factor(blocks, rule, joint_pivots_);
  const PivotChange change = stronger(of_joints, factor_couplings(rule));
  if (!is_held || change != PivotChange::none) give_pivots(pivots);
  return change;
}

PivotChange CoupledSolver::refresh(const PoseBlocks& blocks, PivotSet& pivots) {
  blocks_ = blocks;
  take_pivots(pivots);
  const bool is_held = pivots.has_stamp_of(held_);
  const PivotChange of_joints = joints_->refresh(blocks, joint_pivots_);
  const PivotChange change = stronger(of_joints, factor_couplings(kTheseRows));
  if (!is_held || change != PivotChange::none) give_pivots(pivots);
  return change;
}

double CoupledSolver::smallest_pivot() const { return std::min(joints_->smallest_pivot(), smallest_ * smallest_); }

// rates -= J a
void CoupledSolver::subtract_rates(std::span<const double> a, std::span<const double> shafts,
                                   std::span<double> rates) const {
  for (const CouplingBlock& block : blocks_.couplings) {
    const double* const motion = &a[6 * at(block.body)];
    double sum = 0.0;
    for (std::size_t i = 0; i < 6; ++i) sum += block.values[i] * motion[i];
    rates[at(block.row)] -= sum;
  }
  for (const CouplingShaft& one : blocks_.shafts) rates[at(one.row)] -= one.factor * shafts[at(one.shaft)];
}

// x := (J A)⁻¹ x on the accepted couplings, zero on the others.
void CoupledSolver::solve_couplings(std::span<double> x) {
  const std::span<const std::int32_t> accepted = factor_.order().first(factor_.rank());
  for (std::size_t i = 0; i < accepted.size(); ++i)
    ordered_[i] = scales_[first_ + at(accepted[i])] * x[at(accepted[i])];
  factor_.solve(ordered_);
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t i = 0; i < accepted.size(); ++i)
    x[at(accepted[i])] = scales_[first_ + at(accepted[i])] * ordered_[i];
}

// a += A μ, λ += Λ μ
void CoupledSolver::add_responses(std::span<const double> mu, std::span<double> a, std::span<double> lambda) {
  for (std::size_t k = 0; k < count(); ++k) {
    if (mu[k] == 0.0) continue;
    const double* const motion = response_to(k).data();
    const double* const reactions = reactions_.data() + islands_.group[k] * first_;
    for (const std::int32_t island : islands_.islands[k]) {
      for (const std::int32_t b : islands_.bodies[at(island)]) {
        for (std::size_t i = 6 * at(b); i < 6 * at(b) + 6; ++i) a[i] += mu[k] * motion[i];
      }
      if (lambda.empty()) continue;
      for (const std::int32_t j : islands_.rows[at(island)]) lambda[at(j)] += mu[k] * reactions[at(j)];
    }
    for (std::size_t i = 0; i < shaft_motions_.size(); ++i) shaft_motions_[i] += mu[k] * motion[motion_size_ + i];
    if (!lambda.empty()) lambda[first_ + k] += mu[k];
  }
}

// a and λ of the joints alone become those of all.
SweepReport CoupledSolver::couple(SweepReport report, std::span<const double> w, std::span<double> a,
                                  std::span<double> lambda) {
  if (!lambda.empty()) std::fill(lambda.begin() + static_cast<std::ptrdiff_t>(first_), lambda.end(), 0.0);
  for (int pass = 0; pass < kPasses; ++pass) {
    find_gaps(w, a);
    solve_couplings(left_);
    add_responses(left_, a, lambda);
  }
  find_gaps(w, a);
  report_gaps(report);
  return report;
}

// left_ := w - J a
void CoupledSolver::find_gaps(std::span<const double> w, std::span<const double> a) {
  std::copy(w.begin(), w.end(), left_.begin());
  subtract_rates(a, shaft_motions_, left_);
}

void CoupledSolver::report_gaps(SweepReport& report) const {
  for (std::size_t i = 0; i < count(); ++i) {
    const std::size_t k = at(factor_.order()[i]);
    const double open = scales_[first_ + k] * std::abs(left_[k]);
    if (i < factor_.rank()) {
      report.residual = std::max(report.residual, open);
    } else if (open >= report.dropped_residual) {
      report.dropped_residual = open;
      report.worst_dropped = static_cast<std::int32_t>(first_ + k);
    }
  }
}

// μ as in couple(); then all of f + Jᵀμ at once, so that components from elsewhere end with the loads that they have.
SweepReport CoupledSolver::solve_beside_others(std::span<const double> f, std::span<const double> u,
                                               std::span<double> a, std::span<double> lambda,
                                               std::span<const double> port_biases) {
  const std::span<const double> w = u.subspan(first_);
  const std::span<double> of_joints = lambda.empty() ? lambda : lambda.first(first_);
  joints_->solve(f, u.first(first_), a, {}, port_biases);
  others_->shaft_motions(shaft_motions_);
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (int pass = 0; pass < kPasses; ++pass) {
    find_gaps(w, a);
    solve_couplings(left_);
    add_responses(left_, a, {});
    for (std::size_t k = 0; k < count(); ++k) sum_[k] += left_[k];
  }
  force_.assign(f.begin(), f.end());
  for (const CouplingBlock& block : blocks_.couplings) {
    for (std::size_t i = 0; i < 6; ++i) force_[6 * at(block.body) + i] += sum_[at(block.row)] * block.values[i];
  }
  put_shaft_loads(sum_);
  SweepReport report = joints_->solve(force_, u.first(first_), a, of_joints, port_biases);
  others_->shaft_motions(shaft_motions_);
  release_shafts();
  force_.resize(motion_size_);
  if (!lambda.empty()) std::copy(sum_.begin(), sum_.end(), lambda.begin() + static_cast<std::ptrdiff_t>(first_));
  find_gaps(w, a);
  report_gaps(report);
  return report;
}

SweepReport CoupledSolver::solve(std::span<const double> f, std::span<const double> u, std::span<double> a,
                                 std::span<double> lambda, std::span<const double> port_biases) {
  if (others_ != nullptr) return solve_beside_others(f, u, a, lambda, port_biases);
  const SweepReport report =
      joints_->solve(f, u.first(first_), a, lambda.empty() ? lambda : lambda.first(first_), port_biases);
  return couple(report, u.subspan(first_), a, lambda);
}

SweepReport CoupledSolver::project(std::span<const double> r, std::span<const double> u, std::span<double> a,
                                   std::span<double> lambda) {
  if (others_ != nullptr) {  // M r, of solvers that take joints: others know no masses
    force_.assign(r.begin(), r.end());
    for (std::size_t b = 0; 6 * b < motion_size_; ++b) {
      const BodyMass& m = blocks_.masses[b];
      for (std::size_t i = 0; i < 3; ++i) force_[6 * b + i] *= m.mass;
      multiply_symmetric3(m.inertia.data(), &r[6 * b + 3], &force_[6 * b + 3]);
    }
    const std::vector<double> forces = force_;
    return solve_beside_others(forces, u, a, lambda, {});
  }
  const SweepReport report = joints_->project(r, u.first(first_), a, lambda.empty() ? lambda : lambda.first(first_));
  return couple(report, u.subspan(first_), a, lambda);
}

// Forces of the joints' rows among themselves first: P Gᵀ = 0, so what the couplings add does not disturb them.
void CoupledSolver::complete_redundancy(std::span<double> mu) {
  joints_->complete_redundancy(mu.first(first_));
  std::fill(left_.begin(), left_.end(), 0.0);
  for (std::size_t k = 0; k < count(); ++k) change_[k] = scales_[first_ + k] * mu[first_ + k];
  for (const CouplingBlock& block : blocks_.couplings) {
    for (const std::int32_t l : islands_.couplings[at(islands_.island_of_body[at(block.body)])]) {
      left_[at(block.row)] -= product(block, at(l)) * change_[at(l)];
    }
  }
  for (const CouplingShaft& one : blocks_.shafts) {
    for (std::size_t l = 0; l < count(); ++l) {
      left_[at(one.row)] -= one.factor * response_to(l)[motion_size_ + at(one.shaft)] * change_[l];
    }
  }
  solve_couplings(left_);
  for (std::size_t k = 0; k < count(); ++k) {
    const double total = change_[k] + left_[k];
    if (scales_[first_ + k] > 0.0) mu[first_ + k] = total / scales_[first_ + k];
    for (const std::int32_t island : islands_.islands[k]) {
      for (const std::int32_t j : islands_.rows[at(island)]) {
        if (scales_[at(j)] > 0.0) mu[at(j)] += total * reactions_[islands_.group[k] * first_ + at(j)] / scales_[at(j)];
      }
    }
  }
}

void CoupledSolver::redundancy_gradient(std::span<const double> mu, std::span<double> gradient) {
  joints_->redundancy_gradient(mu.first(first_), gradient.first(first_));
  std::fill(gradient.begin() + static_cast<std::ptrdiff_t>(first_), gradient.end(), 0.0);
  if (factor_.rank() == count()) return;
  std::vector<double> u(row_count(), 0.0);
  for (std::size_t j = 0; j < u.size(); ++j) u[j] = scales_[j] > 0.0 ? mu[j] / scales_[j] : 0.0;
  const std::vector<double> zeros(motion_size_, 0.0);
  std::vector<double> motion(motion_size_, 0.0);
  solve(zeros, u, motion, {}, {});
  std::fill(left_.begin(), left_.end(), 0.0);
  subtract_rates(motion, shaft_motions_, left_);
  for (std::size_t i = factor_.rank(); i < count(); ++i) {
    const std::size_t k = at(factor_.order()[i]);
    gradient[first_ + k] = mu[first_ + k] + scales_[first_ + k] * left_[k];
  }
}

}  // namespace gelenk::solve
