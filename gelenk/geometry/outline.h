#pragma once

#include <string>
#include <vector>

#include "gelenk/geometry/mesh.h"

namespace gelenk::geometry {

struct PlanePoint {
  double x = 0.0, y = 0.0;
};

// A closed line of straight edges; the last point is joined with the first.
using Loop = std::vector<PlanePoint>;

// A region of the plane: what an odd number of loops goes around. So loops inside others are holes, loops inside these
// are islands; which way they run does not matter.
using Outline = std::vector<Loop>;

inline constexpr std::size_t kMaxOutlineCorners = 20'000;

// What is wrong, with the places in numbers of the outline: "its edges cross near (3, 4)"; empty when all is well.
std::string problem(const Outline& outline);

// Positive when the loop runs counterclockwise.
double signed_area(const Loop& loop);

// The solid over an outline without problems, from z = 0 to z = height, as a closed mesh turned outwards.
TriangleMesh extruded(const Outline& outline, double height);

}  // namespace gelenk::geometry
