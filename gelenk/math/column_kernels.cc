#include "gelenk/math/column_kernels.h"

#include <algorithm>
#include <cmath>

#include "gelenk/math/vector_lanes.h"

namespace gelenk {
namespace {

// A tile of `steps` × 4 rows and `columns` columns: tile ± Σ_k A(·, k) B(j, k), kept in registers.
template <std::size_t steps, std::size_t columns, bool is_update>
GELENK_ALWAYS_INLINE void multiply_tile(ConstBlock A, ConstBlock B, std::size_t depth, double* result,
                                        std::size_t stride) {
  Lanes tile[steps][columns];
  for (std::size_t s = 0; s < steps; ++s) {
    for (std::size_t j = 0; j < columns; ++j) {
      if constexpr (is_update) {
        load(tile[s][j], result + j * stride + s * kRowStep);
      } else {
        tile[s][j] = Lanes{};
      }
    }
  }
  for (std::size_t k = 0; k < depth; ++k) {
    const double* factors = B.values + k * B.stride;
    for (std::size_t s = 0; s < steps; ++s) {
      Lanes rows;
      load(rows, A.values + k * A.stride + s * kRowStep);
      for (std::size_t j = 0; j < columns; ++j) {
        if constexpr (is_update) {
          tile[s][j] -= rows * factors[j];
        } else {
          tile[s][j] += rows * factors[j];
        }
      }
    }
  }
  for (std::size_t s = 0; s < steps; ++s) {
    for (std::size_t j = 0; j < columns; ++j) store(tile[s][j], result + j * stride + s * kRowStep);
  }
}

template <std::size_t most_steps, std::size_t columns, bool is_update>
GELENK_ALWAYS_INLINE void multiply_strip(ConstBlock A, ConstBlock B, std::size_t rows, std::size_t depth,
                                         double* result, std::size_t stride) {
  std::size_t i = 0;
  for (; i + most_steps * kRowStep <= rows; i += most_steps * kRowStep) {
    multiply_tile<most_steps, columns, is_update>({A.values + i, A.stride}, B, depth, result + i, stride);
  }
  for (; i < rows; i += kRowStep) {
    multiply_tile<1, columns, is_update>({A.values + i, A.stride}, B, depth, result + i, stride);
  }
}

// All columns, four at a time.
template <std::size_t most_steps, bool is_update>
GELENK_ALWAYS_INLINE void multiply_all(ConstBlock A, ConstBlock B, std::size_t rows, std::size_t columns,
                                       std::size_t depth, double* result, std::size_t stride) {
  std::size_t j = 0;
  for (; j + 4 <= columns; j += 4) {
    multiply_strip<most_steps, 4, is_update>(A, {B.values + j, B.stride}, rows, depth, result + j * stride, stride);
  }
  const ConstBlock rest{B.values + j, B.stride};
  double* target = result + j * stride;
  switch (columns - j) {
    case 3:
      return multiply_strip<most_steps, 3, is_update>(A, rest, rows, depth, target, stride);
    case 2:
      return multiply_strip<most_steps, 2, is_update>(A, rest, rows, depth, target, stride);
    case 1:
      return multiply_strip<most_steps, 1, is_update>(A, rest, rows, depth, target, stride);
    default:
      return;
  }
}

// Registers of the base instruction set hold a tile of one step; wider ones two.
void multiply_narrow(ConstBlock A, ConstBlock B, std::size_t rows, std::size_t columns, std::size_t depth,
                     double* result, std::size_t stride) {
  multiply_all<1, false>(A, B, rows, columns, depth, result, stride);
}
void update_narrow(ConstBlock A, ConstBlock B, std::size_t rows, std::size_t columns, std::size_t depth, double* result,
                   std::size_t stride) {
  multiply_all<1, true>(A, B, rows, columns, depth, result, stride);
}

GELENK_WIDE_LANES void multiply_wide(ConstBlock A, ConstBlock B, std::size_t rows, std::size_t columns,
                                     std::size_t depth, double* result, std::size_t stride) {
  multiply_all<2, false>(A, B, rows, columns, depth, result, stride);
}
GELENK_WIDE_LANES void update_wide(ConstBlock A, ConstBlock B, std::size_t rows, std::size_t columns, std::size_t depth,
                                   double* result, std::size_t stride) {
  multiply_all<2, true>(A, B, rows, columns, depth, result, stride);
}

}  // namespace

void multiply_transposed(ConstBlock A, ConstBlock B, std::size_t rows, std::size_t columns, std::size_t depth,
                         double* product) {
  const std::size_t stride = round_up_to_step(rows);
  if (has_wide_lanes()) return multiply_wide(A, B, stride, columns, depth, product, stride);
  multiply_narrow(A, B, stride, columns, depth, product, stride);
}

// Four columns at a time subtract what all columns before them contribute.
void ColumnFactor::update_step(std::size_t first) {
  if (first == 0) return;
  const ConstBlock rows{block_ + first, stride_};
  const std::size_t columns = std::min(kRowStep, width_ - first);
  double* target = block_ + first * stride_ + first;
  if (has_wide_lanes()) return update_wide(rows, rows, stride_ - first, columns, first, target, stride_);
  update_narrow(rows, rows, stride_ - first, columns, first, target, stride_);
}

// Contributions of the columns of the same step.
void ColumnFactor::update_column(std::size_t column) {
  const std::size_t first = column / kRowStep * kRowStep;
  double* target = block_ + column * stride_;
  for (std::size_t k = first; k < column; ++k) {
    const double* before = block_ + k * stride_;
    const double factor = before[column];
    for (std::size_t i = column; i < stride_; ++i) target[i] -= factor * before[i];
  }
}

void ColumnFactor::finish_column(std::size_t column, double pivot) {
  const double inverse = pivot > 0.0 ? 1.0 / std::sqrt(pivot) : 0.0;
  double* target = block_ + column * stride_;
  target[column] = inverse;
  for (std::size_t i = column + 1; i < stride_; ++i) target[i] = inverse == 0.0 ? 0.0 : target[i] * inverse;
}

void solve_columns(ConstBlock L, std::size_t width, std::size_t height, double* v) {
  for (std::size_t j = 0; j < width; ++j) {
    const double* column = L.values + j * L.stride;
    const double value = v[j] * column[j];
    v[j] = value;
    for (std::size_t i = j + 1; i < height; ++i) v[i] -= column[i] * value;
  }
}

void solve_columns_transposed(ConstBlock L, std::size_t width, std::size_t height, double* v) {
  for (std::size_t j = width; j-- > 0;) {
    const double* column = L.values + j * L.stride;
    // From the end, so that v(j + 1), which was computed just before, is needed last; two sums, for latency.
    double even = 0.0;
    double odd = 0.0;
    std::size_t i = height;
    for (; i > j + 2; i -= 2) {
      even += column[i - 1] * v[i - 1];
      odd += column[i - 2] * v[i - 2];
    }
    if (i > j + 1) even += column[i - 1] * v[i - 1];
    v[j] = (v[j] - (even + odd)) * column[j];
  }
}

}  // namespace gelenk
