#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "gelenk/integrate/nordsieck.h"
#include "gelenk/integrate/step_control.h"

// Lengths and orders of multistep methods, and what they remember.
namespace gelenk::integrate {
namespace {

// Errors are raised by these factors before lengths follow from them: the next step is likely to be good, and the
// errors of many steps add up. The largest one is against changes of order that gain nothing.
constexpr double kLowerBias = 20.0;
constexpr double kSameBias = 20.0;
constexpr double kHigherBias = 30.0;
// A length is kept when the change would be between these factors.
constexpr double kWorthwhile = 1.2;
constexpr double kMinShrinkage = 0.9;
constexpr double kFirstGrowth = 1e4;  // the first step of all is a guess on the safe side
constexpr double kMaxStepGrowth = 10.0;
constexpr double kMaxStepShrinkage = 0.2;
constexpr int kFailedTestsToStartAnew = 3;
constexpr int kShortWait = 2;

// Of few digits, so that the rounding of the error, which is a small difference, does not reach the times of the steps:
// the same motion in other coordinates has the same steps.
double step_factor(double error, int order) {
  constexpr int kBits = 6;
  int exponent = 0;
  const double mantissa = std::frexp(1.0 / (std::pow(error, 1.0 / (order + 1)) + 1e-6), &exponent);
  return std::ldexp(std::floor(std::ldexp(mantissa, kBits)), exponent - kBits);
}

// A damaged byte may have any value, a bool may not.
bool get_flag(ByteReader& in) { return in.get<std::uint8_t>() != 0; }

}  // namespace

void Nordsieck::forget() {
  has_history_ = has_factors_ = false;
  was_kept_ = true;
  order_ = next_order_ = 1;
  scale_ = 1.0;
  lengths_.fill(0.0);
  wait_ = kShortWait;
  growth_limit_ = kFirstGrowth;
}

bool Nordsieck::restart() {
  forget();
  return true;
}

double Nordsieck::first_step(double longest) {
  const std::array<Term, 1> rate_term{{{1.0, power(kept_, 1)}}};
  const double rate = norm(kStartState, kStartState, rate_term);
  const double probe = std::min(first_probe(rate, tolerance_), longest);
  const std::array<Term, 1> euler{{{probe, power(kept_, 1)}}};
  problem_.combine(kStartState, start_time_ + probe, euler, kEndState);
  double change = std::numeric_limits<double>::infinity();
  if (evaluate(kEndState, probe_slot())) {
    const std::array<Term, 2> change_terms{{{1.0 / probe, probe_slot()}, {-1.0 / probe, power(kept_, 1)}}};
    change = norm(kStartState, kStartState, change_terms);
  }
  return first_step_length(probe, rate, change, 1);
}

double Nordsieck::next_step(double length, double error) {
  if (!was_kept_) return length;
  const double limit = std::exchange(growth_limit_, kMaxStepGrowth);
  if (limit <= 1.0) {
    wait_ = std::max(wait_, kShortWait);
    return length;
  }
  const double factor = choose_order(error);
  if (factor < kWorthwhile && factor > kMinShrinkage) {
    next_order_ = order_;
    return length;
  }
  if (next_order_ != order_) wait_ = next_order_ + 1;
  return length_ * std::min(factor, limit);
}

// The order that allows the longest step -> next_order_; gives the factor of the length.
double Nordsieck::choose_order(double error) {
  const double same = step_factor(kSameBias * error, order_);
  if (wait_ > 0) return same;
  wait_ = kShortWait;
  const double lower = order_ > 1 ? step_factor(kLowerBias * lower_order_error(), order_ - 1) : 0.0;
  const double higher = order_ < max_order_ ? step_factor(kHigherBias * higher_order_error(), order_ + 1) : 0.0;
  if (same >= std::max(lower, higher)) return same;
  next_order_ = lower >= higher ? order_ - 1 : order_ + 1;
  return std::max(lower, higher);
}

double Nordsieck::lower_order_error() {
  const double scale = lower_error_per_power(method_, order_, distances_at_base());
  const std::array<Term, 1> term{{{scale, power(kept_, order_)}}};
  return norm(kStartState, kEndState, term);
}

double Nordsieck::higher_order_error() {
  const double scale = higher_error_per_change(method_, order_, distances_at_base());
  const double previous =
      previous_derivative_scale_ / derivative_scale_ * std::pow(lengths_[0] / lengths_[1], order_ + 1);
  const std::array<Term, 2> terms{{{scale, correction(kept_)}, {-scale * previous, correction(tried())}}};
  return norm(kStartState, kEndState, terms);
}

double Nordsieck::shorter_step(double length, double error) {
  const double factor = std::clamp(step_factor(kSameBias * error, order_), kMaxStepShrinkage, kMinShrinkage);
  ++failed_tests_;
  // The history does not fit the motion.
  if (failed_tests_ == kFailedTestsToStartAnew) start_at(kStartState, start_time_);
  return shorten(length, failed_tests_ > 1 ? kMaxStepShrinkage : factor);
}

double Nordsieck::shorter_step_after_failure(double length, int /*before*/) {
  return shorten(length, kFactorAfterFailure);
}

double Nordsieck::shorten(double length, double factor) {
  is_shortened_ = true;
  growth_limit_ = 1.0;
  return factor * length;
}

void Nordsieck::save(ByteWriter& out) const {
  out.put(has_history_);
  if (!has_history_) return;
  out.put(was_kept_);
  out.put(order_);
  out.put(next_order_);
  out.put(wait_);
  for (const double value : {base_time_, scale_, derivative_scale_, growth_limit_}) out.put(value);
  for (const double length : lengths_) out.put(length);
  for (int j = 0; j <= order_; ++j) problem_.save_rate(power(kept_, j), out);
  if (has_own_base()) problem_.save_state(kBaseState, out);
  out.put(has_factors_);
  if (!has_factors_) return;
  out.put(factor_gain_);
  out.put(factor_age_);
  out.put(convergence_);
  problem_.save_state(kFactorState, out);
}

void Nordsieck::load(ByteReader& in) {
  forget();
  has_history_ = get_flag(in);
  if (!has_history_) return;
  was_kept_ = get_flag(in);
  in.get(order_);
  in.get(next_order_);
  in.get(wait_);
  for (double* value : {&base_time_, &scale_, &derivative_scale_, &growth_limit_}) in.get(*value);
  for (double& length : lengths_) in.get(length);
  if (order_ < 1 || order_ > max_order_ || std::abs(next_order_ - order_) > 1 || next_order_ < 1 ||
      next_order_ > max_order_) {
    in.fail();
    forget();
    return;
  }
  for (int j = 0; j <= order_; ++j) problem_.load_rate(power(kept_, j), in);
  if (has_own_base()) problem_.load_state(kBaseState, in);
  has_factors_ = get_flag(in);
  if (!has_factors_) return;
  in.get(factor_gain_);
  in.get(factor_age_);
  in.get(convergence_);
  problem_.load_state(kFactorState, in);
  if (in.is_good()) make_factors();
}

void Nordsieck::transform(const std::function<void(int state)>& map_state,
                          const std::function<void(int rate)>& map_rate) {
  if (!has_history_) return;
  for (int j = 0; j <= order_; ++j) map_rate(power(kept_, j));
  if (has_own_base()) map_state(kBaseState);
  if (!has_factors_) return;
  map_state(kFactorState);
  make_factors();
}

}  // namespace gelenk::integrate
