#include "gelenk/analysis/implicit_columns.h"

namespace gelenk::analysis {
namespace {

constexpr std::size_t kColumns = 12;  // of a block: displacement, turn, velocity, angular velocity

}  // namespace

void shift_columns(const double* arm, const Matrix3& turning, mechanics::ForceBlock& block) {
  for (std::size_t i = 0; i < 6; ++i) {
    double* const row = &block.values[kColumns * i];
    Eigen::Map<Vector3>{row + 3} += turning.transpose() * Vector3::Map(row + 6);
    shift_row(arm, row);
    shift_row(arm, row + 6);
  }
}

void shift_rows(const double* arm, mechanics::ForceBlock& block) {
  for (std::size_t k = 0; k < kColumns; ++k) {
    double column[6];
    for (std::size_t i = 0; i < 6; ++i) column[i] = block.values[kColumns * i + k];
    shift_row(arm, column);
    for (std::size_t i = 3; i < 6; ++i) block.values[kColumns * i + k] = column[i];
  }
}

}  // namespace gelenk::analysis
