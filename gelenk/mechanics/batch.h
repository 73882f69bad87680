#pragma once

#include <array>
#include <cstddef>

#include "gelenk/math/vector_lanes.h"

// Three-dimensional algebra for two bodies or joints at once, one in each lane of a register: such registers are on
// every machine that we build for. Lanes do the same operations as single numbers would, so a result does not depend on
// what its neighbor is. (Four lanes brought 3 % where a machine has them: the time goes into loading and storing.)
namespace gelenk::mechanics {

inline constexpr std::size_t kBatch = 2;

using Batch = double __attribute__((vector_size(kBatch * sizeof(double))));
using Sources = std::array<const double*, kBatch>;
using Targets = std::array<double*, kBatch>;

// Number k behind each of the pointers.
GELENK_ALWAYS_INLINE Batch gather(const Sources& from, std::size_t k) { return Batch{from[0][k], from[1][k]}; }
GELENK_ALWAYS_INLINE void scatter(Batch values, const Targets& to, std::size_t k) {
  to[0][k] = values[0];
  to[1][k] = values[1];
}

struct BatchVector {
  Batch x, y, z;
};
struct BatchMatrix {
  BatchVector columns[3];
};

GELENK_ALWAYS_INLINE BatchVector gather_vector(const Sources& from, std::size_t k = 0) {
  return {gather(from, k), gather(from, k + 1), gather(from, k + 2)};
}
GELENK_ALWAYS_INLINE void scatter_vector(const BatchVector& v, const Targets& to, std::size_t k = 0) {
  scatter(v.x, to, k);
  scatter(v.y, to, k + 1);
  scatter(v.z, to, k + 2);
}
// Column by column.
GELENK_ALWAYS_INLINE BatchMatrix gather_matrix(const Sources& from) {
  return {{gather_vector(from, 0), gather_vector(from, 3), gather_vector(from, 6)}};
}

GELENK_ALWAYS_INLINE BatchVector operator+(const BatchVector& a, const BatchVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
GELENK_ALWAYS_INLINE BatchVector operator-(const BatchVector& a, const BatchVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
GELENK_ALWAYS_INLINE BatchVector operator*(Batch s, const BatchVector& v) { return {s * v.x, s * v.y, s * v.z}; }
GELENK_ALWAYS_INLINE Batch dot(const BatchVector& a, const BatchVector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
GELENK_ALWAYS_INLINE BatchVector cross(const BatchVector& a, const BatchVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
GELENK_ALWAYS_INLINE BatchVector operator*(const BatchMatrix& m, const BatchVector& v) {
  return v.x * m.columns[0] + v.y * m.columns[1] + v.z * m.columns[2];
}

}  // namespace gelenk::mechanics
