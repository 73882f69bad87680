#include "gelenk/math/curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace gelenk::curve_test {
namespace {

constexpr double kRounding = 1e-12;
constexpr double kStep = 1e-5;
constexpr double kDifference = 1e-8;  // central differences with this step

std::vector<Vector3> circle(std::size_t count, double radius) {
  std::vector<Vector3> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.0);
  }
  return points;
}

Curve bent(bool is_closed) {
  const std::vector<Vector3> points{{0, 0, 0}, {1, 0.4, 0.2}, {1.8, 1.5, 0.1}, {1, 2.2, -0.4}, {-0.3, 1.2, 0.3}};
  std::string error;
  const std::optional<Curve> curve = Curve::make(points, is_closed, &error);
  EXPECT_TRUE(curve) << error;
  return *curve;
}

std::string refusal(const std::vector<Vector3>& points, bool is_closed) {
  std::string error;
  EXPECT_FALSE(Curve::make(points, is_closed, &error));
  return error;
}

// A closed cubic spline through n points of a circle differs from it by the fourth power of their distance.
TEST(Curve, OfPointsOnACircleIsTheCircle) {
  double before = 0.0;
  for (const std::size_t count : {12U, 24U, 48U}) {
    const Curve curve = *Curve::make(circle(count, 2.0), true, nullptr);
    double worst = 0.0;
    for (int i = 0; i < 200; ++i) {
      const CurvePoint<double> C = curve.at(curve.parameter(curve.length() * i / 200.0));
      worst = std::max(worst, std::abs(C.position.norm() - 2.0));
    }
    if (before > 0.0) {
      EXPECT_NEAR(std::log2(before / worst), 4.0, 0.2);
    }
    before = worst;
    EXPECT_EQ(curve.aside(), Vector3::UnitZ());
  }
  EXPECT_LT(before, 2e-5);
  const Curve fine = *Curve::make(circle(400, 2.0), true, nullptr);
  EXPECT_NEAR(fine.length(), 4.0 * std::numbers::pi, 1e-8);
  EXPECT_EQ(fine.period(), fine.length());
}

TEST(Curve, TravelIsTheLengthAndGoesBothWays) {
  for (const bool is_closed : {false, true}) {
    const Curve curve = bent(is_closed);
    for (int i = -3; i < 23; ++i) {
      const double wanted = curve.length() * (i + 0.37) / 20.0;
      const double u = curve.parameter(wanted);
      const double there = curve.travel(u);
      EXPECT_NEAR(is_closed ? std::remainder(there - wanted, curve.length()) : there - wanted, 0.0, kRounding);
      const double slope = (curve.travel(u + kStep) - curve.travel(u - kStep)) / (2.0 * kStep);
      EXPECT_NEAR(slope, curve.at(u).first.norm(), kDifference);
    }
  }
}

TEST(Curve, DerivativesAreThoseOfThePosition) {
  for (const bool is_closed : {false, true}) {
    const Curve curve = bent(is_closed);
    for (int i = -4; i < 40; ++i) {
      const double u = 0.1931 * i;
      const CurvePoint<double> C = curve.at(u);
      const CurvePoint<double> after = curve.at(u + kStep);
      const CurvePoint<double> before = curve.at(u - kStep);
      EXPECT_LT((C.first - (after.position - before.position) / (2.0 * kStep)).norm(), kDifference);
      EXPECT_LT((C.second - (after.first - before.first) / (2.0 * kStep)).norm(), 1e-4);  // bends at the points
      const CurveAxes<double> axes = axes_of(curve, C);
      EXPECT_LT((axes.directions.transpose() * axes.directions - Matrix3::Identity()).norm(), kRounding);
      EXPECT_NEAR(axes.directions.determinant(), 1.0, kRounding);
      const Matrix3 change = (axes_of(curve, after).directions - axes_of(curve, before).directions) / (2.0 * kStep);
      EXPECT_LT((axes.slopes - change).norm(), 1e-3);
    }
  }
}

// By looking at many points of the curve.
TEST(Curve, NearestPointIsNearest) {
  for (const bool is_closed : {false, true}) {
    const Curve curve = bent(is_closed);
    for (int i = 0; i < 60; ++i) {
      const Vector3 p(2.0 * std::sin(1.7 * i), 1.0 + 2.0 * std::cos(2.3 * i), std::sin(0.9 * i));
      double least = 1e9;
      for (int k = -4000; k < 8000; ++k) least = std::min(least, (curve.at(k * 1e-3).position - p).norm());
      const double u = curve.nearest(p);
      const CurvePoint<double> C = curve.at(u);
      EXPECT_LE((C.position - p).norm(), least + kRounding) << i;
      EXPECT_NEAR(C.first.dot(p - C.position), 0.0, 1e-10) << i;
    }
    for (int i = 0; i < 100; ++i) {
      const double u = 0.05 * i;
      EXPECT_NEAR((curve.at(curve.nearest(curve.at(u).position)).position - curve.at(u).position).norm(), 0.0, 1e-14);
    }
  }
}

TEST(Curve, PlaceHasTheDerivativesOfTheNearestPoint) {
  const Curve curve = bent(true);
  const Vector3 p(1.3, 0.6, 0.4);
  Vec3<Dual<3>> seeded = p.cast<Dual<3>>();
  for (int k = 0; k < 3; ++k) seeded(k).partials[static_cast<std::size_t>(k)] = 1.0;
  const Dual<3> travel = travel_near<Dual<3>>(curve, seeded);
  EXPECT_NEAR(travel.value, curve.travel(curve.nearest(p)), kRounding);
  for (int k = 0; k < 3; ++k) {
    const Vector3 h = kStep * Vector3::Unit(k);
    const double difference = (travel_near<double>(curve, p + h) - travel_near<double>(curve, p - h)) / (2.0 * kStep);
    EXPECT_NEAR(travel.partials[static_cast<std::size_t>(k)], difference, kDifference);
  }
}

TEST(Curve, GoesOnStraightBeyondItsEnds) {
  const Curve curve = bent(false);
  const CurvePoint<double> end = curve.at(curve.parameter(curve.length()));
  const Vector3 ahead = end.first.normalized();
  const CurvePoint<double> beyond = curve.at(curve.parameter(curve.length() + 2.5));
  EXPECT_LT((beyond.position - end.position - 2.5 * ahead).norm(), kRounding);
  EXPECT_NEAR(travel_near<double>(curve, end.position + 2.5 * ahead), curve.length() + 2.5, kRounding);
  EXPECT_TRUE(beyond.second.isZero(0.0));
}

TEST(Curve, ReflectedIsTheReflectionOfAllItsPoints) {
  const Curve curve = bent(true);
  const Vector3 signs(1.0, -1.0, 1.0);
  const Curve image = curve.reflected(signs);
  for (int i = 0; i < 50; ++i) {
    const double u = 0.13 * i;
    EXPECT_EQ(image.at(u).position, signs.cwiseProduct(curve.at(u).position));
    const Matrix3 axes = axes_of(curve, curve.at(u)).directions;
    const Matrix3 D = signs.asDiagonal();
    EXPECT_LT((axes_of(image, image.at(u)).directions - D * axes * D).norm(), kRounding);
  }
}

TEST(Curve, WhatCannotBeFollowedIsRefused) {
  EXPECT_EQ(refusal({{0, 0, 0}}, false), "a curve needs at least two points");
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}}, true), "a closed curve needs at least three points");
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, false), "its points 2 and 3 are the same");
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}}, true),
            "its last point is the first one again: a closed curve closes by itself");
  EXPECT_NE(refusal({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, false), "");
  EXPECT_NE(refusal({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}, true).find("crosses or touches itself"),
            std::string::npos);
  EXPECT_NE(refusal(std::vector<Vector3>(501, Vector3::Zero()), false).find("501 points, at most 500"),
            std::string::npos);
  Curve straight = *Curve::make({{0, 0, 0}, {0, 0, 1}}, false, nullptr);
  EXPECT_FALSE(straight.set_aside(Vector3::UnitZ()));
  EXPECT_TRUE(straight.set_aside({0.0, 2.0, 0.0}));
  EXPECT_EQ(straight.aside(), Vector3::UnitY());
}

}  // namespace
}  // namespace gelenk::curve_test
