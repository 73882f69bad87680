#pragma once

#include <cstddef>

#include "gelenk/geometry/mesh.h"

namespace gelenk::geometry {

// Both make neighbors share vertices, drop vertices that no triangle uses and triangles with two equal corners, and
// return how many triangles were dropped. Triangles whose three different corners lie on a line are kept: they have no
// area and no volume, but the edges of their neighbors hang on them.

// Merges vertices with equal coordinates (0 and -0 are equal).
std::size_t weld_equal(TriangleMesh& mesh);

// Merges every vertex into the first earlier one that is kept and not farther than `tolerance` > 0.
std::size_t weld_within(TriangleMesh& mesh, double tolerance);

}  // namespace gelenk::geometry
