#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gelenk/math/curve.h"
#include "gelenk/math/pose.h"
#include "gelenk/math/rotation.h"
#include "gelenk/model/descriptor.h"

// What joints hold, as groups of constraint rows between the two joint frames A and B: the only place that knows which
// rows a primitive has, of which form and level they are, and how they look where a joint is drawn. W is the vector
// from Ao to Bo.
namespace gelenk::model {

enum class Primitive : std::uint8_t {
  point,          // origins coincide
  on_axis,        // origin of B on the z axis of A
  on_plane,       // origin of B in the xy plane of A
  parallel_axes,  // z axes parallel
  same_axes,      // all axes parallel
  crossed_axes,   // z axis of A perpendicular to x axis of B
  right_angle,    // z axes perpendicular
  angle,          // z axes at a fixed angle
  no_twist,       // B is turned against A about an axis in the xy plane
  in_slot,        // origin of B on the x axis of A
  distance,       // origins at a fixed distance
  rim_on_plane,   // the rim of a disk about the z axis of B touches the xy plane of A
  rim_rolls,      // its lowest point does not slip along the rim
  rim_holds,      // nor sideways
  blade,          // origin of B does not move along the z axis of B
  on_curve,       // origin of B on a curve of A
  with_curve,     // axes of B along those of the curve where the origin of B is
};

// What the data of a joint holds: a length, a radius or an angle; a curve in axes of A.
struct Held {
  double size = 0.0;
  const Curve* curve = nullptr;

  Held(double held_size = 0.0,
       const Curve* held_curve = nullptr)  // NOLINT(google-explicit-constructor): most are sizes
      : size(held_size), curve(held_curve) {}
};

// Constraint rows; their kernels are in gelenk/mechanics/rows.h.
enum class RowKind : std::uint8_t {
  world_axis,    // e·W, e: axis_a of the world
  frame_axis,    // n·W - value(t), n: axis_a of A
  dot,           // axis_a of A · axis_b of B
  cosine,        // the same less the cosine of an angle
  twist,         // (y of A · x of B - x of A · y of B) / 2, the sine of the twist where B is turned about z alone
  angle_at_a,    // sin(θ - value(t)), θ: angle about z of A to x of B
  angle_at_b,    // sin(θ - value(t)), θ: angle about x of B, from z of B to z of A
  distance,      // (W·W - L²) / 2L
  rim_gap,       // z of A · W - R sin τ: height of the lowest point of a rim, τ between z of A and z of B
  rim_slip,      // velocity of that point on B against A; axis_a 0: along the rim, 1: sideways
  blade_slip,    // velocity of Bo against A along axis_b of B
  curve_gap,     // W less the nearest point of a curve, along axis_a of the curve there; its axis 0 is the tangent
  curve_travel,  // travel of that point along the curve - value(t)
  curve_turn,    // axis_a of the curve there · axis_b of B
};

// A row holds a position, g(q) = 0, and with it the rate of that; or a rate alone, J(q) V = 0, of which no position is
// the integral.
enum class RowLevel : std::uint8_t { position, velocity };
constexpr RowLevel level_of(RowKind kind) {
  return kind == RowKind::rim_slip || kind == RowKind::blade_slip ? RowLevel::velocity : RowLevel::position;
}

// As the solver packs rows (gelenk/math/joint_rows.h). The three rows of the primitive `point` are a point; any other
// row is a turn if it holds an angle, and a line otherwise.
enum class RowForm : std::uint8_t { point, turn, line };
constexpr RowForm form_of(RowKind kind) {
  const bool is_turn = kind == RowKind::dot || kind == RowKind::cosine || kind == RowKind::twist ||
                       kind == RowKind::angle_at_a || kind == RowKind::angle_at_b;
  return is_turn ? RowForm::turn : RowForm::line;  // a turn along a curve depends on both
}
// Whether its value is a length, not a sine or cosine.
constexpr bool is_length(RowKind kind) {
  return form_of(kind) == RowForm::line && level_of(kind) == RowLevel::position && kind != RowKind::curve_turn;
}

struct PrimitiveRow {
  RowKind kind = RowKind::dot;
  std::uint8_t axis_a = 0, axis_b = 0;
};

// A row where the joint is drawn, world axes: e·(velocity of B at p_b - of A at p_a) of a line, or e·(angular velocity
// of B - of A) of a turn. A joint that is drawn open counts as if it were closed where the second part is.
struct DrawnRow {
  RowForm form = RowForm::line;
  Vector3 e = Vector3::Zero(), p_a = Vector3::Zero(), p_b = Vector3::Zero();
  Vector3 turn = Vector3::Zero();  // a line that holds an angle as well: turn·(angular velocity of B - of A) is added
};
using DrawnRows = std::array<DrawnRow, 3>;

// How far a joint is open as drawn.
struct JointGap {
  double distance = 0.0;  // m
  double angle = 0.0;     // rad
};

struct PrimitiveType {
  std::span<const PrimitiveRow> rows{};
  // As many rows as it has.
  DrawnRows (*drawn)(const Pose& A, const Pose& B, const Held& held) = nullptr;
  JointGap (*gap)(const Pose& X_AB, const Held& held) = nullptr;  // null: no pose is open
  // With the joint's coordinates it says where the second part is.
  bool places_part = true;
};

namespace primitives {

inline constexpr std::array kPoint{PrimitiveRow{RowKind::world_axis, 0}, PrimitiveRow{RowKind::world_axis, 1},
                                   PrimitiveRow{RowKind::world_axis, 2}};
inline constexpr std::array kOnAxis{PrimitiveRow{RowKind::frame_axis, 0}, PrimitiveRow{RowKind::frame_axis, 1}};
inline constexpr std::array kOnPlane{PrimitiveRow{RowKind::frame_axis, 2}};
inline constexpr std::array kParallelAxes{PrimitiveRow{RowKind::dot, 2, 0}, PrimitiveRow{RowKind::dot, 2, 1}};
inline constexpr std::array kSameAxes{PrimitiveRow{RowKind::dot, 0, 1}, PrimitiveRow{RowKind::dot, 1, 2},
                                      PrimitiveRow{RowKind::dot, 2, 0}};
inline constexpr std::array kCrossedAxes{PrimitiveRow{RowKind::dot, 2, 0}};
inline constexpr std::array kRightAngle{PrimitiveRow{RowKind::dot, 2, 2}};
inline constexpr std::array kAngleOfAxes{PrimitiveRow{RowKind::cosine, 2, 2}};
inline constexpr std::array kNoTwist{PrimitiveRow{RowKind::twist}};
inline constexpr std::array kInSlot{PrimitiveRow{RowKind::frame_axis, 1}, PrimitiveRow{RowKind::frame_axis, 2}};
inline constexpr std::array kDistance{PrimitiveRow{RowKind::distance}};
inline constexpr std::array kRimOnPlane{PrimitiveRow{RowKind::rim_gap, 2, 2}};
inline constexpr std::array kRimRolls{PrimitiveRow{RowKind::rim_slip, 0, 2}};
inline constexpr std::array kRimHolds{PrimitiveRow{RowKind::rim_slip, 1, 2}};
inline constexpr std::array kBlade{PrimitiveRow{RowKind::blade_slip, 2, 2}};
inline constexpr std::array kOnCurve{PrimitiveRow{RowKind::curve_gap, 1}, PrimitiveRow{RowKind::curve_gap, 2}};
inline constexpr std::array kWithCurve{PrimitiveRow{RowKind::curve_turn, 0, 1}, PrimitiveRow{RowKind::curve_turn, 1, 2},
                                       PrimitiveRow{RowKind::curve_turn, 2, 0}};

inline Vector3 axis(const Pose& pose, int i) { return pose.rotation.col(i); }
inline DrawnRow line(const Vector3& e, const Vector3& p_a, const Vector3& p_b) { return {RowForm::line, e, p_a, p_b}; }
inline DrawnRow turn(const Vector3& e) { return {RowForm::turn, e}; }

// Where a rim about z of B touches the plane of A, and the three directions of its rows there.
struct DrawnRim {
  Vector3 normal, along, lowest;
};
inline DrawnRim rim(const Pose& A, const Pose& B, double radius) {
  const Vector3 n = axis(A, 2);
  const Vector3 along = unit_vector(axis(B, 2).cross(n)).value_or(axis(A, 0));
  return {n, along, B.position + radius * axis(B, 2).cross(along)};
}

inline constexpr PrimitiveType kPointType{
    kPoint,
    [](const Pose& A, const Pose& B, const Held& /*held*/) {
      DrawnRows rows;
      for (int i = 0; i < 3; ++i) rows[static_cast<std::size_t>(i)] = line(axis(A, i), A.position, B.position);
      return rows;
    },
    [](const Pose& X_AB, const Held& /*held*/) { return JointGap{.distance = X_AB.position.norm()}; }};
inline constexpr PrimitiveType kOnAxisType{
    kOnAxis,
    [](const Pose& A, const Pose& B, const Held& /*held*/) {
      return DrawnRows{line(axis(A, 0), B.position, B.position), line(axis(A, 1), B.position, B.position)};
    },
    [](const Pose& X_AB, const Held& /*held*/) { return JointGap{.distance = X_AB.position.head<2>().norm()}; }};
inline constexpr PrimitiveType kOnPlaneType{
    kOnPlane,
    [](const Pose& A, const Pose& B, const Held& /*held*/) {
      return DrawnRows{line(axis(A, 2), B.position, B.position)};
    },
    [](const Pose& X_AB, const Held& /*held*/) { return JointGap{.distance = std::abs(X_AB.position.z())}; }};
inline constexpr PrimitiveType kParallelAxesType{
    kParallelAxes,
    [](const Pose& A, const Pose& /*B*/, const Held& /*held*/) {
      return DrawnRows{turn(axis(A, 0)), turn(axis(A, 1))};
    },
    [](const Pose& X_AB, const Held& /*held*/) {
      return JointGap{.angle = std::atan2(X_AB.rotation.col(2).head<2>().norm(), X_AB.rotation(2, 2))};
    }};
inline constexpr PrimitiveType kSameAxesType{kSameAxes,
                                             [](const Pose& A, const Pose& /*B*/, const Held& /*held*/) {
                                               return DrawnRows{turn(axis(A, 0)), turn(axis(A, 1)), turn(axis(A, 2))};
                                             },
                                             [](const Pose& X_AB, const Held& /*held*/) {
                                               const Quaternion q = quaternion_from_rotation(X_AB.rotation);
                                               return JointGap{.angle = 2.0 * std::atan2(q.vec().norm(), q.w())};
                                             }};
inline constexpr PrimitiveType kCrossedAxesType{
    kCrossedAxes,
    [](const Pose& A, const Pose& B, const Held& /*held*/) { return DrawnRows{turn(axis(A, 2).cross(axis(B, 0)))}; },
    [](const Pose& X_AB, const Held& /*held*/) {
      return JointGap{.angle = std::abs(std::asin(std::clamp(X_AB.rotation(2, 0), -1.0, 1.0)))};
    }};
// Both rows of an angle between z axes turn about the common normal.
inline DrawnRows turn_about_normal(const Pose& A, const Pose& B) {
  return {turn(unit_vector(axis(A, 2).cross(axis(B, 2))).value_or(axis(A, 0)))};
}
inline double angle_of_axes(const Pose& X_AB) {
  return std::atan2(X_AB.rotation.col(2).head<2>().norm(), X_AB.rotation(2, 2));
}
inline constexpr PrimitiveType kRightAngleType{
    kRightAngle, [](const Pose& A, const Pose& B, const Held& /*held*/) { return turn_about_normal(A, B); },
    [](const Pose& X_AB, const Held& /*held*/) {
      return JointGap{.angle = std::abs(std::asin(std::clamp(X_AB.rotation(2, 2), -1.0, 1.0)))};
    }};
inline constexpr PrimitiveType kAngleType{
    kAngleOfAxes, [](const Pose& A, const Pose& B, const Held& /*held*/) { return turn_about_normal(A, B); },
    [](const Pose& X_AB, const Held& held) { return JointGap{.angle = std::abs(angle_of_axes(X_AB) - held.size)}; }};
inline constexpr PrimitiveType kNoTwistType{
    kNoTwist,
    [](const Pose& A, const Pose& B, const Held& /*held*/) {
      // The derivative of the row: n of both products of axes.
      return DrawnRows{turn(0.5 * (axis(B, 0).cross(axis(A, 1)) - axis(B, 1).cross(axis(A, 0))))};
    },
    [](const Pose& X_AB, const Held& /*held*/) {
      const Quaternion q = quaternion_from_rotation(X_AB.rotation);
      return JointGap{.angle = 2.0 * std::atan2(std::abs(q.z()), std::abs(q.w()))};
    }};
inline constexpr PrimitiveType kInSlotType{
    kInSlot,
    [](const Pose& A, const Pose& B, const Held& /*held*/) {
      return DrawnRows{line(axis(A, 1), B.position, B.position), line(axis(A, 2), B.position, B.position)};
    },
    [](const Pose& X_AB, const Held& /*held*/) { return JointGap{.distance = X_AB.position.tail<2>().norm()}; }};
inline constexpr PrimitiveType kDistanceType{
    kDistance,
    [](const Pose& A, const Pose& B, const Held& /*held*/) {
      const Vector3 e = unit_vector(B.position - A.position).value_or(Vector3::UnitX());
      return DrawnRows{line(e, A.position, B.position)};
    },
    [](const Pose& X_AB, const Held& held) { return JointGap{.distance = std::abs(X_AB.position.norm() - held.size)}; },
    false};
inline constexpr PrimitiveType kRimOnPlaneType{kRimOnPlane,
                                               [](const Pose& A, const Pose& B, const Held& held) {
                                                 const DrawnRim at = rim(A, B, held.size);
                                                 return DrawnRows{line(at.normal, at.lowest, at.lowest)};
                                               },
                                               [](const Pose& X_AB, const Held& held) {
                                                 const double height =
                                                     held.size * X_AB.rotation.col(2).head<2>().norm();
                                                 return JointGap{.distance = std::abs(X_AB.position.z() - height)};
                                               },
                                               false};
inline constexpr PrimitiveType kRimRollsType{kRimRolls,
                                             [](const Pose& A, const Pose& B, const Held& held) {
                                               const DrawnRim at = rim(A, B, held.size);
                                               return DrawnRows{line(at.along, at.lowest, at.lowest)};
                                             },
                                             nullptr, false};
inline constexpr PrimitiveType kRimHoldsType{kRimHolds,
                                             [](const Pose& A, const Pose& B, const Held& held) {
                                               const DrawnRim at = rim(A, B, held.size);
                                               return DrawnRows{line(at.normal.cross(at.along), at.lowest, at.lowest)};
                                             },
                                             nullptr, false};
inline constexpr PrimitiveType kBladeType{kBlade,
                                          [](const Pose& /*A*/, const Pose& B, const Held& /*held*/) {
                                            return DrawnRows{line(axis(B, 2), B.position, B.position)};
                                          },
                                          nullptr, false};

// The place on a curve of A that is nearest to Bo, and the axes there with their slopes by the travel.
struct DrawnCurve {
  Vector3 place;
  CurveAxes<double> axes;
};
inline DrawnCurve drawn_curve(const Pose& A, const Pose& B, const Curve& curve) {
  const CurvePoint<double> C = curve.at(curve.nearest(A.rotation.transpose() * (B.position - A.position)));
  CurveAxes<double> axes = axes_of(curve, C);
  axes.directions = (A.rotation * axes.directions).eval();
  axes.slopes = (A.rotation * axes.slopes / C.first.norm()).eval();
  return {A.position + A.rotation * C.position, axes};
}
inline constexpr PrimitiveType kOnCurveType{
    kOnCurve,
    [](const Pose& A, const Pose& B, const Held& held) {
      const DrawnCurve at = drawn_curve(A, B, *held.curve);
      return DrawnRows{line(at.axes.directions.col(1), at.place, at.place),
                       line(at.axes.directions.col(2), at.place, at.place)};
    },
    [](const Pose& X_AB, const Held& held) {
      const double u = held.curve->nearest(X_AB.position);
      return JointGap{.distance = (X_AB.position - held.curve->at(u).position).norm()};
    }};
inline constexpr PrimitiveType kWithCurveType{
    kWithCurve,
    [](const Pose& A, const Pose& B, const Held& held) {
      const DrawnCurve at = drawn_curve(A, B, *held.curve);
      DrawnRows rows;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Vector3 b = axis(B, kWithCurve[i].axis_b);
        const Vector3 bend = at.axes.slopes.col(static_cast<int>(i));
        rows[i] = line(bend.dot(b) * at.axes.directions.col(0), at.place, at.place);
        rows[i].turn = b.cross(at.axes.directions.col(static_cast<int>(i)));
      }
      return rows;
    },
    [](const Pose& X_AB, const Held& held) {
      const Matrix3 axes = axes_of(*held.curve, held.curve->at(held.curve->nearest(X_AB.position))).directions;
      const Quaternion q = quaternion_from_rotation(axes.transpose() * X_AB.rotation);
      return JointGap{.angle = 2.0 * std::atan2(q.vec().norm(), std::abs(q.w()))};
    }};

}  // namespace primitives

constexpr const PrimitiveType& type_of(Primitive primitive) {
  switch (primitive) {
    case Primitive::point:
      return primitives::kPointType;
    case Primitive::on_axis:
      return primitives::kOnAxisType;
    case Primitive::on_plane:
      return primitives::kOnPlaneType;
    case Primitive::parallel_axes:
      return primitives::kParallelAxesType;
    case Primitive::same_axes:
      return primitives::kSameAxesType;
    case Primitive::crossed_axes:
      return primitives::kCrossedAxesType;
    case Primitive::right_angle:
      return primitives::kRightAngleType;
    case Primitive::angle:
      return primitives::kAngleType;
    case Primitive::no_twist:
      return primitives::kNoTwistType;
    case Primitive::in_slot:
      return primitives::kInSlotType;
    case Primitive::distance:
      return primitives::kDistanceType;
    case Primitive::rim_on_plane:
      return primitives::kRimOnPlaneType;
    case Primitive::rim_rolls:
      return primitives::kRimRollsType;
    case Primitive::rim_holds:
      return primitives::kRimHoldsType;
    case Primitive::blade:
      return primitives::kBladeType;
    case Primitive::on_curve:
      return primitives::kOnCurveType;
    case Primitive::with_curve:
      return primitives::kWithCurveType;
  }
  return primitives::kPointType;
}

constexpr int row_count(Primitive primitive) { return static_cast<int>(type_of(primitive).rows.size()); }
// Whether its rows hold velocities alone: no position is excluded, only ways to get there.
constexpr bool holds_velocity(Primitive primitive) {
  return level_of(type_of(primitive).rows.front().kind) == RowLevel::velocity;
}

}  // namespace gelenk::model
