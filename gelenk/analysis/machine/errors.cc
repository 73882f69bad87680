#include "gelenk/analysis/machine/errors.h"

#include <algorithm>
#include <cmath>

#include "gelenk/analysis/singular_limits.h"
#include "gelenk/base/index.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {
namespace {

// Velocities are known to rounding; a deviation w across the constraints at distance δ from the singular pose grows
// like 2 ω w / δ, and w itself is the rounding of the rates over δ: together ε ω² / δ², with δ² the pivot. Lengths in
// those of the machine.
double rounding_near(const system::State& state, double length, double pivot, double step) {
  constexpr double kRoundingOfRates = 1e-14;  // a sum of some ten rounded terms
  const double speed = fastest_motion(state, length);
  const double rounding = step * kRoundingOfRates * speed * speed / std::max(pivot, 1e-16);
  return std::min(rounding, kSurelyProjected);
}

}  // namespace

// Scales: lengths are compared with the size of the machine and the way it has gone since the start, so that neither
// the place of the world's origin nor the unit counts; velocities likewise with a second.
// Summed by component, owners last: a component that is somebody else's adds the same number.
integrate::Norm MachineErrors::weighted_norm(const system::State& state) {
  const std::vector<double>& offset = slots_.offset();
  const std::size_t bodies = system_.bodies.size();
  norms_.assign(system_.components.size(), 0.0);
  for (std::size_t b = 0; b < bodies; ++b) {
    double& sum = norms_[at(system_.bodies[b].component)];
    const auto add = [&](std::size_t first, double scale) {
      for (std::size_t k = 0; k < 3; ++k) {
        const double relative = offset[first + k] / (tolerance_ * scale);
        sum += relative * relative;
      }
    };
    const double* const v = &state.velocity[6 * b];
    add(6 * b, params_.length + (system::place_of(state, b) - slots_.start_position(b)).norm());
    add(6 * b + 3, 1.0);
    add(6 * bodies + 6 * b, params_.length + Vector3(v[0], v[1], v[2]).norm());
    add(6 * bodies + 6 * b + 3, 1.0 + Vector3(v[3], v[4], v[5]).norm());
  }
  // Tracked angles only count turns, works only keep the books: their error is not an error of the motion.
  for (const system::StateEntry& entry : system_.extra.first_order()) {
    for (std::size_t i = entry.begin(); i < entry.end(); ++i) {
      const double scale = params_.extra_scales[i] + std::abs(state.extra[i]);
      const double relative = offset[12 * bodies + i] / (tolerance_ * scale);
      norms_[at(entry.component)] += relative * relative;
    }
  }
  integrate::Norm norm;
  norm.count = 12 * bodies + system_.extra.count(system::StateKind::first_order);
  return norm;
}

integrate::Norm MachineErrors::sum_norms(integrate::Norm norm) {
  for (std::size_t c = norms_.size(); c-- > 1;) norms_[at(system_.components[c].owner)] += norms_[c];
  norm.sum = norms_.front();
  return norm;
}

integrate::Norm MachineErrors::norm(int from, int to, std::span<const integrate::Term> error) {
  const system::State& state = slots_[to].state;
  slots_.sum_error(to, error);
  integrate::Norm norm = weighted_norm(state);
  for (std::size_t s = 0; s < system_.sealed.size(); ++s) {
    const integrate::Norm inside = subsystems_.error_norm(s, from, to, error);
    norms_[at(system_.sealed[s].component)] = inside.sum;
    norm.count += inside.count;
  }
  norm = sum_norms(norm);
  // Neither what is inside nor what an owner does can be looked at as below.
  if (!system_.sealed.empty() || !system_.mounts.empty()) return norm;
  const double error_squared = norm.sum / static_cast<double>(norm.count);
  const bool is_small = error_squared * tolerance_ * tolerance_ < kSurelyProjected * kSurelyProjected;
  if (error_squared <= 1.0 || !is_small || system_.rows.empty()) return norm;
  return norm_along_constraints(from, to, norm);
}

// Near a singular pose stages err across the constraints, in directions that the end of the step does not allow. Before
// a step is refused there, only that part of the error counts that the projection at its end will leave.
integrate::Norm MachineErrors::norm_along_constraints(int from, int to, const integrate::Norm& norm) {
  const std::size_t bodies = system_.bodies.size();
  Equations& equations = dynamics_.prepare(to);
  const MachineSlot& end = slots_[to];
  const double pivot = std::min(end.base_pivot, equations.solver().smallest_pivot()) / end.usual_pivot;
  if (!(pivot < kNearSingular)) return norm;
  std::fill(no_motion_.begin(), no_motion_.end(), 0.0);
  const std::span<double> positions = std::span(slots_.offset()).first(6 * bodies);
  const std::span<double> velocities = std::span(slots_.offset()).subspan(6 * bodies, 6 * bodies);
  equations.solver().project(positions, no_motion_, positions, {});
  equations.solver().project(velocities, no_motion_, velocities, {});
  integrate::Norm along = sum_norms(weighted_norm(end.state));
  if (along.sum > norm.sum) along = norm;
  // What rounding does to the error there cannot be made smaller by shorter steps.
  const double rounding =
      rounding_near(end.state, params_.length, pivot, end.state.time - slots_[from].state.time) / tolerance_;
  const double no_growth = std::min(along.sum, 0.25 * static_cast<double>(along.count));
  along.sum = std::max(no_growth, along.sum / (1.0 + rounding * rounding));
  return along;
}

}  // namespace gelenk::analysis
