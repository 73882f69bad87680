#include "gelenk/geometry/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gelenk::geometry {
namespace {

// One use of an edge as a single number, so that sorting brings all uses of an edge together:
// lower vertex (31 bits), higher vertex (32 bits), whether it runs from the higher to the lower one (1 bit).
std::uint64_t edge_use(std::uint32_t from, std::uint32_t to) {
  const std::uint64_t low = std::min(from, to);
  const std::uint64_t high = std::max(from, to);
  return low << 33U | high << 1U | (from > to ? 1U : 0U);
}

std::vector<std::uint64_t> sorted_edge_uses(const TriangleMesh& mesh) {
  std::vector<std::uint64_t> uses;
  uses.reserve(3 * mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    uses.push_back(edge_use(a, b));
    uses.push_back(edge_use(b, c));
    uses.push_back(edge_use(c, a));
  }
  std::sort(uses.begin(), uses.end());
  return uses;
}

Vector3 middle_of(const TriangleMesh& mesh, std::uint64_t use) {
  const auto low = static_cast<std::uint32_t>(use >> 33U);
  const auto high = static_cast<std::uint32_t>(use >> 1U & 0xffffffffU);
  return 0.5 * (mesh.vertices[low] + mesh.vertices[high]);
}

// Volume V, first moments ∫ p dV and second moments ∫ p pᵀ dV about `origin`, by the divergence theorem: the signed
// tetrahedra from the origin to every triangle add up to the solid. For one with corners 0, a, b, c, s = a + b + c and
// D = det [a b c]: V = D/6, ∫ p = D/24 s, ∫ p pᵀ = D/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ).
struct Moments {
  double volume = 0.0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
};

Moments moments_about(const TriangleMesh& mesh, const Vector3& origin) {
  Moments sum;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vector3 a = mesh.vertices[i] - origin;
    const Vector3 b = mesh.vertices[j] - origin;
    const Vector3 c = mesh.vertices[k] - origin;
    const Vector3 s = a + b + c;
    const double D = triple_product(a, b, c);
    sum.volume += D;
    sum.first += D * s;
    sum.second += D * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  return {sum.volume / 6.0, sum.first / 24.0, sum.second / 120.0};
}

std::string edges_of(std::size_t count, const char* one, const char* many) {
  return count == 1 ? fmt::format("1 edge {}", one) : fmt::format("{} edges {}", count, many);
}

}  // namespace

EdgeReport check_edges(const TriangleMesh& mesh) {
  EdgeReport report;
  const std::vector<std::uint64_t> uses = sorted_edge_uses(mesh);
  for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
    const std::uint64_t edge = uses[begin] >> 1U;
    while (end < uses.size() && uses[end] >> 1U == edge) ++end;
    const std::size_t count = end - begin;
    if (count == 2 && uses[begin] != uses[begin + 1]) continue;

    const bool is_first = count == 1 ? report.open_edges == 0 : report.count() == 0;
    if (is_first) report.example = middle_of(mesh, uses[begin]);
    ++(count == 1 ? report.open_edges : count == 2 ? report.flipped_edges : report.crowded_edges);
  }
  return report;
}

std::string describe(const EdgeReport& report) {
  if (report.is_closed()) return {};
  std::string text;
  const auto add = [&text](std::size_t count, const char* one, const char* many) {
    if (count == 0) return;
    if (!text.empty()) text += ", ";
    text += edges_of(count, one, many);
  };
  add(report.open_edges, "has a triangle on one side only", "have a triangle on one side only");
  add(report.flipped_edges, "lies between triangles facing opposite ways",
      "lie between triangles facing opposite ways");
  add(report.crowded_edges, "belongs to more than two triangles", "belong to more than two triangles");
  const Vector3& p = report.example;
  return text + fmt::format(", {} near ({:.6g}, {:.6g}, {:.6g})", report.count() == 1 ? "it is" : "one of them is",
                            p.x(), p.y(), p.z());
}

double volume(const TriangleMesh& mesh) { return moments_about(mesh, bounds(mesh).center()).volume; }

MassProperties mass_properties(const TriangleMesh& mesh, double density) {
  if (mesh.triangles.empty()) return {};
  // About the middle of the mesh, so that a part far from its origin loses no digits.
  const Vector3 origin = bounds(mesh).center();
  const Moments m = moments_about(mesh, origin);
  if (m.volume == 0.0) return {};
  const Vector3 center = m.first / m.volume;
  const Matrix3 second = m.second - m.volume * center * center.transpose();
  return {density * m.volume, origin + center, density * (second.trace() * Matrix3::Identity() - second)};
}

Bounds bounds(const TriangleMesh& mesh, const Pose& X_PS, double scale) {
  Bounds box;
  for (const Vector3& v : mesh.vertices) box.add(X_PS * Vector3(scale * v));
  return box;
}

TriangleMesh transformed(const TriangleMesh& mesh, const Matrix3& A) {
  TriangleMesh result = mesh;
  for (Vector3& v : result.vertices) v = A * v;
  if (A.determinant() < 0.0) {
    for (Triangle& t : result.triangles) std::swap(t[1], t[2]);
  }
  return result;
}

}  // namespace gelenk::geometry
