#include "gelenk/analysis/implicit_columns.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/math/rotation.h"

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

void map_port(const double* arm, const Matrix3& T, const Matrix3& turning, solve::ImplicitNode::PortMap& map) {
  const Matrix3 shift = -skew<double>(Vector3::Map(arm));
  const Matrix3 parts[4] = {shift * T, T, shift + turning * T, Matrix3::Identity()};
  map.motion.fill(0.0);
  for (std::size_t i = 0; i < 12; ++i) {
    if (i / 3 % 2 == 0) map.motion[6 * i + i % 3] = 1.0;
    for (int k = 0; k < 3; ++k) map.motion[6 * i + 3 + at(k)] = parts[i / 3](static_cast<int>(i % 3), k);
  }
  std::copy_n(arm, 3, map.arm.begin());
}

void subtract_inertia(const Matrix3& J, const Vector3& alpha, mechanics::ForceBlock& block) {
  const Matrix3 derivative = skew<double>(J * alpha) - J * skew<double>(alpha);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) block.values[kColumns * at(3 + i) + at(3 + k)] += derivative(i, k);
  }
}

}  // namespace gelenk::analysis
