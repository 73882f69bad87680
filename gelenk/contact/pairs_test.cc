#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "gelenk/contact/broad_phase.h"
#include "gelenk/contact/contour.h"

namespace gelenk::contact::pairs_test {
namespace {

// What the search for the best direction leaves, at kinks of the distance.
constexpr double kSearched = 2e-6;
constexpr double kRounding = 1e-12;

// How far a contour reaches along a direction from its origin, in world axes.
double reach(const Contour& contour, const Pose& X, const Vector3& direction) {
  const Vector3 d = X.rotation.transpose() * direction;
  switch (contour.kind) {
    case ContourKind::sphere:
      return contour.radius;
    case ContourKind::capsule:
      return contour.radius + contour.half.z() * std::abs(d.z());
    case ContourKind::cylinder:
      return contour.radius * std::hypot(d.x(), d.y()) + contour.half.z() * std::abs(d.z());
    case ContourKind::box:
      return d.cwiseAbs().dot(contour.half);
    case ContourKind::plane:
      break;
  }
  return (d - Vector3::UnitZ()).norm() < 1e-9 ? 0.0 : 1e9;
}

struct Case {
  Contour a, b;
  Pose X_WA, X_WB;
  double separation(const Vector3& n) const {
    return n.dot(X_WB.position - X_WA.position) - reach(a, X_WA, n) - reach(b, X_WB, -n);
  }
};

// The largest separation of two convex solids over all directions is their distance, or less their depth: by search, it
// knows nothing of the formulas.
double searched_gap(const Case& c, std::mt19937& random) {
  if (c.b.kind == ContourKind::plane) return c.separation(-c.X_WB.rotation.col(2));
  std::normal_distribution<double> normal;
  const auto any = [&] { return Vector3(normal(random), normal(random), normal(random)); };
  std::vector<std::pair<double, Vector3>> starts;
  for (int i = 0; i < 3000; ++i) {
    const Vector3 n = any().normalized();
    starts.emplace_back(c.separation(n), n);
  }
  std::sort(starts.begin(), starts.end(), [](const auto& p, const auto& q) { return p.first > q.first; });
  double best = -1e9;
  for (std::size_t i = 0; i < 12; ++i) {
    auto [value, n] = starts[i];
    for (double size = 0.1; size > 1e-9; size *= 0.8) {
      for (int k = 0; k < 24; ++k) {
        const Vector3 trial = (n + size * any()).normalized();
        const double found = c.separation(trial);
        if (found > value) value = found, n = trial;
      }
    }
    best = std::max(best, value);
  }
  return best;
}

Pose random_pose(std::mt19937& random, double spread) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-spread, spread);
  Pose X;
  X.rotation =
      Quaternion(normal(random), normal(random), normal(random), normal(random)).normalized().toRotationMatrix();
  X.position = Vector3(uniform(random), uniform(random), uniform(random));
  return X;
}

Contour random_contour(ContourKind kind, std::mt19937& random) {
  std::uniform_real_distribution<double> size(0.1, 0.5);
  Contour contour{.kind = kind, .radius = size(random), .half = Vector3(size(random), size(random), size(random))};
  return contour;
}

// What every point promises, whatever the pair.
void expect_sound(const Case& c, const ContactPoints& points, double margin) {
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.normal.norm(), 1.0, kRounding);
    EXPECT_NEAR(point.normal.dot(point.on_b - point.on_a), point.gap, kRounding);
    EXPECT_LT(point.gap, margin);
    EXPECT_LE(c.separation(point.normal), point.gap + kRounding);
  }
}

double smallest_gap(const ContactPoints& points) {
  double gap = 1e9;
  for (const ContactPoint& point : points) gap = std::min(gap, point.gap);
  return gap;
}

TEST(Pairs, GapIsTheSearchedOne) {
  using enum ContourKind;
  std::mt19937 random(7);
  for (const auto& [a, b] : {std::pair{sphere, sphere},
                             {sphere, capsule},
                             {sphere, cylinder},
                             {sphere, box},
                             {sphere, plane},
                             {capsule, capsule},
                             {capsule, plane},
                             {cylinder, plane},
                             {box, plane}}) {
    for (int i = 0; i < 12; ++i) {
      Case c{random_contour(a, random), random_contour(b, random), random_pose(random, 0.5), random_pose(random, 0.5)};
      ContactPoints points;
      find_points(c.a, c.X_WA, c.b, c.X_WB, 10.0, points);
      ASSERT_FALSE(points.empty());
      EXPECT_NEAR(smallest_gap(points), searched_gap(c, random), kSearched)
          << static_cast<int>(a) << ' ' << static_cast<int>(b) << ' ' << i;
      // A point of an end that is not the nearest one has a gap of its own, which no direction separates.
      if (points.size() == 1) expect_sound(c, points, 10.0);
      // The other way round, everything is the same seen from there.
      ContactPoints swapped;
      find_points(c.b, c.X_WB, c.a, c.X_WA, 10.0, swapped);
      ASSERT_EQ(swapped.size(), points.size());
      for (std::size_t k = 0; k < points.size(); ++k) {
        EXPECT_NEAR((swapped[k].normal + points[k].normal).norm(), 0.0, a == b ? kSearched : kRounding);
        EXPECT_NEAR(swapped[k].gap, points[k].gap, kRounding);
      }
    }
  }
}

// Boxes: the depth of overlapping ones is the searched one, up to the preference for faces; apart they have a direction
// that separates them.
TEST(Pairs, BoxesOverlapAsSearched) {
  constexpr double kPreference = 2.1e-5;
  std::mt19937 random(11);
  int overlapping = 0;
  for (int i = 0; i < 60; ++i) {
    const Case c{random_contour(ContourKind::box, random), random_contour(ContourKind::box, random),
                 random_pose(random, 0.4), random_pose(random, 0.4)};
    ContactPoints points;
    find_points(c.a, c.X_WA, c.b, c.X_WB, 1e-3, points);
    const double gap = searched_gap(c, random);
    if (gap > 1e-3) {
      EXPECT_TRUE(points.empty());
      continue;
    }
    if (gap > 0.0) continue;
    ++overlapping;
    ASSERT_FALSE(points.empty()) << i;
    EXPECT_LE(points.size(), 9U);
    double best = -1e9;
    for (const ContactPoint& point : points) best = std::max(best, c.separation(point.normal));
    EXPECT_NEAR(best, gap, kPreference) << i;
    expect_sound(c, points, 1e-3);
  }
  EXPECT_GT(overlapping, 15);
}

// A box on a box, one turned by 45 degrees: eight points, at the corners of what they share.
TEST(Pairs, FaceOnFaceHasThePolygonTheyShare) {
  const Contour cube{.kind = ContourKind::box, .half = Vector3(0.1, 0.1, 0.1)};
  Pose lower, upper;
  upper.position = Vector3(0.0, 0.0, 0.2 - 1e-4);
  ContactPoints points;
  find_points(cube, lower, cube, upper, 1e-3, points);
  ASSERT_EQ(points.size(), 4U);
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.gap, -1e-4, kRounding);
    EXPECT_NEAR(std::abs(point.on_a.x()), 0.1, kRounding);
    EXPECT_NEAR(std::abs(point.on_a.y()), 0.1, kRounding);
    EXPECT_NEAR(point.normal.z(), 1.0, kRounding);
  }
  upper.rotation = Eigen::AngleAxisd(0.25 * M_PI, Vector3::UnitZ()).toRotationMatrix();
  points.clear();
  find_points(cube, lower, cube, upper, 1e-3, points);
  ASSERT_EQ(points.size(), 8U);
  std::vector<std::int32_t> features;
  for (const ContactPoint& point : points) {
    features.push_back(point.feature);
    EXPECT_NEAR(std::max(std::abs(point.on_a.x()), std::abs(point.on_a.y())), 0.1, kRounding);
    EXPECT_NEAR(std::min(std::abs(point.on_a.x()), std::abs(point.on_a.y())), 0.1 * (std::sqrt(2.0) - 1.0), kRounding);
  }
  std::sort(features.begin(), features.end());
  EXPECT_EQ(std::unique(features.begin(), features.end()), features.end());
}

TEST(Pairs, ParallelCapsulesTouchAtBothEndsOfTheirOverlap) {
  const Contour capsule{.kind = ContourKind::capsule, .radius = 0.05, .half = Vector3(0.0, 0.0, 0.2)};
  Pose lower, upper;
  upper.position = Vector3(0.0999, 0.0, 0.1);
  ContactPoints points;
  find_points(capsule, lower, capsule, upper, 1e-3, points);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_NEAR(points[0].on_a.z(), -0.1, kRounding);
  EXPECT_NEAR(points[1].on_a.z(), 0.2, kRounding);
}

TEST(Pairs, UprightCylinderStandsOnThreePoints) {
  const Contour can{.kind = ContourKind::cylinder, .radius = 0.1, .half = Vector3(0.0, 0.0, 0.3)};
  const Contour plane{.kind = ContourKind::plane};
  Pose X;
  X.position.z() = 0.3;
  ContactPoints points;
  find_points(can, X, plane, {}, 1e-3, points);
  ASSERT_EQ(points.size(), 3U);
  Vector3 center = Vector3::Zero();
  for (const ContactPoint& point : points) center += point.on_a / 3.0;
  EXPECT_NEAR(center.norm(), 0.0, kRounding);
}

TEST(BroadPhase, FindsWhatAllPairsFind) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-2.0, 2.0), size(0.0, 0.3);
  std::vector<Extent> boxes;
  for (int i = 0; i < 200; ++i) {
    const Vector3 center(place(random), place(random), place(random));
    const Vector3 half(size(random), size(random), size(random));
    boxes.push_back({center - half, center + half});
  }
  boxes.push_back({Vector3::Constant(-std::numeric_limits<double>::infinity()),
                   Vector3::Constant(std::numeric_limits<double>::infinity())});
  std::vector<std::pair<std::int32_t, std::int32_t>> expected, found;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      const bool overlaps = (boxes[i].low.array() <= boxes[j].high.array()).all() &&
                            (boxes[j].low.array() <= boxes[i].high.array()).all();
      if (overlaps) expected.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
    }
  }
  BroadPhase broad_phase;
  broad_phase.find(boxes, found);
  EXPECT_EQ(found, expected);
  EXPECT_GT(found.size(), 200U);
}

}  // namespace
}  // namespace gelenk::contact::pairs_test
