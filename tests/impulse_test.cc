// An impulse between two frames of different components, through the mobility that the machine publishes there: what a
// contact will do.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/analysis/machine/machine_subsystem.h"
#include "gelenk/analysis/machine/problem.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/system/compile.h"
#include "tests/support/load_text.h"

namespace gelenk::impulse_test {
namespace {

using integrate::Integrator;
using subsystem::RightSide;

constexpr int kSlot = Integrator::kCurrentState;

// Two hinged pairs in free space, which fly towards each other; the second one is drawn by hand, because its noses meet
// off the line of its centers.
const std::string kText = R"(
name: collision
gravity: none
definitions:
  pair:
    parts:
      body: {mass: 2 kg, center_of_mass: [0, 0, 0], inertia: {xx: 0.02, yy: 0.05, zz: 0.04}}
      nose: {at: [0.5 m, 0.1 m, 0], mass: 0.7 kg, center_of_mass: [0, 0, 0], inertia: {xx: 0.002, yy: 0.006, zz: 0.005}}
    joints:
      hinge: {type: revolute, between: [body, nose], at: [0.3 m, 0, 0], axis: z}
    ports: {tip: nose}
assemblies:
  left: {use: pair}
  right: {use: pair, at: {position: [1.1 m, 0.2 m, 0.03 m], orientation: {axis: z, angle: 170 deg}}}
ports: {a: left.tip, b: right.tip}
)";

struct Collision {
  test::Checked checked = test::check_text(kText);
  std::optional<system::System> system;
  system::Params params;
  std::unique_ptr<analysis::MachineProblem> problem;
  std::unique_ptr<analysis::PublishedOutputs> outputs;
  std::unique_ptr<subsystem::Subsystem> machine;

  Collision() {
    if (checked.diagnostics.has_errors()) return;
    for (const model::PortNode& port : checked.machine.ports) checked.machine.mounts.push_back({port.frame, false});
    system = system::compile(checked.machine, {}, checked.diagnostics);
    params = system::make_params(*system, checked.machine);
    problem = std::make_unique<analysis::MachineProblem>(
        *system, params, 1.0, analysis::DynamicsOptions{.partitioning = analysis::Partitioning::model});
    outputs = std::make_unique<analysis::PublishedOutputs>(*system, params);
    system::State start = system::drawn_state(*system, params);
    for (std::size_t b = 0; b < system->bodies.size(); ++b) start.velocity[6 * b] = b < 2 ? 1.0 : -0.8;
    machine = analysis::as_subsystem({*system, params, *problem, *outputs, {}, 0, start, {}, 0.0});
    machine->states().reserve(1, 1, integrate::Chart::exponential, false);
    machine->states().start(kSlot);
  }
  // Velocities of the two frames, six numbers each.
  std::vector<double> velocities() {
    std::vector<double> shown(machine->shape().shown());
    machine->evaluation().load(kSlot, 0, {}, shown);
    std::vector<double> result;
    for (std::size_t port = 0; port < 2; ++port) {
      const auto first = shown.begin() + static_cast<std::ptrdiff_t>(subsystem::kFrameMotion * port + 12);
      result.insert(result.end(), first, first + 6);
    }
    return result;
  }
  const system::State& state() const { return problem->state(kSlot); }
  double kinetic() const { return mechanics::kinetic_energy(params, state()); }
  // Linear, then about the world's origin.
  Eigen::Matrix<double, 6, 1> momentum() const {
    Eigen::Matrix<double, 6, 1> result = Eigen::Matrix<double, 6, 1>::Zero();
    for (std::size_t b = 0; b < system->bodies.size(); ++b) {
      const Matrix3 R = state().orientation[b].toRotationMatrix();
      const Vector3 p = params.bodies[b].mass * Vector3::Map(&state().velocity[6 * b]);
      const Vector3 spin = R.transpose() * Vector3::Map(&state().velocity[6 * b + 3]);
      result.head<3>() += p;
      result.tail<3>() += state().position[b].cross(p) + R * (params.bodies[b].inertia() * spin);
    }
    return result;
  }
};

TEST(Impulse, GoesThroughTheMobilityOfFramesInDifferentComponents) {
  constexpr double kRestitution = 0.6;
  constexpr double kRounding = 1e-13;
  Collision collision;
  ASSERT_TRUE(collision.machine) << collision.checked.messages();
  ASSERT_EQ(collision.problem->dynamics().equations().plan()->partition.owner.size(), 3u)
      << "two components of their own";
  const std::size_t size = collision.machine->shape().motions();
  ASSERT_EQ(size, 12u);
  subsystem::Evaluation& evaluation = collision.machine->evaluation();
  subsystem::Sweeps& sweeps = collision.machine->sweeps();
  const std::vector<double> before = collision.velocities();
  const double energy_before = collision.kinetic();
  const auto momentum_before = collision.momentum();

  // The law of impact along a common normal, on the Delassus number n D n.
  Eigen::Matrix<double, 12, 1> n = Eigen::Matrix<double, 12, 1>::Zero();
  const Vector3 normal = Vector3(0.9, 0.3, -0.1).normalized();
  n.segment<3>(0) = -normal;
  n.segment<3>(6) = normal;
  // As one frame meets the other, the impulses have a common line of action: the moment of the arm between the origins.
  std::vector<double> shown(collision.machine->shape().shown());
  evaluation.load(kSlot, 0, {}, shown);
  const Vector3 between = Vector3::Map(&shown[9]) - Vector3::Map(&shown[subsystem::kFrameMotion + 9]);
  n.segment<3>(9) = between.cross(normal);
  ASSERT_TRUE(evaluation.load(kSlot, subsystem::kMotion, {}, {}));
  std::vector<double> D(size * size);
  subsystem::FactorReport report;
  ASSERT_TRUE(sweeps.factor(kSlot, {1e-6, true}, D.data(), report));
  const Eigen::Map<const Eigen::Matrix<double, 12, 12, Eigen::RowMajor>> mobility(D.data());
  const double approach = n.dot(Eigen::Map<const Eigen::Matrix<double, 12, 1>>(before.data()));
  const double impulse = -(1.0 + kRestitution) * approach / n.dot(mobility * n);
  ASSERT_LT(approach, 0.0);

  collision.machine->events().mark_event(kSlot);
  subsystem::Gap gap;
  ASSERT_TRUE(evaluation.put_right_side(kSlot, RightSide::position_gaps, gap));  // what was, for the books
  ASSERT_TRUE(evaluation.put_right_side(kSlot, RightSide::impulses, gap));
  std::vector<double> motions(size);
  ASSERT_TRUE(sweeps.up(kSlot, solve::NodeLoad::given, motions.data()));
  for (const double motion : motions) EXPECT_EQ(motion, 0.0) << "nothing moves without an impulse";
  const Eigen::Matrix<double, 12, 1> loads = impulse * n;
  ASSERT_TRUE(sweeps.down(kSlot, solve::NodeLoad::given, loads.data(), motions.data()));
  const Eigen::Matrix<double, 12, 1> expected = mobility * loads;
  for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(motions[i], expected(static_cast<int>(i)), kRounding);
  evaluation.take(kSlot, RightSide::impulses);
  evaluation.settle(kSlot);

  const std::vector<double> after = collision.velocities();
  const double leaving = n.dot(Eigen::Map<const Eigen::Matrix<double, 12, 1>>(after.data()));
  EXPECT_NEAR(leaving, -kRestitution * approach, kRounding);
  EXPECT_LT((collision.momentum() - momentum_before).norm(), kRounding) << "nothing from outside";
  const double loss = 0.5 * impulse * (approach + leaving);
  EXPECT_NEAR(collision.kinetic() - energy_before, loss, kRounding);
  EXPECT_LT(loss, -0.01);
}

}  // namespace
}  // namespace gelenk::impulse_test
