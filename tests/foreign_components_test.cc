#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/machine/problem.h"
#include "gelenk/mechanics/dynamics.h"
#include "gelenk/solve/foreign_test_support.h"
#include "gelenk/system/compile.h"
#include "tests/support/load_example.h"

// Every component of the examples, taken out and seen through its functions only: the machine moves the same, bit for
// bit.
namespace gelenk::foreign_components_test {
namespace {

class TakenOutOfExamples : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(ForeignComponents, TakenOutOfExamples,
                         testing::Values("car/car.yaml", "car/car_redundant.yaml", "steam_engine/steam_engine.yaml"));

solve::test::Task task_of(const system::System& system, const system::Params& params, const system::State& state) {
  analysis::Equations equations(system, params, analysis::Partitioning::model);
  equations.load_with_forces(state);
  const mechanics::Workspace& workspace = equations.workspace();
  solve::test::Task task;
  task.layout = workspace.joints.layout;
  task.masses = workspace.masses;
  task.values = workspace.joint_values;
  task.partition = equations.plan()->partition;
  task.port_arms = workspace.port_arms;
  task.port_biases = workspace.port_biases;
  task.f = workspace.forces;
  task.u.resize(system.rows.size());
  mechanics::Workspace again(system, workspace.ports);
  mechanics::update_all({system, params, state}, again, task.u);
  return task;
}

TEST_P(TakenOutOfExamples, SameBits) {
  test::Example example = test::load_example(GetParam());
  std::optional<system::System> system = system::compile(example.machine, {}, example.diagnostics);
  ASSERT_TRUE(system);
  const system::Params params = system::make_params(*system, example.machine);
  const std::optional<analysis::Assembly> start =
      analysis::assemble(*system, params, example.machine, 0.0, example.diagnostics);
  ASSERT_TRUE(start);
  system::State state = start->state;
  // Not at rest, so that arms and velocities count.
  for (std::size_t i = 0; i < state.velocity.size(); ++i) state.velocity[i] += 0.1 * static_cast<double>(i % 7) - 0.3;
  const solve::test::Task task = task_of(*system, params, state);
  ASSERT_GT(task.partition.ports.size(), 0u);
  const solve::test::TakenOut::Result open = solve_open(task);
  for (std::size_t c = 1; c < task.partition.owner.size(); ++c) {
    SCOPED_TRACE(system->components[c].path);
    const solve::test::TakenOut::Result result = solve::test::TakenOut(task, static_cast<std::int32_t>(c)).solve();
    EXPECT_EQ(result.a, open.a);
    EXPECT_EQ(result.lambda, open.lambda);
  }
}

}  // namespace
}  // namespace gelenk::foreign_components_test
