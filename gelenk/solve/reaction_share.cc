#include <algorithm>
#include <cmath>

#include "gelenk/solve/flat_solver.h"
#include "gelenk/solve/motion_solver.h"
#include "gelenk/solve/row_factor.h"

// Forces that hold each other in balance, and what is made of them: docs/theory/elimination.md (6.7) to (6.9), in
// scaled multipliers μ = S⁻¹λ.
namespace gelenk::solve {
namespace {

// Least squares by conjugate gradients: at most |J| steps in exact arithmetic, far fewer when loops do not interact.
constexpr int kMostSteps = 400;
constexpr double kGoodGradient = 1e-13;
constexpr double kVisible = 1e-14;
constexpr int kMostRises = 3;
// A row that takes part in forces in balance by less than this part of the largest of them is not touched by them:
// above what rounding leaves of a zero in N_II⁻¹ N_IJ, and far below what geometry makes (arms of a thousandth).
constexpr double kNoShare = 1e-7;
// Forces of all_balanced_forces(): sizes from 1/2 to 1 by the golden ratio, so that no two of them are in a simple
// ratio.
constexpr double kGoldenRatio = 0.6180339887498949;

// Solves with N_II lose digits by its condition; one correction brings them back.
int solves_needed(double smallest_pivot) { return smallest_pivot > 1e-3 ? 1 : 2; }

double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

// Completes μ_J (accepted rows zero) to μ = Z μ_J.
void FlatSolver::complete_redundancy(std::span<double> mu) {
  for (int pass = 0; pass < solves_needed(smallest_pivot()); ++pass) {
    system_.respond(mu, residual_);
    factor_->solve(residual_);
    for (const std::int32_t row : pivots_.accepted) {
      mu[static_cast<std::size_t>(row)] += residual_[static_cast<std::size_t>(row)];
    }
  }
}

// gradient_J := (Zᵀ μ)_J = μ_J - N_JI N_II⁻¹ μ_I, accepted rows zero.
void FlatSolver::redundancy_gradient(std::span<const double> mu, std::span<double> gradient) {
  std::copy(mu.begin(), mu.end(), residual_.begin());
  std::fill(multiplier_.begin(), multiplier_.end(), 0.0);
  for (int pass = 0; pass < solves_needed(smallest_pivot()); ++pass) {
    factor_->solve(residual_);
    for (std::size_t j = 0; j < mu.size(); ++j) multiplier_[j] += residual_[j];
    system_.respond(multiplier_, residual_);
    for (std::size_t j = 0; j < mu.size(); ++j) residual_[j] += mu[j];
  }
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (const std::int32_t row : pivots_.dropped) {
    const auto j = static_cast<std::size_t>(row);
    gradient[j] = residual_[j];
  }
}

void MotionSolver::share(std::span<double> lambda, std::span<const double> compliance) {
  if (dropped_rows().empty()) return;
  const std::span<const double> scales = row_scales();
  for (std::vector<double>* rows : {&shared_, &direction_, &step_, &gradient_, &weighted_}) rows->resize(row_count());
  for (std::size_t j = 0; j < row_count(); ++j) shared_[j] = scales[j] > 0.0 ? lambda[j] / scales[j] : 0.0;
  // weighted_ := W μ with W_j = c_j s_j², and μᵀ W μ.
  const auto weigh = [&](const std::vector<double>& mu) {
    double sum = 0.0;
    for (std::size_t j = 0; j < row_count(); ++j) {
      weighted_[j] = compliance.empty() ? mu[j] : compliance[j] * scales[j] * scales[j] * mu[j];
      sum += mu[j] * weighted_[j];
    }
    return sum;
  };

  // CGLS for min |μ - Z w| in the norm of W: the iterate itself is the residual of the least-squares problem.
  const double size = weigh(shared_);
  const double weighted_size = dot(weighted_, weighted_);
  redundancy_gradient(weighted_, gradient_);
  std::copy(gradient_.begin(), gradient_.end(), direction_.begin());
  double slope = dot(gradient_, gradient_);
  double least_slope = slope;
  int rises = 0;
  for (int k = 0; k < kMostSteps && slope > kGoodGradient * kGoodGradient * weighted_size; ++k) {
    std::copy(direction_.begin(), direction_.end(), step_.begin());
    complete_redundancy(step_);
    // The least of |μ| on this line, whatever rounding did to the direction: |μ| never grows.
    const double length = dot(direction_, gradient_) / weigh(step_);
    for (std::size_t j = 0; j < row_count(); ++j) shared_[j] -= length * step_[j];
    weigh(shared_);
    redundancy_gradient(weighted_, gradient_);
    const double next_slope = dot(gradient_, gradient_);
    // The gradient may rise on the way; where steps are too short to be seen in |μ|², it is rounding if it goes on.
    const bool is_visible = length * slope > kVisible * size;
    rises = next_slope < least_slope || is_visible ? 0 : rises + 1;
    least_slope = std::min(least_slope, next_slope);
    if (rises == kMostRises || !std::isfinite(next_slope)) break;
    for (std::size_t j = 0; j < row_count(); ++j) direction_[j] = gradient_[j] + next_slope / slope * direction_[j];
    slope = next_slope;
  }

  // What the shares changed in Gᵀλ by rounding is taken back.
  for (std::size_t j = 0; j < row_count(); ++j) {
    step_[j] = scales[j] > 0.0 ? shared_[j] - lambda[j] / scales[j] : 0.0;
  }
  complete_redundancy(step_);
  for (std::size_t j = 0; j < row_count(); ++j) {
    if (scales[j] > 0.0) lambda[j] += scales[j] * step_[j];
  }
}

void MotionSolver::clear_rounding(std::span<double> mu) const {
  double largest = 0.0;
  for (const double value : mu) largest = std::max(largest, std::abs(value));
  const double least = std::max(kNoShare, rank_tolerance()) * largest;
  for (double& value : mu) value = std::abs(value) > least ? value : 0.0;
}

void MotionSolver::balanced_forces(std::int32_t dropped_row, std::span<double> mu) {
  std::fill(mu.begin(), mu.end(), 0.0);
  mu[static_cast<std::size_t>(dropped_row)] = 1.0;
  complete_redundancy(mu);
  clear_rounding(mu);
}

void MotionSolver::all_balanced_forces(std::span<double> mu) {
  std::fill(mu.begin(), mu.end(), 0.0);
  double place = 0.0;
  for (const std::int32_t row : dropped_rows()) {
    place += kGoldenRatio;
    if (place >= 1.0) place -= 1.0;
    mu[static_cast<std::size_t>(row)] = 0.5 + 0.5 * place;
  }
  complete_redundancy(mu);
  clear_rounding(mu);
}

void MotionSolver::determinate_rows(std::vector<char>& is_determinate) {
  step_.resize(row_count());
  all_balanced_forces(step_);
  is_determinate.assign(row_count(), 1);
  for (std::size_t j = 0; j < row_count(); ++j) is_determinate[j] = step_[j] == 0.0 ? 1 : 0;
}

}  // namespace gelenk::solve
