// Loading and checking large models: text to machine, without files.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "gelenk/formats/model_loader.h"
#include "gelenk/model/expand.h"
#include "gelenk/model/summary.h"

namespace gelenk {
namespace {

// Ten bars in a row, each hinged to the one before; the first to the ground.
std::string cell(const std::string& indent) {
  std::string text = indent + "parts:\n";
  for (int i = 0; i < 10; ++i) {
    text += fmt::format(
        "{}  bar_{}: {{at: [{} mm, 0, 0], material: steel, shape: {{cylinder: {{radius: =radius, from: [0, 0, 0], to: "
        "end}}}}, frames: {{end: {{at: [=length, 0, 0]}}}}}}\n",
        indent, i, 100 * i);
  }
  text += indent + "joints:\n";
  for (int i = 0; i < 10; ++i) {
    const std::string before = i == 0 ? std::string("ground") : fmt::format("bar_{}.end", i - 1);
    text += fmt::format("{}  hinge_{}: {{type: revolute, between: [{}, bar_{}], axis: z, start: {{angle: 5 deg}}}}\n",
                        indent, i, before, i);
  }
  return text;
}

// 1,000 cells in three nested levels of ten: 10,000 parts and joints.
std::string nested_model() {
  return "gelenk: 1\ndefinitions:\n  cell:\n    parameters: {length: 100 mm, radius: 5 mm}\n" + cell("    ") + R"(
  row: {assemblies: {cell: {use: cell, repeat: 10, at: ["=index*1 m", 0, 0], set: {radius: "=(5 + index) * 1 mm"}}}}
  layer: {assemblies: {row: {use: row, repeat: 10, at: [0, "=index*1 m", 0]}}}
assemblies:
  layer: {use: layer, repeat: 10, at: [0, 0, "=index*1 m"]}
)";
}

// The same 10,000 parts and joints, every one of them written out: 1,000 definitions used once each.
std::string written_model() {
  std::string text = "gelenk: 1\ndefinitions:\n";
  for (int i = 0; i < 1000; ++i) {
    text += fmt::format("  cell_{}:\n    parameters: {{length: 100 mm, radius: 5 mm}}\n", i) + cell("    ");
  }
  text += "assemblies:\n";
  for (int i = 0; i < 1000; ++i) text += fmt::format("  cell_{}: {{use: cell_{}, at: [{} m, 0, 0]}}\n", i, i, i);
  return text;
}

void load_and_check(benchmark::State& state, const std::string& text) {
  formats::LoadOptions options;
  options.read = [&](const std::string&, std::size_t) { return ReadResult{text, Code::none, ""}; };
  std::size_t parts = 0;
  for (auto _ : state) {
    Diagnostics diagnostics;
    const formats::LoadedModel loaded = formats::load_model("model.yaml", options, diagnostics);
    const model::Machine machine = model::expand(loaded.model, {}, diagnostics);
    benchmark::DoNotOptimize(model::summary_text(machine, {}));
    if (diagnostics.has_errors()) state.SkipWithError("the model has errors");
    parts = machine.parts.size();
  }
  state.counters["parts"] = static_cast<double>(parts);
  state.counters["MB_of_text"] = static_cast<double>(text.size()) * 1e-6;
}

void nested_instances(benchmark::State& state) { load_and_check(state, nested_model()); }
void written_out(benchmark::State& state) { load_and_check(state, written_model()); }

BENCHMARK(nested_instances)->Unit(benchmark::kMillisecond);
BENCHMARK(written_out)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gelenk
