// How far drivers can go: ends in closed form, and the part that stops them.
#include "gelenk/analysis/driven_way.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gelenk/base/index.h"
#include "tests/support/run_text.h"

namespace gelenk::driven_way_test {
namespace {

using analysis::DrivenWay;
using analysis::HeldCoordinate;
using test::assemble_text;
using test::Assembled;

constexpr double kDegree = std::numbers::pi / 180.0;
// The end of a way is found by halving increments down to 1e-7 of an angle or of the machine's size.
constexpr double kFound = 1e-6;

std::string slider_crank(double crank, double rod) {
  const auto text = [](double value) { return std::to_string(value); };
  return "gravity: none\n"
         "parts:\n"
         "  crank: {mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {end: {at: [" +
         text(crank) +
         ", 0, 0]}}}\n"
         "  rod: {at: crank.end, mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {end: {at: [" +
         text(rod) +
         ", 0, 0]}}}\n"
         "  piston: {at: rod.end, mass: 0.5 kg, inertia: {xx: 1e-4, yy: 1e-4, zz: 1e-4}}\n"
         "joints:\n"
         "  bearing: {type: revolute, between: [ground, crank], axis: z, start: {angle: 10 deg}}\n"
         "  pin: {type: revolute, between: [crank.end, rod], axis: z}\n"
         "  wrist: {type: revolute, between: [rod.end, piston], axis: z}\n"
         "  guide: {type: prismatic, between: [ground, piston], axis: x}\n";
}

std::int32_t coordinate_of(const Assembled& model, const std::string& joint) {
  for (std::size_t i = 0; i < model.system->coordinates.size(); ++i) {
    if (model.system->joints[at(model.system->coordinates[i].joint)].path == joint) return static_cast<std::int32_t>(i);
  }
  return -1;
}

DrivenWay lead(const Assembled& model, const std::string& joint, double from, double to) {
  HeldCoordinate one;
  one.coordinate = coordinate_of(model, joint);
  one.from = from;
  one.value = to;
  return analysis::follow_way(*model.system, model.params, model.assembly->state, {one});
}

TEST(DrivenWayTest, CrankThatIsLongerThanItsRodEndsWhereTheRodStandsAcross) {
  const Assembled model = assemble_text(slider_crank(0.1, 0.07));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  for (const double sign : {1.0, -1.0}) {
    const DrivenWay way = lead(model, "bearing", 10.0 * kDegree, 10.0 * kDegree + sign * 2.0 * std::numbers::pi);
    EXPECT_FALSE(way.is_complete());
    EXPECT_NEAR(way.reached, sign * std::asin(0.7), kFound);
    EXPECT_EQ(analysis::lock_text(*model.system, way), "'rod' is stretched between 'pin' and 'wrist' (dead center)");
  }
}

TEST(DrivenWayTest, CrankThatIsShorterGoesRound) {
  const Assembled model = assemble_text(slider_crank(0.05, 0.15));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const DrivenWay way = lead(model, "bearing", 10.0 * kDegree, 10.0 * kDegree + 2.0 * std::numbers::pi);
  EXPECT_TRUE(way.is_complete());
}

TEST(DrivenWayTest, PistonEndsWhereCrankAndRodAreInLine) {
  const Assembled model = assemble_text(slider_crank(0.05, 0.15));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const double s = 0.05 * std::sin(10.0 * kDegree);
  const double start = 0.05 * std::cos(10.0 * kDegree) + std::sqrt(0.15 * 0.15 - s * s);
  const DrivenWay out = lead(model, "guide", start, 0.3);
  EXPECT_NEAR(out.reached, 0.2, kFound);
  EXPECT_EQ(analysis::limit_text(*model.system, out), "cannot move 'guide' past 0.2 m");
  ASSERT_TRUE(out.part.has_value());
  EXPECT_TRUE(out.part->is_stretched);
  // The other way it goes to the inner dead center.
  const DrivenWay in = lead(model, "guide", start, 0.0);
  EXPECT_NEAR(in.reached, 0.1, kFound);
  ASSERT_TRUE(in.part.has_value());
  EXPECT_FALSE(in.part->is_stretched);
}

// Four bars 0.25, 0.1, 0.12, 0.1 from the ground on: none goes round (Grashof). The input ends where
// coupler and output are in line: cos of its angle from the law of cosines with their sum.
TEST(DrivenWayTest, FourBarsEndWhereTwoAreInLine) {
  const Assembled model = assemble_text(R"yaml(
gravity: none
parts:
  input: {mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {end: {at: [0.1, 0, 0]}}}
  coupler: {at: [0.05, 0.0866, 0], mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {end: {at: [0.12, 0, 0]}}}
  output: {at: [0.25, 0, 0], mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {end: {at: [0, 0.1, 0]}}}
joints:
  a: {type: revolute, between: [ground, input], axis: z, start: {angle: 60 deg}}
  b: {type: revolute, between: [input.end, coupler], axis: z}
  c: {type: revolute, between: [coupler.end, output.end], axis: z}
  d: {type: revolute, between: [ground.base, output], axis: z}
ground: {frames: {base: {at: [0.25, 0, 0]}}}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const DrivenWay way = lead(model, "a", 60.0 * kDegree, 360.0 * kDegree);
  const double cosine = (0.1 * 0.1 + 0.25 * 0.25 - 0.22 * 0.22) / (2.0 * 0.1 * 0.25);
  EXPECT_NEAR(way.reached, std::acos(cosine), kFound);
}

}  // namespace
}  // namespace gelenk::driven_way_test
