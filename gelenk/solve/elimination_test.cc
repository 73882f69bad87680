#include "gelenk/solve/elimination.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gelenk/solve/elimination_planner.h"
#include "gelenk/solve/mechanisms_test_support.h"

namespace gelenk::solve::elimination_test {
namespace {

using test::JointMachine;

// What one sweep without correction leaves: rounding times the condition of these machines.
constexpr double kOneSweep = 1e-10;
constexpr double kTau = 1e-6;

struct Problem {
  std::vector<double> a, f, u;  // consistent: G a = u for some a
};

Problem make_problem(JointMachine& m) {
  Problem problem;
  const std::vector<double> any = m.machine.numbers(6 * m.masses.size());
  problem.u = m.machine.rates(any);
  problem.f = m.machine.numbers(6 * m.masses.size());
  return problem;
}

std::vector<double> free_motion(const JointMachine& m, const std::vector<double>& f) {
  std::vector<double> r(f.size());
  for (std::size_t b = 0; b < m.masses.size(); ++b) {
    const BodyInverseMass& inverse = m.machine.bodies[b];
    for (std::size_t i = 0; i < 3; ++i) {
      r[6 * b + i] = inverse.inverse_mass * f[6 * b + i];
      for (std::size_t j = 0; j < 3; ++j) {
        r[6 * b + 3 + i] += inverse.inverse_inertia[3 * i + j] * f[6 * b + 3 + j];
      }
    }
  }
  return r;
}

struct Result {
  std::vector<double> a, lambda;
  std::size_t rank = 0;
};

Result solve_with(const JointMachine& m, const Program& program, const Problem& problem) {
  Elimination elimination(program);
  elimination.load(m.masses, m.values.data());
  auto report = elimination.factor(kTau);
  EXPECT_EQ(report.outcome, OpOutcome::good) << m.name;
  Result result{std::vector<double>(problem.f.size()), std::vector<double>(problem.u.size()), 0};
  elimination.sweep_up(problem.f, problem.u);
  elimination.sweep_down(result.a, result.lambda);
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    if (Program::decides(op)) result.rank += elimination.rank(i);
    if (op.joint != kNone) result.rank += program.layout.joints[static_cast<std::size_t>(op.joint)].row_count();
  }
  return result;
}

void check(JointMachine m) {
  SCOPED_TRACE(m.name);
  const Problem problem = make_problem(m);
  const Program program = plan_elimination(m.layout, m.masses, m.values);
  const Result result = solve_with(m, program, problem);
  const std::vector<double> r = free_motion(m, problem.f);
  const test::Reference reference = test::solve_by_orthogonal_rows(m.machine, r, problem.u, 1e-9);
  const double size = std::max(test::largest(reference.a), test::largest(r));
  EXPECT_EQ(result.rank, reference.rank);
  EXPECT_LT(test::largest_difference(result.a, reference.a) / size, kOneSweep);
  // M a = f + Gᵀλ
  const std::vector<double> wrench = m.machine.wrenches(result.lambda);
  std::vector<double> total(problem.f);
  for (std::size_t i = 0; i < total.size(); ++i) total[i] += wrench[i];
  EXPECT_LT(test::largest_difference(free_motion(m, total), result.a) / size, kOneSweep);
}

TEST(Elimination, SolvesAllMechanisms) {
  for (JointMachine& m : test::mechanisms()) check(std::move(m));
}

TEST(Elimination, SolvesRandomMachines) {
  for (unsigned seed = 1; seed <= 300; ++seed) check(test::random_machine(seed));
}

}  // namespace
}  // namespace gelenk::solve::elimination_test
