// States of assemblies and forces: numbers that are integrated with the motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "gelenk/analysis/run_options.h"
#include "gelenk/analysis/stiffness.h"
#include "gelenk/mechanics/state_derivatives.h"
#include "tests/support/run_text.h"

namespace gelenk::states_test {
namespace {

using integrate::Method;
using test::assemble_text;
using test::Assembled;
using test::check_text;
using test::Checked;

// A motor with inductance on a flywheel: L di/dt = u - R i - k ω, J dω/dt = k i.
std::string motor(const std::string& inductance) {
  return R"yaml(
gravity: none
parameters: {u: 24 V, R: 0.5 ohm, k: 0.05 N*m/A, L: )yaml" +
         inductance + R"yaml(}
parts:
  rotor: {mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 2e-3}}
joints:
  shaft: {type: revolute, between: [ground, rotor], axis: z}
forces:
  servo:
    type: actuator
    drives: shaft.angle
    value: =k*i
    states:
      i: {start: 0 A, rate: =(u - R*i - k*rate)/L}
states:
  travel: {start: 0 rad, rate: =shaft.rate}
)yaml";
}

struct MotorState {
  double current = 0.0, rate = 0.0;
};

// The two eigenvalues of the linear equations give the way from rest to u/k.
MotorState motor_at(double time, double L) {
  using Complex = std::complex<double>;
  const double u = 24.0, R = 0.5, k = 0.05, J = 2e-3;
  const Complex root = std::sqrt(Complex(R * R / (4.0 * L * L) - k * k / (J * L), 0.0));
  const Complex slow = -R / (2.0 * L) + root, fast = -R / (2.0 * L) - root;
  // ω = u/k (1 + a e^{slow t} + b e^{fast t}) with ω = dω/dt = 0 at the start.
  const Complex a = fast / (slow - fast), b = -slow / (slow - fast);
  const Complex rate = u / k * (1.0 + a * std::exp(slow * time) + b * std::exp(fast * time));
  const Complex slope = u / k * (a * slow * std::exp(slow * time) + b * fast * std::exp(fast * time));
  return {J / k * slope.real(), rate.real()};
}

integrate::Options options_of(Method method, double tolerance, double step) {
  integrate::Options options;
  options.method = method;
  options.tolerance = tolerance;
  options.step = step;
  return options;
}

double state_of(const Assembled& model, const system::State& state, const std::string& path) {
  const std::size_t index = test::index_of_path(model.system->states, path);
  if (index == model.system->states.size()) return std::nan("");
  return state.extra[static_cast<std::size_t>(model.system->states[index].place)];
}

struct MethodCase {
  Method method;
  double step, near;  // near: of the current, A
};

class Motor : public testing::TestWithParam<MethodCase> {};
INSTANTIATE_TEST_SUITE_P(Methods, Motor,
                         testing::Values(MethodCase{Method::rk4, 1e-4, 1e-7}, MethodCase{Method::dopri5, 0, 1e-6},
                                         MethodCase{Method::adams, 0, 2e-5}, MethodCase{Method::bdf, 0, 2e-5},
                                         MethodCase{Method::cvode, 0, 2e-5},
                                         MethodCase{Method::generalized_alpha, 5e-5, 5e-4}),
                         [](const auto& one) { return std::string(analysis::method_name(one.param.method)); });

// S0-12: an electric circuit. S2-25, of it the additional differential equations.
TEST_P(Motor, FollowsTheClosedForm) {
  const Assembled model = assemble_text(motor("2 mH"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, options_of(GetParam().method, 1e-9, GetParam().step));
  for (const double time : {0.002, 0.01, 0.05, 0.4}) {
    ASSERT_TRUE(motion.advance_to(time));
    const MotorState expected = motor_at(time, 2e-3);
    EXPECT_NEAR(state_of(model, motion.state(), "servo.i"), expected.current, GetParam().near) << time;
    EXPECT_NEAR(motion.probe().rate("shaft", "angle"), expected.rate, 10.0 * GetParam().near) << time;
    EXPECT_NEAR(state_of(model, motion.state(), "travel"), motion.probe().coordinate("shaft", "angle"), 1e-4) << time;
  }
}

// Long steps past a current that settles in nanoseconds.
TEST(States, OfStiffCircuitsTakeLongSteps) {
  const Assembled model = assemble_text(motor("1e-9 H"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, options_of(Method::bdf, 1e-6, 0.0));
  ASSERT_TRUE(motion.advance_to(0.4));
  EXPECT_LT(motion.integrator().counters().accepted, 600);
  EXPECT_NEAR(state_of(model, motion.state(), "servo.i"), motor_at(0.4, 1e-9).current, 1e-3);
  const analysis::Stiffness stiffness =
      analysis::estimate_stiffness(*model.system, model.params, model.state(), model.assembly->rank_tolerance);
  EXPECT_NEAR(stiffness.rate(), 0.5 / 1e-9, 1e-3 * 0.5 / 1e-9) << "R/L";
  EXPECT_EQ(stiffness.element, "servo.i");
}

// Two arms, a spring whose force lags, a state that reads a force, and a group of states that reads both arms.
constexpr const char* kArms = R"yaml(
up: y
parts:
  upper: {mass: 2 kg, center_of_mass: [0.2, 0.05, 0], inertia: {xx: 0.01, yy: 0.03, zz: 0.03}, frames: {tip: [0.4, 0, 0.1]}}
  lower: {at: upper.tip, mass: 1 kg, center_of_mass: [0.1, 0, 0.02], inertia: {xx: 0.01, yy: 0.02, zz: 0.02}, frames: {end: [0.3, 0, 0]}}
joints:
  shoulder: {type: revolute, between: [ground, upper], axis: z, start: {angle: 20 deg, rate: 1 rad/s}}
  elbow: {type: universal, between: [upper.tip, lower], axis: z, second_axis: x, start: {rate_1: 2 rad/s}}
forces:
  lag:
    type: force
    between: [ground, lower.end]
    along: x
    value: =pull + 3 N*cos(lag.memory)
    states:
      pull: {start: 5 N, rate: "=(40 (N/m)*lower.position.y - 2 (N*s/m)*lower.velocity.x*cos(memory) - pull)/(0.05 s)"}
      memory: {start: 0.3, rate: =(pull/(10 N) - sin(memory))/(0.1 s) + elbow.rate_1}
  motor:
    type: actuator
    drives: shoulder.angle
    value: =-gain*wound*abs(wound)^0.5
    states:
      wound: {start: 0.2, rate: =rate + 0.3 (1/(N*s))*lag.force}
parameters: {gain: 7 N*m}
)yaml";

// The states where x = known + gain ẋ(x, motion), to rounding.
void settle_states(const Assembled& model, system::State& state, mechanics::Workspace& workspace,
                   const std::vector<double>& known, double gain) {
  const mechanics::Context context{*model.system, model.params, state};
  for (int i = 0; i < 200; ++i) {
    mechanics::update_forces(context, workspace);
    for (const system::IntegratedState& one : model.system->states) {
      const auto place = static_cast<std::size_t>(one.place);
      state.extra[place] = known[place] + gain * workspace.state_rates[place];
    }
  }
}

TEST(States, HaveExactBlocksBetweenBodies) {
  const Assembled model = assemble_text(kArms);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  constexpr double kGain = 2e-3;  // small enough that the iteration above converges
  system::State state = model.state();
  for (std::size_t i = 0; i < state.velocity.size(); ++i) state.velocity[i] += 0.1 * std::sin(3.0 * double(i));
  mechanics::Workspace workspace(*model.system);
  const mechanics::Context context{*model.system, model.params, state};
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  const std::vector<double> known = state.extra;
  settle_states(model, state, workspace, known, kGain);

  mechanics::StateDerivatives states(*model.system, workspace.ports);
  EXPECT_EQ(states.group_count(), 1U) << "wound reads lag, whose states read each other";
  mechanics::ForceDerivatives forces(*model.system, workspace.ports);
  std::vector<mechanics::ForceBlock> blocks;
  for (std::int32_t f = 0; f < 2; ++f) forces.evaluate(context, workspace, f, blocks);
  states.evaluate(context, workspace);
  ASSERT_TRUE(states.factor(kGain));
  for (std::size_t g = 0; g < states.group_count(); ++g) states.append_blocks(g, blocks);

  double largest = 0.0;
  for (const mechanics::ForceBlock& block : blocks) {
    for (const double value : block.values) largest = std::max(largest, std::abs(value));
  }
  const std::vector<double> settled = state.extra;
  for (std::size_t body = 0; body < 2; ++body) {
    for (std::size_t column = 0; column < 12; ++column) {
      const auto moved_forces = [&](double step) {
        const mechanics::Motion<double> kept = workspace.bodies[body];
        mechanics::Motion<double>& m = workspace.bodies[body];
        const Vector3 axis = Vector3::Unit(static_cast<Eigen::Index>(column % 3));
        const Vector3 way = step * axis;
        if (column < 3) m.p += way;
        if (column / 3 == 1) m.R = Matrix3(Eigen::AngleAxisd(step, axis) * m.R);
        if (column / 3 == 2) m.v += way;
        if (column / 3 == 3) m.w += way;
        settle_states(model, state, workspace, known, kGain);
        std::fill(workspace.forces.begin(), workspace.forces.end(), 0.0);
        mechanics::add_elements(context, workspace);
        workspace.bodies[body] = kept;
        state.extra = settled;
        return workspace.forces;
      };
      constexpr double kStep = 1e-5;
      const std::vector<double> plus = moved_forces(kStep), minus = moved_forces(-kStep);
      for (std::size_t on = 0; on < 2; ++on) {
        for (std::size_t i = 0; i < 6; ++i) {
          double exact = 0.0;
          for (const mechanics::ForceBlock& block : blocks) {
            if (block.on_body == std::int32_t(on) && block.by_body == std::int32_t(body)) {
              exact += block.values[12 * i + column];
            }
          }
          const double difference = (plus[6 * on + i] - minus[6 * on + i]) / (2.0 * kStep);
          EXPECT_NEAR(exact, difference, 1e-6 * largest) << "on " << on << " by " << body << ", " << i << column;
        }
      }
    }
  }
}

// A spring that exists only through a state: s' = rate, torque -K s. Newton sees it as if it were a spring.
TEST(States, AreSeenThroughByNewton) {
  for (const double stiffness : {1e2, 1e6, 1e10}) {
    const Assembled model = assemble_text(R"yaml(
gravity: none
parameters: {K: )yaml" + std::to_string(stiffness) +
                                          R"yaml( N*m/rad}
parts:
  wheel: {mass: 1 kg, inertia: {xx: 1e-2, yy: 1e-2, zz: 1e-2}}
joints:
  shaft: {type: revolute, between: [ground, wheel], axis: z, start: {rate: 1 rad/s}}
forces:
  coil: {type: actuator, drives: shaft.angle, value: =-K*(s + s^3) - 0.01 (s*N*m/rad)*rate, states: {s: {start: 0, rate: =rate}}}
)yaml");
    ASSERT_TRUE(model.is_ready()) << model.messages();
    test::Motion motion(model, options_of(Method::generalized_alpha, 0.0, 1e-2));
    ASSERT_TRUE(motion.advance_to(0.3)) << stiffness;
    const integrate::Counters& counters = motion.integrator().counters();
    EXPECT_LT(static_cast<double>(counters.newton_iterations), 5.0 * static_cast<double>(counters.accepted));
    EXPECT_LT(motion.probe().energy().kinetic, 0.51 * 1e-2) << "no more than at the start";
  }
}

TEST(States, DoNotDependOnTheDivision) {
  const std::string text = R"yaml(
up: y
definitions:
  swing:
    parameters: {lag: 0.1 s}
    parts:
      arm: {mass: 1 kg, center_of_mass: [0.1, 0, 0], inertia: {xx: 0.01, yy: 0.02, zz: 0.02}, frames: {tip: [0.2, 0, 0]}}
      bob: {at: arm.tip, mass: 0.5 kg, center_of_mass: [0.1, 0, 0], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}, frames: {tip: [0.2, 0, 0]}}
    joints: {knee: {type: revolute, between: [arm.tip, bob], axis: z}}
    forces:
      muscle:
        type: actuator
        drives: knee.angle
        value: =-20 (N*m)*slow
        states: {slow: {start: 0, rate: =(coordinate - slow)/lag}}
    ports: {root: arm, tip: bob.tip}
assemblies:
  first: {use: swing, attach: {root: {type: revolute, to: ground, axis: z, start: {angle: 30 deg}}}}
  second: {use: swing, at: [0.4, 0, 0], set: {lag: 0.02 s}, attach: {root: {type: revolute, to: first.tip, axis: z}}}
)yaml";
  const Assembled model = assemble_text(text);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  for (const Method method : {Method::dopri5, Method::bdf, Method::generalized_alpha}) {
    std::vector<double> ends[2];
    for (const bool is_divided : {false, true}) {
      test::Motion motion(model, options_of(method, 1e-9, 1e-3),
                          is_divided ? analysis::Partitioning::model : analysis::Partitioning::none);
      ASSERT_TRUE(motion.advance_to(0.5));
      for (const char* const path : {"first.muscle.slow", "second.muscle.slow"}) {
        ends[is_divided ? 1 : 0].push_back(state_of(model, motion.state(), path));
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_GT(std::abs(ends[0][i]), 1e-3);
      EXPECT_NEAR(ends[0][i], ends[1][i], 1e-7);
    }
  }
}

// A driver may follow a state: ω' = (ω₁ - ω)/T gives ω = ω₁ (1 - e^{-t/T}), and the torque is J ω'.
TEST(States, MayLeadDrivers) {
  const Assembled model = assemble_text(R"yaml(
gravity: none
parts:
  wheel: {mass: 1 kg, inertia: {xx: 2e-2, yy: 2e-2, zz: 3e-2}}
joints:
  shaft: {type: revolute, between: [ground, wheel], axis: z}
states:
  speed: {start: 0 rad/s, rate: =(5 (rad/s) - speed)/(0.2 s)}
drivers:
  spindle: {drives: shaft.angle, rate: =2*speed}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  for (const Method method : {Method::dopri5, Method::bdf}) {
    test::Motion motion(model, options_of(method, 1e-9, 0.0));
    ASSERT_TRUE(motion.advance_to(0.3));
    const double rest = std::exp(-0.3 / 0.2);
    EXPECT_NEAR(motion.probe().rate("shaft", "angle"), 10.0 * (1.0 - rest), 1e-6);
    EXPECT_NEAR(motion.probe().coordinate("shaft", "angle"), 10.0 * (0.3 - 0.2 * (1.0 - rest)), 1e-6);
    EXPECT_NEAR(motion.instant().efforts[0], 3e-2 * 10.0 / 0.2 * rest, 1e-6);
  }
}

// A rate that switches: steps end there, so that the order of the method is kept.
TEST(States, HaveSwitchesThatEndSteps) {
  const Assembled model = assemble_text(R"yaml(
gravity: none
parts:
  wheel: {mass: 1 kg, inertia: {xx: 1e-2, yy: 1e-2, zz: 1e-2}}
states:
  x: {start: 1, rate: "=if(x > 0.5, -1 (1/s), -x/(0.25 s))"}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, test::dopri5(1e-9));
  ASSERT_TRUE(motion.advance_to(1.0));
  EXPECT_NEAR(state_of(model, motion.state(), "x"), 0.5 * std::exp(-0.5 / 0.25), 1e-8);
}

// The mirror image does what its original does: states are numbers as written.
TEST(States, AreTheSameInAMirror) {
  const Assembled model = assemble_text(R"yaml(
up: z
definitions:
  flap:
    parts: {leaf: {mass: 1 kg, center_of_mass: [0.1, 0.1, 0], inertia: {xx: 0.01, yy: 0.01, zz: 0.02}, frames: {tip: [0.2, 0.1, 0]}}}
    forces:
      push: {type: force, applied_to: leaf.tip, along: y, value: =p, states: {p: {start: 1 N, rate: "=-3 (N/m)*leaf.tip.velocity.y"}}}
    ports: {root: leaf}
assemblies:
  left: {use: flap, at: [0, 1, 0], attach: {root: {type: revolute, to: ground, axis: z}}}
  right: {mirror_of: left, plane: xz}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, test::dopri5(1e-9));
  ASSERT_TRUE(motion.advance_to(0.5));
  const double left = state_of(model, motion.state(), "left.push.p");
  EXPECT_GT(std::abs(left - 1.0), 1e-3);
  EXPECT_NEAR(left, state_of(model, motion.state(), "right.push.p"), 1e-12);
}

void expect_error(const std::string& forces, const std::string& states, Code code, const std::string& words) {
  const Assembled model = assemble_text(R"yaml(
parts:
  wheel: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  shaft: {type: revolute, between: [ground, wheel], axis: z}
forces: {)yaml" + forces + "}\nstates: {" +
                                        states + "}\n");
  EXPECT_NE(model.find(code), nullptr) << model.messages();
  EXPECT_NE(model.messages().find(words), std::string::npos) << model.messages();
}

std::string servo(const std::string& states) {
  return "servo: {type: actuator, drives: shaft.angle, value: 1 N*m, states: {" + states + "}}";
}

TEST(States, SayWhatIsWrong) {
  expect_error("", "p: {start: 1 bar, rate: \"=2 bar\"}", Code::wrong_dimension, "so its rate must be");
  expect_error("", "p: {start: 1, rate: \"=2 (A/s)\"}", Code::wrong_dimension, "give its start a unit");
  expect_error("", "p: {start: 1 bar, rate: \"=0 (bar/s)\", scale: 1 m}", Code::wrong_dimension, "scale");
  expect_error("", "p: {start: 1 bar, rate: \"=0 (bar/s)\", scale: 0 bar}", Code::out_of_range, "scale");
  expect_error("", "p: {start: 1 bar}", Code::missing_key, "rate");
  expect_error("", "wheel: {start: 1, rate: 0}", Code::duplicate_name, "already used by a part");
  expect_error("", "p: {start: 1 m, rate: =wheel.acceleration.x * 1 s}", Code::reads_too_early, "accelerations");
  expect_error("", "p: {start: 1 m, rate: =q/(1 s)}", Code::unknown_name, "q");
  expect_error("", "p: {start: 1 m, rate: =p.x/(1 s)}", Code::unknown_channel, "single number");
  expect_error(servo("rate: {start: 1, rate: 0}"), "", Code::duplicate_name, "meaning of its own");
  expect_error(servo("torque: {start: 1, rate: 0}"), "", Code::duplicate_name, "already a channel");
  expect_error(servo("i: {start: 1 A, rate: =servo.j/(1 s)}"), "", Code::unknown_channel, "i");
}

// Angles have no dimension: a unit or the rate says what turns.
TEST(StatesShown, WhatTurnsIsAnAngle) {
  const Checked checked = check_text(R"yaml(
gravity: none
parts:
  wheel: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  hinge: {type: revolute, between: [ground, wheel], axis: z}
states:
  followed: {start: 0 rad, rate: =hinge.rate}
  lag: {start: 10 deg, rate: =(hinge.angle - lag)/(0.1 s)}
  shown: {start: 0, unit: deg, rate: =1/(1 s)}
  speed: {start: 0 rad/s, unit: rpm, rate: =2 (rad/s^2)}
  share: {start: 0.5, rate: =(1 - share)/(3 s)}
)yaml");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const auto measured = [&](const std::string& path) {
    const auto& states = checked.machine.states;
    return states[test::index_of_path(states, path)].measures;
  };
  EXPECT_EQ(measured("followed"), Quantity::angle);
  EXPECT_EQ(measured("lag"), Quantity::angle);
  EXPECT_EQ(measured("shown"), Quantity::angle);
  EXPECT_EQ(measured("speed"), Quantity::angular_rate);
  EXPECT_EQ(measured("share"), Quantity::any) << "a plain number";
}

}  // namespace
}  // namespace gelenk::states_test
