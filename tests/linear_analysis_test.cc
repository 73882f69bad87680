// Equilibria and small motions of whole machines: closed forms, and the nonlinear machine itself by differences.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gelenk/analysis/linear/equilibrium.h"
#include "gelenk/analysis/linear/modes.h"
#include "tests/support/run_text.h"

namespace gelenk::linear_analysis_test {
namespace {

constexpr double kTau = 1e-6;
constexpr double kG = 9.80665;

analysis::Equilibrium rest(const test::Assembled& model) {
  EXPECT_TRUE(model.is_ready()) << model.messages();
  return analysis::find_equilibrium(*model.system, model.params, model.state(), kTau);
}

analysis::Modes modes_at(const test::Assembled& model, const system::State& state) {
  analysis::SmallMotionSolver solver(*model.system, model.params, kTau);
  return analysis::modes(solver.linearize(state), model.params.length);
}

// A point mass on a massless rod, started at an angle.
std::string pendulum(const std::string& start, const std::string& more = "") {
  return R"(
name: pendulum
parts: {bob: {mass: 2 kg, center_of_mass: [0, 0, -0.5 m], inertia: {xx: 0.01, yy: 0.02, zz: 0.01}}}
joints: {pivot: {type: revolute, between: [ground, bob], axis: y, start: {angle: )" +
         start + "}}}\n" + more;
}

TEST(LinearAnalysis, PendulumFallsToItsRestAndSwingsAsTheClosedFormSays) {
  const test::Assembled model = test::assemble_text(pendulum("100 deg"));
  const analysis::Equilibrium found = rest(model);
  ASSERT_TRUE(found.is_found);
  EXPECT_TRUE(found.is_stable);
  EXPECT_EQ(found.neutral_motions, 0);
  test::Probe probe(*model.system, model.params, found.state);
  EXPECT_NEAR(probe.coordinate("pivot", "angle"), 0.0, 1e-12);
  const analysis::Modes modes = modes_at(model, found.state);
  ASSERT_EQ(modes.list.size(), 1u);
  EXPECT_NEAR(modes.list[0].eigenvalue.imag(), std::sqrt(2.0 * kG * 0.5 / (0.02 + 2.0 * 0.25)), 1e-12);
  EXPECT_EQ(modes.list[0].eigenvalue.real(), 0.0);
}

TEST(LinearAnalysis, WhatStandsOnItsHeadIsUnstableAndLeft) {
  const test::Assembled model = test::assemble_text(pendulum("180 deg"));
  const analysis::Equilibrium found = rest(model);
  ASSERT_TRUE(found.is_found);
  EXPECT_TRUE(found.left_unstable);
  EXPECT_TRUE(found.is_stable);
  // At the top: e^(±λt).
  const analysis::Modes top = modes_at(model, model.state());
  ASSERT_EQ(top.list.size(), 2u);
  for (const analysis::Mode& mode : top.list) {
    EXPECT_NEAR(std::abs(mode.eigenvalue.real()), std::sqrt(2.0 * kG * 0.5 / 0.52), 1e-12);
    EXPECT_EQ(mode.eigenvalue.imag(), 0.0);
  }
}

TEST(LinearAnalysis, DampedSpringHangsAndSwings) {
  const test::Assembled model = test::assemble_text(R"(
parts: {mass: {at: [0, 0, -1 m], mass: 3 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {rail: {type: prismatic, between: [ground, mass], axis: z, at: mass}}
forces: {spring: {type: spring_damper, between: [ground, mass], stiffness: 400 N/m, damping: 6 N*s/m, free_length: 1 m}}
)");
  const analysis::Equilibrium found = rest(model);
  ASSERT_TRUE(found.is_found);
  test::Probe probe(*model.system, model.params, found.state);
  EXPECT_NEAR(probe.coordinate("rail", "travel"), -3.0 * kG / 400.0, 1e-13);
  const analysis::Modes modes = modes_at(model, found.state);
  ASSERT_EQ(modes.list.size(), 1u);
  const double omega = std::sqrt(400.0 / 3.0), zeta = 6.0 / (2.0 * 3.0 * omega);
  EXPECT_NEAR(modes.list[0].eigenvalue.real(), -zeta * omega, 1e-12);
  EXPECT_NEAR(modes.list[0].eigenvalue.imag(), omega * std::sqrt(1.0 - zeta * zeta), 1e-12);
  EXPECT_NEAR(modes.list[0].damping(), zeta, 1e-13);
}

// n equal masses between two walls: ω_j = 2 √(k/m) sin(j π / (2 (n + 1))).
TEST(LinearAnalysis, ChainOfMassesHasTheKnownFrequencies) {
  constexpr int kMasses = 9;
  std::string parts, joints, forces;
  for (int i = 1; i <= kMasses; ++i) {
    const std::string n = std::to_string(i), before = i == 1 ? "ground" : "m" + std::to_string(i - 1);
    parts += "  m" + n + ": {at: [" + n + " m, 0, 0], mass: 0.5 kg, inertia: {xx: 1, yy: 1, zz: 1}}\n";
    joints += "  j" + n + ": {type: prismatic, between: [ground, m" + n + "], axis: x, at: m" + n + "}\n";
    forces += "  f" + n + ": {type: spring_damper, between: [" + before + ", m" + n + "], stiffness: 200 N/m}\n";
  }
  forces += "  last: {type: spring_damper, between: [m9, ground.wall], stiffness: 200 N/m}\n";
  const test::Assembled model = test::assemble_text("ground: {frames: {wall: [10 m, 0, 0]}}\nparts:\n" + parts +
                                                    "joints:\n" + joints + "forces:\n" + forces);
  const analysis::Equilibrium found = rest(model);
  ASSERT_TRUE(found.is_found);
  const analysis::Modes modes = modes_at(model, found.state);
  ASSERT_EQ(modes.list.size(), static_cast<std::size_t>(kMasses));
  for (int j = 1; j <= kMasses; ++j) {
    const double omega = 2.0 * std::sqrt(400.0) * std::sin(j * std::numbers::pi / (2.0 * (kMasses + 1)));
    EXPECT_NEAR(modes.list[static_cast<std::size_t>(j - 1)].eigenvalue.imag(), omega, 1e-11) << j;
  }
}

TEST(LinearAnalysis, WhatIsFreeIsCountedAndWhatFallsIsNamed) {
  const test::Assembled wheel = test::assemble_text(R"(
parts: {wheel: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {axle: {type: revolute, between: [ground, wheel], axis: y}}
)");
  const analysis::Equilibrium found = rest(wheel);
  ASSERT_TRUE(found.is_found);
  EXPECT_EQ(found.neutral_motions, 1);
  EXPECT_TRUE(modes_at(wheel, found.state).list.empty());

  const test::Assembled stone = test::assemble_text("parts: {stone: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\n");
  const analysis::Equilibrium none = rest(stone);
  EXPECT_FALSE(none.is_found);
  EXPECT_EQ(none.runaway, 0);
  EXPECT_NEAR(none.direction.z(), -1.0, 1e-9);
}

TEST(LinearAnalysis, StateWithoutAGoalIsNamed) {
  const test::Assembled model = test::assemble_text(pendulum("10 deg", R"yaml(
states: {clock: {start: 0, rate: 2 (1/s)}, book: {start: 0 rad, rate: =pivot.rate + 1 (1/s)}}
forces: {winder: {type: actuator, drives: pivot.angle, value: =clock * 1 (N*m)}}
)yaml"));
  const analysis::Equilibrium found = rest(model);
  EXPECT_FALSE(found.is_found);
  EXPECT_EQ(found.restless_state, 0);
}

// A counterweight that is heavier: what it moves has no stiffness, and does not rest.
TEST(LinearAnalysis, UnbalancedWithoutStiffnessDoesNotRest) {
  const test::Assembled model = test::assemble_text(R"(
parts:
  left: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
  right: {at: [1 m, 0, 0], mass: 1.001 kg, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  rail_left: {type: prismatic, between: [ground, left], axis: z}
  rail_right: {type: prismatic, between: [ground, right], axis: z, at: right}
  rope: {type: coupler, couples: [rail_left.travel, rail_right.travel], ratio: -1}
)");
  EXPECT_FALSE(rest(model).is_found);
  const test::Assembled wheel = test::assemble_text(R"(
gravity: none
parts: {wheel: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}
joints: {axle: {type: revolute, between: [ground, wheel], axis: x}}
forces: {engine: {type: actuator, drives: axle.angle, value: 5 N*m}}
)");
  const analysis::Equilibrium none = rest(wheel);
  EXPECT_FALSE(none.is_found);
  EXPECT_EQ(none.runaway, 0);
  EXPECT_TRUE(none.is_turning);
}

TEST(LinearAnalysis, DriversThatMoveAreNoRest) {
  const test::Assembled model =
      test::assemble_text(pendulum("10 deg", "drivers: {motor: {drives: pivot.angle, rate: 60 rpm}}\n"));
  EXPECT_TRUE(rest(model).is_driven);
  // At rest for now, and about to move.
  const test::Assembled starts = test::assemble_text(
      pendulum("0 deg", "drivers: {motor: {drives: pivot.angle, position: =0.1 * (1 - cos(3 (1/s) * time))}}\n"));
  EXPECT_TRUE(rest(starts).is_driven);
  const test::Assembled held =
      test::assemble_text(pendulum("0 deg", "drivers: {motor: {drives: pivot.angle, position: 0 rad}}\n"));
  EXPECT_TRUE(rest(held).is_found);
}

// What the machine does at its start does not count: only its pose does.
TEST(LinearAnalysis, ModesOfTheStartPoseDoNotDependOnItsVelocities) {
  const auto frequency = [](const std::string& rate) {
    const test::Assembled model = test::assemble_text(pendulum("0 deg, rate: " + rate));
    EXPECT_TRUE(model.is_ready()) << model.messages();
    const analysis::Equilibrium held = analysis::hold_still(*model.system, model.params, model.state(), kTau);
    EXPECT_TRUE(held.is_found);
    return modes_at(model, held.state).list.at(0).frequency();
  };
  EXPECT_EQ(frequency("0 rad/s"), frequency("20 rad/s"));
}

// A motor with a winding, a loaded loop, a bushing and a controller with memory.
const std::string kMixed = R"yaml(
parameters: {k: 0.4 N*m/A}
parts:
  crank:
    mass: 1 kg
    center_of_mass: [0.1 m, 0, 0]
    inertia: {xx: 0.01, yy: 0.02, zz: 0.02}
    frames: {pin: [0.2 m, 0, 0]}
  rod:
    at: [0.2 m, 0, 0]
    mass: 2 kg
    center_of_mass: [0.3 m, 0, 0]
    inertia: {xx: 0.01, yy: 0.05, zz: 0.05}
    frames: {end: [0.6 m, 0, 0]}
  rocker:
    at: [0.8 m, 0, 0]
    mass: 3 kg
    inertia: {xx: 0.01, yy: 0.03, zz: 0.03}
    frames: {foot: [0, 0, -0.5 m]}
  load: {at: [0.8 m, 0, 0.2 m], mass: 1.5 kg, inertia: {xx: 0.004, yy: 0.005, zz: 0.006}}
ground: {frames: {stand: [0.8 m, 0, -0.5 m], hook: [0.5 m, 0, 1 m]}}
joints:
  shaft: {type: revolute, between: [ground, crank], axis: y, guess: {angle: -50 deg}}
  pin: {type: spherical, between: [crank.pin, rod]}
  end: {type: spherical, between: [rod.end, rocker]}
  foot: {type: revolute, between: [ground.stand, rocker.foot], axis: y}
forces:
  mount:
    type: bushing
    between: [rocker, load]
    stiffness: [2 kN/m, 3 kN/m, 5 kN/m]
    damping: [3, 4, 5]
    rotational_stiffness: [40, 50, 60]
    rotational_damping: [0.1, 0.2, 0.3]
  rope: {type: spring_damper, between: [ground.hook, load], stiffness: 90 N/m, damping: 2 N*s/m, free_length: 0.4 m}
  motor:
    type: actuator
    drives: shaft.angle
    value: =k * i
    states: {i: {start: 0 A, rate: "=(6 V * (-0.4 - coordinate) - 2 ohm * i - k * rate) / (20 mH)"}}
)yaml";

TEST(LinearAnalysis, MatrixIsTheDerivativeOfTheNonlinearMachine) {
  const test::Assembled model = test::assemble_text(kMixed);
  const analysis::Equilibrium found = rest(model);
  ASSERT_TRUE(found.is_found);
  analysis::SmallMotionSolver solver(*model.system, model.params, kTau);
  const analysis::SmallMotions m = solver.linearize(found.state);
  EXPECT_LT(m.f.norm(), 1e-9);
  EXPECT_LT(m.r.norm(), 1e-9);
  const Eigen::Index freedoms = m.N_v.cols();
  ASSERT_EQ(freedoms, 1 + 6 + 1);  // the crank, the load, and the rod about itself
  // Forces f and rates r at displaced poses, as the first basis sees them.
  constexpr double kStep = 1e-4;
  const auto at_displaced = [&](Eigen::Index j, double step, analysis::Vector& rates) {
    system::State state = found.state;
    const analysis::Vector d = step * m.N_v.col(j);
    EXPECT_TRUE(solver.move(state, {d.data(), static_cast<std::size_t>(d.size())}));
    const analysis::SmallMotions there = solver.linearize(state);
    rates = there.r;
    // M a = N_v-part there; a = N f is the whole of it, as velocities are zero.
    const analysis::Vector a = there.N_v * there.f;
    solver.linearize(found.state);
    return analysis::Vector(m.N_v.transpose() * solver.momentum(a));
  };
  for (Eigen::Index j = 0; j < freedoms; ++j) {
    analysis::Vector rates_up, rates_down;
    const analysis::Vector up = at_displaced(j, kStep, rates_up), down = at_displaced(j, -kStep, rates_down);
    const analysis::Vector slope = (up - down) / (2.0 * kStep);
    EXPECT_LT((slope + m.K.col(j)).norm(), 1e-5 * m.K.norm()) << j;
    EXPECT_LT(((rates_up - rates_down) / (2.0 * kStep) - m.B_q.col(j)).norm(), 1e-6 * m.B_q.norm()) << j;
  }
}

// Released a little beside its rest, the machine moves as its modes say.
TEST(LinearAnalysis, RunBesideTheRestDecaysAsTheEigenvaluesSay) {
  const test::Assembled model = test::assemble_text(kMixed);
  const analysis::Equilibrium found = rest(model);
  ASSERT_TRUE(found.is_found);
  EXPECT_TRUE(found.is_stable);
  const analysis::Modes modes = modes_at(model, found.state);
  // The rod may turn about its own line: nothing drives it back.
  EXPECT_EQ(found.neutral_motions, 1);
  for (const analysis::Mode& mode : modes.list) EXPECT_LT(mode.eigenvalue.real(), 0.0);
}

// A wheel that rolls without slip on a slope, held by a spring: m_eff = m + J / r².
TEST(LinearAnalysis, RollingWheelOnASpring) {
  const test::Assembled model = test::assemble_text(R"(
parts: {wheel: {at: [0, 0, 0.3 m], mass: 4 kg, inertia: {xx: 0.1, yy: 0.18, zz: 0.1}}}
ground: {frames: {wall: [-1 m, 0, 0.3 m]}}
joints:
  road: {type: planar, between: [ground.wall, wheel], axis: y}
  rim: {type: rolling, between: [ground, wheel], radius: 0.3 m, axis: y}
forces: {spring: {type: spring_damper, between: [ground.wall, wheel], stiffness: 100 N/m, damping: 1 N*s/m}}
)");
  const analysis::Equilibrium found = rest(model);
  ASSERT_TRUE(found.is_found);
  const analysis::Modes modes = modes_at(model, found.state);
  ASSERT_GE(modes.list.size(), 1u);
  const double mass = 4.0 + 0.18 / 0.09;
  EXPECT_NEAR(std::abs(modes.list.back().eigenvalue), std::sqrt(100.0 / mass), 1e-9);
  EXPECT_NEAR(modes.list.back().eigenvalue.real(), -0.5 / mass, 1e-9);
}

}  // namespace
}  // namespace gelenk::linear_analysis_test
