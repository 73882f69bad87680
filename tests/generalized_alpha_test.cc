// Implicit steps of whole machines by the generalized-α method.
#include <gtest/gtest.h>

#include <cmath>

#include "gelenk/analysis/run_options.h"
#include "tests/support/bushing_chain.h"
#include "tests/support/run_text.h"

namespace gelenk::generalized_alpha_test {
namespace {

integrate::Options generalized_alpha(double step, double spectral_radius = 0.8) {
  integrate::Options options;
  options.method = integrate::Method::generalized_alpha;
  options.step = step;
  options.spectral_radius = spectral_radius;
  return options;
}

// Largest distance between the bodies of two states, m.
double distance(const system::State& a, const system::State& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    largest = std::max(largest, (a.position[i] - b.position[i]).norm());
  }
  return largest;
}

struct Steps {
  bool is_good = false;
  double iterations_per_step = 0.0;
  double fastest = 0.0;  // m/s at the end
};

Steps stiff_steps(int links, double stiffness, double damping, double step, double end) {
  const test::Assembled model = test::assemble_text(test::bushing_chain(links, stiffness, damping));
  EXPECT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, generalized_alpha(step));
  Steps result;
  result.is_good = motion.advance_to(end);
  const integrate::Counters& counters = motion.integrator().counters();
  result.iterations_per_step = static_cast<double>(counters.newton_iterations) / static_cast<double>(counters.accepted);
  for (std::size_t i = 0; i < motion.state().velocity.size(); i += 6) {
    result.fastest = std::max(result.fastest, std::abs(motion.state().velocity[i + 2]));
  }
  return result;
}

// tools/stiff_chain.py does the same with 64 links and more of everything.
TEST(GeneralizedAlpha, IterationsDoNotDependOnTheStiffness) {
  double fewest = 1e9, most = 0.0;
  for (const double stiffness : {1e3, 1e6, 1e9}) {
    const Steps steps = stiff_steps(16, stiffness, 1e-4 * stiffness, 1e-2, 0.3);
    EXPECT_TRUE(steps.is_good) << stiffness;
    // In free fall the end would have 2.9 m/s by then: a motion that is stable stays below.
    EXPECT_LT(steps.fastest, 4.0) << stiffness;
    fewest = std::min(fewest, steps.iterations_per_step);
    most = std::max(most, steps.iterations_per_step);
  }
  EXPECT_LT(most, 2.0 * fewest);
}

class SecondOrder : public testing::TestWithParam<std::string> {};

// Observed orders approach 2 as h -> 0.
constexpr double kLeastOrder = 1.9;
// Where the error of the reference begins to show.
constexpr double kReference = 1e-10;

TEST_P(SecondOrder, AtAnySpectralRadius) {
  const test::Assembled model = test::assemble_text(GetParam());
  ASSERT_TRUE(model.is_ready()) << model.messages();
  constexpr double kEnd = 0.1;
  test::Motion truth(model, test::dopri5(1e-11));
  ASSERT_TRUE(truth.advance_to(kEnd));
  for (const double radius : {0.0, 0.8, 1.0}) {
    double previous = 0.0;
    for (const double step : {1e-3, 5e-4, 2.5e-4}) {
      test::Motion motion(model, generalized_alpha(step, radius));
      ASSERT_TRUE(motion.advance_to(kEnd));
      const double error = distance(motion.state(), truth.state());
      EXPECT_GT(error, kReference);
      if (previous > 0.0) {
        EXPECT_GE(std::log2(previous / error), kLeastOrder) << radius << " " << step;
      }
      previous = error;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, SecondOrder,
                         testing::Values(test::bushing_chain(4, 20.0, 0.01),
                                         // driven, redundant, with large turns
                                         R"yaml(
up: y
parts:
  crank: {mass: 1, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {pin: {at: [50 mm, 0, 0]}}}
  rod: {at: crank.pin, mass: 1, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {small_end: {at: [150 mm, 0, 0]}}}
  piston: {at: rod.small_end, mass: 0.5, inertia: {xx: 1e-4, yy: 1e-4, zz: 1e-4}}
joints:
  main_bearing: {type: revolute, between: [ground, crank], axis: z, start: {angle: 30 deg, rate: 20 rad/s}}
  crank_pin: {type: revolute, between: [crank.pin, rod], axis: z}
  wrist_pin: {type: revolute, between: [rod.small_end, piston], axis: z}
  bore: {type: prismatic, between: [ground, piston], axis: x}
)yaml",
                                         // a fast top: gyroscopic moments
                                         R"yaml(
up: z
parts:
  top: {mass: 2, center_of_mass: [0.02, 0, 0.1], inertia: {xx: 0.01, yy: 0.01, zz: 0.004}, start: {angular_velocity: [1, 2, 40]}}
joints:
  tip: {type: spherical, between: [ground, top]}
)yaml"),
                         [](const auto& one) { return std::to_string(one.index); });

// The energy that a driver puts in comes from its multiplier: that is of second order, too.
TEST(GeneralizedAlpha, MultipliersAreOfSecondOrder) {
  const test::Assembled model = test::assemble_text(R"yaml(
parts:
  arm: {mass: 1, center_of_mass: [0.2, 0, 0], inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}}
joints:
  pivot: {type: revolute, between: [ground, arm], axis: z}
drivers:
  motor: {drives: pivot.angle, position: "=sin(10 (rad/s) * time)"}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  // All that the driver does goes into the kinetic energy ½ I ω².
  const auto error = [&](double step) {
    test::Motion motion(model, generalized_alpha(step));
    EXPECT_TRUE(motion.advance_to(0.2));
    const double rate = 10.0 * std::cos(2.0);
    const double start = 10.0;
    const double work = 0.5 * (1e-3 + 0.04) * (rate * rate - start * start);
    return std::abs(motion.state().extra[model.system->work_place(system::Work::drivers)] - work);
  };
  const double coarse = error(1e-3), fine = error(5e-4);
  EXPECT_GE(std::log2(coarse / fine), kLeastOrder);
}

// Bushings in place of joints come to the same motion as they get stiffer: what is too fast is damped away.
TEST(GeneralizedAlpha, StiffBushingsApproachTheRigidJoint) {
  const auto pendulum = [](const std::string& joint, const std::string& force) {
    return "up: z\nparts:\n  arm: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}\n" +
           joint + force;
  };
  const test::Assembled rigid =
      test::assemble_text(pendulum("joints: {pivot: {type: revolute, between: [ground, arm], axis: y}}\n", ""));
  const test::Assembled soft = test::assemble_text(
      pendulum("",
               "forces: {mount: {type: bushing, between: [ground, arm], stiffness: [1e9, 1e9, 1e9], "
               "rotational_stiffness: [1e9, 0, 1e9]}}\n"));
  ASSERT_TRUE(rigid.is_ready() && soft.is_ready()) << rigid.messages() << soft.messages();
  test::Motion joint(rigid, generalized_alpha(1e-3));
  test::Motion bushing(soft, generalized_alpha(1e-3));
  ASSERT_TRUE(joint.advance_to(0.5) && bushing.advance_to(0.5));
  // The weight of 10 N and its centrifugal force bend a mount of 1e9 N/m by some 1e-8 m.
  EXPECT_LT(distance(joint.state(), bushing.state()), 1e-6);
}

// A four-bar at 1 ms: the largest spectral radius that is allowed with joints stays bounded, 1 does not.
TEST(GeneralizedAlpha, JointsNeedDamping) {
  const test::Assembled model = test::assemble_text(R"yaml(
parts:
  crank: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: {xx: 1e-3, yy: 0.01, zz: 1e-2}}
  coupler: {at: [0.2, 0, 0], mass: 1, center_of_mass: [0.35, 0, 0.1], inertia: {xx: 1e-2, yy: 0.05, zz: 5e-2}}
  rocker: {at: [0.8, 0, 0], mass: 1, center_of_mass: [0, 0, 0.25], inertia: {xx: 2e-2, yy: 0.02, zz: 1e-3}}
joints:
  A: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: y, start: {rate: 5}}
  B: {type: spherical, between: [crank, coupler], at: [0.2, 0, 0]}
  C: {type: universal, between: [coupler, rocker], at: [0.8, 0, 0.5], axis: y, second_axis: x}
  D: {type: revolute, between: [ground, rocker], at: [0.8, 0, 0], axis: y}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion damped(model, generalized_alpha(1e-3, 0.9));
  EXPECT_TRUE(damped.advance_to(5.0));
  test::Motion undamped(model, generalized_alpha(1e-3, 1.0));
  EXPECT_FALSE(undamped.advance_to(5.0)) << "then it need not be refused any more";
  analysis::RunOptions options;
  options.method = integrate::Method::generalized_alpha;
  options.spectral_radius = 0.9;
  EXPECT_EQ(analysis::method_problem(*model.system, options), "");
  options.spectral_radius = 0.91;
  EXPECT_NE(analysis::method_problem(*model.system, options).find("0.9 or less"), std::string::npos);
}

}  // namespace
}  // namespace gelenk::generalized_alpha_test
