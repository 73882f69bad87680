#include "gelenk/solve/row_system.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "gelenk/base/index.h"

namespace gelenk::solve {
namespace {

double dot(const std::array<double, 6>& block, const double* twist) {
  return (block[0] * twist[0] + block[1] * twist[1] + block[2] * twist[2]) +
         (block[3] * twist[3] + block[4] * twist[4] + block[5] * twist[5]);
}

void multiply(const BodyInverseMass& body, const double* force, double* motion) {
  const std::array<double, 9>& K = body.inverse_inertia;
  for (std::size_t i = 0; i < 3; ++i) motion[i] = body.inverse_mass * force[i];
  for (std::size_t i = 0; i < 3; ++i) {
    motion[3 + i] = K[3 * i] * force[3] + K[3 * i + 1] * force[4] + K[3 * i + 2] * force[5];
  }
}

double reference_mobility(const BodyInverseMass& body, const std::array<double, 6>& block) {
  return body.inverse_mass * (block[0] * block[0] + block[1] * block[1] + block[2] * block[2]) +
         body.mean_inverse_inertia * (block[3] * block[3] + block[4] * block[4] + block[5] * block[5]);
}

}  // namespace

RowSystem::RowSystem(std::size_t body_count, std::vector<RowBodies> rows)
    : rows_(std::move(rows)),
      bodies_(body_count),
      blocks_(rows_.size()),
      scales_(rows_.size()),
      body_rows_(body_count),
      forces_(6 * body_count),
      motions_(6 * body_count) {
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    RowBodies& row = rows_[j];
    if (row.a == row.b && row.a >= 0) {
      row.b = -1;
      folded_.push_back(j);
    }
    if (row.a >= 0) ++body_rows_[at(row.a)].count;
    if (row.b >= 0) ++body_rows_[at(row.b)].count;
  }
  std::size_t slot_count = 0;
  std::size_t value_count = 0;
  std::size_t largest_stride = 0;
  std::vector<std::size_t> next_slot;
  for (BodyRows& body : body_rows_) {
    body = {slot_count, body.count, round_up_to_step(body.count), value_count};
    next_slot.push_back(slot_count);
    slot_count += body.count;
    value_count += 6 * body.stride;
    largest_stride = std::max(largest_stride, body.stride);
  }
  slots_.resize(slot_count);
  scaled_.resize(value_count + kRowStep);
  moved_.resize(value_count + kRowStep);
  product_.resize(kRowStep * largest_stride);
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    const auto row = static_cast<std::int32_t>(j);
    if (rows_[j].a >= 0) slots_[next_slot[at(rows_[j].a)]++] = {row, false};
    if (rows_[j].b >= 0) slots_[next_slot[at(rows_[j].b)]++] = {row, true};
  }
}

void RowSystem::sort_slots(std::span<const std::int32_t> place_of_row) {
  for (const BodyRows& body : body_rows_) {
    const auto begin = slots_.begin() + static_cast<std::ptrdiff_t>(body.first_slot);
    std::sort(begin, begin + static_cast<std::ptrdiff_t>(body.count),
              [&](const Slot& p, const Slot& q) { return place_of_row[at(p.row)] < place_of_row[at(q.row)]; });
  }
}

void RowSystem::load(std::span<const BodyInverseMass> bodies, std::span<const RowBlock> rows) {
  assert(bodies.size() == bodies_.size() && rows.size() == blocks_.size());
  std::copy_n(bodies.begin(), bodies_.size(), bodies_.begin());
  std::copy_n(rows.begin(), blocks_.size(), blocks_.begin());
  for (const std::size_t j : folded_) {
    for (std::size_t i = 0; i < 6; ++i) blocks_[j].a[i] += blocks_[j].b[i];
  }
}

void RowSystem::rescale() {
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    double mobility = 0.0;
    if (rows_[j].a >= 0) mobility += reference_mobility(bodies_[at(rows_[j].a)], blocks_[j].a);
    if (rows_[j].b >= 0) mobility += reference_mobility(bodies_[at(rows_[j].b)], blocks_[j].b);
    const double scale = 1.0 / std::sqrt(mobility);
    scales_[j] = std::isfinite(scale) ? scale : 0.0;
  }
  for (std::size_t body = 0; body < bodies_.size(); ++body) fill_body_blocks(body);
}

void RowSystem::fill_body_blocks(std::size_t body) {
  const BodyRows& rows = body_rows_[body];
  for (std::size_t k = 0; k < rows.count; ++k) {
    const Slot slot = slots_[rows.first_slot + k];
    const std::size_t j = at(slot.row);
    const std::array<double, 6>& block = slot.is_second ? blocks_[j].b : blocks_[j].a;
    double scaled[6];
    double moved[6];
    for (std::size_t i = 0; i < 6; ++i) scaled[i] = scales_[j] * block[i];
    multiply(bodies_[body], scaled, moved);
    for (std::size_t i = 0; i < 6; ++i) {
      scaled_[rows.first_value + i * rows.stride + k] = scaled[i];
      moved_[rows.first_value + i * rows.stride + k] = moved[i];
    }
  }
}

void RowSystem::scaled_residual(std::span<const double> u, std::span<const double> a, std::span<double> e) const {
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    double sum = u.empty() ? 0.0 : u[j];
    if (rows_[j].a >= 0) sum -= dot(blocks_[j].a, &a[6 * at(rows_[j].a)]);
    if (rows_[j].b >= 0) sum -= dot(blocks_[j].b, &a[6 * at(rows_[j].b)]);
    e[j] = scales_[j] * sum;
  }
}

void RowSystem::collect_forces(std::span<const double> mu) {
  std::fill(forces_.begin(), forces_.end(), 0.0);
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    const double lambda = scales_[j] * mu[j];
    if (lambda == 0.0) continue;
    if (rows_[j].a >= 0) {
      double* force = &forces_[6 * at(rows_[j].a)];
      for (std::size_t i = 0; i < 6; ++i) force[i] += lambda * blocks_[j].a[i];
    }
    if (rows_[j].b >= 0) {
      double* force = &forces_[6 * at(rows_[j].b)];
      for (std::size_t i = 0; i < 6; ++i) force[i] += lambda * blocks_[j].b[i];
    }
  }
}

void RowSystem::add_motion(std::span<const double> mu, std::span<double> a) {
  collect_forces(mu);
  for (std::size_t body = 0; body < bodies_.size(); ++body) {
    double motion[6];
    multiply(bodies_[body], &forces_[6 * body], motion);
    for (std::size_t i = 0; i < 6; ++i) a[6 * body + i] += motion[i];
  }
}

void RowSystem::move(std::span<const double> force, std::span<double> motion) const {
  for (std::size_t body = 0; body < bodies_.size(); ++body) {
    multiply(bodies_[body], &force[6 * body], &motion[6 * body]);
  }
}

void RowSystem::respond(std::span<const double> mu, std::span<double> response) {
  collect_forces(mu);
  move(forces_, motions_);
  scaled_residual({}, motions_, response);
}

double RowSystem::mobility(std::span<const double> mu, std::span<double> force) {
  collect_forces(mu);
  if (!force.empty()) std::copy(forces_.begin(), forces_.end(), force.begin());
  return mobility_of_force(forces_);
}

double RowSystem::mobility_of_force(std::span<const double> force) const {
  double sum = 0.0;
  for (std::size_t body = 0; body < bodies_.size(); ++body) {
    double motion[6];
    multiply(bodies_[body], &force[6 * body], motion);
    for (std::size_t i = 0; i < 6; ++i) sum += force[6 * body + i] * motion[i];
  }
  return sum;
}

double RowSystem::right_side(std::span<const double> u, std::span<const double> r, std::span<double> e) const {
  double largest = 0.0;
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    double sum = u[j];
    double size = std::abs(u[j]);
    const auto subtract = [&](const std::array<double, 6>& block, const double* twist) {
      for (std::size_t i = 0; i < 6; ++i) {
        const double product = block[i] * twist[i];
        sum -= product;
        size += std::abs(product);
      }
    };
    if (rows_[j].a >= 0) subtract(blocks_[j].a, &r[6 * at(rows_[j].a)]);
    if (rows_[j].b >= 0) subtract(blocks_[j].b, &r[6 * at(rows_[j].b)]);
    e[j] = scales_[j] * sum;
    largest = std::max(largest, scales_[j] * size);
  }
  return largest;
}

}  // namespace gelenk::solve
