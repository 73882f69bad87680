#include "gelenk/model/expand/joint_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gelenk/base/text.h"

namespace gelenk::model::expanding {
namespace {

// Two axes of a universal joint may miss the right angle by what rounded numbers in a file leave, not more.
constexpr double kPerpendicularTolerance = 1e-6;

Matrix3 sign_matrix(const AxisSigns& signs) { return Vector3(signs.x, signs.y, signs.z).asDiagonal(); }

// Its second axis is z of the second joint frame.
bool has_axis_on_each(const ObjectType& type) { return &type == &kPerpendicularAxes || &type == &kConstantAngle; }

std::optional<Matrix3> joint_axes(const Object& written, Instance& scope, Numbers& numbers, Diagnostics& diagnostics) {
  const Value* axis = written.value("axis");
  if (axis == nullptr) return Matrix3::Identity();
  const std::optional<Vector3> z = numbers.direction(*axis, "axis", scope);
  if (!z) return std::nullopt;
  const Value* second = has_axis_on_each(*written.type) ? nullptr : written.value("second_axis");
  if (second == nullptr) {
    // x of a planar joint: the first of x, y, z that is not along the normal.
    for (int i = 0; i < 3; ++i) {
      if (std::abs((*z)[i]) < 0.9) return rotation_with_z_x(*z, Vector3::Unit(i));
    }
    return rotation_with_z(*z);
  }
  const std::optional<Vector3> x = numbers.direction(*second, "second_axis", scope);
  if (!x) return std::nullopt;
  const double cosine = std::abs(z->dot(*x));
  if (cosine > kPerpendicularTolerance) {
    diagnostics.error(
        Code::axes_not_perpendicular, second->range,
        fmt::format("`axis` and `second_axis` must be perpendicular, but are at {} deg",
                    format_rounded(std::acos(std::min(1.0, cosine)) * 180.0 / 3.14159265358979323846, 4)));
    return std::nullopt;
  }
  return rotation_with_z_x(*z, *x);
}

}  // namespace

Pose through_mirror(const Pose& X_AJ, const Matrix3& S, const ObjectType& type) {
  const Matrix3 R = S * X_AJ.rotation;
  const Vector3 p = S * X_AJ.position;
  return {S.determinant() < 0.0 ? Matrix3(R * sign_matrix(type.mirror_axes)) : R, p};
}

std::optional<JointAxes> axes_on_both(const Object& written, Instance& scope, Numbers& numbers,
                                      Diagnostics& diagnostics) {
  const std::optional<Matrix3> axes = joint_axes(written, scope, numbers, diagnostics);
  if (axes && has_axis_on_each(*written.type)) {
    const Value* second = written.value("second_axis");
    const std::optional<Vector3> z =
        second == nullptr ? std::nullopt : numbers.direction(*second, "second_axis", scope);
    return z ? std::optional(JointAxes{*axes, rotation_with_z(*z)}) : std::nullopt;
  }
  if (!axes || written.type != &kRolling) return axes ? std::optional(JointAxes{*axes, *axes}) : std::nullopt;
  const Value* normal = written.value("normal");
  if (normal == nullptr) return JointAxes{Matrix3::Identity(), *axes};
  const std::optional<Vector3> z = numbers.direction(*normal, "normal", scope);
  if (!z) return std::nullopt;
  return JointAxes{rotation_with_z(*z), *axes};
}

}  // namespace gelenk::model::expanding
