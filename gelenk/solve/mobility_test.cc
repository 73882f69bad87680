#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gelenk/solve/component_solver.h"
#include "gelenk/solve/mechanisms_test_support.h"

namespace gelenk::solve::mobility_test {
namespace {

using test::JointMachine;

constexpr double kTau = 1e-6;
// Rounding times the condition of these machines.
constexpr double kRounding = 1e-11;

// A point that moves with a body: world axes, from the center of mass.
struct PointOnBody {
  std::int32_t body = 0;
  std::array<double, 3> arm{};
};

// D of components.md (1), which the machine publishes to an owner outside it who acts at the points.
std::vector<double> mobility(const JointMachine& m, const std::vector<PointOnBody>& points) {
  PlanRequest request;
  request.partition.component_of_body.assign(m.masses.size(), 0);
  for (const PointOnBody& point : points) {
    request.partition.ports.push_back({.body = point.body});
    request.port_arms.insert(request.port_arms.end(), point.arm.begin(), point.arm.end());
  }
  const std::vector<double> arms = request.port_arms;
  ComponentSolver solver(make_plan(m.layout, m.masses, m.values, request));
  PivotSet pivots;
  solver.factor({m.masses, m.values, m.machine.bodies, m.machine.blocks, arms}, kTau, pivots);
  return {solver.mobility().begin(), solver.mobility().end()};
}

// D against 80-bit accelerations for loads at the points; it is symmetric, and no push lets a machine move backward.
TEST(Mobility, OfAllMechanisms) {
  for (JointMachine& m : test::mechanisms()) {
    SCOPED_TRACE(m.name);
    if (m.masses.size() > 24) continue;  // the reference is dense
    const auto last = static_cast<std::int32_t>(m.masses.size() - 1);
    const std::vector<PointOnBody> points{{last, {0.3, -0.2, 0.1}}, {last / 2, {}}};
    const std::vector<double> D = mobility(m, points);
    ASSERT_EQ(D.size(), 144U);
    double largest = 1.0 / m.masses[0].mass;  // of the free body: a driven machine does not move at all
    for (const double d : D) largest = std::max(largest, std::abs(d));
    const std::vector<double> u(m.machine.blocks.size(), 0.0);
    for (std::size_t column = 0; column < 12; ++column) {
      std::vector<double> f(6 * m.masses.size(), 0.0);
      double wrench[6] = {};
      wrench[column % 6] = 1.0;
      const PointOnBody& pushed = points[column / 6];
      add_shifted_wrench(pushed.arm.data(), wrench, &f[6 * static_cast<std::size_t>(pushed.body)]);
      const test::Reference reference = test::reference_of(m, f, u, 1e-9);
      for (std::size_t row = 0; row < 12; ++row) {
        const PointOnBody& seen = points[row / 6];
        double motion[6];
        std::vector<double> a(6);
        for (std::size_t i = 0; i < 6; ++i) {
          a[i] = static_cast<double>(reference.a[6 * static_cast<std::size_t>(seen.body) + i]);
        }
        shift_motion(seen.arm.data(), a.data(), motion);
        EXPECT_NEAR(D[12 * row + column], motion[row % 6], kRounding * largest);
        EXPECT_NEAR(D[12 * row + column], D[12 * column + row], kRounding * largest);
      }
      EXPECT_GE(D[13 * column], -kRounding * largest);
    }
  }
}

// A blow on a moving machine: the momentum that the joints do not take is in the bodies, and the joints still hold.
TEST(Impulse, KeepsTheJointsAndTheMomentum) {
  for (JointMachine& m : test::mechanisms()) {
    SCOPED_TRACE(m.name);
    ComponentSolver solver(make_plan(m.layout, m.masses, m.values));
    PivotSet pivots;
    solver.factor({m.masses, m.values, m.machine.bodies, m.machine.blocks}, kTau, pivots);
    const std::size_t n = 6 * m.masses.size();
    // Velocities that the joints allow
    const std::vector<double> nothing(solver.row_count(), 0.0);
    std::vector<double> before(n);
    solver.solve(m.machine.numbers(n), nothing, before, {});
    const std::vector<double> P = m.machine.numbers(n);
    // The rows hold before and after: their rates do not change.
    std::vector<double> jump(n);
    std::vector<double> lambda(solver.row_count());
    solver.solve(P, nothing, jump, lambda);
    std::vector<double> after = before;
    for (std::size_t i = 0; i < n; ++i) after[i] += jump[i];
    const double size = test::largest(after) + test::largest(before) + test::largest(P);
    const std::vector<double> rates = m.machine.rates(after);
    for (std::size_t j = 0; j < rates.size(); ++j) {
      EXPECT_NEAR(rates[j] * solver.row_scales()[j], 0.0, 1e-10 * size * (1.0 + solver.row_scales()[j]));
    }
    const std::vector<double> blows = m.machine.wrenches(lambda);
    double most = 0.0;
    for (std::size_t i = 0; i < n; ++i) most = std::max({most, std::abs(P[i]), std::abs(blows[i])});
    for (std::size_t b = 0; b < m.masses.size(); ++b) {
      double change[6];
      for (std::size_t i = 0; i < 3; ++i) change[i] = m.masses[b].mass * (after[6 * b + i] - before[6 * b + i]);
      const double w[3] = {after[6 * b + 3] - before[6 * b + 3], after[6 * b + 4] - before[6 * b + 4],
                           after[6 * b + 5] - before[6 * b + 5]};
      multiply_symmetric3(m.masses[b].inertia.data(), w, change + 3);
      for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(change[i], P[6 * b + i] + blows[6 * b + i], 1e-10 * most);
    }
  }
}

}  // namespace
}  // namespace gelenk::solve::mobility_test
