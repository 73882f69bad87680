#include "gelenk/geometry/mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/geometry/mesh_shells.h"
#include "gelenk/geometry/mesh_weld.h"
#include "gelenk/geometry/tessellate.h"

namespace gelenk::geometry::mesh_test {
namespace {

// Some tens of rounded operations on numbers near 1.
constexpr double kRounding = 1e-13;

TriangleMesh cube(double size, const Vector3& center = Vector3::Zero()) {
  return tessellate({Box{Vector3::Constant(size)}, {Matrix3::Identity(), center}, false}, 3);
}

void append(TriangleMesh& mesh, const TriangleMesh& more) {
  const auto offset = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), more.vertices.begin(), more.vertices.end());
  for (const Triangle& t : more.triangles) mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
}

void turn(TriangleMesh& mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
}

// Corners 0, e_x, e_y, e_z: V = 1/6, C = (1, 1, 1)/4, ∫ x² dV = 1/60, ∫ x y dV = 1/120.
TEST(Mesh, TetrahedronHasTheIntegralsOfTheSimplex) {
  const TriangleMesh simplex{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                             {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
  const MassProperties body = mass_properties(simplex, 1.0);
  EXPECT_NEAR(body.mass, 1.0 / 6.0, kRounding);
  EXPECT_LT((body.center - Vector3::Constant(0.25)).norm(), kRounding);
  const double xx = 2.0 * (1.0 / 60.0 - 1.0 / 6.0 / 16.0);
  const double xy = -(1.0 / 120.0 - 1.0 / 6.0 / 16.0);
  EXPECT_NEAR(body.inertia(0, 0), xx, kRounding);
  EXPECT_NEAR(body.inertia(0, 1), xy, kRounding);
  EXPECT_NEAR(body.inertia(1, 2), xy, kRounding);
}

// About 2 km away, with coordinates that are exact in binary: integrals about the part origin would lose |p|²/a² = 1e8.
TEST(Mesh, FarFromTheOriginNothingIsLost) {
  const Matrix3 near = mass_properties(cube(0.25), 1.0).inertia;
  const Matrix3 far = mass_properties(cube(0.25, {1024, -2048, 512}), 1.0).inertia;
  EXPECT_LT((far - near).norm(), kRounding * near.norm());
}

TEST(Mesh, ClosedSurfaceHasNoReport) {
  EXPECT_TRUE(check_edges(cube(1)).is_closed());
  EXPECT_EQ(describe(check_edges(cube(1))), "");
}

TEST(Mesh, MissingTriangleLeavesThreeOpenEdges) {
  TriangleMesh mesh = cube(1);
  mesh.triangles.pop_back();
  const EdgeReport report = check_edges(mesh);
  EXPECT_EQ(report.open_edges, 3U);
  EXPECT_EQ(report.count(), 3U);
  // Its corners (-, -, +), (+, +, +), (-, +, +) are vertices 4, 7, 6; the first open edge is 4-6.
  EXPECT_EQ(describe(report), "3 edges have a triangle on one side only, one of them is near (-0.5, 0, 0.5)");
}

TEST(Mesh, FlippedTriangleIsNamed) {
  TriangleMesh mesh = cube(1);
  std::swap(mesh.triangles[4][0], mesh.triangles[4][1]);
  const EdgeReport report = check_edges(mesh);
  EXPECT_EQ(report.flipped_edges, 3U);
  EXPECT_EQ(report.open_edges, 0U);
  EXPECT_NE(describe(report).find("3 edges lie between triangles facing opposite ways"), std::string::npos);
}

TEST(Mesh, TwoCubesTouchingAlongAnEdge) {
  TriangleMesh mesh = cube(1);
  append(mesh, cube(1, {1, 1, 0}));
  weld_equal(mesh);
  const EdgeReport report = check_edges(mesh);
  EXPECT_EQ(report.crowded_edges, 1U);
  EXPECT_EQ(describe(report), "1 edge belongs to more than two triangles, it is near (0.5, 0.5, 0)");
}

TEST(Mesh, MirroredMeshStillFacesOutwards) {
  const TriangleMesh image = transformed(cube(2, {3, 0, 0}), Vector3(-1, 1, 1).asDiagonal());
  EXPECT_NEAR(volume(image), 8.0, kRounding);
  EXPECT_EQ(bounds(image).lower.x(), -4.0);
}

TEST(Mesh, WeldJoinsDropsAndCompacts) {
  TriangleMesh mesh;
  // Two triangles with corners of their own, one with two equal corners, a vertex without use, zeros of both signs.
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 9, 9}, {1, 0, 0}, {1, 1, 0}, {0, 1, -0.0}, {-0.0, 0, 0}};
  mesh.triangles = {{0, 1, 2}, {4, 5, 6}, {0, 7, 1}};
  EXPECT_EQ(weld_equal(mesh), 1U);
  EXPECT_EQ(mesh.vertices.size(), 4U);
  EXPECT_EQ(mesh.triangles.size(), 2U);
  EXPECT_EQ(check_edges(mesh).open_edges, 4U);
}

TEST(Mesh, WeldWithinJoinsAcrossCellsOnly) {
  constexpr double kTolerance = 1e-3;
  TriangleMesh mesh = cube(1);
  // Every triangle gets corners of its own, moved by less than half the tolerance in changing directions.
  TriangleMesh soup;
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t v : t) {
      const double n = static_cast<double>(soup.vertices.size());
      soup.vertices.emplace_back(mesh.vertices[v] +
                                 0.45 * kTolerance * Vector3(std::sin(n), std::cos(n) * std::sin(3 * n), 0.1));
    }
    const auto last = static_cast<std::uint32_t>(soup.vertices.size());
    soup.triangles.push_back({last - 3, last - 2, last - 1});
  }
  TriangleMesh equal_only = soup;
  weld_equal(equal_only);
  EXPECT_FALSE(check_edges(equal_only).is_closed());
  EXPECT_EQ(weld_within(soup, kTolerance), 0U);
  EXPECT_EQ(soup.vertices.size(), 8U);
  EXPECT_TRUE(check_edges(soup).is_closed());

  TriangleMesh apart = cube(10 * kTolerance);
  weld_within(apart, 0.9 * 10 * kTolerance);
  EXPECT_EQ(apart.vertices.size(), 8U);
}

// Against a search through all earlier vertices: random points about as far apart as the tolerance.
TEST(Mesh, WeldWithinFindsWhatASlowSearchFinds) {
  constexpr double kTolerance = 0.1;
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  TriangleMesh mesh;
  for (std::uint32_t t = 0; t < 400; ++t) {
    for (int corner = 0; corner < 3; ++corner) {
      const double x = uniform(generator);
      const double y = uniform(generator);
      mesh.vertices.emplace_back(x, y, uniform(generator));
    }
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  std::vector<Vector3> kept;
  std::vector<Vector3> expected;
  for (const Vector3& v : mesh.vertices) {
    const auto near = [&v](const Vector3& k) { return (k - v).norm() <= kTolerance; };
    const auto found = std::find_if(kept.begin(), kept.end(), near);
    expected.push_back(found == kept.end() ? v : *found);
    if (found == kept.end()) kept.push_back(v);
  }
  const std::size_t count = mesh.triangles.size();
  const std::size_t dropped = weld_within(mesh, kTolerance);
  EXPECT_EQ(mesh.triangles.size(), count - dropped);
  auto actual = mesh.triangles.begin();
  for (std::size_t i = 0; i < expected.size(); i += 3) {
    const std::array<Vector3, 3> corners = {expected[i], expected[i + 1], expected[i + 2]};
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    ASSERT_NE(actual, mesh.triangles.end());
    for (std::size_t corner = 0; corner < 3; ++corner) {
      EXPECT_EQ(mesh.vertices[(*actual)[corner]], corners[corner]) << i;
    }
    ++actual;
  }
  EXPECT_EQ(actual, mesh.triangles.end());
}

TEST(Mesh, InwardSurfaceIsTurned) {
  TriangleMesh mesh = cube(1);
  turn(mesh);
  EXPECT_EQ(turn_outwards(mesh), 1U);
  EXPECT_NEAR(volume(mesh), 1.0, kRounding);
  EXPECT_EQ(turn_outwards(mesh), 0U);
}

TEST(Mesh, VoidStaysAVoid) {
  TriangleMesh hollow = cube(2);
  TriangleMesh inner = cube(1);
  turn(inner);
  append(hollow, inner);
  EXPECT_EQ(turn_outwards(hollow), 0U);
  EXPECT_NEAR(volume(hollow), 7.0, kRounding);
  // All of it inside out: both shells are turned.
  turn(hollow);
  EXPECT_EQ(turn_outwards(hollow), 2U);
  EXPECT_NEAR(volume(hollow), 7.0, kRounding);
}

TEST(Mesh, InwardShellBesideAnotherIsTurnedAlsoWithinItsBox) {
  TriangleMesh mesh = cube(2);
  TriangleMesh beside = cube(1, {5, 0, 0});
  turn(beside);
  append(mesh, beside);
  EXPECT_EQ(turn_outwards(mesh), 1U);
  EXPECT_NEAR(volume(mesh), 9.0, kRounding);

  // In the bore of a tube: within its box, but not inside.
  TriangleMesh tube = tessellate({Tube{2, 1, 3}, {}, false}, 16);
  const double tube_volume = volume(tube);
  TriangleMesh pin = cube(0.5, {0, 0, 1});
  turn(pin);
  append(tube, pin);
  EXPECT_EQ(turn_outwards(tube), 1U);
  EXPECT_NEAR(volume(tube), tube_volume + 0.125, kRounding * tube_volume);
}

TEST(Mesh, EmptyMeshHasNoMass) {
  EXPECT_EQ(mass_properties(TriangleMesh{}, 1.0).mass, 0.0);
  EXPECT_TRUE(bounds(TriangleMesh{}).is_empty());
}

}  // namespace
}  // namespace gelenk::geometry::mesh_test
