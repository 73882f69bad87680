#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <optional>
#include <string_view>

namespace gelenk {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Quaternion = Eigen::Quaterniond;  // constructor order w, x, y, z, as everywhere in Gelenk

// Position and axes of frame B as seen from frame A: `X_AB`. p_A = R_AB * p_B + p_AB.
struct Pose {
  Matrix3 rotation = Matrix3::Identity();  // R_AB: columns are the axes of B in A
  Vector3 position = Vector3::Zero();      // p_AoBo_A

  // X_AC = X_AB * X_BC
  friend Pose operator*(const Pose& a, const Pose& b) {
    return {a.rotation * b.rotation, a.rotation * b.position + a.position};
  }
  // A point given in B, expressed in A.
  friend Vector3 operator*(const Pose& a, const Vector3& p) { return a.rotation * p + a.position; }

  Pose inverse() const { return {rotation.transpose(), -(rotation.transpose() * position)}; }
};

// Rotation that takes the z axis to `z` (unit) with an x axis that depends only on z, smoothly except at one pole.
Matrix3 rotation_with_z(const Vector3& z);
// Rotation with the given z axis (unit) and the x axis nearest to `x`, which must not be parallel to z.
Matrix3 rotation_with_z_x(const Vector3& z, const Vector3& x);

// The same frame seen in a mirror: S is an orthogonal matrix (reflection of coordinates), proper or not.
// X' = S X Sᵀ is proper whenever X is.
Pose mirrored(const Pose& pose, const Matrix3& S);

// v / |v|, also where |v|² would over- or underflow; nothing when v has no direction: zero or not finite.
std::optional<Vector3> unit_vector(const Vector3& v);

// Orientations as model files write them. Each is R_AB and gives nothing when the numbers do not fix a rotation.

// q of any length but zero.
std::optional<Matrix3> rotation_from_quaternion(const Quaternion& q);
// Right-handed turn by `angle` (rad) about `axis`, of any length but zero.
std::optional<Matrix3> rotation_from_axis_angle(const Vector3& axis, double angle);
// Intrinsic turns (each about an axis of the frame turned so far): "zyx" is R_z(angles[0]) R_y(angles[1])
// R_x(angles[2]). Three of the letters x, y, z, no two neighbors equal: the 6 Tait-Bryan and the 6 proper Euler
// sequences.
std::optional<Matrix3> rotation_from_angles(const Vector3& angles, std::string_view sequence);

enum class Axis { x, y, z };

// Axis `first` of B along `first_direction`; axis `second` in the half-plane of both, on the side of
// `second_direction`. Nothing when both name one axis or the directions are parallel within kSmallestAngle.
std::optional<Matrix3> rotation_from_directions(Axis first, const Vector3& first_direction, Axis second,
                                                const Vector3& second_direction);

// Below this angle (rad) between two directions their common plane is rounding noise: numbers in files have up to
// 16 digits, directions computed from them lose a few.
inline constexpr double kSmallestAngle = 1e-9;

// Unit quaternion with w >= 0 (of the two with w = 0: first nonzero element positive).
Quaternion quaternion_from_rotation(const Matrix3& R);

}  // namespace gelenk
