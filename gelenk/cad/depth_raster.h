#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelenk/cad/polyline.h"
#include "gelenk/geometry/mesh.h"
#include "gelenk/geometry/picture_view.h"

namespace gelenk::cad {

// What is in front in a picture: small cells, each with what is seen there and how near it is. Where a surface is seen
// from behind, the view has cut through the body in front of it.
class DepthRaster {
 public:
  explicit DepthRaster(const geometry::PictureView& view, double cells_per_pixel = 2.0);

  // A piece of a body. Bodies have numbers from 1; where one is cut, kCut comes on top.
  static constexpr std::uint32_t kCut = 1U << 31U;
  void add(const geometry::TriangleMesh& mesh, const Pose& X_WP, std::uint32_t number);

  // Whether something is in front of a point of the picture. A point on a surface is not behind it, although cells are
  // coarse.
  bool is_hidden(const Vector3& point) const;
  std::size_t count(std::uint32_t number) const;
  // Borders of the area where this is seen, closed, px.
  std::vector<Polyline> border(std::uint32_t number) const;

 private:
  void add_triangle(const Vector3& a, const Vector3& b, const Vector3& c, std::uint32_t number);
  std::uint32_t number_at(int column, int row) const {
    const bool is_inside = column >= 0 && row >= 0 && column < columns_ && row < rows_;
    return is_inside ? number_of(index(column, row)) : 0;
  }
  std::uint32_t number_of(std::size_t cell) const {
    return is_cut(cell) ? backs_[cell].number | kCut : fronts_[cell].number;
  }
  bool is_cut(std::size_t cell) const;
  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
  }

  geometry::PictureView view_;
  double cells_per_pixel_;
  int columns_, rows_;
  // The nearest surface, px towards the eye, and whose it is.
  struct Nearest {
    float depth;
    std::uint32_t number, piece;
  };
  std::uint32_t pieces_ = 0;     // that were added
  std::vector<Nearest> fronts_;  // that face the eye
  std::vector<Nearest> backs_;   // that are seen from behind; only where something is cut away
};

}  // namespace gelenk::cad
