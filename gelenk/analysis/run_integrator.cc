#include "gelenk/analysis/run_integrator.h"

#include <limits>

namespace gelenk::analysis {
namespace {

// Not by the time between outputs: what is recorded leaves no trace in the motion.
double longest_step(const RunOptions& options) {
  constexpr double kLeastSteps = 50.0;
  return options.max_step > 0.0 ? options.max_step : options.duration / kLeastSteps;
}

}  // namespace

integrate::Options integrator_options(const RunOptions& options) {
  integrate::Options result;
  result.method = options.method;
  if (!options.is_adaptive()) result.step = options.step;
  result.tolerance = options.tolerance;
  result.max_step = longest_step(options);
  result.spectral_radius = options.spectral_radius;
  result.end_time = options.end_time();
  return result;
}

RunOptions endless(RunOptions options) {
  options.max_step = longest_step(options);
  options.duration = std::numeric_limits<double>::infinity();
  return options;
}

double error_weight(const RunOptions& options) { return options.is_adaptive() ? options.tolerance : 1.0; }

bool is_explicit(integrate::Method method) {
  using integrate::Method;
  return method == Method::rk4 || method == Method::dopri5 || method == Method::adams || method == Method::moreau;
}

}  // namespace gelenk::analysis
