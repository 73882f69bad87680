#pragma once

#include <algorithm>
#include <cstddef>

#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_parts.h"
#include "gelenk/solve/elimination_tree.h"
#include "gelenk/solve/fixed_sizes.h"

// A body joins a front by the free motion of one joint; included by elimination.cc only. Equations:
// docs/theory/elimination.md.
namespace gelenk::solve {

// H = diag(1, 0) + Jᵀ I J = L Lᵀ and J := J L⁻ᵀ. The first `before` columns of J are not set yet: X W_p, or zero
// without a W_p.
template <class T, class Body, class Before, class Size>
GELENK_ALWAYS_INLINE void factor_columns(const Body& I, const T* __restrict v, const T* __restrict W,
                                         std::size_t height, Before before, Size n, T* __restrict J, T* __restrict L) {
  for (std::size_t j = 0; j < before; ++j) {
    if (W != nullptr) {
      shift_motion(v, W + j * height, J + 6 * j);
    } else {
      std::fill_n(J + 6 * j, 6, T(0));
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    T load[6];
    multiply(I, J + 6 * j, load);
    for (std::size_t i = j; i < n; ++i) L[i * n + j] = dot6(J + 6 * i, load);
    if (j < before) L[j * n + j] += T(1);
  }
  cholesky(n, L, n);
  for (std::size_t j = 0; j < n; ++j) {
    T* const column = J + 6 * j;
    for (std::size_t i = 0; i < j; ++i) {
      const T l = L[j * n + i];
      for (std::size_t m = 0; m < 6; ++m) column[m] -= l * J[6 * i + m];
    }
    for (std::size_t m = 0; m < 6; ++m) column[m] *= L[j * n + j];
  }
}

template <class T>
template <bool is_plain>
typename Elimination<T>::AttachParts Elimination<T>::attach_parts(const Place& place) {
  return {static_cast<std::size_t>(place.columns), is_plain ? kHingeDuals : place.duals, at(place.own)};
}

template <class T>
template <bool is_plain>
typename Elimination<T>::Outcome Elimination<T>::factor_attach(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const AttachParts parts = attach_parts<is_plain>(place);
  const bool is_bare = is_plain || place.is_bare;
  const std::size_t f = is_plain ? 1 : static_cast<std::size_t>(op.free_count);
  const std::int32_t source = op.source[0];
  const std::size_t before = source == kNone ? 0 : columns(static_cast<std::size_t>(source));
  const std::size_t n = before + f;
  T* const J = parts.motions();
  T* const L = parts.factor();
  if (is_plain || place.is_hinge) {
    const T square = hinge_motion(view_of(steps_[index]), parts.v(), J + 6 * before);
    copy3(J + 6 * before + 3, parts.kept());
    parts.kept()[3] = T(1) / square;
    if (!(square > T(kLostJoint * kLostJoint))) return Outcome::joint_lost_rank;
  } else {
    const bool is_on_ground = op.parent_place == kNone && op.base == kNone;
    if (!joint_motion(op, is_on_ground ? nullptr : parts.v(), J + 6 * before, parts.kept())) {
      return Outcome::joint_lost_rank;
    }
  }
  const auto body = static_cast<std::size_t>(op.body);
  if (is_bare) put_bare_inertia(body, inertias_[body]);
  const std::size_t height =
      source == kNone ? 0 : 6 * static_cast<std::size_t>(program_.ops[static_cast<std::size_t>(source)].live_count);
  const T* const W = op.parent_place == kNone ? nullptr
                                              : at(places_[static_cast<std::size_t>(source)].W) +
                                                    6 * static_cast<std::size_t>(op.parent_place);
  with_inertia(is_bare, op.body, [&](const auto& I) GELENK_INLINE_LAMBDA {
    if (f != 1) {
      factor_columns(I, parts.v(), W, height, before, n, J, L);
      return;
    }
    with_fixed_size(n, [&](auto size) GELENK_INLINE_LAMBDA {
      if constexpr (std::is_same_v<decltype(size), std::size_t>) {
        factor_columns(I, parts.v(), W, height, before, size, J, L);
      } else {
        factor_columns(I, parts.v(), W, height, FixedSize<size - 1>{}, size, J, L);
      }
    });
  });
  columns_[index] = static_cast<std::int32_t>(n);
  if (!place.is_alone) attach_front(op, index, before);
  if (!is_plain && op.base != kNone) attach_base(op, index);
  return Outcome::good;
}

// W' = [W 0; J] L⁻ᵀ on the bodies that stay alive, column by column. The rows of the attached body are J L⁻ᵀ.
template <class T>
void Elimination<T>::attach_front(const Op& op, std::size_t index, std::size_t before) {
  const Place& place = places_[index];
  const AttachParts parts = attach_parts<false>(place);
  const std::size_t n = columns(index);
  const T* const L = parts.factor();
  const auto live = static_cast<std::size_t>(op.live_count);
  const std::span<const std::int32_t> kept = program_.kept_of(op);
  const auto source = static_cast<std::size_t>(op.source[0]);
  const auto source_live = op.source[0] == kNone ? 0 : static_cast<std::size_t>(program_.ops[source].live_count);
  T* const W = at(place.W);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t b = 0; b < live; ++b) {
      const auto where = static_cast<std::size_t>(kept[b]);
      T* const to = W + j * 6 * live + 6 * b;
      if (where == source_live) {
        copy6(parts.motions() + 6 * j, to);
        continue;
      }
      if (j < before) {
        copy6(at(places_[source].W) + j * 6 * source_live + 6 * where, to);
      } else {
        std::fill_n(to, 6, T(0));
      }
      for (std::size_t i = 0; i < j; ++i) {
        const T l = L[j * n + i];
        const T* const other = W + i * 6 * live + 6 * b;
        for (std::size_t m = 0; m < 6; ++m) to[m] -= l * other[m];
      }
      for (std::size_t m = 0; m < 6; ++m) to[m] *= L[j * n + j];
    }
  }
}

// Φ_k of the attached body follows that of p, or is X when p is the base itself. B = L⁻¹ Jᵀ I Φ_k couples it with the
// columns of W; I_b += Φ_kᵀ I Φ_k - BᵀB.
template <class T>
void Elimination<T>::attach_base(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const AttachParts parts = attach_parts<false>(place);
  const std::size_t n = columns(index);
  const std::int32_t source = op.source[0];
  const Place* const from = source == kNone ? nullptr : &places_[static_cast<std::size_t>(source)];
  const T* const before = from == nullptr ? nullptr : at(from->Ib);
  put_base_motion(op, parts);
  with_fixed_size(n, [&](auto size) {
    with_inertia(place.is_bare, op.body, [&](const auto& I) { couple_base(op, parts, I, before, at(place.Ib), size); });
    if (!place.is_alone) return;
    T* const phi = at(place.phi);
    for (std::size_t j = 0; j < 6; ++j) {
      T column[6];
      for (std::size_t m = 0; m < 6; ++m) column[m] = parts.phi()[6 * j + m];
      for (std::size_t i = 0; i < size; ++i) {
        const T b = parts.base_part()[j * size + i];
        for (std::size_t m = 0; m < 6; ++m) column[m] -= b * parts.motions()[6 * i + m];
      }
      for (std::size_t m = 0; m < 6; ++m) phi[6 * j + m] = column[m];
    }
  });
  if (place.is_alone) return;

  const std::size_t source_live =
      source == kNone ? 0 : static_cast<std::size_t>(program_.ops[static_cast<std::size_t>(source)].live_count);
  const auto live = static_cast<std::size_t>(op.live_count);
  const std::span<const std::int32_t> kept = program_.kept_of(op);
  const T* const W = at(place.W);
  for (std::size_t j = 0; j < 6; ++j) {
    T* const column = at(place.phi) + j * 6 * live;
    for (std::size_t b = 0; b < live; ++b) {
      const auto where = static_cast<std::size_t>(kept[b]);
      const T* const old = where == source_live ? parts.phi() + 6 * j : at(from->phi) + j * 6 * source_live + 6 * where;
      for (std::size_t m = 0; m < 6; ++m) column[6 * b + m] = old[m];
    }
    for (std::size_t i = 0; i < n; ++i) {
      const T b = parts.base_part()[j * n + i];
      for (std::size_t m = 0; m < 6 * live; ++m) column[m] -= b * W[i * 6 * live + m];
    }
  }
}

template <class T>
void Elimination<T>::put_base_motion(const Op& op, const AttachParts& parts) {
  T* const phi = parts.phi();
  if (op.is_free) {
    std::fill_n(phi, 36, T(0));
    return;
  }
  const T* const v = parts.v();
  if (op.parent_place == kNone) {                                                   // X itself
    const T turned[9] = {T(0), -v[2], v[1], v[2], T(0), -v[0], -v[1], v[0], T(0)};  // e_j × v
    each6([&](std::size_t j) GELENK_INLINE_LAMBDA {
      each6([&](std::size_t m) GELENK_INLINE_LAMBDA {
        phi[6 * j + m] = j >= 3 && m < 3 ? turned[3 * (j - 3) + m] : T(j == m ? 1 : 0);
      });
    });
    return;
  }
  const auto source = static_cast<std::size_t>(op.source[0]);
  const std::size_t height = 6 * static_cast<std::size_t>(program_.ops[source].live_count);
  const T* const inner = at(places_[source].phi) + 6 * static_cast<std::size_t>(op.parent_place);
  for (std::size_t j = 0; j < 6; ++j) shift_motion(v, inner + j * height, phi + 6 * j);
}

template <class T>
template <class Body, class Size>
void Elimination<T>::couple_base(const Op& op, const AttachParts& parts, const Body& I, const T* before,
                                 T* base_inertia, Size n) {
  const T* const phi = parts.phi();
  T* const B = parts.base_part();
  for (std::size_t i = 0; i < n; ++i) {
    T load[6];
    multiply(I, parts.motions() + 6 * i, load);
    if (is_on_base(op)) {
      add_cross(parts.v(), load, load + 3);
      for (std::size_t j = 0; j < 6; ++j) B[j * n + i] = load[j];
    } else {
      for (std::size_t j = 0; j < 6; ++j) B[j * n + i] = dot6(phi + 6 * j, load);
    }
  }
  const auto add = [&](std::size_t j, std::size_t k, T sum) {
    for (std::size_t i = 0; i < n; ++i) sum -= B[k * n + i] * B[j * n + i];
    base_inertia[6 * j + k] = before == nullptr ? sum : before[6 * j + k] + sum;  // the lower half is enough
  };
  if (is_on_base(op)) {
    Inertia<T> moved;
    moved.set_zero();
    add_shifted_inertia(parts.v(), I, moved);
    T full[36];
    put_full(moved, full);
    for (std::size_t j = 0; j < 6; ++j) {
      for (std::size_t k = 0; k <= j; ++k) add(j, k, full[6 * j + k]);
    }
    return;
  }
  for (std::size_t j = 0; j < 6; ++j) {
    T load[6];
    multiply(I, phi + 6 * j, load);
    for (std::size_t k = 0; k <= j; ++k) add(j, k, dot6(phi + 6 * k, load));
  }
}

template <class T>
template <bool is_plain>
void Elimination<T>::up_attach(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const Step& step = steps_[index];
  const AttachParts parts = attach_parts<is_plain>(place);
  const bool is_bare = is_plain || place.is_bare;
  const std::size_t body = 6 * static_cast<std::size_t>(step.body);
  const std::int32_t source = op.source[0];
  const Place* const from = source == kNone ? nullptr : &places_[static_cast<std::size_t>(source)];
  T c[6];
  if (is_plain || place.is_hinge) {
    hinge_bias(view_of(step), parts.kept(), parts.kept()[3], u_ + step.first_row, c);
  } else {
    T bias[6];  // c itself is given to no function that is called, else it would have to be in the memory
    joint_bias(op, parts.kept(), bias);
    copy6(bias, c);
  }
  if (op.parent_place != kNone && (is_plain || !op.is_free)) {
    T moved[6];
    shift_motion(parts.v(), at(from->r) + 6 * static_cast<std::size_t>(op.parent_place), moved);
    each6([&](std::size_t i) GELENK_INLINE_LAMBDA { c[i] += moved[i]; });
  }
  copy6(c, parts.c());
  T wrench[6];
  with_inertia(is_bare, step.body, [&](const auto& I) GELENK_INLINE_LAMBDA { multiply(I, c, wrench); });
  if (is_bare) {
    each6([&](std::size_t i) GELENK_INLINE_LAMBDA { wrench[i] -= f_[body + i]; });
  } else {
    each6([&](std::size_t i) GELENK_INLINE_LAMBDA { wrench[i] += bias_[body + i]; });
  }
  T* const b = parts.b();
  with_fixed_size(columns(index), [&](auto n) GELENK_INLINE_LAMBDA {
    for (std::size_t i = 0; i < n; ++i) {
      const T* const column = parts.motions() + 6 * i;
      const T load = dot6(column, wrench);
      b[i] = load;
      each6([&](std::size_t m) GELENK_INLINE_LAMBDA { c[m] -= load * column[m]; });
    }
    if (!is_plain && op.base != kNone)
      up_attach_base(op, parts, wrench, from == nullptr ? nullptr : at(from->pb), at(place.pb), n);
  });
  if (place.is_alone) {
    copy6(c, at(place.r));
  } else {
    up_attach_front(op, index);
  }
}

// p_b' = p_b + Φ_kᵀ (p_k + I_k c) - Bᵀ b
template <class T>
template <class Size>
GELENK_ALWAYS_INLINE void Elimination<T>::up_attach_base(const Op& op, const AttachParts& parts, const T* wrench,
                                                         const T* before, T* pb, Size n) {
  T sum[6];
  each6([&](std::size_t j) GELENK_INLINE_LAMBDA { sum[j] = before == nullptr ? T(0) : before[j]; });
  if (is_on_base(op)) {
    add_shifted_wrench(parts.v(), wrench, sum);
  } else {
    each6([&](std::size_t j) GELENK_INLINE_LAMBDA { sum[j] += dot6(parts.phi() + 6 * j, wrench); });
  }
  each6([&](std::size_t j) GELENK_INLINE_LAMBDA {
    for (std::size_t i = 0; i < n; ++i) sum[j] -= parts.base_part()[j * n + i] * parts.b()[i];
    pb[j] = sum[j];
  });
}

// r' = [r; c] - W' b on the bodies that stay alive.
template <class T>
void Elimination<T>::up_attach_front(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const AttachParts parts = attach_parts<false>(place);
  const auto live = static_cast<std::size_t>(op.live_count);
  const std::span<const std::int32_t> kept = program_.kept_of(op);
  const auto source = static_cast<std::size_t>(op.source[0]);
  const auto source_live = op.source[0] == kNone ? 0 : static_cast<std::size_t>(program_.ops[source].live_count);
  T* const r = at(place.r);
  for (std::size_t k = 0; k < live; ++k) {
    const auto where = static_cast<std::size_t>(kept[k]);
    copy6(where == source_live ? parts.c() : at(places_[source].r) + 6 * where, r + 6 * k);
  }
  const T* const W = at(place.W);
  for (std::size_t j = 0; j < columns(index); ++j) {
    for (std::size_t m = 0; m < 6 * live; ++m) r[m] -= parts.b()[j] * W[j * 6 * live + m];
  }
}

template <class T>
template <bool is_plain>
void Elimination<T>::down_attach(const Op& op, std::size_t index, T* a, T* lambda) {
  const Place& place = places_[index];
  const AttachParts parts = attach_parts<is_plain>(place);
  T* const ours = a + 6 * static_cast<std::size_t>(op.body);
  const T* const y = at(place.y);
  with_fixed_size(columns(index), [&](auto n) GELENK_INLINE_LAMBDA {
    T few[kMostFixed];
    T* const x = n <= kMostFixed ? few : line_.data();
    T sum[6];
    for (std::size_t i = 0; i < n; ++i) x[i] = y[i] - parts.b()[i];
    copy6(parts.c(), sum);
    if (!is_plain && op.base != kNone) {
      const T* const base = a + 6 * static_cast<std::size_t>(op.base);
      for (std::size_t j = 0; j < 6; ++j) {
        for (std::size_t i = 0; i < n; ++i) x[i] -= parts.base_part()[j * n + i] * base[j];
      }
      if (is_on_base(op)) {
        T moved[6];
        shift_motion(parts.v(), base, moved);
        each6([&](std::size_t i) GELENK_INLINE_LAMBDA { sum[i] += moved[i]; });
      } else {
        for (std::size_t j = 0; j < 6; ++j) {
          each6([&](std::size_t i) GELENK_INLINE_LAMBDA { sum[i] += base[j] * parts.phi()[6 * j + i]; });
        }
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      each6([&](std::size_t i) GELENK_INLINE_LAMBDA { sum[i] += x[j] * parts.motions()[6 * j + i]; });
    }
    copy6(sum, ours);
    if (op.source[0] == kNone) return;
    solve_lower_transposed(n, parts.factor(), n, x);
    const auto from = static_cast<std::size_t>(op.source[0]);
    T* const to = at(places_[from].y);
    const std::size_t count = is_plain ? n - 1 : columns(from);
    for (std::size_t i = 0; i < count; ++i) to[i] = x[i];
  });
  if (lambda != nullptr && !op.is_free) attach_reaction(op, index, ours, lambda);
}

template <class T>
void Elimination<T>::attach_reaction(const Op& op, std::size_t index, const T* ours, T* lambda) {
  const Place& place = places_[index];
  const std::size_t body = 6 * static_cast<std::size_t>(op.body);
  T wrench[6];
  with_inertia(place.is_bare, op.body, [&](const auto& I) { multiply(I, ours, wrench); });
  for (std::size_t i = 0; i < 6; ++i) {
    wrench[i] += (place.is_bare ? -f_[body + i] : bias_[body + i]) - loads_[body + i];
  }
  joint_reaction(op, attach_parts<false>(place).kept(), wrench, lambda);
  if (op.parent_place == kNone) return;
  const JointView<T> inner = view(op.joint, !op.is_b);
  const std::int32_t parent = inner.is_b ? inner.joint->b : inner.joint->a;
  add_row_wrench(inner, lambda + inner.joint->first_row, &loads_[6 * static_cast<std::size_t>(parent)]);
}

}  // namespace gelenk::solve
