// The core of a simulation: one evaluation (state to accelerations), one step of RK4 with both projections, and the
// runs that docs/performance.md compares with other programs. Every benchmark first checks what it is about to time
// against an independent value and reports the error beside the time; where it is too large there is an error and no
// time.
//
// Counters: per_body is the time per body, B_per_body the memory of solver, workspace and (steps) slots in bytes.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/loaded_scene.h"
#include "gelenk/analysis/equations.h"
#include "gelenk/analysis/machine/problem.h"
#include "gelenk/base/parallel.h"
#include "gelenk/solve/flat_solver.h"

namespace gelenk {
namespace {

using integrate::Integrator;
using scenes::LoadedScene;

// Accelerations against the flat solver, relative to the largest: the bar of the component method.
constexpr double kAccelerationError = 1e-12;
// The reference has nine digits.
constexpr double kWeightedAccelerationError = 1e-8;
// After projection, m and rad.
constexpr double kDrift = 1e-9;
// The target of the IFToMM library for the four-bars, J.
constexpr double kFourBarsEnergyError = 0.1;
// RK4 with 0.02 s has 1e-4 m; another branch would be off by the size of the machine.
constexpr double kFourBarsError = 1e-3;
constexpr double kBranchAngle = 0.1;
constexpr double kEngineEnergy = 76.276563, kEngineEnergyError = 1e-6;  // J, published to eight digits
constexpr double kEngineAngleError = 1e-6;                              // rad
// RK4 with 1 ms has 4e-7 J and 2e-9 m.
constexpr double kChainEnergyError = 1e-5, kChainTipError = 1e-6;
// Over the steps that are watched before others are timed, in parts of the kinetic energy reached.
constexpr double kRelativeEnergyError = 1e-6;
// Beyond this the energy is not followed over many steps before steps are timed: drift is what is left to check.
constexpr std::size_t kMostWatchedBodies = 10'000;

double heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

// Ends the benchmark when something is wrong.
struct Check {
  benchmark::State& state;
  bool is_good = true;

  void require(bool condition, const std::string& message) {
    if (condition || !is_good) return;
    is_good = false;
    state.SkipWithError(message.c_str());
  }
  // Reports an error as a counter and compares it with what is allowed; NaN is too large.
  void bound(const std::string& name, double error, double allowed) {
    state.counters[name] = error;
    require(error <= allowed, fmt::format("{} is {:.3g}, allowed is {:.3g}", name, error, allowed));
  }
};

// Pieces that malloc keeps for reuse blur what small machines need: only large ones say something.
constexpr std::size_t kFewestBodiesForMemory = 100;

void report_per_body(benchmark::State& state, std::size_t bodies, double bytes) {
  state.counters["bodies"] = static_cast<double>(bodies);
  state.counters["per_body"] = benchmark::Counter(
      static_cast<double>(bodies), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  if (bodies >= kFewestBodiesForMemory) state.counters["B_per_body"] = bytes / static_cast<double>(bodies);
}

// State to accelerations with nothing kept from the evaluation before but the pivots, as the stages of a step ask for
// it: multipliers are made where reactions are wanted.
struct Evaluation {
  analysis::Equations equations;
  solve::PivotSet pivots;
  std::vector<double> accelerations;

  explicit Evaluation(const LoadedScene& scene)
      : equations(*scene.system, scene.params), accelerations(6 * scene.body_count()) {
    equations.set_rank_tolerance(scene.assembly->rank_tolerance);
  }
  void operator()(const system::State& state) {
    equations.load_with_forces(state);
    equations.factor(pivots);
    equations.solve_accelerations(state, accelerations, {});
  }
};

std::vector<double> flat_accelerations(const LoadedScene& scene, const system::State& state) {
  const mechanics::Context context{*scene.system, scene.params, state};
  mechanics::Workspace workspace(*scene.system);
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  mechanics::update_drivers(context, workspace);
  mechanics::update_rows(context, workspace);
  mechanics::update_forces(context, workspace);
  const std::size_t bodies = scene.body_count();
  std::vector<double> a(6 * bodies);
  for (std::size_t b = 0; b < bodies; ++b) {
    const Vector3 force = Vector3::Map(&workspace.forces[6 * b]);
    const Vector3 moment = Vector3::Map(&workspace.forces[6 * b + 3]);
    const Matrix3 turn = state.orientation[b].toRotationMatrix();
    Vector3::Map(&a[6 * b]) = force / scene.params.bodies[b].mass;
    Vector3::Map(&a[6 * b + 3]) = turn * (scene.params.inverse_inertias[b] * (turn.transpose() * moment));
  }
  std::vector<double> biases(scene.system->rows.size());
  std::vector<double> lambda(scene.system->rows.size());
  mechanics::row_biases(context, workspace, biases);
  solve::FlatSolver solver(bodies, scene.system->row_bodies);
  solve::PivotSet pivots;
  solver.factor(workspace.inverse_masses, workspace.blocks, scene.assembly->rank_tolerance, pivots);
  solver.sweep(a, biases, a, lambda);
  return a;
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& reference) {
  double difference = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(a[i] - reference[i]);
    if (!(d <= difference)) difference = d;
    largest = std::max(largest, std::abs(reference[i]));
  }
  return difference / largest;
}

// A machine under way: RK4 with projections after every step.
struct Run {
  analysis::MachineProblem problem;
  std::optional<Integrator> integrator;

  Run(const LoadedScene& scene, const system::State& start, double step)
      : problem(*scene.system, scene.params, 1.0, {.rank_tolerance = scene.assembly->rank_tolerance}) {
    problem.set_state(Integrator::kCurrentState, start);
    problem.project(Integrator::kCurrentState);
    integrate::Options options;
    options.method = integrate::Method::rk4;
    options.step = step;
    integrator.emplace(problem, options, start.time);
  }
  bool advance() { return integrator->advance(1e9) != integrate::Outcome::failed; }
  bool advance(int steps) {
    bool is_good = true;
    for (int i = 0; i < steps && is_good; ++i) is_good = advance();
    return is_good;
  }
  const system::State& state() const { return problem.state(Integrator::kCurrentState); }
  double drift() const { return problem.dynamics().statistics().largest_residual; }
};

// Largest change of the energy while a run goes on; `watch` sees every state.
template <class Watch>
double watched_energy_error(const LoadedScene& scene, Run& run, int steps, Check& check, Watch watch) {
  mechanics::Workspace workspace(*scene.system);
  const double start = scenes::energy_of(scene, run.state(), workspace);
  double error = 0.0;
  for (int i = 0; i < steps && check.is_good; ++i) {
    check.require(run.advance(), "the run failed");
    const double change = std::abs(scenes::energy_of(scene, run.state(), workspace) - start);
    if (!(change <= error)) error = change;
    watch(run.state());
  }
  return error;
}

std::unique_ptr<LoadedScene> load(const std::string& text, Check& check) {
  auto scene = std::make_unique<LoadedScene>(text);
  check.require(scene->is_ready(), "the scene cannot be assembled: " + scene->complaints());
  return scene;
}

// The pose in which evaluations and steps are timed: one that is nothing special.
system::State typical_state(const LoadedScene& scene, Check& check) {
  constexpr double kStep = 2e-3;
  constexpr int kSteps = 50;
  Run run(scene, scene.assembly->state, kStep);
  check.require(run.advance(kSteps), "the run to a typical pose failed");
  return run.state();
}

void time_evaluations(benchmark::State& state, const LoadedScene& scene, const system::State& pose, Check& check) {
  const std::vector<double> reference = flat_accelerations(scene, pose);
  const double before = heap_bytes();
  const auto evaluation = std::make_unique<Evaluation>(scene);
  (*evaluation)(pose);
  const double used = heap_bytes() - before;
  check.bound("difference", relative_difference(evaluation->accelerations, reference), kAccelerationError);
  if (!check.is_good) return;
  for (auto _ : state) {
    (*evaluation)(pose);
    benchmark::DoNotOptimize(evaluation->accelerations.data());
  }
  report_per_body(state, scene.body_count(), used);
  state.counters["rows"] = static_cast<double>(scene.system->rows.size());
}

void evaluate_chain(benchmark::State& state) {
  Check check{state};
  const auto scene = load(scenes::chain(static_cast<std::size_t>(state.range(0))), check);
  if (!check.is_good) return;
  system::State pose = scene->assembly->state;
  scenes::bend_chain(pose);
  if (const auto reference = scenes::chain_acceleration(scene->body_count())) {
    Evaluation evaluation(*scene);
    evaluation(pose);
    double sum = 0.0;
    for (std::size_t i = 0; i < scene->body_count(); ++i) {
      const double before = i == 0 ? 0.0 : evaluation.accelerations[6 * i - 1];
      sum += (evaluation.accelerations[6 * i + 5] - before) / static_cast<double>(i + 1);
    }
    check.bound("weighted_error", std::abs(sum - *reference), kWeightedAccelerationError);
  }
  if (check.is_good) time_evaluations(state, *scene, pose, check);
}

// The same machine by one thread and by several: time on the wall, and the same bits.
void evaluate_chain_by_threads(benchmark::State& state) {
  Check check{state};
  const auto scene = load(scenes::chain(static_cast<std::size_t>(state.range(0))), check);
  if (!check.is_good) return;
  system::State pose = scene->assembly->state;
  scenes::bend_chain(pose);
  Evaluation evaluation(*scene);
  evaluation(pose);
  const std::vector<double> by_one = evaluation.accelerations;
  set_thread_count(static_cast<int>(state.range(1)));
  evaluation(pose);
  if (evaluation.accelerations != by_one) state.SkipWithError("other bits than with one thread");
  for (auto _ : state) {
    evaluation(pose);
    benchmark::DoNotOptimize(evaluation.accelerations.data());
  }
  set_thread_count(1);
  report_per_body(state, scene->body_count(), 0.0);
}

void evaluate_four_bars(benchmark::State& state) {
  Check check{state};
  const auto bays = static_cast<std::size_t>(state.range(0));
  const auto scene = load(scenes::four_bars(bays), check);
  if (!check.is_good) return;
  const system::State pose = typical_state(*scene, check);
  if (!check.is_good) return;
  const auto upright = static_cast<std::size_t>(scene->body_of("first_upright"));
  Evaluation evaluation(*scene);
  evaluation(pose);
  const double exact = -scenes::FourBarsMotion(bays).acceleration(-scenes::angle_about_z(pose.orientation[upright]));
  check.bound("relative_error", std::abs(evaluation.accelerations[6 * upright + 5] / exact - 1.0), kAccelerationError);
  if (check.is_good) time_evaluations(state, *scene, pose, check);
}

template <class Text>
void evaluate_typical(benchmark::State& state, Text text) {
  Check check{state};
  const auto scene = load(text(static_cast<std::size_t>(state.range(0))), check);
  if (!check.is_good) return;
  const system::State pose = typical_state(*scene, check);
  if (check.is_good) time_evaluations(state, *scene, pose, check);
}

// Steps from a pose, after a run of 100 steps whose energy and drift are checked.
void time_steps(benchmark::State& state, const LoadedScene& scene, const system::State& pose, double step,
                Check& check) {
  constexpr int kCheckedSteps = 100;
  if (scene.body_count() <= kMostWatchedBodies) {
    Run checked(scene, pose, step);
    double kinetic = 0.0;
    const double error = watched_energy_error(scene, checked, kCheckedSteps, check, [&](const system::State& now) {
      kinetic = std::max(kinetic, mechanics::kinetic_energy(scene.params, now));
    });
    check.bound("energy_error", error / kinetic, kRelativeEnergyError);
  }
  if (!check.is_good) return;
  const double before = heap_bytes();
  const auto run = std::make_unique<Run>(scene, pose, step);
  check.require(run->advance(2), "the run failed");
  const double used = heap_bytes() - before;
  if (!check.is_good) return;
  for (auto _ : state) {
    if (!run->advance()) {
      state.SkipWithError("the run failed");
      return;
    }
  }
  check.bound("drift", run->drift(), kDrift);
  report_per_body(state, scene.body_count(), used);
}

void step_chain(benchmark::State& state) {
  constexpr double kStep = 1e-5;  // the pose stays what it is however long the benchmark lasts
  Check check{state};
  const auto scene = load(scenes::chain(static_cast<std::size_t>(state.range(0))), check);
  if (!check.is_good) return;
  system::State pose = scene->assembly->state;
  scenes::bend_chain(pose);
  time_steps(state, *scene, pose, kStep, check);
}

template <class Text>
void step_typical(benchmark::State& state, Text text) {
  constexpr double kStep = 1e-4;
  Check check{state};
  const auto scene = load(text(static_cast<std::size_t>(state.range(0))), check);
  if (!check.is_good) return;
  const system::State pose = typical_state(*scene, check);
  if (check.is_good) time_steps(state, *scene, pose, kStep, check);
}

// Whole runs from the start of a scene, without outputs. What is made once for a machine does not count, as it does not
// in the programs that this is compared with.
void time_runs(benchmark::State& state, const LoadedScene& scene, double step, int steps) {
  for (auto _ : state) {
    state.PauseTiming();
    auto run = std::make_unique<Run>(scene, scene.assembly->state, step);
    state.ResumeTiming();
    const bool is_good = run->advance(steps);
    state.PauseTiming();
    run.reset();
    state.ResumeTiming();
    if (!is_good) {
      state.SkipWithError("the run failed");
      return;
    }
  }
  state.counters["bodies"] = static_cast<double>(scene.body_count());
  state.counters["steps"] = steps;
}

void run_chain(benchmark::State& state) {
  constexpr double kStep = 1e-3;
  constexpr int kSteps = 2000;
  Check check{state};
  const auto scene = load(scenes::chain(10), check);
  if (!check.is_good) return;
  Run run(*scene, scene->assembly->state, kStep);
  const double energy_error = watched_energy_error(*scene, run, kSteps, check, [](const system::State&) {});
  const Vector3 tip = run.state().position.back() + run.state().orientation.back() * Vector3(0.5, 0.0, 0.0);
  check.bound("energy_error", energy_error, kChainEnergyError);
  check.bound("tip_error", std::hypot(tip.x() - scenes::kChain10TipX, tip.y() - scenes::kChain10TipY), kChainTipError);
  check.bound("drift", run.drift(), kDrift);
  if (check.is_good) time_runs(state, *scene, kStep, kSteps);
}

// Range: bays, step in ms.
void run_four_bars(benchmark::State& state) {
  const auto bays = static_cast<std::size_t>(state.range(0));
  const double step = 1e-3 * static_cast<double>(state.range(1));
  const int steps = static_cast<int>(std::lround(10.0 / step));
  Check check{state};
  const auto scene = load(scenes::four_bars(bays), check);
  if (!check.is_good) return;
  const auto upright = static_cast<std::size_t>(scene->body_of("first_upright"));
  std::vector<std::size_t> beams;
  for (std::size_t i = 0; i < bays; ++i) {
    beams.push_back(static_cast<std::size_t>(scene->body_of(fmt::format("bay.{}.beam", i))));
  }
  scenes::FourBarsMotion exact(bays);
  double corner_error = 0.0;
  double beam_angle = 0.0;
  Run run(*scene, scene->assembly->state, step);
  const double energy_error = watched_energy_error(*scene, run, steps, check, [&](const system::State& now) {
    const Vector3 corner = now.position[upright] + now.orientation[upright] * Vector3(0.0, 0.5, 0.0);
    corner_error = std::max(corner_error, std::abs(corner.x() - std::sin(exact.angle_at(now.time))));
    // On the branch of the parallelograms beams stay level; any other lets one of them turn.
    for (const std::size_t beam : beams) {
      beam_angle = std::max(beam_angle, std::abs(scenes::angle_about_z(now.orientation[beam])));
    }
  });
  check.bound("energy_error", energy_error, kFourBarsEnergyError);
  check.bound("beam_angle", beam_angle, kBranchAngle);
  check.bound("x_error", corner_error, kFourBarsError);
  check.bound("drift", run.drift(), kDrift);
  if (check.is_good) time_runs(state, *scene, step, steps);
}

// Range: step in µs.
void run_engine_v6(benchmark::State& state) {
  const double step = 1e-6 * static_cast<double>(state.range(0));
  const int steps = static_cast<int>(std::lround(1.0 / step));
  Check check{state};
  const auto scene = load(scenes::engine_v6(), check);
  if (!check.is_good) return;
  const auto crank = static_cast<std::size_t>(scene->body_of("crank"));
  double angle = 0.0;
  double last = 0.0;
  Run run(*scene, scene->assembly->state, step);
  mechanics::Workspace workspace(*scene->system);
  const double start_energy = scenes::energy_of(*scene, run.state(), workspace);
  const double energy_error = watched_energy_error(*scene, run, steps, check, [&](const system::State& now) {
    const Quaternion& q = now.orientation[crank];
    const double turn = -2.0 * std::atan2(q.x(), q.w());
    angle += std::remainder(turn - last, 2.0 * std::numbers::pi);
    last = turn;
  });
  check.require(std::abs(start_energy - kEngineEnergy) < kEngineEnergyError, "the engine starts with another energy");
  check.require(scene->system->rows.size() - run.problem.slots().rank(Integrator::kCurrentState) == 18,
                "the engine has another number of redundant rows");
  state.counters["energy_error"] = energy_error;
  check.bound("angle_error", std::abs(angle - scenes::EngineV6Motion().angle_at(1.0)), kEngineAngleError);
  check.bound("drift", run.drift(), kDrift);
  if (check.is_good) time_runs(state, *scene, step, steps);
}

const auto kLadder = [](std::size_t cells) { return scenes::ladder(cells); };
const auto kGrid = [](std::size_t side) { return scenes::grid(side); };
const auto kEngine = [](std::size_t) { return scenes::engine_v6(); };

BENCHMARK(evaluate_chain)->Arg(10)->Arg(100)->Arg(256)->Arg(1000)->Arg(10'000)->Arg(65'536);
BENCHMARK(evaluate_chain_by_threads)->Args({65'536, 1})->Args({65'536, 2})->UseRealTime();
BENCHMARK(evaluate_four_bars)->Arg(1)->Arg(10)->Arg(40);
BENCHMARK_CAPTURE(evaluate_typical, engine_v6, kEngine)->Arg(6);
BENCHMARK(run_chain)->Unit(benchmark::kMillisecond);
BENCHMARK(run_four_bars)->Args({1, 20})->Args({10, 20})->Args({40, 20})->Unit(benchmark::kMillisecond);
BENCHMARK(run_engine_v6)->Arg(1000)->Arg(500)->Unit(benchmark::kMillisecond);
BENCHMARK(step_chain)->Arg(10)->Arg(100)->Arg(1000)->Arg(10'000)->Arg(65'536);
// Loops that share bodies come last: they grow fastest.
BENCHMARK_CAPTURE(evaluate_typical, ladder, kLadder)->Arg(4)->Arg(16)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(step_typical, ladder, kLadder)->Arg(16)->Arg(256);
BENCHMARK_CAPTURE(evaluate_typical, grid, kGrid)->Arg(4)->Arg(8)->Arg(16)->Arg(32);
BENCHMARK_CAPTURE(step_typical, grid, kGrid)->Arg(8)->Arg(16);

}  // namespace
}  // namespace gelenk
