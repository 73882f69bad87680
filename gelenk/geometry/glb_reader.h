#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "gelenk/geometry/gltf_buffer.h"
#include "gelenk/geometry/mesh.h"

namespace gelenk::geometry {

// What a part looks like, as a file of glTF 2.0 in its binary form has it. Not welded and not checked to be closed: it
// is a picture, not a body.
struct GlbPicture {
  TriangleMesh mesh;           // all triangles of the scene, in its coordinates, m
  std::optional<Color> color;  // of the first material that a mesh uses
  std::string error;           // why the file cannot be shown; the mesh is empty then
};

// Reads triangles (positions, with or without indices) of all nodes of the scene, with their placements. Skins, morphs,
// textures and animations are left aside. Files that lean on other files, on sparse or packed numbers, or on extensions
// that must be understood are refused, as are those beyond the limits of mesh_reader.h.
GlbPicture read_glb(std::string_view bytes);

}  // namespace gelenk::geometry
