#pragma once

#include <cstdint>
#include <vector>

#include "gelenk/math/pose.h"

// Surfaces that touch, and where two of them do. A contour has a frame S of its own: spheres and boxes are centered at
// its origin, cylinders and capsules as well, with their axis along z; a plane is the half-space z <= 0.
namespace gelenk::contact {

// In the order in which a pair is looked up: the first of two that differ is never a plane.
enum class ContourKind : std::uint8_t { sphere, capsule, cylinder, box, plane };
inline constexpr std::size_t kContourKinds = 5;

struct Contour {
  ContourKind kind = ContourKind::sphere;
  double radius = 0.0;             // sphere, capsule, cylinder; m
  Vector3 half = Vector3::Zero();  // box: half its edges; capsule, cylinder: half the length of its axis in z
};

// Two contours where they touch or nearly do. World axes.
struct ContactPoint {
  Vector3 on_a = Vector3::Zero(), on_b = Vector3::Zero();
  Vector3 normal = Vector3::UnitZ();  // unit, from a to b
  double gap = 0.0;                   // normal · (on_b - on_a), negative where they overlap; m
  // Which vertex, edge or end it is: the same as long as the same features touch.
  std::int32_t feature = 0;
};

using ContactPoints = std::vector<ContactPoint>;

// Whether find_points() knows the two, in any order.
bool is_known_pair(ContourKind a, ContourKind b);

// Adds all points with a gap below `margin`, in an order that depends on the poses alone. X: of the frames S in the
// world. The pair must be known.
void find_points(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                 ContactPoints& points);

// Half the edges of the box along the axes of the world around a contour at X_WS, centered there; infinite for a plane.
Vector3 half_extent(const Contour& contour, const Pose& X_WS);

}  // namespace gelenk::contact
