// Evaluation of the equations before any solver: a chain of N revolute joints that hangs from the ground. Counter: ns
// per body. `frames`: the whole evaluation by frames and single rows, for comparison.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "benchmarks/loaded_scene.h"
#include "benchmarks/scenes.h"
#include "gelenk/math/rotation.h"
#include "gelenk/mechanics/angles.h"
#include "gelenk/mechanics/dynamics.h"

namespace gelenk {
namespace {

struct Scene {
  std::optional<system::System> system;
  system::Params params;
  system::State state;
  std::optional<mechanics::Workspace> workspace;
  std::vector<double> rows;
  std::vector<double> extra;

  mechanics::Context context() const { return {*system, params, state}; }
};

// Loading takes longer than all measurements: each chain is loaded once.
Scene& chain(std::int64_t count) {
  static std::map<std::int64_t, std::unique_ptr<Scene>> chains;
  std::unique_ptr<Scene>& scene = chains[count];
  if (scene) return *scene;
  scene = std::make_unique<Scene>();
  scenes::LoadedScene loaded(scenes::chain(static_cast<std::size_t>(count)));
  if (!loaded.is_ready()) return *scene;
  scene->system = std::move(loaded.system);
  scene->params = std::move(loaded.params);
  scene->state = loaded.assembly->state;
  // Bent and moving, not necessarily as joints allow: the time does not depend on it.
  for (std::size_t b = 0; b < scene->state.position.size(); ++b) {
    const auto place = static_cast<double>(b);
    scene->state.orientation[b] =
        turned(scene->state.orientation[b], Vector3(std::sin(place), std::cos(1.7 * place), std::sin(2.3 * place)));
    for (std::size_t k = 0; k < 6; ++k) {
      scene->state.velocity[6 * b + k] = std::cos(place + static_cast<double>(k));
    }
  }
  scene->workspace.emplace(*scene->system);
  scene->rows.resize(scene->system->rows.size());
  scene->extra.resize(scene->system->extra.size());
  const mechanics::Context context = scene->context();
  mechanics::update_bodies(context, *scene->workspace);
  mechanics::update_drivers(context, *scene->workspace);
  mechanics::update_joints(context, *scene->workspace, scene->rows);
  mechanics::sum_forces(context, *scene->workspace);
  return *scene;
}

template <class Work>
void measure(benchmark::State& state, const Work& work) {
  Scene& scene = chain(state.range(0));
  if (!scene.workspace) {
    state.SkipWithError("the chain cannot be loaded");
    return;
  }
  const mechanics::Context context = scene.context();
  for (auto _ : state) {
    work(context, *scene.workspace, scene);
    benchmark::ClobberMemory();
  }
  state.counters["ns/body"] =
      benchmark::Counter(1e-9 * static_cast<double>(state.range(0)),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

using mechanics::Context;
using mechanics::Workspace;

void bodies(benchmark::State& state) {
  measure(state, [](const Context& c, Workspace& w, Scene&) { mechanics::update_bodies(c, w); });
}
void joints_and_biases(benchmark::State& state) {
  measure(state, [](const Context& c, Workspace& w, Scene& s) { mechanics::update_joints(c, w, s.rows); });
}
void joints(benchmark::State& state) {
  measure(state, [](const Context& c, Workspace& w, Scene&) { mechanics::update_joints(c, w); });
}
void forces(benchmark::State& state) {
  measure(state, [](const Context& c, Workspace& w, Scene&) { mechanics::sum_forces(c, w); });
}
void residuals(benchmark::State& state) {
  measure(state, [](const Context& c, Workspace& w, Scene& s) { mechanics::joint_residuals(c, w, s.rows); });
}
void rates(benchmark::State& state) {
  measure(state, [](const Context& c, Workspace& w, Scene& s) { mechanics::joint_rates(c, w, s.rows); });
}
void angles(benchmark::State& state) {
  measure(state, [](const Context& c, Workspace& w, Scene& s) { mechanics::angle_rates(c, w, s.extra); });
}
void all(benchmark::State& state) {
  measure(state, [](const Context& c, Workspace& w, Scene& s) {
    mechanics::update_bodies(c, w);
    mechanics::update_drivers(c, w);
    mechanics::update_joints(c, w, s.rows);
    mechanics::sum_forces(c, w);
  });
}
void all_in_blocks(benchmark::State& state) {
  measure(state, [](const Context& c, Workspace& w, Scene& s) { mechanics::update_all(c, w, s.rows); });
}
void frames(benchmark::State& state) {
  measure(state, [](const Context& c, Workspace& w, Scene& s) {
    mechanics::update_positions(c, w);
    mechanics::update_velocities(c, w);
    mechanics::update_drivers(c, w);
    mechanics::update_rows(c, w);
    mechanics::update_forces(c, w);
    mechanics::row_biases(c, w, s.rows);
  });
}

void sizes(benchmark::internal::Benchmark* one) { one->Arg(10)->Arg(1000)->Arg(65536)->Unit(benchmark::kMicrosecond); }
BENCHMARK(bodies)->Apply(sizes);
BENCHMARK(joints_and_biases)->Apply(sizes);
BENCHMARK(joints)->Apply(sizes);
BENCHMARK(forces)->Apply(sizes);
BENCHMARK(residuals)->Apply(sizes);
BENCHMARK(rates)->Apply(sizes);
BENCHMARK(angles)->Apply(sizes);
BENCHMARK(all)->Apply(sizes);
BENCHMARK(all_in_blocks)->Apply(sizes);
BENCHMARK(frames)->Apply(sizes);

}  // namespace
}  // namespace gelenk
