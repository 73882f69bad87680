#include "gelenk/export/machine_raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "gelenk/export/scene_shapes.h"
#include "gelenk/geometry/mesh_normals.h"
#include "gelenk/geometry/triangle_cells.h"

namespace gelenk::exporting {
namespace {

using geometry::Bounds;
using geometry::PictureView;

constexpr int kCellsPerPixel = 2;    // along each side
constexpr double kFilledPart = 0.9;  // of the picture
// Ground that is larger than this many machines is not made to fit.
constexpr double kLargestGround = 1.5;
// Poses that together take more room than this many of one are seen each in its own middle.
constexpr double kNearEachOther = 2.0;
constexpr double kAmbient = 0.62;       // brightness where no light falls
constexpr double kOutlineStep = 6.0;    // px: how far behind its neighbor a surface of the same part begins anew
constexpr double kOutlineShade = 0.35;  // brightness of outlines
constexpr std::uint32_t kBackground = 0;

// Columns: right, back and up for somebody who stands before the machine.
Matrix3 standing_axes(const Vector3& up) {
  const Vector3 x = std::abs(up.x()) > 0.5 ? Vector3(-up.x() * Vector3::UnitZ()) : Vector3(Vector3::UnitX());
  const Vector3 right = (x - x.dot(up) * up).normalized();
  Matrix3 axes;
  axes << right, up.cross(right), up;
  return axes;
}

Matrix3 three_quarter_axes(const Vector3& up) {
  const Matrix3 R_WU = standing_axes(up.normalized());
  return geometry::viewing_axes(R_WU * Vector3(0.55, -1.0, 0.6).normalized(), R_WU.col(2));
}

bool is_finite(const Pose& pose) { return pose.position.allFinite() && pose.rotation.allFinite(); }

// In axes of the eye.
Bounds seen_extent(const Scene& scene, std::span<const Pose> poses, const Matrix3& axes) {
  const Pose X_EW{axes, Vector3::Zero()};
  Bounds parts, ground;
  for (std::size_t i = 0; i < scene.parts.size() && i < poses.size(); ++i) {
    if (!is_finite(poses[i])) continue;
    for (const SceneShape& shape : scene.parts[i].shapes) {
      parts.add(bounds_of(shape, scene.meshes, X_EW * poses[i]));
    }
  }
  for (const SceneShape& shape : scene.ground_shapes) ground.add(bounds_of(shape, scene.meshes, X_EW));
  if (parts.is_empty()) return ground;
  if (ground.diagonal() <= kLargestGround * parts.diagonal()) parts.add(ground);
  return parts;
}

// What is in front in each of the cells.
struct Cell {
  float depth = -std::numeric_limits<float>::infinity();
  std::uint32_t part = kBackground;  // from 1; the ground is the last
  std::array<std::uint8_t, 3> color{255, 255, 255};
};

std::uint8_t color_byte(double brightness) {
  return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(brightness, 0.0, 1.0)));
}

class MachineRaster {
 public:
  explicit MachineRaster(const PictureView& view)
      : view_(view),
        columns_(static_cast<int>(view.width) * kCellsPerPixel),
        rows_(static_cast<int>(view.height) * kCellsPerPixel),
        cells_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

  void add(const geometry::ShadedMesh& mesh, const Pose& X_WS, const Color& color, std::uint32_t part) {
    std::vector<Vector3> points, normals;
    for (const Vector3& vertex : mesh.vertices) {
      Vector3 point = view_(X_WS * vertex);
      point.head<2>() *= kCellsPerPixel;
      points.push_back(point);
    }
    for (const Vector3& normal : mesh.normals) normals.push_back(view_.axes * (X_WS.rotation * normal));
    for (const geometry::Triangle& t : mesh.triangles) {
      const Vector3 &a = points[t[0]], &b = points[t[1]], &c = points[t[2]];
      if (!a.allFinite() || !b.allFinite() || !c.allFinite()) continue;  // beyond all numbers
      geometry::visit_cells(a, b, c, columns_, rows_, [&](int column, int row, double of_b, double of_c) {
        const auto depth = static_cast<float>(a.z() + of_b * (b.z() - a.z()) + of_c * (c.z() - a.z()));
        Cell& cell = cells_[index(column, row)];
        if (depth <= cell.depth) return;
        const Vector3 normal = (1.0 - of_b - of_c) * normals[t[0]] + of_b * normals[t[1]] + of_c * normals[t[2]];
        cell = {depth, part, lit(color, normal)};
      });
    }
  }

  // Where no part is in front. Columns of R_WU: right, back and up.
  void add_floor(const FloorGrid& floor, const Matrix3& R_WU) {
    constexpr double kHalfLine = 0.6;     // px
    constexpr double kLeastSlope = 0.05;  // a floor seen from its side is a line
    constexpr std::uint8_t kLine[] = {212, 217, 224};
    // Of a point of the picture (m from its middle, right and up): its place on the floor.
    const Matrix3 R_UE = R_WU.transpose() * view_.axes.transpose();
    const Vector3 target = R_WU.transpose() * view_.target;
    if (std::abs(R_UE(2, 2)) < kLeastSlope) return;
    const auto place = [&](double right, double up) {
      const Vector3 seen = target + R_UE.col(0) * right + R_UE.col(1) * up;
      return Vector3(seen - R_UE.col(2) * ((seen.z() - floor.extent.lower.z()) / R_UE(2, 2)));
    };
    const Vector3 origin = place(0.0, 0.0), across = place(1.0, 0.0) - origin, upward = place(0.0, 1.0) - origin;
    const auto first = [&](int k) { return std::floor(floor.extent.lower[k] / floor.spacing) - 1.0; };
    const auto last = [&](int k) { return std::ceil(floor.extent.upper[k] / floor.spacing) + 1.0; };
    for (int row = 0; row < rows_; ++row) {
      for (int column = 0; column < columns_; ++column) {
        Cell& cell = cells_[index(column, row)];
        if (cell.part != kBackground) continue;
        const double right = ((column + 0.5) / kCellsPerPixel - 0.5 * view_.width) / view_.scale;
        const double up = (0.5 * view_.height - (row + 0.5) / kCellsPerPixel) / view_.scale;
        const Vector3 point = origin + right * across + up * upward;
        bool is_line = false, is_inside = true;
        for (int k = 0; k < 2; ++k) {
          const double lines = point[k] / floor.spacing;
          // How far the nearest line is away in the picture.
          const double slope = std::hypot(across[k], upward[k]) / view_.scale;
          const double half = kHalfLine * slope / floor.spacing;
          is_line = is_line || std::abs(lines - std::round(lines)) < half;
          is_inside = is_inside && lines > first(k) - half && lines < last(k) + half;
        }
        if (is_line && is_inside) std::copy(std::begin(kLine), std::end(kLine), cell.color.begin());
      }
    }
  }

  // The mean of the cells of each pixel, outlines on top.
  Pixels pixels() const {
    Pixels result{columns_ / kCellsPerPixel, rows_ / kCellsPerPixel, {}};
    constexpr int kCellsOfPixel = kCellsPerPixel * kCellsPerPixel;
    for (int y = 0; y < result.height; ++y) {
      for (int x = 0; x < result.width; ++x) {
        std::array<double, 3> sum{};
        for (int i = 0; i < kCellsOfPixel; ++i) {
          const int column = x * kCellsPerPixel + i % kCellsPerPixel, row = y * kCellsPerPixel + i / kCellsPerPixel;
          const double shade = is_outline(column, row) ? kOutlineShade : 1.0;
          for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += shade * cells_[index(column, row)].color[k];
        }
        for (const double one : sum) result.rgb.push_back(static_cast<std::uint8_t>(std::lround(one / kCellsOfPixel)));
      }
    }
    return result;
  }

 private:
  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
  }

  // Surfaces have two sides: meshes need not be turned outwards. The light comes from the left above the eye.
  static std::array<std::uint8_t, 3> lit(const Color& color, const Vector3& normal) {
    static const Vector3 kLight = Vector3(-0.4, 0.75, 0.9).normalized();
    const double size = normal.norm();
    const double side = normal.z() < 0.0 ? -1.0 : 1.0;
    const double facing = size > 0.0 ? std::max(0.0, side * normal.dot(kLight) / size) : 0.0;
    const double brightness = kAmbient + (1.0 - kAmbient) * facing;
    return {color_byte(brightness * color[0]), color_byte(brightness * color[1]), color_byte(brightness * color[2])};
  }

  // Where the neighbor to the right or below is of another part, or of a surface much further away.
  bool is_outline(int column, int row) const {
    const Cell& cell = cells_[index(column, row)];
    const auto differs = [&](int other_column, int other_row) {
      if (other_column >= columns_ || other_row >= rows_) return false;
      const Cell& other = cells_[index(other_column, other_row)];
      if (cell.part != other.part) return true;
      return cell.part != kBackground && std::abs(cell.depth - other.depth) > kOutlineStep;
    };
    return differs(column + 1, row) || differs(column, row + 1);
  }

  PictureView view_;
  int columns_, rows_;
  std::vector<Cell> cells_;
};

}  // namespace

std::vector<PictureView> machine_views(const Scene& scene, std::span<const std::vector<Pose>> poses, int width,
                                       int height) {
  const Matrix3 axes = three_quarter_axes(scene.up);
  std::vector<Bounds> extents;
  Bounds all;
  const auto room = [&](const Bounds& extent) {
    if (extent.is_empty()) return 0.0;
    const Vector3 size = extent.upper - extent.lower;
    return std::max(size.x() / width, size.y() / height);  // m/px
  };
  double largest = 0.0;
  for (const std::vector<Pose>& one : poses) {
    extents.push_back(seen_extent(scene, one, axes));
    if (extents.back().is_empty()) continue;
    all.add(extents.back());
    largest = std::max(largest, room(extents.back()));
  }
  const bool is_together = room(all) <= kNearEachOther * largest;
  const double shown = is_together ? room(all) : largest;
  std::vector<PictureView> views;
  for (const Bounds& extent : extents) {
    PictureView view{axes, Vector3::Zero(), 1.0, static_cast<double>(width), static_cast<double>(height)};
    const Bounds& middle = is_together ? all : extent;
    if (!middle.is_empty()) view.target = axes.transpose() * middle.center();
    if (shown > 0.0 && std::isfinite(shown)) view.scale = kFilledPart / shown;
    views.push_back(view);
  }
  return views;
}

Bounds floor_extent(const Scene& scene, std::span<const std::vector<Pose>> poses) {
  Bounds all;
  const Matrix3 R_UW = standing_axes(scene.up.normalized()).transpose();
  for (const std::vector<Pose>& one : poses) all.add(seen_extent(scene, one, R_UW));
  return all;
}

Pixels draw_machine(const Scene& scene, std::span<const Pose> poses, const PictureView& view,
                    const std::optional<FloorGrid>& floor) {
  MachineRaster raster(view);
  const auto add = [&](const std::vector<SceneShape>& shapes, const Pose& X_WP, const Color& color,
                       std::uint32_t number) {
    if (!is_finite(X_WP)) return;
    for (const SceneShape& shape : shapes) {
      raster.add(geometry::shaded(surface(shape, scene.meshes)), X_WP * shape.X_PS, color, number);
    }
  };
  std::uint32_t number = kBackground;
  for (std::size_t i = 0; i < scene.parts.size() && i < poses.size(); ++i) {
    add(scene.parts[i].shapes, poses[i], scene.parts[i].color, ++number);
  }
  add(scene.ground_shapes, Pose{}, scene.ground_color, ++number);
  if (floor) raster.add_floor(*floor, standing_axes(scene.up.normalized()));
  return raster.pixels();
}

}  // namespace gelenk::exporting
