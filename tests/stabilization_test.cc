// Multipliers of a basic component, and how a step is brought back onto its constraints, against dense algebra.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/dynamics.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/solve/component_solver.h"
#include "gelenk/solve/flat_solver.h"
#include "tests/support/run_text.h"

namespace gelenk::stabilization_test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Both solve a system of condition 1e2 to rounding.
constexpr double kSame = 1e-11;
constexpr double kClosed = 1e-10;  // m, m/s: what a projection leaves

// A chain in space, without redundant rows: hinge, ball, slider.
const std::string kChain = R"yaml(
parts:
  arm: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.2, zz: 0.3}, frames: {end: [0.3, 1, 0]}}
  rod: {at: [0.3, 1, 0], mass: 2 kg, inertia: {xx: 0.3, yy: 0.1, zz: 0.2}, frames: {end: [1, 0, 0.4]}}
  tip: {at: [1.3, 1, 0.4], mass: 1.5 kg, inertia: {xx: 0.1, yy: 0.2, zz: 0.3}}
joints:
  bearing: {type: revolute, between: [ground, arm], axis: z, start: {rate: 2 rad/s}}
  ball: {type: spherical, between: [arm.end, rod], start: {angular_velocity: [1, 2, 3]}}
  rail: {type: prismatic, between: [rod.end, tip], axis: x, start: {speed: 0.5 m/s}}
)yaml";

// What the equations of motion consist of at a state.
struct Dense {
  mechanics::Workspace workspace;
  Matrix G, inverse_mass;

  Dense(const test::Assembled& model, const system::State& state) : workspace(*model.system) {
    const mechanics::Context context{*model.system, model.params, state};
    mechanics::update_positions(context, workspace);
    mechanics::update_velocities(context, workspace);
    mechanics::update_drivers(context, workspace);
    mechanics::update_rows(context, workspace);
    mechanics::update_bodies(context, workspace);
    mechanics::update_joints(context, workspace);
    mechanics::update_forces(context, workspace);
    const auto bodies = static_cast<Eigen::Index>(6 * model.system->bodies.size());
    G = Matrix::Zero(static_cast<Eigen::Index>(model.system->rows.size()), bodies);
    for (Eigen::Index j = 0; j < G.rows(); ++j) {
      const RowBodies& ends = model.system->row_bodies[static_cast<std::size_t>(j)];
      const RowBlock& block = workspace.blocks[static_cast<std::size_t>(j)];
      for (std::size_t i = 0; i < 6; ++i) {
        if (ends.a >= 0) G(j, 6 * ends.a + static_cast<Eigen::Index>(i)) += block.a[i];
        if (ends.b >= 0) G(j, 6 * ends.b + static_cast<Eigen::Index>(i)) += block.b[i];
      }
    }
    inverse_mass = Matrix::Zero(bodies, bodies);
    for (Eigen::Index b = 0; b < bodies / 6; ++b) {
      const BodyInverseMass& body = workspace.inverse_masses[static_cast<std::size_t>(b)];
      inverse_mass.block<3, 3>(6 * b, 6 * b) = body.inverse_mass * Matrix3::Identity();
      inverse_mass.block<3, 3>(6 * b + 3, 6 * b + 3) = Eigen::Map<const Matrix3>(body.inverse_inertia.data());
    }
  }

  // N = G M⁻¹ Gᵀ
  Matrix mobility() const { return G * inverse_mass * G.transpose(); }
  // The velocity next to v, measured by the masses, of which all rows have none: v - M⁻¹ Gᵀ N⁻¹ G v.
  Vector without_slip(const Vector& v) const {
    return v - inverse_mass * G.transpose() * mobility().ldlt().solve(G * v);
  }
};

Vector as_vector(std::span<const double> values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// S0-18: with a load τ on its border the multipliers are λ = K τ + b, and G M⁻¹ Gᵀ (K b) = B has one right side for
// each component of τ and one for the rest. Both solvers give what these columns say, for any τ.
TEST(BasicComponent, MultipliersAreLinearInTheBorderLoad) {
  const test::Assembled model = test::assemble_text(kChain);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Dense dense(model, model.state());
  mechanics::Workspace& workspace = dense.workspace;
  const mechanics::Context context{*model.system, model.params, model.state()};
  std::vector<double> u(model.system->rows.size());
  mechanics::row_biases(context, workspace, u);
  const Vector f = as_vector(workspace.forces);
  // The border is the last part. M a = f + Cᵀ τ + Gᵀ λ, G a = u.
  Matrix C = Matrix::Zero(6, f.size());
  C.rightCols(6).setIdentity();
  Matrix B(dense.G.rows(), 7);
  B.leftCols(6) = -dense.G * dense.inverse_mass * C.transpose();
  B.col(6) = as_vector(u) - dense.G * dense.inverse_mass * f;
  const Matrix Kb = dense.mobility().ldlt().solve(B);

  solve::FlatSolver flat(model.system->bodies.size(), model.system->row_bodies);
  solve::ComponentSolver component(solve::make_plan(workspace.joints.layout, workspace.masses, workspace.joint_values));
  solve::PivotSet pivots, own;
  flat.factor(workspace.inverse_masses, workspace.blocks, 1e-6, pivots);
  component.factor({workspace.masses, workspace.joint_values, {}, {}}, 1e-6, own);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> load(-20.0, 20.0);
  for (int round = 0; round < 5; ++round) {
    Vector tau(6);
    for (double& one : tau) one = load(random);
    const Vector expected = Kb.leftCols(6) * tau + Kb.col(6);
    const Vector loaded = f + C.transpose() * tau;
    const std::vector<double> forces(loaded.begin(), loaded.end());
    for (solve::MotionSolver* solver : std::initializer_list<solve::MotionSolver*>{&flat, &component}) {
      std::vector<double> a(forces.size()), lambda(u.size());
      solver->solve(forces, u, a, lambda);
      EXPECT_LT((as_vector(lambda) - expected).cwiseAbs().maxCoeff(), kSame * expected.cwiseAbs().maxCoeff());
    }
  }
}

class Projection : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(model.is_ready()) << model.messages();
    // Off its constraints in places and velocities, by what would be a very large error of a step.
    off = model.state();
    off.position[1] += Vector3(0.01, -0.02, 0.015);
    off.orientation[2] = (off.orientation[2] * Quaternion(1.0, 0.01, -0.008, 0.012)).normalized();
    for (std::size_t i = 0; i < off.velocity.size(); ++i) off.velocity[i] += 0.1 * std::sin(static_cast<double>(i));
    analysis::MachineProblem problem(*model.system, model.params, 1e-6,
                                     {.rank_tolerance = model.assembly->rank_tolerance});
    problem.set_state(0, off);
    ASSERT_TRUE(problem.project(0));
    after = problem.state(0);
  }

  test::Assembled model = test::assemble_text(kChain);
  system::State off, after;
};

// S1-17: what velocities are corrected by is a solution with the matrix of the accelerations, of masses and rows, where
// the positions are now.
TEST_F(Projection, OfVelocitiesHasTheMatrixOfTheAccelerations) {
  const Dense dense(model, after);
  const Vector expected = dense.without_slip(as_vector(off.velocity));
  EXPECT_LT((as_vector(after.velocity) - expected).cwiseAbs().maxCoeff(), kClosed);
}

// S1-18: positions come first. Velocities that were stabilized before them would not fit the rows any more.
TEST_F(Projection, BringsPositionsBackFirst) {
  const Dense here(model, after);
  const mechanics::Context context{*model.system, model.params, after};
  std::vector<double> gaps(model.system->rows.size());
  mechanics::row_values(context, here.workspace, gaps);
  EXPECT_LT(as_vector(gaps).cwiseAbs().maxCoeff(), kClosed);
  EXPECT_LT((here.G * as_vector(after.velocity)).cwiseAbs().maxCoeff(), kClosed);
  const Vector too_early = Dense(model, off).without_slip(as_vector(off.velocity));
  EXPECT_GT((here.G * too_early).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_GT((as_vector(after.velocity) - too_early).cwiseAbs().maxCoeff(), 1e-3);
}

}  // namespace
}  // namespace gelenk::stabilization_test
