#include "gelenk/cad/plane_overlap.h"

#include <algorithm>

namespace gelenk::cad {
namespace {

struct Point {
  double x = 0.0, y = 0.0;
};

double cross(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

struct FlatTriangle {
  std::array<Point, 3> corners;  // counterclockwise
  Point low, high;
};

std::vector<FlatTriangle> flattened(const geometry::TriangleMesh& mesh, const Pose& X_WP) {
  std::vector<FlatTriangle> triangles;
  const Pose X_PW = X_WP.inverse();
  for (const geometry::Triangle& numbers : mesh.triangles) {
    FlatTriangle triangle;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3 p = X_PW * mesh.vertices[numbers[i]];
      triangle.corners[i] = {p.x(), p.y()};
    }
    auto& [a, b, c] = triangle.corners;
    if (cross(a, b, c) < 0.0) std::swap(b, c);
    triangle.low = {std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y})};
    triangle.high = {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y})};
    triangles.push_back(triangle);
  }
  return triangles;
}

// What of the polygon is left of the line from a to b (Sutherland and Hodgman).
std::vector<Point> clipped(const std::vector<Point>& polygon, const Point& a, const Point& b) {
  std::vector<Point> rest;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& from = polygon[i];
    const Point& to = polygon[(i + 1) % polygon.size()];
    const double side_from = cross(a, b, from), side_to = cross(a, b, to);
    if (side_from >= 0.0) rest.push_back(from);
    if ((side_from > 0.0 && side_to < 0.0) || (side_from < 0.0 && side_to > 0.0)) {
      const double part = side_from / (side_from - side_to);
      rest.push_back({from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)});
    }
  }
  return rest;
}

}  // namespace

PlaneOverlap plane_overlap(const geometry::TriangleMesh& a, const geometry::TriangleMesh& b, const Vector3& point,
                           const Vector3& normal) {
  const Pose X_WP{rotation_with_z(normal), point};
  const std::vector<FlatTriangle> ours = flattened(a, X_WP), theirs = flattened(b, X_WP);
  double area = 0.0;
  Point moment;
  for (const FlatTriangle& mine : ours) {
    for (const FlatTriangle& other : theirs) {
      if (mine.low.x > other.high.x || other.low.x > mine.high.x || mine.low.y > other.high.y ||
          other.low.y > mine.high.y) {
        continue;
      }
      std::vector<Point> common(mine.corners.begin(), mine.corners.end());
      for (std::size_t i = 0; i < 3 && !common.empty(); ++i) {
        common = clipped(common, other.corners[i], other.corners[(i + 1) % 3]);
      }
      for (std::size_t i = 2; i < common.size(); ++i) {
        const double piece = 0.5 * cross(common[0], common[i - 1], common[i]);
        area += piece;
        moment.x += piece * (common[0].x + common[i - 1].x + common[i].x) / 3.0;
        moment.y += piece * (common[0].y + common[i - 1].y + common[i].y) / 3.0;
      }
    }
  }
  if (!(area > 0.0)) return {};
  return {area, X_WP * Vector3(moment.x / area, moment.y / area, 0.0)};
}

}  // namespace gelenk::cad
