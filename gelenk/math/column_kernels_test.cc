#include "gelenk/math/column_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace gelenk::column_kernels_test {
namespace {

// Numbers in all places that may be read, padding included: a kernel that used what it should not would show it.
std::vector<double> numbers(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<double> result(count + kRowStep);
  for (double& value : result) value = number(generator);
  return result;
}

// Bit for bit: every element is the sum in the order of k, whatever the registers of this machine are.
TEST(ColumnKernels, ProductsAreSumsInOrder) {
  for (std::size_t rows = 1; rows <= 21; ++rows) {
    for (std::size_t columns = 1; columns <= 9; ++columns) {
      for (const std::size_t depth : {std::size_t{0}, std::size_t{1}, std::size_t{6}, std::size_t{13}}) {
        const std::size_t stride = 28;
        const std::vector<double> A = numbers(stride * depth, 1);
        const std::vector<double> B = numbers(stride * depth, 2);
        std::vector<double> product(round_up_to_step(rows) * columns, 7.0);
        constexpr std::size_t kOffset = 3;  // blocks may start at any row
        multiply_transposed({A.data() + kOffset, stride}, {B.data() + 1, stride}, rows, columns, depth, product.data());
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t j = 0; j < columns; ++j) {
            double sum = 0.0;
            for (std::size_t k = 0; k < depth; ++k) sum += A[k * stride + kOffset + i] * B[k * stride + 1 + j];
            EXPECT_EQ(product[j * round_up_to_step(rows) + i], sum) << rows << " x " << columns << " x " << depth;
          }
        }
      }
    }
  }
}

struct Block {
  std::size_t width, height, stride;
  std::vector<double> values;
  double& at(std::size_t i, std::size_t j) { return values[j * stride + i]; }
  ConstBlock view() const { return {values.data(), stride}; }
};

// The first `width` columns of a positive definite matrix; padding zero, the upper triangle anything.
Block positive_block(std::size_t width, std::size_t height, unsigned seed) {
  Block block{width, height, round_up_to_step(height), {}};
  block.values.assign(block.stride * width + kRowStep, 0.0);
  const std::vector<double> X = numbers(height * (height + 3), seed);
  for (std::size_t j = 0; j < width; ++j) {
    for (std::size_t i = 0; i < height; ++i) {
      for (std::size_t k = 0; k < height + 3; ++k) block.at(i, j) += X[k * height + i] * X[k * height + j];
      if (i < j) block.at(i, j) = 99.0;
    }
  }
  return block;
}

TEST(ColumnKernels, FactorEqualsTheTextbook) {
  for (const std::size_t width : {std::size_t{1}, std::size_t{4}, std::size_t{5}, std::size_t{11}, std::size_t{30}}) {
    const std::size_t height = width + 7;
    Block block = positive_block(width, height, 3);
    Block expected = block;
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t i = j; i < height; ++i) {
        for (std::size_t k = 0; k < j; ++k) expected.at(i, j) -= expected.at(i, k) * expected.at(j, k);
      }
      const double root = std::sqrt(expected.at(j, j));
      for (std::size_t i = j; i < height; ++i) expected.at(i, j) /= root;
    }
    ColumnFactor(block.values.data(), block.stride, width).run([](std::size_t, double pivot) { return pivot > 0.0; });
    constexpr double kTolerance = 1e-12;  // rounding at a condition of about 1e3
    for (std::size_t j = 0; j < width; ++j) {
      EXPECT_NEAR(block.at(j, j) * expected.at(j, j), 1.0, kTolerance);
      for (std::size_t i = j + 1; i < height; ++i) EXPECT_NEAR(block.at(i, j), expected.at(i, j), kTolerance);
    }
  }
}

// A refused column is as if its row and column were not there.
TEST(ColumnKernels, RefusedColumnsAreZero) {
  constexpr std::size_t kWidth = 9;
  constexpr std::size_t kHeight = 12;
  constexpr std::size_t kRefused = 5;
  Block block = positive_block(kWidth, kHeight, 4);
  Block without = block;
  for (std::size_t i = 0; i < kHeight; ++i) {
    if (i >= kRefused) without.at(i, kRefused) = i == kRefused ? 1.0 : 0.0;
    if (i < kRefused) without.at(kRefused, i) = 0.0;
  }
  double pivot_of_refused = 0.0;
  ColumnFactor(block.values.data(), block.stride, kWidth).run([&](std::size_t column, double pivot) {
    if (column == kRefused) pivot_of_refused = pivot;
    return column != kRefused;
  });
  ColumnFactor(without.values.data(), without.stride, kWidth).run([](std::size_t, double) { return true; });
  EXPECT_GT(pivot_of_refused, 0.0);
  for (std::size_t j = 0; j < kWidth; ++j) {
    for (std::size_t i = j; i < kHeight; ++i) {
      if (i == kRefused && j != kRefused) continue;
      EXPECT_EQ(block.at(i, j), j == kRefused ? 0.0 : without.at(i, j));
    }
  }
}

TEST(ColumnKernels, SolvesInvertTheFactor) {
  constexpr std::size_t kWidth = 10;
  Block block = positive_block(kWidth, kWidth, 5);
  Block matrix = block;
  ColumnFactor(block.values.data(), block.stride, kWidth).run([](std::size_t, double) { return true; });
  const std::vector<double> x = numbers(kWidth, 6);
  std::vector<double> b(kWidth, 0.0);
  for (std::size_t i = 0; i < kWidth; ++i) {
    for (std::size_t j = 0; j < kWidth; ++j) b[i] += matrix.at(std::max(i, j), std::min(i, j)) * x[j];
  }
  solve_columns(block.view(), kWidth, kWidth, b.data());
  solve_columns_transposed(block.view(), kWidth, kWidth, b.data());
  for (std::size_t i = 0; i < kWidth; ++i) EXPECT_NEAR(b[i], x[i], 1e-11);
}

// [L₁₁; L₂₁] against its definition, for a block with rows below.
TEST(ColumnKernels, SolvesHandOnToTheRowsBelow) {
  constexpr std::size_t kWidth = 6;
  constexpr std::size_t kHeight = 11;
  Block block = positive_block(kWidth, kHeight, 7);
  ColumnFactor(block.values.data(), block.stride, kWidth).run([](std::size_t, double) { return true; });
  const auto L = [&](std::size_t i, std::size_t j) { return i == j ? 1.0 / block.at(i, j) : block.at(i, j); };

  const std::vector<double> y = numbers(kHeight, 8);
  std::vector<double> v(kHeight, 0.0);
  for (std::size_t i = 0; i < kHeight; ++i) {
    for (std::size_t j = 0; j < kWidth && j <= i; ++j) v[i] += L(i, j) * y[j];
    if (i >= kWidth) v[i] += y[i];
  }
  solve_columns(block.view(), kWidth, kHeight, v.data());
  for (std::size_t i = 0; i < kHeight; ++i) EXPECT_NEAR(v[i], y[i], 1e-12);

  std::vector<double> w(y.begin(), y.begin() + kHeight);
  for (std::size_t j = 0; j < kWidth; ++j) {
    w[j] = 0.0;
    for (std::size_t i = j; i < kHeight; ++i) w[j] += L(i, j) * y[i];
  }
  solve_columns_transposed(block.view(), kWidth, kHeight, w.data());
  for (std::size_t i = 0; i < kHeight; ++i) EXPECT_NEAR(w[i], y[i], 1e-12);
}

}  // namespace
}  // namespace gelenk::column_kernels_test
