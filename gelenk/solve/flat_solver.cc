#include "gelenk/solve/flat_solver.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/solve/dense_factor.h"
#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/row_factor.h"
#include "gelenk/solve/sparse_factor.h"
#include "gelenk/solve/sparse_plan.h"

namespace gelenk::solve {
namespace {

constexpr int kMostFlatCorrections = 4;
// Error of the accelerations to aim at, as a part of the right side; and the residual that is rounding whatever
// happens.
constexpr double kGoodMotion = 1e-13;
constexpr double kRounding = 1e-15;

// Largest absolute value; not a number if one of them is none.
double larger(double largest, double value) {
  const double size = std::abs(value);
  return size > largest || std::isnan(size) ? size : largest;
}

}  // namespace

FlatSolver::FlatSolver(std::size_t body_count, std::vector<RowBodies> rows, FlatOptions options)
    : system_(body_count, std::move(rows)),
      residual_(system_.row_count()),
      multiplier_(system_.row_count()),
      motion_(6 * body_count),
      is_listed_(system_.row_count()) {
  is_sparse_ = options.storage == Storage::sparse ||
               (options.storage == Storage::automatic && system_.row_count() > options.largest_dense);
  if (is_sparse_) {
    factor_ = std::make_unique<SparseFactor>(system_, make_sparse_plan(system_));
  } else {
    factor_ = std::make_unique<DenseFactor>(system_.row_count());
  }
}

FlatSolver::~FlatSolver() = default;
FlatSolver::FlatSolver(FlatSolver&&) noexcept = default;
FlatSolver& FlatSolver::operator=(FlatSolver&&) noexcept = default;

double FlatSolver::smallest_pivot() const { return factor_->smallest_pivot(); }
std::size_t FlatSolver::factor_size() const { return factor_->size(); }

double FlatSolver::least_factor_size(std::size_t body_count, std::span<const RowBodies> rows) {
  std::vector<double> counts(body_count, 0.0);
  for (const RowBodies& row : rows) {
    if (row.a >= 0) ++counts[at(row.a)];
    if (row.b >= 0 && row.b != row.a) ++counts[at(row.b)];
  }
  const double most = counts.empty() ? 0.0 : *std::max_element(counts.begin(), counts.end());
  return 0.5 * most * (most + 1.0);
}

// A set from elsewhere (a file, another model) may be anything: every row must occur once.
bool FlatSolver::is_complete(const PivotSet& pivots) {
  if (pivots.accepted.size() + pivots.dropped.size() != row_count()) return false;
  std::fill(is_listed_.begin(), is_listed_.end(), char{0});
  const auto is_new = [this](std::int32_t row) {
    if (row < 0 || at(row) >= row_count() || is_listed_[at(row)] != 0) return false;
    is_listed_[at(row)] = 1;
    return true;
  };
  return std::all_of(pivots.accepted.begin(), pivots.accepted.end(), is_new) &&
         std::all_of(pivots.dropped.begin(), pivots.dropped.end(), is_new);
}

PivotChange FlatSolver::factor(std::span<const BodyInverseMass> bodies, std::span<const RowBlock> rows,
                               const RankRule& rule, PivotSet& pivots) {
  tau_ = std::max(rule.tolerance, kSmallestRankTolerance);
  system_.load(bodies, rows);
  system_.rescale();
  PivotChange change = PivotChange::none;
  const bool is_cached = is_complete(pivots);
  const RankRule here(tau_, rule.decides || !is_cached);
  const RowFactor::Kept kept = is_cached ? factor_->factor_with(system_, here, pivots) : RowFactor::Kept::row_restored;
  if (kept != RowFactor::Kept::good) {
    const std::size_t rank_before = pivots.accepted.size();
    // Next to a singular pose rounding makes redundant rows seem independent: only what was seen to be may be more.
    factor_->choose(system_, {tau_, kept == RowFactor::Kept::row_restored}, pivots);
    // As from the cache, so that a restart from saved pivots gives the same bits.
    factor_->factor_with(system_, here, pivots);
    pivots.smallest = factor_->smallest_pivot();
    pivots.rank = static_cast<std::int32_t>(pivots.accepted.size());
    pivots.put_new_stamp();
    change = is_cached && pivots.accepted.size() != rank_before ? PivotChange::rank_changed : PivotChange::chosen_again;
  }
  pivots_ = pivots;
  return change;
}

void FlatSolver::set_blocks(std::span<const BodyInverseMass> bodies, std::span<const RowBlock> rows) {
  system_.load(bodies, rows);
}

// The factors stay, and corrections make up for the pose, as long as it moved by much less than the smallest pivot:
// where masses differ by many powers of ten no projection does, and the pose is factored again.
PivotChange FlatSolver::refresh(const PoseBlocks& blocks, PivotSet& pivots) {
  constexpr double kCarried = 1e-6;
  if (factor_->smallest_pivot() < kCarried) return factor(blocks, {tau_, false}, pivots);
  set_blocks(blocks.inverse_masses, blocks.rows);
  return PivotChange::none;
}

SweepReport FlatSolver::solve(std::span<const double> f, std::span<const double> u, std::span<double> a,
                              std::span<double> lambda, std::span<const double> /*port_biases*/) {
  free_motion_.resize(f.size());
  system_.move(f, free_motion_);
  return project(free_motion_, u, a, lambda);
}

SweepReport FlatSolver::project(std::span<const double> r, std::span<const double> u, std::span<double> a,
                                std::span<double> lambda) {
  if (!lambda.empty() || u.empty()) return sweep(r, u, a, lambda);
  unasked_.resize(u.size());
  return sweep(r, u, a, unasked_);
}

double FlatSolver::accepted_residual() const {
  double largest = 0.0;
  for (const std::int32_t row : pivots_.accepted) largest = larger(largest, residual_[at(row)]);
  return largest;
}

SweepReport FlatSolver::sweep(std::span<const double> r, std::span<const double> u, std::span<double> a,
                              std::span<double> lambda) {
  assert(r.size() == motion_.size() && a.size() == r.size());
  assert(u.size() == residual_.size() && lambda.size() == u.size());
  // A residual e leaves an error of up to e/√d in the motion, d the smallest pivot.
  const double root = std::sqrt(std::clamp(factor_->smallest_pivot(), 0.0, 1.0));
  const double good = std::max(kGoodMotion * root, kRounding) * system_.right_side(u, r, residual_);
  const std::span<const double> scales = system_.scales();
  std::copy(residual_.begin(), residual_.end(), multiplier_.begin());
  factor_->solve(multiplier_);
  if (a.data() != r.data()) std::copy(r.begin(), r.end(), a.begin());
  system_.add_motion(multiplier_, a);
  for (std::size_t j = 0; j < lambda.size(); ++j) lambda[j] = scales[j] * multiplier_[j];
  system_.scaled_residual(u, a, residual_);

  SweepReport report;
  report.residual = accepted_residual();
  while (report.corrections < kMostFlatCorrections && report.residual > good) {
    std::copy(residual_.begin(), residual_.end(), multiplier_.begin());
    factor_->solve(multiplier_);
    std::copy(a.begin(), a.end(), motion_.begin());
    system_.add_motion(multiplier_, motion_);
    system_.scaled_residual(u, motion_, residual_);
    const double residual = accepted_residual();
    // A correction that does not correct is not taken.
    if (!(residual < report.residual)) break;
    std::copy(motion_.begin(), motion_.end(), a.begin());
    for (std::size_t j = 0; j < lambda.size(); ++j) lambda[j] += scales[j] * multiplier_[j];
    report.residual = residual;
    ++report.corrections;
  }
  if (!pivots_.dropped.empty()) watch_dropped(u, a, report);
  return report;
}

// residual_ may belong to a correction that was not taken.
void FlatSolver::watch_dropped(std::span<const double> u, std::span<const double> a, SweepReport& report) {
  system_.scaled_residual(u, a, residual_);
  for (const std::int32_t row : pivots_.dropped) {
    const double largest = larger(report.dropped_residual, residual_[at(row)]);
    if (report.worst_dropped < 0 || largest != report.dropped_residual) report.worst_dropped = row;
    report.dropped_residual = largest;
  }
}

}  // namespace gelenk::solve
