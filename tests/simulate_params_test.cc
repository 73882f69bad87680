// Other parameter values need no new structure.
#include <gtest/gtest.h>

#include "tests/support/run_text.h"

namespace gelenk::simulate_params_test {
namespace {

using test::Checked;

std::string machine_with(const std::string& length, const std::string& stiffness, const std::string& speed) {
  return "parameters: {length: " + length + ", stiffness: " + stiffness + ", speed: " + speed + R"yaml(}
gravity: [0, -9.81, 0]
parts:
  crank: {material: steel, shape: {cylinder: {radius: 10 mm, from: [0, 0, 0], to: pin}}, frames: {pin: {at: [=length, 0, 0]}}}
  knob: {at: crank.pin, mass: "=2 (kg/m)*length", inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
  rod: {at: crank.pin, mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {end: {at: ["=3*length", 0, 0]}}}
ground: {frames: {anchor: {at: [0, "=1.5*length", 0]}}}
joints:
  hinge: {type: revolute, between: [ground, crank], axis: z}
  weld: {type: fixed, between: [crank.pin, knob]}
  pin: {type: revolute, between: [knob, rod], axis: z}
  link: {type: distance, between: [ground.anchor, rod.end], length: "=3.2*length"}    # Grashof: the crank turns all round
drivers:
  motor: {drives: hinge.angle, position: "=speed*time"}
forces:
  spring: {type: spring_damper, between: [ground.anchor, rod], stiffness: =stiffness, free_length: "=0.5*length"}
  push: {type: force, applied_to: rod, along: x, value: "=stiffness*length*step(time - 1 s)"}
outputs: {stretch: "=2*spring.force/stiffness"}
)yaml";
}

void expect_same(const Pose& a, const Pose& b) {
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.rotation, b.rotation);
}

// Every number, bit for bit: both come from the same arithmetic.
void expect_same(const system::Params& a, const system::Params& b) {
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].mass, b.bodies[i].mass);
    EXPECT_EQ(a.bodies[i].moments, b.bodies[i].moments);
    EXPECT_EQ(a.inverse_inertias[i], b.inverse_inertias[i]);
    EXPECT_EQ(a.bodies[i].mean_inverse_inertia, b.bodies[i].mean_inverse_inertia);
  }
  EXPECT_EQ(a.first_equal_body, b.first_equal_body);
  EXPECT_EQ(a.first_equal_frame, b.first_equal_frame);
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    expect_same(a.parts[i].X_BP, b.parts[i].X_BP);
    EXPECT_EQ(a.parts[i].mass, b.parts[i].mass);
    EXPECT_EQ(a.parts[i].center, b.parts[i].center);
    EXPECT_EQ(a.parts[i].inertia, b.parts[i].inertia);
  }
  ASSERT_EQ(a.frames.size(), b.frames.size());
  for (std::size_t i = 0; i < a.frames.size(); ++i) expect_same(a.frames[i], b.frames[i]);
  EXPECT_EQ(a.row_constants, b.row_constants);
  EXPECT_EQ(a.length, b.length);
  ASSERT_EQ(a.signals.size(), b.signals.size());
  for (std::size_t i = 0; i < a.signals.size(); ++i) {
    EXPECT_EQ(a.signals[i].constants, b.signals[i].constants);
    EXPECT_EQ(a.signals[i].factor, b.signals[i].factor);
  }
  ASSERT_EQ(a.forces.size(), b.forces.size());
  const auto& spring_a = std::get<model::SpringDamper>(a.forces[0]);
  const auto& spring_b = std::get<model::SpringDamper>(b.forces[0]);
  EXPECT_EQ(spring_a.stiffness, spring_b.stiffness);
  EXPECT_EQ(spring_a.free_length, spring_b.free_length);
}

// S2-03, S2-27: frames, masses, lengths and stiffnesses follow from parameters, and new values need no new structure.
TEST(Params, AreRecomputedWithoutCompiling) {
  Checked first = test::check_text(machine_with("100 mm", "500 N/m", "3 rad/s"));
  Checked second = test::check_text(machine_with("123 mm", "777 N/m", "4 rad/s"));
  ASSERT_FALSE(first.diagnostics.has_errors()) << first.messages();
  ASSERT_FALSE(second.diagnostics.has_errors()) << second.messages();
  const std::optional<system::System> of_first = system::compile(first.machine, {}, first.diagnostics);
  const std::optional<system::System> of_second = system::compile(second.machine, {}, second.diagnostics);
  ASSERT_TRUE(of_first && of_second);
  ASSERT_TRUE(system::has_same_structure(*of_first, second.machine));
  const system::Params reused = system::make_params(*of_first, second.machine);
  expect_same(reused, system::make_params(*of_second, second.machine));
  EXPECT_NE(reused.row_constants, system::make_params(*of_first, first.machine).row_constants);

  // and so is the motion
  const auto run = [&](const system::System& system, const system::Params& params) {
    const std::optional<analysis::Assembly> start =
        analysis::assemble(system, params, second.machine, 0.0, second.diagnostics);
    EXPECT_TRUE(start) << second.messages();
    analysis::MachineProblem problem(system, params, 1e-6, {.rank_tolerance = start->rank_tolerance});
    problem.set_state(integrate::Integrator::kCurrentState, start->state);
    problem.project(integrate::Integrator::kCurrentState);
    integrate::Integrator integrator(problem, test::rk4(0.01), 0.0);
    while (integrator.time() < 1.5 && integrator.advance(1.5) != integrate::Outcome::failed) {
    }
    return problem.state(integrate::Integrator::kCurrentState);
  };
  const system::State a = run(*of_first, reused);
  const system::State b = run(*of_second, system::make_params(*of_second, second.machine));
  EXPECT_EQ(a.time, 1.5);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.velocity, b.velocity);
}

// Two equal links, one that is longer, one that is heavier.
TEST(Params, KnowWhatIsEqual) {
  const auto link = [](const std::string& name, const std::string& mass, const std::string& length) {
    return "  " + name + ": {at: [0, 0, 0], mass: " + mass +
           ", inertia: {xx: 0.1, yy: 0.2, zz: 0.3}, frames: {end: {at: [" + length + ", 0, 0]}}}\n";
  };
  Checked checked = test::check_text("parts:\n" + link("one", "1 kg", "1 m") + link("two", "1 kg", "1 m") +
                                     link("long", "1 kg", "2 m") + link("heavy", "3 kg", "1 m") +
                                     "ground: {frames: {home: {at: [1 m, 0, 0]}}}\n"
                                     "joints:\n"
                                     "  a: {type: spherical, between: [ground.home, one.end]}\n"
                                     "  b: {type: spherical, between: [ground.home, two.end]}\n"
                                     "  c: {type: spherical, between: [two, long.end]}\n"
                                     "  d: {type: spherical, between: [ground.home, heavy.end]}\n");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const std::optional<system::System> system = system::compile(checked.machine, {}, checked.diagnostics);
  ASSERT_TRUE(system) << checked.messages();
  const system::Params params = system::make_params(*system, checked.machine);
  EXPECT_EQ(params.first_equal_body, (std::vector<std::int32_t>{0, 0, 0, 3}));
  const auto end_of = [&](std::size_t joint) {
    return params.first_equal_frame[static_cast<std::size_t>(system->joints[joint].frame_b)];
  };
  EXPECT_EQ(end_of(0), end_of(1));
  EXPECT_NE(end_of(0), end_of(2));
  EXPECT_EQ(end_of(0), end_of(3));
}

TEST(Params, AnotherStructureIsRefused) {
  Checked first = test::check_text(machine_with("100 mm", "500 N/m", "3 rad/s"));
  const std::optional<system::System> system = system::compile(first.machine, {}, first.diagnostics);
  ASSERT_TRUE(system) << first.messages();
  model::Machine other = first.machine;
  other.joints.pop_back();
  EXPECT_FALSE(system::has_same_structure(*system, other));
  other = first.machine;
  other.parts[0].path = "somebody_else";
  EXPECT_FALSE(system::has_same_structure(*system, other));
  EXPECT_TRUE(system::has_same_structure(*system, first.machine));
}

}  // namespace
}  // namespace gelenk::simulate_params_test
