#include "gelenk/export/scene_shapes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <variant>

#include "gelenk/base/hash.h"
#include "gelenk/geometry/tessellate.h"
#include "gelenk/math/principal_axes.h"

namespace gelenk::exporting {
namespace {

using ShapeKind = SceneShape::Kind;
using geometry::Shape;
using geometry::TriangleMesh;

constexpr int kSegments = 40;  // corners of a circle
// Of the size of the machine.
constexpr double kSamePlace = 1e-6;
constexpr double kThinnest = 0.008, kThickest = 0.02;  // rods, radius
constexpr double kSmallestEdge = 0.03, kLargestEdge = 0.35;
constexpr double kSlenderness = 0.06;   // radius of a rod over its length
constexpr double kRoundInertia = 0.02;  // moments that differ by less belong to something round
constexpr double kCoaxial = 1e-6;       // of the radius

Pose shifted(const Pose& X, double z) { return X * Pose{Matrix3::Identity(), {0.0, 0.0, z}}; }

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// A hole with the axis of the cylinder and all of its length inside makes a tube of it.
const geometry::Cylinder* bore_of(const Shape& solid, const Shape& hole) {
  const auto* outer = std::get_if<geometry::Cylinder>(&solid.primitive);
  const auto* inner = std::get_if<geometry::Cylinder>(&hole.primitive);
  if (outer == nullptr || inner == nullptr || !(inner->radius < outer->radius)) return nullptr;
  const Pose X_SH = solid.X_PS.inverse() * hole.X_PS;
  const double tolerance = kCoaxial * outer->radius;
  const double tilt = X_SH.rotation.col(2).head<2>().norm();
  if (X_SH.position.head<2>().norm() > tolerance || tilt * outer->length > tolerance) return nullptr;
  const double end = X_SH.position.z() + X_SH.rotation(2, 2) * inner->length;
  const bool is_through =
      std::min(X_SH.position.z(), end) <= tolerance && std::max(X_SH.position.z(), end) >= outer->length - tolerance;
  return is_through ? inner : nullptr;
}

SceneShape meshed(const Shape& shape, const std::string& name, MeshPool& pool) {
  SceneShape result;
  result.kind = ShapeKind::mesh;
  result.X_PS = shape.X_PS;
  result.mesh = pool.add(name, geometry::tessellate({shape.primitive, {}, false}, kSegments));
  return result;
}

SceneShape scene_shape(const Shape& shape, const std::string& name, MeshPool& pool) {
  const Pose& X = shape.X_PS;
  return std::visit(Overloaded{[&](const geometry::Box& it) { return box(X, it.size); },
                               [&](const geometry::Sphere& it) { return sphere(X.position, it.radius); },
                               [&](const geometry::Cylinder& it) {
                                 return cylinder(shifted(X, 0.5 * it.length), it.radius, it.length);
                               },
                               [&](const geometry::Capsule& it) {
                                 SceneShape result = cylinder(shifted(X, 0.5 * it.length), it.radius, it.length);
                                 result.kind = ShapeKind::capsule;
                                 return result;
                               },
                               [&](const geometry::Cone& it) {
                                 SceneShape result = cylinder(shifted(X, 0.5 * it.length), it.radius, it.length);
                                 result.kind = ShapeKind::cone;
                                 result.top = it.end_radius;
                                 return result;
                               },
                               [&](const auto&) { return meshed(shape, name, pool); }},
                    shape.primitive);
}

geometry::Primitive primitive_of(const SceneShape& shape) {
  switch (shape.kind) {
    case ShapeKind::sphere:
      return geometry::Sphere{shape.radius};
    case ShapeKind::cylinder:
      return geometry::Cylinder{shape.radius, shape.length};
    case ShapeKind::cone:
      return geometry::Cone{shape.radius, shape.top, shape.length};
    case ShapeKind::capsule:
      return geometry::Capsule{shape.radius, shape.length};
    default:
      return geometry::Box{shape.size};
  }
}

// Primitives of the geometry begin at z = 0.
Pose geometry_pose(const SceneShape& shape) {
  const bool has_axis =
      shape.kind == ShapeKind::cylinder || shape.kind == ShapeKind::cone || shape.kind == ShapeKind::capsule;
  return {Matrix3::Identity(), {0.0, 0.0, has_axis ? -0.5 * shape.length : 0.0}};
}

// Those that are not in the place of one before.
std::vector<Vector3> distinct(std::span<const Vector3> points, double tolerance) {
  std::vector<Vector3> result;
  for (const Vector3& point : points) {
    const bool is_known = std::any_of(result.begin(), result.end(),
                                      [&](const Vector3& other) { return (other - point).norm() <= tolerance; });
    if (!is_known) result.push_back(point);
  }
  return result;
}

double rod_radius(double length, double reference) {
  return std::clamp(kSlenderness * length, kThinnest * reference, kThickest * reference);
}

// A disc or bar where two principal moments agree, else a box; around the center of mass.
SceneShape inertia_shape(const MassProperties& body, double reference) {
  const double smallest = kSmallestEdge * reference, largest = kLargestEdge * reference;
  const PrincipalAxes axes = principal_axes(body.inertia);
  const Vector3 edges = inertia_box({body.mass, Vector3::Zero(), axes.values.asDiagonal()});
  const Vector3 size = edges.cwiseMax(smallest).cwiseMin(largest);
  const double most = axes.values.maxCoeff();
  const auto is_same = [&](int i, int j) { return std::abs(axes.values[i] - axes.values[j]) <= kRoundInertia * most; };
  if (!(body.mass > 0.0) || !(most > 0.0) || (is_same(0, 1) && is_same(1, 2))) {
    return box({Matrix3::Identity(), body.center}, size);  // a cube, or nobody knows
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    if (!is_same(i, j)) continue;
    // J_axis = m r²/2, J_i = m (3 r² + h²) / 12
    const double radius2 = 2.0 * axes.values[axis] / body.mass;
    const double height2 = 12.0 * axes.values[i] / body.mass - 3.0 * radius2;
    const double radius = std::clamp(std::sqrt(std::max(radius2, 0.0)), 0.5 * smallest, 0.5 * largest);
    const double height = std::clamp(std::sqrt(std::max(height2, 0.0)), smallest, largest);
    return cylinder({rotation_with_z(axes.axes.col(axis)), body.center}, radius, height);
  }
  Matrix3 R = axes.axes;
  if (R.determinant() < 0.0) R.col(2) = -R.col(2);
  return box({R, body.center}, size);
}

}  // namespace

std::size_t MeshPool::add(const std::string& name, TriangleMesh mesh) {
  Sha256 hash;
  hash.add(std::as_bytes(std::span(mesh.vertices)));
  hash.add(std::as_bytes(std::span(mesh.triangles)));
  const auto [known, is_new] = known_.try_emplace(hash.digest(), meshes_.size());
  if (!is_new) return known->second;
  meshes_.push_back({name, std::make_shared<const TriangleMesh>(std::move(mesh))});
  return known->second;
}

std::vector<SceneShape> shapes_as_given(std::span<const Shape> shapes, const std::string& name, MeshPool& pool,
                                        std::size_t& hidden_holes) {
  std::vector<bool> is_shown(shapes.size(), false);  // of each hole
  std::vector<SceneShape> result;
  for (const Shape& solid : shapes) {
    if (solid.hole) continue;
    Shape with_bore = solid;
    for (std::size_t h = 0; h < shapes.size(); ++h) {
      const geometry::Cylinder* bore = shapes[h].hole ? bore_of(solid, shapes[h]) : nullptr;
      if (bore == nullptr) continue;
      is_shown[h] = true;
      const auto* outer = std::get_if<geometry::Cylinder>(&solid.primitive);
      const auto* tube = std::get_if<geometry::Tube>(&with_bore.primitive);
      const double inner = std::max(bore->radius, tube == nullptr ? 0.0 : tube->inner_radius);
      with_bore.primitive = geometry::Tube{outer->radius, inner, outer->length};
    }
    result.push_back(scene_shape(with_bore, name, pool));
    result.back().color = solid.color;
  }
  for (std::size_t h = 0; h < shapes.size(); ++h) {
    if (shapes[h].hole && !is_shown[h]) ++hidden_holes;
  }
  return result;
}

Vector3 inertia_box(const MassProperties& body) {
  Vector3 edges = Vector3::Zero();
  if (!(body.mass > 0.0)) return edges;
  // J_xx = m (b² + c²) / 12, and so on around.
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double square = 6.0 * (body.inertia(j, j) + body.inertia(k, k) - body.inertia(i, i)) / body.mass;
    edges[i] = std::sqrt(std::max(square, 0.0));
  }
  return edges;
}

std::vector<SceneShape> default_shapes(std::span<const Vector3> points, const MassProperties& body, double reference) {
  const double tolerance = kSamePlace * reference;
  const std::vector<Vector3> held = distinct(points, tolerance);
  std::vector<SceneShape> result;
  const auto add_rod = [&](const Vector3& from, const Vector3& to) {
    const double length = (to - from).norm();
    if (length > tolerance) result.push_back(capsule_between(from, to, rod_radius(length, reference)));
  };
  if (held.size() < 2) {
    result.push_back(inertia_shape(body, reference));
    if (!held.empty()) add_rod(held.front(), body.center);
    return result;
  }
  if (held.size() == 2) {
    add_rod(held[0], held[1]);
    return result;
  }
  // Points on one line are one rod, others a star.
  Vector3 center = Vector3::Zero();
  for (const Vector3& point : held) center += point / static_cast<double>(held.size());
  const auto first = *std::max_element(held.begin(), held.end(), [&](const Vector3& a, const Vector3& b) {
    return (a - center).norm() < (b - center).norm();
  });
  const auto last = *std::max_element(held.begin(), held.end(), [&](const Vector3& a, const Vector3& b) {
    return (a - first).norm() < (b - first).norm();
  });
  const Vector3 along = (last - first).normalized();
  const bool is_line = std::all_of(held.begin(), held.end(), [&](const Vector3& point) {
    return (point - first).cross(along).norm() <= kThinnest * reference;
  });
  if (is_line) {
    add_rod(first, last);
    return result;
  }
  for (const Vector3& point : held) add_rod(center, point);
  return result;
}

SceneShape box(const Pose& X_PS, const Vector3& size) {
  SceneShape result;
  result.kind = ShapeKind::box;
  result.X_PS = X_PS;
  result.size = size;
  return result;
}

SceneShape sphere(const Vector3& center, double radius) {
  SceneShape result;
  result.kind = ShapeKind::sphere;
  result.X_PS.position = center;
  result.radius = radius;
  return result;
}

SceneShape cylinder(const Pose& X_PS, double radius, double length) {
  SceneShape result;
  result.kind = ShapeKind::cylinder;
  result.X_PS = X_PS;
  result.radius = radius;
  result.length = length;
  return result;
}

SceneShape capsule_between(const Vector3& from, const Vector3& to, double radius) {
  SceneShape result =
      cylinder({rotation_with_z((to - from).normalized()), 0.5 * (from + to)}, radius, (to - from).norm());
  result.kind = ShapeKind::capsule;
  return result;
}

geometry::Bounds bounds_of(const SceneShape& shape, const std::vector<SceneMesh>& meshes, const Pose& X_WP) {
  const Pose X_WS = X_WP * shape.X_PS;
  if (shape.kind == ShapeKind::mesh) return bounds(*meshes[shape.mesh].mesh, X_WS);
  return std::visit([&](const auto& it) { return bounds(it, X_WS * geometry_pose(shape)); }, primitive_of(shape));
}

geometry::Bounds seen_bounds(const Scene& scene) {
  geometry::Bounds box;
  for (const ScenePart& part : scene.parts) {
    if (!part.has_default_shape) {
      for (const SceneShape& shape : part.shapes) box.add(bounds_of(shape, scene.meshes, part.X_WP));
      continue;
    }
    box.add(part.X_WP.position);
    box.add(part.X_WP * part.mass_properties.center);
    for (const SceneFrame& frame : part.frames) box.add(part.X_WP * frame.X_PF.position);
  }
  return box;
}

TriangleMesh surface(const SceneShape& shape, const std::vector<SceneMesh>& meshes) {
  if (shape.kind == ShapeKind::mesh) return *meshes[shape.mesh].mesh;
  return geometry::tessellate({primitive_of(shape), geometry_pose(shape), false}, kSegments);
}

}  // namespace gelenk::exporting
