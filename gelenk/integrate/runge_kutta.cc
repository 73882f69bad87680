#include "gelenk/integrate/runge_kutta.h"

#include <algorithm>
#include <array>
#include <limits>

#include "gelenk/integrate/step_control.h"

namespace gelenk::integrate {
namespace {

// Σ weightᵢ·scale·kᵢ without its zeros.
class Terms {
 public:
  Terms(double scale, const Tableau::Row& weights, int count) {
    for (int i = 0; i < count; ++i) {
      const double weight = weights[static_cast<std::size_t>(i)];
      if (weight != 0.0) terms_[size_++] = {scale * weight, i};
    }
  }
  std::span<const Term> span() const { return {terms_.data(), size_}; }

 private:
  std::array<Term, Tableau::kMaxStages> terms_;
  std::size_t size_ = 0;
};

}  // namespace

RungeKutta::RungeKutta(Problem& problem, const Tableau& tableau, double tolerance)
    : Stepper(problem), tableau_(tableau), tolerance_(tolerance) {
  problem_.reserve(kStates, tableau_.stages, Chart::exponential);
}

bool RungeKutta::begin(double time) {
  start_time_ = end_time_ = time;
  // At the slot that was projected last: the problem may still have its factorization.
  if (!evaluate(kCurrentState, 0)) return false;
  problem_.copy(kCurrentState, kStartState);
  return true;
}

bool RungeKutta::take(double end) {
  end_time_ = end;
  const double h = end - start_time_;
  const int last = tableau_.stages - 1;
  for (int i = 1; i <= last; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double time = tableau_.c[row] == 1.0 ? end : start_time_ + tableau_.c[row] * h;
    const int state = tableau_.last_stage_is_end && i == last ? kEndState : kStageState;
    problem_.combine(kStartState, time, Terms(h, tableau_.a[row], i).span(), state);
    if (!evaluate(state, i)) return false;
  }
  if (!tableau_.last_stage_is_end) {
    problem_.combine(kStartState, end, Terms(h, tableau_.b, tableau_.stages).span(), kEndState);
  }
  return true;
}

double RungeKutta::error() {
  return norm(kStartState, kEndState, Terms(end_time_ - start_time_, tableau_.error, tableau_.stages).span());
}

void RungeKutta::interpolate(double time, int to) {
  const double h = end_time_ - start_time_;
  Tableau::Row weights{};
  for (int i = 0; i < tableau_.stages; ++i) {
    weights[static_cast<std::size_t>(i)] = tableau_.dense_weight(i, (time - start_time_) / h);
  }
  problem_.combine(kStartState, time, Terms(h, weights, tableau_.stages).span(), to);
}

bool RungeKutta::restart() {
  previous_error_ = 0.0;
  return false;
}

// Weighted norm of the rate at the start (1/s).
double RungeKutta::rate_norm() {
  const std::array<Term, 1> rate{{{1.0, 0}}};
  return norm(kStartState, kStartState, rate);
}

// Norm of the change of the rate over an Euler step, divided by its length (1/s²); infinity: its end has no rate.
double RungeKutta::rate_change_norm(double length) {
  const std::array<Term, 1> euler{{{length, 0}}};
  problem_.combine(kStartState, start_time_ + length, euler, kStageState);
  if (!evaluate(kStageState, 1)) return std::numeric_limits<double>::infinity();
  const std::array<Term, 2> change{{{1.0 / length, 1}, {-1.0 / length, 0}}};
  return norm(kStartState, kStartState, change);
}

double RungeKutta::first_step(double longest) {
  const double rate = rate_norm();
  const double probe = std::min(first_probe(rate, tolerance_), longest);
  return first_step_length(probe, rate, rate_change_norm(probe), tableau_.error_order);
}

double RungeKutta::next_step(double length, double error) {
  const double factor = factor_after_success(error, previous_error_, tableau_.error_order);
  previous_error_ = error;
  return length * factor;
}

double RungeKutta::shorter_step(double length, double error) {
  return length * factor_after_rejection(error, tableau_.error_order);
}

// A state that cannot be evaluated may be a single one: a little shorter, the stages fall elsewhere.
double RungeKutta::shorter_step_after_failure(double length, int before) {
  constexpr double kALittleShorter = 0.85;
  constexpr int kMostLittle = 2;
  return (before < kMostLittle ? kALittleShorter : kFactorAfterFailure) * length;
}

}  // namespace gelenk::integrate
