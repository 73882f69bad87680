#include "gelenk/geometry/outline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "gelenk/geometry/dxf_reader.h"

namespace gelenk::geometry::outline_test {
namespace {

using testing::HasSubstr;

Loop rectangle(double left, double low, double right, double high) {
  return {{left, low}, {right, low}, {right, high}, {left, high}};
}

// The mesh is closed, its volume is that of the region, and its caps are as large as the region: no triangle of them
// lies on another.
void expect_extruded(const Outline& outline, double area, double height) {
  ASSERT_EQ(problem(outline), "");
  const TriangleMesh mesh = extruded(outline, height);
  EXPECT_TRUE(check_edges(mesh).is_closed());
  EXPECT_NEAR(volume(mesh), area * height, 1e-12 * area * height);
  double caps = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const Vector3& a = mesh.vertices[t[0]];
    const Vector3 twice = (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a);
    if (a.z() == mesh.vertices[t[1]].z() && a.z() == mesh.vertices[t[2]].z()) caps += 0.5 * twice.norm();
  }
  EXPECT_NEAR(caps, 2.0 * area, 1e-10 * area);
}

TEST(Outline, ABlockHasTheMassPropertiesOfABox) {
  const TriangleMesh mesh = extruded({rectangle(0.1, 0.2, 0.4, 0.4)}, 0.05);
  const MassProperties ours = mass_properties(mesh, 1000.0);
  EXPECT_NEAR(ours.mass, 1000.0 * 0.3 * 0.2 * 0.05, 1e-12);
  EXPECT_LT((ours.center - Vector3(0.25, 0.3, 0.025)).norm(), 1e-14);
}

// Whichever way the loops run: a hole is what lies within.
TEST(Outline, HolesIslandsAndDirections) {
  Outline outline{rectangle(0, 0, 10, 10), rectangle(1, 1, 4, 9), rectangle(2, 2, 3, 3), rectangle(6, 1, 9, 4)};
  for (unsigned turned = 0; turned < 16; ++turned) {
    Outline one = outline;
    for (std::size_t l = 0; l < 4; ++l) {
      if ((turned >> l & 1U) != 0) std::reverse(one[l].begin(), one[l].end());
    }
    expect_extruded(one, 100.0 - 24.0 + 1.0 - 9.0, 2.0);
  }
}

TEST(Outline, RegionsApart) { expect_extruded({rectangle(0, 0, 1, 1), rectangle(5, 0, 6, 2)}, 3.0, 1.0); }

TEST(Outline, CornersInALine) {
  expect_extruded({{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}, {3, 2}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}}, 6.0, 1.0);
}

// Stars with many spikes and plates with many holes, at random.
TEST(Outline, StarsAndManyHoles) {
  std::mt19937 generator(1);
  const auto number = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(generator()) / 4294967296.0);
  };
  for (int machine = 0; machine < 60; ++machine) {
    Loop star;
    const int spikes = 3 + static_cast<int>(generator() % 60);
    for (int i = 0; i < spikes; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / spikes;
      const double radius = number(20.0, 100.0);
      star.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    Outline outline{star};
    double area = signed_area(star);
    for (int x = -3; x <= 3 && spikes > 8; ++x) {
      const double r = number(0.2, 1.4);
      outline.push_back({{4.0 * x, -r}, {4.0 * x + r, 0}, {4.0 * x, r}, {4.0 * x - r, number(-0.1, 0.1)}});
      const double hole = std::abs(signed_area(outline.back()));
      if (problem(outline).empty()) {
        area -= hole;
      } else {
        outline.pop_back();
      }
    }
    SCOPED_TRACE(machine);
    expect_extruded(outline, area, 3.0);
  }
}

TEST(Outline, SaysWhatIsWrong) {
  const auto problem_of = [](const Outline& outline) { return problem(outline); };
  EXPECT_THAT(problem_of({}), HasSubstr("no corners"));
  EXPECT_THAT(problem_of({{{0, 0}, {1, 0}}}), HasSubstr("three corners"));
  EXPECT_THAT(problem_of({{{0, 0}, {1, 0}, {1, 0}, {0, 1}}}), HasSubstr("both at (1, 0)"));
  EXPECT_THAT(problem_of({{{0, 0}, {2, 2}, {2, 0}, {0, 2}}}), HasSubstr("cross or touch near (1, 1)"));
  EXPECT_THAT(problem_of({{{0, 0}, {4, 0}, {4, 4}, {4, 2}, {0, 2}}}), HasSubstr("cross or touch"));
  EXPECT_THAT(problem_of({rectangle(0, 0, 2, 2), rectangle(2, 1, 3, 2)}), HasSubstr("cross or touch"));
  EXPECT_THAT(problem_of({rectangle(0, 0, 2, 2), rectangle(1, 1, 3, 3)}), HasSubstr("cross or touch"));
  EXPECT_THAT(problem_of({{{0, 0}, {1, 0}, {0, NAN}}}), HasSubstr("not finite"));
}

std::string dxf(const std::string& entities, const std::string& header = "") {
  return "0\nSECTION\n2\nHEADER\n" + header + "0\nENDSEC\n0\nSECTION\n2\nENTITIES\n" + entities + "0\nENDSEC\n0\nEOF\n";
}

double area_of(const DxfReadResult& read) {
  return read.error.empty() ? volume(extruded(read.outline, 1.0)) : std::nan("");
}

TEST(Dxf, CirclesKeepTheirArea) {
  const DxfReadResult read =
      read_dxf(dxf("0\nCIRCLE\n8\n0\n10\n5\n20\n5\n40\n3\n0\nCIRCLE\n10\n5\n20\n5\n40\n1\n", "9\n$INSUNITS\n70\n4\n"));
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.unit, 1e-3);
  EXPECT_NEAR(area_of(read), std::numbers::pi * 8.0, 1e-10);
  // Second moment about the axis: error of the fourth order in the angle of an edge.
  const MassProperties body = mass_properties(extruded(read.outline, 1.0), 1.0);
  EXPECT_NEAR(body.inertia(2, 2), 0.5 * std::numbers::pi * (81.0 - 1.0), 1e-5 * 130.0);
}

// Lines and arcs in any order and direction: a slot.
TEST(Dxf, JoinsLinesAndArcs) {
  const DxfReadResult read =
      read_dxf(dxf("0\nARC\n10\n10\n20\n0\n40\n2\n50\n270\n51\n90\n"
                   "0\nLINE\n10\n0\n20\n2\n11\n10\n21\n2\n"
                   "0\nARC\n10\n0\n20\n0\n40\n2\n50\n90\n51\n270\n"
                   "0\nLINE\n10\n0\n20\n-2\n11\n10\n21\n-2\n0\nTEXT\n1\nhello\n"));
  EXPECT_EQ(read.error, "");
  EXPECT_NEAR(area_of(read), 40.0 + std::numbers::pi * 4.0, 1e-10);
  EXPECT_THAT(read.remarks, testing::ElementsAre("1 TEXT left out"));
  EXPECT_FALSE(read.unit);
}

// The same slot as polylines, new and old: a bulge of 1 is a half circle.
TEST(Dxf, PolylinesWithBulges) {
  const double slot = 40.0 + std::numbers::pi * 4.0;
  const std::string corners[] = {"10\n0\n20\n-2\n", "10\n10\n20\n-2\n42\n1\n", "10\n10\n20\n2\n",
                                 "10\n0\n20\n2\n42\n1\n"};
  std::string flat = "0\nLWPOLYLINE\n90\n4\n70\n1\n", old = "0\nPOLYLINE\n66\n1\n10\n0\n20\n0\n70\n1\n";
  for (const std::string& corner : corners) {
    flat += corner;
    old += "0\nVERTEX\n70\n0\n" + corner;
  }
  EXPECT_NEAR(area_of(read_dxf(dxf(flat))), slot, 1e-10);
  EXPECT_NEAR(area_of(read_dxf(dxf(old + "0\nSEQEND\n"))), slot, 1e-10);
  // The other way round the bulge is turned inwards.
  const std::string inwards =
      "0\nLWPOLYLINE\n70\n1\n10\n0\n20\n-2\n10\n10\n20\n-2\n42\n-1\n10\n10\n20\n2\n10\n0\n20\n2\n";
  EXPECT_NEAR(area_of(read_dxf(dxf(inwards))), 40.0 - 0.5 * std::numbers::pi * 4.0, 1e-10);
}

TEST(Dxf, Ellipses) {
  const DxfReadResult read =
      read_dxf(dxf("0\nELLIPSE\n10\n1\n20\n2\n11\n3\n21\n4\n40\n0.5\n41\n0\n42\n6.283185307179586\n"));
  EXPECT_NEAR(area_of(read), std::numbers::pi * 5.0 * 2.5, 1e-10);
}

// A rational spline of the second degree is a circle: nine control points on a square around it, weights 1 and √½.
TEST(Dxf, Splines) {
  std::string spline = "0\nSPLINE\n70\n1\n71\n2\n";
  for (const double knot : {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4}) spline += "40\n" + std::to_string(knot) + "\n";
  const double x[] = {1, 1, 0, -1, -1, -1, 0, 1, 1};
  const double y[] = {0, 1, 1, 1, 0, -1, -1, -1, 0};
  for (int i = 0; i < 9; ++i) {
    spline += i % 2 == 0 ? "41\n1\n" : "41\n0.70710678118654752\n";
    spline += "10\n" + std::to_string(x[i]) + "\n20\n" + std::to_string(y[i]) + "\n";
  }
  const DxfReadResult read = read_dxf(dxf(spline));
  EXPECT_EQ(read.error, "");
  ASSERT_EQ(read.outline.size(), 1U);
  for (const PlanePoint& point : read.outline[0]) EXPECT_NEAR(std::hypot(point.x, point.y), 1.0, 1e-12);
  EXPECT_NEAR(area_of(read), std::numbers::pi, 0.01);
}

TEST(Dxf, SaysWhatIsWrong) {
  const auto error_of = [](const std::string& text) { return read_dxf(text).error; };
  EXPECT_THAT(error_of("AutoCAD Binary DXF\r\n"), HasSubstr("save it as text"));
  EXPECT_THAT(error_of("hello\nworld\n"), HasSubstr("line 1 is not a group code"));
  EXPECT_THAT(error_of("0\nSECTION\n2\nENTITIES\n"), HasSubstr("ends in the middle"));
  EXPECT_THAT(error_of(dxf("")), HasSubstr("no closed line"));
  EXPECT_THAT(error_of(dxf("0\nLINE\n10\n0\n20\n0\n11\n10\n21\n2\n")), HasSubstr("open at"));
  // A circle that is whole does not make up for it.
  const DxfReadResult open = read_dxf(dxf("0\nCIRCLE\n10\n0\n20\n0\n40\n1\n0\nLINE\n10\n5\n20\n0\n11\n9\n21\n2\n"));
  EXPECT_THAT(open.error, HasSubstr("open at"));
  EXPECT_TRUE(open.outline.empty());
  EXPECT_THAT(error_of(dxf("0\nCIRCLE\n10\nx\n20\n0\n40\n1\n")), HasSubstr("'x' is not a number"));
  EXPECT_THAT(error_of(dxf("0\nSPLINE\n70\n1\n")), HasSubstr("spline without control points"));
  EXPECT_THAT(error_of(dxf("0\nINSERT\n2\nbolt\n")), HasSubstr("block that is inserted"));
  EXPECT_THAT(error_of(dxf("0\nCIRCLE\n10\n0\n20\n0\n40\n1\n0\nCIRCLE\n10\n1\n20\n0\n40\n1\n")), HasSubstr("cross"));
}

}  // namespace
}  // namespace gelenk::geometry::outline_test
