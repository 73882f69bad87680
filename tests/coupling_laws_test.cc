// Cams and formulas of joint coordinates that are held at zero: against closed forms and against linkages.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "gelenk/analysis/reaction_split.h"
#include "gelenk/mechanics/couplings.h"
#include "gelenk/mechanics/machine_test_support.h"
#include "gelenk/model/mobility.h"
#include "tests/support/run_text.h"
#include "tests/support/ways.h"

namespace gelenk::coupling_laws_test {
namespace {

using integrate::Method;
using test::Way;
constexpr double kTurn = 2.0 * std::numbers::pi;

const Way kWays[] = {
    {"dopri5", Method::dopri5, 1e-10, 1e-8},
    {"rk4", Method::rk4, 1e-3, 1e-7},
    {"bdf", Method::bdf, 1e-8, 1e-4},
    {"generalized_alpha", Method::generalized_alpha, 1e-3, 1e-3},
};
class EveryLawMethod : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Laws, EveryLawMethod, testing::ValuesIn(kWays),
                         [](const auto& one) { return std::string(one.param.name); });

std::string machine_with(const std::string& law, const std::string& rest = "", const std::string& start = "rate: 9") {
  return "gravity: [0, 0, -10]\nparts:\n"
         "  shaft: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}\n"
         "  valve: {mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}\n"
         "joints:\n"
         "  hinge: {type: revolute, between: [ground, shaft], axis: y" +
         (start.empty() ? std::string() : ", start: {" + start + "}") +
         "}\n  rail: {type: prismatic, between: [ground, valve], axis: z}\n"
         "  law: {" +
         law + "}\n" + rest;
}
const char* const kLift = "type: cam, cam: hinge.angle, follower: rail.travel, lift: =0.05 m * (1 - cos(coordinate))";

test::Assembled ready(const std::string& text) {
  test::Assembled model = test::assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  return model;
}

// S2-25: equations of the user's own. (J + m f'²) q'' + m f' (f'' q'² + g) = 0 with f = h (1 - cos q).
TEST(CouplingLaws, CamMovesAsItsClosedForm) {
  const test::Assembled model = ready(machine_with(kLift));
  ASSERT_TRUE(model.is_ready());
  EXPECT_EQ(model::expected_mobility(model.machine()).free_motions, 1U);
  test::Motion motion(model, test::dopri5(1e-11));
  for (const double time : {0.1, 0.4, 1.3}) {
    ASSERT_TRUE(motion.advance_to(time));
    test::Probe now = motion.probe();
    const double q = now.coordinate("hinge", "angle");
    const double rate = now.rate("hinge", "angle");
    EXPECT_NEAR(now.coordinate("rail", "travel"), 0.05 * (1.0 - std::cos(q)), 1e-11);
    EXPECT_NEAR(now.rate("rail", "travel"), 0.05 * std::sin(q) * rate, 1e-11);
    const double slope = 0.05 * std::sin(q);
    const double expected = -2.0 * slope * (0.05 * std::cos(q) * rate * rate + 10.0) / (0.1 + 2.0 * slope * slope);
    EXPECT_NEAR(motion.instant().part_accelerations[4], expected, 1e-9);
  }
  EXPECT_GT(motion.probe().coordinate("hinge", "angle"), kTurn);
}

TEST_P(EveryLawMethod, CamKeepsItsEnergy) {
  const test::Assembled model = ready(machine_with(kLift));
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, options_of(GetParam()));
  const double start = motion.probe().energy().total();
  ASSERT_TRUE(motion.advance_to(0.5));
  test::Probe now = motion.probe();
  EXPECT_NEAR(now.energy().total(), start, 10.0 * GetParam().error);
  EXPECT_NEAR(now.coordinate("rail", "travel"), 0.05 * (1.0 - std::cos(now.coordinate("hinge", "angle"))), 1e-10);
}

// A crank, a rod and a slider; and the same crank and slider tied by the formula of the rod.
TEST_P(EveryLawMethod, FormulaOfARodIsTheRod) {
  const std::string linkage =
      "gravity: [0, 0, -10]\nparts:\n"
      "  crank: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {pin: [0.2 m, 0, 0]}}\n"
      "  slider: {mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, at: [0.8 m, 0, 0]}\n"
      "joints:\n"
      "  hinge: {type: revolute, between: [ground, crank], axis: y, start: {rate: 8}}\n"
      "  rail: {type: prismatic, between: [ground, slider], axis: x, at: [0.8 m, 0, 0]}\n"
      "  rod: {";
  const test::Assembled rod = ready(linkage + "type: distance, between: [crank.pin, slider]}\n");
  // the travel is 0 where the crank points along the rail
  const test::Assembled formula =
      ready(linkage +
            "type: expression, of: =rail.travel + 0.8 m - 0.2 m * cos(hinge.angle) - sqrt(0.36 (m^2) - (0.2 m * "
            "sin(hinge.angle))^2)}\n");
  ASSERT_TRUE(rod.is_ready() && formula.is_ready());
  const auto end = [&](const test::Assembled& model, double* rate) {
    test::Motion motion(model, options_of(GetParam()));
    EXPECT_TRUE(motion.advance_to(0.5));
    test::Probe now = motion.probe();
    *rate = now.rate("hinge", "angle");
    return now.coordinate("hinge", "angle");
  };
  double rate_of_rod = 0.0;
  double rate_of_formula = 0.0;
  EXPECT_NEAR(end(rod, &rate_of_rod), end(formula, &rate_of_formula), 10.0 * GetParam().error);
  EXPECT_NEAR(rate_of_rod, rate_of_formula, 100.0 * GetParam().error);
}

// A straight law is a coupler, on the same numbers.
TEST(CouplingLaws, StraightLawIsACoupler) {
  const auto travel = [](const std::string& law) {
    const test::Assembled model = ready(machine_with(law));
    if (!model.is_ready()) return std::nan("");
    test::Motion motion(model, test::rk4(1e-3));
    EXPECT_TRUE(motion.advance_to(0.4));
    return motion.probe().coordinate("rail", "travel");
  };
  const double coupler = travel("type: coupler, couples: [hinge.angle, rail.travel], ratio: 30 mm");
  EXPECT_NEAR(travel("type: cam, cam: hinge.angle, follower: rail.travel, lift: =30 mm * coordinate"), coupler, 1e-11);
  EXPECT_NEAR(travel("type: expression, of: =rail.travel - 30 mm * hinge.angle"), coupler, 1e-11);
  EXPECT_GT(std::abs(coupler), 0.05);
}

// A cam between a hinge and a rail on a part that tumbles: nothing is gained or lost, whole or divided.
const char* const kTumbling = R"(
gravity: [0, 0, -9.81]
parts:
  carrier: {mass: 3 kg, inertia: {xx: 0.3, yy: 0.2, zz: 0.25}, start: {angular_velocity: [1, 2, 3]}}
  wheel: {mass: 1 kg, inertia: {xx: 0.02, yy: 0.02, zz: 0.04}, at: [0.3, 0, 0]}
  slide: {mass: 0.5 kg, inertia: {xx: 0.01, yy: 0.02, zz: 0.01}, at: [0, 0.3, 0]}
joints:
  foot: {type: spherical, between: [ground, carrier], at: [0, 0, 0.4]}
  hinge: {type: revolute, between: [carrier, wheel], at: [0.3, 0, 0], axis: z, start: {rate: 6}}
  rail: {type: prismatic, between: [carrier, slide], at: [0, 0.3, 0], axis: [1, 2, 0.5]}
  law: {type: cam, cam: hinge.angle, follower: rail.travel, lift: =0.1 m * sin(coordinate) + 0.02 m * sin(2 * coordinate)}
)";
TEST(CouplingLaws, TumblingCamKeepsItsEnergyWithAllSolvers) {
  const test::Assembled model = ready(kTumbling);
  ASSERT_TRUE(model.is_ready());
  test::Motion by_components(model, test::dopri5(1e-10));
  test::Motion flat(model, test::dopri5(1e-10), analysis::Partitioning::none);
  const double start = flat.probe().energy().total();
  ASSERT_TRUE(by_components.advance_to(0.7));
  ASSERT_TRUE(flat.advance_to(0.7));
  EXPECT_NEAR(flat.probe().energy().total(), start, 1e-7);
  EXPECT_LT((by_components.probe().part("slide").p - flat.probe().part("slide").p).norm(), 1e-8);
}

// Rows by their places, rates and accelerations; their loads by the positions: against differences along the motion and
// by nudges of each body.
TEST(CouplingLaws, RowsHaveExactDerivatives) {
  const test::Assembled model = ready(kTumbling);
  ASSERT_TRUE(model.is_ready());
  const system::System& system = *model.system;
  system::State state = test::Motion(model, test::rk4(1e-3)).state();
  const std::size_t row = system.rows.size();
  mechanics::Workspace workspace(system);
  const auto load = [&](const system::State& at) {
    const mechanics::Context context{system, model.params, at};
    mechanics::update_positions(context, workspace);
    mechanics::update_velocities(context, workspace);
    mechanics::update_couplings(context, workspace);
    return context;
  };
  constexpr double kStep = 1e-6;
  // ġ = J V against (g(q + h V) - g(q - h V)) / 2h, and J A = u against the rate of ġ without accelerations
  const auto at_time = [&](double h, bool is_rate) {
    system::State moved = state;
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
      moved.position[b] += h * Vector3::Map(&state.velocity[6 * b]);
      moved.orientation[b] = turned(state.orientation[b], h * Vector3::Map(&state.velocity[6 * b + 3]));
    }
    std::vector<double> values(system.row_count());
    const mechanics::Context context = load(moved);
    if (is_rate) {
      mechanics::coupling_rates(context, workspace, values);
    } else {
      mechanics::coupling_values(context, workspace, values);
    }
    return values[row];
  };
  std::vector<double> rates(system.row_count());
  std::vector<double> biases(system.row_count());
  mechanics::coupling_rates(load(state), workspace, rates);
  mechanics::coupling_biases(load(state), workspace, biases);
  EXPECT_NEAR(rates[row], (at_time(kStep, false) - at_time(-kStep, false)) / (2.0 * kStep), 1e-8);
  EXPECT_NEAR(-biases[row], (at_time(kStep, true) - at_time(-kStep, true)) / (2.0 * kStep), 1e-7);
  EXPECT_GT(std::abs(biases[row]), 0.1);

  const std::vector<double> multipliers(system.row_count(), 1.7);
  std::vector<mechanics::ForceBlock> blocks;
  mechanics::append_coupling_derivatives(load(state), workspace, multipliers, blocks);
  const auto sums = [&](std::size_t body, std::size_t direction, double h) {
    system::State nudged = state;
    mechanics::test::nudge(nudged, body, direction, h);
    load(nudged);
    std::vector<double> forces(6 * system.bodies.size(), 0.0);
    mechanics::add_coupling_forces(system, workspace, multipliers, forces);
    return forces;
  };
  mechanics::test::expect_differences(blocks, system.bodies.size(), 6, sums, kStep, 1e-7);
}

TEST(CouplingLaws, MirrorImageOfACamMovesAsTheMirrorImage) {
  const std::string cam = R"(
definitions:
  unit:
    parts:
      wheel: {mass: 1 kg, inertia: {xx: 0.02, yy: 0.03, zz: 0.04}, at: [0.3, 0.4, 0]}
      slide: {mass: 0.5 kg, inertia: {xx: 0.01, yy: 0.02, zz: 0.01}, at: [0, 0.8, 0]}
    joints:
      hinge: {type: revolute, between: [ground, wheel], at: [0.3, 0.4, 0], axis: z, start: {rate: 6}}
      rail: {type: prismatic, between: [ground, slide], at: [0, 0.8, 0], axis: [1, 2, 0.5]}
      law: {type: cam, cam: hinge.angle, follower: rail.travel, lift: =0.1 m * sin(coordinate) + 0.02 m * coordinate}
assemblies:
  left: {use: unit}
  right: {mirror_of: left, plane: xz}
)";
  const test::Assembled model = ready(cam);
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::rk4(1e-3));
  ASSERT_TRUE(motion.advance_to(0.5));
  const Vector3 left = motion.probe().part("left.slide").p;
  const Vector3 right = motion.probe().part("right.slide").p;
  EXPECT_LT((right - Vector3(left.x(), -left.y(), left.z())).norm(), 1e-11);
  EXPECT_GT((left - Vector3(0.0, 0.8, 0.0)).norm(), 0.01);
}

// The recorded torque is one on the joint's own coordinate, as that of any coupling: in an assembly that is mirrored,
// the angle of a cylindrical joint goes the other way round.
TEST(CouplingLaws, RecordedEffortIsThatOfACoupler) {
  const auto efforts = [](const std::string& law) {
    const test::Assembled model = ready(R"(
gravity: none
definitions:
  unit:
    parts:
      wheel: {mass: 1 kg, inertia: {xx: 0.02, yy: 0.03, zz: 0.04}, at: [0.3, 0.4, 0]}
      drum: {mass: 0.5 kg, inertia: {xx: 0.01, yy: 0.02, zz: 0.01}, at: [0, 0.8, 0]}
    joints:
      hinge: {type: cylindrical, between: [ground, wheel], at: wheel, axis: z}
      other: {type: cylindrical, between: [ground, drum], at: drum, axis: x}
      law: {)" + law + R"(}
    forces: {motor: {type: actuator, drives: hinge.angle, value: 2}}
assemblies:
  left: {use: unit}
  right: {mirror_of: left, plane: xz}
)");
    std::vector<double> result(2, std::nan(""));
    if (!model.is_ready()) return result;
    test::Motion motion(model, test::rk4(1e-3));
    const system::System& system = *model.system;
    std::vector<double> accelerations(6 * system.bodies.size());
    std::vector<double> multipliers(system.row_count());
    motion.problem().dynamics().accelerations(integrate::Integrator::kCurrentState, accelerations, multipliers);
    mechanics::coupling_efforts(system, model.params, multipliers, result);
    return result;
  };
  const std::vector<double> coupler = efforts("type: coupler, couples: [hinge.angle, other.angle], ratio: 3");
  const std::vector<double> cam = efforts("type: cam, cam: other.angle, follower: hinge.angle, lift: =coordinate / 3");
  EXPECT_GT(std::abs(coupler[0]), 0.1);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(cam[i], coupler[i], 1e-12) << i;
}

// How loads are shared goes by the slopes of a law, as by the factors of a coupler; and a check allows for them.
TEST(CouplingLaws, SlopesCountAsFactors) {
  const auto compliance = [](const std::string& law) {
    const test::Assembled model = ready(machine_with(law));
    return model.is_ready()
               ? analysis::row_compliances(*model.system, model.params, analysis::ReactionSplit::by_mass).back()
               : std::nan("");
  };
  // follower - lift, where the coupler is the other way round
  EXPECT_DOUBLE_EQ(compliance("type: cam, cam: hinge.angle, follower: rail.travel, lift: =30 mm * coordinate"),
                   compliance("type: coupler, couples: [hinge.angle, rail.travel], ratio: 30 mm"));
  const test::Assembled model = ready(machine_with(kLift, "", "angle: 80 deg"));
  ASSERT_TRUE(model.is_ready());
  mechanics::Workspace workspace(*model.system);
  const mechanics::Context context{*model.system, model.params, model.state()};
  mechanics::update_positions(context, workspace);
  std::vector<double> slopes(model.system->coupling_terms.size());
  mechanics::coupling_slopes(context, workspace, slopes);
  ASSERT_EQ(slopes.size(), 2U);
  EXPECT_NEAR(slopes[0], 1.0, 1e-14);
  EXPECT_NEAR(slopes[1], -0.05 * std::sin(80.0 * kTurn / 360.0), 1e-9);
}

// A start value of one side is enough; those that do not fit are refused by name.
TEST(CouplingLaws, StartValuesFollowTheCurve) {
  const test::Assembled model = ready(machine_with(kLift, "", "angle: 80 deg, rate: 3"));
  ASSERT_TRUE(model.is_ready());
  test::Probe start(model);
  const double q = 80.0 * kTurn / 360.0;
  EXPECT_NEAR(start.coordinate("rail", "travel"), 0.05 * (1.0 - std::cos(q)), 1e-10);
  EXPECT_NEAR(start.rate("rail", "travel"), 0.05 * std::sin(q) * 3.0, 1e-10);
}

// A closed curve through points: the same after any number of turns, with slope and curvature where it closes.
TEST(CouplingLaws, PeriodicTableIsAClosedCurve) {
  std::string x;
  std::string y;
  constexpr int kPoints = 24;
  for (int i = 0; i <= kPoints; ++i) {
    const double angle = kTurn * (i % kPoints) / kPoints;
    x += (i == 0 ? "" : ", ") + std::to_string(360 / kPoints * i) + " deg";
    y += (i == 0 ? "" : ", ") + std::to_string(20.0 * (1.0 - std::cos(angle))) + " mm";
  }
  const test::Assembled model =
      ready(machine_with("type: cam, cam: hinge.angle, follower: rail.travel, lift: {table: {of: =coordinate, x: [" +
                             x + "], y: [" + y + "], interpolation: periodic}}",
                         "drivers: {motor: {drives: hinge.angle, position: =30 (rad/s) * time}}\n", ""));
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::dopri5(1e-9));
  for (const double time : {0.1, 0.2, 0.2094, 0.2095, 0.6}) {
    ASSERT_TRUE(motion.advance_to(time));
    const double q = 30.0 * time;
    // a cubic spline misses a cosine by h⁴/384
    EXPECT_NEAR(motion.probe().coordinate("rail", "travel"), 0.02 * (1.0 - std::cos(q)), 5e-7);
    EXPECT_NEAR(motion.instant().part_accelerations[8], 0.02 * 900.0 * std::cos(q), 0.2);
  }
}

}  // namespace
}  // namespace gelenk::coupling_laws_test
