#include "gelenk/cad/smooth_edges.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "gelenk/geometry/mesh_weld.h"

namespace gelenk::cad {
namespace {

// Triangles of one surface differ by less than this (rad); the mesher is asked for half of it.
constexpr double kSharp = 0.6;
// Faces share their edges, but their triangles may be off by the rounding of two surfaces. Part of the size.
constexpr double kWeld = 1e-7;

using VertexPair = std::pair<std::uint32_t, std::uint32_t>;

// Rows of pieces that follow each other.
std::vector<Polyline> chained(const std::vector<VertexPair>& pieces, const std::vector<Vector3>& vertices) {
  std::multimap<std::uint32_t, std::size_t> at;  // pieces by their ends
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    at.emplace(pieces[i].first, i);
    at.emplace(pieces[i].second, i);
  }
  std::vector<bool> is_used(pieces.size(), false);
  const auto next_at = [&](std::uint32_t vertex) -> std::optional<std::uint32_t> {
    const auto [begin, end] = at.equal_range(vertex);
    for (auto it = begin; it != end; ++it) {
      if (is_used[it->second]) continue;
      is_used[it->second] = true;
      const VertexPair& piece = pieces[it->second];
      return piece.first == vertex ? piece.second : piece.first;
    }
    return std::nullopt;
  };
  std::vector<Polyline> lines;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (is_used[i]) continue;
    is_used[i] = true;
    Polyline line{vertices[pieces[i].first], vertices[pieces[i].second]};
    for (std::optional<std::uint32_t> v = next_at(pieces[i].second); v; v = next_at(*v)) line.push_back(vertices[*v]);
    std::reverse(line.begin(), line.end());
    for (std::optional<std::uint32_t> v = next_at(pieces[i].first); v; v = next_at(*v)) line.push_back(vertices[*v]);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

SmoothEdges::SmoothEdges(geometry::TriangleMesh mesh) {
  const double size = geometry::bounds(mesh).diagonal();
  if (size > 0.0) geometry::weld_within(mesh, kWeld * size);
  std::map<VertexPair, Vector3> open;  // edges that were met once, with the normal beside them
  for (const geometry::Triangle& triangle : mesh.triangles) {
    const Vector3 &a = mesh.vertices[triangle[0]], &b = mesh.vertices[triangle[1]], &c = mesh.vertices[triangle[2]];
    const std::optional<Vector3> normal = unit_vector((b - a).cross(c - a));
    if (!normal) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t from = triangle[i], to = triangle[(i + 1) % 3];
      const VertexPair key{std::min(from, to), std::max(from, to)};
      const auto found = open.find(key);
      if (found == open.end()) {
        open.emplace(key, *normal);
        continue;
      }
      const double cosine = found->second.dot(*normal);
      const bool is_flat = cosine > 1.0 - 1e-12;
      if (!is_flat && cosine > std::cos(kSharp)) edges_.push_back({key.first, key.second, found->second, *normal});
      open.erase(found);
    }
  }
  vertices_ = std::move(mesh.vertices);
}

std::vector<Polyline> SmoothEdges::outline(const Vector3& toward) const {
  std::vector<VertexPair> pieces;
  for (const Edge& edge : edges_) {
    if ((edge.left.dot(toward) > 0.0) != (edge.right.dot(toward) > 0.0)) pieces.emplace_back(edge.from, edge.to);
  }
  return chained(pieces, vertices_);
}

}  // namespace gelenk::cad
