#include "gelenk/analysis/machine/flat.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {

std::size_t MachineFlat::dimension() const { return 13 * system_.bodies.size() + system_.extra.size(); }

void MachineFlat::get_state(int index, std::span<double> values) const {
  const system::State& state = slots_[index].state;
  const std::size_t bodies = system_.bodies.size();
  for (std::size_t b = 0; b < bodies; ++b) {
    const Vector3& p = state.position[b];
    const Quaternion& q = state.orientation[b];
    const double numbers[] = {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()};
    std::copy(std::begin(numbers), std::end(numbers), &values[7 * b]);
  }
  std::copy(state.velocity.begin(), state.velocity.end(), values.begin() + static_cast<std::ptrdiff_t>(7 * bodies));
  std::copy(state.extra.begin(), state.extra.end(), values.begin() + static_cast<std::ptrdiff_t>(13 * bodies));
}

void MachineFlat::set_state_values(int index, double time, std::span<const double> values) {
  MachineSlot& s = slots_[index];
  slots_.touch(index);
  s.factor_pose.is_set = false;
  s.is_base = false;
  s.turn.assign(3 * system_.bodies.size(), 0.0);
  system::State& state = s.state;
  state.time = time;
  const std::size_t bodies = system_.bodies.size();
  for (std::size_t b = 0; b < bodies; ++b) {
    const double* const x = &values[7 * b];
    state.position[b] = Vector3(x[0], x[1], x[2]);
    state.orientation[b] = Quaternion(x[3], x[4], x[5], x[6]).normalized();
  }
  std::copy_n(&values[7 * bodies], 6 * bodies, state.velocity.begin());
  std::copy_n(&values[13 * bodies], state.extra.size(), state.extra.begin());
}

void MachineFlat::get_rate(int rate, std::span<double> values) const {
  std::copy(slots_.rate(rate).begin(), slots_.rate(rate).end(), values.begin());
}

void MachineFlat::set_rate(int rate, std::span<const double> values) {
  slots_.rate(rate).assign(values.begin(), values.end());
}

// The scales of MachineErrors; an angle is twice the change of a quaternion.
void MachineFlat::weights(int index, std::span<double> values) {
  constexpr double kNoMatter = 1e-30;  // works and counted turns: not zero, which solvers refuse
  const system::State& state = slots_[index].state;
  const std::size_t bodies = system_.bodies.size();
  const auto put = [&](std::size_t first, std::size_t count, double scale) {
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(first), count, 1.0 / (tolerance_ * scale));
  };
  for (std::size_t b = 0; b < bodies; ++b) {
    const double* const v = &state.velocity[6 * b];
    put(7 * b, 3, params_.length + (system::place_of(state, b) - slots_.start_position(b)).norm());
    put(7 * b + 3, 4, 0.5);
    put(7 * bodies + 6 * b, 3, params_.length + Vector3(v[0], v[1], v[2]).norm());
    put(7 * bodies + 6 * b + 3, 3, 1.0 + Vector3(v[3], v[4], v[5]).norm());
  }
  std::fill(values.begin() + static_cast<std::ptrdiff_t>(13 * bodies), values.end(), kNoMatter);
  for (std::size_t i = 0; i < system_.extra.count(system::StateKind::first_order); ++i) {
    put(13 * bodies + i, 1, params_.extra_scales[i] + std::abs(state.extra[i]));
  }
}

}  // namespace gelenk::analysis
