// How machines of many parts can move: what is fixed to each other counts as one body.
#include "gelenk/model/mobility.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/load_text.h"

namespace gelenk::mobility_test {
namespace {

using test::check_text;
using test::Checked;

constexpr std::size_t kMany = 200;  // more than are analyzed without looking for bodies
const std::string kBody = "mass: 1, inertia: {xx: 1, yy: 1, zz: 1}";

// Plates that are fixed one to the other, along x.
std::string plates() {
  std::string text;
  for (std::size_t i = 0; i < kMany; ++i) text += fmt::format("  plate_{}: {{at: [{}, 0, 0], {}}}\n", i, i, kBody);
  return text;
}
std::string welds() {
  std::string text;
  for (std::size_t i = 1; i < kMany; ++i) {
    text += fmt::format("  weld_{}: {{type: fixed, between: [plate_{}, plate_{}], at: [0, 0, 0]}}\n", i, i - 1, i);
  }
  return text;
}

// A four-bar that stands on plate `i`.
std::string bars(std::size_t i) {
  return fmt::format(
      "  crank_{0}: {{at: [{0}, 0, 0], {1}}}\n  coupler_{0}: {{at: [{0}.1, 0, 0.3], {1}}}\n"
      "  rocker_{0}: {{at: [{0}.8, 0, 0.5], {1}}}\n",
      i, kBody);
}
std::string pins(std::size_t i) {
  return fmt::format(
      "  o_{0}: {{type: revolute, between: [plate_{0}, crank_{0}], at: [{0}, 0, 0], axis: y}}\n"
      "  a_{0}: {{type: revolute, between: [crank_{0}, coupler_{0}], at: [{0}.1, 0, 0.3], axis: y}}\n"
      "  b_{0}: {{type: revolute, between: [coupler_{0}, rocker_{0}], at: [{0}.8, 0, 0.5], axis: y}}\n"
      "  c_{0}: {{type: revolute, between: [rocker_{0}, plate_{0}], at: [{0}.7, 0, 0], axis: y}}\n",
      i);
}

TEST(LargeMobility, OfManyPartsOnTheGround) {
  const Checked checked = check_text("parts:\n" + plates() + bars(3) + bars(7) +
                                     "joints:\n  foot: {type: fixed, between: [ground, plate_0], at: [0, 0, 0]}\n" +
                                     welds() + "  again: {type: fixed, between: [plate_4, ground], at: [0, 0, 0]}\n" +
                                     pins(3) + pins(7) + "drivers: {motor: {drives: o_7.angle, rate: 1 rad/s}}\n");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const model::MobilityReport mobility = model::expected_mobility(checked.machine);
  EXPECT_FALSE(mobility.is_counted_only);
  EXPECT_EQ(mobility.free_motions, 2u);
  EXPECT_EQ(mobility.driven_motions, 1u);
  EXPECT_EQ(mobility.rows, 6 * (kMany + 1) + 40);
  EXPECT_EQ(mobility.redundant(), 12u);  // of "again" and of two planar loops
  ASSERT_EQ(mobility.motions.size(), 2u);
  for (const model::FreeMotion& motion : mobility.motions) {
    ASSERT_TRUE(motion.coordinate);
    EXPECT_TRUE(checked.machine.joints[motion.coordinate->joint.index()].path.starts_with("o_"));
    EXPECT_EQ(motion.parts.size(), 3u);
    EXPECT_NEAR(std::abs(motion.twists[0][4]), 1.0, 1e-9) << "the crank turns about y";
  }
  const bool is_told =
      std::any_of(mobility.held_twice.begin(), mobility.held_twice.end(), [&](const model::HeldTwice& h) {
        return checked.machine.joints[h.joint.index()].path == "again" && h.rows == 6;
      });
  EXPECT_TRUE(is_told);
}

TEST(LargeMobility, OfManyPartsThatFloatTogether) {
  const Checked checked = check_text("parts:\n" + plates() + bars(5) + "joints:\n" + welds() + pins(5));
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const model::MobilityReport mobility = model::expected_mobility(checked.machine);
  EXPECT_FALSE(mobility.is_counted_only);
  EXPECT_EQ(mobility.free_motions, 7u);
  EXPECT_EQ(mobility.redundant(), 3u);
  const Checked alone = check_text("parts:\n" + plates() + "joints:\n" + welds());
  const model::MobilityReport block = model::expected_mobility(alone.machine);
  EXPECT_EQ(block.free_motions, 6u);
  EXPECT_EQ(block.motions.size(), 6u);
  EXPECT_EQ(block.motions[0].parts.size() + block.loose_parts.size(), kMany);
}

}  // namespace
}  // namespace gelenk::mobility_test
