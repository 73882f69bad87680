#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/equations.h"
#include "gelenk/system/compile.h"
#include "tests/support/load_example.h"

// The same machine divided as its design is, not divided, and as one factorization: one motion.
namespace gelenk::components_test {
namespace {

// Part of the largest acceleration, after corrections.
constexpr double kSame = 1e-12;

class Divided : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Components, Divided,
                         testing::Values("car/car.yaml", "car/car_redundant.yaml", "steam_engine/steam_engine.yaml",
                                         "four_bar/four_bar.yaml", "h_frame/h_frame.yaml",
                                         "crank_slider/crank_slider.yaml", "double_pendulum/double_pendulum.yaml"));

struct Solved {
  std::vector<double> a;
  std::size_t rank = 0;
  std::size_t nodes = 0;
};

struct Machine {
  test::Example example;
  std::optional<system::System> system;
  system::Params params;
  std::optional<analysis::Assembly> start;

  explicit Machine(const char* file) : example(test::load_example(file)) {
    system = system::compile(example.machine, {}, example.diagnostics);
    params = system::make_params(*system, example.machine);
    start = analysis::assemble(*system, params, example.machine, 0.0, example.diagnostics);
  }
};

Solved accelerations(const Machine& model, analysis::Partitioning partitioning) {
  analysis::Equations equations(*model.system, model.params, partitioning);
  equations.set_rank_tolerance(model.start->rank_tolerance);
  equations.load(model.start->state);
  solve::PivotSet pivots;
  equations.factor(pivots);
  Solved result;
  result.a.resize(6 * model.system->bodies.size());
  std::vector<double> multipliers(model.system->rows.size());
  equations.solve_accelerations(model.start->state, result.a, multipliers);
  result.rank = equations.solver().rank();
  result.nodes = equations.plan() ? equations.plan()->nodes.size() : 0;
  return result;
}

// S0-07, S1-02: the assemblies of the design are the components of the simulation.
TEST_P(Divided, AccelerationsDoNotDependOnThePartition) {
  const Machine model(GetParam());
  ASSERT_TRUE(model.start);
  const Solved flat = accelerations(model, analysis::Partitioning::none);
  double largest = 0.0;
  for (const double a : flat.a) largest = std::max(largest, std::abs(a));
  for (const analysis::Partitioning partitioning : {analysis::Partitioning::model, analysis::Partitioning::automatic}) {
    const Solved ours = accelerations(model, partitioning);
    EXPECT_EQ(ours.rank, flat.rank);
    for (std::size_t i = 0; i < flat.a.size(); ++i) EXPECT_NEAR(ours.a[i], flat.a[i], kSame * largest) << i;
    const bool is_divided = partitioning == analysis::Partitioning::model;
    EXPECT_EQ(ours.nodes == model.system->components.size(), is_divided || model.system->components.size() == 1);
  }
}

}  // namespace
}  // namespace gelenk::components_test
