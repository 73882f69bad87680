#include "gelenk/integrate/stepper.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace gelenk::integrate {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

Stepper::Stepper(Problem& problem, const Tableau& tableau) : problem_(problem), tableau_(tableau) {
  problem_.reserve(kStates, tableau_.stages);
}

bool Stepper::evaluate(int state, int rate) {
  ++evaluations_;
  return problem_.evaluate(state, rate);
}

bool Stepper::begin(double time) {
  start_time_ = end_time_ = time;
  // At the slot that was projected last: the problem may still have its factorization.
  if (!evaluate(kCurrentState, 0)) return false;
  problem_.copy(kCurrentState, kStartState);
  return true;
}

bool Stepper::take(double end) {
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

double Stepper::norm(int to, std::span<const Term> terms) const {
  const Norm norm = problem_.error_norm(kStartState, to, terms);
  if (norm.count == 0) return 0.0;
  const double value = std::sqrt(norm.sum / static_cast<double>(norm.count));
  return std::isfinite(value) ? value : kInfinity;
}

double Stepper::error() const {
  return norm(kEndState, Terms(end_time_ - start_time_, tableau_.error, tableau_.stages).span());
}

void Stepper::interpolate(double time, int to) {
  const double h = end_time_ - start_time_;
  Tableau::Row weights{};
  for (int i = 0; i < tableau_.stages; ++i) {
    weights[static_cast<std::size_t>(i)] = tableau_.dense_weight(i, (time - start_time_) / h);
  }
  problem_.combine(kStartState, time, Terms(h, weights, tableau_.stages).span(), to);
}

double Stepper::rate_norm() const {
  const std::array<Term, 1> rate{{{1.0, 0}}};
  return norm(kStartState, rate);
}

double Stepper::rate_change_norm(double length) {
  const std::array<Term, 1> euler{{{length, 0}}};
  problem_.combine(kStartState, start_time_ + length, euler, kStageState);
  if (!evaluate(kStageState, 1)) return kInfinity;
  const std::array<Term, 2> change{{{1.0 / length, 1}, {-1.0 / length, 0}}};
  return norm(kStartState, change);
}

std::int64_t Stepper::take_evaluation_count() { return std::exchange(evaluations_, 0); }

}  // namespace gelenk::integrate
