// Masses that differ by many powers of ten: the same motion with components and without.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gelenk/analysis/simulate.h"
#include "tests/support/run_text.h"

namespace gelenk::mass_ratios_test {
namespace {

// A light bar that carries a heavy one.
std::string double_pendulum(double ratio) {
  const std::string mass = std::to_string(ratio);
  const std::string inertia = std::to_string(1e-3 * ratio);
  return "parts:\n"
         "  a: {mass: 1, center_of_mass: [1, 0, 0], inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {tip: [1, 0, "
         "0]}}\n"
         "  b: {at: [1, 0, 0], mass: " +
         mass + ", center_of_mass: [1, 0, 0], inertia: {xx: " + inertia + ", yy: " + inertia + ", zz: " + inertia +
         "}}\n"
         "joints:\n"
         "  A: {type: revolute, between: [ground, a], axis: y, start: {angle: 0.3}}\n"
         "  B: {type: revolute, between: [a.tip, b], axis: y, start: {angle: 0.5}}\n";
}

TEST(MassRatios, TheSameWithAndWithoutComponents) {
  for (const double ratio : {1e2, 1e5, 1e8}) {
    const test::Assembled model = test::assemble_text(double_pendulum(ratio));
    ASSERT_TRUE(model.is_ready()) << model.messages();
    analysis::RunOptions options;
    options.method = integrate::Method::dopri5;
    options.tolerance = 1e-11;
    options.duration = 1.0;
    options.output_every = 1.0;
    const auto end_of = [&](analysis::Partitioning partition) {
      options.partition = partition;
      return analysis::simulate(*model.system, model.params, *model.assembly, options, nullptr, {}).end_state;
    };
    const system::State whole = end_of(analysis::Partitioning::none);
    const system::State parts = end_of(analysis::Partitioning::automatic);
    for (std::size_t b = 0; b < whole.position.size(); ++b) {
      EXPECT_LT((whole.position[b] - parts.position[b]).norm(), 1e-9) << ratio;
    }
  }
}

// Fixed steps, too: without components the light bar followed the factorization of the pose before the projection, and
// ran away when the bars came into line, at 0.154 s.
TEST(MassRatios, FixedStepsDoNotRunAwayWithoutComponents) {
  for (const double ratio : {1e4, 1e8}) {
    const test::Assembled model = test::assemble_text(double_pendulum(ratio));
    ASSERT_TRUE(model.is_ready()) << model.messages();
    analysis::RunOptions options;
    options.duration = 0.3;
    options.output_every = 0.3;
    const auto end_of = [&](analysis::Partitioning partition) {
      options.partition = partition;
      return analysis::simulate(*model.system, model.params, *model.assembly, options, nullptr, {}).end_state;
    };
    options.method = integrate::Method::dopri5;
    options.tolerance = 1e-11;
    const system::State exact = end_of(analysis::Partitioning::automatic);
    options.method = integrate::Method::rk4;
    options.step = 2e-4;
    const system::State whole = end_of(analysis::Partitioning::none);
    const system::State parts = end_of(analysis::Partitioning::automatic);
    ASSERT_EQ(whole.time, 0.3) << ratio;
    for (std::size_t b = 0; b < whole.position.size(); ++b) {
      EXPECT_LT((whole.position[b] - parts.position[b]).norm(), 1e-7) << ratio;
      EXPECT_LT((parts.position[b] - exact.position[b]).norm(), 1e-3) << ratio;  // of steps across the jerk
    }
  }
}

}  // namespace
}  // namespace gelenk::mass_ratios_test
