#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "gelenk/geometry/bounds.h"
#include "gelenk/geometry/color.h"
#include "gelenk/geometry/mesh.h"
#include "gelenk/geometry/primitives.h"
#include "gelenk/math/mass_properties.h"

namespace gelenk::geometry {

// A closed mesh in the shape frame S: its coordinates times `scale` are m (0.001 for a file in millimeters).
struct Mesh {
  std::shared_ptr<const TriangleMesh> mesh;  // shared by all parts that use the same file
  double scale = 1.0;
};

std::string problem(const Mesh& mesh);
double volume(const Mesh& mesh);
double surface_area(const Mesh& mesh);
MassProperties mass_properties(const Mesh& mesh, double density);
Bounds bounds(const Mesh& mesh, const Pose& X_PS = {});

using Primitive = std::variant<Box, Cylinder, Tube, Sphere, Capsule, Cone, Mesh>;

// A solid on a part, in part axes P.
struct Shape {
  Primitive primitive;
  Pose X_PS;
  bool hole = false;                          // taken away from the part instead of added
  std::optional<Color> color = std::nullopt;  // none: that of the part
};

// What is wrong with the sizes; empty when all is well.
std::string problem(const Shape& shape);

// The shape after every point p_P of the part became S p_P, S orthogonal. A mirrored mesh is a new one.
Shape mirrored(const Shape& shape, const Matrix3& S);

// Of all shapes together, in part axes; holes count negative, whether or not there is anything to take away from.
// Overlapping solids count twice. All zero when solids and holes cancel.
MassProperties mass_properties(std::span<const Shape> shapes, double density);
// Of solids less holes, whether or not these overlap.
double volume(std::span<const Shape> shapes);
// Of a part that is one solid. Nothing of several: what of theirs is inside the others is not known.
std::optional<double> surface_area(std::span<const Shape> shapes);
// The smallest box in part axes around the solids; holes do not make it smaller.
Bounds bounds(std::span<const Shape> shapes);

}  // namespace gelenk::geometry
