#pragma once

#include <cstddef>
#include <cstdint>

#include "gelenk/solve/elimination.h"

// Where the numbers of an op lie, one after another from Place::own on; the sizes are those of its Place.
namespace gelenk::solve {

template <class T>
struct Elimination<T>::TreeParts {
  std::size_t f;
  T* own;  // of all but hinges
  T* v() const { return own; }
  T* c() const { return own + 3; }
  T* motions() const { return own + 9; }
  T* loads() const { return motions() + 6 * f; }
  T* factor() const { return loads() + 6 * f; }
  T* z() const { return factor() + f * f; }
  T* duals() const { return z() + f; }
  static std::size_t size(std::size_t f) { return 9 + 12 * f + f * f + f + kJointDuals; }
};

// A hinge: one free motion S = (s × d, d) about the axis d = n₁ × n₂ of its two turns. What follows from the packed
// rows in a few operations is not kept: large machines spend their time on the way to the memory.
template <class T>
struct Elimination<T>::HingeParts {
  T U[6];      // I S
  T inverse;   // 1 / SᵀU
  T z;         // Sᵀ(p + I c) / SᵀU
  T per_axis;  // 1 / d²
};

template <class T>
struct Elimination<T>::AttachParts {
  std::size_t n;        // columns at most
  std::uint32_t duals;  // how many numbers
  T* own;
  T* v() const { return own; }
  T* c() const { return own + 3; }
  T* kept() const { return own + kDuals; }                  // duals of the joint
  T* motions() const { return own + first_motion(duals); }  // J L⁻ᵀ, columns of six
  T* factor() const { return motions() + 6 * n; }           // L row by row
  T* b() const { return factor() + n * n; }
  T* phi() const { return b() + n; }           // of the attached body, columns of six
  T* base_part() const { return phi() + 36; }  // columns of n, one for each motion of the base
  static constexpr std::uint32_t kDuals = 9;
  static std::uint32_t first_motion(std::uint32_t duals) { return kDuals + duals; }
  static std::size_t size(std::size_t n, std::uint32_t duals, bool has_base) {
    return first_motion(duals) + 7 * n + n * n + (has_base ? 36 + 6 * n : 0);
  }
};

template <class T>
struct Elimination<T>::CloseParts {
  std::size_t n, rows, live;
  T* own;
  T* matrix() const { return own; }
  T* factors() const { return matrix() + rows * n; }
  T* z() const { return factors() + rows; }
  T* moves() const { return z() + rows; }                     // W Q₁ of the live bodies, columns of 6 live
  T* base_part() const { return moves() + 6 * live * rows; }  // L⁻¹ (E Φ + E_0), columns of `rows`
  static std::size_t size(std::size_t n, std::size_t rows, std::size_t live, bool has_base) {
    return rows * n + 2 * rows + 6 * live * rows + (has_base ? 6 * rows : 0);
  }
};

template <class T>
struct Elimination<T>::CompressParts {
  std::size_t n, live;
  T* own;
  T* matrix() const { return own; }
  T* factors() const { return matrix() + 6 * live * n; }
  static std::size_t size(std::size_t n, std::size_t live) { return 6 * live * n + 6 * live; }
};

template <class T>
struct Elimination<T>::LoadParts {
  std::size_t n;
  T* own;
  T* factor() const { return own; }
  T* b() const { return own + n * n; }
  static std::size_t size(std::size_t n) { return n * n + n; }
};

}  // namespace gelenk::solve
