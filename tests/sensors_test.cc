// What outputs make of the motion: derivatives by time, reactions about chosen frames (S3-34).
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gelenk/mechanics/machine_test_support.h"
#include "tests/support/run_text.h"

namespace gelenk::sensors_test {
namespace {

test::Assembled ready(const std::string& text) {
  test::Assembled model = test::assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  return model;
}

// With all that only outputs may read.
double output_of(const test::Assembled& model, test::Motion& motion, const std::string& name) {
  const system::System& system = *model.system;
  const test::Instant instant = motion.instant();
  mechanics::Workspace workspace(system);
  const mechanics::Context context{system, model.params, motion.state()};
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  mechanics::update_drivers(context, workspace);
  mechanics::View<double> now = mechanics::view(context, workspace);
  now.set_results({instant.part_accelerations, instant.reactions, instant.efforts});
  const std::size_t index = test::index_of_path(system.outputs, name);
  return index == system.outputs.size() ? std::nan("") : now.signal(system.outputs[index].value);
}

// Every derivative against differences of the output itself along the run.
TEST(Derivative, IsTheRateOfItsOutput) {
  const test::Assembled model = ready(R"yaml(
gravity: [0, 0, -10]
ground: {frames: {eye: [0.2, 1, 0.3]}}
parts:
  arm: {mass: 1 kg, center_of_mass: [0.3, 0, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.2}, frames: {tip: [0.6, 0, 0]}}
  bob: {mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, at: [0.6, 0, -0.3], start: {velocity: [0.1, 0.4, 0]}}
joints:
  hinge: {type: revolute, between: [ground, arm], axis: y, start: {rate: 2 rad/s}}
forces: {spring: {type: spring_damper, between: [arm.tip, bob], stiffness: 30 N/m}}
states: {heat: {start: 0 J, rate: "=2 (N*s/m) * bob.velocity.z^2"}}
outputs:
  plain0: =hinge.angle^2 * distance(arm.tip, ground.eye) + 1 (rad^2*m/s) * time
  rate0: {value: "=hinge.angle^2 * distance(arm.tip, ground.eye) + 1 (rad^2*m/s) * time", running: derivative}
  plain1: =bob.velocity.x * arm.tip.velocity.z
  rate1: {value: =bob.velocity.x * arm.tip.velocity.z, running: derivative}
  plain2: "=relative(bob, arm.tip).position.x + heat / 1 N"
  rate2: {value: "=relative(bob, arm.tip).position.x + heat / 1 N", running: derivative}
  plain3: "=relative(bob, arm.tip).velocity.z"
  rate3: {value: "=relative(bob, arm.tip).velocity.z", running: derivative}
  plain4: {value: {table: {of: bob.position.z, x: [-1 m, 0 m, 1 m], y: [0 N, 2 N, 8 N], interpolation: cubic}}}
  rate4: {value: {table: {of: bob.position.z, x: [-1 m, 0 m, 1 m], y: [0 N, 2 N, 8 N], interpolation: cubic}}, running: derivative}
  still: {value: =2 m, running: derivative}
)yaml");
  ASSERT_TRUE(model.is_ready());
  constexpr double kStep = 1e-4;
  for (const char* const number : {"0", "1", "2", "3", "4"}) {
    SCOPED_TRACE(number);
    test::Motion motion(model, test::dopri5(1e-12));
    ASSERT_TRUE(motion.advance_to(0.3 - kStep));
    const double before = output_of(model, motion, std::string("plain") + number);
    ASSERT_TRUE(motion.advance_to(0.3));
    const double rate = output_of(model, motion, std::string("rate") + number);
    ASSERT_TRUE(motion.advance_to(0.3 + kStep));
    const double after = output_of(model, motion, std::string("plain") + number);
    EXPECT_NEAR(rate, (after - before) / (2.0 * kStep), 1e-6 * (1.0 + std::abs(rate)));
    EXPECT_GT(std::abs(rate), 1e-3);
    EXPECT_EQ(output_of(model, motion, "still"), 0.0);
  }
}

TEST(Derivative, IsRefusedWhereItIsNotKnown) {
  const test::Checked checked = test::check_text(R"(
parts: {bob: {mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, at: [0.6, 0, -0.3]}}
forces: {spring: {type: spring_damper, between: [ground, bob], stiffness: 30 N/m}}
outputs: {jump: {value: =2 * spring.force, running: derivative}}
)");
  EXPECT_NE(checked.messages().find("how fast 'spring.force' changes is not known"), std::string::npos)
      << checked.messages();
}

// A beam of 3 kg and 2 m in a wall, turned by 30 degrees about its own axis: at its root it carries its weight, with
// the moment of its arm, in whatever axes one looks at it.
TEST(Reaction, IsThatAboutAnyFrame) {
  const test::Assembled model = ready(R"(
gravity: [0, 0, -10]
ground: {frames: {turned: {at: {position: [0.5, 0, 0], orientation: {axis: z, angle: 90 deg}}}}}
parts:
  beam: {mass: 3 kg, center_of_mass: [1, 0, 0], inertia: {xx: 0.1, yy: 1, zz: 1}, frames: {end: [2, 0, 0], mid: {at: {position: [1, 0, 0], orientation: {axis: x, angle: 30 deg}}}}}
  sail: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: [5, 0, 0]}
joints:
  wall: {type: revolute, between: [ground, beam], axis: z}
outputs:
  own: =wall.reaction.moment.y
  same: "=reaction(wall, ground).moment.y"
  middle: "=reaction(wall, beam.mid).moment.magnitude"
  end: "=reaction(wall, beam.end).moment.y"
  side: "=reaction(wall, ground.turned).moment.x"
  lift: "=reaction(wall, beam.mid).force.y"
  lean: "=reaction(wall, beam.mid).force.z"
)");
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::dopri5(1e-9));
  const auto value = [&](const char* name) { return output_of(model, motion, name); };
  // 30 N up at the wall; about the root the wall holds against weight × 1 m about y: -30 N m
  EXPECT_NEAR(value("own"), -30.0, 1e-9);
  EXPECT_NEAR(value("same"), value("own"), 1e-12);
  EXPECT_NEAR(value("middle"), 0.0, 1e-9) << "in balance about the center of mass";
  EXPECT_NEAR(value("end"), 30.0, 1e-9);
  EXPECT_NEAR(value("side"), -15.0, 1e-9) << "y of the world is x of the turned frame";
  EXPECT_NEAR(value("lift"), 30.0 * 0.5, 1e-9);
  EXPECT_NEAR(value("lean"), 30.0 * std::sqrt(0.75), 1e-9);
}

TEST(Reaction, NamesAJointAndAFrame) {
  const auto message = [](const std::string& output) {
    return test::check_text(
               "parts: {bob: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
               "joints: {hinge: {type: revolute, between: [ground, bob], axis: x}}\n"
               "outputs: {load: \"" +
               output + "\"}\n")
        .messages();
  };
  EXPECT_NE(message("=reaction(hing, bob).force.x").find("there is no joint 'hing'"), std::string::npos);
  EXPECT_NE(message("=reaction(bob, bob).force.x").find("'bob' is not a joint"), std::string::npos);
  EXPECT_NE(message("=reaction(hinge, bob).torque.x").find("has no channel 'torque.x'"), std::string::npos);
  EXPECT_NE(message("=reaction(hinge, nobody).force.x").find("nobody"), std::string::npos);
  EXPECT_EQ(message("=reaction(hinge, bob).force.x"), "");
}

}  // namespace
}  // namespace gelenk::sensors_test
