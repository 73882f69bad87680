#include "gelenk/geometry/shape.h"

#include <fmt/format.h>

#include <cmath>

namespace gelenk::geometry {
namespace {

// All primitives are symmetric to their xz plane, so a mirrored one is the same primitive in another place.
Matrix3 mirror_y() { return Vector3(1.0, -1.0, 1.0).asDiagonal(); }

MassProperties mass_properties_in_part(const Shape& shape, double density) {
  const MassProperties body =
      std::visit([density](const auto& primitive) { return mass_properties(primitive, density); }, shape.primitive);
  return body.in_frame(shape.X_PS);
}

}  // namespace

std::string problem(const Mesh& mesh) {
  if (mesh.mesh == nullptr || mesh.mesh->triangles.empty()) return "the mesh has no triangles";
  if (std::isfinite(mesh.scale) && mesh.scale > 0.0) return {};
  return fmt::format("scale must be positive, but is {:.6g}", mesh.scale);
}

double volume(const Mesh& mesh) {
  return mesh.mesh == nullptr ? 0.0 : mesh.scale * mesh.scale * mesh.scale * volume(*mesh.mesh);
}

double surface_area(const Mesh& mesh) {
  if (mesh.mesh == nullptr) return 0.0;
  double sum = 0.0;
  for (const Triangle& t : mesh.mesh->triangles) {
    const Vector3& a = mesh.mesh->vertices[t[0]];
    sum += 0.5 * (mesh.mesh->vertices[t[1]] - a).cross(mesh.mesh->vertices[t[2]] - a).norm();
  }
  return mesh.scale * mesh.scale * sum;
}

// m ~ s³, p_SC ~ s, J ~ s⁵
MassProperties mass_properties(const Mesh& mesh, double density) {
  if (mesh.mesh == nullptr) return {};
  const double s = mesh.scale;
  MassProperties body = mass_properties(*mesh.mesh, density * s * s * s);
  body.center *= s;
  body.inertia *= s * s;
  return body;
}

Bounds bounds(const Mesh& mesh, const Pose& X_PS) {
  return mesh.mesh == nullptr ? Bounds{} : bounds(*mesh.mesh, X_PS, mesh.scale);
}

std::string problem(const Shape& shape) {
  return std::visit([](const auto& primitive) { return problem(primitive); }, shape.primitive);
}

// With M = diag(1, -1, 1): S X_PS p = (S R M)(M p) + S p_PS. S R M is a proper rotation, and M p runs through the same
// points as p for a primitive; only a mesh has to be mirrored itself.
Shape mirrored(const Shape& shape, const Matrix3& S) {
  Shape result = shape;
  result.X_PS.position = S * shape.X_PS.position;
  result.X_PS.rotation = S * shape.X_PS.rotation;
  if (S.determinant() > 0.0) return result;
  result.X_PS.rotation *= mirror_y();
  if (Mesh* mesh = std::get_if<Mesh>(&result.primitive); mesh != nullptr && mesh->mesh != nullptr) {
    mesh->mesh = std::make_shared<const TriangleMesh>(transformed(*mesh->mesh, mirror_y()));
  }
  return result;
}

MassProperties mass_properties(std::span<const Shape> shapes, double density) {
  // Solids first: the order of writing must not lead through an intermediate body without mass.
  MassProperties body;
  for (const Shape& shape : shapes) {
    if (!shape.hole) body = combined(body, mass_properties_in_part(shape, density));
  }
  for (const Shape& shape : shapes) {
    if (shape.hole) body = combined(body, mass_properties_in_part(shape, -density));
  }
  return body;
}

double volume(std::span<const Shape> shapes) {
  double sum = 0.0;
  for (const Shape& shape : shapes) {
    const double one = std::visit([](const auto& primitive) { return volume(primitive); }, shape.primitive);
    sum += shape.hole ? -one : one;
  }
  return sum;
}

std::optional<double> surface_area(std::span<const Shape> shapes) {
  if (shapes.size() != 1 || shapes.front().hole) return std::nullopt;
  return std::visit([](const auto& primitive) { return surface_area(primitive); }, shapes.front().primitive);
}

Bounds bounds(std::span<const Shape> shapes) {
  Bounds box;
  for (const Shape& shape : shapes) {
    if (shape.hole) continue;
    box.add(std::visit([&shape](const auto& primitive) { return bounds(primitive, shape.X_PS); }, shape.primitive));
  }
  return box;
}

}  // namespace gelenk::geometry
