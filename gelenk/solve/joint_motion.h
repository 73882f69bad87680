#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "gelenk/math/joint_rows.h"
#include "gelenk/solve/fixed_sizes.h"
#include "gelenk/solve/spatial.h"

// What the packed rows of a joint (joint_rows.h) say about one of its bodies, the outer one k, when the other one, the
// inner one p, is known:
//
//   a_k = X a_p + S q + c,   E_k X = -E_p,  E_k S = 0,  E_k c = u                               elimination.md (2.1)
//
// with q free. All of it follows from the rows alone, and exactly so off the constraints too: turns fix directions of
// α, lines (or the point) fix directions of a once α is known, so that two small dual bases replace a factorization.
namespace gelenk::solve {

// One to three vectors, the vectors dual to them, and a basis of what is orthogonal to all.
struct DualBasis {
  double dual[9];  // vector_i · dual_j = δ_ij
  double null[9];
  int count = 0;
  std::size_t null_count = 3;
  double quality = 1.0;  // volume of the vectors, whose nominal length is one: zero when they do not span
};

inline void make_dual_basis(int count, const double* vectors, std::size_t stride, DualBasis& basis) {
  using std::abs;
  using std::sqrt;
  basis.count = count;
  basis.null_count = static_cast<std::size_t>(3 - count);
  const double* const n1 = vectors;
  const double* const n2 = vectors + stride;
  double* const null = basis.null;
  switch (count) {
    case 0:
      for (std::size_t i = 0; i < 9; ++i) null[i] = (i % 4 == 0 ? 1.0 : 0.0);
      basis.quality = 1.0;
      return;
    case 1: {
      const double square = dot3(n1, n1);
      for (std::size_t i = 0; i < 3; ++i) basis.dual[i] = n1[i] / square;
      // The axis that is furthest from the vector gives a well-conditioned basis.
      std::size_t axis = 0;
      if (abs(n1[1]) < abs(n1[axis])) axis = 1;
      if (abs(n1[2]) < abs(n1[axis])) axis = 2;
      double e[3] = {0.0, 0.0, 0.0};
      e[axis] = 1.0;
      cross(n1, e, null);
      cross(n1, null, null + 3);
      basis.quality = sqrt(square);
      return;
    }
    case 2: {
      cross(n1, n2, null);
      const double square = dot3(null, null);
      cross(n2, null, basis.dual);
      cross(null, n1, basis.dual + 3);
      const double inverse = 1.0 / square;
      for (std::size_t i = 0; i < 6; ++i) basis.dual[i] *= inverse;
      basis.quality = sqrt(square);
      return;
    }
    default: {
      const double* const n3 = vectors + 2 * stride;
      cross(n2, n3, basis.dual);
      cross(n3, n1, basis.dual + 3);
      cross(n1, n2, basis.dual + 6);
      const double volume = dot3(n1, basis.dual);
      const double inverse = 1.0 / volume;
      for (std::size_t i = 0; i < 9; ++i) basis.dual[i] *= inverse;
      basis.quality = abs(volume);
    }
  }
}

// Joints whose rows have this form are attached by their free motion; others by their rows alone.
inline bool has_free_motion(const JointRows& joint) {
  if (joint.turns > 3 || joint.lines > 3) return false;
  return joint.points == 0 || joint.lines == 0;
}

// One point and two turns: a single free rotation, so frequent that it is written out below.
inline bool is_hinge(const JointRows& joint) { return joint.points == 1 && joint.turns == 2 && joint.lines == 0; }

inline constexpr JointRows kHingeRows{.points = 1, .turns = 2};

inline int free_motion_count(const JointRows& joint) { return 6 - static_cast<int>(joint.row_count()); }

// The packed numbers of a joint seen from one side: is_b: k is the joint's body b.
struct JointView {
  const JointRows* joint;
  const double* values;
  bool is_b;

  double sign() const { return is_b ? 1.0 : -1.0; }
  const double* arm() const { return values + (is_b ? 3 : 0); }
  const double* other_arm() const { return values + (is_b ? 0 : 3); }
  const double* turn(std::size_t i) const { return values + std::size_t{6} * joint->points + 3 * i; }
  const double* line(std::size_t i) const {
    return values + std::size_t{6} * joint->points + std::size_t{3} * joint->turns + 9 * i;
  }
  // m of line i on the side of k and of p, for rows that count the motion of k against p.
  void moment(std::size_t i, double* m) const {
    const double* const from = line(i) + (is_b ? 6 : 3);
    for (std::size_t n = 0; n < 3; ++n) m[n] = sign() * from[n];
  }
  void other_moment(std::size_t i, double* m) const {
    const double* const from = line(i) + (is_b ? 3 : 6);
    for (std::size_t n = 0; n < 3; ++n) m[n] = sign() * from[n];
  }
};

struct JointBases {
  DualBasis turns, lines;
  double quality() const { return turns.quality < lines.quality ? turns.quality : lines.quality; }
};

// What sweeps need of a joint at a pose, kept from its factorization. A hinge: its axis d and 1 / d². Others: the
// vectors dual to its turns and to its lines, three of each.
inline constexpr std::uint32_t kHingeDuals = 4;
inline constexpr std::uint32_t kJointDuals = 18;
inline std::uint32_t dual_count(const JointRows& joint) { return is_hinge(joint) ? kHingeDuals : kJointDuals; }

inline void put_duals(const JointBases& bases, double* duals) {
  for (int i = 0; i < 3 * bases.turns.count; ++i) duals[i] = bases.turns.dual[i];
  for (int i = 0; i < 3 * bases.lines.count; ++i) duals[9 + i] = bases.lines.dual[i];
}

inline void make_bases(const JointView& view, JointBases& bases) {
  make_dual_basis(view.joint->turns, view.turn(0), 3, bases.turns);
  if (view.joint->points != 0) {
    bases.lines.count = 0;
    bases.lines.null_count = 0;
    bases.lines.quality = 1.0;
  } else {
    make_dual_basis(view.joint->lines, view.line(0), 9, bases.lines);
  }
}

// v of X, world axes: the shift by which k follows p when the joint does not move, elimination.md (2.4).
inline void joint_shift(const JointView& view, double* v) {
  if (view.joint->points != 0) {
    for (std::size_t i = 0; i < 3; ++i) v[i] = view.other_arm()[i] - view.arm()[i];
    return;
  }
  // (3) of joint_rows.h: l·(a_k - a_p) + m_k·α_k + m_p·α_p = 0 with α_k = α_p asks for v × l = -(m_k + m_p).
  const auto wanted = [&](std::size_t i, double* w) {
    double m[3];
    double other[3];
    view.moment(i, m);
    view.other_moment(i, other);
    for (std::size_t n = 0; n < 3; ++n) w[n] = -(m[n] + other[n]);
  };
  v[0] = v[1] = v[2] = 0.0;
  if (view.joint->lines == 0) return;
  // l × (v × l) / l² is v without its part along l, which the second line gives.
  double w[3];
  wanted(0, w);
  const double* const l = view.line(0);
  cross(l, w, v);
  const double square = dot3(l, l);
  for (std::size_t n = 0; n < 3; ++n) v[n] /= square;
  if (view.joint->lines == 1) return;
  double second[3];
  wanted(1, second);
  double part[3];
  cross(v, view.line(1), part);
  for (std::size_t n = 0; n < 3; ++n) second[n] -= part[n];
  double normal[3];
  cross(l, view.line(1), normal);
  const double along = dot3(second, normal) / dot3(normal, normal);
  for (std::size_t n = 0; n < 3; ++n) v[n] += along * l[n];
}

// a of a column whose rotation is α, from the rows of elimination.md (2.1) with right side `wanted` less what α already
// does: for the point a = wanted - α × s, for lines the combination of duals.
inline void complete_linear(const JointView& view, const double* line_duals, const double* wanted, double* column) {
  const double* const alpha = column + 3;
  if (view.joint->points != 0) {
    const double* const s = view.arm();
    double turned[3];
    cross(alpha, s, turned);
    for (std::size_t i = 0; i < 3; ++i) column[i] = (wanted != nullptr ? wanted[i] : 0.0) - turned[i];
    return;
  }
  column[0] = column[1] = column[2] = 0.0;
  for (std::size_t i = 0; i < view.joint->lines; ++i) {
    double m[3];
    view.moment(i, m);
    const double rest = (wanted != nullptr ? wanted[i] : 0.0) - dot3(m, alpha);
    for (std::size_t n = 0; n < 3; ++n) column[n] += rest * line_duals[3 * i + n];
  }
}

// S of elimination.md (2.1), columns of six; returns how many. The number is free_motion_count() of the joint.
inline int free_motions(const JointView& view, const JointBases& bases, double* S) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < bases.turns.null_count; ++i, ++count) {
    double* const column = S + 6 * count;
    for (std::size_t n = 0; n < 3; ++n) column[3 + n] = bases.turns.null[3 * i + n];
    complete_linear(view, bases.lines.dual, nullptr, column);
  }
  for (std::size_t i = 0; i < bases.lines.null_count; ++i, ++count) {
    double* const column = S + 6 * count;
    for (std::size_t n = 0; n < 3; ++n) {
      column[n] = bases.lines.null[3 * i + n];
      column[3 + n] = 0.0;
    }
  }
  return static_cast<int>(count);
}

// c of elimination.md (2.1) for the right sides u of the joint's rows; no hinge.
inline void particular_motion(const JointView& view, const double* duals, const double* u, double* c) {
  const double sign = view.sign();
  const std::size_t first_turn = std::size_t{3} * view.joint->points;
  c[3] = c[4] = c[5] = 0.0;
  for (std::size_t i = 0; i < view.joint->turns; ++i) {
    const double wanted = sign * u[first_turn + i];
    for (std::size_t n = 0; n < 3; ++n) c[3 + n] += wanted * duals[3 * i + n];
  }
  double wanted[3];
  const std::size_t first = view.joint->points != 0 ? 0 : view.joint->turns;
  const std::size_t count = view.joint->points != 0 ? 3 : view.joint->lines;
  for (std::size_t i = 0; i < count; ++i) wanted[i] = sign * u[first + i];
  complete_linear(view, duals + 9, wanted, c);
}

GELENK_ALWAYS_INLINE void hinge_shift(const JointView& view, double* v) {
  for (std::size_t i = 0; i < 3; ++i) v[i] = view.other_arm()[i] - view.arm()[i];
}

// S = (s × d, d) of a hinge with the axis d = n₁ × n₂.
GELENK_ALWAYS_INLINE void hinge_screw(const JointView& view, double* S) {
  cross(view.turn(0), view.turn(1), S + 3);
  cross(view.arm(), S + 3, S);
}

// S and X of a hinge; returns d², whose nominal length is one.
GELENK_ALWAYS_INLINE double hinge_motion(const JointView& view, double* v, double* S) {
  hinge_screw(view, S);
  hinge_shift(view, v);
  return dot3(S + 3, S + 3);
}

// c of a hinge: α = ±((u₁ n₂ - u₂ n₁) × d) / d² fulfills both turns, a = ±u - α × s the point.
GELENK_ALWAYS_INLINE void hinge_bias(const JointView& view, const double* axis, double per_square, const double* u,
                                     double* c) {
  const double sign = view.sign();
  const double first = sign * per_square * u[3];
  const double second = sign * per_square * u[4];
  double w[3];
  for (std::size_t i = 0; i < 3; ++i) w[i] = first * view.turn(1)[i] - second * view.turn(0)[i];
  cross(w, axis, c + 3);
  cross(view.arm(), c + 3, c);
  for (std::size_t i = 0; i < 3; ++i) c[i] += sign * u[i];
}

// Multipliers of the rows for the wrench that the joint exerts on k at its center of mass.
inline void joint_multipliers(const JointView& view, const double* duals, const double* wrench, double* lambda) {
  const double sign = view.sign();
  double moment[3] = {wrench[3], wrench[4], wrench[5]};
  if (view.joint->points != 0) {
    double turned[3];
    cross(view.arm(), wrench, turned);
    for (std::size_t i = 0; i < 3; ++i) {
      lambda[i] = sign * wrench[i];
      moment[i] -= turned[i];
    }
  } else {
    for (std::size_t i = 0; i < view.joint->lines; ++i) {
      const double force = dot3(duals + 9 + 3 * i, wrench);
      double m[3];
      view.moment(i, m);
      for (std::size_t n = 0; n < 3; ++n) moment[n] -= force * m[n];
      lambda[view.joint->turns + i] = sign * force;
    }
  }
  if (is_hinge(*view.joint)) {
    // λ₁ = (n₂ × d)·m / d², λ₂ = (d × n₁)·m / d²
    double turned[3];
    cross(duals, moment, turned);
    lambda[3] = sign * duals[3] * dot3(view.turn(1), turned);
    lambda[4] = -sign * duals[3] * dot3(view.turn(0), turned);
    return;
  }
  const std::size_t first_turn = std::size_t{3} * view.joint->points;
  for (std::size_t i = 0; i < view.joint->turns; ++i) {
    lambda[first_turn + i] = sign * dot3(duals + 3 * i, moment);
  }
}

// E x of a joint with a point and `turns` turns: what its rows say of the motion x of one body.
template <class Size>
GELENK_ALWAYS_INLINE void point_products(const JointView& view, Size turns, const double* x, double* out) {
  const double* const s = view.arm();
  const double* const w = x + 3;
  const double sign = view.sign();
  out[0] = sign * (x[0] + (w[1] * s[2] - w[2] * s[1]));
  out[1] = sign * (x[1] + (w[2] * s[0] - w[0] * s[2]));
  out[2] = sign * (x[2] + (w[0] * s[1] - w[1] * s[0]));
  for (std::size_t i = 0; i < turns; ++i) out[3 + i] = sign * dot3(view.values + 6 + 3 * i, w);
}

// The same of a hinge: five rows.
GELENK_ALWAYS_INLINE void hinge_products(const JointView& view, const double* x, double* out) {
  point_products(view, FixedSize<2>{}, x, out);
}

// E itself, row by row.
inline void put_rows(const JointView& view, double* E) {
  const double sign = view.sign();
  std::size_t row = 0;
  if (view.joint->points != 0) {
    const double* const s = view.arm();
    // a + α × s
    const double turned[9] = {0.0, s[2], -s[1], -s[2], 0.0, s[0], s[1], -s[0], 0.0};
    for (; row < 3; ++row) {
      for (std::size_t n = 0; n < 3; ++n) {
        E[6 * row + n] = n == row ? sign : 0.0;
        E[6 * row + 3 + n] = sign * turned[3 * row + n];
      }
    }
  }
  for (std::size_t i = 0; i < view.joint->turns; ++i, ++row) {
    for (std::size_t n = 0; n < 3; ++n) {
      E[6 * row + n] = 0.0;
      E[6 * row + 3 + n] = sign * view.turn(i)[n];
    }
  }
  for (std::size_t i = 0; i < view.joint->lines; ++i, ++row) {
    const double* const l = view.line(i);
    for (std::size_t n = 0; n < 3; ++n) {
      E[6 * row + n] = sign * l[n];
      E[6 * row + 3 + n] = l[(view.is_b ? 6 : 3) + n];
    }
  }
}

// out += E x: what the rows say of the motion x of one body. First all but the point.
inline void add_axis_products(const JointView& view, const double* x, double* out) {
  const double sign = view.sign();
  std::size_t row = std::size_t{3} * view.joint->points;
  for (std::size_t i = 0; i < view.joint->turns; ++i, ++row) out[row] += sign * dot3(view.turn(i), x + 3);
  for (std::size_t i = 0; i < view.joint->lines; ++i, ++row) {
    const double* const l = view.line(i);
    out[row] += sign * dot3(l, x) + dot3(l + (view.is_b ? 6 : 3), x + 3);
  }
}
GELENK_ALWAYS_INLINE void add_row_products(const JointView& view, const double* x, double* out) {
  if (view.joint->points != 0) {
    const double sign = view.sign();
    double p[3] = {x[0], x[1], x[2]};
    add_cross(x + 3, view.arm(), p);
    for (std::size_t i = 0; i < 3; ++i) out[i] += sign * p[i];
  }
  if (view.joint->turns != 0 || view.joint->lines != 0) add_axis_products(view, x, out);
}

// wrench += Eᵀ λ on one body.
inline void add_row_wrench(const JointView& view, const double* lambda, double* wrench) {
  const double sign = view.sign();
  std::size_t row = 0;
  if (view.joint->points != 0) {
    const double f[3] = {sign * lambda[0], sign * lambda[1], sign * lambda[2]};
    for (; row < 3; ++row) wrench[row] += f[row];
    add_cross(view.arm(), f, wrench + 3);
  }
  for (std::size_t i = 0; i < view.joint->turns; ++i, ++row) {
    for (std::size_t n = 0; n < 3; ++n) wrench[3 + n] += sign * lambda[row] * view.turn(i)[n];
  }
  for (std::size_t i = 0; i < view.joint->lines; ++i, ++row) {
    const double* const l = view.line(i);
    const double* const m = l + (view.is_b ? 6 : 3);
    for (std::size_t n = 0; n < 3; ++n) {
      wrench[n] += sign * lambda[row] * l[n];
      wrench[3 + n] += lambda[row] * m[n];
    }
  }
}

}  // namespace gelenk::solve
