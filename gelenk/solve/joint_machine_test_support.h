#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gelenk/math/joint_rows.h"
#include "gelenk/solve/machine_test_support.h"

// Machines made of whole joints in their packed form, and the same as single rows for the reference solution.
namespace gelenk::solve::test {

struct JointMachine {
  std::string name;
  Machine machine;  // the same as blocks
  std::vector<BodyMass> masses;
  JointRowLayout layout;
  std::vector<double> values;

  std::int32_t add_body(const Vector& center, double mass, const Vector& moments) {
    const std::int32_t body = machine.add_body(center, mass, moments);
    // Inverse of the inverse inertia that the machine has turned somehow.
    const auto& V = machine.bodies.back().inverse_inertia;
    BodyMass m;
    m.mass = mass;
    m.mean_inverse_inertia = machine.bodies.back().mean_inverse_inertia;
    const Vector r0{V[0], V[1], V[2]};
    const Vector r1{V[3], V[4], V[5]};
    const Vector r2{V[6], V[7], V[8]};
    const Vector c0 = cross(r1, r2);
    const Vector c1 = cross(r2, r0);
    const Vector c2 = cross(r0, r1);
    const double det = r0[0] * c0[0] + r0[1] * c0[1] + r0[2] * c0[2];
    m.inertia = {c0[0] / det, c1[0] / det, c2[0] / det, c1[1] / det, c2[1] / det, c2[2] / det};
    masses.push_back(m);
    return body;
  }

  // A thin bar from P to Q.
  std::int32_t add_bar(const Vector& P, const Vector& Q, double mass) {
    const Vector d = minus(Q, P);
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    return add_body({(P[0] + Q[0]) / 2, (P[1] + Q[1]) / 2, (P[2] + Q[2]) / 2}, mass,
                    {0.002 * mass, mass * square / 12 + 0.002 * mass, mass * square / 12 + 0.003 * mass});
  }

  void begin_joint(std::int32_t a, std::int32_t b) {
    JointRows joint;
    joint.a = a;
    joint.b = b;
    joint.first_row = static_cast<std::int32_t>(layout.row_numbers.size());
    joint.first_value = static_cast<std::int32_t>(values.size());
    layout.joints.push_back(joint);
  }
  JointRows& joint() { return layout.joints.back(); }
  void add_row(const RowBlock& block) {
    layout.row_numbers.push_back(static_cast<std::int32_t>(machine.rows.size()));
    machine.rows.push_back({joint().a, joint().b});
    machine.blocks.push_back(block);
    layout.value_count = values.size();
  }
  void put(const Vector& v) { values.insert(values.end(), v.begin(), v.end()); }

  void point(const Vector& P) {
    const Vector s_a = machine.arm(joint().a, P);
    const Vector s_b = machine.arm(joint().b, P);
    ++joint().points;
    put(s_a);
    put(s_b);
    for (std::size_t i = 0; i < 3; ++i) {
      Vector e{};
      e[i] = 1.0;
      const Vector turn_a = cross(s_a, e);
      const Vector turn_b = cross(s_b, e);
      add_row({{-e[0], -e[1], -e[2], -turn_a[0], -turn_a[1], -turn_a[2]},
               {e[0], e[1], e[2], turn_b[0], turn_b[1], turn_b[2]}});
    }
  }
  void turn(const Vector& n) {
    ++joint().turns;
    put(n);
    add_row({{0, 0, 0, -n[0], -n[1], -n[2]}, {0, 0, 0, n[0], n[1], n[2]}});
  }
  // Direction l fixed on a, from P on a to Q on b.
  void line(const Vector& l, const Vector& P, const Vector& Q) {
    ++joint().lines;
    const Vector s_a = machine.arm(joint().a, P);
    const Vector s_b = machine.arm(joint().b, Q);
    const Vector W = minus(Q, P);
    const Vector m_a = cross({-(s_a[0] + W[0]), -(s_a[1] + W[1]), -(s_a[2] + W[2])}, l);
    const Vector m_b = cross(s_b, l);
    put(l);
    put(m_a);
    put(m_b);
    add_row({{-l[0], -l[1], -l[2], m_a[0], m_a[1], m_a[2]}, {l[0], l[1], l[2], m_b[0], m_b[1], m_b[2]}});
  }

  static Vector normal_to(const Vector& axis) {
    return unit(cross(axis, std::abs(axis[0]) < 0.7 ? Vector{1, 0, 0} : Vector{0, 1, 0}));
  }

  void revolute(std::int32_t a, std::int32_t b, const Vector& P, const Vector& axis) {
    const Vector d = unit(axis);
    begin_joint(a, b);
    point(P);
    turn(normal_to(d));
    turn(cross(d, normal_to(d)));
  }
  void driven_revolute(std::int32_t a, std::int32_t b, const Vector& P, const Vector& axis) {
    revolute(a, b, P, axis);
    turn(unit(axis));
  }
  void spherical(std::int32_t a, std::int32_t b, const Vector& P) {
    begin_joint(a, b);
    point(P);
  }
  void universal(std::int32_t a, std::int32_t b, const Vector& P, const Vector& n) {
    begin_joint(a, b);
    point(P);
    turn(n);
  }
  void cylindrical(std::int32_t a, std::int32_t b, const Vector& P, const Vector& Q, const Vector& axis) {
    const Vector d = unit(axis);
    begin_joint(a, b);
    turn(normal_to(d));
    turn(cross(d, normal_to(d)));
    line(normal_to(d), P, Q);
    line(cross(d, normal_to(d)), P, Q);
  }
  void prismatic(std::int32_t a, std::int32_t b, const Vector& P, const Vector& Q, const Vector& axis) {
    const Vector d = unit(axis);
    begin_joint(a, b);
    turn({1, 0, 0});
    turn({0, 1, 0});
    turn({0, 0, 1});
    line(normal_to(d), P, Q);
    line(cross(d, normal_to(d)), P, Q);
  }
  void driven_prismatic(std::int32_t a, std::int32_t b, const Vector& P, const Vector& Q, const Vector& axis) {
    prismatic(a, b, P, Q, axis);
    line(unit(axis), P, Q);
  }
  void distance(std::int32_t a, std::int32_t b, const Vector& P, const Vector& Q) {
    begin_joint(a, b);
    line(unit(minus(Q, P)), P, Q);
  }

  static constexpr std::size_t kTypes = 11;
  void add_joint(std::size_t type, std::int32_t a, std::int32_t b, const Vector& P, const Vector& axis,
                 const Vector& Q) {
    const Vector n1 = normal_to(axis);
    const Vector n2 = cross(axis, n1);
    switch (type) {
      case 0:
        return revolute(a, b, P, axis);
      case 1:
        return spherical(a, b, P);
      case 2:
        return universal(a, b, P, axis);
      case 3:
        return prismatic(a, b, P, P, axis);
      case 4:
        return cylindrical(a, b, P, P, axis);
      case 5:  // fixed
        revolute(a, b, P, axis);
        return turn(axis);
      case 6:  // orientation
        begin_joint(a, b);
        turn(axis);
        turn(n1);
        return turn(n2);
      case 7:  // point on a line
        begin_joint(a, b);
        line(n1, P, P);
        return line(n2, P, P);
      case 8:
        return distance(a, b, P, Q);
      case 9:  // planar
        begin_joint(a, b);
        turn(n1);
        turn(n2);
        return line(axis, P, P);
      default:  // more than motion can pass: a point and a line
        begin_joint(a, b);
        point(P);
        return line(axis, P, Q);
    }
  }

  void finish(std::string given) {
    layout.value_count = values.size();
    name = std::move(given);
  }
};

// Accelerations under forces f, from the masses themselves: with M = C Cᵀ the root of M⁻¹ is C⁻ᵀ.
inline Reference reference_of(const JointMachine& m, const std::vector<double>& f, const std::vector<double>& u,
                              double tau) {
  using Real = long double;
  std::vector<std::array<Real, 36>> roots(m.masses.size());
  std::vector<Real> r(f.size(), 0);
  for (std::size_t k = 0; k < roots.size(); ++k) {
    const BodyMass& mass = m.masses[k];
    const auto& J = mass.inertia;
    Real C[9] = {J[0], 0, 0, J[1], J[3], 0, J[2], J[4], J[5]};
    Real root[9] = {};  // C⁻ᵀ
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        for (std::size_t q = 0; q < j; ++q) C[3 * i + j] -= C[3 * i + q] * C[3 * j + q];
        C[3 * i + j] = i == j ? std::sqrt(C[3 * i + j]) : C[3 * i + j] / C[4 * j];
      }
    }
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = j; i < 3; ++i) {  // column j of C⁻¹
        Real sum = i == j ? 1 : 0;
        for (std::size_t q = j; q < i; ++q) sum -= C[3 * i + q] * root[3 * j + q];
        root[3 * j + i] = sum / C[4 * i];
      }
    }
    std::array<Real, 36>& B = roots[k];
    B.fill(0);
    for (std::size_t i = 0; i < 3; ++i) {
      B[7 * i] = 1 / std::sqrt(static_cast<Real>(mass.mass));
      for (std::size_t j = 0; j < 3; ++j) B[6 * (3 + i) + 3 + j] = root[3 * i + j];
    }
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        for (std::size_t q = 0; q < 6; ++q)
          r[6 * k + i] += B[6 * i + q] * B[6 * j + q] * static_cast<Real>(f[6 * k + j]);
      }
    }
  }
  return solve_by_orthogonal_rows(m.machine, roots, r, u, tau);
}

inline Vector plus(const Vector& p, const Vector& q) { return {p[0] + q[0], p[1] + q[1], p[2] + q[2]}; }
inline Vector times(double s, const Vector& q) { return {s * q[0], s * q[1], s * q[2]}; }
inline constexpr Vector kY{0, 1, 0};

}  // namespace gelenk::solve::test
