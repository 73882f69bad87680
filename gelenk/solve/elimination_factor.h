#pragma once

#include <algorithm>
#include <cstddef>

#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_parts.h"

// Factorization of each kind of op; included by elimination.cc only. Equations: docs/theory/elimination.md.
namespace gelenk::solve {

// A joint whose own rows come this close to dependence at run time cannot be passed by its free motion any more: it
// loses as many digits.
inline constexpr double kLostJoint = 1e-4;

template <class T>
bool Elimination<T>::joint_motion(const Op& op, T* v, T* S) const {
  if (op.is_free) {
    v[0] = v[1] = v[2] = T(0);
    for (std::size_t i = 0; i < 36; ++i) S[i] = T(i % 7 == 0 ? 1 : 0);
    return true;
  }
  const JointView<T> joint = view(op.joint, op.is_b);
  if (is_hinge(*joint.joint)) return hinge_motion(joint, v, S) > T(kLostJoint * kLostJoint);
  JointBases<T> bases;
  make_bases(joint, bases);
  if (!(bases.quality() > T(kLostJoint))) return false;
  joint_shift(joint, v);
  free_motions(joint, bases, S);
  return true;
}

template <class T>
typename Elimination<T>::Outcome Elimination<T>::factor_tree(const Op& op) {
  const auto f = static_cast<std::size_t>(op.free_count);
  const TreeParts parts{f, at(place_of(op).own)};
  if (!joint_motion(op, parts.v(), parts.motions())) return Outcome::joint_lost_rank;
  const Inertia<T>& I = inertias_[static_cast<std::size_t>(op.body)];
  T* const Y = parts.loads();
  T* const L = parts.factor();
  const T* const S = parts.motions();
  for (std::size_t j = 0; j < f; ++j) multiply(I, S + 6 * j, Y + 6 * j);
  for (std::size_t i = 0; i < f; ++i) {
    for (std::size_t j = 0; j <= i; ++j) L[i * f + j] = dot6(S + 6 * i, Y + 6 * j);
  }
  cholesky(f, L, f);
  for (std::size_t i = 0; i < f; ++i) {
    T* const y = Y + 6 * i;
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t n = 0; n < 6; ++n) y[n] -= L[i * f + j] * Y[6 * j + n];
    }
    for (std::size_t n = 0; n < 6; ++n) y[n] *= L[i * f + i];
  }
  if (op.parent == kNone) return Outcome::good;
  Inertia<T> rest = I;
  for (std::size_t i = 0; i < f; ++i) subtract_product(Y + 6 * i, Y + 6 * i, rest);
  add_shifted_inertia(parts.v(), rest, inertias_[static_cast<std::size_t>(op.parent)]);
  return Outcome::good;
}

// W = L⁻ᵀ of the body's inertia: its motion under unit forces.
template <class T>
void Elimination<T>::factor_start(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  T H[36];
  const Inertia<T>& I = inertias_[static_cast<std::size_t>(op.body)];
  for (std::size_t j = 0; j < 6; ++j) {
    T e[6] = {T(0), T(0), T(0), T(0), T(0), T(0)};
    e[j] = T(1);
    multiply(I, e, H + 6 * j);
  }
  cholesky(6, H, 6);
  T* const W = at(place.W);
  for (std::size_t j = 0; j < 6; ++j) {
    T* const column = W + 6 * j;
    std::fill_n(column, 6, T(0));
    column[j] = T(1);
    solve_lower_transposed(6, H, 6, column);
  }
  columns_[index] = 6;
}

template <class T>
typename Elimination<T>::Outcome Elimination<T>::factor_attach(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const auto most = static_cast<std::size_t>(place.columns);
  const AttachParts parts{most, at(place.own)};
  const auto f = static_cast<std::size_t>(op.free_count);
  const std::int32_t source = op.source[0];
  const std::size_t before = source == kNone ? 0 : columns(static_cast<std::size_t>(source));
  const std::size_t n = before + f;
  const Inertia<T>& I = inertias_[static_cast<std::size_t>(op.body)];

  // J = [X W_p | S]
  T* const J = parts.motions();
  if (!joint_motion(op, parts.v(), J + 6 * before)) return Outcome::joint_lost_rank;
  const Place* const from = source == kNone ? nullptr : &places_[static_cast<std::size_t>(source)];
  const std::size_t height =
      source == kNone ? 0 : 6 * static_cast<std::size_t>(program_.ops[static_cast<std::size_t>(source)].live_count);
  if (op.parent_place != kNone) {
    const T* const W = at(from->W) + 6 * static_cast<std::size_t>(op.parent_place);
    for (std::size_t j = 0; j < before; ++j) shift_motion(parts.v(), W + j * height, J + 6 * j);
  } else {
    std::fill_n(J, 6 * before, T(0));
  }

  // H = diag(1, 0) + Jᵀ I J = L Lᵀ
  T* const L = parts.factor();
  T* const IJ = products_.data();
  for (std::size_t j = 0; j < n; ++j) multiply(I, J + 6 * j, IJ + 6 * j);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) L[i * most + j] = dot6(J + 6 * i, IJ + 6 * j);
    if (i < before) L[i * most + i] += T(1);
  }
  cholesky(n, L, most);

  // W' = [W 0; J] L⁻ᵀ on the bodies that stay alive, column by column.
  const auto live = static_cast<std::size_t>(op.live_count);
  const std::span<const std::int32_t> kept = program_.kept_of(op);
  const std::size_t source_live = height / 6;
  T* const W = at(place.W);
  for (std::size_t j = 0; j < n; ++j) {
    T* const column = W + j * 6 * live;
    for (std::size_t b = 0; b < live; ++b) {
      const auto where = static_cast<std::size_t>(kept[b]);
      T* const to = column + 6 * b;
      if (where == source_live) {
        std::copy_n(J + 6 * j, 6, to);
      } else if (j < before) {
        std::copy_n(at(from->W) + j * height + 6 * where, 6, to);
      } else {
        std::fill_n(to, 6, T(0));
      }
    }
    for (std::size_t i = 0; i < j; ++i) {
      const T l = L[j * most + i];
      const T* const other = W + i * 6 * live;
      for (std::size_t m = 0; m < 6 * live; ++m) column[m] -= l * other[m];
    }
    for (std::size_t m = 0; m < 6 * live; ++m) column[m] *= L[j * most + j];
  }
  columns_[index] = static_cast<std::int32_t>(n);
  if (op.base != kNone) attach_base(op, index);
  return Outcome::good;
}

// Φ of the attached body follows that of p, or the base itself; B = L⁻¹ Jᵀ I Φ_k couples it with the columns of W.
template <class T>
void Elimination<T>::attach_base(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const auto most = static_cast<std::size_t>(place.columns);
  const AttachParts parts{most, at(place.own)};
  const std::size_t n = columns(index);
  const Inertia<T>& I = inertias_[static_cast<std::size_t>(op.body)];
  const std::int32_t source = op.source[0];
  const Place* const from = source == kNone ? nullptr : &places_[static_cast<std::size_t>(source)];
  const std::size_t source_live =
      source == kNone ? 0 : static_cast<std::size_t>(program_.ops[static_cast<std::size_t>(source)].live_count);
  T* const phi = parts.phi();
  T* const B = parts.base_part();
  T phi_loads[36];
  for (std::size_t j = 0; j < 6; ++j) {
    T motion[6] = {T(0), T(0), T(0), T(0), T(0), T(0)};
    if (op.parent_place != kNone) {
      std::copy_n(at(from->phi) + j * 6 * source_live + 6 * static_cast<std::size_t>(op.parent_place), 6, motion);
    } else {
      motion[j] = T(1);
    }
    shift_motion(parts.v(), motion, phi + 6 * j);
    if (op.is_free) std::fill_n(phi + 6 * j, 6, T(0));
    multiply(I, phi + 6 * j, phi_loads + 6 * j);
    for (std::size_t i = 0; i < n; ++i) B[j * most + i] = dot6(parts.motions() + 6 * i, phi_loads + 6 * j);
    solve_lower(n, parts.factor(), most, B + j * most);
  }
  const auto live = static_cast<std::size_t>(op.live_count);
  const std::span<const std::int32_t> kept = program_.kept_of(op);
  const T* const W = at(place.W);
  T* const base_inertia = at(place.Ib);
  for (std::size_t j = 0; j < 6; ++j) {
    T* const column = at(place.phi) + j * 6 * live;
    for (std::size_t b = 0; b < live; ++b) {
      const auto where = static_cast<std::size_t>(kept[b]);
      const T* const old = where == source_live ? phi + 6 * j : at(from->phi) + j * 6 * source_live + 6 * where;
      std::copy_n(old, 6, column + 6 * b);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const T b = B[j * most + i];
      for (std::size_t m = 0; m < 6 * live; ++m) column[m] -= b * W[i * 6 * live + m];
    }
    for (std::size_t k = 0; k < 6; ++k) {
      T sum = dot6(phi + 6 * k, phi_loads + 6 * j);
      for (std::size_t i = 0; i < n; ++i) sum -= B[k * most + i] * B[j * most + i];
      base_inertia[6 * j + k] = (from == nullptr ? T(0) : at(from->Ib)[6 * j + k]) + sum;
    }
  }
}

template <class T>
RowReflectors<T> Elimination<T>::reflectors(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const auto n = static_cast<std::size_t>(place.columns_in);
  RowReflectors<T> rows;
  rows.stride = n;
  rows.order = orders_.data() + place.order;
  rows.rank = rank(index);
  for (const std::int32_t source : op.source) {
    if (source != kNone) rows.columns += columns(static_cast<std::size_t>(source));
  }
  if (op.kind == OpKind::close) {
    const CloseParts parts{n, static_cast<std::size_t>(op.row_count), static_cast<std::size_t>(op.live_count),
                           at(place.own)};
    rows.rows = parts.matrix();
    rows.factors = parts.factors();
    rows.row_count = static_cast<std::size_t>(op.row_count);
  } else {
    const CompressParts parts{n, static_cast<std::size_t>(op.live_count), at(place.own)};
    rows.rows = parts.matrix();
    rows.factors = parts.factors();
    rows.row_count = 6 * static_cast<std::size_t>(op.live_count);
  }
  return rows;
}

// A = E W of the scaled rows, and E Φ + E_0 in columns of all rows.
template <class T>
void Elimination<T>::close_rows(const Op& op, RowReflectors<T>& rows, T* base_columns) {
  const std::size_t count = rows.row_count;
  for (std::size_t i = 0; i < count; ++i) std::fill_n(rows.rows + i * rows.stride, rows.columns, T(0));
  if (op.base != kNone) std::fill_n(base_columns, 6 * count, T(0));
  const std::size_t first_live =
      static_cast<std::size_t>(program_.ops[static_cast<std::size_t>(op.source[0])].live_count);
  const std::size_t first_columns = columns(static_cast<std::size_t>(op.source[0]));
  std::size_t row = 0;
  T* const product = line_.data();
  for (const Closing& closing : program_.closing_of(op)) {
    const JointRows& joint = program_.layout.joints[static_cast<std::size_t>(closing.joint)];
    const std::size_t c = joint.row_count();
    const T* const scale = scales(closing.joint);
    for (const bool is_b : {false, true}) {
      const std::int32_t where = is_b ? closing.place_b : closing.place_a;
      if (where == Closing::kGround) continue;
      const JointView<T> side = view(closing.joint, is_b);
      if (where == Closing::kBase) {
        for (std::size_t j = 0; j < 6; ++j) {
          T e[6] = {T(0), T(0), T(0), T(0), T(0), T(0)};
          e[j] = T(1);
          std::fill_n(product, c, T(0));
          add_row_products(side, e, product);
          for (std::size_t i = 0; i < c; ++i) base_columns[j * count + row + i] += scale[i] * product[i];
        }
        continue;
      }
      const bool is_second = static_cast<std::size_t>(where) >= first_live;
      const auto source = static_cast<std::size_t>(op.source[is_second ? 1 : 0]);
      const std::size_t local = static_cast<std::size_t>(where) - (is_second ? first_live : 0);
      const std::size_t height = 6 * static_cast<std::size_t>(program_.ops[source].live_count);
      const T* const W = at(places_[source].W) + 6 * local;
      const std::size_t first = is_second ? first_columns : 0;
      for (std::size_t j = 0; j < columns(source); ++j) {
        std::fill_n(product, c, T(0));
        add_row_products(side, W + j * height, product);
        for (std::size_t i = 0; i < c; ++i) rows.rows[(row + i) * rows.stride + first + j] += scale[i] * product[i];
      }
      if (op.base == kNone) continue;
      const T* const phi = at(places_[source].phi) + 6 * local;
      for (std::size_t j = 0; j < 6; ++j) {
        std::fill_n(product, c, T(0));
        add_row_products(side, phi + j * height, product);
        for (std::size_t i = 0; i < c; ++i) base_columns[j * count + row + i] += scale[i] * product[i];
      }
    }
    row += c;
  }
}

template <class T>
typename Elimination<T>::Outcome Elimination<T>::factor_close(const Op& op, std::size_t index, T tau, Report& report) {
  RowReflectors<T> rows = reflectors(op, index);
  T* const base_columns = block_.data();
  close_rows(op, rows, base_columns);
  Decision& decision = decisions_[static_cast<std::size_t>(op.decision)];
  const bool is_cached = decision.accepted >= 0;
  if (!is_cached || !rows.factor_with(static_cast<std::size_t>(decision.accepted), tau, decision.smallest)) {
    if (is_cached) close_rows(op, rows, base_columns);
    rows.choose(tau);
    decision.accepted = static_cast<std::int32_t>(rows.rank);
    decision.smallest = rows.smallest();
    ++report.chosen_again;
    // As from the cache, so that a restart from saved pivots gives the same bits.
    close_rows(op, rows, base_columns);
    rows.factor_with(rows.rank, T(0), T(0));
    rows.rank = static_cast<std::size_t>(decision.accepted);
  }
  report.smallest = std::min(report.smallest, rows.smallest());
  ranks_[index] = static_cast<std::int32_t>(rows.rank);
  const std::size_t left = rows.columns - rows.rank;
  if (left > static_cast<std::size_t>(places_[index].columns)) {
    columns_[index] = static_cast<std::int32_t>(left);
    return Outcome::too_many_columns;
  }
  columns_[index] = static_cast<std::int32_t>(left);
  close_front(op, index, rows, base_columns);
  return Outcome::good;
}

// W' = W Q₂, P = W Q₁, Φ' = Φ - P Z, I_b' = I_b + Zᵀ Z with Z = L⁻¹ (E Φ + E_0)_I.
template <class T>
void Elimination<T>::close_front(const Op& op, std::size_t index, const RowReflectors<T>& rows, const T* base_columns) {
  const Place& place = places_[index];
  const auto live = static_cast<std::size_t>(op.live_count);
  const CloseParts parts{static_cast<std::size_t>(place.columns_in), static_cast<std::size_t>(op.row_count), live,
                         at(place.own)};
  const std::size_t k = rows.rank;
  const auto first_source = static_cast<std::size_t>(op.source[0]);
  const auto first_live = static_cast<std::size_t>(program_.ops[first_source].live_count);
  const std::span<const std::int32_t> kept = program_.kept_of(op);
  // Narrow fronts: Q itself, and whole columns at once. Wide ones: reflections of each row, which are fewer.
  constexpr std::size_t kNarrow = 8;
  const bool is_narrow = rows.columns <= kNarrow;
  T Q[kNarrow * kNarrow];
  for (std::size_t i = 0; is_narrow && i < rows.columns; ++i) {
    T* const row = Q + i * rows.columns;
    std::fill_n(row, rows.columns, T(0));
    row[i] = T(1);
    rows.to_factored(row);
  }
  T* const x = line_.data();
  for (std::size_t b = 0; b < live; ++b) {
    const auto where = static_cast<std::size_t>(kept[b]);
    const bool is_second = where >= first_live;
    const auto source = static_cast<std::size_t>(op.source[is_second ? 1 : 0]);
    const std::size_t local = where - (is_second ? first_live : 0);
    const std::size_t height = 6 * static_cast<std::size_t>(program_.ops[source].live_count);
    const std::size_t first = is_second ? columns(first_source) : 0;
    const T* const from = at(places_[source].W) + 6 * local;
    for (std::size_t j = 0; is_narrow && j < rows.columns; ++j) {
      T sum[6] = {T(0), T(0), T(0), T(0), T(0), T(0)};
      for (std::size_t i = 0; i < columns(source); ++i) {
        const T q = Q[(first + i) * rows.columns + j];
        for (std::size_t m = 0; m < 6; ++m) sum[m] += q * from[i * height + m];
      }
      std::copy_n(sum, 6, (j < k ? parts.moves() + j * 6 * live : at(place.W) + (j - k) * 6 * live) + 6 * b);
    }
    for (std::size_t m = 0; !is_narrow && m < 6; ++m) {
      std::fill_n(x, rows.columns, T(0));
      for (std::size_t j = 0; j < columns(source); ++j) x[first + j] = from[j * height + m];
      rows.to_factored(x);
      for (std::size_t j = 0; j < k; ++j) parts.moves()[j * 6 * live + 6 * b + m] = x[j];
      for (std::size_t j = k; j < rows.columns; ++j) at(place.W)[(j - k) * 6 * live + 6 * b + m] = x[j];
    }
    if (op.base == kNone) continue;
    for (std::size_t j = 0; j < 6; ++j) {
      std::copy_n(at(places_[source].phi) + j * height + 6 * local, 6, at(place.phi) + j * 6 * live + 6 * b);
    }
  }
  if (op.base == kNone) return;
  const std::size_t stride = static_cast<std::size_t>(op.row_count);
  T* const base_inertia = at(place.Ib);
  for (std::size_t j = 0; j < 6; ++j) {
    T* const z = parts.base_part() + j * stride;
    for (std::size_t i = 0; i < k; ++i) z[i] = base_columns[j * stride + static_cast<std::size_t>(rows.order[i])];
    rows.solve_lower(z);
    T* const column = at(place.phi) + j * 6 * live;
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t m = 0; m < 6 * live; ++m) column[m] -= z[i] * parts.moves()[i * 6 * live + m];
    }
  }
  for (std::size_t n = 0; n < 36; ++n) {
    T sum(0);
    for (const std::int32_t source : op.source) {
      if (source != kNone) sum += at(places_[static_cast<std::size_t>(source)].Ib)[n];
    }
    const T* const p = parts.base_part() + (n / 6) * stride;
    const T* const q = parts.base_part() + (n % 6) * stride;
    for (std::size_t i = 0; i < k; ++i) sum += p[i] * q[i];
    base_inertia[n] = sum;
  }
}

// A column this small against the motion of the live bodies is rounding. It also moves bodies that are not alive any
// more, by as much: hence far below the tolerance of ranks.
inline constexpr double kNoMotion = 1e-9;

template <class T>
typename Elimination<T>::Outcome Elimination<T>::factor_compress(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const auto live = static_cast<std::size_t>(op.live_count);
  const auto source = static_cast<std::size_t>(op.source[0]);
  RowReflectors<T> rows = reflectors(op, index);
  for (std::size_t i = 0; i < rows.row_count; ++i) rows.order[i] = static_cast<std::int32_t>(i);
  const T* const W = at(places_[source].W);
  for (std::size_t m = 0; m < 6 * live; ++m) {
    const auto body = static_cast<std::size_t>(program_.live_of(op)[m / 6]);
    const T scale(program_.reference_mass[2 * body + (m % 6) / 3]);
    for (std::size_t j = 0; j < rows.columns; ++j) rows.rows[m * rows.stride + j] = scale * W[j * 6 * live + m];
  }
  rows.choose(T(kNoMotion));
  ranks_[index] = static_cast<std::int32_t>(rows.rank);
  columns_[index] = ranks_[index];
  if (rows.rank > static_cast<std::size_t>(place.columns)) return Outcome::too_many_columns;
  T* const x = line_.data();
  for (std::size_t m = 0; m < 6 * live; ++m) {
    for (std::size_t j = 0; j < rows.columns; ++j) x[j] = W[j * 6 * live + m];
    rows.to_factored(x);
    for (std::size_t j = 0; j < rows.rank; ++j) at(place.W)[j * 6 * live + m] = x[j];
  }
  if (op.base != kNone) {
    std::copy_n(at(places_[source].phi), 36 * live, at(place.phi));
    std::copy_n(at(places_[source].Ib), 36, at(place.Ib));
  }
  return Outcome::good;
}

template <class T>
void Elimination<T>::factor_finish(const Op& op) {
  if (op.base == kNone) return;
  const T* const base_inertia = at(places_[static_cast<std::size_t>(op.source[0])].Ib);
  Inertia<T>& I = inertias_[static_cast<std::size_t>(op.base)];
  std::size_t n = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j, ++n) {
      I.A[n] += base_inertia[6 * i + j];
      I.C[n] += base_inertia[6 * (3 + i) + 3 + j];
    }
    for (std::size_t j = 0; j < 3; ++j) I.B[3 * i + j] += base_inertia[6 * i + 3 + j];
  }
}

}  // namespace gelenk::solve
