#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/machine/problem.h"
#include "gelenk/analysis/observer.h"
#include "gelenk/analysis/run_options.h"
#include "gelenk/base/private_folder.h"
#include "gelenk/integrate/integrator.h"
#include "gelenk/results/recorder.h"
#include "tests/support/sealed_models.h"
#include "tests/support/source_folder.h"

// A machine with sealed components moves as the open one does, bit for bit.
namespace gelenk::sealed_components_test {
namespace {

using analysis::MachineProblem;
using analysis::Partitioning;
using integrate::Integrator;

constexpr double kRankTolerance = 1e-9;

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

  Sealed(double weight, bool is_adaptive, test::Way way = test::Way::local,
         Partitioning partitioning = Partitioning::sealed, const std::vector<component::Output>& outputs = {})
      : example("car", test::sealed_car(),
                {.rank_tolerance = kRankTolerance, .tolerance = weight, .partitioning = partitioning}, way, outputs),
        problem(
            example.system(), example.params(), weight,
            {.rank_tolerance = kRankTolerance, .refuses_singular_stages = is_adaptive, .partitioning = partitioning},
            example.subsystems()) {
    problem.set_state(Integrator::kCurrentState, system::drawn_state(example.system(), example.params()));
  }
};

bool is_fixed_step(integrate::Method method) {
  return method == integrate::Method::rk4 || method == integrate::Method::generalized_alpha;
}

integrate::Options options_of(integrate::Method method) {
  integrate::Options options;
  options.method = method;
  if (is_fixed_step(method)) options.step = 1e-3;
  options.tolerance = 1e-6;
  return options;
}

class SealedCar : public testing::TestWithParam<std::tuple<integrate::Method, test::Way>> {};
INSTANTIATE_TEST_SUITE_P(SealedComponents, SealedCar,
                         testing::Combine(testing::Values(integrate::Method::rk4, integrate::Method::dopri5,
                                                          integrate::Method::adams, integrate::Method::bdf,
                                                          integrate::Method::generalized_alpha),
                                          testing::ValuesIn(test::kWays)),
                         [](const auto& which) {
                           return analysis::method_name(std::get<0>(which.param)) + "_" +
                                  test::name_of(std::get<1>(which.param));
                         });

// S0-05: joints are redundant, no part is held by the ground, insides are unknown.
// S0-13, S1-09: accelerations, steps of any method and projections go across the borders.
TEST_P(SealedCar, MovesAsTheOpenOne) {
  const auto [method, way] = GetParam();
  const integrate::Options options = options_of(method);
  const bool is_fixed = is_fixed_step(method);
  const double weight = is_fixed ? 1.0 : options.tolerance;
  const double end = is_fixed ? 0.1 : 0.3;

  test::Example open = test::load_example("car/car.yaml");
  const std::optional<system::System> system = system::compile(open.machine, {}, open.diagnostics);
  ASSERT_TRUE(system);
  const system::Params params = system::make_params(*system, open.machine);
  const auto start = analysis::assemble(*system, params, open.machine, 0.0, open.diagnostics);
  ASSERT_TRUE(start);
  MachineProblem open_problem(
      *system, params, weight,
      {.rank_tolerance = kRankTolerance, .refuses_singular_stages = !is_fixed, .partitioning = Partitioning::sealed});
  open_problem.set_state(Integrator::kCurrentState, start->state);
  const Trace expected = run(open_problem, options, end);

  Sealed sealed(weight, !is_fixed, way);
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

// Assemblies inside need not stay components: other bits, the same motion.
TEST(SealedComponents, InsideMayBeDividedOtherwise) {
  const integrate::Options options = options_of(integrate::Method::rk4);
  constexpr double kEnd = 0.1;
  constexpr double kAgree = 1e-12;  // m: a hundred steps of rounding
  Sealed designed(1.0, false);
  Sealed automatic(1.0, false, test::Way::local, Partitioning::automatic);
  const Trace expected = run(designed.problem, options, kEnd);
  const Trace trace = run(automatic.problem, options, kEnd);
  ASSERT_EQ(trace.positions.size(), expected.positions.size());
  for (std::size_t i = 0; i < trace.positions.size(); ++i) {
    EXPECT_LT((trace.positions[i] - expected.positions[i]).norm(), kAgree) << i;
  }
}

// States of components go along in what a checkpoint keeps.
TEST_P(SealedCar, GoesOnFromBytes) {
  const auto [method, way] = GetParam();
  const integrate::Options options = options_of(method);
  const bool is_fixed = is_fixed_step(method);
  const double weight = is_fixed ? 1.0 : options.tolerance;
  constexpr double kMiddle = 0.05;
  constexpr double kEnd = 0.08;
  const auto advance = [](Integrator& integrator, double end) {
    while (integrator.time() < end) ASSERT_NE(integrator.advance(end), integrate::Outcome::failed);
  };

  Sealed first(weight, !is_fixed, way);
  ASSERT_TRUE(first.problem.project(Integrator::kCurrentState));
  Integrator integrator(first.problem, options, 0.0);
  advance(integrator, kMiddle);
  ByteWriter out;
  integrator.save(out);
  advance(integrator, kEnd);

  Sealed second(weight, !is_fixed, way);
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

// What is published of the inside is what the open machine reports, and the books of the inside are balanced.
class SealedOutputs : public testing::TestWithParam<test::Way> {};
INSTANTIATE_TEST_SUITE_P(SealedComponents, SealedOutputs,
                         testing::ValuesIn(std::begin(test::kWays) + 1, std::end(test::kWays)),
                         [](const auto& which) { return test::name_of(which.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SealedOutputs);

TEST_P(SealedOutputs, AreThoseOfTheOpenMachine) {
  const std::vector<std::string> channels = {"damper.strut.length", "damper.strut.speed", "wheel_group.tire.force.z",
                                             "wheel_group.wheel.acceleration.z",
                                             "wheel_group.bearing.reaction.force.x"};
  const integrate::Options options = options_of(integrate::Method::rk4);
  constexpr double kEnd = 0.1;

  std::string text = test::example_text("car/car.yaml");
  std::string lines = "outputs:\n";
  std::vector<component::Output> published;
  for (const std::string& channel : channels) {
    lines += "  open_" + std::to_string(published.size()) + ": front_left." + channel + "\n";
    published.push_back({channel, "", ""});
  }
  text.replace(text.find("outputs:\n"), 9, lines);
  const std::string path = test::source_folder() + "/examples/car/open_model.yaml";
  formats::LoadOptions load;
  load.read = [&](const std::string& file, std::size_t limit) {
    return file == path ? ReadResult{text, Code::none, ""} : read_file(file, limit);
  };
  test::Example open;
  open.loaded = formats::load_model(path, load, open.diagnostics);
  open.machine = model::expand(open.loaded.model, {}, open.diagnostics);
  const std::optional<system::System> system = system::compile(open.machine, {}, open.diagnostics);
  ASSERT_TRUE(system) << open.complaints();
  const system::Params params = system::make_params(*system, open.machine);
  const auto start = analysis::assemble(*system, params, open.machine, 0.0, open.diagnostics);
  MachineProblem open_problem(*system, params, 1.0,
                              {.rank_tolerance = kRankTolerance, .partitioning = Partitioning::sealed});
  open_problem.set_state(Integrator::kCurrentState, start->state);
  run(open_problem, options, kEnd);
  open_problem.copy(Integrator::kCurrentState, Integrator::kOutputState);
  std::string error;
  const PrivateFolder folder;
  const std::string file = folder.path() + "/outputs.h5";
  const auto recorder = results::Recorder::open(file, results::make_layout(open.machine), {}, error);
  ASSERT_TRUE(recorder) << error;
  const results::Row row = recorder->row(kEnd);
  analysis::Observer observer(*system, params, analysis::ReactionSplit::by_mass);
  ASSERT_TRUE(observer.fill(open_problem, Integrator::kOutputState, row));
  const std::span<const double> expected = row[results::BlockId::output].first(channels.size());

  Sealed sealed(1.0, false, GetParam(), Partitioning::sealed, published);
  run(sealed.problem, options, kEnd);
  std::vector<double> answer(channels.size() + 2);
  const gelenk_command ask{GELENK_OUTPUTS, 0, Integrator::kOutputState, 0, 0.0, nullptr, answer.data(), 0,
                           answer.size()};
  component::Host& front_left = *sealed.example.hosts()[0];
  EXPECT_THROW(front_left.perform({&ask, 1}), component::ComponentFailure) << "nothing is solved there";
  sealed.problem.copy(Integrator::kCurrentState, Integrator::kOutputState);
  std::vector<double> accelerations(6), multipliers(sealed.example.system().rows.size());
  ASSERT_TRUE(sealed.problem.dynamics().accelerations(Integrator::kOutputState, accelerations, multipliers));
  ASSERT_TRUE(front_left.perform({&ask, 1}));
  for (std::size_t i = 0; i < channels.size(); ++i) EXPECT_EQ(answer[i], expected[i]) << channels[i];
  constexpr double kBalanced = 1e-6;  // J
  EXPECT_LT(std::abs(answer.back()), kBalanced);
  EXPECT_NE(answer.back(), 0.0);
}

// A wrong command is refused, and nothing is read or written where it must not be.
TEST(SealedInterior, RefusesWhatMakesNoSense) {
  const test::Example open = test::load_example("car/suspension.yaml");
  analysis::SealedInterior machine(open.loaded.model, {});
  ASSERT_EQ(machine.error(), "");
  const auto ask = [&](std::uint32_t code, int slot, int other, std::span<const double> in, std::span<double> out) {
    const gelenk_command command{code, 0, slot, other, 0.0, in.data(), out.data(), in.size(), out.size()};
    std::size_t done = 7;
    const gelenk_status status = machine.perform({&command, 1}, done);
    EXPECT_EQ(done, status == GELENK_OK ? 1u : 0u);
    return status;
  };
  EXPECT_EQ(ask(GELENK_START, 0, 0, {}, {}), GELENK_REFUSED) << "not mounted";

  component::HostMounting mounting;
  gelenk_mounting& rest = mounting.rest;
  for (double* const matrix : {rest.rotation, rest.mirror, rest.world_mirror}) matrix[0] = matrix[4] = matrix[8] = 1.0;
  rest.length = rest.tolerance = 1.0;
  rest.rank_tolerance = kRankTolerance;
  gelenk_mount& mount = mounting.mounts.emplace_back();
  mount.rotation[0] = mount.rotation[4] = mount.rotation[8] = 1.0;
  mount.port = 99;
  EXPECT_FALSE(machine.mount(mounting));
  analysis::SealedInterior good(open.loaded.model, {});
  mount.port = 0;
  ASSERT_TRUE(good.mount(mounting)) << good.error();
  const auto send = [&](std::uint32_t code, int slot, int other, std::span<const double> in, std::span<double> out) {
    const gelenk_command command{code, 0, slot, other, 0.0, in.data(), out.data(), in.size(), out.size()};
    std::size_t done = 0;
    return good.perform({&command, 1}, done);
  };
  std::vector<double> numbers(64);
  const double terms[2] = {0.1, 3.0};
  EXPECT_EQ(send(GELENK_START, 0, 0, {}, {}), GELENK_REFUSED) << "no slots yet";
  EXPECT_EQ(send(GELENK_RESERVE, 1 << 30, 1, {}, {}), GELENK_REFUSED);
  EXPECT_EQ(send(GELENK_RESERVE, 2, 2, {}, {}), GELENK_OK);
  EXPECT_EQ(send(GELENK_START, 1, 0, {}, {}), GELENK_OK);
  EXPECT_EQ(send(GELENK_START, -1, 0, {}, {}), GELENK_REFUSED);
  EXPECT_EQ(send(GELENK_COPY, 1, 2, {}, {}), GELENK_REFUSED);
  EXPECT_EQ(send(GELENK_COMBINE, 1, 0, terms, {}), GELENK_REFUSED) << "rate 3 of 2";
  EXPECT_EQ(send(GELENK_COMBINE, 1, 0, std::span(terms).first(1), {}), GELENK_REFUSED) << "half a term";
  EXPECT_EQ(send(GELENK_LOAD, 1, 0, {}, std::span(numbers).first(17)), GELENK_REFUSED);
  EXPECT_EQ(send(GELENK_LOAD, 1, 0, {}, std::span(numbers).first(18)), GELENK_OK);
  EXPECT_EQ(send(GELENK_FACTOR, 1, 0, {}, {}), GELENK_REFUSED) << "without a tolerance";
  EXPECT_EQ(send(GELENK_FACTOR, 1, 0, {&kRankTolerance, 1}, {}), GELENK_OK) << "an answer that nobody wants";
  EXPECT_EQ(send(12345, 1, 0, {}, {}), GELENK_UNKNOWN);
}

}  // namespace
}  // namespace gelenk::sealed_components_test
