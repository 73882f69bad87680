// The redundant car, divided as its design and not divided, side by side (claim S1-26): one thread, RK4 with 1 ms. The
// four ways take turns, a block of steps each, so that whatever else the machine does hits all of them. Their motions
// must agree, else there is an error and no time.
//
// Counters: µs per step of each way; ratios of times. dense_by_*: one dense factorization of the whole against the
// components; flat_by_*: the faster of the two flat ways against them; `model` keeps every assembly of the design,
// `auto` is the default.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "benchmarks/loaded_scene.h"
#include "gelenk/analysis/machine/problem.h"
#include "gelenk/integrate/integrator.h"
#include "tests/support/source_folder.h"

namespace gelenk {
namespace {

using analysis::Partitioning;
using integrate::Integrator;

constexpr double kStep = 1e-3;         // s
constexpr int kStepsInTurn = 100;      // a block of one way
constexpr double kDuration = 4.0;      // s of the run: the car drops onto its springs and comes to rest
constexpr double kSameMotion = 1e-10;  // m and parts of a quaternion; ways differ by rounding

struct Way {
  std::string_view name;
  Partitioning partitioning;
  solve::Storage storage;
};
constexpr std::array<Way, 4> kWays{{{"model", Partitioning::model, solve::Storage::automatic},
                                    {"auto", Partitioning::automatic, solve::Storage::automatic},
                                    {"dense", Partitioning::none, solve::Storage::dense},
                                    {"sparse", Partitioning::none, solve::Storage::sparse}}};

// Of the process: waiting does not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Car {
 public:
  Car(const scenes::LoadedScene& scene, const Way& way)
      : problem_(*scene.system, scene.params, 1.0,
                 {.rank_tolerance = scene.assembly->rank_tolerance,
                  .partitioning = way.partitioning,
                  .flat = {.storage = way.storage}}) {
    problem_.set_state(Integrator::kCurrentState, scene.assembly->state);
    integrate::Options options;
    options.method = integrate::Method::rk4;
    options.step = kStep;
    is_good_ = problem_.project(Integrator::kCurrentState);
    integrator_.emplace(problem_, options, 0.0);
  }

  bool advance(double end) {
    const double before = processor_seconds();
    while (is_good_ && integrator_->time() < end) is_good_ = integrator_->advance(end) != integrate::Outcome::failed;
    seconds_ += processor_seconds() - before;
    return is_good_;
  }
  const system::State& state() const { return problem_.state(Integrator::kCurrentState); }
  double seconds() const { return seconds_; }

 private:
  analysis::MachineProblem problem_;
  std::optional<Integrator> integrator_;
  bool is_good_ = true;
  double seconds_ = 0.0;
};

double difference(const system::State& a, const system::State& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    largest = std::max(largest, (a.position[i] - b.position[i]).cwiseAbs().maxCoeff());
    largest = std::max(largest, (a.orientation[i].coeffs() - b.orientation[i].coeffs()).cwiseAbs().maxCoeff());
  }
  return largest;
}

void run_car(benchmark::State& state, const std::string& file) {
  const scenes::LoadedScene scene(scenes::FromFile{test::source_folder() + "/" + file});
  if (!scene.is_ready()) {
    state.SkipWithError("the car cannot be assembled");
    return;
  }
  std::array<double, kWays.size()> seconds{};
  double largest = 0.0;
  double steps = 0.0;
  for (auto _ : state) {
    std::array<std::unique_ptr<Car>, kWays.size()> cars;
    for (std::size_t w = 0; w < kWays.size(); ++w) cars[w] = std::make_unique<Car>(scene, kWays[w]);
    const int turns = static_cast<int>(std::lround(kDuration / (kStep * kStepsInTurn)));
    for (int turn = 1; turn <= turns; ++turn) {
      for (const auto& car : cars) {
        if (!car->advance(turn * kStepsInTurn * kStep)) {
          state.SkipWithError("a step failed");
          return;
        }
        largest = std::max(largest, difference(car->state(), cars.front()->state()));
      }
    }
    for (std::size_t w = 0; w < kWays.size(); ++w) seconds[w] += cars[w]->seconds();
    steps += kDuration / kStep;
  }
  state.counters["difference"] = largest;
  if (!(largest <= kSameMotion)) {
    state.SkipWithError(fmt::format("motions differ by {:.3g}, allowed is {:.3g}", largest, kSameMotion).c_str());
    return;
  }
  for (std::size_t w = 0; w < kWays.size(); ++w) {
    state.counters[fmt::format("us_{}", kWays[w].name)] = 1e6 * seconds[w] / steps;
  }
  const auto [model, whole, dense, sparse] = seconds;
  state.counters["dense_by_model"] = dense / model;
  state.counters["dense_by_auto"] = dense / whole;
  state.counters["flat_by_model"] = std::min(dense, sparse) / model;
  state.counters["flat_by_auto"] = std::min(dense, sparse) / whole;
}

BENCHMARK_CAPTURE(run_car, redundant, std::string("examples/car/car_redundant.yaml"))
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3);
BENCHMARK_CAPTURE(run_car, plain, std::string("examples/car/car.yaml"))->Unit(benchmark::kMillisecond)->Iterations(3);

}  // namespace
}  // namespace gelenk
