#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gelenk/export/scene.h"
#include "gelenk/geometry/mesh.h"

namespace gelenk::exporting {

// A surface as a binary STL file. The format knows no unit: coordinates are m times `scale`. `title` is kept, cut to
// what fits.
std::string write_stl(const geometry::TriangleMesh& mesh, double scale, std::string_view title);

// All shapes of a part as one surface, in its axes.
geometry::TriangleMesh surface_of_part(const Scene& scene, std::size_t part);
// The whole machine with its parts at X_WP, and what stands on the ground; world axes.
geometry::TriangleMesh surface_of_machine(const Scene& scene, std::span<const Pose> poses);

}  // namespace gelenk::exporting
