#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/machine_problem.h"
#include "gelenk/integrate/integrator.h"
#include "tests/support/sealed_models.h"

// A machine with sealed components moves as the open one does, bit for bit.
namespace gelenk {
namespace {

using analysis::MachineProblem;
using analysis::Partitioning;
using integrate::Integrator;

constexpr double kRankTolerance = 1e-9;

std::string text_of(const std::string& file) {
  return *read_file(std::string(GELENK_SOURCE_DIR) + "/examples/" + file, 1 << 20).text;
}

// Outputs look inside, which a sealed component does not allow.
std::string sealed_car() {
  std::string text = text_of("car/car.yaml");
  const std::string use = "use: suspension.yaml";
  text.replace(text.find(use), use.size(), "use: suspension.gkc");
  for (const char* const line : {"  front_left_spring:", "  front_left_tire:"}) {
    const std::size_t first = text.find(line);
    text.erase(first, text.find('\n', first) + 1 - first);
  }
  return text;
}

struct Trace {
  std::vector<Vector3> positions;
  std::vector<std::vector<double>> coordinates;
  std::vector<double> velocities;
  std::vector<double> times;
};

void note(const MachineProblem& problem, Trace& trace) {
  const system::State& state = problem.state(Integrator::kCurrentState);
  trace.positions.push_back(state.position[0]);
  trace.coordinates.push_back({state.orientation[0].coeffs()(0), state.orientation[0].coeffs()(1),
                               state.orientation[0].coeffs()(2), state.orientation[0].coeffs()(3)});
  trace.velocities.insert(trace.velocities.end(), state.velocity.begin(), state.velocity.begin() + 6);
  trace.times.push_back(state.time);
}

Trace run(MachineProblem& problem, const integrate::Options& options, double end) {
  Trace trace;
  EXPECT_TRUE(problem.project(Integrator::kCurrentState));
  problem.start_work(Integrator::kCurrentState);
  Integrator integrator(problem, options, 0.0);
  note(problem, trace);
  while (integrator.time() < end) {
    if (integrator.advance(end) == integrate::Outcome::failed) {
      ADD_FAILURE() << "failed at " << integrator.time();
      break;
    }
    note(problem, trace);
  }
  return trace;
}

// The car with sealed suspensions, ready to run.
struct Sealed {
  test::SealedExample example;
  MachineProblem problem;

  explicit Sealed(double weight, bool is_adaptive)
      : example("car", sealed_car(),
                {.rank_tolerance = kRankTolerance, .tolerance = weight, .partitioning = Partitioning::model}),
        problem(example.system(), example.params(), kRankTolerance, weight, is_adaptive, Partitioning::model, {},
                example.carriers()) {
    problem.set_state(Integrator::kCurrentState, system::drawn_state(example.system(), example.params()));
  }
};

class SealedCar : public testing::TestWithParam<integrate::Method> {};
INSTANTIATE_TEST_SUITE_P(SealedComponents, SealedCar,
                         testing::Values(integrate::Method::rk4, integrate::Method::dopri5, integrate::Method::adams));

TEST_P(SealedCar, MovesAsTheOpenOne) {
  integrate::Options options;
  options.method = GetParam();
  const bool is_fixed = options.method == integrate::Method::rk4;
  if (is_fixed) options.step = 1e-3;
  options.tolerance = 1e-6;
  const double weight = is_fixed ? 1.0 : options.tolerance;
  const double end = is_fixed ? 0.1 : 0.3;

  test::Example open = test::load_example("car/car.yaml");
  const std::optional<system::System> system = system::compile(open.machine, {}, open.diagnostics);
  ASSERT_TRUE(system);
  const system::Params params = system::make_params(*system, open.machine);
  const auto start = analysis::assemble(*system, params, open.machine, 0.0, open.diagnostics);
  ASSERT_TRUE(start);
  MachineProblem open_problem(*system, params, kRankTolerance, weight, !is_fixed, Partitioning::model);
  open_problem.set_state(Integrator::kCurrentState, start->state);
  const Trace expected = run(open_problem, options, end);

  Sealed sealed(weight, !is_fixed);
  ASSERT_EQ(sealed.example.complaints(), "");
  ASSERT_EQ(sealed.example.system().bodies.size(), 1u);
  ASSERT_EQ(sealed.example.system().sealed.size(), 4u);
  EXPECT_EQ(sealed.example.params().length, params.length);
  const Trace trace = run(sealed.problem, options, end);

  EXPECT_EQ(trace.times, expected.times);
  EXPECT_EQ(trace.positions, expected.positions);
  EXPECT_EQ(trace.coordinates, expected.coordinates);
  EXPECT_EQ(trace.velocities, expected.velocities);
  EXPECT_GT((trace.positions.back() - trace.positions.front()).norm(), 1e-6);
}

// States of components go along in what a checkpoint keeps.
TEST_P(SealedCar, GoesOnFromBytes) {
  integrate::Options options;
  options.method = GetParam();
  const bool is_fixed = options.method == integrate::Method::rk4;
  if (is_fixed) options.step = 1e-3;
  options.tolerance = 1e-6;
  const double weight = is_fixed ? 1.0 : options.tolerance;
  constexpr double kMiddle = 0.05;
  constexpr double kEnd = 0.08;
  const auto advance = [](Integrator& integrator, double end) {
    while (integrator.time() < end) ASSERT_NE(integrator.advance(end), integrate::Outcome::failed);
  };

  Sealed first(weight, !is_fixed);
  ASSERT_TRUE(first.problem.project(Integrator::kCurrentState));
  Integrator integrator(first.problem, options, 0.0);
  advance(integrator, kMiddle);
  ByteWriter out;
  integrator.save(out);
  advance(integrator, kEnd);

  Sealed second(weight, !is_fixed);
  ASSERT_TRUE(second.problem.project(Integrator::kCurrentState));
  Integrator resumed(second.problem, options, 0.0);
  ByteReader in(out.bytes());
  resumed.load(in);
  ASSERT_TRUE(in.is_complete());
  advance(resumed, kEnd);
  const system::State& expected = first.problem.state(Integrator::kCurrentState);
  const system::State& state = second.problem.state(Integrator::kCurrentState);
  EXPECT_EQ(state.time, expected.time);
  EXPECT_EQ(state.position, expected.position);
  EXPECT_EQ(state.velocity, expected.velocity);
  EXPECT_EQ(state.extra, expected.extra);
}

}  // namespace
}  // namespace gelenk
