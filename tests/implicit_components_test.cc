// Implicit steps, component by component: the same motion as of the undivided machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/load_example.h"
#include "tests/support/run_text.h"

namespace gelenk::implicit_components_test {
namespace {

using analysis::Partitioning;
using integrate::Method;

test::Assembled assemble_example(const std::string& file) {
  test::Example example = test::load_example(file);
  test::Checked checked;
  checked.loaded = std::move(example.loaded);
  checked.machine = std::move(example.machine);
  checked.diagnostics = std::move(example.diagnostics);
  return test::assemble_model(std::move(checked));
}

// Cells one after another, each a link with a weight that swings on it. Their ends are held by balls and torsional
// bushings, or by bushings alone; in the middle a cell of two cells.
std::string chain_of_cells(double stiffness, bool has_balls) {
  const std::string along = has_balls ? ""
                                      : fmt::format("stiffness: [{0}, {0}, {0}], damping: [{1}, {1}, {1}], ",
                                                    100.0 * stiffness, 1e-2 * stiffness);
  const std::string bushing =
      fmt::format("{2}rotational_stiffness: [{0}, {0}, {0}], rotational_damping: [{1}, {1}, {1}]", stiffness,
                  1e-4 * stiffness, along);
  std::string text = R"(up: z
definitions:
  cell:
    parts:
      link: {mass: 0.2, center_of_mass: [0.05, 0, 0], inertia: {xx: 1e-4, yy: 1e-3, zz: 1e-3}, frames: {tip: [0.1, 0, 0], low: [0.05, 0, -0.02]}}
      weight: {at: [0.05, 0, -0.02], mass: 0.1, center_of_mass: [0, 0.01, -0.05], inertia: {xx: 1e-4, yy: 1e-4, zz: 1e-4}}
    joints:
      swing: {type: revolute, between: [link.low, weight], axis: x}
    ports: {root: link, tip: link.tip}
  pair:
    assemblies:
      first: {use: cell}
      second: {use: cell, at: [0.1, 0, 0]}
    joints:
)";
  if (has_balls) text += "      ball: {type: spherical, between: [first.tip, second.root]}\n";
  if (!has_balls) text.erase(text.rfind("    joints:"));
  text += fmt::format("    forces:\n      mount: {{type: bushing, between: [first.tip, second.root], {}}}\n", bushing);
  text += R"(    ports: {root: first.root, tip: second.tip}
assemblies:
  one: {use: cell}
  two: {use: pair, at: [0.1, 0, 0]}
  three: {use: cell, at: [0.3, 0, 0]}
)";
  std::string joints = "joints:\n";
  std::string forces = "forces:\n";
  std::string before = "ground";
  for (const char* const cell : {"one", "two", "three"}) {
    joints += fmt::format("  ball_{0}: {{type: spherical, between: [{1}, {0}.root]}}\n", cell, before);
    forces += fmt::format("  mount_{0}: {{type: bushing, between: [{1}, {0}.root], {2}}}\n", cell, before, bushing);
    before = std::string(cell) + ".tip";
  }
  return text + (has_balls ? joints : "") + forces;
}

// A shaft with a loose weight turns in two bearings of a box, all of its ports far from its center of mass: velocities
// at ports turn with their arms.
std::string rotor(double stiffness) {
  const std::string bearing =
      fmt::format("stiffness: [{0}, {0}, {0}], damping: [{1}, {1}, {1}]", stiffness, 1e-3 * stiffness);
  return fmt::format(R"(up: z
definitions:
  rotor:
    parts:
      shaft:
        mass: 2
        center_of_mass: [0.01, 0.02, 0.1]
        inertia: {{xx: 0.02, yy: 0.02, zz: 0.03}}
        frames: {{top: [0.05, 0, 0.2], low: [0, -0.05, 0]}}
        start: {{angular_velocity: [0, 0, 30]}}
      weight: {{at: [0.3, 0, 0.1], mass: 0.3, shape: {{sphere: {{radius: 0.05}}}}}}
    joints:
      swing: {{type: spherical, at: [0.2, 0, 0.1], between: [shaft, weight]}}
    ports: {{low: shaft.low, top: shaft.top}}
parts:
  box:
    mass: 5
    shape: {{box: {{size: [0.3, 0.3, 0.3]}}}}
    frames: {{low: [0, -0.05, 0], top: [0.05, 0, 0.2]}}
assemblies:
  inner: {{use: rotor}}
joints:
  slide: {{type: prismatic, between: [ground, box], axis: x}}
forces:
  hold: {{type: spring_damper, between: [ground, box], stiffness: 1e5, damping: 100}}
  low: {{type: bushing, between: [box.low, inner.low], {0}}}
  top: {{type: bushing, between: [box.top, inner.top], {0}}}
)",
                     bearing);
}

struct Result {
  bool is_good = false;
  integrate::Counters counters;
  system::State state;
};

Result run(const test::Assembled& model, const integrate::Options& options, double end, Partitioning partitioning) {
  test::Motion motion(model, options, partitioning);
  Result result;
  result.is_good = motion.advance_to(end);
  result.counters = motion.integrator().counters();
  result.state = motion.state();
  return result;
}

// Largest distance between bodies, m.
double distance(const system::State& a, const system::State& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    largest = std::max(largest, (a.position[i] - b.position[i]).norm());
  }
  return largest;
}

// Newton iterations and factorizations of runs, divided and whole.
struct Efforts {
  std::int64_t divided[2] = {}, whole[2] = {};
};

void compare(const test::Assembled& model, const integrate::Options& options, double end, double near,
             Efforts& efforts) {
  const Result divided = run(model, options, end, Partitioning::model);
  const Result whole = run(model, options, end, Partitioning::none);
  ASSERT_TRUE(divided.is_good);
  ASSERT_TRUE(whole.is_good);
  EXPECT_LT(distance(divided.state, whole.state), near);
  EXPECT_GT(distance(divided.state, model.state()), 10.0 * near);  // something happened
  efforts.divided[0] += divided.counters.newton_iterations;
  efforts.divided[1] += divided.counters.newton_factorizations;
  efforts.whole[0] += whole.counters.newton_iterations;
  efforts.whole[1] += whole.counters.newton_factorizations;
}

void expect_same_effort(const Efforts& efforts) {
  for (const int i : {0, 1}) {
    EXPECT_LE(static_cast<double>(efforts.divided[i]), 1.2 * static_cast<double>(efforts.whole[i]));
  }
}

// Fixed steps, each solved to rounding.
void expect_same_steps(const test::Assembled& model, double end) {
  ASSERT_TRUE(model.is_ready()) << model.messages();
  integrate::Options options;
  options.method = Method::generalized_alpha;
  options.step = 2e-3;
  Efforts efforts;
  compare(model, options, end, 1e-9, efforts);
  expect_same_effort(efforts);
}

// Steps that follow the tolerance. How many a single run of a stiff machine takes is a matter of luck, where rounding
// decides whether a step is refused, and differs by a factor of three: many are counted together.
void expect_same_within_tolerance(const test::Assembled& model, double end) {
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Efforts efforts;
  for (int i = 0; i < 24; ++i) {
    const double tolerance = 1e-5 * std::pow(10.0, -0.1 * i);
    SCOPED_TRACE(tolerance);
    integrate::Options options;
    options.method = Method::bdf;
    options.tolerance = tolerance;
    compare(model, options, end, 10.0 * tolerance, efforts);
  }
  expect_same_effort(efforts);
}

// A motion somewhere in a step: nothing is at rest, everything has turned.
struct Instant {
  system::State state;
  std::vector<double> accelerations, multipliers, turns, forces, rates;
  std::vector<std::int32_t> rows;

  explicit Instant(const test::Assembled& model) : state(model.state()) {
    const auto number = [](std::size_t i, double size) { return size * (static_cast<double>(i * 7 % 11) - 5.0); };
    const std::size_t bodies = model.system->bodies.size();
    for (std::size_t i = 0; i < 6 * bodies; ++i) {
      state.velocity[i] += number(i, 0.5);
      accelerations.push_back(number(i + 1, 10.0));
      forces.push_back(number(i + 2, 10.0));
    }
    for (std::size_t i = 0; i < 3 * bodies; ++i) turns.push_back(number(i, 0.05));
    analysis::Equations equations(*model.system, model.params, Partitioning::none);
    equations.load(state);
    solve::PivotSet pivots;
    equations.factor(pivots);
    solve::independent_rows(pivots, model.system->rows.size(), rows);
    multipliers.resize(model.system->rows.size(), 0.0);
    for (const std::int32_t row : rows) multipliers[static_cast<std::size_t>(row)] = number(rates.size(), 20.0);
    for (std::size_t i = 0; i < rows.size(); ++i) rates.push_back(number(i, 0.1));
  }
};

enum class Way { whole, shifted, divided };

// x and l of an implicit step there, and the two products.
std::vector<double> newton_step(const test::Assembled& model, const Instant& at, Way way) {
  analysis::Equations equations(*model.system, model.params,
                                way == Way::whole ? Partitioning::none : Partitioning::model);
  equations.load_rows(at.state);
  mechanics::Workspace& workspace = equations.workspace();
  mechanics::update_forces({*model.system, model.params, at.state}, workspace);
  EXPECT_EQ(workspace.ports.is_empty(), way == Way::whole);
  analysis::ImplicitEquations implicit(*model.system, model.params, workspace.ports,
                                       way == Way::divided ? equations.plan() : nullptr);
  EXPECT_TRUE(implicit.factor({at.state, workspace, at.accelerations, at.multipliers, at.rows, at.turns}, 2e-3, 1e-6));
  std::vector<double> x = at.forces;
  x.resize(workspace.forces.size());
  std::vector<double> l = at.rates;
  implicit.solve(x, l);
  x.resize(at.forces.size());
  x.insert(x.end(), l.begin(), l.end());
  return x;
}

void expect_same_matrix(const test::Assembled& model) {
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const Instant instant(model);
  const std::vector<double> whole = newton_step(model, instant, Way::whole);
  for (const Way way : {Way::shifted, Way::divided}) {
    SCOPED_TRACE(static_cast<int>(way));
    const std::vector<double> other = newton_step(model, instant, way);
    double largest[2] = {};  // of x, and of l
    for (std::size_t i = 0; i < whole.size(); ++i) {
      double& of = largest[i < instant.forces.size() ? 0 : 1];
      of = std::max(of, std::abs(whole[i]));
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_NEAR(other[i], whole[i], 1e-9 * largest[i < instant.forces.size() ? 0 : 1]) << i;
    }
  }
}

class ImplicitExamples : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(ImplicitComponents, ImplicitExamples,
                         testing::Values("car/car.yaml", "car/car_redundant.yaml", "steam_engine/steam_engine.yaml"));

TEST_P(ImplicitExamples, SameMatrix) { expect_same_matrix(assemble_example(GetParam())); }
TEST_P(ImplicitExamples, FixedSteps) { expect_same_steps(assemble_example(GetParam()), 0.3); }
TEST_P(ImplicitExamples, ChosenSteps) { expect_same_within_tolerance(assemble_example(GetParam()), 0.3); }

class StiffBorders : public testing::TestWithParam<double> {};
// Sanitizers find nothing more with another stiffness, and take fifteen times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
INSTANTIATE_TEST_SUITE_P(ImplicitComponents, StiffBorders, testing::Values(1e5));
#else
INSTANTIATE_TEST_SUITE_P(ImplicitComponents, StiffBorders, testing::Values(1e3, 1e5, 1e7, 1e9));
#endif

TEST_P(StiffBorders, SameMatrix) {
  expect_same_matrix(test::assemble_text(chain_of_cells(GetParam(), true)));
  expect_same_matrix(test::assemble_text(chain_of_cells(GetParam(), false)));
}
TEST_P(StiffBorders, BallsFixedSteps) { expect_same_steps(test::assemble_text(chain_of_cells(GetParam(), true)), 0.2); }
TEST_P(StiffBorders, BallsChosenSteps) {
  expect_same_within_tolerance(test::assemble_text(chain_of_cells(GetParam(), true)), 0.1);
}
TEST_P(StiffBorders, BushingsFixedSteps) {
  expect_same_steps(test::assemble_text(chain_of_cells(GetParam(), false)), 0.2);
}
TEST_P(StiffBorders, BushingsChosenSteps) {
  expect_same_within_tolerance(test::assemble_text(chain_of_cells(GetParam(), false)), 0.1);
}

TEST(ImplicitComponents, BearingsOfARotor) {
  for (const double stiffness : {1e5, 1e7}) {
    SCOPED_TRACE(stiffness);
    expect_same_matrix(test::assemble_text(rotor(stiffness)));
    expect_same_steps(test::assemble_text(rotor(stiffness)), 0.2);
    expect_same_within_tolerance(test::assemble_text(rotor(stiffness)), 0.1);
  }
}

// A formula that reads a part inside another component, where no port is.
TEST(ImplicitComponents, ForcesThatReadFarParts) {
  const std::string text = chain_of_cells(1e3, true) +
                           "  pull: {type: force, applied_to: one.tip, axes_of: ground, along: x, "
                           "value: =-200 N / (1 m) * three.weight.position.z}\n";
  expect_same_steps(test::assemble_text(text), 0.2);
  expect_same_within_tolerance(test::assemble_text(text), 0.1);
}

}  // namespace
}  // namespace gelenk::implicit_components_test
