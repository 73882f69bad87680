#include "gelenk/solve/ops/mobility_root.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gelenk/base/index.h"

namespace gelenk::solve {
namespace {

// Mobilities this small against the reference masses are rounding: D is a sum of squares, W its root.
constexpr double kNoMobility = 1e-13;

}  // namespace

std::size_t root_of_mobility(std::span<const double> reference_mass, std::span<const std::int32_t> bodies,
                             const double* D, double* scaled, double* W) {
  using std::sqrt;
  const std::size_t m = 6 * bodies.size();
  double* const S = scaled;
  const auto scale = [&](std::size_t i) { return reference_mass[2 * at(bodies[i / 6]) + (i % 6) / 3]; };
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) S[i * m + j] = scale(i) * D[i * m + j] * scale(j);
  }
  std::size_t rank = 0;
  for (; rank < m; ++rank) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < m; ++i) {
      if (S[i * m + i] > S[best * m + best]) best = i;
    }
    const double pivot = S[best * m + best];
    if (!(pivot > kNoMobility)) break;
    const double inverse = 1.0 / sqrt(pivot);
    double* const column = W + rank * m;
    for (std::size_t i = 0; i < m; ++i) column[i] = inverse * S[i * m + best];
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) S[i * m + j] -= column[i] * column[j];
    }
    for (std::size_t i = 0; i < m; ++i) {
      S[i * m + best] = S[best * m + i] = 0.0;
    }
  }
  for (std::size_t j = 0; j < rank; ++j) {
    for (std::size_t i = 0; i < m; ++i) W[j * m + i] /= scale(i);
  }
  return rank;
}

}  // namespace gelenk::solve
