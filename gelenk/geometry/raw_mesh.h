#pragma once

#include <string>
#include <string_view>

#include "gelenk/geometry/mesh.h"

namespace gelenk::geometry {

// A mesh as a file has it: not welded, not checked but for finite coordinates and vertex numbers in range.
struct RawMesh {
  TriangleMesh mesh;
  std::string error;  // why the file cannot be read; the mesh is of no use then
};

// Text or binary, found out from the bytes: binary files that begin with "solid" exist.
RawMesh read_stl(std::string_view bytes);

// Vertices (v) and faces (f); everything else an OBJ file may hold is skipped.
RawMesh read_obj(std::string_view bytes);

// "coordinate 1e+300 is too large" or empty.
std::string coordinate_problem(double value);

}  // namespace gelenk::geometry
