#pragma once

#include <cstddef>

namespace gelenk {

// Kernels on small dense blocks stored column by column, for sparse factorizations. Blocks are read and computed in
// steps of four rows: `stride` (from column to column) is a multiple of four, and up to three numbers behind the last
// column may be read. As in panel_cholesky.h, the bits of a result do not depend on the width of the machine's vectors.
inline constexpr std::size_t kRowStep = 4;

constexpr std::size_t round_up_to_step(std::size_t rows) { return (rows + kRowStep - 1) / kRowStep * kRowStep; }

struct ConstBlock {
  const double* values;
  std::size_t stride;
};

// product(i, j) := Σ_k A(i, k) B(j, k), i < rows, j < columns, k < depth; stride of the product: rows rounded up.
void multiply_transposed(ConstBlock A, ConstBlock B, std::size_t rows, std::size_t columns, std::size_t depth,
                         double* product);

// Cholesky of the block column of a supernode: the first `width` rows are its diagonal block, of which the lower
// triangle counts. Asks accept(column, pivot) for each column: an accepted one becomes a column of L with 1/L_kk on the
// diagonal, another one becomes zero. The padding rows must be zero.
class ColumnFactor {
 public:
  ColumnFactor(double* block, std::size_t stride, std::size_t width) : block_(block), stride_(stride), width_(width) {}

  template <class Accept>
  void run(Accept&& accept) {
    for (std::size_t column = 0; column < width_; ++column) {
      if (column % kRowStep == 0) update_step(column);
      update_column(column);
      const double pivot = block_[column * stride_ + column];
      finish_column(column, accept(column, pivot) ? pivot : 0.0);
    }
  }

 private:
  void update_step(std::size_t first);
  void update_column(std::size_t column);
  void finish_column(std::size_t column, double pivot);

  double* block_;
  std::size_t stride_;
  std::size_t width_;
};

// v(i) -= Σ_j L(i, j) v(j) for i >= width after v(0 .. width-1) := L₁₁⁻¹ v(0 .. width-1); 1/L_jj on the diagonal.
void solve_columns(ConstBlock L, std::size_t width, std::size_t height, double* v);

// v(0 .. width-1) := L₁₁⁻ᵀ (v(0 .. width-1) - L₂₁ᵀ v(width .. height-1)).
void solve_columns_transposed(ConstBlock L, std::size_t width, std::size_t height, double* v);

}  // namespace gelenk
