#pragma once

#include <cstddef>
#include <span>

// Dense matrices of a few rows and columns, by row.
namespace gelenk {

// out = A⁻¹ of an n × n matrix. False: it has none, or not with finite numbers.
bool invert_dense(std::span<const double> A, std::size_t n, std::span<double> out);

// The largest eigenvalue by size, and the coordinate of most weight in its mode. Zero: all are zero, or not finite.
struct FastestMode {
  double size = 0.0;
  std::size_t coordinate = 0;
};
FastestMode fastest_mode(std::span<const double> A, std::size_t n);

}  // namespace gelenk
