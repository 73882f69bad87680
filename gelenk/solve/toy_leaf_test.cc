#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gelenk/math/vector.h"
#include "gelenk/solve/component_solver.h"
#include "gelenk/solve/joint_machine_test_support.h"

// A component that is no rigid body: a housing with two rotors in it, eight unknowns. It shows its housing, and the two
// shafts as ports of one number each. Joints hold the housing, torques turn the shafts; the widths of D come from what
// the component shows.
namespace gelenk::solve::toy_leaf_test {
namespace {

using test::JointMachine;
using Matrix8 = Eigen::Matrix<double, 8, 8>;
using Vector8 = Eigen::Matrix<double, 8, 1>;

constexpr double kSame = 1e-12;  // rounding, against a dense solution

// Unknowns: acceleration and angular acceleration of the housing, spin rates of the rotors about x and z.
class ToyLeaf {
 public:
  ToyLeaf() {
    mass_.setZero();
    mass_.diagonal() << 3.0, 3.0, 3.0, 0.5, 0.6, 0.7, 0.02, 0.03;
    // A rotor turns with the housing, too.
    mass_(3, 6) = mass_(6, 3) = 0.02;
    mass_(5, 7) = mass_(7, 5) = 0.03;
    mobility_ = mass_.inverse();
    load_ << 0.3, -29.0, 0.1, 0.2, -0.4, 0.5, 0.01, -0.02;
  }

  const Matrix8& mass() const { return mass_; }
  const Matrix8& mobility() const { return mobility_; }
  const Vector8& load() const { return load_; }
  const Vector8& acceleration() const { return acceleration_; }

  NodeFunctions functions() {
    NodeFunctions functions;
    functions.self = this;
    functions.factor = [](void* self, const RankRule& /*rule*/, double* D) {
      Matrix8::Map(D) = of(self).mobility_;
      return NodeReport{};
    };
    functions.up = [](void* self, NodeLoad load, double* r) {
      Vector8::Map(r) = of(self).mobility_ * (load == NodeLoad::given ? of(self).load_ : of(self).rest_);
    };
    functions.down = [](void* self, NodeLoad load, const double* tau, double* a) { of(self).down(load, tau, a); };
    functions.residual = [](void* self) { return of(self).residual(); };
    functions.make_test_load = [](void* /*self*/, std::int32_t /*which*/, double* a) { Vector8::Map(a).setZero(); };
    functions.forget = [](void* /*self*/) {};
    return functions;
  }

 private:
  static ToyLeaf& of(void* self) { return *static_cast<ToyLeaf*>(self); }

  void down(NodeLoad load, const double* tau, double* a) {
    const Vector8 t = Vector8::Map(tau);
    if (load == NodeLoad::given) {
      received_ = t;
      acceleration_ = mobility_ * (load_ + t);
      Vector8::Map(a) = acceleration_;
    } else {
      received_ += t;
      const Vector8 more = mobility_ * (rest_ + t);
      acceleration_ += more;
      Vector8::Map(a) = more;
    }
  }

  NodeResidual residual() {
    rest_ = load_ + received_ - mass_ * acceleration_;
    NodeResidual report;
    report.forces = rest_.cwiseAbs().maxCoeff();
    report.inertial_forces = (mass_ * acceleration_).cwiseAbs().maxCoeff();
    report.motion = acceleration_.cwiseAbs().maxCoeff();
    return report;
  }

  Matrix8 mass_, mobility_;
  Vector8 load_, rest_ = Vector8::Zero(), received_ = Vector8::Zero(), acceleration_ = Vector8::Zero();
};

TEST(ToyLeaf, EightUnknowns) {
  // The housing hangs on a bar, which hangs on the ground; both joints are hinges.
  JointMachine m;
  m.machine.generator.seed(5);
  const std::int32_t bar = m.add_bar({0, 0, 0}, {1, 0.2, 0}, 1.5);
  const std::int32_t housing = m.add_bar({1, 0.2, 0}, {1.4, -0.1, 0.3}, 1.0);  // its place only
  m.revolute(-1, bar, {0, 0, 0}, {0, 0, 1});
  m.revolute(bar, housing, {1, 0.2, 0}, {0.3, 0, 1});
  m.finish("bar and leaf");

  ToyLeaf leaf;
  const std::array<double, 2> torques{0.07, -0.05};  // on the shafts
  ForeignComponent foreign;
  foreign.component = 1;
  foreign.ports = {0, 1, 2};
  foreign.references.resize(3);
  foreign.references[0].mass = 4.0;
  foreign.references[0].mean_inverse_inertia = 1.0;
  foreign.mobility.assign(leaf.mobility().data(), leaf.mobility().data() + 64);
  PlanRequest request;
  request.partition.component_of_body = {0};
  request.partition.owner = {kNone, 0};
  request.partition.ports = {{kNone, 0, 6}, {kNone, 0, 1}, {kNone, 0, 1}};
  request.port_arms.assign(9, 0.0);
  request.foreign = {foreign};
  const NodeFunctions functions = leaf.functions();
  const std::vector<BodyMass> masses{m.masses[0]};
  // Port 0 has the number that the housing had.
  ComponentSolver solver(make_plan(m.layout, masses, m.values, request), {&functions, 1});
  PivotSet pivots;
  solver.factor({masses, m.values, {}, {}, request.port_arms}, 1e-6, pivots);
  EXPECT_EQ(solver.rank(), 10u);
  // On the bar, nothing on the housing, on the shafts.
  const std::vector<double> f{0.1, -14.7, 0.2, 0.0, 0.3, -0.1, 0, 0, 0, 0, 0, 0, torques[0], torques[1]};
  const std::vector<double> u = m.machine.numbers(10);
  std::vector<double> a(6), lambda(10);
  solver.solve(f, u, a, lambda);

  // The same with one matrix: bar, leaf, rows.
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(24, 24);
  Eigen::VectorXd right(24);
  all.block<3, 3>(0, 0).diagonal().setConstant(masses[0].mass);
  const std::array<double, 6>& J = masses[0].inertia;
  all.block<3, 3>(3, 3) << J[0], J[1], J[2], J[1], J[3], J[4], J[2], J[4], J[5];
  all.block<8, 8>(6, 6) = leaf.mass();
  for (int row = 0; row < 10; ++row) {
    const RowBlock& block = m.machine.blocks[static_cast<std::size_t>(row)];
    const bool is_first = row < 5;  // between ground and bar
    for (int k = 0; k < 6; ++k) {
      const auto i = static_cast<std::size_t>(k);
      all(14 + row, k) = is_first ? block.b[i] : block.a[i];
      if (!is_first) all(14 + row, 6 + k) = block.b[i];
    }
  }
  all.block(0, 14, 14, 10) = -all.block(14, 0, 10, 14).transpose();
  for (int i = 0; i < 6; ++i) right(i) = f[static_cast<std::size_t>(i)];
  right.segment<8>(6) = leaf.load();
  right(12) += torques[0];
  right(13) += torques[1];
  for (int i = 0; i < 10; ++i) right(14 + i) = u[static_cast<std::size_t>(i)];
  const Eigen::VectorXd x = all.fullPivLu().solve(right);
  const double largest = x.head(14).cwiseAbs().maxCoeff();
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(a[static_cast<std::size_t>(i)], x(i), kSame * largest);
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(leaf.acceleration()(i), x(6 + i), kSame * largest);
  const double largest_force = x.tail(10).cwiseAbs().maxCoeff();
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(lambda[static_cast<std::size_t>(i)], x(14 + i), kSame * largest_force);
}

}  // namespace
}  // namespace gelenk::solve::toy_leaf_test
