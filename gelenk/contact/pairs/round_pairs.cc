#include <algorithm>
#include <cmath>

#include "gelenk/contact/pairs/pairs.h"

namespace gelenk::contact {
namespace {

// Directions shorter than this come from rounding.
constexpr double kNoDirection = 1e-14;
// Capsules whose axes differ by a smaller angle touch along a line.
constexpr double kParallelAxes = 1e-3;

void add_balls(const Vector3& center_a, double radius_a, const Vector3& center_b, double radius_b, double margin,
               std::int32_t feature, ContactPoints& points) {
  const Vector3 way = center_b - center_a;
  const double distance = way.norm();
  const double gap = distance - radius_a - radius_b;
  if (!(gap < margin)) return;
  const Vector3 normal = distance > kNoDirection ? Vector3(way / distance) : Vector3::UnitZ();
  points.push_back({center_a + radius_a * normal, center_b - radius_b * normal, normal, gap, feature});
}

void add_ball_on_plane(const Vector3& center, double radius, const Pose& X_WB, double margin, std::int32_t feature,
                       ContactPoints& points) {
  const Vector3 up = X_WB.rotation.col(2);
  const double gap = up.dot(center - X_WB.position) - radius;
  if (!(gap < margin)) return;
  const Vector3 lowest = center - radius * up;
  points.push_back({lowest, lowest - gap * up, -up, gap, feature});
}

// A ball, and the nearest point of a solid in its axes with the direction outward there. `depth`: of the center below
// the surface.
void add_ball_on_solid(const Vector3& center, double radius, const Pose& X_WB, const Vector3& nearest,
                       const Vector3& outward, double depth, double margin, ContactPoints& points) {
  const double gap = -depth - radius;
  if (!(gap < margin)) return;
  const Vector3 normal = X_WB.rotation * outward;
  points.push_back({center - radius * normal, X_WB * nearest, -normal, gap, 0});
}

Vector3 end_of(const Contour& contour, const Pose& X, double side) {
  return X.position + side * contour.half.z() * X.rotation.col(2);
}

}  // namespace

void sphere_with_sphere(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                        ContactPoints& points) {
  add_balls(X_WA.position, a.radius, X_WB.position, b.radius, margin, 0, points);
}

void sphere_with_capsule(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                         ContactPoints& points) {
  const Vector3 axis = X_WB.rotation.col(2);
  const double at = std::clamp(axis.dot(X_WA.position - X_WB.position), -b.half.z(), b.half.z());
  add_balls(X_WA.position, a.radius, X_WB.position + at * axis, b.radius, margin, 0, points);
}

void sphere_with_cylinder(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                          ContactPoints& points) {
  const Vector3 c = X_WB.rotation.transpose() * (X_WA.position - X_WB.position);
  const double across = std::hypot(c.x(), c.y());
  const Vector3 side = across > kNoDirection ? Vector3(c.x() / across, c.y() / across, 0.0) : Vector3(Vector3::UnitX());
  const Vector3 end = c.z() < 0.0 ? Vector3(-Vector3::UnitZ()) : Vector3(Vector3::UnitZ());
  const double beyond_side = across - b.radius;
  const double beyond_end = std::abs(c.z()) - b.half.z();
  if (beyond_side > kNoDirection && beyond_end > kNoDirection) {
    const double distance = std::hypot(beyond_side, beyond_end);
    const Vector3 outward = (beyond_side * side + beyond_end * end) / distance;
    add_ball_on_solid(X_WA.position, a.radius, X_WB, c - distance * outward, outward, -distance, margin, points);
    return;
  }
  const bool is_side = beyond_side > beyond_end;
  const Vector3& outward = is_side ? side : end;
  const double distance = is_side ? beyond_side : beyond_end;
  add_ball_on_solid(X_WA.position, a.radius, X_WB, c - distance * outward, outward, -distance, margin, points);
}

void sphere_with_box(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                     ContactPoints& points) {
  const Vector3 c = X_WB.rotation.transpose() * (X_WA.position - X_WB.position);
  const Vector3 nearest = c.cwiseMax(-b.half).cwiseMin(b.half);
  const double distance = (c - nearest).norm();
  if (distance > kNoDirection) {
    add_ball_on_solid(X_WA.position, a.radius, X_WB, nearest, (c - nearest) / distance, -distance, margin, points);
    return;
  }
  // The center is inside: out through the nearest face.
  int face = 0;
  const double depth = (b.half - c.cwiseAbs()).minCoeff(&face);
  Vector3 outward = Vector3::Zero();
  outward[face] = c[face] < 0.0 ? -1.0 : 1.0;
  add_ball_on_solid(X_WA.position, a.radius, X_WB, c + depth * outward, outward, depth, margin, points);
}

void sphere_with_plane(const Contour& a, const Pose& X_WA, const Contour& /*b*/, const Pose& X_WB, double margin,
                       ContactPoints& points) {
  add_ball_on_plane(X_WA.position, a.radius, X_WB, margin, 0, points);
}

void capsule_with_plane(const Contour& a, const Pose& X_WA, const Contour& /*b*/, const Pose& X_WB, double margin,
                        ContactPoints& points) {
  add_ball_on_plane(end_of(a, X_WA, -1.0), a.radius, X_WB, margin, 0, points);
  add_ball_on_plane(end_of(a, X_WA, 1.0), a.radius, X_WB, margin, 1, points);
}

void capsule_with_capsule(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                          ContactPoints& points) {
  const Vector3 u = X_WA.rotation.col(2);
  const Vector3 w = X_WB.rotation.col(2);
  const Vector3 way = X_WB.position - X_WA.position;
  const double cosine = u.dot(w);
  const double half_a = a.half.z();
  const double half_b = b.half.z();
  const auto add = [&](double s, double t, std::int32_t feature) {
    add_balls(X_WA.position + s * u, a.radius, X_WB.position + t * w, b.radius, margin, feature, points);
  };
  const auto on_b = [&](double s) { return std::clamp(cosine * s - w.dot(way), -half_b, half_b); };
  const auto on_a = [&](double t) { return std::clamp(cosine * t + u.dot(way), -half_a, half_a); };
  const double sine_squared = u.cross(w).squaredNorm();
  if (sine_squared < kParallelAxes * kParallelAxes) {
    // Where both run beside each other, along u.
    const double center = u.dot(way);
    const double low = std::max(-half_a, center - half_b);
    const double high = std::min(half_a, center + half_b);
    if (low < high) {
      add(low, on_b(low), 1);
      add(high, on_b(high), 2);
      return;
    }
  }
  double s = sine_squared > 0.0 ? std::clamp((u.dot(way) - cosine * w.dot(way)) / sine_squared, -half_a, half_a) : 0.0;
  const double t = on_b(s);
  s = on_a(t);
  add(s, t, 0);
}

}  // namespace gelenk::contact
