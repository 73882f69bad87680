#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gelenk/export/png.h"
#include "gelenk/export/scene.h"
#include "gelenk/geometry/bounds.h"
#include "gelenk/geometry/picture_view.h"

// Machines drawn by this program alone: without perspective, near parts cover far ones. Equal machines give equal
// bytes.
namespace gelenk::exporting {

// From the front right and above, so that the parts fill the picture; the ground only where it is not much larger.
// One view for each of the poses (X_WP of the parts), all of one scale. Parts that stay near each other are seen from
// the same place; a machine that drives away is followed.
std::vector<geometry::PictureView> machine_views(const Scene& scene, std::span<const std::vector<Pose>> poses,
                                                 int width, int height);

// Lines on the level of the lowest point that the machine has in any of the poses.
struct FloorGrid {
  geometry::Bounds extent;  // of the machine, in axes to the right, back and up
  double spacing = 1.0;     // m
};
geometry::Bounds floor_extent(const Scene& scene, std::span<const std::vector<Pose>> poses);

// Parts in their colors, brighter where they face the light, with outlines; behind them the grid, where there is one.
Pixels draw_machine(const Scene& scene, std::span<const Pose> poses, const geometry::PictureView& view,
                    const std::optional<FloorGrid>& floor = {});

}  // namespace gelenk::exporting
