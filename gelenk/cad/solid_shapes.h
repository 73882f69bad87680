#pragma once

#include <span>
#include <string>

#include "gelenk/geometry/shape.h"

class TopoDS_Shape;

// For the files of this layer that include OpenCASCADE.
namespace gelenk::cad {

// Exact surfaces of solids, mm, holes taken away; triangles of meshes stay flat faces. Part axes. Null, with a sentence
// in `error`, when that cannot be made.
TopoDS_Shape shape_of(std::span<const geometry::Shape> solids, std::string& error);

// The shape after every point p became S p, S orthogonal, turned or mirrored.
TopoDS_Shape transformed(const TopoDS_Shape& shape, const Pose& X, const Matrix3& S);

}  // namespace gelenk::cad
