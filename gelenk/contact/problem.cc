#include "gelenk/contact/problem.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gelenk/base/index.h"
#include "gelenk/contact/interval_law.h"
#include "gelenk/contact/local_law.h"

namespace gelenk::contact {
namespace {

Vector3 velocity_at(const Twist& twist, const Vector3& arm) {
  const Vector3 v(twist[0], twist[1], twist[2]);
  const Vector3 w(twist[3], twist[4], twist[5]);
  return v + w.cross(arm);
}

double product(const Twist& a, const Twist& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

std::int32_t root_of(std::vector<std::int32_t>& parent, std::int32_t node) {
  while (parent[at(node)] != node) {
    parent[at(node)] = parent[at(parent[at(node)])];
    node = parent[at(node)];
  }
  return node;
}

}  // namespace

Matrix3 directions_of(const Vector3& normal) {
  // Duff and others, 2017: an orthonormal basis without a branch; continuous but for z = 0-.
  const double sign = std::copysign(1.0, normal.z());
  const double a = -1.0 / (sign + normal.z());
  const double b = normal.x() * normal.y() * a;
  Matrix3 result;
  result.col(0) = normal;
  result.col(1) = Vector3(1.0 + sign * normal.x() * normal.x() * a, sign * b, -sign * normal.x());
  result.col(2) = Vector3(b, sign + normal.y() * normal.y() * a, -normal.y());
  return result;
}

void Problem::begin(std::size_t node_count) {
  velocities_.assign(node_count, Twist{});
  points_.clear();
  effects_.clear();
  rows_.clear();
  wrenches_.clear();
  row_effects_.clear();
}

std::int32_t Problem::add_point(const PointProblem& point) {
  points_.push_back(point);
  points_.back().first_effect = static_cast<std::int32_t>(effects_.size());
  points_.back().effect_count = 0;
  return static_cast<std::int32_t>(points_.size() - 1);
}

void Problem::add_effect(const Effect& effect) {
  effects_.push_back(effect);
  ++points_.back().effect_count;
}

void Problem::end_point() {
  PointProblem& point = points_.back();
  for (const Effect& effect : effects(point)) {
    for (int k = 0; k < 3; ++k) {
      const Twist& twist = effect.twist[static_cast<std::size_t>(k)];
      if (effect.node == point.node_b) {
        point.mobility.col(k) += point.directions.transpose() * velocity_at(twist, point.arm_b);
      }
      if (effect.node == point.node_a) {
        point.mobility.col(k) -= point.directions.transpose() * velocity_at(twist, point.arm_a);
      }
    }
  }
}

void Problem::add_row(const RowProblem& given, std::span<const NodeTwist> wrenches,
                      std::span<const NodeTwist> effects) {
  RowProblem& row = rows_.emplace_back(given);
  row.first_wrench = static_cast<std::int32_t>(wrenches_.size());
  row.wrench_count = static_cast<std::int32_t>(wrenches.size());
  row.first_effect = static_cast<std::int32_t>(row_effects_.size());
  row.effect_count = static_cast<std::int32_t>(effects.size());
  wrenches_.insert(wrenches_.end(), wrenches.begin(), wrenches.end());
  row_effects_.insert(row_effects_.end(), effects.begin(), effects.end());
  row.mobility = 0.0;
  for (const NodeTwist& wrench : wrenches) {
    for (const NodeTwist& effect : effects) {
      if (effect.node == wrench.node) row.mobility += product(wrench.values, effect.values);
    }
  }
}

std::span<const NodeTwist> Problem::wrenches(const RowProblem& row) const {
  return std::span(wrenches_).subspan(at(row.first_wrench), at(row.wrench_count));
}

std::span<const NodeTwist> Problem::effects(const RowProblem& row) const {
  return std::span(row_effects_).subspan(at(row.first_effect), at(row.effect_count));
}

double Problem::velocity_of(const RowProblem& row) const {
  double rate = row.bias;
  for (const NodeTwist& wrench : wrenches(row)) rate += product(wrench.values, velocities_[at(wrench.node)]);
  return rate;
}

void Problem::apply(const RowProblem& row, double impulse) {
  for (const NodeTwist& effect : effects(row)) {
    Twist& velocity = velocities_[at(effect.node)];
    for (std::size_t i = 0; i < 6; ++i) velocity[i] += effect.values[i] * impulse;
  }
}

void Problem::sweep_row(RowProblem& row) {
  if (!(row.mobility > 0.0)) {
    // Nothing moves it: friction rubs on it, stops do not hold it.
    const double rate = velocity_of(row) + row.target;
    const double end = rate > 0.0 ? row.low : rate < 0.0 ? row.high : 0.0;
    row.impulse = std::isfinite(end) ? end : 0.0;
    return;
  }
  const double before = row.impulse;
  row.impulse = nearest_in_interval(before - (velocity_of(row) + row.target) / row.mobility, row.low, row.high);
  if (row.impulse != before) apply(row, row.impulse - before);
}

std::span<const Effect> Problem::effects(const PointProblem& point) const {
  return std::span(effects_).subspan(at(point.first_effect), at(point.effect_count));
}

Vector3 Problem::velocity_of(const PointProblem& point) const {
  Vector3 difference = Vector3::Zero();
  if (point.node_b >= 0) difference += velocity_at(velocities_[at(point.node_b)], point.arm_b);
  if (point.node_a >= 0) difference -= velocity_at(velocities_[at(point.node_a)], point.arm_a);
  return point.directions.transpose() * difference + point.bias;
}

void Problem::apply(const PointProblem& point, const Vector3& impulse) {
  for (const Effect& effect : effects(point)) {
    Twist& velocity = velocities_[at(effect.node)];
    for (std::size_t i = 0; i < 6; ++i) {
      velocity[i] +=
          effect.twist[0][i] * impulse[0] + effect.twist[1][i] * impulse[1] + effect.twist[2][i] * impulse[2];
    }
  }
}

// contact.md (2.3): the normal first, then friction with the new normal impulse.
void Problem::sweep(std::span<const std::int32_t> island) {
  for (const std::int32_t index : island) {
    if (is_row(index)) {
      sweep_row(row_of(index));
      continue;
    }
    PointProblem& point = points_[at(index)];
    const Matrix3& D = point.mobility;
    const Vector3 velocity = velocity_of(point);
    const Vector3 before = point.impulse;
    Vector3& r = point.impulse;
    r[0] = D(0, 0) > 0.0 ? std::max(0.0, before[0] - (velocity[0] + point.target) / D(0, 0)) : 0.0;
    const double change = r[0] - before[0];
    const double stiffest = std::max(D(1, 1), D(2, 2));
    if (stiffest > 0.0) {
      r[1] = before[1] - (velocity[1] + D(1, 0) * change) / stiffest;
      r[2] = before[2] - (velocity[2] + D(2, 0) * change) / stiffest;
    }
    const double across = std::hypot(r[1], r[2]);
    const double most = point.friction * r[0];
    if (across > most) {
      r[1] *= most / across;
      r[2] *= most / across;
    }
    const Vector3 step = r - before;
    if (step != Vector3::Zero()) apply(point, step);
  }
}

double Problem::map_of(const PointProblem& point) const {
  const double trace = point.mobility.trace();
  if (!(trace > 0.0)) return 0.0;
  Vector3 velocity = velocity_of(point);
  velocity[0] += point.target;
  return natural_map(velocity, point.impulse, point.friction, trace);
}

double Problem::map_of(const RowProblem& row) const {
  if (!(row.mobility > 0.0)) return 0.0;
  return row.length * interval_map(velocity_of(row) + row.target, row.impulse, row.low, row.high, row.mobility);
}

Problem::Residual Problem::residual_of(std::span<const std::int32_t> island) const {
  Residual result;
  for (const std::int32_t index : island) {
    const double map = is_row(index) ? map_of(row_of(index)) : map_of(points_[at(index)]);
    result.squares += map * map;
    if (map > result.worst || !std::isfinite(map)) {
      result.worst = map;
      result.worst_point = index;
    }
  }
  return result;
}

double Problem::residual(double* worst, std::int32_t* worst_point) const {
  std::vector<std::int32_t> all(points_.size() + rows_.size());
  std::iota(all.begin(), all.end(), 0);
  const Residual found = residual_of(all);
  if (worst != nullptr) *worst = found.worst;
  if (worst_point != nullptr) *worst_point = found.worst_point;
  return all.empty() ? 0.0 : std::sqrt(found.squares / static_cast<double>(all.size()));
}

// Calls visit(node) for all nodes that an impulse of the item moves.
template <class Visit>
void Problem::visit_nodes(std::int32_t item, Visit&& visit) const {
  if (is_row(item)) {
    for (const NodeTwist& effect : effects(row_of(item))) visit(effect.node);
  } else {
    for (const Effect& effect : effects(points_[at(item)])) visit(effect.node);
  }
}

// Nodes that one item moves belong together; islands are in the order of their first items.
void Problem::find_islands() {
  const auto count = static_cast<std::int32_t>(points_.size() + rows_.size());
  parent_.resize(velocities_.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  for (std::int32_t item = 0; item < count; ++item) {
    std::int32_t first = -1;
    visit_nodes(item, [&](std::int32_t node) {
      const std::int32_t root = root_of(parent_, node);
      if (first < 0) first = root;
      parent_[at(std::max(first, root))] = std::min(first, root);
      first = std::min(first, root);
    });
  }
  island_of_.assign(velocities_.size() + 1, -1);
  island_begin_.assign(1, 0);
  const auto island = [&](std::int32_t item) -> std::int32_t& {
    std::int32_t front = -1;
    visit_nodes(item, [&](std::int32_t node) {
      if (front < 0) front = node;
    });
    return island_of_[front < 0 ? velocities_.size() : at(root_of(parent_, front))];
  };
  // Counted, then put in their places.
  for (std::int32_t item = 0; item < count; ++item) {
    std::int32_t& number = island(item);
    if (number < 0) {
      number = static_cast<std::int32_t>(island_begin_.size()) - 1;
      island_begin_.push_back(0);
    }
    ++island_begin_[at(number) + 1];
  }
  std::partial_sum(island_begin_.begin(), island_begin_.end(), island_begin_.begin());
  island_order_.resize(at(count));
  for (std::int32_t item = count; item-- > 0;) {
    std::int32_t& end = island_begin_[at(island(item)) + 1];
    island_order_[at(--end)] = item;
  }
  // Every end has become the begin of its island.
  std::rotate(island_begin_.begin(), island_begin_.begin() + 1, island_begin_.end());
  island_begin_.back() = count;
}

// Rows alone have an exact answer, unless some of them hold the same: those are left to sweeps.
void Problem::solve_rows(std::span<const std::int32_t> island) {
  constexpr std::size_t kMostRows = 100;
  const std::size_t n = island.size();
  if (n > kMostRows || !std::all_of(island.begin(), island.end(), [&](std::int32_t i) { return is_row(i); })) return;
  for (std::vector<double>* list : {&without_, &low_, &high_, &found_}) list->assign(n, 0.0);
  matrix_.assign(n * n, 0.0);
  moved_.assign(velocities_.size(), Twist{});
  for (std::size_t j = 0; j < n; ++j) {
    const RowProblem& pushed = row_of(island[j]);
    if (!(pushed.mobility > 0.0)) return;
    for (const NodeTwist& effect : effects(pushed)) moved_[at(effect.node)] = effect.values;
    for (std::size_t i = 0; i < n; ++i) {
      for (const NodeTwist& wrench : wrenches(row_of(island[i]))) {
        matrix_[i * n + j] += product(wrench.values, moved_[at(wrench.node)]);
      }
    }
    for (const NodeTwist& effect : effects(pushed)) moved_[at(effect.node)] = Twist{};
  }
  for (std::size_t i = 0; i < n; ++i) {
    const RowProblem& row = row_of(island[i]);
    low_[i] = row.low;
    high_[i] = row.high;
    found_[i] = row.impulse;
    without_[i] = velocity_of(row) + row.target;
    for (std::size_t j = 0; j < n; ++j) without_[i] -= matrix_[i * n + j] * row_of(island[j]).impulse;
  }
  if (!solve_intervals(matrix_, without_, low_, high_, found_)) return;
  for (std::size_t i = 0; i < n; ++i) {
    RowProblem& row = row_of(island[i]);
    apply(row, found_[i] - row.impulse);
    row.impulse = found_[i];
  }
}

// A point alone has an exact answer; not where its mobility is singular, or with the friction of a jammed contact.
// Those are left to sweeps.
void Problem::solve_alone(std::int32_t index) {
  PointProblem& point = points_[at(index)];
  const Matrix3& D = point.mobility;
  constexpr double kNearSingular = 1e-9;
  const double mean = D.trace() / 3.0;
  if (!(D.determinant() > kNearSingular * mean * mean * mean)) return;
  const Vector3 before = point.impulse;
  Vector3 without = velocity_of(point) - D * before;
  without[0] += point.target;
  const Vector3 found = solve_local_law(D, without, point.friction);
  const bool is_law = found.allFinite() && natural_map(D * found + without, found, point.friction, D.trace()) <=
                                               natural_map(D * before + without, before, point.friction, D.trace());
  if (!is_law) return;
  point.impulse = found;
  apply(point, found - before);
}

SolveReport Problem::solve(const SweepSettings& settings) {
  SolveReport report;
  find_islands();
  for (const PointProblem& point : points_) apply(point, point.impulse);
  for (RowProblem& row : rows_) {
    row.impulse = nearest_in_interval(row.impulse, row.low, row.high);
    apply(row, row.impulse);
  }
  for (std::size_t k = 0; k + 1 < island_begin_.size(); ++k) {
    const std::span<const std::int32_t> island =
        std::span(island_order_).subspan(at(island_begin_[k]), at(island_begin_[k + 1] - island_begin_[k]));
    double root_of_mean = 0.0;
    if (island.size() == 1 && !is_row(island.front())) solve_alone(island.front());
    if (!rows_.empty()) solve_rows(island);
    Residual found;
    for (int sweeps = 1;; ++sweeps) {
      sweep(island);
      report.sweeps = std::max(report.sweeps, sweeps);
      if (sweeps < settings.least_sweeps) continue;
      found = residual_of(island);
      root_of_mean = std::sqrt(found.squares / static_cast<double>(island.size()));
      if (root_of_mean <= settings.tolerance || sweeps >= settings.most_sweeps) break;
    }
    if (!(root_of_mean <= settings.tolerance)) report.has_converged = false;
    if (!(root_of_mean <= report.residual)) report.residual = root_of_mean;
    if (!(found.worst <= report.worst)) {
      report.worst = found.worst;
      report.worst_point = found.worst_point;
    }
  }
  return report;
}

}  // namespace gelenk::contact
