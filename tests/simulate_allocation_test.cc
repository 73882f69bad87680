// Steps on the dense solver allocate nothing after the first.
#include <gtest/gtest.h>

#include "gelenk/base/allocation_count_test_support.h"
#include "tests/support/run_text.h"

namespace gelenk::simulate_allocation_test {
namespace {

constexpr const char* kCrankSlider = R"yaml(
up: y
parts:
  crank: {mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {pin: {at: [50 mm, 0, 0]}}}
  rod: {at: crank.pin, mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {small_end: {at: [150 mm, 0, 0]}}}
  piston: {at: rod.small_end, mass: 0.5 kg, inertia: {xx: 1e-4, yy: 1e-4, zz: 1e-4}}
joints:
  main_bearing: {type: revolute, between: [ground, crank], axis: z, start: {angle: 30 deg, rate: 20 rad/s}}
  crank_pin: {type: revolute, between: [crank.pin, rod], axis: z}
  wrist_pin: {type: revolute, between: [rod.small_end, piston], axis: z}
  bore: {type: prismatic, between: [ground, piston], axis: x}
forces:
  gas: {type: force, applied_to: piston, along: -x, value: "=200 N * sin(40 (rad/s)*time)^2"}
  wear: {type: actuator, drives: main_bearing.angle, value: "=-0.1 (N*m*s)*rate"}
)yaml";

class StepAllocation : public testing::TestWithParam<integrate::Method> {};
INSTANTIATE_TEST_SUITE_P(Both, StepAllocation, testing::Values(integrate::Method::rk4, integrate::Method::dopri5),
                         [](const auto& one) { return one.param == integrate::Method::rk4 ? "rk4" : "dopri5"; });

TEST_P(StepAllocation, NoneAfterTheFirst) {
  const test::Assembled model = test::assemble_text(kCrankSlider);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, GetParam() == integrate::Method::rk4 ? test::rk4(1e-3) : test::dopri5(1e-7));
  ASSERT_TRUE(motion.advance_to(0.05));
  const std::int64_t steps_before = motion.integrator().counters().accepted;
  const long before = test::allocation_count;
  const bool is_good = motion.advance_to(0.2);
  const long after = test::allocation_count;
  EXPECT_TRUE(is_good);
  EXPECT_GT(motion.integrator().counters().accepted, steps_before + 10);
  EXPECT_EQ(after - before, 0) << "in " << motion.integrator().counters().accepted - steps_before << " steps";
}

}  // namespace
}  // namespace gelenk::simulate_allocation_test
