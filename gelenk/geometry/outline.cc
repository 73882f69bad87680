#include "gelenk/geometry/outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

namespace gelenk::geometry {
namespace {

// Twice the signed area of the triangle: positive when c lies to the left of a -> b.
double turn(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool is_same(const PlanePoint& a, const PlanePoint& b) { return a.x == b.x && a.y == b.y; }

struct Edge {
  PlanePoint a, b;
  std::size_t loop = 0, number = 0, loop_size = 0;

  double left() const { return std::min(a.x, b.x); }
  double right() const { return std::max(a.x, b.x); }
  // Edges that follow each other share a corner.
  bool is_neighbor(const Edge& other) const {
    if (loop != other.loop) return false;
    const std::size_t apart = number > other.number ? number - other.number : other.number - number;
    return apart == 1 || apart + 1 == loop_size;
  }
};

// Whether c, which is in line with a and b, lies between them or on one.
bool is_between(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  return c.x >= std::min(a.x, b.x) && c.x <= std::max(a.x, b.x) && c.y >= std::min(a.y, b.y) &&
         c.y <= std::max(a.y, b.y);
}

// Where two edges touch that must not.
std::optional<PlanePoint> touching_point(const Edge& one, const Edge& other) {
  if (std::min(one.a.y, one.b.y) > std::max(other.a.y, other.b.y)) return std::nullopt;
  if (std::min(other.a.y, other.b.y) > std::max(one.a.y, one.b.y)) return std::nullopt;
  const double a = turn(other.a, other.b, one.a), b = turn(other.a, other.b, one.b);
  const double c = turn(one.a, one.b, other.a), d = turn(one.a, one.b, other.b);
  if (one.is_neighbor(other)) {
    // Only the far ends may tell that one runs back along the other.
    const PlanePoint far_one = is_same(one.b, other.a) || is_same(one.b, other.b) ? one.a : one.b;
    const PlanePoint far_other = is_same(other.b, one.a) || is_same(other.b, one.b) ? other.a : other.b;
    if (turn(other.a, other.b, far_one) == 0.0 && is_between(other.a, other.b, far_one)) return far_one;
    if (turn(one.a, one.b, far_other) == 0.0 && is_between(one.a, one.b, far_other)) return far_other;
    return std::nullopt;
  }
  if (a == 0.0 && is_between(other.a, other.b, one.a)) return one.a;
  if (b == 0.0 && is_between(other.a, other.b, one.b)) return one.b;
  if (c == 0.0 && is_between(one.a, one.b, other.a)) return other.a;
  if (d == 0.0 && is_between(one.a, one.b, other.b)) return other.b;
  if ((a > 0.0) == (b > 0.0) || (c > 0.0) == (d > 0.0) || a == 0.0 || b == 0.0 || c == 0.0 || d == 0.0)
    return std::nullopt;
  const double share = a / (a - b);
  return PlanePoint{one.a.x + share * (one.b.x - one.a.x), one.a.y + share * (one.b.y - one.a.y)};
}

std::vector<Edge> edges_of(const Outline& outline) {
  std::vector<Edge> edges;
  for (std::size_t l = 0; l < outline.size(); ++l) {
    for (std::size_t i = 0; i < outline[l].size(); ++i) {
      edges.push_back({outline[l][i], outline[l][(i + 1) % outline[l].size()], l, i, outline[l].size()});
    }
  }
  return edges;
}

std::optional<PlanePoint> find_touch(const Outline& outline) {
  std::vector<Edge> edges = edges_of(outline);
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.left() < b.left(); });
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::size_t j = i + 1; j < edges.size() && edges[j].left() <= edges[i].right(); ++j) {
      if (const std::optional<PlanePoint> touch = touching_point(edges[i], edges[j])) return touch;
    }
  }
  return std::nullopt;
}

// Whether a point that is on no edge lies inside.
bool goes_around(const Loop& loop, const PlanePoint& point) {
  bool is_inside = false;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const PlanePoint& a = loop[i];
    const PlanePoint& b = loop[(i + 1) % loop.size()];
    if ((a.y > point.y) == (b.y > point.y)) continue;
    if ((turn(a, b, point) > 0.0) == (b.y > a.y)) is_inside = !is_inside;
  }
  return is_inside;
}

// Corners by number, in the order of the outline, as one line that goes around a region without holes.
using Line = std::vector<std::uint32_t>;

// Cuts ears off until nothing is left. Quadratic where most corners stick in, much less otherwise.
class Triangulation {
 public:
  explicit Triangulation(const Outline& outline) {
    for (const Loop& loop : outline) {
      first_.push_back(static_cast<std::uint32_t>(corners_.size()));
      corners_.insert(corners_.end(), loop.begin(), loop.end());
    }
    std::vector<int> depth(outline.size(), 0);
    for (std::size_t l = 0; l < outline.size(); ++l) {
      for (std::size_t other = 0; other < outline.size(); ++other) {
        if (other != l && goes_around(outline[other], outline[l].front())) ++depth[l];
      }
    }
    for (std::size_t l = 0; l < outline.size(); ++l) {
      lines_.push_back(line_of(outline[l], l, depth[l] % 2 == 0));
    }
    for (std::size_t l = 0; l < outline.size(); ++l) {
      if (depth[l] % 2 != 0) continue;
      std::vector<std::size_t> holes;
      for (std::size_t h = 0; h < outline.size(); ++h) {
        if (depth[h] == depth[l] + 1 && goes_around(outline[l], outline[h].front())) holes.push_back(h);
      }
      cut(joined(l, std::move(holes)));
    }
    flip_edges();
  }

  const std::vector<PlanePoint>& corners() const { return corners_; }
  const std::vector<Triangle>& triangles() const { return triangles_; }
  // Loops as they run around the solid: to its left.
  const std::vector<Line>& lines() const { return lines_; }

 private:
  Line line_of(const Loop& loop, std::size_t number, bool is_outer) const {
    Line line(loop.size());
    std::iota(line.begin(), line.end(), first_[number]);
    if ((signed_area(loop) > 0.0) != is_outer) std::reverse(line.begin(), line.end());
    return line;
  }

  // Bridges from the rightmost corner of each hole, the rightmost hole first, to a corner that it sees.
  Line joined(std::size_t outer, std::vector<std::size_t> holes) const {
    Line line = lines_[outer];
    const auto rightmost = [this](const Line& hole) {
      return std::max_element(hole.begin(), hole.end(), [this](std::uint32_t a, std::uint32_t b) {
        return std::pair(corners_[a].x, corners_[a].y) < std::pair(corners_[b].x, corners_[b].y);
      });
    };
    std::sort(holes.begin(), holes.end(), [&](std::size_t a, std::size_t b) {
      const PlanePoint& p = corners_[*rightmost(lines_[a])];
      const PlanePoint& q = corners_[*rightmost(lines_[b])];
      return std::pair(p.x, p.y) > std::pair(q.x, q.y);
    });
    for (const std::size_t h : holes) {
      const Line& hole = lines_[h];
      const auto begin = rightmost(hole);
      const std::size_t at = seen_from(line, corners_[*begin]);
      Line bridge(begin, hole.end());
      bridge.insert(bridge.end(), hole.begin(), begin);
      bridge.push_back(*begin);
      bridge.push_back(line[at]);
      line.insert(line.begin() + static_cast<std::ptrdiff_t>(at) + 1, bridge.begin(), bridge.end());
    }
    return line;
  }

  // The place in the line of a corner to which a straight way from the point crosses nothing: the end of the edge that
  // a ray to the right meets first, or the corner in the triangle between the two that is nearest to the ray.
  std::size_t seen_from(const Line& line, const PlanePoint& from) const {
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const PlanePoint& a = corners_[line[i]];
      const PlanePoint& b = corners_[line[(i + 1) % line.size()]];
      if (!(a.y <= from.y && from.y < b.y)) continue;  // edges with the solid to their left that run upwards
      const double x = a.x + (from.y - a.y) / (b.y - a.y) * (b.x - a.x);
      if (x < from.x || x >= nearest) continue;
      nearest = x;
      best = a.x > b.x ? i : (i + 1) % line.size();
    }
    const PlanePoint met{nearest, from.y};
    const PlanePoint far = corners_[line[best]];
    double smallest = std::numeric_limits<double>::infinity(), shortest = smallest;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const PlanePoint& p = corners_[line[i]];
      if (p.x < from.x || !is_in_triangle(from, met, far, p)) continue;
      const double slope = std::abs(p.y - from.y) / std::max(p.x - from.x, std::numeric_limits<double>::min());
      const double distance = p.x - from.x;
      if (slope > smallest || (slope == smallest && distance >= shortest)) continue;
      if (!opens_towards(line, i, from)) continue;
      smallest = slope;
      shortest = distance;
      best = i;
    }
    return best;
  }

  // A corner may be in the line several times, by bridges: which of them looks at the point?
  bool opens_towards(const Line& line, std::size_t i, const PlanePoint& point) const {
    const PlanePoint& before = corners_[line[(i + line.size() - 1) % line.size()]];
    const PlanePoint& here = corners_[line[i]];
    const PlanePoint& after = corners_[line[(i + 1) % line.size()]];
    if (turn(before, here, after) > 0.0) return turn(before, here, point) >= 0.0 && turn(here, after, point) >= 0.0;
    return turn(before, here, point) >= 0.0 || turn(here, after, point) >= 0.0;
  }

  static bool is_in_triangle(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& p) {
    const double u = turn(a, b, p), v = turn(b, c, p), w = turn(c, a, p);
    return (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
  }

  bool is_ear(const std::vector<std::size_t>& next, const std::vector<std::size_t>& before, const Line& line,
              std::size_t i) const {
    const PlanePoint& a = corners_[line[before[i]]];
    const PlanePoint& b = corners_[line[i]];
    const PlanePoint& c = corners_[line[next[i]]];
    if (!(turn(a, b, c) > 0.0)) return false;
    for (std::size_t j = next[next[i]]; j != before[i]; j = next[j]) {
      const PlanePoint& p = corners_[line[j]];
      if (is_same(p, a) || is_same(p, b) || is_same(p, c)) continue;
      if (is_in_triangle(a, b, c, p)) return false;
    }
    return true;
  }

  void cut(const Line& line) {
    const std::size_t count = line.size();
    std::vector<std::size_t> next(count), before(count);
    for (std::size_t i = 0; i < count; ++i) {
      next[i] = (i + 1) % count;
      before[i] = (i + count - 1) % count;
    }
    std::size_t left = count, i = 0, tried = 0;
    while (left > 3) {
      const bool gives_up = tried > left;  // corners in one line are all that is left: they have no area
      if (gives_up || is_ear(next, before, line, i)) {
        triangles_.push_back({line[before[i]], line[i], line[next[i]]});
        next[before[i]] = next[i];
        before[next[i]] = before[i];
        --left;
        tried = 0;
        i = next[next[i]];  // ears that alternate are less pointed
        continue;
      }
      ++tried;
      i = next[i];
    }
    triangles_.push_back({line[before[i]], line[i], line[next[i]]});
  }

  static std::uint64_t key(std::uint32_t from, std::uint32_t to) { return std::uint64_t{from} << 32U | to; }

  // Whether the triangles abc and bad see their common edge under more than a straight angle together: their other
  // diagonal is shorter then, and a triangle without area is gone.
  bool is_worse(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) const {
    constexpr double kClear = 1e-10;
    const PlanePoint &A = corners_[a], &B = corners_[b], &C = corners_[c], &D = corners_[d];
    if (!(turn(A, D, C) > 0.0) || !(turn(D, B, C) > 0.0)) return false;
    const double at_c = (A.x - C.x) * (B.x - C.x) + (A.y - C.y) * (B.y - C.y), beside_c = turn(A, B, C);
    const double at_d = (A.x - D.x) * (B.x - D.x) + (A.y - D.y) * (B.y - D.y), beside_d = turn(B, A, D);
    return beside_c * at_d + at_c * beside_d < -kClear * std::hypot(at_c, beside_c) * std::hypot(at_d, beside_d);
  }

  // Towards the triangulation of Delaunay, which has no needless slivers: pictures show their edges.
  void flip_edges() {
    std::unordered_map<std::uint64_t, std::size_t> triangle_of;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open;
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t from = triangles_[t][i], to = triangles_[t][(i + 1) % 3];
        triangle_of[key(from, to)] = t;
        open.emplace_back(from, to);
      }
    }
    const auto opposite = [this](std::size_t t, std::uint32_t a, std::uint32_t b) {
      for (const std::uint32_t corner : triangles_[t]) {
        if (corner != a && corner != b) return corner;
      }
      return a;
    };
    // Each flip opens four edges; far fewer are needed than are allowed.
    for (std::size_t left = 100 * triangles_.size(); left > 0 && !open.empty(); --left) {
      const auto [a, b] = open.back();
      open.pop_back();
      const auto one = triangle_of.find(key(a, b)), other = triangle_of.find(key(b, a));
      if (one == triangle_of.end() || other == triangle_of.end()) continue;
      const std::size_t t = one->second, s = other->second;
      const std::uint32_t c = opposite(t, a, b), d = opposite(s, a, b);
      if (!is_worse(a, b, c, d)) continue;
      triangle_of.erase(one);
      triangle_of.erase(key(b, a));
      triangles_[t] = {a, d, c};
      triangles_[s] = {d, b, c};
      for (const auto& [from, to] : {std::pair(a, d), std::pair(d, c), std::pair(c, a)}) triangle_of[key(from, to)] = t;
      for (const auto& [from, to] : {std::pair(d, b), std::pair(b, c), std::pair(c, d)}) triangle_of[key(from, to)] = s;
      open.insert(open.end(), {{a, d}, {c, a}, {d, b}, {b, c}});
    }
  }

  std::vector<PlanePoint> corners_;
  std::vector<std::uint32_t> first_;  // corner of each loop
  std::vector<Line> lines_;
  std::vector<Triangle> triangles_;
};

}  // namespace

double signed_area(const Loop& loop) {
  double sum = 0.0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const PlanePoint& a = loop[i];
    const PlanePoint& b = loop[(i + 1) % loop.size()];
    sum += (a.x - loop.front().x) * (b.y - loop.front().y) - (b.x - loop.front().x) * (a.y - loop.front().y);
  }
  return 0.5 * sum;
}

std::string problem(const Outline& outline) {
  if (outline.empty()) return "the outline has no corners";
  std::size_t corners = 0;
  for (const Loop& loop : outline) {
    corners += loop.size();
    if (loop.size() < 3) return fmt::format("an outline needs three corners, but has {}", loop.size());
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const PlanePoint& here = loop[i];
      if (!std::isfinite(here.x) || !std::isfinite(here.y)) return "a corner is not finite";
      if (is_same(here, loop[(i + 1) % loop.size()]))
        return fmt::format("two corners in a row are both at ({:.6g}, {:.6g})", here.x, here.y);
    }
  }
  if (corners > kMaxOutlineCorners) {
    return fmt::format("the outline has {} corners, more than {}", corners, kMaxOutlineCorners);
  }
  if (const std::optional<PlanePoint> touch = find_touch(outline)) {
    return fmt::format("its edges cross or touch near ({:.6g}, {:.6g})", touch->x, touch->y);
  }
  return {};
}

TriangleMesh extruded(const Outline& outline, double height) {
  const Triangulation cut(outline);
  const auto count = static_cast<std::uint32_t>(cut.corners().size());
  TriangleMesh mesh;
  for (const double z : {0.0, height}) {
    for (const PlanePoint& corner : cut.corners()) mesh.vertices.emplace_back(corner.x, corner.y, z);
  }
  for (const Triangle& t : cut.triangles()) {
    mesh.triangles.push_back({t[0], t[2], t[1]});
    mesh.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
  }
  for (const Line& line : cut.lines()) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::uint32_t a = line[i];
      const std::uint32_t b = line[(i + 1) % line.size()];
      mesh.triangles.push_back({a, b, b + count});
      mesh.triangles.push_back({a, b + count, a + count});
    }
  }
  return mesh;
}

}  // namespace gelenk::geometry
