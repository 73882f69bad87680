#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/export/scene.h"
#include "gelenk/geometry/bounds.h"
#include "gelenk/geometry/picture_view.h"
#include "gelenk/results/choose.h"

namespace gelenk::exporting {

// A force or a moment in a picture: an arrow from where it acts.
struct LoadMark {
  Vector3 point_W = Vector3::Zero();
  Vector3 direction_W = Vector3::UnitX();  // unit
};

struct MachinePictureOptions {
  std::string title{};      // for those who cannot see it
  ShownUnit length_unit{};  // of the ruler
  std::optional<LoadMark> load{};
  std::optional<geometry::Bounds> floor{};  // as floor_extent() gives it: a grid with squares as wide as the ruler
};

inline constexpr int kMachinePictureWidth = 720;  // px
inline constexpr int kMachinePictureHeight = 480;

// How such a picture begins.
inline constexpr std::string_view kMachinePictureMark =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gelenk-machine\"";

// A whole SVG: the machine as dots (so that its size does not grow with the number of triangles), on top of it the axes
// of the world, a ruler and the load; behind it a grid on the floor. Equal machines give equal bytes.
std::string machine_picture(const Scene& scene, std::span<const Pose> poses, const geometry::PictureView& view,
                            const MachinePictureOptions& options);

}  // namespace gelenk::exporting
