#pragma once

#include <algorithm>
#include <cstddef>

#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_parts.h"

// Sweeps of each kind of op; included by elimination.cc only. Equations: docs/theory/elimination.md.
namespace gelenk::solve {

// c of a joint for the right side at hand.
template <class T>
void Elimination<T>::joint_bias(const Op& op, T* c) const {
  if (op.is_free) {
    std::fill_n(c, 6, T(0));
    return;
  }
  const JointView<T> joint = view(op.joint, op.is_b);
  if (is_hinge(*joint.joint)) {
    T axis[3];
    cross(joint.turn(0), joint.turn(1), axis);
    hinge_bias(joint, axis, T(1) / dot3(axis, axis), rows_of(u_, op.joint), c);
    return;
  }
  JointBases<T> bases;
  make_bases(joint, bases);
  particular_motion(joint, bases, rows_of(u_, op.joint), c);
}

template <class T>
void Elimination<T>::joint_reaction(const Op& op, const T* wrench, T* lambda) const {
  const JointView<T> joint = view(op.joint, op.is_b);
  JointBases<T> bases;
  make_bases(joint, bases);
  joint_multipliers(joint, bases, wrench, lambda + joint.joint->first_row);
}

template <class T>
void Elimination<T>::up_tree(const Op& op) {
  const auto f = static_cast<std::size_t>(op.free_count);
  const TreeParts parts{f, at(place_of(op).own)};
  const auto body = static_cast<std::size_t>(op.body);
  joint_bias(op, parts.c());
  T wrench[6];
  multiply(inertias_[body], parts.c(), wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += bias_[6 * body + i];
  T* const z = parts.z();
  for (std::size_t i = 0; i < f; ++i) z[i] = dot6(parts.motions() + 6 * i, wrench);
  solve_lower(f, parts.factor(), f, z);
  if (op.parent == kNone) return;
  for (std::size_t i = 0; i < f; ++i) {
    for (std::size_t n = 0; n < 6; ++n) wrench[n] -= z[i] * parts.loads()[6 * i + n];
  }
  add_shifted_wrench(parts.v(), wrench, &bias_[6 * static_cast<std::size_t>(op.parent)]);
}

template <class T>
void Elimination<T>::down_tree(const Op& op, T* a, T* lambda) {
  const auto f = static_cast<std::size_t>(op.free_count);
  const TreeParts parts{f, at(place_of(op).own)};
  const auto body = static_cast<std::size_t>(op.body);
  T* const ours = a + 6 * body;
  T q[6];
  for (std::size_t i = 0; i < f; ++i) q[i] = parts.z()[i];
  if (op.parent != kNone) {
    shift_motion(parts.v(), a + 6 * static_cast<std::size_t>(op.parent), ours);
    for (std::size_t i = 0; i < f; ++i) q[i] += dot6(parts.loads() + 6 * i, ours);
    for (std::size_t n = 0; n < 6; ++n) ours[n] += parts.c()[n];
  } else {
    std::copy_n(parts.c(), 6, ours);
  }
  solve_lower_transposed(f, parts.factor(), f, q);
  for (std::size_t i = 0; i < f; ++i) {
    for (std::size_t n = 0; n < 6; ++n) ours[n] -= q[i] * parts.motions()[6 * i + n];
  }
  if (lambda == nullptr || op.is_free) return;
  T wrench[6];
  multiply(inertias_[body], ours, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += bias_[6 * body + i];
  joint_reaction(op, wrench, lambda);
}

template <class T>
void Elimination<T>::up_start(const Op& op, std::size_t index) {
  const T* const W = at(places_[index].W);
  const T* const p = &bias_[6 * static_cast<std::size_t>(op.body)];
  T* const r = at(places_[index].r);
  std::fill_n(r, 6, T(0));
  for (std::size_t j = 0; j < 6; ++j) {
    const T load = dot6(W + 6 * j, p);
    for (std::size_t n = 0; n < 6; ++n) r[n] -= load * W[6 * j + n];
  }
}

template <class T>
void Elimination<T>::down_start(const Op& op, std::size_t index, T* a) {
  const T* const W = at(places_[index].W);
  const T* const y = at(places_[index].y);
  T* const ours = a + 6 * static_cast<std::size_t>(op.body);
  std::copy_n(at(places_[index].r), 6, ours);
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t n = 0; n < 6; ++n) ours[n] += y[j] * W[6 * j + n];
  }
}

template <class T>
void Elimination<T>::up_attach(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const auto most = static_cast<std::size_t>(place.columns);
  const AttachParts parts{most, at(place.own)};
  const auto body = static_cast<std::size_t>(op.body);
  const std::size_t n = columns(index);
  const std::int32_t source = op.source[0];
  const Place* const from = source == kNone ? nullptr : &places_[static_cast<std::size_t>(source)];
  const std::size_t source_live =
      source == kNone ? 0 : static_cast<std::size_t>(program_.ops[static_cast<std::size_t>(source)].live_count);
  T* const c = parts.c();
  joint_bias(op, c);
  if (op.parent_place != kNone) {
    T moved[6];
    shift_motion(parts.v(), at(from->r) + 6 * static_cast<std::size_t>(op.parent_place), moved);
    for (std::size_t i = 0; i < 6; ++i) c[i] += op.is_free ? T(0) : moved[i];
  }
  T wrench[6];
  multiply(inertias_[body], c, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += bias_[6 * body + i];
  T* const b = parts.b();
  for (std::size_t i = 0; i < n; ++i) b[i] = dot6(parts.motions() + 6 * i, wrench);
  solve_lower(n, parts.factor(), most, b);
  const auto live = static_cast<std::size_t>(op.live_count);
  const std::span<const std::int32_t> kept = program_.kept_of(op);
  T* const r = at(place.r);
  for (std::size_t k = 0; k < live; ++k) {
    const auto where = static_cast<std::size_t>(kept[k]);
    std::copy_n(where == source_live ? c : at(from->r) + 6 * where, 6, r + 6 * k);
  }
  const T* const W = at(place.W);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t m = 0; m < 6 * live; ++m) r[m] -= b[j] * W[j * 6 * live + m];
  }
  if (op.base == kNone) return;
  T* const pb = at(place.pb);
  for (std::size_t j = 0; j < 6; ++j) {
    T sum = (from == nullptr ? T(0) : at(from->pb)[j]) + dot6(parts.phi() + 6 * j, wrench);
    for (std::size_t i = 0; i < n; ++i) sum -= parts.base_part()[j * most + i] * b[i];
    pb[j] = sum;
  }
}

template <class T>
void Elimination<T>::down_attach(const Op& op, std::size_t index, T* a, T* lambda) {
  const Place& place = places_[index];
  const auto most = static_cast<std::size_t>(place.columns);
  const AttachParts parts{most, at(place.own)};
  const auto body = static_cast<std::size_t>(op.body);
  const std::size_t n = columns(index);
  T* const x = line_.data();
  for (std::size_t i = 0; i < n; ++i) x[i] = at(place.y)[i] - parts.b()[i];
  T* const ours = a + 6 * body;
  std::copy_n(parts.c(), 6, ours);
  if (op.base != kNone) {
    const T* const base = a + 6 * static_cast<std::size_t>(op.base);
    for (std::size_t j = 0; j < 6; ++j) {
      for (std::size_t i = 0; i < n; ++i) x[i] -= parts.base_part()[j * most + i] * base[j];
      for (std::size_t i = 0; i < 6; ++i) ours[i] += base[j] * parts.phi()[6 * j + i];
    }
  }
  solve_lower_transposed(n, parts.factor(), most, x);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < 6; ++i) ours[i] += x[j] * parts.motions()[6 * j + i];
  }
  const std::int32_t source = op.source[0];
  if (source != kNone) {
    std::copy_n(x, columns(static_cast<std::size_t>(source)), at(places_[static_cast<std::size_t>(source)].y));
  }
  if (lambda == nullptr || op.is_free) return;
  T wrench[6];
  multiply(inertias_[body], ours, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += bias_[6 * body + i] - loads_[6 * body + i];
  joint_reaction(op, wrench, lambda);
  if (op.parent_place == kNone) return;
  const JointView<T> inner = view(op.joint, !op.is_b);
  const std::int32_t parent = inner.is_b ? inner.joint->b : inner.joint->a;
  add_row_wrench(inner, lambda + inner.joint->first_row, &loads_[6 * static_cast<std::size_t>(parent)]);
}

template <class T>
void Elimination<T>::up_close(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const auto live = static_cast<std::size_t>(op.live_count);
  const CloseParts parts{static_cast<std::size_t>(place.columns_in), static_cast<std::size_t>(op.row_count), live,
                         at(place.own)};
  const RowReflectors<T> rows = reflectors(op, index);
  const auto first_source = static_cast<std::size_t>(op.source[0]);
  const auto first_live = static_cast<std::size_t>(program_.ops[first_source].live_count);
  // e = u - E r of the scaled rows
  T* const e = block_.data();
  T* const product = line_.data();
  std::size_t row = 0;
  const auto r_at = [&](std::size_t where) {
    const bool is_second = where >= first_live;
    return at(places_[static_cast<std::size_t>(op.source[is_second ? 1 : 0])].r) +
           6 * (where - (is_second ? first_live : 0));
  };
  for (const Closing& closing : program_.closing_of(op)) {
    const std::size_t c = program_.layout.joints[static_cast<std::size_t>(closing.joint)].row_count();
    std::fill_n(product, c, T(0));
    if (closing.place_a >= 0) {
      add_row_products(view(closing.joint, false), r_at(static_cast<std::size_t>(closing.place_a)), product);
    }
    if (closing.place_b >= 0) {
      add_row_products(view(closing.joint, true), r_at(static_cast<std::size_t>(closing.place_b)), product);
    }
    const T* const u = rows_of(u_, closing.joint);
    const T* const scale = scales(closing.joint);
    for (std::size_t i = 0; i < c; ++i) e[row + i] = scale[i] * (u[i] - product[i]);
    row += c;
  }
  T* const z = parts.z();
  for (std::size_t i = 0; i < rows.rank; ++i) z[i] = e[rows.order[i]];
  rows.solve_lower(z);
  const std::span<const std::int32_t> kept = program_.kept_of(op);
  T* const r = at(place.r);
  for (std::size_t k = 0; k < live; ++k) std::copy_n(r_at(static_cast<std::size_t>(kept[k])), 6, r + 6 * k);
  for (std::size_t i = 0; i < rows.rank; ++i) {
    for (std::size_t m = 0; m < 6 * live; ++m) r[m] += z[i] * parts.moves()[i * 6 * live + m];
  }
  if (op.base == kNone) return;
  T* const pb = at(place.pb);
  for (std::size_t j = 0; j < 6; ++j) {
    T sum(0);
    for (const std::int32_t source : op.source) {
      if (source != kNone) sum += at(places_[static_cast<std::size_t>(source)].pb)[j];
    }
    const T* const Z = parts.base_part() + j * rows.row_count;
    for (std::size_t i = 0; i < rows.rank; ++i) sum -= Z[i] * z[i];
    pb[j] = sum;
  }
}

template <class T>
void Elimination<T>::down_close(const Op& op, std::size_t index, const T* a, T* lambda) {
  const Place& place = places_[index];
  const CloseParts parts{static_cast<std::size_t>(place.columns_in), static_cast<std::size_t>(op.row_count),
                         static_cast<std::size_t>(op.live_count), at(place.own)};
  const RowReflectors<T> rows = reflectors(op, index);
  T* const y = line_.data();
  for (std::size_t i = 0; i < rows.rank; ++i) {
    T sum = parts.z()[i];
    if (op.base != kNone) {
      const T* const base = a + 6 * static_cast<std::size_t>(op.base);
      for (std::size_t j = 0; j < 6; ++j) sum -= parts.base_part()[j * rows.row_count + i] * base[j];
    }
    y[i] = sum;
  }
  if (lambda != nullptr) close_reactions(op, index, y, lambda);
  std::copy_n(at(place.y), columns(index), y + rows.rank);
  rows.from_factored(y);
  std::size_t first = 0;
  for (const std::int32_t source : op.source) {
    if (source == kNone) continue;
    const auto from = static_cast<std::size_t>(source);
    std::copy_n(y + first, columns(from), at(places_[from].y));
    first += columns(from);
  }
}

// λ_I = L⁻ᵀ (z - Z a_0 - Q₁ᵀ Wᵀ τ), zero on the dropped rows.
template <class T>
void Elimination<T>::close_reactions(const Op& op, std::size_t index, const T* z, T* lambda) {
  const RowReflectors<T> rows = reflectors(op, index);
  T* const x = products_.data();
  std::size_t first = 0;
  for (const std::int32_t source : op.source) {
    if (source == kNone) continue;
    const auto from = static_cast<std::size_t>(source);
    const std::span<const std::int32_t> live = program_.live_of(program_.ops[from]);
    for (std::size_t j = 0; j < columns(from); ++j) {
      const T* const W = at(places_[from].W) + j * 6 * live.size();
      T sum(0);
      for (std::size_t b = 0; b < live.size(); ++b) {
        sum += dot6(W + 6 * b, &loads_[6 * static_cast<std::size_t>(live[b])]);
      }
      x[first + j] = sum;
    }
    first += columns(from);
  }
  rows.to_factored(x);
  for (std::size_t i = 0; i < rows.rank; ++i) x[i] = z[i] - x[i];
  rows.solve_lower_transposed(x);
  T* const by_row = block_.data();
  std::fill_n(by_row, rows.row_count, T(0));
  for (std::size_t i = 0; i < rows.rank; ++i) by_row[rows.order[i]] = x[i];
  std::size_t row = 0;
  for (const Closing& closing : program_.closing_of(op)) {
    const JointRows& joint = program_.layout.joints[static_cast<std::size_t>(closing.joint)];
    const T* const scale = scales(closing.joint);
    T* const ours = lambda + joint.first_row;
    for (std::size_t i = 0; i < joint.row_count(); ++i) ours[i] = scale[i] * by_row[row + i];
    if (closing.place_a >= 0) {
      add_row_wrench(view(closing.joint, false), ours, &loads_[6 * static_cast<std::size_t>(joint.a)]);
    }
    if (closing.place_b >= 0) {
      add_row_wrench(view(closing.joint, true), ours, &loads_[6 * static_cast<std::size_t>(joint.b)]);
    }
    row += joint.row_count();
  }
}

template <class T>
void Elimination<T>::up_compress(const Op& op) {
  const Place& place = place_of(op);
  const Place& from = places_[static_cast<std::size_t>(op.source[0])];
  std::copy_n(at(from.r), 6 * static_cast<std::size_t>(op.live_count), at(place.r));
  if (op.base != kNone) std::copy_n(at(from.pb), 6, at(place.pb));
}

template <class T>
void Elimination<T>::down_compress(const Op& op, std::size_t index) {
  const RowReflectors<T> rows = reflectors(op, index);
  T* const y = line_.data();
  std::copy_n(at(places_[index].y), columns(index), y);
  std::fill(y + columns(index), y + rows.columns, T(0));
  rows.from_factored(y);
  std::copy_n(y, rows.columns, at(places_[static_cast<std::size_t>(op.source[0])].y));
}

template <class T>
void Elimination<T>::up_finish(const Op& op) {
  if (op.base == kNone) return;
  const T* const pb = at(places_[static_cast<std::size_t>(op.source[0])].pb);
  for (std::size_t i = 0; i < 6; ++i) bias_[6 * static_cast<std::size_t>(op.base) + i] += pb[i];
}

template <class T>
void Elimination<T>::down_finish(const Op& op) {
  const auto source = static_cast<std::size_t>(op.source[0]);
  std::fill_n(at(places_[source].y), columns(source), T(0));
}

}  // namespace gelenk::solve
