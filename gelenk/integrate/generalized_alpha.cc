#include "gelenk/integrate/generalized_alpha.h"

#include <array>

namespace gelenk::integrate {
namespace {

// Share of a step for the difference quotient of the accelerations at the start.
constexpr double kProbeShare = 1e-3;
// The start is smooth for the step when the accelerations change by less than this part of themselves.
constexpr double kSmoothStart = 0.5;

}  // namespace

GeneralizedAlpha::GeneralizedAlpha(Problem& problem, double spectral_radius)
    : Stepper(problem), implicit_(*problem.implicit()) {
  // Chung and Hulbert, J. Appl. Mech. 60, 1993: second order, and the least damping of slow motions for the given
  // damping of fast ones.
  alpha_m_ = (2.0 * spectral_radius - 1.0) / (spectral_radius + 1.0);
  alpha_f_ = spectral_radius / (spectral_radius + 1.0);
  gamma_ = 0.5 + alpha_f_ - alpha_m_;
  beta_ = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
  problem_.reserve(kFirstOwnState + 1, kRates, Chart::exponential);
}

bool GeneralizedAlpha::begin(double time) {
  start_time_ = end_time_ = time;
  // Velocities were projected since the end of the last step, for all who look at them. The method goes on with its
  // own, which are off the constraints by O(h²): a step that starts from others would answer with multipliers off by
  // O(h).
  if (!evaluate(kCurrentState, kStartRate)) return false;
  problem_.copy(kCurrentState, kStartState);
  const std::array<Term, 1> rate{{{1.0, has_history_ ? kEndRate : kStartRate}}};
  problem_.combine_rates(rate, kKeptRate);
  if (has_history_) {
    const std::array<Term, 1> average{{{1.0, kEndAverage}}};
    problem_.combine_rates(average, kStartAverage);
  }
  average_length_ = 0.0;
  return true;
}

// A₀ = v̇ at t + (αₘ-α_f) h by a difference quotient, where the motion is smooth enough for one. Where stiff forces are
// not yet in balance, their rate says nothing about the average over a step, and A₀ = v̇₀.
bool GeneralizedAlpha::start_average(double length) {
  const double probe = kProbeShare * length;
  const std::array<Term, 1> euler{{{probe, kStartRate}}};
  problem_.combine(kStartState, start_time_ + probe, euler, kOwnState);
  if (!evaluate(kOwnState, kProbeRate)) return false;
  const std::array<Term, 2> change{{{1.0 / kProbeShare, kProbeRate}, {-1.0 / kProbeShare, kStartRate}}};
  const std::array<Term, 1> rate{{{1.0, kStartRate}}};
  const double size = norm(kStartState, kStartState, rate);
  const bool is_smooth = norm(kStartState, kStartState, change) <= kSmoothStart * size;
  const double shift = is_smooth ? (alpha_m_ - alpha_f_) / kProbeShare : 0.0;
  const std::array<Term, 2> average{{{1.0 - shift, kStartRate}, {shift, kProbeRate}}};
  problem_.combine_rates(average, kStartAverage);
  return true;
}

bool GeneralizedAlpha::take(double end) {
  end_time_ = end;
  const double h = end - start_time_;
  if (!has_history_ && average_length_ != h) {
    if (!start_average(h)) return false;
    average_length_ = h;
  }
  // A₁ = new_share v̇₁ + kept_share v̇₀ - average_share A₀
  const double new_share = (1.0 - alpha_f_) / (1.0 - alpha_m_);
  const double kept_share = alpha_f_ / (1.0 - alpha_m_);
  const double average_share = alpha_m_ / (1.0 - alpha_m_);
  const std::array<StageTerm, 3> known{{
      {.rate = kStartRate, .lowered = -1.0},
      {.rate = kStartAverage,
       .velocity = h * (1.0 - gamma_ - gamma_ * average_share),
       .shifted = h * h * (0.5 - beta_ - beta_ * average_share)},
      {.rate = kKeptRate,
       .position = h,
       .velocity = h * gamma_ * kept_share,
       .shifted = h * h * beta_ * kept_share,
       .lowered = 1.0},
  }};
  const std::array<Term, 1> guess{{{1.0, kKeptRate}}};
  problem_.combine_rates(guess, kEndRate);
  const int iterations = implicit_.solve_stage({.from = kStartState,
                                                .to = kEndState,
                                                .time = end,
                                                .known = known,
                                                .position_gain = h * h * beta_ * new_share,
                                                .velocity_gain = h * gamma_ * new_share,
                                                .rate = kEndRate});
  effort_.newton_iterations += iterations;
  if (iterations == 0) return false;
  const std::array<Term, 3> average{{{new_share, kEndRate}, {kept_share, kKeptRate}, {-average_share, kStartAverage}}};
  problem_.combine_rates(average, kEndAverage);
  return true;
}

// The cubic through both ends with their velocities, in the tangent space of the start.
void GeneralizedAlpha::interpolate(double time, int to) {
  const double h = end_time_ - start_time_;
  const double x = (time - start_time_) / h;
  const double ends = x * x * (3.0 - 2.0 * x), velocity = x * x * (x - 1.0);
  const double ends_rate = 6.0 * x * (1.0 - x), velocity_rate = x * (3.0 * x - 2.0);
  const std::array<StageTerm, 4> terms{{
      {.rate = kStartRate, .lowered = -1.0},
      {.rate = kKeptRate, .position = h * x, .lowered = 1.0},
      {.rate = kStartAverage,
       .velocity = h * ((0.5 - beta_) * ends_rate + (1.0 - gamma_) * velocity_rate),
       .shifted = h * h * ((0.5 - beta_) * ends + (1.0 - gamma_) * velocity)},
      {.rate = kEndAverage,
       .velocity = h * (beta_ * ends_rate + gamma_ * velocity_rate),
       .shifted = h * h * (beta_ * ends + gamma_ * velocity)},
  }};
  implicit_.combine_stage(kStartState, time, terms, to);
}

void GeneralizedAlpha::accept() { has_history_ = true; }

bool GeneralizedAlpha::restart() {
  has_history_ = false;
  return false;
}

void GeneralizedAlpha::save(ByteWriter& out) const {
  out.put(has_history_);
  if (!has_history_) return;
  problem_.save_rate(kEndRate, out);
  problem_.save_rate(kEndAverage, out);
}

void GeneralizedAlpha::load(ByteReader& in) {
  in.get(has_history_);
  if (!has_history_) return;
  problem_.load_rate(kEndRate, in);
  problem_.load_rate(kEndAverage, in);
}

}  // namespace gelenk::integrate
