#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/equations.h"
#include "gelenk/analysis/reaction_split.h"
#include "gelenk/base/index.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/solve/soft_rows_test_support.h"
#include "gelenk/system/compile.h"
#include "tests/support/load_example.h"

// Shared reactions of the examples against joints of rubber that become stiffer and stiffer.
namespace gelenk::reaction_split_test {
namespace {

using Real = long double;

struct Machine {
  test::Example example;
  std::optional<system::System> system;
  system::Params params;
  std::optional<analysis::Assembly> start;

  explicit Machine(const std::string& file) : example(test::load_example(file)) {
    system = system::compile(example.machine, {}, example.diagnostics);
    params = system::make_params(*system, example.machine);
    start = analysis::assemble(*system, params, example.machine, 0.0, example.diagnostics);
  }
};

// The machine where it starts with joints that give way a little, from single rows.
solve::test::SoftRows soft_rows(const Machine& m) {
  const mechanics::Context context{*m.system, m.params, m.start->state};
  mechanics::Workspace workspace(*m.system);
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  mechanics::update_drivers(context, workspace);
  mechanics::update_rows(context, workspace);
  mechanics::update_forces(context, workspace);
  const std::size_t rows = m.system->rows.size();
  std::vector<double> u(rows);
  mechanics::row_biases(context, workspace, u);
  const std::size_t n = 6 * m.system->bodies.size();
  std::vector<std::vector<Real>> G(rows, std::vector<Real>(n, 0));
  for (std::size_t j = 0; j < rows; ++j) {
    const RowBodies& bodies = m.system->row_bodies[j];
    for (std::size_t i = 0; i < 6; ++i) {
      if (bodies.a >= 0) G[j][6 * at(bodies.a) + i] += workspace.blocks[j].a[i];
      if (bodies.b >= 0) G[j][6 * at(bodies.b) + i] += workspace.blocks[j].b[i];
    }
  }
  std::vector<Real> N(rows * rows, 0);
  std::vector<Real> b(u.begin(), u.end());
  for (std::size_t j = 0; j < rows; ++j) {
    std::vector<Real> moved(n, 0);  // M⁻¹ of the row
    for (std::size_t i = 0; i < n; ++i) {
      const BodyInverseMass& inverse = workspace.inverse_masses[i / 6];
      if (i % 6 < 3) moved[i] = inverse.inverse_mass * G[j][i];
      for (std::size_t k = 0; i % 6 >= 3 && k < 3; ++k) {
        moved[i] += static_cast<Real>(inverse.inverse_inertia[3 * (i % 6 - 3) + k]) * G[j][6 * (i / 6) + 3 + k];
      }
      b[j] -= moved[i] * static_cast<Real>(workspace.forces[i]);
    }
    for (std::size_t k = 0; k < rows; ++k) {
      for (std::size_t i = 0; i < n; ++i) N[rows * k + j] += G[k][i] * moved[i];
    }
  }
  return {std::move(N), std::move(b)};
}

std::vector<double> split_reactions(const Machine& m, analysis::Partitioning partitioning,
                                    std::span<const double> compliance) {
  analysis::Equations equations(*m.system, m.params, partitioning);
  equations.set_rank_tolerance(m.start->rank_tolerance);
  equations.load(m.start->state);
  solve::PivotSet pivots;
  equations.factor(pivots);
  std::vector<double> a(6 * m.system->bodies.size());
  std::vector<double> lambda(m.system->rows.size());
  equations.solve_accelerations(m.start->state, a, lambda);
  equations.solver().share(lambda, compliance);
  return lambda;
}

class RubberJoints : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(ReactionSplit, RubberJoints,
                         testing::Values("h_frame/h_frame.yaml", "four_bar/four_bar.yaml",
                                         "steam_engine/steam_engine.yaml"));

// The difference falls with the softness, ten times for ten times, as far as 80 bits and a condition of 1/ε let see.
TEST_P(RubberJoints, BecomeTheSplitWhenTheyAreStiff) {
  const Machine m(GetParam());
  ASSERT_TRUE(m.start) << m.example.complaints();
  const solve::test::SoftRows rubber = soft_rows(m);
  for (const analysis::ReactionSplit split : {analysis::ReactionSplit::by_mass, analysis::ReactionSplit::equal}) {
    const std::vector<double> compliance = analysis::row_compliances(*m.system, m.params, split);
    for (const analysis::Partitioning partitioning :
         {analysis::Partitioning::automatic, analysis::Partitioning::none}) {
      SCOPED_TRACE(std::string(analysis::split_name(split)) + " " + std::string(partitioning_name(partitioning)));
      const std::vector<double> expected = split_reactions(m, partitioning, compliance);
      double largest = 0.0;
      for (const double x : expected) largest = std::max(largest, std::abs(x));
      ASSERT_GT(largest, 0.0);
      double before = 0.0;
      for (const Real softness : {1e-4L, 1e-5L, 1e-6L}) {
        const std::vector<double> soft = rubber.reactions(softness, compliance);
        double now = 0.0;
        for (std::size_t j = 0; j < soft.size(); ++j) now = std::max(now, std::abs(soft[j] - expected[j]) / largest);
        if (before > 0.0) {
          EXPECT_NEAR(now / before, 0.1, 0.02) << static_cast<double>(softness);
        }
        before = now;
      }
      EXPECT_LT(before, 1e-3);
    }
  }
}

}  // namespace
}  // namespace gelenk::reaction_split_test
