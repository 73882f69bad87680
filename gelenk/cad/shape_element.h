#pragma once

#include <optional>
#include <string_view>

#include "gelenk/math/vector.h"

class TopoDS_Shape;

// For the files of this layer that include OpenCASCADE.
namespace gelenk::cad {

// What a face, an edge or a corner of a shape says about where it is. Axes of the shape, m.
struct ShapeElement {
  enum class Kind {
    plane,   // a point on it, its normal away from the material
    axis,    // of a cylinder, a cone, a torus or a circle, or a straight edge: a point on it, its direction
    center,  // of a sphere
    corner,
  };
  Kind kind = Kind::corner;
  Vector3 point = Vector3::Zero(), direction = Vector3::UnitZ();
};

// "Face12", "Edge3" or "Vertex1", counted as FreeCAD does. Nothing when there is none of that number, or when it is
// curved in another way.
std::optional<ShapeElement> shape_element(const TopoDS_Shape& shape, std::string_view name);

}  // namespace gelenk::cad
