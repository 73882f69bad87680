#include "gelenk/export/scene_symbols.h"

#include "gelenk/export/scene_shapes.h"

namespace gelenk::exporting {
namespace {

// Of the length of the symbol.
constexpr double kThick = 0.22, kThin = 0.08;

SceneShape bar_along(const Vector3& axis, double radius, double length) {
  return cylinder({rotation_with_z(axis), Vector3::Zero()}, radius, length);
}

}  // namespace

std::size_t symbol_end(const SceneJoint& joint) {
  return joint.type == "rolling" || joint.type == "knife_edge" ? 1 : 0;
}

std::vector<SceneShape> joint_symbol(const SceneJoint& joint, double length) {
  const double thick = kThick * length, thin = kThin * length;
  const Vector3 z = Vector3::UnitZ();
  if (joint.type == "revolute") return {bar_along(z, thick, length)};
  if (joint.type == "cylindrical" || joint.type == "screw") {
    return {bar_along(z, thick, length), bar_along(z, thin, 2.0 * length)};
  }
  if (joint.type == "prismatic") return {box({}, {thick, thick, 2.0 * length})};
  if (joint.type == "planar") return {box({}, {length, length, thin})};
  if (joint.type == "universal") return {bar_along(z, thin, length), bar_along(Vector3::UnitX(), thin, length)};
  if (joint.type == "knife_edge") return {box({}, {2.0 * length, thick, thin})};  // z is across the blade
  if (joint.type == "rolling") return {bar_along(z, 2.0 * thick, thin), bar_along(z, thin, length)};
  if (joint.type == "fixed") return {box({}, Vector3::Constant(thick))};
  return {sphere(Vector3::Zero(), thick)};
}

}  // namespace gelenk::exporting
