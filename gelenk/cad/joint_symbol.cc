#include "gelenk/cad/joint_symbol.h"

#include <cmath>
#include <numbers>

namespace gelenk::cad {
namespace {

// Parts of the radius.
constexpr double kAxis = 1.05, kHead = 0.8, kTurnAt = 0.82, kTurnAtOfCylindrical = 0.68, kTurn = 0.17, kPlane = 0.36;

// Most of a circle about an axis (unit).
Polyline turn(const Vector3& center, const Vector3& axis, double radius, const Vector3& toward) {
  constexpr int kPieces = 28;
  constexpr double kBegin = -0.75 * std::numbers::pi, kEnd = 0.75 * std::numbers::pi, kFlat = 0.35;
  const double slope = axis.dot(toward);
  const double tilt = std::abs(slope) < kFlat ? (slope < 0.0 ? -kFlat : kFlat) - slope : 0.0;
  const Matrix3 R = rotation_with_z((axis + tilt * toward).normalized());
  Polyline line;
  for (int i = 0; i <= kPieces; ++i) {
    const double angle = kBegin + (kEnd - kBegin) * i / kPieces;
    line.push_back(center + radius * (R * Vector3(std::cos(angle), std::sin(angle), 0.0)));
  }
  return line;
}

}  // namespace

JointSymbol joint_symbol(std::string_view type, const Pose& X_WJ, double radius, const Vector3& toward) {
  JointSymbol symbol;
  const auto along = [&](int axis, double distance) -> Vector3 {
    return X_WJ * (distance * radius * Vector3::Unit(axis));
  };
  if (type == "fixed") {
    symbol.point = X_WJ.position;
    symbol.is_locked = true;
    return symbol;
  }
  if (type == "spherical") {
    symbol.point = X_WJ.position;
    for (const int axis : {0, 2}) {
      symbol.arrows.push_back(turn(X_WJ.position, X_WJ.rotation.col(axis), 2.0 * kTurn * radius, toward));
    }
    return symbol;
  }
  const auto turn_at = [&](double distance) {
    return turn(along(2, distance), X_WJ.rotation.col(2), kTurn * radius, toward);
  };
  symbol.axis = Polyline{along(2, -kAxis), along(2, kAxis)};
  if (type == "planar") {
    const auto corner = [&](double x, double y) -> Vector3 { return X_WJ * (kPlane * radius * Vector3(x, y, 0.0)); };
    symbol.lines.push_back({corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)});
    for (const int axis : {0, 1}) {
      for (const double sign : {-1.0, 1.0}) symbol.arrows.push_back({X_WJ.position, along(axis, sign * kPlane)});
    }
    symbol.arrows.push_back(turn_at(kTurnAt));
    return symbol;
  }
  const bool slides = type == "prismatic" || type == "cylindrical";
  if (slides) {
    for (const double sign : {-1.0, 1.0}) symbol.arrows.push_back({along(2, sign * kHead), along(2, sign * kAxis)});
  }
  if (type == "revolute" || type == "cylindrical") {
    symbol.arrows.push_back(turn_at(slides ? kTurnAtOfCylindrical : kTurnAt));
  }
  return symbol;
}

std::string_view joint_motion(std::string_view type) {
  if (type == "fixed") return "nothing moves";
  if (type == "spherical") return "turns about the point";
  if (type == "planar") return "slides in the plane, turns about its normal";
  if (type == "prismatic") return "slides along the axis";
  if (type == "cylindrical") return "turns about and slides along the axis";
  return type == "revolute" ? "turns about the axis" : "";
}

}  // namespace gelenk::cad
