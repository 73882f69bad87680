#include "gelenk/geometry/mesh_shells.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "gelenk/base/disjoint_sets.h"

namespace gelenk::geometry {
namespace {

struct Shell {
  std::vector<std::uint32_t> triangles;
  Bounds box;
  double volume = 0.0;
};

std::vector<Shell> shells_of(const TriangleMesh& mesh) {
  DisjointSets vertices(mesh.vertices.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    vertices.join(a, b);
    vertices.join(a, c);
  }
  constexpr std::uint32_t kUnnumbered = UINT32_MAX;
  std::vector<std::uint32_t> shell_number(mesh.vertices.size(), kUnnumbered);
  std::vector<Shell> shells;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    std::uint32_t& number = shell_number[vertices.leader(mesh.triangles[t][0])];
    if (number == kUnnumbered) {
      number = static_cast<std::uint32_t>(shells.size());
      shells.emplace_back();
    }
    shells[number].triangles.push_back(t);
  }
  return shells;
}

void measure(const TriangleMesh& mesh, Shell& shell) {
  // A corner of the shell itself as origin: the sign of a small shell far away is not lost in rounding.
  const Vector3 origin = mesh.vertices[mesh.triangles[shell.triangles.front()][0]];
  for (const std::uint32_t t : shell.triangles) {
    const auto& [a, b, c] = mesh.triangles[t];
    shell.volume +=
        triple_product(mesh.vertices[a] - origin, mesh.vertices[b] - origin, mesh.vertices[c] - origin) / 6.0;
    for (const std::uint32_t v : {a, b, c}) shell.box.add(mesh.vertices[v]);
  }
}

void turn(TriangleMesh& mesh, Shell& shell) {
  for (const std::uint32_t t : shell.triangles) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
  shell.volume = -shell.volume;
}

// Whether p is inside: the solid angles under which p sees the triangles add up to 4π inside and to 0 outside.
// tan(Ω/2) = det [a b c] / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|)
bool is_point_inside(const TriangleMesh& mesh, const Shell& shell, const Vector3& p) {
  double angle = 0.0;
  for (const std::uint32_t t : shell.triangles) {
    const Vector3 a = mesh.vertices[mesh.triangles[t][0]] - p;
    const Vector3 b = mesh.vertices[mesh.triangles[t][1]] - p;
    const Vector3 c = mesh.vertices[mesh.triangles[t][2]] - p;
    const double la = a.norm();
    const double lb = b.norm();
    const double lc = c.norm();
    angle += 2.0 * std::atan2(triple_product(a, b, c), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return angle > 2.0 * std::numbers::pi;
}

// Solid angles take about 50 ns each; rubbish with very many shells must not take minutes. Beyond this many
// evaluations a shell counts as inside another one when its box is.
constexpr std::size_t kMaxSolidAngles = 20'000'000;
// The same for comparisons of boxes; beyond, the rest is left as it is.
constexpr std::size_t kMaxBoxPairs = 50'000'000;

}  // namespace

std::size_t turn_outwards(TriangleMesh& mesh) {
  std::vector<Shell> shells = shells_of(mesh);
  double total = 0.0;
  for (Shell& shell : shells) {
    measure(mesh, shell);
    total += shell.volume;
  }
  std::vector<bool> turned(shells.size(), false);
  for (std::size_t i = 0; i < shells.size() && total < 0.0; ++i) {
    turn(mesh, shells[i]);
    turned[i] = true;
  }

  std::size_t solid_angles = 0;
  std::size_t box_pairs = 0;
  const auto is_void = [&](const Shell& shell) {
    for (const Shell& other : shells) {
      ++box_pairs;
      if (other.volume <= 0.0 || !other.box.contains(shell.box)) continue;
      solid_angles += other.triangles.size();
      if (solid_angles > kMaxSolidAngles) return true;
      if (is_point_inside(mesh, other, mesh.vertices[mesh.triangles[shell.triangles.front()][0]])) return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < shells.size() && box_pairs < kMaxBoxPairs; ++i) {
    if (shells[i].volume >= 0.0 || is_void(shells[i])) continue;
    turn(mesh, shells[i]);
    turned[i] = !turned[i];
  }
  std::size_t count = 0;
  for (const bool t : turned) count += t ? 1U : 0U;
  return count;
}

}  // namespace gelenk::geometry
