#pragma once

#include <map>
#include <span>
#include <vector>

#include "gelenk/export/scene.h"
#include "gelenk/geometry/bounds.h"
#include "gelenk/geometry/shape.h"

// Shapes of a scene: those that were given, and those that stand in where nobody gave any.
namespace gelenk::exporting {

// Keeps every mesh only once, whoever brings it.
class MeshPool {
 public:
  explicit MeshPool(std::vector<SceneMesh>& meshes) : meshes_(meshes) {}
  std::size_t add(const std::string& name, geometry::TriangleMesh mesh);

 private:
  std::vector<SceneMesh>& meshes_;
  std::map<std::string, std::size_t> known_;  // by digest
};

// The shapes of a part or of the ground. A cylinder with a coaxial hole through it becomes a tube; other holes cannot
// be shown, and are counted.
std::vector<SceneShape> shapes_as_given(std::span<const geometry::Shape> shapes, const std::string& name,
                                        MeshPool& pool, std::size_t& hidden_holes);

// What a part without a shape shows: rods between the points where others hold it, or a body with its inertia.
// `reference` is the size of the machine, m, positive.
std::vector<SceneShape> default_shapes(std::span<const Vector3> points, const MassProperties& body, double reference);
// Edges of the box with this mass and inertia; zero where there is none.
Vector3 inertia_box(const MassProperties& body);

SceneShape box(const Pose& X_PS, const Vector3& size);
SceneShape sphere(const Vector3& center, double radius);
SceneShape cylinder(const Pose& X_PS, double radius, double length);
// From one point to another, which must not be the same.
SceneShape capsule_between(const Vector3& from, const Vector3& to, double radius);

// The smallest box in axes of W around a shape on a part at X_WP.
geometry::Bounds bounds_of(const SceneShape& shape, const std::vector<SceneMesh>& meshes, const Pose& X_WP);
// Around the parts where they are at the start: their shapes; of those without, the places that have a name.
geometry::Bounds seen_bounds(const Scene& scene);
// The surface of a shape in its own axes S.
geometry::TriangleMesh surface(const SceneShape& shape, const std::vector<SceneMesh>& meshes);

}  // namespace gelenk::exporting
