#include "gelenk/analysis/run_integrator.h"

namespace gelenk::analysis {

integrate::Options integrator_options(const RunOptions& options) {
  integrate::Options result;
  result.method = options.method;
  if (!options.is_adaptive()) result.step = options.step;
  result.tolerance = options.tolerance;
  // Not by the time between outputs: what is recorded leaves no trace in the motion.
  constexpr double kLeastSteps = 50.0;
  result.max_step = options.max_step > 0.0 ? options.max_step : options.duration / kLeastSteps;
  result.spectral_radius = options.spectral_radius;
  result.end_time = options.end_time();
  return result;
}

double error_weight(const RunOptions& options) { return options.is_adaptive() ? options.tolerance : 1.0; }

bool is_explicit(integrate::Method method) {
  using integrate::Method;
  return method == Method::rk4 || method == Method::dopri5 || method == Method::adams || method == Method::moreau;
}

}  // namespace gelenk::analysis
