#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "gelenk/cad/polyline.h"

namespace gelenk::cad {

// How a joint is drawn, in the world.
struct JointSymbol {
  std::optional<Polyline> axis;  // dash-dotted
  std::vector<Polyline> arrows;  // their last points are the tips
  std::vector<Polyline> lines;
  std::optional<Vector3> point;  // a dot
  bool is_locked = false;        // the point is a padlock: nothing moves
};

// For a joint frame whose origin is where the symbol goes, z being the axis; `radius` (m) is that of the place around,
// `toward` points to the eye. An arrow around an axis is tilted towards it where it would look like a straight one.
JointSymbol joint_symbol(std::string_view type, const Pose& X_WJ, double radius, const Vector3& toward);

// What a joint lets its second part do: "turns about the axis".
std::string_view joint_motion(std::string_view type);

}  // namespace gelenk::cad
