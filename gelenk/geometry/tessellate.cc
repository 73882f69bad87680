#include "gelenk/geometry/tessellate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <variant>
#include <vector>

namespace gelenk::geometry {
namespace {

// A point of a profile in the plane y = 0 that is turned about z.
struct ProfilePoint {
  double radius;
  double z;
};

using Profile = std::vector<ProfilePoint>;

// Vertex numbers of the circle of a profile point; a point on the axis has one vertex for all corners.
struct Ring {
  std::uint32_t first = 0;
  bool is_point = false;

  std::uint32_t corner(std::uint32_t k, std::uint32_t segments) const {
    return is_point ? first : first + k % segments;
  }
};

Ring add_ring(TriangleMesh& mesh, const ProfilePoint& point, std::uint32_t segments) {
  const Ring ring{static_cast<std::uint32_t>(mesh.vertices.size()), point.radius == 0.0};
  for (std::uint32_t k = 0; k < (ring.is_point ? 1 : segments); ++k) {
    const double angle = 2.0 * std::numbers::pi * k / segments;
    mesh.vertices.emplace_back(point.radius * std::cos(angle), point.radius * std::sin(angle), point.z);
  }
  return ring;
}

// Upwards (+z) profiles face away from the axis: e_φ × e_z = e_r.
void add_band(TriangleMesh& mesh, const Ring& from, const Ring& to, std::uint32_t segments) {
  for (std::uint32_t k = 0; k < segments; ++k) {
    if (!from.is_point) {
      mesh.triangles.push_back({from.corner(k, segments), from.corner(k + 1, segments), to.corner(k + 1, segments)});
    }
    if (!to.is_point) {
      mesh.triangles.push_back({from.corner(k, segments), to.corner(k + 1, segments), to.corner(k, segments)});
    }
  }
}

// The profile runs counterclockwise around the solid half of the plane (r to the right, z up): from the axis to the
// axis, or closed in itself.
TriangleMesh revolved(const Profile& profile, bool is_loop, int segments) {
  const auto count = static_cast<std::uint32_t>(segments);
  TriangleMesh mesh;
  std::vector<Ring> rings;
  for (const ProfilePoint& point : profile) rings.push_back(add_ring(mesh, point, count));
  for (std::size_t i = 1; i < rings.size(); ++i) add_band(mesh, rings[i - 1], rings[i], count);
  if (is_loop) add_band(mesh, rings.back(), rings.front(), count);
  return mesh;
}

// Quarter circle about (0, center), `latitude` from begin to begin + π/2, in `steps` steps; both ends included.
void add_quarter(Profile& profile, double center, double radius, double begin, int steps) {
  for (int i = 0; i <= steps; ++i) {
    const double latitude = begin + 0.5 * std::numbers::pi * i / steps;
    const bool is_pole = (i == 0 && begin < 0.0) || (i == steps && begin >= 0.0);
    profile.push_back({is_pole ? 0.0 : radius * std::cos(latitude), center + radius * std::sin(latitude)});
  }
}

TriangleMesh tessellated(const Box& box, int) {
  TriangleMesh mesh;
  // Corner number: bit 0 for +x, bit 1 for +y, bit 2 for +z.
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3 signs((corner & 1) != 0 ? 0.5 : -0.5, (corner & 2) != 0 ? 0.5 : -0.5, (corner & 4) != 0 ? 0.5 : -0.5);
    mesh.vertices.emplace_back(signs.cwiseProduct(box.size));
  }
  mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  return mesh;
}

TriangleMesh tessellated(const Cone& cone, int segments) {
  // A tip is the end of the profile; the flat ends run from and to the axis.
  Profile profile;
  if (cone.radius > 0.0) profile.push_back({0.0, 0.0});
  profile.push_back({cone.radius, 0.0});
  profile.push_back({cone.end_radius, cone.length});
  if (cone.end_radius > 0.0) profile.push_back({0.0, cone.length});
  return revolved(profile, false, segments);
}

TriangleMesh tessellated(const Cylinder& cylinder, int segments) {
  return tessellated(Cone{cylinder.radius, cylinder.radius, cylinder.length}, segments);
}

TriangleMesh tessellated(const Tube& tube, int segments) {
  if (tube.inner_radius == 0.0) return tessellated(Cylinder{tube.radius, tube.length}, segments);
  return revolved(
      {{tube.radius, 0.0}, {tube.radius, tube.length}, {tube.inner_radius, tube.length}, {tube.inner_radius, 0.0}},
      true, segments);
}

TriangleMesh tessellated(const Capsule& capsule, int segments) {
  const int steps = (segments + 3) / 4;
  Profile profile;
  add_quarter(profile, 0.0, capsule.radius, -0.5 * std::numbers::pi, steps);
  if (capsule.length == 0.0) profile.pop_back();
  add_quarter(profile, capsule.length, capsule.radius, 0.0, steps);
  return revolved(profile, false, segments);
}

TriangleMesh tessellated(const Sphere& sphere, int segments) {
  return tessellated(Capsule{sphere.radius, 0.0}, segments);
}

TriangleMesh tessellated(const Mesh& mesh, int) {
  if (mesh.mesh == nullptr) return {};
  return transformed(*mesh.mesh, mesh.scale * Matrix3::Identity());
}

}  // namespace

TriangleMesh tessellate(const Shape& shape, int segments) {
  const int count = std::clamp(segments, kMinSegments, kMaxSegments);
  TriangleMesh mesh =
      std::visit([count](const auto& primitive) { return tessellated(primitive, count); }, shape.primitive);
  for (Vector3& v : mesh.vertices) v = shape.X_PS * v;
  return mesh;
}

}  // namespace gelenk::geometry
