#pragma once

#include <optional>

#include "gelenk/model/expand/numbers.h"

namespace gelenk::model::expanding {

// Axes of the joint in those of its two frames: the same, but for a disk and its plane and for two
// axes at an angle.
struct JointAxes {
  Matrix3 a, b;
};
// Nothing when something is wrong, which is reported.
std::optional<JointAxes> axes_on_both(const Object& written, Instance& scope, Numbers& numbers,
                                      Diagnostics& diagnostics);

// The joint frame after the assembly's coordinates went through S. A mirror would make it left-handed: the joint type
// says which of its axes to turn around so that its coordinates keep their meaning.
Pose through_mirror(const Pose& X_AJ, const Matrix3& S, const ObjectType& type);

}  // namespace gelenk::model::expanding
