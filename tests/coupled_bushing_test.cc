// Bushings whose matrices couple directions: closed forms of a beam, energy, mirror images, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gelenk/mechanics/machine_test_support.h"
#include "tests/support/run_text.h"

namespace gelenk::coupled_bushing_test {
namespace {

test::Assembled ready(const std::string& text) {
  test::Assembled model = test::assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  return model;
}

// The end of a beam along z of 2 m, E I = 3 N m²: by the book a force F at its end moves it by F L³ / 3EI and turns it
// by F L² / 2EI; a moment M by M L² / 2EI and M L / EI. In both planes.
TEST(CoupledBushing, IsTheEndOfABeam) {
  const auto load_at = [](const std::string& place) {
    const test::Assembled model = ready(
        "gravity: none\nparameters: {EI: 3 N*m^2, L: 2 m}\n"
        "parts: {tip: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: " +
        place +
        "}}\n"
        "forces: {beam: {type: bushing, between: [ground, tip], stiffness: [=12*EI/L^3, =12*EI/L^3, 1],\n"
        "  rotational_stiffness: [=4*EI/L, =4*EI/L, 1], stiffness_x: [0, =-6*EI/L^2, 0], stiffness_y: [=6*EI/L^2, 0, "
        "0]}}\n");
    mechanics::Workspace workspace(*model.system);
    const mechanics::Context context{*model.system, model.params, model.state()};
    mechanics::update_positions(context, workspace);
    mechanics::update_velocities(context, workspace);
    mechanics::update_forces(context, workspace);
    return std::vector<double>(workspace.forces.begin(), workspace.forces.begin() + 6);
  };
  constexpr double kF = 0.3, kM = 0.2, kEI = 3.0, kL = 2.0;
  const auto place = [&](double force, double moment, const char* axis, int plane) {
    const double way = force * kL * kL * kL / (3.0 * kEI) + moment * kL * kL / (2.0 * kEI);
    const double turn = force * kL * kL / (2.0 * kEI) + moment * kL / kEI;
    const std::string at = std::to_string(way);
    return "{position: [" + (plane == 0 ? at + ", 0, 0" : "0, " + at + ", 0") + "], orientation: {axis: " + axis +
           ", angle: " + std::to_string(turn) + " rad}}";
  };
  const std::vector<double> x = load_at(place(kF, kM, "y", 0));
  const std::vector<double> y = load_at(place(kF, kM, "-x", 1));
  constexpr double kWritten = 1e-5;  // six digits of the text, times the stiffness
  EXPECT_NEAR(x[0], -kF, kWritten);
  EXPECT_NEAR(x[4], -kM, kWritten);
  EXPECT_NEAR(y[1], -kF, kWritten);
  EXPECT_NEAR(y[3], kM, kWritten);
  for (const int other : {1, 2, 3, 5}) EXPECT_NEAR(x[static_cast<std::size_t>(other)], 0.0, kWritten);
}

const char* const kMount = R"(
definitions:
  side:
    parts: {mass: {mass: 2 kg, inertia: {xx: 0.2, yy: 0.3, zz: 0.4}, at: [0.1, 0.5, 0.2], start: {velocity: [0.2, 0.3, -0.1], angular_velocity: [1, -0.5, 0.3]}}}
    frames: {seat: [0.1, 0.5, 0.2]}
    forces:
      mount:
        type: bushing
        between: [seat, mass]
        stiffness: [40, 50, 60]
        stiffness_between: [5, -6, 7]
        rotational_stiffness: [10, 12, 14]
        rotational_stiffness_between: [1, 2, -1]
        stiffness_x: [1, -2, 3]
        stiffness_y: [2, 1, -1]
        stiffness_z: [-1, 2, 1]
        damping: [DAMP, DAMP, DAMP]
        damping_between: [BESIDE, BESIDE, 0]
        rotational_damping: [DAMP, DAMP, DAMP]
        damping_x: [0, BESIDE, 0]
assemblies: {left: {use: side}, right: {mirror_of: left, plane: xz}}
)";

std::string mount(const std::string& damping, const std::string& beside) {
  std::string text = kMount;
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"DAMP", damping}, {"BESIDE", beside}}) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from))
      text.replace(at, from.size(), to);
  }
  return text;
}

TEST(CoupledBushing, KeepsItsEnergyAndItsMirrorImage) {
  const test::Assembled model = ready("gravity: none\n" + mount("0", "0"));
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::dopri5(1e-11));
  const double energy = motion.probe().energy().total();
  ASSERT_TRUE(motion.advance_to(1.0));
  EXPECT_NEAR(motion.probe().energy().total(), energy, 1e-8 * energy);
  const mechanics::Motion<double> left = motion.probe().part("left.mass");
  const mechanics::Motion<double> right = motion.probe().part("right.mass");
  EXPECT_LT((left.p - Vector3(right.p.x(), -right.p.y(), right.p.z())).norm(), 1e-12);
  EXPECT_LT((left.w - Vector3(-right.w.x(), right.w.y(), -right.w.z())).norm(), 1e-12);
}

TEST(CoupledBushing, LosesEnergyByItsDamping) {
  const test::Assembled model = ready("gravity: none\n" + mount("1", "0.3"));
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::dopri5(1e-9));
  double before = motion.probe().energy().total();
  for (int i = 1; i <= 10; ++i) {
    ASSERT_TRUE(motion.advance_to(0.05 * i));
    const double now = motion.probe().energy().total();
    EXPECT_LT(now, before);
    before = now;
  }
  const test::Assembled other = test::assemble_text("gravity: none\n" + mount("1", "2"));
  EXPECT_NE(other.messages().find("its matrix of damping has the negative eigenvalue"), std::string::npos)
      << other.messages();
}

}  // namespace
}  // namespace gelenk::coupled_bushing_test
