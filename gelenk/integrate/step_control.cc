#include "gelenk/integrate/step_control.h"

#include <algorithm>
#include <cmath>

namespace gelenk::integrate {
namespace {

constexpr double kSafety = 0.9;
constexpr double kMaxGrowth = 10.0;
constexpr double kMaxShrinkage = 0.2;
constexpr double kIntegralGain = 0.04;
// Errors far below the tolerance say nothing about the next one.
constexpr double kSmallestRememberedError = 1e-4;

double exponent(int error_order) { return 1.0 / (error_order + 1); }

}  // namespace

double factor_after_success(double error, double previous_error, int error_order) {
  if (error == 0.0) return kMaxGrowth;
  const double previous = previous_error > 0.0 ? std::max(previous_error, kSmallestRememberedError) : 1.0;
  const double proportional = std::pow(error, -(exponent(error_order) - 0.75 * kIntegralGain));
  return std::clamp(kSafety * proportional * std::pow(previous, kIntegralGain), kMaxShrinkage, kMaxGrowth);
}

double factor_after_rejection(double error, int error_order) {
  return std::clamp(kSafety * std::pow(error, -exponent(error_order)), kMaxShrinkage, kSafety);
}

double first_probe(double rate_norm, double tolerance) {
  constexpr double kShare = 0.01;
  constexpr double kNothingKnown = 1e-6;  // s; also the bound where nothing moves yet
  if (!(rate_norm * tolerance > kShare * kNothingKnown)) return kNothingKnown;
  return kShare / (rate_norm * tolerance);
}

double first_step_length(double probe, double rate_norm, double change_norm, int error_order) {
  const double largest = std::max(rate_norm, change_norm);
  if (!std::isfinite(largest)) return 1e-3 * probe;
  if (largest <= 1e-15) return probe;
  return std::min(100.0 * probe, std::pow(0.01 / largest, exponent(error_order)));
}

}  // namespace gelenk::integrate
