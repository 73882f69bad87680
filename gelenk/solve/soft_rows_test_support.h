#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

// Joints of rubber: what stiffer and stiffer ones carry is what the split of shared reactions must give.
namespace gelenk::solve::test {

// (N + ε C) λ = b with N = G M⁻¹ Gᵀ and b = u - G M⁻¹ f: rows that give way by ε c_j for a unit of force, by Cholesky
// in 80 bits.
class SoftRows {
 public:
  using Real = long double;

  SoftRows() = default;
  // N row by row.
  SoftRows(std::vector<Real> N, std::vector<Real> b) : gram_(std::move(N)), right_(std::move(b)) {}

  std::vector<double> reactions(Real softness, std::span<const double> compliance) const {
    const std::size_t rows = right_.size();
    std::vector<Real> L = gram_;
    std::vector<Real> x = right_;
    for (std::size_t j = 0; j < rows; ++j) {
      L[rows * j + j] += softness * static_cast<Real>(compliance[j]);
      for (std::size_t i = j; i < rows; ++i) {
        for (std::size_t k = 0; k < j; ++k) L[rows * i + j] -= L[rows * i + k] * L[rows * j + k];
        L[rows * i + j] = i == j ? std::sqrt(L[rows * i + j]) : L[rows * i + j] / L[rows * j + j];
      }
      for (std::size_t k = 0; k < j; ++k) x[j] -= L[rows * j + k] * x[k];
      x[j] /= L[rows * j + j];
    }
    for (std::size_t j = rows; j-- > 0;) {
      for (std::size_t k = j + 1; k < rows; ++k) x[j] -= L[rows * k + j] * x[k];
      x[j] /= L[rows * j + j];
    }
    return {x.begin(), x.end()};
  }

 private:
  std::vector<Real> gram_, right_;
};

}  // namespace gelenk::solve::test
