#include "gelenk/integrate/nordsieck.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"

namespace gelenk::integrate {
namespace {

// Corrections by inserting are made at least twice. With one only, e is wrong by a share that changes from step to step
// with the number of corrections, and differences of e, which choose the order, are noise.
constexpr int kMinInsertions = 2;
constexpr int kMaxCorrections = 3;
// What the iteration leaves may be this share of the error that is allowed.
constexpr double kIterationShare = 0.1;
constexpr double kDivergence = 2.0;
constexpr double kConvergenceMemory = 0.3;
// Newton's matrix is kept over changes of the gain up to this share, and so many steps.
constexpr double kGainChange = 0.3;
constexpr int kFactorAge = 20;

// A step that a limit cuts to less than this share of the one before leaves no trace in the history: the next one
// starts from the same base. Two nodes close together would turn the tolerance of the iteration into a wild slope.
constexpr double kShortestKept = 0.2;

// A linear combination that is filled term by term.
class Sum {
 public:
  void add(double coefficient, int rate) {
    if (coefficient != 0.0) terms_[size_++] = {coefficient, rate};
  }
  std::span<const Term> span() const { return {terms_.data(), size_}; }

 private:
  std::array<Term, kMaxMultistepOrder + 3> terms_;
  std::size_t size_ = 0;
};

double binomial(int n, int k) {
  double value = 1.0;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

}  // namespace

Nordsieck::Nordsieck(Problem& problem, Multistep method, double tolerance, int max_order)
    : Stepper(problem), method_(method), tolerance_(tolerance) {
  const int most = is_implicit() ? kMaxBdfOrder : kMaxAdamsOrder;
  max_order_ = max_order > 0 ? std::min(max_order, most) : most;
  problem_.reserve(kStates, probe_slot() + 1, Chart::linear);
}

bool Nordsieck::begin(double time) {
  start_time_ = end_time_ = time;
  failed_tests_ = 0;
  is_shortened_ = false;
  problem_.copy(kCurrentState, kStartState);
  if (!has_history_) return start_at(kCurrentState, time);
  if (was_kept_) problem_.copy(kCurrentState, kBaseState);
  change_order();
  return true;
}

// Order 1 needs no more than the rate.
bool Nordsieck::start_at(int state, double time) {
  forget();
  problem_.copy(state, kBaseState);
  base_time_ = time;
  problem_.combine_rates({}, correction(kept_));
  has_history_ = evaluate(kBaseState, power(kept_, 1));
  return has_history_;
}

// Of the nodes of a step of that length from the base,
Distances Nordsieck::distances(double length) const {
  Distances xi{0.0, 1.0};
  for (int i = 2; i <= kMaxNodes; ++i) xi[at(i)] = xi[at(i - 1)] + lengths_[at(i - 2)] / length;
  return xi;
}

// and of the step that ended there.
Distances Nordsieck::distances_at_base() const {
  Distances xi{};
  for (int i = 1; i <= kMaxNodes; ++i) xi[at(i)] = xi[at(i - 1)] + lengths_[at(i - 1)] / lengths_[0];
  return xi;
}

// The history is that of the step that ended at the base.
void Nordsieck::change_order() {
  if (next_order_ == order_) return;
  const bool raised = next_order_ > order_;
  const Distances xi = distances_at_base();
  const Powers change = raised ? raising_polynomial(method_, order_, xi) : lowering_polynomial(method_, order_, xi);
  const int source = raised ? correction(kept_) : power(kept_, order_);
  for (int j = 1; j <= next_order_; ++j) {
    Sum sum;
    if (j <= order_) sum.add(1.0, power(kept_, j));
    sum.add(change[at(j)], source);
    problem_.combine_rates(sum.span(), power(kept_, j));
  }
  order_ = next_order_;
}

bool Nordsieck::take(double end) {
  if (!has_history_) return false;  // to start anew has failed
  end_time_ = end;
  length_ = end - base_time_;
  const Distances xi = distances(length_);
  lambda_ = correction_polynomial(method_, order_, xi);
  error_scale_ = error_per_correction(method_, order_, xi);
  tried_derivative_scale_ = derivative_per_correction(method_, order_, xi);
  gain_ = length_ / lambda_[1];
  scaling_[0] = 1.0;
  for (int j = 1; j <= order_; ++j) scaling_[at(j)] = scaling_[at(j - 1)] * length_ / scale_;
  if (!solve()) return false;
  correct_history();
  dense_set_ = tried();
  dense_order_ = order_;
  return true;
}

// π at the end, and e where there is one.
void Nordsieck::put_end_state(bool corrected) {
  Sum sum;
  for (int j = 1; j <= order_; ++j) sum.add(scaling_[at(j)], power(kept_, j));
  if (corrected) sum.add(1.0, correction(tried()));
  problem_.combine(kBaseState, end_time_, sum.span(), kEndState);
}

bool Nordsieck::solve() {
  if (!is_implicit()) {
    convergence_ = 1.0;
    return iterate() == Iteration::converged;
  }
  const bool is_fresh = must_factor();
  if (is_fresh && !factor()) return false;
  const Iteration first = iterate();
  if (first != Iteration::diverged || is_fresh) return first == Iteration::converged;
  return factor() && iterate() == Iteration::converged;
}

bool Nordsieck::must_factor() const {
  return !has_factors_ || factor_age_ >= kFactorAge || std::abs(gain_ / factor_gain_ - 1.0) > kGainChange;
}

bool Nordsieck::factor() {
  put_end_state(false);
  problem_.copy(kEndState, kFactorState);
  factor_gain_ = gain_;
  factor_age_ = 0;
  convergence_ = 1.0;
  ++effort_.newton_factorizations;
  return make_factors();
}

// All that they depend on is remembered: made again, they are the same.
bool Nordsieck::make_factors() {
  has_factors_ = problem_.implicit()->factor_newton(kFactorState, factor_gain_);
  return has_factors_;
}

// Solves e = γ f(y) - π'/Λ', y = π + e, with the slopes by x at the end of the step.
Nordsieck::Iteration Nordsieck::iterate() {
  const int e = correction(tried());
  // Where factors of another gain are used, this comes closest for all eigenvalues of the left half plane together.
  const double relaxation = is_implicit() ? 2.0 / (1.0 + gain_ / factor_gain_) : 1.0;
  double last_change = 0.0;
  for (int m = 0; m < kMaxCorrections; ++m) {
    put_end_state(m > 0);
    if (!evaluate(kEndState, rate_slot())) return m == 0 ? Iteration::no_rate : Iteration::diverged;
    Sum residual;
    residual.add(gain_, rate_slot());
    for (int j = 1; j <= order_; ++j) residual.add(-j * scaling_[at(j)] / lambda_[1], power(kept_, j));
    if (m > 0) residual.add(-1.0, e);
    problem_.combine_rates(residual.span(), rate_slot());
    if (is_implicit()) {
      ++effort_.newton_iterations;
      problem_.implicit()->solve_newton(rate_slot(), rate_slot());
    }
    const std::array<Term, 1> change_term{{{relaxation, rate_slot()}}};
    const double change = norm(kStartState, kEndState, change_term);
    Sum corrected;
    if (m > 0) corrected.add(1.0, e);
    corrected.add(relaxation, rate_slot());
    problem_.combine_rates(corrected.span(), e);
    if (m > 0) convergence_ = std::max(kConvergenceMemory * convergence_, change / last_change);
    const bool is_enough = is_implicit() || m + 1 >= kMinInsertions;
    if (is_enough && change * std::min(1.0, convergence_) * error_scale_ <= kIterationShare) {
      put_end_state(true);
      return Iteration::converged;
    }
    if (!std::isfinite(change) || (m > 0 && change > kDivergence * last_change)) break;
    last_change = change;
  }
  return Iteration::diverged;
}

// p = π + e Λ around the new end: Pascal's triangle moves π there.
void Nordsieck::correct_history() {
  for (int j = 1; j <= order_; ++j) {
    Sum sum;
    for (int k = j; k <= order_; ++k) sum.add(binomial(k, j) * scaling_[at(k)], power(kept_, k));
    sum.add(lambda_[at(j)], correction(tried()));
    problem_.combine_rates(sum.span(), power(tried(), j));
  }
}

double Nordsieck::error() {
  const std::array<Term, 1> e{{{error_scale_, correction(tried())}}};
  return norm(kStartState, kEndState, e);
}

void Nordsieck::interpolate(double time, int to) {
  const double x = (time - end_time_) / length_;
  Sum sum;
  double x_to_j = 1.0;
  for (int j = 1; j <= dense_order_; ++j) sum.add(x_to_j *= x, power(dense_set_, j));
  problem_.combine(kEndState, time, sum.span(), to);
}

void Nordsieck::accept() {
  was_kept_ = is_shortened_ || length_ >= kShortestKept * lengths_[0];
  if (!was_kept_) return;
  kept_ = tried();
  base_time_ = end_time_;
  scale_ = length_;
  std::shift_right(lengths_.begin(), lengths_.end(), 1);
  lengths_[0] = length_;
  previous_derivative_scale_ = derivative_scale_;
  derivative_scale_ = tried_derivative_scale_;
  if (wait_ > 0) --wait_;
  ++factor_age_;
}

}  // namespace gelenk::integrate
