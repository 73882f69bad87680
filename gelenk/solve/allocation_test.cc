#include <gtest/gtest.h>

#include "gelenk/base/allocation_count_test_support.h"
#include "gelenk/solve/component_solver.h"
#include "gelenk/solve/flat_solver.h"
#include "gelenk/solve/machine_test_support.h"
#include "gelenk/solve/mechanisms_test_support.h"

namespace gelenk::solve::allocation_test {
namespace {

TEST(FlatSolverAllocation, NoneAfterTheFirstStep) {
  for (const Storage storage : {Storage::dense, Storage::sparse}) {
    test::Machine machine = test::ladder(4);
    const test::Machine moved = test::ladder(4, 1.001);
    const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
    const std::vector<double> u = machine.rates(r);
    std::vector<double> a(r.size());
    std::vector<double> lambda(u.size());
    PivotSet pivots;
    const long before_solver = gelenk::test::allocation_count;
    FlatSolver solver = test::make_solver(machine, storage);
    const auto step = [&](const test::Machine& pose) {
      solver.factor(pose.bodies, pose.blocks, 1e-6, pivots);
      const SweepReport report = solver.sweep(r, u, a, lambda);
      solver.share(lambda);
      return report.residual;
    };
    step(machine);
    const long before = gelenk::test::allocation_count;
    EXPECT_GT(before, before_solver);
    double sum = step(moved);
    solver.set_blocks(machine.bodies, machine.blocks);
    sum += solver.sweep(r, u, a, lambda).residual;
    sum += step(machine);
    const long after = gelenk::test::allocation_count;
    EXPECT_EQ(after - before, 0);
    EXPECT_LT(sum, 1e-9);
  }
}

TEST(ComponentSolverAllocation, NoneAfterTheFirstStep) {
  for (const FrontForm form : {FrontForm::root, FrontForm::mobility}) {
    test::JointMachine machine = test::rod_grid(6);
    const std::vector<double> r = machine.machine.numbers(6 * machine.masses.size());
    const std::vector<double> u = machine.machine.rates(r);
    std::vector<double> a(r.size());
    std::vector<double> lambda(u.size());
    PivotSet pivots;
    ComponentSolver solver(make_plan(machine.layout, machine.masses, machine.values, {1e-6, {}, {}, form}));
    const auto step = [&] {
      solver.factor({machine.masses, machine.values, {}, {}}, 1e-6, pivots);
      return solver.solve(r, u, a, lambda).residual;
    };
    step();
    const long before = gelenk::test::allocation_count;
    const double residual = step();
    EXPECT_EQ(gelenk::test::allocation_count - before, 0);
    EXPECT_LT(residual, 1e-9);
  }
}

}  // namespace
}  // namespace gelenk::solve::allocation_test
