// From the drawing to the start: exact start values, the right branch, nothing disturbed that fits already.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "gelenk/math/rotation.h"
#include "tests/support/load_example.h"
#include "tests/support/run_text.h"

namespace gelenk::assemble_start_test {
namespace {

using test::assemble_text;
using test::Assembled;

constexpr double kDegree = std::numbers::pi / 180.0;
// Start values and closure: rounding of lengths below a meter and angles below a turn.
constexpr double kExact = 1e-12;

std::string degrees(double angle) { return std::to_string(angle) + " deg"; }

std::string crank_slider(const std::string& main_bearing, const std::string& bore = {}, const std::string& piston = {},
                         const std::string& crank_pin = {}) {
  return R"yaml(
gravity: none
parts:
  crank: {mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {pin: {at: [50 mm, 0, 0]}}}
  rod: {at: crank.pin, mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {small_end: {at: [150 mm, 0, 0]}}}
  piston: {at: rod.small_end, mass: 0.5 kg, inertia: {xx: 1e-4, yy: 1e-4, zz: 1e-4})yaml" +
         piston + R"yaml(}
joints:
  main_bearing: {type: revolute, between: [ground, crank], axis: z)yaml" +
         main_bearing + R"yaml(}
  crank_pin: {type: revolute, between: [crank.pin, rod], axis: z)yaml" +
         crank_pin + R"yaml(}
  wrist_pin: {type: revolute, between: [rod.small_end, piston], axis: z}
  bore: {type: prismatic, between: [ground, piston], axis: x)yaml" +
         bore + "}\n";
}
// Travel of the piston on the branch that is drawn.
double travel(double angle) {
  const double s = 0.05 * std::sin(angle);
  return 0.05 * std::cos(angle) + std::sqrt(0.15 * 0.15 - s * s);
}

class CrankAngle : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(All, CrankAngle, testing::Values(30.0, 90.0, 179.0, 180.0, 181.0, 350.0, -90.0, 750.0));

// S2-20: a value of a joint puts a closed loop together.
TEST_P(CrankAngle, IsReachedFromTheDrawingOnTheDrawnBranch) {
  const Assembled model = assemble_text(crank_slider(", start: {angle: " + degrees(GetParam()) + "}"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Probe probe(model);
  EXPECT_NEAR(probe.coordinate("main_bearing", "angle"), GetParam() * kDegree, kExact);
  EXPECT_NEAR(probe.coordinate("bore", "travel"), travel(GetParam() * kDegree), kExact);
  EXPECT_LT(probe.largest_row_value(), kExact);
  EXPECT_EQ(model.assembly->rank_tolerance, 1e-6);
}

TEST_P(CrankAngle, IsReachedByADriver) {
  const Assembled model = assemble_text(
      crank_slider("") + "drivers: {motor: {drives: main_bearing.angle, position: " + degrees(GetParam()) + "}}\n");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Probe probe(model);
  EXPECT_NEAR(probe.coordinate("main_bearing", "angle"), GetParam() * kDegree, kExact);
  EXPECT_NEAR(probe.coordinate("bore", "travel"), travel(GetParam() * kDegree), kExact);
}

TEST(Start, ImpossibleValueNamesTheJoint) {
  const Assembled model = assemble_text(crank_slider("", ", start: {travel: 250 mm}"));
  EXPECT_FALSE(model.is_ready());
  const Diagnostic* reported = model.find(Code::start_not_possible);
  ASSERT_NE(reported, nullptr) << model.messages();
  EXPECT_EQ(reported->element, "bore");
  EXPECT_NE(reported->message.find("0.25 m"), std::string::npos) << reported->message;
  const std::size_t reached = reported->message.find("only reach ");
  ASSERT_NE(reached, std::string::npos) << reported->message;
  // Crank and rod in line, approached in increments of the way to go.
  EXPECT_NEAR(std::stod(reported->message.substr(reached + 11)), 0.2, 5e-5) << reported->message;
}

// A start value is exact or refused: it is no drawing, which may be a little wrong.
TEST(Start, AValueSlightlyOutOfReachIsRefused) {
  for (const char* value : {"200.05 mm", "200.001 mm"}) {
    const Assembled model = assemble_text(crank_slider("", std::string(", start: {travel: ") + value + "}"));
    EXPECT_FALSE(model.is_ready()) << value << " was taken for " << test::Probe(model).coordinate("bore", "travel")
                                   << " m\n"
                                   << model.messages();
    if (model.is_ready()) continue;
    const Diagnostic* reported = model.find(Code::start_not_possible);
    ASSERT_NE(reported, nullptr) << model.messages();
    EXPECT_EQ(reported->element, "bore");
  }
}

TEST(Start, ValuesThatContradictEachOtherAreTold) {
  const Assembled model = assemble_text(crank_slider(", start: {angle: 30 deg}", ", start: {travel: 120 mm}"));
  EXPECT_FALSE(model.is_ready());
  ASSERT_NE(model.find(Code::start_not_possible), nullptr) << model.messages();
}

TEST(Start, RateIsExactAndTheRestFollows) {
  const Assembled model = assemble_text(crank_slider(", start: {angle: 30 deg, rate: 8 rad/s}"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Probe probe(model);
  EXPECT_NEAR(probe.rate("main_bearing", "angle"), 8.0, 8.0 * kExact);
  // dx/dt = -r ω (sin φ + r sin φ cos φ / √(l² - r² sin² φ))
  const double s = std::sin(30.0 * kDegree);
  const double c = std::cos(30.0 * kDegree);
  const double speed = -0.05 * 8.0 * (s + 0.05 * s * c / std::sqrt(0.15 * 0.15 - 0.05 * 0.05 * s * s));
  EXPECT_NEAR(probe.rate("bore", "travel"), speed, kExact);
  EXPECT_LT(probe.largest_row_rate(), kExact);
}

TEST(Start, VelocityOfAPartIsExactAndTheRestFollows) {
  const Assembled model =
      assemble_text(crank_slider(", start: {angle: 90 deg}", "", ", start: {velocity: [0.5, 0, 0]}"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Probe probe(model);
  EXPECT_NEAR(probe.part("piston").v.x(), 0.5, kExact);
  EXPECT_NEAR(probe.rate("main_bearing", "angle"), -10.0, 1e-11);  // v = -r ω at 90°
}

TEST(Start, VelocitiesThatTheJointsForbidAreTold) {
  for (const std::string& text : {crank_slider("", "", ", start: {velocity: [0, 0.5, 0]}"),
                                  crank_slider(", start: {angle: 90 deg, rate: 3 rad/s}", ", start: {speed: 1 m/s}"),
                                  crank_slider(", start: {angle: 90 deg, rate: 3 rad/s}") +
                                      "drivers: {motor: {drives: main_bearing.angle, rate: 4 rad/s}}\n"}) {
    const Assembled model = assemble_text(text);
    EXPECT_FALSE(model.is_ready()) << text;
    const Diagnostic* reported = model.find(Code::start_not_possible);
    ASSERT_NE(reported, nullptr) << text << model.messages();
    EXPECT_FALSE(reported->element.empty());
  }
}

// Two arms of 1 m from the origin to a point 1.2 m away: the elbow is up or down, at ±acos(-0.28) = ±106.26°.
std::string two_arms(const std::string& shoulder, const std::string& elbow) {
  return R"yaml(
gravity: none
parts:
  upper: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {end: {at: [1, 0, 0]}}}
  lower: {at: upper.end, mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {end: {at: [1, 0, 0]}}}
ground: {frames: {target: {at: [1.2, 0, 0]}}}
joints:
  shoulder: {type: revolute, between: [ground, upper], axis: z)yaml" +
         shoulder + R"yaml(}
  elbow: {type: revolute, between: [upper.end, lower], axis: z)yaml" +
         elbow + R"yaml(}
  hand: {type: revolute, between: [ground.target, lower.end], axis: z}
)yaml";
}

// S2-20: an estimate for a closed loop.
TEST(Guess, ChoosesTheElbow) {
  const double bent = std::acos(-0.28);
  for (const double sign : {1.0, -1.0}) {
    // Rough guesses, as a person gives them.
    const Assembled model = assemble_text(
        two_arms(", guess: {angle: " + degrees(-sign * 50.0) + "}", ", guess: {angle: " + degrees(sign * 100.0) + "}"));
    ASSERT_TRUE(model.is_ready()) << model.messages();
    test::Probe probe(model);
    EXPECT_NEAR(probe.coordinate("elbow", "angle"), sign * bent, kExact);
    EXPECT_NEAR(probe.coordinate("shoulder", "angle"), -0.5 * sign * bent, kExact);
    EXPECT_LT(probe.largest_row_value(), kExact);
  }
}

// With the crank at its start angle the rod can point to either side; no motion leads from one to the other. The rod's
// angles on the crank are -76.8° and 136.8°: the guesses are as rough as a person's.
TEST(Guess, ChoosesTheBranchOfAMachineThatMoves) {
  for (const double sign : {1.0, -1.0}) {
    const Assembled model = assemble_text(crank_slider(
        ", start: {angle: 60 deg}", "", "", ", guess: {angle: " + degrees(sign > 0.0 ? -70.0 : 130.0) + "}"));
    ASSERT_TRUE(model.is_ready()) << model.messages();
    test::Probe probe(model);
    const double s = 0.05 * std::sin(60.0 * kDegree);
    EXPECT_NEAR(probe.coordinate("main_bearing", "angle"), 60.0 * kDegree, kExact);
    EXPECT_NEAR(probe.coordinate("bore", "travel"), 0.025 + sign * std::sqrt(0.15 * 0.15 - s * s), kExact);
  }
}

// Drawn in line, the crank can leave to both sides: the travel alone does not say where to.
TEST(Guess, LeadsOutOfADeadPoint) {
  for (const double sign : {1.0, -1.0}) {
    const Assembled model =
        assemble_text(crank_slider(", guess: {angle: " + degrees(sign * 80.0) + "}", ", start: {travel: 150 mm}"));
    ASSERT_TRUE(model.is_ready()) << model.messages();
    test::Probe probe(model);
    EXPECT_NEAR(probe.coordinate("bore", "travel"), 0.15, kExact);
    // Triangle of crank, rod and travel: cos φ = (r² + x² - l²) / (2 r x)
    EXPECT_NEAR(probe.coordinate("main_bearing", "angle"), sign * std::acos(0.0025 / 0.015), kExact);
  }
}

TEST(Drawing, AJointDrawnTheWrongWayRoundIsTurned) {
  // Half a turn about x: the axes of the hinge are opposite, which its rows alone cannot see.
  for (const char* type : {"revolute", "cylindrical", "prismatic", "fixed", "planar"}) {
    const std::string axis = std::string(type) == "fixed" ? "" : ", axis: z";
    const Assembled model = assemble_text(R"yaml(
gravity: none
parts:
  flap:
    at: {position: [0, 0, 0], orientation: {axis: x, angle: 180 deg}}
    mass: 1 kg
    inertia: {xx: 0.1, yy: 0.1, zz: 0.1}
joints: {hinge: {type: )yaml" + std::string(type) +
                                              ", between: [ground, flap]" + axis + "}}\n",
                                          {.merge_welded = false});
    ASSERT_TRUE(model.is_ready()) << type << model.messages();
    test::Probe probe(model);
    EXPECT_LT(probe.largest_row_value(), kExact) << type;
    EXPECT_NEAR(probe.part("flap").R(2, 2), 1.0, kExact) << type;
    ASSERT_EQ(model.assembly->moved.size(), 1u) << type;
    EXPECT_NEAR(model.assembly->moved[0].angle, std::numbers::pi, 1e-6) << type;
  }
}

TEST(Drawing, PartsFarAwayAreBroughtAndTold) {
  const Assembled model = assemble_text(R"yaml(
gravity: none
parts:
  base: {at: [5, 5, 5], mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {end: {at: [1, 0, 0]}}}
  arm: {at: [-3, 2, 1], mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
joints:
  foot: {type: revolute, between: [ground, base], axis: z}
  knee: {type: spherical, between: [base.end, arm]}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Probe probe(model);
  EXPECT_LT(probe.largest_row_value(), kExact);
  ASSERT_EQ(model.assembly->moved.size(), 2u);
  EXPECT_NEAR(model.assembly->moved[0].distance, std::sqrt(75.0), 1e-9);
  EXPECT_EQ(model.system->parts[static_cast<std::size_t>(model.assembly->moved[0].part)].path, "base");
}

class ExampleFiles : public testing::TestWithParam<const char*> {
 protected:
  // The joints alone, with every part moved and turned by up to `size` (m, rad).
  static Assembled assemble(double size, std::uint32_t seed) {
    test::Example example = test::load_example(GetParam());
    std::mt19937 generator(seed);
    const auto number = [&] { return size * (static_cast<double>(generator()) / 2147483648.0 - 1.0); };
    for (model::PartNode& part : example.machine.parts) {
      if (size == 0.0) break;
      const double x = number();
      const double y = number();
      part.X_WP.position += Vector3(x, y, number());
      const double turn_x = number();
      const double turn_y = number();
      part.X_WP.rotation = rotation_exp(Vector3(turn_x, turn_y, number())).toRotationMatrix() * part.X_WP.rotation;
    }
    for (model::JointNode& joint : example.machine.joints) {
      joint.start.clear();
      joint.guess.clear();
    }
    Assembled result;
    result.checked.machine = std::move(example.machine);
    result.checked.loaded = std::move(example.loaded);
    return test::assemble_model(std::move(result.checked));
  }
};
INSTANTIATE_TEST_SUITE_P(All, ExampleFiles,
                         testing::Values("double_pendulum/double_pendulum.yaml", "four_bar/four_bar.yaml",
                                         "h_frame/h_frame.yaml", "car/car.yaml", "car/car_redundant.yaml",
                                         "steam_engine/steam_engine.yaml"),
                         [](const auto& one) {
                           const std::string path = one.param;
                           const std::size_t slash = path.find('/') + 1;
                           return path.substr(slash, path.find('.') - slash);
                         });

// S0-16, S0-17: coordinates are the places of the drawing: of each body three lengths and four Euler parameters.
TEST_P(ExampleFiles, AClosedDrawingStaysAsItIs) {
  const Assembled model = assemble(0.0, 1);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const system::State drawn = system::drawn_state(*model.system, model.params);
  for (std::size_t b = 0; b < drawn.position.size(); ++b) {
    // Bit for bit.
    EXPECT_EQ(model.state().position[b], drawn.position[b]) << model.system->lead_part(b).path;
    EXPECT_EQ(model.state().orientation[b].coeffs(), drawn.orientation[b].coeffs()) << model.system->lead_part(b).path;
  }
  EXPECT_TRUE(model.assembly->moved.empty());
  EXPECT_EQ(model.assembly->rank_tolerance, 1e-6);
}

TEST_P(ExampleFiles, ADisturbedDrawingIsClosed) {
  for (const double size : {1e-5, 1e-4}) {
    const Assembled model = assemble(size, 3);
    ASSERT_TRUE(model.is_ready()) << model.messages();
    EXPECT_LT(test::Probe(model).largest_row_value(), kExact) << size;
    EXPECT_EQ(model.assembly->rank_tolerance, 1e-6) << size;
    const system::State drawn = system::drawn_state(*model.system, model.params);
    for (std::size_t b = 0; b < drawn.position.size(); ++b) {
      EXPECT_LT((model.state().position[b] - drawn.position[b]).norm(), 30.0 * size);
    }
  }
}

}  // namespace
}  // namespace gelenk::assemble_start_test
