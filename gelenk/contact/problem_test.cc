#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gelenk/base/index.h"
#include "gelenk/contact/local_law.h"
#include "gelenk/contact/problem.h"

namespace gelenk::contact::problem_test {
namespace {

constexpr double kRounding = 1e-12;

// A free body of inertia k² m about its center.
struct FreeBody {
  double mass = 1.0, inertia = 1.0;
};

Effect effect_of(const FreeBody& body, std::int32_t node, const Vector3& arm, const Matrix3& directions, double sign) {
  Effect effect{.node = node};
  for (int k = 0; k < 3; ++k) {
    const Vector3 force = sign * directions.col(k);
    const Vector3 moment = arm.cross(force);
    for (int i = 0; i < 3; ++i) {
      effect.twist[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] = force[i] / body.mass;
      effect.twist[static_cast<std::size_t>(k)][static_cast<std::size_t>(i) + 3] = moment[i] / body.inertia;
    }
  }
  return effect;
}

// The law of contact.md (1.4), condition by condition, for u and r of one point.
void expect_law(const Vector3& u, const Vector3& r, double friction, double scale) {
  const double across = std::hypot(r[1], r[2]);
  const double slip = std::hypot(u[1], u[2]);
  EXPECT_GE(r[0], 0.0);
  EXPECT_GE(u[0], -scale);
  EXPECT_LE(across, friction * r[0] + scale);
  EXPECT_NEAR(u[0] * r[0], 0.0, scale);
  if (slip > scale && r[0] > scale) {
    EXPECT_NEAR(across, friction * r[0], scale);
    EXPECT_NEAR((u[1] * r[1] + u[2] * r[2]) / (slip * across + 1e-300), across > 0.0 ? -1.0 : 0.0, 1e-6);
  }
}

TEST(LocalLaw, IsExactForRandomContacts) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  int sliding = 0, sticking = 0, open = 0;
  for (int i = 0; i < 2000; ++i) {
    // Of two bodies: sums of 1/m and (arm×)ᵀ I⁻¹ (arm×), so that D is one of a real contact.
    const Vector3 arm(normal(random), normal(random), normal(random));
    Matrix3 cross;
    cross << 0.0, -arm.z(), arm.y(), arm.z(), 0.0, -arm.x(), -arm.y(), arm.x(), 0.0;
    const Matrix3 D = Matrix3::Identity() + 0.4 * cross.transpose() * cross;
    const Vector3 q(normal(random), normal(random), normal(random));
    const double friction = std::abs(0.8 * normal(random));
    const Vector3 r = solve_local_law(D, q, friction);
    const Vector3 u = D * r + q;
    EXPECT_LE(natural_map(u, r, friction, D.trace()), 1e-10) << i;
    expect_law(u, r, friction, 1e-9);
    const bool slides = std::hypot(u[1], u[2]) > 1e-9;
    (r[0] == 0.0 ? open : slides ? sliding : sticking) += 1;
  }
  EXPECT_GT(sliding, 200);
  EXPECT_GT(sticking, 100);
  EXPECT_GT(open, 500);
}

TEST(LocalLaw, OpenContactsKeepTheLawWithoutFriction) {
  EXPECT_EQ(natural_map(Vector3(2.0, 0.0, 0.0), Vector3::Zero(), 0.0, 3.0), 0.0);
  EXPECT_EQ(natural_map(Vector3(2.0, 1.0, 0.0), Vector3::Zero(), 0.0, 3.0), 0.0);
  EXPECT_NEAR(natural_map(Vector3(-2.0, 1.0, 0.0), Vector3::Zero(), 0.0, 3.0), 2.0, kRounding);
}

// S4-06: contact forces are proximal points, and so is what measures how well they are found.
TEST(LocalLaw, NearestInConeIsNearest) {
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 200; ++i) {
    const Vector3 x(normal(random), normal(random), normal(random));
    const double friction = 0.1 + std::abs(normal(random));
    const Vector3 p = nearest_in_cone(x, friction);
    EXPECT_LE(std::hypot(p[1], p[2]), friction * p[0] + kRounding);
    // x - p is in the polar cone, and orthogonal to p.
    EXPECT_NEAR((x - p).dot(p), 0.0, 1e-12);
    EXPECT_LE((x - p)[0] + friction * std::hypot((x - p)[1], (x - p)[2]), kRounding);
  }
}

TEST(Directions, AreRightHandedForAnyNormal) {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 200; ++i) {
    Vector3 n = Vector3(normal(random), normal(random), normal(random)).normalized();
    if (i == 0) n = Vector3::UnitZ();
    if (i == 1) n = -Vector3::UnitZ();
    const Matrix3 R = directions_of(n);
    EXPECT_LE((R.transpose() * R - Matrix3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(R.determinant(), 1.0, 1e-14);
  }
}

// A ball on the ground, falling and sliding: one point, exact.
TEST(Problem, BallStopsAndIsTurnedByFriction) {
  Problem problem;
  problem.begin(1);
  const FreeBody ball{2.0, 0.4 * 2.0 * 0.01};
  problem.velocities()[0] = {1.0, 0.0, -0.5, 0.0, 0.0, 0.0};
  PointProblem point{
      .node_b = 0, .arm_b = Vector3(0.0, 0.0, -0.1), .directions = directions_of(Vector3::UnitZ()), .friction = 0.2};
  problem.add_point(point);
  problem.add_effect(effect_of(ball, 0, point.arm_b, point.directions, 1.0));
  problem.end_point();
  const SolveReport report = problem.solve({.tolerance = 1e-12});
  EXPECT_TRUE(report.has_converged);
  EXPECT_EQ(report.sweeps, 1);
  EXPECT_NEAR(problem.velocities()[0][2], 0.0, kRounding);
  EXPECT_NEAR(problem.velocities()[0][0], 1.0 - 0.2 * 0.5, kRounding);
  EXPECT_NEAR(problem.velocities()[0][4], 0.2 * 0.5 * 2.0 * 0.1 / ball.inertia, 1e-11);
}

struct Tower {
  Problem problem;
  explicit Tower(int height, double sideways) {
    problem.begin(static_cast<std::size_t>(height));
    const FreeBody cube{1.0, 0.04 / 6.0};
    for (int i = 0; i < height; ++i) {
      problem.velocities()[static_cast<std::size_t>(i)] = {i == 0 ? sideways : 0.0, 0.0, -0.01, 0.0, 0.0, 0.0};
      for (int corner = 0; corner < 4; ++corner) {
        const double x = (corner & 1) != 0 ? 0.1 : -0.1;
        const double y = (corner & 2) != 0 ? 0.1 : -0.1;
        PointProblem point{.node_a = i - 1,
                           .node_b = i,
                           .arm_a = Vector3(x, y, 0.1),
                           .arm_b = Vector3(x, y, -0.1),
                           .directions = directions_of(Vector3::UnitZ()),
                           .friction = 0.5};
        problem.add_point(point);
        problem.add_effect(effect_of(cube, i, point.arm_b, point.directions, 1.0));
        if (i > 0) problem.add_effect(effect_of(cube, i - 1, point.arm_a, point.directions, -1.0));
        problem.end_point();
      }
    }
  }
};

TEST(Problem, TowerHoldsItsWeight) {
  Tower tower(6, 0.0);
  const SolveReport report = tower.problem.solve({.tolerance = 1e-6, .most_sweeps = 3000});
  EXPECT_TRUE(report.has_converged) << report.residual;
  for (int i = 0; i < 6; ++i) {
    double carried = 0.0;
    for (int corner = 0; corner < 4; ++corner) carried += tower.problem.points()[4 * at(i) + at(corner)].impulse[0];
    EXPECT_NEAR(carried, 0.01 * (6 - i), 1e-5);
  }
  EXPECT_LE(tower.problem.residual(), 1e-6);
}

// No gap opens where boxes slide: the law is Coulomb's, and no relaxed cone.
TEST(Problem, SlidingOpensNoGap) {
  Tower tower(3, 1.0);
  const SolveReport report = tower.problem.solve({.tolerance = 1e-8, .most_sweeps = 5000});
  ASSERT_TRUE(report.has_converged) << report.residual;
  int sliding = 0;
  for (const PointProblem& point : tower.problem.points()) {
    const Vector3 u = tower.problem.velocity_of(point);
    expect_law(u, point.impulse, point.friction, 1e-6);
    if (point.impulse[0] > 1e-6 && std::hypot(u[1], u[2]) > 0.1) {
      ++sliding;
      EXPECT_NEAR(u[0], 0.0, 1e-7);
    }
  }
  EXPECT_GE(sliding, 2);
}

TEST(Problem, SameBitsEveryTime) {
  Tower first(4, 0.3), second(4, 0.3);
  const SweepSettings settings{.tolerance = 0.0, .most_sweeps = 7};
  EXPECT_FALSE(first.problem.solve(settings).has_converged);
  second.problem.solve(settings);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(first.problem.velocities()[i], second.problem.velocities()[i]);
}

}  // namespace
}  // namespace gelenk::contact::problem_test
