#pragma once

#include <optional>
#include <utility>

#include "gelenk/model/machine.h"

// What a joint of a robot description has beside its frames. SI: N m or N, rad/s or m/s.
namespace gelenk::exporting {

struct JointDetails {
  std::optional<double> effort, rate;       // the most that is allowed
  std::optional<double> damping, friction;  // N m s/rad or N s/m; N m or N
};

// From limits, from dampers that act on the coordinate, and from `meta:` as the import of such a description left it.
JointDetails joint_details(const model::JointNode& joint, const model::Machine& machine);
// A rotational damper on a joint coordinate, and no spring.
bool is_joint_damper(const model::ForceNode& force);

using JointLimits = std::pair<std::optional<double>, std::optional<double>>;
JointLimits limits_of(const model::JointNode& joint);  // of its first coordinate
bool has_limits(const model::JointNode& joint);

}  // namespace gelenk::exporting
