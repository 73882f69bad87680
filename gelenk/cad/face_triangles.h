#pragma once

#include "gelenk/geometry/mesh.h"

class TopoDS_Face;

namespace gelenk::cad {

// Adds the triangulation of a face, m, facing outwards as the face does. False when it has none.
bool append_triangles(const TopoDS_Face& face, geometry::TriangleMesh& mesh);

}  // namespace gelenk::cad
