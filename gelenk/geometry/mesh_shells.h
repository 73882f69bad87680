#pragma once

#include <cstddef>

#include "gelenk/geometry/mesh.h"

namespace gelenk::geometry {

// Turns the triangles of a closed mesh outwards and returns how many of its shells (connected surfaces) were turned.
// All are turned when the whole has a negative volume; then every shell that still has one, unless it lies inside
// another shell: that is a void, and right as it is.
std::size_t turn_outwards(TriangleMesh& mesh);

}  // namespace gelenk::geometry
