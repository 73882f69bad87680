// Loops: the root that was drawn, not its mirror image; and drawings that contradict themselves a little or a lot.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "tests/support/run_text.h"

namespace gelenk::assemble_loops_test {
namespace {

using test::assemble_text;
using test::Assembled;

constexpr double kExact = 1e-12;

// A bar in the xz plane from P to Q, its x axis along it, with its ends as frames.
std::string bar(const char* name, const Vector3& P, const Vector3& Q, double mass, const std::string& far_end) {
  const double length = (Q - P).norm();
  const Vector3 x = (Q - P) / length;
  const double across = mass * length * length / 12.0;
  return fmt::format(
      "  {}:\n    at: {{position: [{:.17g}, 0, {:.17g}], orientation: {{x: [{:.17g}, 0, {:.17g}], y: y}}}}\n"
      "    mass: {} kg\n    center_of_mass: [{:.17g}, 0, 0]\n"
      "    inertia: {{xx: {:.17g}, yy: {:.17g}, zz: {:.17g}}}\n    frames: {{far: {{at: {}}}}}\n",
      name, P.x(), P.z(), x.x(), x.z(), mass, 0.5 * length, 0.001 * mass, across + 0.001 * mass, across, far_end);
}
std::string end_at(double length, const std::string& orientation = {}) {
  return fmt::format("{{position: [{:.17g}, 0, 0]{}}}", length, orientation);
}

// The four-bar of the method's measurements: crank 0.3, coupler 0.8, rocker 0.6, base 0.7 m, crank drawn at 1 rad from
// x to z. The far end of the coupler has its axis y tilted by (eps, 0, eps).
struct FourBar {
  Vector3 A, B, C;
  explicit FourBar(double angle) : A(0.3 * std::cos(angle), 0.0, 0.3 * std::sin(angle)), C(0.7, 0.0, 0.0) {
    const Vector3 across = C - A;
    const double r = across.norm();
    const double opening = std::acos((0.64 + r * r - 0.36) / (1.6 * r));
    const double direction = std::atan2(across.z(), across.x()) + opening;
    B = A + 0.8 * Vector3(std::cos(direction), 0.0, std::sin(direction));
  }

  std::string text(double eps, const std::string& start = {}) const {
    const Vector3 x = (B - A) / 0.8;
    const Vector3 z = x.cross(Vector3::UnitY());
    const Vector3 tilted = Vector3(eps, 1.0, eps).normalized();
    const std::string orientation = eps == 0.0 ? ""
                                               : fmt::format(", orientation: {{y: [{:.17g}, {:.17g}, {:.17g}], x: x}}",
                                                             tilted.dot(x), tilted.y(), tilted.dot(z));
    return "gravity: [0, 0, -9.81]\nparts:\n" + bar("crank", Vector3::Zero(), A, 1.0, end_at(0.3)) +
           bar("coupler", A, B, 2.0, end_at(0.8, orientation)) + bar("rocker", B, C, 1.5, end_at(0.6)) +
           R"yaml(
ground: {frames: {base: {at: [0.7, 0, 0]}}}
joints:
  crank_bearing: {type: revolute, between: [ground, crank], axis: y)yaml" +
           start + R"yaml(}
  crank_pin: {type: revolute, between: [crank.far, coupler], axis: y}
  rocker_pin: {type: revolute, between: [coupler.far, rocker], axis: y}
  rocker_bearing: {type: revolute, between: [rocker.far, ground.base], axis: y}
)yaml";
  }
};

struct Tilt {
  double eps, tau;
};
class TiltedHinge : public testing::TestWithParam<Tilt> {};
INSTANTIATE_TEST_SUITE_P(All, TiltedHinge,
                         testing::Values(Tilt{0.0, 1e-6}, Tilt{1e-8, 1e-6}, Tilt{1e-6, 1e-5}, Tilt{1e-5, 1e-4},
                                         Tilt{1e-4, 1e-3}, Tilt{1e-3, 1e-2}));

TEST_P(TiltedHinge, IsTakenForWhatWasMeant) {
  const Tilt& tilt = GetParam();
  const Assembled model = assemble_text(FourBar(1.0).text(tilt.eps));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  EXPECT_EQ(model.assembly->rank_tolerance, tilt.tau);
  EXPECT_LT(model.assembly->residual, 2.0 * tilt.eps + kExact);
  EXPECT_EQ(model.find(Code::cannot_assemble) != nullptr, model.assembly->residual > analysis::kResidualToWarn)
      << model.messages();
  test::Motion motion(model, test::rk4(1e-3));
  ASSERT_TRUE(motion.advance_to(0.3));
  EXPECT_EQ(motion.problem().dynamics().equations_of(0).solver().rank(), 17u);
  // Measured with the prototype, six digits; the motion knows the axes to about the tilt.
  EXPECT_NEAR(std::abs(motion.probe().rate("crank_bearing", "angle")), 4.396549, 1e-6 + 10.0 * tilt.eps);
}

TEST(TiltedHinges, AreToldWhenTheyConflict) {
  const Assembled model = assemble_text(FourBar(1.0).text(3e-2));
  EXPECT_FALSE(model.is_ready());
  const Diagnostic* reported = model.find(Code::cannot_assemble);
  ASSERT_NE(reported, nullptr) << model.messages();
  EXPECT_FALSE(reported->element.empty());
  // The loop is one: all of its joints are candidates, the worst is named first.
  EXPECT_NE(reported->message.find(reported->element), std::string::npos) << reported->message;
}

// Crank angles are about y, which turns x to -z: the crank at φ from x to z has the angle -φ. Drawn at 1 rad.
TEST(FourBars, StartOnTheDrawnBranchAllTheWayRound) {
  const FourBar drawn(1.0);
  for (int degrees = 0; degrees < 360; degrees += 15) {
    const double angle = degrees * std::numbers::pi / 180.0;
    const Assembled model = assemble_text(drawn.text(0.0, fmt::format(", start: {{angle: {:.17g} rad}}", -angle)));
    ASSERT_TRUE(model.is_ready()) << degrees << " degrees: " << model.messages();
    test::Probe probe(model);
    const FourBar expected(angle);
    EXPECT_NEAR(probe.coordinate("crank_bearing", "angle"), -angle, kExact) << degrees << " degrees";
    EXPECT_LT((probe.part("coupler").p - expected.A).norm(), kExact) << degrees << " degrees";
    EXPECT_LT((probe.part("rocker").p - expected.B).norm(), 10.0 * kExact) << degrees << " degrees";
  }
}

// S3-06: messages name elements.
TEST(Loops, ThatCannotCloseNameTheirJoints) {
  const Assembled model = assemble_text(R"yaml(
parts:
  one: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {end: {at: [1, 0, 0]}}}
  two: {at: one.end, mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {end: {at: [1, 0, 0]}}}
ground: {frames: {far: {at: [3, 0, 0]}}}
joints:
  left: {type: revolute, between: [ground, one], axis: z}
  middle: {type: revolute, between: [one.end, two], axis: z}
  right: {type: revolute, between: [two.end, ground.far], axis: z}
)yaml");
  EXPECT_FALSE(model.is_ready());
  const Diagnostic* reported = model.find(Code::cannot_assemble);
  ASSERT_NE(reported, nullptr) << model.messages();
  EXPECT_NE(reported->message.find(reported->element), std::string::npos) << reported->message;
  EXPECT_FALSE(reported->element.empty());
}

}  // namespace
}  // namespace gelenk::assemble_loops_test
