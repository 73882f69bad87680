// Work of forces, drivers and impacts, and the balance of energy, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gelenk/analysis/certify.h"
#include "gelenk/analysis/simulate.h"
#include "tests/support/run_text.h"

namespace gelenk::work_balance_test {
namespace {

using analysis::RunOptions;
using analysis::RunResult;
using test::assemble_text;
using test::Assembled;

// Work is integrated with the motion: it has the accuracy that the motion has at this tolerance.
constexpr double kTolerance = 1e-10;
constexpr double kAtTolerance = 1e-8;
// Polynomials of low degree in time are integrated without error.
constexpr double kRounding = 1e-12;

RunOptions adaptive(double duration) {
  RunOptions options;
  options.duration = duration;
  options.tolerance = kTolerance;
  options.output_every = duration / 100.0;
  return options;
}

RunResult run(const std::string& text, const RunOptions& options) {
  const Assembled model = assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  if (!model.is_ready()) return {};
  return analysis::simulate(*model.system, model.params, *model.assembly, options, nullptr, {});
}

void expect_balance(const RunResult& result, double relative) {
  ASSERT_EQ(result.status, results::RunStatus::done);
  EXPECT_LT(result.audit.energy_imbalance, relative * result.audit.energy_turnover);
  EXPECT_NEAR(result.end_energy.total() - result.start_energy.total(), result.work.total(),
              relative * result.audit.energy_turnover);
}

TEST(Work, OfGravityIsNotCountedTwice) {
  const RunResult result = run(R"yaml(
gravity: [0, 0, -10]
parts: {stone: {mass: 3 kg, inertia: {xx: 1, yy: 1, zz: 1}, start: {velocity: [2, 0, 0]}}}
)yaml",
                               adaptive(2.0));
  expect_balance(result, kRounding);
  EXPECT_NEAR(result.work.forces, 0.0, 1e-9);
  EXPECT_EQ(result.work.drivers, 0.0);
  // ½ m v² with v = g t: 600 J, and 6 J from the start
  EXPECT_NEAR(result.end_energy.kinetic, 606.0, 1e-9);
  EXPECT_NEAR(result.audit.energy_turnover, 606.0, 1e-9);
}

// S4-25: energy and work by element.
TEST(Work, OfASpringIsItsPotential) {
  const RunResult result = run(R"yaml(
gravity: none
parts: {block: {at: [2, 0, 0], mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {slide: {type: prismatic, between: [ground, block], axis: x}}
forces: {spring: {type: spring_damper, between: [ground, block], stiffness: 100 N/m, free_length: 1 m}}
)yaml",
                               adaptive(3.0));
  expect_balance(result, kAtTolerance);
  EXPECT_NEAR(result.work.forces, 0.0, 50.0 * kAtTolerance);
  EXPECT_NEAR(result.audit.energy_turnover, 50.0, 1e-2);
}

// m ẍ + c ẋ = 0: x = v m/c (1 - e^{-ct/m}), and the damper takes ½ m v² (1 - e^{-2ct/m}).
TEST(Work, OfADamperIsWhatItTakes) {
  const RunResult result = run(R"yaml(
gravity: none
parts: {block: {at: [1, 0, 0], mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {slide: {type: prismatic, between: [ground, block], at: [0, 0, 0], axis: x, start: {speed: 3 m/s}}}
forces: {damper: {type: spring_damper, between: [ground, block], stiffness: 0 N/m, damping: 4 N*s/m}}
)yaml",
                               adaptive(0.5));
  expect_balance(result, kAtTolerance);
  EXPECT_NEAR(result.work.forces, -9.0 * (1.0 - std::exp(-2.0)), 9.0 * kAtTolerance);
}

TEST(Work, OfAConstantForceIsForceTimesWay) {
  const RunResult result = run(R"yaml(
gravity: none
parts: {block: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {slide: {type: prismatic, between: [ground, block], axis: x}}
forces: {push: {type: force, applied_to: block, along: x, value: 5 N}}
)yaml",
                               adaptive(2.0));
  expect_balance(result, kRounding);
  EXPECT_NEAR(result.work.forces, 5.0 * 5.0, 25.0 * kRounding);  // s = ½ F/m t² = 5 m
}

TEST(Work, OfTheFlyingPendulumWithADamper) {
  const RunResult result = run(R"yaml(
gravity: [0, -9.81, 0]
parts: {bob: {mass: 2 kg, center_of_mass: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}
joints: {hinge: {type: revolute, between: [ground, bob], axis: z}}
forces: {damper: {type: rotational_spring_damper, drives: hinge.angle, damping: 0.3 N*m*s/rad}}
)yaml",
                               adaptive(20.0));
  expect_balance(result, kAtTolerance);
  // It comes to rest half a meter below its start: all of m g ½ l was taken by the damper.
  EXPECT_NEAR(result.work.forces, -2.0 * 9.81 * 0.5, 0.05);
  EXPECT_LT(result.work.forces, -9.5);
}

// A crank of inertia J that is wound up by φ = ½ α t²: the driver gives ½ J ω².
TEST(Work, OfADriverIsWhatItGives) {
  const std::string arm = R"yaml(
gravity: none
parts: {arm: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 0.5}}}
joints: {hinge: {type: revolute, between: [ground, arm], axis: z}}
)yaml";
  const double expected = 0.5 * 0.5 * 6.0 * 6.0;  // at 2 s with 3 rad/s²
  for (const char* law :
       {"position: \"=1.5 (rad/s^2)*time^2\"", "rate: \"=3 (rad/s^2)*time\"", "acceleration: 3 rad/s^2"}) {
    const RunResult result = run(arm + "drivers: {motor: {drives: hinge.angle, " + law + "}}\n", adaptive(2.0));
    expect_balance(result, kAtTolerance);
    EXPECT_NEAR(result.work.drivers, expected, expected * kAtTolerance) << law;
    EXPECT_NEAR(result.work.forces, 0.0, kAtTolerance) << law;
    EXPECT_NEAR(result.work.impacts, 0.0, kRounding) << law;
  }
}

// A rate that jumps from 2 to 5 rad/s: the impact gives ½ J (25 - 4), the driver nothing.
TEST(Work, OfAnImpactIsTheJumpOfTheKineticEnergy) {
  const std::string arm = R"yaml(
gravity: none
parts: {arm: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 0.5}}}
joints: {hinge: {type: revolute, between: [ground, arm], axis: z}}
)yaml";
  const double expected = 0.5 * 0.5 * (25.0 - 4.0);
  for (const char* law : {"position: \"=2 (rad/s)*time + 3 (rad/s)*max(time - 0.5 s, 0 s)\"",
                          "rate: \"=2 (rad/s) + 3 (rad/s)*step(time - 0.5 s)\""}) {
    const RunResult result = run(arm + "drivers: {motor: {drives: hinge.angle, " + law + "}}\n", adaptive(1.0));
    expect_balance(result, kAtTolerance);
    EXPECT_NEAR(result.work.impacts, expected, expected * kRounding) << law;
    EXPECT_NEAR(result.work.drivers, 0.0, kAtTolerance) << law;
  }
}

// What the balance is for: it shows when steps are too long.
TEST(Work, BalanceIsLostWithTheAccuracyOfTheMotion) {
  const std::string pendulum = R"yaml(
gravity: [0, -9.81, 0]
parts: {bob: {mass: 2 kg, center_of_mass: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}
joints: {hinge: {type: revolute, between: [ground, bob], axis: z}}
)yaml";
  const auto imbalance = [&](double step) {
    RunOptions options = adaptive(2.0);
    options.method = integrate::Method::rk4;
    options.step = step;
    const RunResult result = run(pendulum, options);
    return result.audit.energy_imbalance / result.audit.energy_turnover;
  };
  EXPECT_GT(imbalance(0.2), results::kEnergyImbalance.look_at);
  EXPECT_LT(imbalance(0.01), results::kEnergyImbalance.look_at);
  // of fourth order, or better
  EXPECT_GT(imbalance(0.02) / imbalance(0.01), 10.0);
}

TEST(Limits, TheWorstValueAndItsTimeAreKept) {
  const std::string lift = R"yaml(
gravity: none
parts: {cabin: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints:
  lift:
    type: prismatic
    between: [ground, cabin]
    axis: z
    limits: {travel: {min: -0.2 m, max: LIMIT}, speed: {max: 10 m/s}}
drivers: {motor: {drives: lift.travel, position: "=0.5 m*sin(1 (rad/s)*time)"}}
)yaml";
  const auto with_limit = [&](const std::string& limit) {
    std::string text = lift;
    text.replace(text.find("LIMIT"), 5, limit);
    return run(text, adaptive(3.0));
  };
  const RunResult beyond = with_limit("0.4 m");
  ASSERT_EQ(beyond.audit.limits.size(), 2u);
  EXPECT_NEAR(beyond.audit.limits[0].value, 0.5, 1e-4);  // rows are 30 ms apart
  EXPECT_NEAR(beyond.audit.limits[0].excess, 0.1, 1e-4);
  EXPECT_NEAR(beyond.audit.limits[0].time, std::numbers::pi / 2.0, 0.03);
  EXPECT_EQ(beyond.audit.limits[1].excess, 0.0);
  EXPECT_EQ(with_limit("0.5 m").audit.limits[0].excess, 0.0);
}

TEST(RunAudit, ContinuesFromItsBytes) {
  const RunResult result = run(R"yaml(
gravity: none
parts: {cabin: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {lift: {type: prismatic, between: [ground, cabin], axis: z, limits: {travel: {max: 0.4 m}}, start: {speed: 1 m/s}}}
states: {count: {start: 2, rate: 3 1/s}}
)yaml",
                               adaptive(1.0));
  ByteWriter out;
  result.audit.save(out);
  ByteReader in(out.bytes());
  analysis::RunAudit read;
  read.load(in, 1);
  EXPECT_TRUE(in.is_complete());
  ByteWriter again;
  read.save(again);
  EXPECT_EQ(again.bytes(), out.bytes());
  EXPECT_GT(read.limits.at(0).excess, 0.5);
  EXPECT_NEAR(read.largest_states.at(0), 5.0, 1e-9);
  for (std::size_t size = 0; size < out.bytes().size(); ++size) {
    ByteReader cut(std::string_view(out.bytes()).substr(0, size));
    analysis::RunAudit damaged;
    damaged.load(cut, 1);
    EXPECT_FALSE(cut.is_complete());
  }
}

TEST(StateHash, KnowsEveryBit) {
  const Assembled model = assemble_text(R"yaml(
parts: {arm: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {hinge: {type: revolute, between: [ground, arm], axis: z}}
drivers: {motor: {drives: hinge.angle, rate: "=1 (rad/s)*step(time - 1 s)"}}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const system::State& state = model.state();
  const std::string hash = analysis::state_hash(state);
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_EQ(analysis::state_hash(system::State(state)), hash);
  const auto changed = [&](auto&& change) {
    system::State other = state;
    change(other);
    return analysis::state_hash(other) != hash;
  };
  const auto nudge = [](double& x) { x = std::nextafter(x, 10.0); };
  EXPECT_TRUE(changed([&](system::State& s) { nudge(s.time); }));
  EXPECT_TRUE(changed([&](system::State& s) { nudge(s.position[0].z()); }));
  EXPECT_TRUE(changed([&](system::State& s) { nudge(s.orientation[0].w()); }));
  EXPECT_TRUE(changed([&](system::State& s) { nudge(s.velocity[5]); }));
  for (std::size_t i = 0; i < state.extra.size(); ++i) {
    EXPECT_TRUE(changed([&](system::State& s) { nudge(s.extra[i]); }));
  }
  ASSERT_FALSE(state.sides.empty());
  EXPECT_TRUE(changed([](system::State& s) { ++s.sides[0]; }));
}

}  // namespace
}  // namespace gelenk::work_balance_test
