// Steps of the reference solver: RK4 with 1 ms on the scenes of the examples and tests. Counters: µs per step, and how
// many times slower than real time one simulated second is (below 1: faster). Ratios are to be taken within one run.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <optional>
#include <string>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/machine/problem.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/model/expand.h"
#include "gelenk/system/compile.h"
#include "tests/support/source_folder.h"

namespace gelenk {
namespace {

constexpr double kStep = 1e-3;  // s

struct Scene {
  formats::LoadedModel loaded;
  model::Machine machine;
  std::optional<system::System> system;
  system::Params params;
  std::optional<analysis::Assembly> assembly;
};

// `text` replaces the file when given.
void load(Scene& scene, const std::string& file, const std::string& text = {}) {
  Diagnostics diagnostics;
  formats::LoadOptions options;
  if (!text.empty()) options.read = [&](const std::string&, std::size_t) { return ReadResult{text, Code::none, ""}; };
  const std::string path = text.empty() ? test::source_folder() + "/" + file : file;
  scene.loaded = formats::load_model(path, options, diagnostics);
  scene.machine = model::expand(scene.loaded.model, {}, diagnostics);
  if (diagnostics.has_errors()) return;
  scene.system = system::compile(scene.machine, {}, diagnostics);
  if (!scene.system) return;
  scene.params = system::make_params(*scene.system, scene.machine);
  scene.assembly = analysis::assemble(*scene.system, scene.params, scene.machine, 0.0, diagnostics);
}

// A chain of bars that hangs from the ground and swings, hinges turned by 90 degrees from one to the next.
std::string chain(int count) {
  return fmt::format(R"(gelenk: 1
name: chain
definitions:
  link:
    parts:
      bar:
        mass: 1 kg
        center_of_mass: [0.1 m, 0, 0]
        inertia: {{xx: 1e-3, yy: 4e-3, zz: 4e-3}}
        frames: {{end: {{at: {{position: [0.2 m, 0, 0], orientation: {{axis: [1, 0, 0], angle: 90 deg}}}}}}}}
    ports: {{root: bar, tip: bar.end}}
assemblies:
  link:
    use: link
    repeat: {}
    at: ["=index * 0.2 m", 0, 0]
    attach: {{root: {{type: revolute, to: previous.tip, first_to: ground, axis: z, start: {{angle: 2 deg}}}}}}
)",
                     count);
}

void steps(benchmark::State& state, const std::string& file, const std::string& text = {}) {
  Scene scene;
  load(scene, file, text);
  if (!scene.assembly) {
    state.SkipWithError("the scene cannot be assembled");
    return;
  }
  analysis::MachineProblem problem(*scene.system, scene.params, 1.0,
                                   {.rank_tolerance = scene.assembly->rank_tolerance});
  problem.set_state(integrate::Integrator::kCurrentState, scene.assembly->state);
  integrate::Options options;
  options.method = integrate::Method::rk4;
  options.step = kStep;
  problem.project(integrate::Integrator::kCurrentState);
  integrate::Integrator integrator(problem, options, 0.0);
  for (auto _ : state) {
    if (integrator.advance(1e9) == integrate::Outcome::failed) {
      state.SkipWithError("the run failed");
      return;
    }
  }
  state.counters["bodies"] = static_cast<double>(scene.system->bodies.size());
  state.counters["rows"] = static_cast<double>(scene.system->rows.size());
}

void crank_slider(benchmark::State& state) { steps(state, "examples/crank_slider/crank_slider.yaml"); }
void car(benchmark::State& state) { steps(state, "examples/car/car.yaml"); }
void car_redundant(benchmark::State& state) { steps(state, "examples/car/car_redundant.yaml"); }
void steam_engine(benchmark::State& state) { steps(state, "examples/steam_engine/steam_engine.yaml"); }
void chain_of(benchmark::State& state) { steps(state, "chain.yaml", chain(static_cast<int>(state.range(0)))); }

std::string forty_four_bars() {
  const ReadResult read = read_file(test::source_folder() + "/tests/verification/models/n_four_bar.yaml", 1'000'000);
  std::string text = read.text.value_or("");
  const std::string_view written = "bays: {value: 2,";
  const std::size_t at = text.find(written);
  return at == std::string::npos ? std::string() : text.replace(at, written.size(), "bays: {value: 40,");
}
void n_four_bar_40(benchmark::State& state) { steps(state, "n_four_bar.yaml", forty_four_bars()); }

BENCHMARK(crank_slider)->Unit(benchmark::kMicrosecond);
BENCHMARK(car)->Unit(benchmark::kMicrosecond);
BENCHMARK(car_redundant)->Unit(benchmark::kMicrosecond);
BENCHMARK(steam_engine)->Unit(benchmark::kMicrosecond);
BENCHMARK(n_four_bar_40)->Unit(benchmark::kMicrosecond);
BENCHMARK(chain_of)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace gelenk
