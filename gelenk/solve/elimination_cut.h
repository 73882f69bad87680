#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelenk/base/parallel.h"
#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_border.h"
#include "gelenk/solve/elimination_hinge.h"
#include "gelenk/solve/elimination_parts.h"
#include "gelenk/solve/rank_rule.h"

// A chain that is cut at one joint (ChainCut), included by elimination.cc only. The part at the ground tells how its
// tip moves, a_t = D τ + e, the part beyond the joint what it does to the tip, τ = -(I a_t + p); a_t follows from both.
// Equations: docs/theory/elimination.md, section 10.
namespace gelenk::solve {

template <class T>
struct Elimination<T>::CutParts {
  T phi[36];  // Φ: what unit wrenches at the tip do to the body at hand, row by row
  T D[36];
  T W[36];  // D = W Wᵀ, columns of six
  T L[36];
  T b[6];
  T e[6];
  std::size_t columns = 0;
  std::size_t carried_to = 0;          // so many ops of the path lie where the wrenches have not faded
  std::vector<std::uint32_t> touched;  // those of them whose joints they move
  std::vector<T> carried;              // P of these, rows of six
};

template <class T>
void Elimination<T>::place_cut() {
  cut_ = std::make_unique<CutParts>();
  std::size_t motions = 0;
  for (const std::int32_t op : program_.cut.path) {
    motions += static_cast<std::size_t>(program_.ops[static_cast<std::size_t>(op)].free_count);
  }
  cut_->carried.assign(6 * motions, T(0));
  cut_->touched.reserve(program_.cut.path.size());
}

// Six unit wrenches at the tip, on the body of a tree op and on their way to the ground, all at once: P = SᵀΦ goes into
// the free motion of the joint, D += Pᵀ(SᵀIS)⁻¹P, the rest on to p (10.2). False if P is zero: in a plane chain what
// has not faded passes all joints untouched.
template <class T>
bool Elimination<T>::carry_tip(std::size_t index, T* P) {
  T(&phi)[36] = cut_->phi;
  T(&D)[36] = cut_->D;
  bool is_touched = false;
  // One motion s with its load, y = I s: P = sᵀΦ w, Φ -= y P, D += PᵀP for a weight w that makes sᵀy = 1.
  const auto pass = [&](const T(&motion)[6], const T* load, T weight, T* kept) {
    T row[6] = {T(0), T(0), T(0), T(0), T(0), T(0)};
    for (std::size_t n = 0; n < 6; ++n) {
      for (std::size_t j = 0; j < 6; ++j) row[j] += motion[n] * phi[6 * n + j];
    }
    const bool is_nothing = std::all_of(row, row + 6, [](const T& x) { return x == T(0); });
    is_touched = is_touched || !is_nothing;
    if (!is_nothing) {
      T weighted[6];
      for (std::size_t j = 0; j < 6; ++j) weighted[j] = weight * row[j];
      for (std::size_t n = 0; n < 6; ++n) {
        const T y = load[n];
        for (std::size_t j = 0; j < 6; ++j) phi[6 * n + j] -= y * weighted[j];
        for (std::size_t j = 0; j < 6; ++j) D[6 * n + j] += row[n] * weighted[j];
      }
    }
    std::copy_n(row, 6, kept);
  };
  T v[3];
  if (steps_[index].shape == Shape::hinge) {
    const HingeParts& own = hinge(steps_[index]);
    const JointView<T> joint = view_of(steps_[index]);
    T S[6];
    hinge_screw(joint, S);
    pass(S, own.U, own.inverse, P);
    hinge_shift(joint, v);
  } else {
    const auto f = static_cast<std::size_t>(program_.ops[index].free_count);
    const TreeParts parts{f, at(steps_[index].own)};
    // S L⁻ᵀ, one motion after another, as the loads are
    T unit_motions[6][6];
    for (std::size_t i = 0; i < f; ++i) {
      T motion[6];
      std::copy_n(parts.motions() + 6 * i, 6, motion);
      const T* const l = parts.factor() + i * f;
      for (std::size_t k = 0; k < i; ++k) {
        for (std::size_t n = 0; n < 6; ++n) motion[n] -= l[k] * unit_motions[k][n];
      }
      for (std::size_t n = 0; n < 6; ++n) unit_motions[i][n] = motion[n] * l[i];
    }
    for (std::size_t i = 0; i < f; ++i) pass(unit_motions[i], parts.loads() + 6 * i, T(1), P + 6 * i);
    std::copy_n(parts.v(), 3, v);
  }
  // Moments about the center of p: n += v × f
  for (std::size_t j = 0; j < 6; ++j) phi[18 + j] += v[1] * phi[12 + j] - v[2] * phi[6 + j];
  for (std::size_t j = 0; j < 6; ++j) phi[24 + j] += v[2] * phi[j] - v[0] * phi[12 + j];
  for (std::size_t j = 0; j < 6; ++j) phi[30 + j] += v[0] * phi[6 + j] - v[1] * phi[j];
  return is_touched;
}

// In most poses a wrench at the tip fades on its way, by a factor for each joint. Far below rounding it is nothing at
// all; what is left of it would only slow the processor down, which has its trouble with the smallest numbers.
inline constexpr double kFaded = 1e-60;
inline constexpr std::size_t kOpsBetweenLooks = 32;

// Gives up the wrenches that have faded; whether all have.
template <class T>
bool Elimination<T>::has_tip_faded() {
  using std::abs;
  T(&phi)[36] = cut_->phi;
  bool have_all = true;
  for (std::size_t j = 0; j < 6; ++j) {
    T largest(0);
    for (std::size_t n = 0; n < 6; ++n) largest = std::max(largest, abs(phi[6 * n + j]));
    have_all = have_all && largest < T(kFaded);
    for (std::size_t n = 0; largest < T(kFaded) && n < 6; ++n) phi[6 * n + j] = T(0);
  }
  return have_all;
}

template <class T>
typename Elimination<T>::Report Elimination<T>::factor_inner(const RankRule& rule, Pass pass, Hand& hand) {
  for (std::size_t i = 0; i < 36; ++i) cut_->phi[i] = T(i % 7 == 0 ? 1 : 0);
  std::fill_n(cut_->D, 36, T(0));
  const std::vector<std::int32_t>& path = program_.cut.path;
  std::size_t first = 0;
  T* P = cut_->carried.data();
  std::size_t& carried = cut_->carried_to;
  cut_->touched.clear();
  for (carried = 0; carried < path.size(); ++carried) {
    if (carried % kOpsBetweenLooks == 0 && has_tip_faded()) break;
    const std::size_t end = static_cast<std::size_t>(path[carried]) + 1;
    const Report report = pass_range(first, end, rule, pass, hand);
    if (report.outcome != Outcome::good) return report;
    if (carry_tip(end - 1, P)) {
      P += 6 * static_cast<std::size_t>(program_.ops[end - 1].free_count);
      cut_->touched.push_back(static_cast<std::uint32_t>(carried));
    }
    first = end;
  }
  return pass_range(first, static_cast<std::size_t>(program_.cut.inner_end), rule, pass, hand);
}

// H = 1 + Wᵀ I W = L Lᵀ, I what is beyond the joint.
template <class T>
void Elimination<T>::factor_cut() {
  CutParts& cut = *cut_;
  T scaled[36];
  cut.columns = root_of_mobility(std::span<const std::int32_t>(&program_.cut.tip, 1), cut.D, scaled, cut.W);
  const Inertia<T>& I = inertias_[program_.body_count];
  const std::size_t n = cut.columns;
  for (std::size_t j = 0; j < n; ++j) {
    T load[6];
    multiply(I, cut.W + 6 * j, load);
    for (std::size_t i = j; i < n; ++i) cut.L[i * n + j] = dot6(cut.W + 6 * i, load);
    cut.L[j * n + j] += T(1);
  }
  cholesky(n, cut.L, n);
}

// The motion e of the tip by itself: down the path alone, from where the tip feels it.
template <class T>
void Elimination<T>::tip_motion() {
  T motion[6];
  const T* inner = nullptr;
  const std::vector<std::int32_t>& path = program_.cut.path;
  for (std::size_t i = cut_->carried_to; i-- > 0;) {
    const auto op = static_cast<std::size_t>(path[i]);
    if (steps_[op].shape == Shape::hinge) {
      down_hinge(steps_[op], inner, cut_->e);
    } else {
      down_tree(program_.ops[op], inner, cut_->e);
    }
    std::copy_n(cut_->e, 6, motion);
    inner = motion;
  }
}

template <class T>
void Elimination<T>::up_cut() {
  CutParts& cut = *cut_;
  T wrench[6];
  multiply(inertias_[program_.body_count], cut.e, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += bias_[6 * program_.body_count + i];
  for (std::size_t j = 0; j < cut.columns; ++j) cut.b[j] = dot6(cut.W + 6 * j, wrench);
  solve_lower(cut.columns, cut.L, cut.columns, cut.b);
}

// y = -L⁻ᵀ b, a_t = e + W y, τ = -(I a_t + p)
template <class T>
void Elimination<T>::down_cut(T* a, T* wrench) {
  CutParts& cut = *cut_;
  T y[6];
  for (std::size_t j = 0; j < cut.columns; ++j) y[j] = -cut.b[j];
  solve_lower_transposed(cut.columns, cut.L, cut.columns, y);
  T* const tip = a + 6 * static_cast<std::size_t>(program_.cut.tip);
  std::copy_n(cut.e, 6, tip);
  for (std::size_t j = 0; j < cut.columns; ++j) {
    for (std::size_t i = 0; i < 6; ++i) tip[i] += y[j] * cut.W[6 * j + i];
  }
  multiply(inertias_[program_.body_count], tip, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] = -(wrench[i] + bias_[6 * program_.body_count + i]);
}

// What the wrench at the tip adds to the motion of the joints on the path, z -= P τ; and, where reactions are wanted,
// to the wrenches on its bodies.
template <class T>
void Elimination<T>::load_path(const T* wrench, bool wants_reactions) {
  const T* P = cut_->carried.data();
  // `left`: what arrives at the joint, less what goes into its motion
  const auto move_joint = [&](std::size_t index, T* left) {
    const auto f = static_cast<std::size_t>(program_.ops[index].free_count);
    for (std::size_t i = 0; i < f; ++i, P += 6) {
      T z = dot6(P, wrench);
      const T* U = nullptr;
      if (steps_[index].shape == Shape::hinge) {
        HingeParts& own = hinge(steps_[index]);
        z *= own.inverse;
        own.z -= z;
        U = own.U;
      } else {
        const TreeParts parts{f, at(steps_[index].own)};
        parts.z()[i] -= z;
        U = parts.loads() + 6 * i;
      }
      for (std::size_t n = 0; left != nullptr && n < 6; ++n) left[n] -= z * U[n];
    }
  };
  const std::vector<std::int32_t>& path = program_.cut.path;
  if (!wants_reactions) {
    for (const std::uint32_t k : cut_->touched) move_joint(static_cast<std::size_t>(path[k]), nullptr);
    return;
  }
  T t[6];
  std::copy_n(wrench, 6, t);
  std::size_t next = 0;
  for (std::size_t k = 0; k < cut_->carried_to; ++k) {
    const auto index = static_cast<std::size_t>(path[k]);
    T* const p = &bias_[6 * static_cast<std::size_t>(program_.ops[index].body)];
    for (std::size_t i = 0; i < 6; ++i) p[i] -= t[i];
    if (next < cut_->touched.size() && cut_->touched[next] == k) {
      move_joint(index, t);
      ++next;
    }
    T v[3];
    if (steps_[index].shape == Shape::hinge) {
      hinge_shift(view_of(steps_[index]), v);
    } else {
      std::copy_n(TreeParts{static_cast<std::size_t>(program_.ops[index].free_count), at(steps_[index].own)}.v(), 3, v);
    }
    add_cross(v, t, t + 3);
  }
}

template <class T>
typename Elimination<T>::Report Elimination<T>::factor_cut_chain(const RankRule& rule, Pass pass) {
  const ChainCut& cut = program_.cut;
  const auto inner_end = static_cast<std::size_t>(cut.inner_end);
  const auto joint_op = static_cast<std::size_t>(cut.joint_op);
  const bool sweeps_up = pass != Pass::factor;
  Report parts[2];
  for_each_part(2, [&](std::size_t part) {
    Hand hand;  // each has its own, on its own stack: two in one line of the cache would hold up each other
    parts[part] = part == 0 ? factor_inner(rule, pass, hand) : pass_range(inner_end, joint_op, rule, pass, hand);
    if (part == 0 && sweeps_up && parts[0].outcome == Outcome::good) tip_motion();
  });
  for (const Report& part : parts) {
    if (part.outcome != Outcome::good) return part;
  }
  Hand hand;
  const Report joint = pass_range(joint_op, joint_op + 1, rule, pass, hand);
  if (joint.outcome != Outcome::good) return joint;
  factor_cut();
  if (sweeps_up) up_cut();
  return pass_range(joint_op + 1, steps_.size(), rule, pass, hand);
}

template <class T>
void Elimination<T>::up_cut_chain() {
  const ChainCut& cut = program_.cut;
  const auto inner_end = static_cast<std::size_t>(cut.inner_end);
  const auto joint_op = static_cast<std::size_t>(cut.joint_op);
  for_each_part(2, [&](std::size_t part) {
    if (part == 0) {
      up_range(0, inner_end);
      tip_motion();
    } else {
      up_range(inner_end, joint_op);
    }
  });
  up_range(joint_op, joint_op + 1);
  up_cut();
  up_range(joint_op + 1, steps_.size());
}

template <class T>
void Elimination<T>::down_cut_chain(T* a, T* lambda) {
  const ChainCut& cut = program_.cut;
  const auto inner_end = static_cast<std::size_t>(cut.inner_end);
  const auto joint_op = static_cast<std::size_t>(cut.joint_op);
  down_range(joint_op + 1, steps_.size(), a, lambda);
  T wrench[6];
  down_cut(a, wrench);
  down_tree_op(joint_op, a + 6 * static_cast<std::size_t>(cut.tip), a, lambda);
  for_each_part(2, [&](std::size_t part) {
    if (part == 1) {
      down_range(inner_end, joint_op, a, lambda);
      return;
    }
    load_path(wrench, lambda != nullptr);
    const auto tip_op = static_cast<std::size_t>(cut.path[0]);
    down_range(tip_op + 1, inner_end, a, lambda);
    // The motion of the tip is known, and in use on the other side.
    if (lambda != nullptr) tree_op_reaction(tip_op, a, lambda);
    down_range(0, tip_op, a, lambda);
  });
}

}  // namespace gelenk::solve
