#pragma once

#include <optional>
#include <span>
#include <string>

#include "gelenk/math/vector.h"

namespace gelenk::cad {

// One thing that two rigid bodies hold of each other: a point of the second does not shift along a direction, or the
// second does not turn about it, relative to the first.
struct Hold {
  enum class Kind { shift, turn };
  Kind kind = Kind::shift;
  Vector3 point, along;  // of length 1
};

// What is left free, as a joint of the model format would allow it.
struct FreeMotion {
  std::string type;
  Vector3 point = Vector3::Zero();
  Vector3 direction = Vector3::UnitZ();  // of the axis, or the normal
};

// Nothing when more is free than any joint allows. Moments are taken about the point `middle`; turns and shifts are
// compared by the length.
std::optional<FreeMotion> motion_left_by(std::span<const Hold> holds, const Vector3& middle, double length);

// Within the angle that drawings may be off.
bool are_parallel_axes(const Vector3& a, const Vector3& b);

}  // namespace gelenk::cad
