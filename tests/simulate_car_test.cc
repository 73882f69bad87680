// The car is mirrored about the xz plane, and so is everything that acts on it: so must be its motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/load_example.h"
#include "tests/support/run_text.h"

namespace gelenk::simulate_car_test {
namespace {

// Left and right are computed apart; the suspension is damped, so that rounding does not grow.
constexpr double kSymmetric = 1e-12;

TEST(Car, StaysSymmetricUnderASymmetricLoad) {
  test::Example example = test::load_example("car/car.yaml");
  ASSERT_EQ(example.complaints(), "");
  test::Checked checked;
  checked.machine = std::move(example.machine);
  checked.loaded = std::move(example.loaded);
  const test::Assembled model = test::assemble_model(std::move(checked));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, test::rk4(1e-3));
  double worst = 0.0;
  double sunk = 0.0;
  for (int i = 1; i <= 60; ++i) {
    ASSERT_TRUE(motion.advance_to(0.1 * i));
    const test::Probe probe = motion.probe();
    const mechanics::Motion<double> chassis = probe.part("chassis");
    worst = std::max({worst, std::abs(chassis.p.y()), std::abs(chassis.R(1, 0)), std::abs(chassis.R(1, 2))});
    sunk = std::max(sunk, std::abs(chassis.p.z() - 0.6));
    for (const char* end : {"front", "rear"}) {
      for (const char* part : {".damper.tube", ".damper.rod", ".wheel_group.arm", ".wheel_group.wheel"}) {
        const mechanics::Motion<double> left = probe.part(std::string(end) + "_left" + part);
        const mechanics::Motion<double> right = probe.part(std::string(end) + "_right" + part);
        const Vector3 mirror(1.0, -1.0, 1.0);
        worst = std::max(worst, (left.p - mirror.cwiseProduct(right.p)).norm());
        worst = std::max(worst, (left.v - mirror.cwiseProduct(right.v)).norm());
        worst = std::max(worst, (left.w + mirror.cwiseProduct(right.w)).norm());
      }
    }
  }
  EXPECT_LT(worst, kSymmetric);
  EXPECT_GT(sunk, 1e-3);  // it did move
}

}  // namespace
}  // namespace gelenk::simulate_car_test
