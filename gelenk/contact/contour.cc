#include "gelenk/contact/contour.h"

#include <cmath>
#include <limits>
#include <utility>

#include "gelenk/contact/pairs/pairs.h"

namespace gelenk::contact {
namespace {

using Pair = void (*)(const Contour&, const Pose&, const Contour&, const Pose&, double, ContactPoints&);

// The first is not after the second in ContourKind.
Pair pair_of(ContourKind a, ContourKind b) {
  using enum ContourKind;
  switch (b) {
    case sphere:
      return sphere_with_sphere;
    case capsule:
      return a == sphere ? sphere_with_capsule : capsule_with_capsule;
    case cylinder:
      return a == sphere ? sphere_with_cylinder : nullptr;
    case box:
      if (a == sphere) return sphere_with_box;
      return a == box ? box_with_box : nullptr;
    case plane:
      break;
  }
  switch (a) {
    case sphere:
      return sphere_with_plane;
    case capsule:
      return capsule_with_plane;
    case cylinder:
      return cylinder_with_plane;
    case box:
      return box_with_plane;
    case plane:
      break;
  }
  return nullptr;
}

}  // namespace

bool is_known_pair(ContourKind a, ContourKind b) { return pair_of(std::min(a, b), std::max(a, b)) != nullptr; }

void find_points(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                 ContactPoints& points) {
  const std::size_t first = points.size();
  if (a.kind <= b.kind) {
    if (const Pair pair = pair_of(a.kind, b.kind)) pair(a, X_WA, b, X_WB, margin, points);
    return;
  }
  if (const Pair pair = pair_of(b.kind, a.kind)) pair(b, X_WB, a, X_WA, margin, points);
  for (std::size_t i = first; i < points.size(); ++i) {
    std::swap(points[i].on_a, points[i].on_b);
    points[i].normal = -points[i].normal;
  }
}

Vector3 half_extent(const Contour& contour, const Pose& X_WS) {
  const Vector3 axis = X_WS.rotation.col(2);
  switch (contour.kind) {
    case ContourKind::sphere:
      return Vector3::Constant(contour.radius);
    case ContourKind::capsule:
      return contour.half.z() * axis.cwiseAbs() + Vector3::Constant(contour.radius);
    case ContourKind::cylinder:
      return contour.half.z() * axis.cwiseAbs() +
             contour.radius * (Vector3::Ones() - axis.cwiseAbs2()).cwiseMax(0.0).cwiseSqrt();
    case ContourKind::box:
      return X_WS.rotation.cwiseAbs() * contour.half;
    case ContourKind::plane:
      break;
  }
  return Vector3::Constant(std::numeric_limits<double>::infinity());
}

}  // namespace gelenk::contact
