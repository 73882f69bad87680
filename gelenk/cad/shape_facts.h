#pragma once

#include <cstddef>
#include <vector>

#include "gelenk/cad/feature.h"
#include "gelenk/math/mass_properties.h"

class TopoDS_Shape;

// For the files of this layer that include OpenCASCADE. Its lengths are mm, ours are m.
namespace gelenk::cad {

inline constexpr double kMillimeter = 1e-3;

struct SolidFacts {
  std::size_t solids = 0;
  double volume = 0.0;     // m³
  MassProperties unit;     // of density 1: the mass is the volume
  bool is_turned = false;  // some solid had its inside outside
};

// Exact integrals over the surfaces of all solids, in the axes of the shape.
SolidFacts solid_facts(const TopoDS_Shape& shape);

std::size_t count_faces(const TopoDS_Shape& shape);

// Triangles of all faces that belong to solids. Gives the shape its triangulation, which surface_features() needs.
struct SolidTriangles {
  geometry::TriangleMesh mesh;
  std::size_t missing_faces = 0;  // that could not be meshed
};
SolidTriangles triangles_of(const TopoDS_Shape& shape);

// Planes, cylinders and spheres of the solids, splines that are such surfaces included; cylinders with one axis and one
// radius that touch are one. The shape has its triangulation.
std::vector<Feature> surface_features(const TopoDS_Shape& shape);

}  // namespace gelenk::cad
