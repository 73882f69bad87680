#include "gelenk/cad/depth_raster.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "gelenk/geometry/triangle_cells.h"

namespace gelenk::cad {
namespace {

constexpr double kBias = 0.7;      // px: what is less far in front hides nothing
constexpr float kTouching = 1.5F;  // px: triangles of two pieces that touch are off by less
constexpr float kNothing = -std::numeric_limits<float>::infinity();

// Steps along the border with the area on the right: right, down, left, up.
constexpr std::array<std::pair<int, int>, 4> kSteps{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

}  // namespace

DepthRaster::DepthRaster(const geometry::PictureView& view, double cells_per_pixel)
    : view_(view),
      cells_per_pixel_(cells_per_pixel),
      columns_(static_cast<int>(std::ceil(view.width * cells_per_pixel))),
      rows_(static_cast<int>(std::ceil(view.height * cells_per_pixel))),
      fronts_(index(0, rows_), {kNothing, 0, 0}),
      backs_(std::isfinite(view.cut) ? index(0, rows_) : 0, {kNothing, 0, 0}) {}

void DepthRaster::add(const geometry::TriangleMesh& mesh, const Pose& X_WP, std::uint32_t number) {
  ++pieces_;
  std::vector<Vector3> points;
  points.reserve(mesh.vertices.size());
  for (const Vector3& vertex : mesh.vertices) {
    Vector3 p = view_(X_WP * vertex);
    p.head<2>() *= cells_per_pixel_;
    points.push_back(p);
  }
  for (const geometry::Triangle& triangle : mesh.triangles) {
    add_triangle(points[triangle[0]], points[triangle[1]], points[triangle[2]], number);
  }
}

void DepthRaster::add_triangle(const Vector3& a, const Vector3& b, const Vector3& c, std::uint32_t number) {
  std::vector<Nearest>& surfaces = geometry::signed_area(a, b, c) > 0.0 && !backs_.empty() ? backs_ : fronts_;
  geometry::visit_cells(a, b, c, columns_, rows_, [&](int column, int row, double of_b, double of_c) {
    const double depth = a.z() + of_b * (b.z() - a.z()) + of_c * (c.z() - a.z());
    if (depth > view_.cut) return;
    Nearest& nearest = surfaces[index(column, row)];
    if (static_cast<float>(depth) > nearest.depth) nearest = {static_cast<float>(depth), number, pieces_};
  });
}

// Of surfaces of two pieces that touch, the back of what is cut counts: it fills the space in front of it. Front and
// back of one piece may be near each other: a sheet.
bool DepthRaster::is_cut(std::size_t cell) const {
  if (backs_.empty() || backs_[cell].number == 0) return false;
  const Nearest &back = backs_[cell], &front = fronts_[cell];
  return back.depth > front.depth || (back.piece != front.piece && back.depth + kTouching > front.depth);
}

bool DepthRaster::is_hidden(const Vector3& point) const {
  const int column = static_cast<int>(std::floor(point.x() * cells_per_pixel_));
  const int row = static_cast<int>(std::floor(point.y() * cells_per_pixel_));
  // The neighbors, too: a surface that is seen at a small angle is much nearer in the next cell.
  for (int r = row - 1; r <= row + 1; ++r) {
    for (int c = column - 1; c <= column + 1; ++c) {
      if (c < 0 || r < 0 || c >= columns_ || r >= rows_) continue;
      const std::size_t cell = index(c, r);
      const double front = is_cut(cell) ? view_.cut : static_cast<double>(fronts_[cell].depth);
      if (front < point.z() + kBias) return false;
    }
  }
  return true;
}

std::size_t DepthRaster::count(std::uint32_t number) const {
  std::size_t count = 0;
  for (std::size_t cell = 0; cell < fronts_.size(); ++cell) count += number_of(cell) == number ? 1U : 0U;
  return count;
}

std::vector<Polyline> DepthRaster::border(std::uint32_t number) const {
  // Sides of cells between this and something else, by the corner where they begin. Where two cells touch at a
  // corner only, two sides begin there.
  using Corner = std::pair<int, int>;  // row, column
  std::multimap<Corner, int> sides;
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      if (number_at(column, row) != number) continue;
      if (number_at(column, row - 1) != number) sides.emplace(Corner{row, column}, 0);
      if (number_at(column + 1, row) != number) sides.emplace(Corner{row, column + 1}, 1);
      if (number_at(column, row + 1) != number) sides.emplace(Corner{row + 1, column + 1}, 2);
      if (number_at(column - 1, row) != number) sides.emplace(Corner{row + 1, column}, 3);
    }
  }
  std::vector<Polyline> lines;
  while (!sides.empty()) {
    Polyline line;
    Corner corner = sides.begin()->first;
    for (auto side = sides.begin(); side != sides.end(); side = sides.find(corner)) {
      line.emplace_back(corner.second / cells_per_pixel_, corner.first / cells_per_pixel_, 0.0);
      const auto [across, down] = kSteps[static_cast<std::size_t>(side->second)];
      corner = {corner.first + down, corner.second + across};
      sides.erase(side);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace gelenk::cad
