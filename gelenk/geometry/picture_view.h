#pragma once

#include <limits>

#include "gelenk/math/pose.h"

namespace gelenk::geometry {

// How a picture is taken, without perspective. Points of pictures are px: x to the right, y down from the upper left
// corner, z towards the eye.
struct PictureView {
  Matrix3 axes = Matrix3::Identity();  // rows in the world: right, up, towards the eye
  Vector3 target = Vector3::Zero();    // what is in the middle, world
  double scale = 1.0;                  // px/m
  double width = 0.0, height = 0.0;    // px
  // px: what is nearer to the eye than this is cut away.
  double cut = std::numeric_limits<double>::infinity();

  Vector3 toward() const { return axes.row(2).transpose(); }
  Vector3 operator()(const Vector3& p_W) const {
    const Vector3 seen = scale * (axes * (p_W - target));
    return {0.5 * width + seen.x(), 0.5 * height - seen.y(), seen.z()};
  }
};

// Axes of somebody who looks from `toward` (unit) and holds `up` upright; not parallel.
inline Matrix3 viewing_axes(const Vector3& toward, const Vector3& up) {
  const Vector3 right = up.cross(toward).normalized();
  Matrix3 axes;
  axes << right.transpose(), toward.cross(right).transpose(), toward.transpose();
  return axes;
}

}  // namespace gelenk::geometry
