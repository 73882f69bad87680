#include "gelenk/integrate/stepper.h"

#include <cmath>
#include <limits>
#include <utility>

namespace gelenk::integrate {

bool Stepper::evaluate(int state, int rate) {
  ++effort_.evaluations;
  return problem_.evaluate(state, rate);
}

double Stepper::norm(int from, int to, std::span<const Term> terms) {
  const Norm norm = problem_.error_norm(from, to, terms);
  if (norm.count == 0) return 0.0;
  const double value = std::sqrt(norm.sum / static_cast<double>(norm.count));
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

Stepper::Effort Stepper::take_effort() { return std::exchange(effort_, {}); }

}  // namespace gelenk::integrate
