#pragma once

#include <span>
#include <string>
#include <vector>

#include "gelenk/cad/depth_raster.h"

namespace gelenk::cad {

// Lines of a picture, px, thinned to what can be seen.
class PictureLines {
 public:
  explicit PictureLines(const geometry::PictureView& view) : view_(view) {}

  // A line in the world. What is outside of the picture is cut away; what something hides goes to `hidden`.
  void add(const Polyline& line_W, const DepthRaster& in_front);
  void sort();  // the longest first: they are kept when there is not room for all

  std::vector<Polyline> shown, hidden;

 private:
  const geometry::PictureView& view_;
};

// A line without the points that it can do without: none of them is farther than `tolerance` from what remains.
Polyline thinned(std::span<const Vector3> line, double tolerance);

// The value of the attribute `d` of a path: in tenths of px, and not longer than `most` letters.
std::string path_data(std::span<const Polyline> lines, bool are_closed, std::size_t most);

}  // namespace gelenk::cad
