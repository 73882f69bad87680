#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

// out = A⁺, where directions weaker than `threshold` of the strongest count as zero. False: not finite.
bool pseudo_inverse(std::span<const double> A, std::size_t n, double threshold, std::span<double> out);

// out = -(AᵀA + damping diag(AᵀA))⁻¹ Aᵀ r, a step of Levenberg and Marquardt. False: not finite.
bool damped_step(std::span<const double> A, std::size_t n, double damping, std::span<const double> r,
                 std::span<double> out);

// The direction that A makes shortest, and by how much of the longest. A is finite.
struct WeakestWay {
  double ratio = 0.0;
  std::vector<double> direction;
};
WeakestWay weakest_way(std::span<const double> A, std::size_t n);

// The smallest eigenvalue of the symmetric part of A with its direction, beside the largest by size, and the size of
// what is not symmetric beside the whole. A is finite.
struct LowestMode {
  double value = 0.0, largest = 0.0, asymmetry = 0.0;
  std::vector<double> direction;
};
LowestMode lowest_mode(std::span<const double> A, std::size_t n);

}  // namespace gelenk
