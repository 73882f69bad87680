#include "gelenk/solve/ops/attach.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "gelenk/base/index.h"
#include "gelenk/solve/fixed_sizes.h"
#include "gelenk/solve/ops/joint_passage.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {
namespace {

// To the base itself, so that Φ_k = X
bool is_on_base(const Op& op) { return op.parent_place == kNone && !op.is_free; }

// H = diag(1, 0) + Jᵀ I J = L Lᵀ and J := J L⁻ᵀ. The first `before` columns of J are not set yet: X W_p, or zero
// without a W_p.
template <class Body, class Before, class Size>
GELENK_ALWAYS_INLINE void factor_columns(const Body& I, const double* __restrict v, const double* __restrict W,
                                         std::size_t height, Before before, Size n, double* __restrict J,
                                         double* __restrict L) {
  for (std::size_t j = 0; j < before; ++j) {
    if (W != nullptr) {
      shift_motion(v, W + j * height, J + 6 * j);
    } else {
      std::fill_n(J + 6 * j, 6, 0.0);
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    double load[6];
    multiply(I, J + 6 * j, load);
    for (std::size_t i = j; i < n; ++i) L[i * n + j] = dot6(J + 6 * i, load);
    if (j < before) L[j * n + j] += 1.0;
  }
  cholesky(n, L, n);
  for (std::size_t j = 0; j < n; ++j) {
    double* const column = J + 6 * j;
    for (std::size_t i = 0; i < j; ++i) {
      const double l = L[j * n + i];
      for (std::size_t m = 0; m < 6; ++m) column[m] -= l * J[6 * i + m];
    }
    for (std::size_t m = 0; m < 6; ++m) column[m] *= L[j * n + j];
  }
}

template <bool is_plain>
AttachParts attach_parts(OpData& data, const Place& place) {
  return {at(place.columns), is_plain ? kHingeDuals : place.duals, data.at(place.own)};
}

// W' = [W 0; J] L⁻ᵀ on the bodies that stay alive, column by column. The rows of the attached body are J L⁻ᵀ.
void attach_front(OpData& data, const Op& op, std::size_t index, std::size_t before) {
  const Place& place = data.places[index];
  const AttachParts parts = attach_parts<false>(data, place);
  const std::size_t n = data.columns(index);
  const double* const L = parts.factor();
  const auto live = at(op.live_count);
  const std::span<const std::int32_t> kept = data.program.kept_of(op);
  const auto source = at(op.source[0]);
  const auto source_live = op.source[0] == kNone ? 0 : at(data.program.ops[source].live_count);
  double* const W = data.at(place.W);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t b = 0; b < live; ++b) {
      const auto where = at(kept[b]);
      double* const to = W + j * 6 * live + 6 * b;
      if (where == source_live) {
        copy6(parts.motions() + 6 * j, to);
        continue;
      }
      if (j < before) {
        copy6(data.at(data.places[source].W) + j * 6 * source_live + 6 * where, to);
      } else {
        std::fill_n(to, 6, 0.0);
      }
      for (std::size_t i = 0; i < j; ++i) {
        const double l = L[j * n + i];
        const double* const other = W + i * 6 * live + 6 * b;
        for (std::size_t m = 0; m < 6; ++m) to[m] -= l * other[m];
      }
      for (std::size_t m = 0; m < 6; ++m) to[m] *= L[j * n + j];
    }
  }
}

void put_base_motion(OpData& data, const Op& op, const AttachParts& parts) {
  double* const phi = parts.phi();
  if (op.is_free) {
    std::fill_n(phi, 36, 0.0);
    return;
  }
  const double* const v = parts.v();
  if (op.parent_place == kNone) {                                                     // X itself
    const double turned[9] = {0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0};  // e_j × v
    each6([&](std::size_t j) GELENK_INLINE_LAMBDA {
      each6([&](std::size_t m) GELENK_INLINE_LAMBDA {
        phi[6 * j + m] = j >= 3 && m < 3 ? turned[3 * (j - 3) + m] : (j == m ? 1.0 : 0.0);
      });
    });
    return;
  }
  const auto source = at(op.source[0]);
  const std::size_t height = 6 * at(data.program.ops[source].live_count);
  const double* const inner = data.at(data.places[source].phi) + 6 * at(op.parent_place);
  for (std::size_t j = 0; j < 6; ++j) shift_motion(v, inner + j * height, phi + 6 * j);
}

template <class Body, class Size>
void couple_base(const Op& op, const AttachParts& parts, const Body& I, const double* before, double* base_inertia,
                 Size n) {
  const double* const phi = parts.phi();
  double* const B = parts.base_part();
  for (std::size_t i = 0; i < n; ++i) {
    double load[6];
    multiply(I, parts.motions() + 6 * i, load);
    if (is_on_base(op)) {
      add_cross(parts.v(), load, load + 3);
      for (std::size_t j = 0; j < 6; ++j) B[j * n + i] = load[j];
    } else {
      for (std::size_t j = 0; j < 6; ++j) B[j * n + i] = dot6(phi + 6 * j, load);
    }
  }
  const auto add = [&](std::size_t j, std::size_t k, double sum) {
    for (std::size_t i = 0; i < n; ++i) sum -= B[k * n + i] * B[j * n + i];
    base_inertia[6 * j + k] = before == nullptr ? sum : before[6 * j + k] + sum;  // the lower half is enough
  };
  if (is_on_base(op)) {
    Inertia moved;
    moved.set_zero();
    add_shifted_inertia(parts.v(), I, moved);
    double full[36];
    put_full(moved, full);
    for (std::size_t j = 0; j < 6; ++j) {
      for (std::size_t k = 0; k <= j; ++k) add(j, k, full[6 * j + k]);
    }
    return;
  }
  for (std::size_t j = 0; j < 6; ++j) {
    double load[6];
    multiply(I, phi + 6 * j, load);
    for (std::size_t k = 0; k <= j; ++k) add(j, k, dot6(phi + 6 * k, load));
  }
}

// Φ_k of the attached body follows that of p, or is X when p is the base itself. B = L⁻¹ Jᵀ I Φ_k couples it with the
// columns of W; I_b += Φ_kᵀ I Φ_k - BᵀB.
void attach_base(OpData& data, const Op& op, std::size_t index) {
  const Place& place = data.places[index];
  const AttachParts parts = attach_parts<false>(data, place);
  const std::size_t n = data.columns(index);
  const std::int32_t source = op.source[0];
  const Place* const from = source == kNone ? nullptr : &data.places[at(source)];
  const double* const before = from == nullptr ? nullptr : data.at(from->Ib);
  put_base_motion(data, op, parts);
  with_fixed_size(n, [&](auto size) {
    with_inertia(data, place.is_bare, op.body,
                 [&](const auto& I) { couple_base(op, parts, I, before, data.at(place.Ib), size); });
    if (!place.is_alone) return;
    double* const phi = data.at(place.phi);
    for (std::size_t j = 0; j < 6; ++j) {
      double column[6];
      for (std::size_t m = 0; m < 6; ++m) column[m] = parts.phi()[6 * j + m];
      for (std::size_t i = 0; i < size; ++i) {
        const double b = parts.base_part()[j * size + i];
        for (std::size_t m = 0; m < 6; ++m) column[m] -= b * parts.motions()[6 * i + m];
      }
      for (std::size_t m = 0; m < 6; ++m) phi[6 * j + m] = column[m];
    }
  });
  if (place.is_alone) return;

  const std::size_t source_live = source == kNone ? 0 : at(data.program.ops[at(source)].live_count);
  const auto live = at(op.live_count);
  const std::span<const std::int32_t> kept = data.program.kept_of(op);
  const double* const W = data.at(place.W);
  for (std::size_t j = 0; j < 6; ++j) {
    double* const column = data.at(place.phi) + j * 6 * live;
    for (std::size_t b = 0; b < live; ++b) {
      const auto where = at(kept[b]);
      const double* const old =
          where == source_live ? parts.phi() + 6 * j : data.at(from->phi) + j * 6 * source_live + 6 * where;
      for (std::size_t m = 0; m < 6; ++m) column[6 * b + m] = old[m];
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double b = parts.base_part()[j * n + i];
      for (std::size_t m = 0; m < 6 * live; ++m) column[m] -= b * W[i * 6 * live + m];
    }
  }
}

template <bool is_plain>
OpOutcome factor_any_attach(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const AttachParts parts = attach_parts<is_plain>(data, place);
  const bool is_bare = is_plain || place.is_bare;
  const std::size_t f = is_plain ? 1 : at(op.free_count);
  const std::int32_t source = op.source[0];
  const std::size_t before = source == kNone ? 0 : data.columns(at(source));
  const std::size_t n = before + f;
  double* const J = parts.motions();
  double* const L = parts.factor();
  if (is_plain || place.is_hinge) {
    const double square = hinge_motion(data.view_of(data.steps[index]), parts.v(), J + 6 * before);
    copy3(J + 6 * before + 3, parts.kept());
    parts.kept()[3] = 1.0 / square;
    if (!(square > kLostJoint * kLostJoint)) return OpOutcome::joint_lost_rank;
  } else {
    const bool is_on_ground = op.parent_place == kNone && op.base == kNone;
    if (!joint_motion(data, op, is_on_ground ? nullptr : parts.v(), J + 6 * before, parts.kept())) {
      return OpOutcome::joint_lost_rank;
    }
  }
  const auto body = at(op.body);
  if (is_bare) put_bare_inertia(data, body, data.inertias[body]);
  const std::size_t height = source == kNone ? 0 : 6 * at(data.program.ops[at(source)].live_count);
  const double* const W =
      op.parent_place == kNone ? nullptr : data.at(data.places[at(source)].W) + 6 * at(op.parent_place);
  with_inertia(data, is_bare, op.body, [&](const auto& I) GELENK_INLINE_LAMBDA {
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
  data.column_counts[index] = static_cast<std::int32_t>(n);
  if (!place.is_alone) attach_front(data, op, index, before);
  if (!is_plain && op.base != kNone) attach_base(data, op, index);
  return OpOutcome::good;
}

// p_b' = p_b + Φ_kᵀ (p_k + I_k c) - Bᵀ b
template <class Size>
GELENK_ALWAYS_INLINE void up_attach_base(const Op& op, const AttachParts& parts, const double* wrench,
                                         const double* before, double* pb, Size n) {
  double sum[6];
  each6([&](std::size_t j) GELENK_INLINE_LAMBDA { sum[j] = before == nullptr ? 0.0 : before[j]; });
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
void up_attach_front(OpData& data, const Op& op, std::size_t index) {
  const Place& place = data.places[index];
  const AttachParts parts = attach_parts<false>(data, place);
  const auto live = at(op.live_count);
  const std::span<const std::int32_t> kept = data.program.kept_of(op);
  const auto source = at(op.source[0]);
  const auto source_live = op.source[0] == kNone ? 0 : at(data.program.ops[source].live_count);
  double* const r = data.at(place.r);
  for (std::size_t k = 0; k < live; ++k) {
    const auto where = at(kept[k]);
    copy6(where == source_live ? parts.c() : data.at(data.places[source].r) + 6 * where, r + 6 * k);
  }
  const double* const W = data.at(place.W);
  for (std::size_t j = 0; j < data.columns(index); ++j) {
    for (std::size_t m = 0; m < 6 * live; ++m) r[m] -= parts.b()[j] * W[j * 6 * live + m];
  }
}

template <bool is_plain>
void up_any_attach(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const Step& step = data.steps[index];
  const AttachParts parts = attach_parts<is_plain>(data, place);
  const bool is_bare = is_plain || place.is_bare;
  const std::size_t body = 6 * at(step.body);
  const std::int32_t source = op.source[0];
  const Place* const from = source == kNone ? nullptr : &data.places[at(source)];
  double c[6];
  if (is_plain || place.is_hinge) {
    hinge_bias(data.view_of(step), parts.kept(), parts.kept()[3], data.u + step.first_row, c);
  } else {
    double bias[6];  // c itself is given to no function that is called, else it would have to be in the memory
    joint_bias(data, op, parts.kept(), bias);
    copy6(bias, c);
  }
  if (op.parent_place != kNone && (is_plain || !op.is_free)) {
    double moved[6];
    shift_motion(parts.v(), data.at(from->r) + 6 * at(op.parent_place), moved);
    each6([&](std::size_t i) GELENK_INLINE_LAMBDA { c[i] += moved[i]; });
  }
  copy6(c, parts.c());
  double wrench[6];
  with_inertia(data, is_bare, step.body, [&](const auto& I) GELENK_INLINE_LAMBDA { multiply(I, c, wrench); });
  if (is_bare) {
    each6([&](std::size_t i) GELENK_INLINE_LAMBDA { wrench[i] -= data.f[body + i]; });
  } else {
    each6([&](std::size_t i) GELENK_INLINE_LAMBDA { wrench[i] += data.bias[body + i]; });
  }
  double* const b = parts.b();
  with_fixed_size(data.columns(index), [&](auto n) GELENK_INLINE_LAMBDA {
    for (std::size_t i = 0; i < n; ++i) {
      const double* const column = parts.motions() + 6 * i;
      const double load = dot6(column, wrench);
      b[i] = load;
      each6([&](std::size_t m) GELENK_INLINE_LAMBDA { c[m] -= load * column[m]; });
    }
    if (!is_plain && op.base != kNone)
      up_attach_base(op, parts, wrench, from == nullptr ? nullptr : data.at(from->pb), data.at(place.pb), n);
  });
  if (place.is_alone) {
    copy6(c, data.at(place.r));
  } else {
    up_attach_front(data, op, index);
  }
}

void attach_reaction(OpData& data, const Op& op, std::size_t index, const double* ours, double* lambda) {
  const Place& place = data.places[index];
  const std::size_t body = 6 * at(op.body);
  double wrench[6];
  with_inertia(data, place.is_bare, op.body, [&](const auto& I) { multiply(I, ours, wrench); });
  for (std::size_t i = 0; i < 6; ++i) {
    wrench[i] += (place.is_bare ? -data.f[body + i] : data.bias[body + i]) - data.loads[body + i];
  }
  joint_reaction(data, op, attach_parts<false>(data, place).kept(), wrench, lambda);
  if (op.parent_place == kNone) return;
  const JointView inner = data.view(op.joint, !op.is_b);
  const std::int32_t parent = inner.is_b ? inner.joint->b : inner.joint->a;
  add_row_wrench(inner, lambda + inner.joint->first_row, &data.loads[6 * at(parent)]);
}

template <bool is_plain>
void down_any_attach(OpData& data, std::size_t index, double* a, double* lambda) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const AttachParts parts = attach_parts<is_plain>(data, place);
  double* const ours = a + 6 * at(op.body);
  const double* const y = data.at(place.y);
  with_fixed_size(data.columns(index), [&](auto n) GELENK_INLINE_LAMBDA {
    double few[kMostFixed];
    double* const x = n <= kMostFixed ? few : data.line.data();
    double sum[6];
    for (std::size_t i = 0; i < n; ++i) x[i] = y[i] - parts.b()[i];
    copy6(parts.c(), sum);
    if (!is_plain && op.base != kNone) {
      const double* const base = a + 6 * at(op.base);
      for (std::size_t j = 0; j < 6; ++j) {
        for (std::size_t i = 0; i < n; ++i) x[i] -= parts.base_part()[j * n + i] * base[j];
      }
      if (is_on_base(op)) {
        double moved[6];
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
    const auto from = at(op.source[0]);
    double* const to = data.at(data.places[from].y);
    const std::size_t count = is_plain ? n - 1 : data.columns(from);
    for (std::size_t i = 0; i < count; ++i) to[i] = x[i];
  });
  if (lambda != nullptr && !op.is_free) attach_reaction(data, op, index, ours, lambda);
}

}  // namespace

OpOutcome factor_attach(OpData& data, std::size_t index) { return factor_any_attach<false>(data, index); }
OpOutcome factor_hinge_attach(OpData& data, std::size_t index) { return factor_any_attach<true>(data, index); }

void up_attach(OpData& data, std::size_t index) { return up_any_attach<false>(data, index); }
void up_hinge_attach(OpData& data, std::size_t index) { return up_any_attach<true>(data, index); }

void down_attach(OpData& data, std::size_t index, double* a, double* lambda) {
  return down_any_attach<false>(data, index, a, lambda);
}
void down_hinge_attach(OpData& data, std::size_t index, double* a, double* lambda) {
  return down_any_attach<true>(data, index, a, lambda);
}

}  // namespace gelenk::solve
