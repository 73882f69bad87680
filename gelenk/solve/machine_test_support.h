#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "gelenk/solve/flat_solver.h"

// Machines as the solver sees them, made without any joint code, and a second way to solve them.
namespace gelenk::solve::test {

using Vector = std::array<double, 3>;

inline Vector cross(const Vector& p, const Vector& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}
inline Vector minus(const Vector& p, const Vector& q) { return {p[0] - q[0], p[1] - q[1], p[2] - q[2]}; }
inline Vector unit(const Vector& p) {
  const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  return {p[0] / length, p[1] / length, p[2] / length};
}

struct Machine {
  std::vector<BodyInverseMass> bodies;
  std::vector<Vector> centers;
  std::vector<RowBodies> rows;
  std::vector<RowBlock> blocks;
  std::mt19937 generator{1};

  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator); }
  Vector direction() { return unit({number(-1, 1), number(-1, 1), number(-1, 1) + 1e-3}); }

  std::int32_t add_body(const Vector& center, double mass, const Vector& moments) {
    // World axes that are not the principal ones: inverse inertia = Q diag(1/moments) Qᵀ, Q = 1 - 2 n nᵀ.
    const Vector n = direction();
    BodyInverseMass body{1.0 / mass, {}, 3.0 / (moments[0] + moments[1] + moments[2])};
    const auto Q = [&n](std::size_t i, std::size_t k) { return (i == k ? 1.0 : 0.0) - 2.0 * n[i] * n[k]; };
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t k = 0; k < 3; ++k) body.inverse_inertia[3 * i + j] += Q(i, k) * Q(j, k) / moments[k];
      }
    }
    bodies.push_back(body);
    centers.push_back(center);
    return static_cast<std::int32_t>(bodies.size()) - 1;
  }

  std::int32_t add_random_body(const Vector& center, double mass) {
    const double size = mass * number(0.02, 0.05);
    return add_body(center, mass, {size * number(0.7, 1.0), size * number(0.7, 1.0), size * number(0.7, 1.0)});
  }

  Vector arm(std::int32_t body, const Vector& point) const {
    return body < 0 ? point : minus(point, centers[static_cast<std::size_t>(body)]);
  }

  // e · (acceleration of the point on a - on b)
  void add_point_row(std::int32_t a, std::int32_t b, const Vector& point, const Vector& e) {
    const Vector turn_a = cross(arm(a, point), e);
    const Vector turn_b = cross(arm(b, point), e);
    rows.push_back({a, b});
    blocks.push_back({{e[0], e[1], e[2], turn_a[0], turn_a[1], turn_a[2]},
                      {-e[0], -e[1], -e[2], -turn_b[0], -turn_b[1], -turn_b[2]}});
  }

  void add_turn_row(std::int32_t a, std::int32_t b, const Vector& d) {
    rows.push_back({a, b});
    blocks.push_back({{0, 0, 0, d[0], d[1], d[2]}, {0, 0, 0, -d[0], -d[1], -d[2]}});
  }

  void add_spherical(std::int32_t a, std::int32_t b, const Vector& point) {
    for (std::size_t i = 0; i < 3; ++i) {
      Vector e{};
      e[i] = 1.0;
      add_point_row(a, b, point, e);
    }
  }

  void add_revolute(std::int32_t a, std::int32_t b, const Vector& point, const Vector& axis) {
    add_spherical(a, b, point);
    const Vector normal = unit(cross(axis, std::abs(axis[0]) < 0.7 ? Vector{1, 0, 0} : Vector{0, 1, 0}));
    add_turn_row(a, b, normal);
    add_turn_row(a, b, cross(axis, normal));
  }

  std::vector<double> numbers(std::size_t count) {
    std::vector<double> result(count);
    for (double& value : result) value = number(-1, 1);
    return result;
  }

  // G a, what rows must have as right side to be consistent.
  std::vector<double> rates(const std::vector<double>& a) const {
    std::vector<double> result(rows.size(), 0.0);
    for (std::size_t j = 0; j < rows.size(); ++j) {
      for (std::size_t i = 0; i < 6; ++i) {
        if (rows[j].a >= 0) result[j] += blocks[j].a[i] * a[6 * static_cast<std::size_t>(rows[j].a) + i];
        if (rows[j].b >= 0) result[j] += blocks[j].b[i] * a[6 * static_cast<std::size_t>(rows[j].b) + i];
      }
    }
    return result;
  }

  // Gᵀλ, 6 per body.
  std::vector<double> wrenches(const std::vector<double>& lambda) const {
    std::vector<double> result(6 * bodies.size(), 0.0);
    for (std::size_t j = 0; j < rows.size(); ++j) {
      for (std::size_t i = 0; i < 6; ++i) {
        if (rows[j].a >= 0) result[6 * static_cast<std::size_t>(rows[j].a) + i] += blocks[j].a[i] * lambda[j];
        if (rows[j].b >= 0) result[6 * static_cast<std::size_t>(rows[j].b) + i] += blocks[j].b[i] * lambda[j];
      }
    }
    return result;
  }
};

enum class Link { spherical, revolute };

// An open chain from the ground along a random walk, masses alternating by `mass_ratio`.
inline Machine chain(std::size_t count, Link link, double mass_ratio = 1.0, unsigned seed = 1) {
  Machine machine;
  machine.generator.seed(seed);
  Vector joint{};
  std::int32_t before = -1;
  for (std::size_t k = 0; k < count; ++k) {
    const Vector d = machine.direction();
    const Vector center{joint[0] + 0.5 * d[0], joint[1] + 0.5 * d[1], joint[2] + 0.5 * d[2]};
    const std::int32_t body = machine.add_random_body(center, k % 2 == 0 ? 1.0 : mass_ratio);
    if (link == Link::spherical) machine.add_spherical(before, body, joint);
    if (link == Link::revolute) machine.add_revolute(before, body, joint, machine.direction());
    joint = {joint[0] + d[0], joint[1] + d[1], joint[2] + d[2]};
    before = body;
  }
  return machine;
}

// Parallelograms side by side, cranks of 0.3 on feet 0.7 apart, all joints revolute about z: one free motion, three
// redundant rows in each cell. At angle 0 all cells are flat and the bars gain a motion of their own.
inline Machine ladder(std::size_t cells, double angle = 1.0) {
  Machine machine;
  const Vector axis{0, 0, 1};
  constexpr double kCrank = 0.3;
  constexpr double kBar = 0.7;
  const auto point = [angle](std::size_t k, double along_crank, double along_bar) {
    return Vector{kBar * (static_cast<double>(k) + along_bar) + kCrank * along_crank * std::cos(angle),
                  kCrank * along_crank * std::sin(angle), 0};
  };
  std::vector<std::int32_t> cranks;
  for (std::size_t k = 0; k <= cells; ++k) {
    cranks.push_back(machine.add_random_body(point(k, 0.5, 0), machine.number(0.5, 2.0)));
    machine.add_revolute(-1, cranks.back(), point(k, 0, 0), axis);
  }
  for (std::size_t k = 0; k < cells; ++k) {
    const std::int32_t bar = machine.add_random_body(point(k, 1, 0.5), machine.number(0.5, 2.0));
    machine.add_revolute(cranks[k], bar, point(k, 1, 0), axis);
    machine.add_revolute(bar, cranks[k + 1], point(k + 1, 1, 0), axis);
  }
  return machine;
}

// One moving hub with `count` bodies hinged to it.
inline Machine star(std::size_t count, Link link) {
  Machine machine;
  const std::int32_t hub = machine.add_random_body({0, 0, 0}, 100.0);
  for (std::size_t k = 0; k < count; ++k) {
    const Vector d = machine.direction();
    const std::int32_t body = machine.add_random_body({1.5 * d[0], 1.5 * d[1], 1.5 * d[2]}, 1.0);
    if (link == Link::spherical) machine.add_spherical(hub, body, d);
    if (link == Link::revolute) machine.add_revolute(hub, body, d, machine.direction());
  }
  return machine;
}

// Bodies hinged together at random, with loops, and with rows that say again what others say.
inline Machine tangle(std::size_t body_count, unsigned seed) {
  Machine machine;
  machine.generator.seed(seed);
  const auto pick = [&machine](std::int32_t from, std::size_t count) {
    return from + static_cast<std::int32_t>(machine.generator() % count);
  };
  const auto point = [&machine] { return Vector{machine.number(-2, 2), machine.number(-2, 2), machine.number(-2, 2)}; };
  for (std::size_t k = 0; k < body_count; ++k) {
    const std::int32_t body = machine.add_random_body(point(), machine.number(0.1, 10.0));
    const std::int32_t other = pick(-1, k + 1);
    if (seed % 2 == 0) machine.add_spherical(other, body, point());
    if (seed % 2 == 1) machine.add_revolute(other, body, point(), machine.direction());
  }
  for (std::size_t k = 0; k < body_count / 4; ++k) {
    const std::int32_t a = pick(-1, body_count + 1);
    const std::int32_t b = pick(0, body_count);
    if (a != b) machine.add_point_row(a, b, point(), machine.direction());
  }
  // Copies, one of them turned around, and a sum of two rows of one joint.
  for (std::size_t k = 0; k < body_count / 4 + 1; ++k) {
    const std::size_t row = machine.generator() % machine.rows.size();
    const std::size_t next = row + 1 < machine.rows.size() ? row + 1 : row;
    const bool is_same_pair =
        machine.rows[row].a == machine.rows[next].a && machine.rows[row].b == machine.rows[next].b;
    RowBlock block = machine.blocks[row];
    for (std::size_t i = 0; i < 6; ++i) {
      if (is_same_pair) block.a[i] -= 3.0 * machine.blocks[next].a[i];
      if (is_same_pair) block.b[i] -= 3.0 * machine.blocks[next].b[i];
    }
    RowBodies bodies = machine.rows[row];
    if (k % 2 == 1) {
      std::swap(bodies.a, bodies.b);
      std::swap(block.a, block.b);
    }
    machine.rows.push_back(bodies);
    machine.blocks.push_back(block);
  }
  return machine;
}

struct Reference {
  std::vector<double> a;
  std::size_t rank = 0;
};

// The same accelerations by another algorithm, in 80 bits: with M⁻¹ = B Bᵀ the change x = B⁻¹(a - r) is the shortest
// solution of (G B) x = u - G r; rows of G B are orthonormalized (Gram-Schmidt, twice, largest rest first), so that the
// condition is not squared. `tau`: rows of length one with a smaller rest are redundant.
// The change that is left after the first pass, with mass ratios far from one, is found in the same way.
inline std::size_t move_onto_rows(const Machine& machine, const std::vector<std::array<long double, 36>>& roots,
                                  const std::vector<double>& u, double tau, std::vector<long double>& a);

inline Reference solve_by_orthogonal_rows(const Machine& machine, const std::vector<std::array<long double, 36>>& roots,
                                          std::vector<long double> r, const std::vector<double>& u, double tau) {
  Reference result;
  for (int pass = 0; pass < 3; ++pass) result.rank = move_onto_rows(machine, roots, u, tau, r);
  result.a.assign(r.begin(), r.end());
  return result;
}

inline Reference solve_by_orthogonal_rows(const Machine& machine, const std::vector<double>& r,
                                          const std::vector<double>& u, double tau) {
  using Real = long double;
  std::vector<std::array<Real, 36>> roots(machine.bodies.size());
  for (std::size_t k = 0; k < roots.size(); ++k) {
    std::array<Real, 36>& B = roots[k];
    B.fill(0);
    for (std::size_t i = 0; i < 3; ++i) B[7 * i] = std::sqrt(static_cast<Real>(machine.bodies[k].inverse_mass));
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        Real sum = machine.bodies[k].inverse_inertia[3 * i + j];
        for (std::size_t q = 0; q < j; ++q) sum -= B[6 * (3 + i) + 3 + q] * B[6 * (3 + j) + 3 + q];
        B[6 * (3 + i) + 3 + j] = i == j ? std::sqrt(sum) : sum / B[7 * (3 + j)];
      }
    }
  }
  return solve_by_orthogonal_rows(machine, roots, std::vector<Real>(r.begin(), r.end()), u, tau);
}

inline std::size_t move_onto_rows(const Machine& machine, const std::vector<std::array<long double, 36>>& roots,
                                  const std::vector<double>& u, double tau, std::vector<long double>& a) {
  using Real = long double;
  const std::size_t n = 6 * machine.bodies.size();
  const std::size_t m = machine.rows.size();
  std::vector<std::vector<Real>> A(m, std::vector<Real>(n, 0));
  std::vector<Real> b(m);
  for (std::size_t j = 0; j < m; ++j) {
    b[j] = u[j];
    const auto add = [&](std::int32_t body, const std::array<double, 6>& block) {
      if (body < 0) return;
      const auto k = static_cast<std::size_t>(body);
      for (std::size_t i = 0; i < 6; ++i) {
        b[j] -= static_cast<Real>(block[i]) * a[6 * k + i];
        for (std::size_t c = 0; c < 6; ++c) A[j][6 * k + c] += static_cast<Real>(block[i]) * roots[k][6 * i + c];
      }
    };
    add(machine.rows[j].a, machine.blocks[j].a);
    add(machine.rows[j].b, machine.blocks[j].b);
    Real length = 0;
    for (const Real value : A[j]) length += value * value;
    length = std::sqrt(length);
    for (Real& value : A[j]) value /= length;
    b[j] /= length;
  }
  std::vector<Real> x(n, 0);
  std::vector<char> is_done(m, 0);
  std::size_t rank = 0;
  for (std::size_t step = 0; step < m; ++step) {
    // A holds the rests of the rows, b what is missing in them: b_j - A_j x with x so far.
    std::size_t best = m;
    Real longest = static_cast<Real>(tau) * static_cast<Real>(tau);
    for (std::size_t j = 0; j < m; ++j) {
      Real length = 0;
      for (const Real value : A[j]) length += value * value;
      if (is_done[j] == 0 && length > longest) {
        longest = length;
        best = j;
      }
    }
    if (best == m) break;
    is_done[best] = 1;
    ++rank;
    const std::vector<Real> q = A[best];
    const Real y = b[best] / longest;
    for (std::size_t i = 0; i < n; ++i) x[i] += y * q[i];
    for (std::size_t j = 0; j < m; ++j) {
      if (is_done[j] != 0) continue;
      for (int pass = 0; pass < 2; ++pass) {
        Real overlap = 0;
        for (std::size_t i = 0; i < n; ++i) overlap += A[j][i] * q[i];
        overlap /= longest;
        for (std::size_t i = 0; i < n; ++i) A[j][i] -= overlap * q[i];
        b[j] -= overlap * b[best];
      }
    }
  }
  for (std::size_t k = 0; k < roots.size(); ++k) {
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t c = 0; c < 6; ++c) a[6 * k + i] += roots[k][6 * i + c] * x[6 * k + c];
    }
  }
  return rank;
}

struct Solution {
  std::vector<double> a, lambda;
  SweepReport report;
};

inline Solution sweep(FlatSolver& solver, const std::vector<double>& r, const std::vector<double>& u) {
  Solution solution{std::vector<double>(r.size()), std::vector<double>(u.size()), {}};
  solution.report = solver.sweep(r, u, solution.a, solution.lambda);
  return solution;
}

inline FlatSolver make_solver(const Machine& machine, Storage storage) {
  return FlatSolver(machine.bodies.size(), machine.rows, {storage, 0});
}

inline double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

inline double largest(const std::vector<double>& x) {
  double result = 0.0;
  for (const double value : x) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace gelenk::solve::test
