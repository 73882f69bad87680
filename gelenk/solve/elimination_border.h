#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_parts.h"
#include "gelenk/solve/mobility_kernels.h"

// Borders: what a program publishes, and what others publish to it. Included by elimination.cc only. Equations:
// docs/theory/elimination.md.
namespace gelenk::solve {

// Mobilities this small against the reference masses are rounding: D is a sum of squares, W its root.
inline constexpr double kNoMobility = 1e-13;

// D = W Wᵀ by a Cholesky factorization with pivots, in units of the reference masses; how many columns. `scaled`: room
// for as many numbers as D has.
template <class T>
std::size_t Elimination<T>::root_of_mobility(std::span<const std::int32_t> bodies, const T* D, T* scaled, T* W) const {
  using std::sqrt;
  const std::size_t m = 6 * bodies.size();
  T* const S = scaled;
  const auto scale = [&](std::size_t i) {
    return T(program_.reference_mass[2 * static_cast<std::size_t>(bodies[i / 6]) + (i % 6) / 3]);
  };
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) S[i * m + j] = scale(i) * D[i * m + j] * scale(j);
  }
  std::size_t rank = 0;
  for (; rank < m; ++rank) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < m; ++i) {
      if (S[i * m + i] > S[best * m + best]) best = i;
    }
    const T pivot = S[best * m + best];
    if (!(pivot > T(kNoMobility))) break;
    const T inverse = T(1) / sqrt(pivot);
    T* const column = W + rank * m;
    for (std::size_t i = 0; i < m; ++i) column[i] = inverse * S[i * m + best];
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) S[i * m + j] -= column[i] * column[j];
    }
    for (std::size_t i = 0; i < m; ++i) {
      S[i * m + best] = S[best * m + i] = T(0);
    }
  }
  for (std::size_t j = 0; j < rank; ++j) {
    for (std::size_t i = 0; i < m; ++i) W[j * m + i] /= scale(i);
  }
  return rank;
}

template <class T>
typename Elimination<T>::Outcome Elimination<T>::factor_given(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const T* const D = given_[static_cast<std::size_t>(op.component)].D;
  const std::size_t rank = root_of_mobility(program_.live_of(op), D, at(place.own), at(place.W));
  columns_[index] = ranks_[index] = static_cast<std::int32_t>(rank);
  return Outcome::good;
}

template <class T>
void Elimination<T>::down_given(const Op& op, std::size_t index, T* a) {
  const std::span<const std::int32_t> bodies = program_.live_of(op);
  const T* const W = at(places_[index].W);
  const T* const y = at(places_[index].y);
  const T* const r = at(places_[index].r);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    T* const ours = a + 6 * static_cast<std::size_t>(bodies[b]);
    for (std::size_t i = 0; i < 6; ++i) {
      T sum = r[6 * b + i];
      for (std::size_t j = 0; j < columns(index); ++j) sum += W[j * 6 * bodies.size() + 6 * b + i] * y[j];
      ours[i] = sum;
    }
  }
}

// H = 1 + W_bᵀ I W_b = L Lᵀ, W' = W L⁻ᵀ
template <class T>
void Elimination<T>::factor_load(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const auto source = static_cast<std::size_t>(op.source[0]);
  const std::size_t n = columns(source);
  const LoadParts parts{static_cast<std::size_t>(place.columns), at(place.own)};
  const std::size_t stride = parts.n;
  const std::size_t rows = 6 * static_cast<std::size_t>(op.live_count);
  const T* const from = at(places_[source].W);
  const T* const here = from + 6 * static_cast<std::size_t>(op.parent_place);
  const Inertia<T>& I = inertias_[static_cast<std::size_t>(op.body)];
  T* const L = parts.factor();
  for (std::size_t j = 0; j < n; ++j) {
    T wrench[6];
    multiply(I, here + j * rows, wrench);
    for (std::size_t i = j; i < n; ++i) L[i * stride + j] = dot6(here + i * rows, wrench);
    L[j * stride + j] += T(1);
  }
  cholesky(n, L, stride);
  T* const W = at(place.W);
  for (std::size_t j = 0; j < n; ++j) {
    T* const column = W + j * rows;
    std::copy_n(from + j * rows, rows, column);
    for (std::size_t i = 0; i < j; ++i) {
      for (std::size_t k = 0; k < rows; ++k) column[k] -= L[j * stride + i] * W[i * rows + k];
    }
    for (std::size_t k = 0; k < rows; ++k) column[k] *= L[j * stride + j];
  }
  columns_[index] = static_cast<std::int32_t>(n);
}

template <class T>
void Elimination<T>::up_load(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const auto source = static_cast<std::size_t>(op.source[0]);
  const std::size_t n = columns(index);
  const LoadParts parts{static_cast<std::size_t>(place.columns), at(place.own)};
  const std::size_t rows = 6 * static_cast<std::size_t>(op.live_count);
  const auto body = static_cast<std::size_t>(op.body);
  const std::size_t where = 6 * static_cast<std::size_t>(op.parent_place);
  const T* const before = at(places_[source].r);
  T wrench[6];
  multiply(inertias_[body], before + where, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += bias_[6 * body + i];
  T* const b = parts.b();
  for (std::size_t j = 0; j < n; ++j) b[j] = dot6(at(places_[source].W) + j * rows + where, wrench);
  solve_lower(n, parts.factor(), parts.n, b);
  T* const r = at(place.r);
  std::copy_n(before, rows, r);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < rows; ++k) r[k] -= b[j] * at(place.W)[j * rows + k];
  }
}

// y = L⁻ᵀ (y' - b), and what hangs on the body pulls at it with -(I a + p).
template <class T>
void Elimination<T>::down_load(const Op& op, std::size_t index, bool wants_loads) {
  const Place& place = places_[index];
  const auto source = static_cast<std::size_t>(op.source[0]);
  const std::size_t n = columns(index);
  const LoadParts parts{static_cast<std::size_t>(place.columns), at(place.own)};
  T* const y = at(places_[source].y);
  for (std::size_t j = 0; j < n; ++j) y[j] = at(place.y)[j] - parts.b()[j];
  solve_lower_transposed(n, parts.factor(), parts.n, y);
  if (!wants_loads) return;
  const std::size_t rows = 6 * static_cast<std::size_t>(op.live_count);
  const std::size_t where = 6 * static_cast<std::size_t>(op.parent_place);
  const auto body = static_cast<std::size_t>(op.body);
  T motion[6];
  std::copy_n(at(places_[source].r) + where, 6, motion);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < 6; ++i) motion[i] += y[j] * at(places_[source].W)[j * rows + where + i];
  }
  T wrench[6];
  multiply(inertias_[body], motion, wrench);
  for (std::size_t i = 0; i < 6; ++i) loads_[6 * body + i] -= wrench[i] + bias_[6 * body + i];
}

template <class T>
typename Elimination<T>::Published Elimination<T>::published(std::int32_t body) const {
  for (const std::int32_t front : program_.published) {
    const Op& op = program_.ops[static_cast<std::size_t>(front)];
    const std::span<const std::int32_t> live = program_.live_of(op);
    const auto found = std::find(live.begin(), live.end(), body);
    if (found == live.end()) continue;
    return {static_cast<std::size_t>(front), static_cast<std::size_t>(found - live.begin()), Program::is_network(op)};
  }
  assert(false && "a body of the border is in a published front");
  return {};
}

template <class T>
typename Elimination<T>::Columns Elimination<T>::columns_at(const Published& body) const {
  const std::size_t height = 6 * static_cast<std::size_t>(program_.ops[body.front].live_count);
  return {at(places_[body.front].W) + 6 * body.place, height, columns(body.front)};
}

template <class T>
void Elimination<T>::copy_mobility(const Published& body, const Published& other, T* D) const {
  const std::span<const std::int32_t> slots = program_.kept_of(program_.ops[body.front]);
  const auto first = static_cast<std::size_t>(slots[body.place]);
  const auto other_first = static_cast<std::size_t>(slots[other.place]);
  const T* const W = at(places_[body.front].W);
  const auto stride = static_cast<std::size_t>(places_[body.front].columns);
  for (std::size_t n = 0; n < 36; ++n) D[n] = symmetric(W, stride, first + n / 6, other_first + n % 6);
}

template <class T>
const T* Elimination<T>::rates_at(const Published& body) const {
  const std::size_t first = body.is_network
                                ? static_cast<std::size_t>(program_.kept_of(program_.ops[body.front])[body.place])
                                : 6 * body.place;
  return at(places_[body.front].r) + first;
}

}  // namespace gelenk::solve
