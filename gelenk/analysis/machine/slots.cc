#include "gelenk/analysis/machine/slots.h"

#include <algorithm>

#include "gelenk/math/rotation.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {

MachineSlots::MachineSlots(const system::System& system)
    : system_(system), offset_(12 * system.bodies.size() + system.extra.size(), 0.0) {}

void MachineSlots::reserve(int states, int rates, integrate::Chart chart) {
  if (chart != chart_) rates_.clear();
  chart_ = chart;
  sum_.assign(rate_size(), 0.0);
  if (slots_.size() < at(states)) slots_.resize(at(states));
  if (rates_.size() < at(rates)) rates_.resize(at(rates), std::vector<double>(rate_size(), 0.0));
}

void MachineSlots::start(int index, const system::State& state) {
  MachineSlot& target = slots_[at(index)];
  target.state = state;
  target.turn.assign(3 * system_.bodies.size(), 0.0);
  target.is_base = true;
  touch(index);
  start_position_.clear();
  for (std::size_t b = 0; b < state.position.size(); ++b) start_position_.push_back(system::place_of(state, b));
}

void MachineSlots::copy(int from, int to) {
  slots_[at(to)] = slots_[at(from)];
  touch(to);
}

void MachineSlots::sum_rates(std::span<const integrate::Term> terms, std::span<double> sum) const {
  if (terms.empty()) std::fill(sum.begin(), sum.end(), 0.0);
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const double factor = terms[t].coefficient;
    const double* const rate = rates_[at(terms[t].rate)].data();
    if (t == 0) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = factor * rate[i];
    } else {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * rate[i];
    }
  }
}

void MachineSlots::combine_rates(std::span<const integrate::Term> terms, int to) {
  sum_rates(terms, sum_);
  rates_[at(to)] = sum_;
}

void put_quaternion_rate(const Vector3& half_turn, const Quaternion& q, double* out) {
  const Quaternion rate = Quaternion(0.0, half_turn.x(), half_turn.y(), half_turn.z()) * q;
  out[0] = rate.w();
  out[1] = rate.x();
  out[2] = rate.y();
  out[3] = rate.z();
}

void to_tangent(std::span<const Quaternion> orientation, std::span<const double> linear, std::span<double> tangent) {
  for (std::size_t b = 0; b < orientation.size(); ++b) {
    const double* const from = &linear[7 * b];
    const Quaternion change(from[3], from[4], from[5], from[6]);
    const Vector3 turn = 2.0 * (change * orientation[b].conjugate()).vec();
    std::copy_n(from, 3, &tangent[6 * b]);
    std::copy_n(turn.data(), 3, &tangent[6 * b + 3]);
  }
}

void to_linear(std::span<const Quaternion> orientation, std::span<const double> tangent, std::span<double> linear) {
  for (std::size_t b = 0; b < orientation.size(); ++b) {
    std::copy_n(&tangent[6 * b], 3, &linear[7 * b]);
    put_quaternion_rate(0.5 * Vector3::Map(&tangent[6 * b + 3]), orientation[b], &linear[7 * b + 3]);
  }
}

void MachineSlots::combine(int from, double time, std::span<const integrate::Term> terms, int to) {
  if (chart_ == integrate::Chart::exponential) {
    sum_rates(terms, offset_);
    move(from, time, to);
    return;
  }
  // Positions and velocities by move(), orientations as sums of quaternions.
  sum_rates(terms, sum_);
  const std::size_t bodies = system_.bodies.size();
  std::copy(sum_.begin() + static_cast<std::ptrdiff_t>(7 * bodies), sum_.end(),
            offset_.begin() + static_cast<std::ptrdiff_t>(6 * bodies));
  for (std::size_t b = 0; b < bodies; ++b) {
    std::copy_n(&sum_[7 * b], 3, &offset_[6 * b]);
    std::fill_n(&offset_[6 * b + 3], 3, 0.0);
  }
  move(from, time, to);
  system::State& state = slots_[at(to)].state;
  for (std::size_t b = 0; b < bodies; ++b) {
    const double* const change = &sum_[7 * b + 3];
    Quaternion& q = state.orientation[b];
    q = Quaternion(q.w() + change[0], q.x() + change[1], q.y() + change[2], q.z() + change[3]).normalized();
  }
}

void MachineSlots::sum_stage(std::span<const integrate::StageTerm> terms) {
  const std::size_t positions = 6 * system_.bodies.size();
  std::fill(offset_.begin(), offset_.end(), 0.0);
  for (const integrate::StageTerm& term : terms) {
    const std::vector<double>& rate = rates_[at(term.rate)];
    for (std::size_t i = 0; i < positions; ++i) {
      offset_[i] += term.position * rate[i] + term.shifted * rate[positions + i];
      offset_[positions + i] += term.velocity * rate[positions + i] + term.lowered * rate[i];
    }
    for (std::size_t i = 2 * positions; i < offset_.size(); ++i) offset_[i] += term.velocity * rate[i];
  }
}

void MachineSlots::combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to) {
  sum_stage(terms);
  move(from, time, to);
}

void MachineSlots::sum_error(int to, std::span<const integrate::Term> terms) {
  if (chart_ == integrate::Chart::exponential) {
    sum_rates(terms, offset_);
    return;
  }
  const std::size_t bodies = system_.bodies.size();
  sum_rates(terms, sum_);
  to_tangent(slots_[at(to)].state.orientation, sum_, offset_);
  std::copy(sum_.begin() + static_cast<std::ptrdiff_t>(7 * bodies), sum_.end(),
            offset_.begin() + static_cast<std::ptrdiff_t>(6 * bodies));
}

void MachineSlots::move(int from, double time, int to) {
  const std::size_t bodies = system_.bodies.size();
  const MachineSlot& base = slots_[at(from)];
  MachineSlot& target = slots_[at(to)];
  if (to != from) {
    const bool is_new = target.state.position.size() != base.state.position.size() ||
                        target.state.extra.size() != base.state.extra.size();
    if (is_new) target.state = base.state;
    target.state.sides = base.state.sides;
    target.state.origin = base.state.origin;
    target.pivots = base.pivots;
    target.base_pivot = base.base_pivot;
    target.usual_pivot = base.usual_pivot;
    target.base_rank = base.base_rank;
    target.base_time = base.base_time;
  }
  touch(to);
  target.factor_pose.is_set = false;
  target.is_base = false;
  target.is_at_event = false;
  target.turn.resize(3 * bodies);
  target.state.time = time;
  retract(base.state, std::span(offset_).first(6 * bodies), target.state);
  for (std::size_t b = 0; b < bodies; ++b) {
    for (std::size_t i = 0; i < 3; ++i) target.turn[3 * b + i] = offset_[6 * b + 3 + i];
  }
  const auto add = [&](const std::vector<double>& before, std::size_t first, std::vector<double>& after) {
    for (std::size_t i = 0; i < after.size(); ++i) after[i] = before[i] + offset_[first + i];
  };
  add(base.state.velocity, 6 * bodies, target.state.velocity);
  add(base.state.extra, 12 * bodies, target.state.extra);
}

}  // namespace gelenk::analysis
