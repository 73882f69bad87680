#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "gelenk/geometry/mesh.h"

namespace gelenk::geometry {

// All meshes as one file of glTF 2.0 in its binary form, one node each, without names. Coordinates are rounded to
// float, as the format has them. All have the same color: red, green, blue from 0 to 1, sRGB. The same meshes give the
// same bytes.
std::string write_glb(std::span<const TriangleMesh> meshes, const std::optional<std::array<double, 3>>& color = {});

}  // namespace gelenk::geometry
