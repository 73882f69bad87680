#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gelenk {

// LU factorization of a square, sparse, non-symmetric matrix whose pattern stays while its values change.
class SparseLu {
 public:
  struct Entry {
    std::int32_t row = 0;
    std::int32_t column = 0;
  };

  SparseLu();
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  // The same place may be named several times: its values are added. The size may be zero.
  void set_pattern(std::int32_t size, std::span<const Entry> entries);
  // One value for each entry of the pattern. False: the matrix is singular or not finite.
  bool factor(std::span<const double> values);
  void solve(std::span<double> x);
  // The same, and what rounding left of the right side once more: exact for rows of any scale (Skeel).
  void solve_refined(std::span<double> x);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gelenk
