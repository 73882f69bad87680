#include <cmath>

#include "gelenk/contact/pairs/pairs.h"

namespace gelenk::contact {
namespace {

void add_corner(const Vector3& corner, const Pose& plane, double margin, std::int32_t feature, ContactPoints& points) {
  const Vector3 up = plane.rotation.col(2);
  const double gap = up.dot(corner - plane.position);
  if (gap < margin) points.push_back({corner, corner - gap * up, -up, gap, feature});
}

}  // namespace

void box_with_plane(const Contour& a, const Pose& X_WA, const Contour& /*b*/, const Pose& X_WB, double margin,
                    ContactPoints& points) {
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3 signs((corner & 1) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0, (corner & 4) != 0 ? 1.0 : -1.0);
    add_corner(X_WA * Vector3(signs.cwiseProduct(a.half)), X_WB, margin, corner, points);
  }
}

void cylinder_with_plane(const Contour& a, const Pose& X_WA, const Contour& /*b*/, const Pose& X_WB, double margin,
                         ContactPoints& points) {
  // Below this the cylinder stands upright to rounding, and no point of a rim is lowest.
  constexpr double kUpright = 1e-9;
  const Vector3 down = X_WA.rotation.transpose() * -X_WB.rotation.col(2);
  const double across = std::hypot(down.x(), down.y());
  const double x = across > kUpright ? down.x() / across : 1.0;
  const double y = across > kUpright ? down.y() / across : 0.0;
  const double half_root_3 = 0.5 * std::sqrt(3.0);
  for (int end = 0; end < 2; ++end) {
    const double z = end == 0 ? -a.half.z() : a.half.z();
    for (int third = 0; third < 3; ++third) {
      const double cosine = third == 0 ? 1.0 : -0.5;
      const double sine = third == 0 ? 0.0 : third == 1 ? half_root_3 : -half_root_3;
      const Vector3 on_rim(a.radius * (cosine * x - sine * y), a.radius * (sine * x + cosine * y), z);
      add_corner(X_WA * on_rim, X_WB, margin, 3 * end + third, points);
    }
  }
}

}  // namespace gelenk::contact
