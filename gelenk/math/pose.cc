#include "gelenk/math/pose.h"

#include <cmath>
#include <cstddef>

namespace gelenk {
namespace {

// Eigen divides large products by the caches of the processor that it finds, and the order of a sum depends on that.
// The same sizes everywhere give the same bits on every machine.
constexpr std::ptrdiff_t kFirstCache = 48 << 10, kSecondCache = 2 << 20, kThirdCache = 260 << 20;
[[maybe_unused]] const bool kAreBlocksFixed = (Eigen::setCpuCacheSizes(kFirstCache, kSecondCache, kThirdCache), true);

}  // namespace

Matrix3 rotation_with_z(const Vector3& z) {
  // The smallest turn that takes e_z to z: with c = z·e_z, rows and columns 1, 2 are δ_ij - z_i z_j / (1 + c).
  // Near the pole z = -e_z the quotient is 0/0; 1 - c² = z₁² + z₂² turns it into (1 - c) n_i n_j with the unit vector n
  // of (z₁, z₂). At the pole itself n = (0, 1) is chosen: half a turn about x.
  const double c = z.z();
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
  if (c >= 0.0) {
    xx = z.x() * z.x() / (1.0 + c);
    xy = z.x() * z.y() / (1.0 + c);
    yy = z.y() * z.y() / (1.0 + c);
  } else {
    const double h = std::hypot(z.x(), z.y());
    const double nx = h > 0.0 ? z.x() / h : 0.0;
    const double ny = h > 0.0 ? z.y() / h : 1.0;
    xx = (1.0 - c) * nx * nx;
    xy = (1.0 - c) * nx * ny;
    yy = (1.0 - c) * ny * ny;
  }
  Matrix3 R;
  R << 1.0 - xx, -xy, z.x(),  //
      -xy, 1.0 - yy, z.y(),   //
      -z.x(), -z.y(), c;
  return R;
}

Matrix3 rotation_with_z_x(const Vector3& z, const Vector3& x) {
  Matrix3 R;
  R.col(2) = z;
  R.col(1) = z.cross(x).stableNormalized();
  R.col(0) = R.col(1).cross(z);
  return R;
}

Pose mirrored(const Pose& pose, const Matrix3& S) { return {S * pose.rotation * S.transpose(), S * pose.position}; }

std::optional<Vector3> unit_vector(const Vector3& v) {
  const double largest = v.cwiseAbs().maxCoeff();
  if (!v.allFinite() || largest == 0.0) return std::nullopt;
  return (v / largest).normalized();
}

std::optional<Matrix3> rotation_from_quaternion(const Quaternion& q) {
  const double largest = q.coeffs().cwiseAbs().maxCoeff();
  if (!q.coeffs().allFinite() || largest == 0.0) return std::nullopt;
  return Quaternion(q.coeffs() / largest).normalized().toRotationMatrix();
}

std::optional<Matrix3> rotation_from_axis_angle(const Vector3& axis, double angle) {
  const std::optional<Vector3> unit = unit_vector(axis);
  if (!unit || !std::isfinite(angle)) return std::nullopt;
  return Eigen::AngleAxisd(angle, *unit).toRotationMatrix();
}

std::optional<Matrix3> rotation_from_angles(const Vector3& angles, std::string_view sequence) {
  if (sequence.size() != 3 || !angles.allFinite()) return std::nullopt;
  if (sequence[0] == sequence[1] || sequence[1] == sequence[2]) return std::nullopt;
  Matrix3 R = Matrix3::Identity();
  for (int turn = 0; turn < 3; ++turn) {
    const char letter = sequence[static_cast<std::size_t>(turn)];
    if (letter < 'x' || letter > 'z') return std::nullopt;
    R = R * Eigen::AngleAxisd(angles[turn], Vector3::Unit(letter - 'x'));
  }
  return R;
}

std::optional<Matrix3> rotation_from_directions(Axis first, const Vector3& first_direction, Axis second,
                                                const Vector3& second_direction) {
  const std::optional<Vector3> u = unit_vector(first_direction);
  const std::optional<Vector3> v = unit_vector(second_direction);
  if (first == second || !u || !v) return std::nullopt;
  const Vector3 normal = u->cross(*v);
  if (normal.norm() < kSmallestAngle) return std::nullopt;

  const int i = static_cast<int>(first);
  const int j = static_cast<int>(second);
  const int k = 3 - i - j;
  // e_k = ± e_i × e_j, plus when (i, j, k) is a cyclic permutation of (x, y, z).
  const double sign = (j - i + 3) % 3 == 1 ? 1.0 : -1.0;
  Matrix3 R;
  R.col(i) = *u;
  R.col(k) = sign * normal.normalized();
  R.col(j) = sign * R.col(k).cross(*u);
  return R;
}

Quaternion quaternion_from_rotation(const Matrix3& R) {
  Quaternion q = Quaternion(R).normalized();
  const double leading = q.w() != 0.0 ? q.w() : q.x() != 0.0 ? q.x() : q.y() != 0.0 ? q.y() : q.z();
  if (leading < 0.0) q.coeffs() = -q.coeffs();
  return q;
}

}  // namespace gelenk
