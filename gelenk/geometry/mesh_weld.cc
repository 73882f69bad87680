#include "gelenk/geometry/mesh_weld.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace gelenk::geometry {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

bool coordinates_less(const Vector3& a, const Vector3& b) {
  return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

// Puts kept[v] in the place of vertex v, numbers the vertices anew in the order of their use.
std::size_t replace_vertices(TriangleMesh& mesh, const std::vector<std::uint32_t>& kept) {
  std::vector<std::uint32_t> new_number(mesh.vertices.size(), kNone);
  TriangleMesh result;
  result.triangles.reserve(mesh.triangles.size());
  for (const Triangle& old : mesh.triangles) {
    const Triangle t = {kept[old[0]], kept[old[1]], kept[old[2]]};
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    Triangle& added = result.triangles.emplace_back();
    for (std::size_t corner = 0; corner < 3; ++corner) {
      std::uint32_t& number = new_number[t[corner]];
      if (number == kNone) {
        number = static_cast<std::uint32_t>(result.vertices.size());
        result.vertices.push_back(mesh.vertices[t[corner]]);
      }
      added[corner] = number;
    }
  }
  const std::size_t dropped = mesh.triangles.size() - result.triangles.size();
  mesh = std::move(result);
  return dropped;
}

// Vertices sorted into cubes of edge `tolerance`; sorted arrays instead of a hash table, so that no input is slow.
class Cells {
 public:
  Cells(const std::vector<Vector3>& vertices, double tolerance) : vertices_(vertices), tolerance_(tolerance) {
    for (const Vector3& v : vertices) box_.add(v);
    keys_.reserve(vertices.size());
    for (const Vector3& v : vertices) keys_.push_back(key(cell_of(v)));
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    first_in_cell_.assign(keys_.size(), kNone);
    next_in_cell_.assign(vertices.size(), kNone);
  }

  // The kept vertex with the smallest number within the tolerance of vertex v, or kNone. Kept vertices are farther
  // apart than the tolerance, so there are only a few per cell.
  std::uint32_t find(std::uint32_t v) const {
    std::uint32_t found = kNone;
    const Cell center = cell_of(vertices_[v]);
    for (std::int64_t x = center[0] - 1; x <= center[0] + 1; ++x) {
      for (std::int64_t y = center[1] - 1; y <= center[1] + 1; ++y) {
        // Cells that differ in z only are neighbors in the sorted keys: one search for the three of them.
        const std::uint64_t last = key({x, y, center[2] + 1});
        auto it = std::lower_bound(keys_.begin(), keys_.end(), key({x, y, center[2] - 1}));
        for (; it != keys_.end() && *it <= last; ++it) found = std::min(found, find_in_cell(v, it - keys_.begin()));
      }
    }
    return found;
  }

  void keep(std::uint32_t v) {
    const auto it = std::lower_bound(keys_.begin(), keys_.end(), key(cell_of(vertices_[v])));
    std::uint32_t& first = first_in_cell_[static_cast<std::size_t>(it - keys_.begin())];
    next_in_cell_[v] = first;
    first = v;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;

  // Counted from 1, so that the neighbors of the first cell have a key as well.
  Cell cell_of(const Vector3& v) const {
    const Vector3 scaled = (v - box_.lower) / tolerance_;
    Cell cell{};
    for (int i = 0; i < 3; ++i) {
      cell[static_cast<std::size_t>(i)] = 1 + static_cast<std::int64_t>(std::min(scaled[i], kMaxCell));
    }
    return cell;
  }

  static std::uint64_t key(const Cell& cell) {
    return static_cast<std::uint64_t>(cell[0]) << 42U | static_cast<std::uint64_t>(cell[1]) << 21U |
           static_cast<std::uint64_t>(cell[2]);
  }

  std::uint32_t find_in_cell(std::uint32_t v, std::ptrdiff_t cell) const {
    std::uint32_t found = kNone;
    for (std::uint32_t k = first_in_cell_[static_cast<std::size_t>(cell)]; k != kNone; k = next_in_cell_[k]) {
      if ((vertices_[k] - vertices_[v]).norm() <= tolerance_) found = std::min(found, k);
    }
    return found;
  }

  // Three cell numbers of 21 bits make a key; a tolerance of 1e-6 of the diagonal needs 20 of them.
  static constexpr double kMaxCell = (1 << 21) - 3;

  const std::vector<Vector3>& vertices_;
  double tolerance_;
  Bounds box_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> first_in_cell_;
  std::vector<std::uint32_t> next_in_cell_;
};

}  // namespace

std::size_t weld_equal(TriangleMesh& mesh) {
  std::vector<std::uint32_t> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&mesh](std::uint32_t a, std::uint32_t b) {
    if (coordinates_less(mesh.vertices[a], mesh.vertices[b])) return true;
    return !coordinates_less(mesh.vertices[b], mesh.vertices[a]) && a < b;
  });
  std::vector<std::uint32_t> kept(mesh.vertices.size());
  std::uint32_t first = kNone;
  for (const std::uint32_t v : order) {
    if (first == kNone || mesh.vertices[first] != mesh.vertices[v]) first = v;
    kept[v] = first;
  }
  return replace_vertices(mesh, kept);
}

std::size_t weld_within(TriangleMesh& mesh, double tolerance) {
  Cells cells(mesh.vertices, tolerance);
  std::vector<std::uint32_t> kept(mesh.vertices.size());
  for (std::uint32_t v = 0; v < kept.size(); ++v) {
    const std::uint32_t found = cells.find(v);
    kept[v] = found == kNone ? v : found;
    if (found == kNone) cells.keep(v);
  }
  return replace_vertices(mesh, kept);
}

}  // namespace gelenk::geometry
