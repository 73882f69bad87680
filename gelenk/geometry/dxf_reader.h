#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/geometry/outline.h"

namespace gelenk::geometry {

inline constexpr std::size_t kMaxDxfBytes = 32U << 20U;

// The closed lines of a drawing. Texts are for people; places in them are numbers of the file.
struct DxfReadResult {
  Outline outline;                   // without problems
  std::string error;                 // why there is none
  std::optional<double> unit;        // m for one unit of the file, if it says so
  std::vector<std::string> remarks;  // what was left out
};

// Lines, arcs, circles, ellipses, polylines and splines of a text DXF drawing, seen from +z, joined where they meet.
// Arcs become edges, 64 for a full turn, that enclose the same area.
DxfReadResult read_dxf(std::string_view bytes);

}  // namespace gelenk::geometry
