// Recording a chain of 1,000 parts with everything that can be recorded, and reading single frames of a 2 GB file.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gelenk/results/reader.h"
#include "gelenk/results/recorder.h"

namespace gelenk::results {
namespace {

constexpr std::size_t kParts = 1000;
constexpr std::size_t kFileBytes = 2'000'000'000;

model::Machine chain(std::size_t count) {
  model::Machine machine;
  machine.name = "chain";
  for (std::size_t i = 0; i < count; ++i) {
    model::PartNode part;
    part.path = fmt::format("link.{}.bar", i);
    machine.parts.push_back(std::move(part));
    model::JointNode joint;
    joint.path = fmt::format("link.{}.hinge", i);
    joint.type = &model::kRevolute;
    machine.joints.push_back(std::move(joint));
  }
  return machine;
}

std::string scratch_file(const char* name) { return (std::filesystem::temp_directory_path() / name).string(); }

// Cheap numbers that differ from row to row: what is measured is the recording.
void fill(const Row& row, double time) {
  for (const BlockId id : row.blocks()) {
    double value = time;
    for (double& entry : row[id]) entry = value += 1e-3;
  }
}

void record_chain(benchmark::State& state) {
  const std::string path = scratch_file("gelenk_record_bench.h5");
  const Layout layout = make_layout(chain(kParts));
  std::string error;
  const auto recorder = Recorder::open(path, layout, {}, error);
  if (!recorder) {
    state.SkipWithError(error.c_str());
    return;
  }
  recorder->flush();
  double time = 0.0;
  for (auto _ : state) {
    fill(recorder->row(time), time);
    recorder->commit();
    time += 1e-3;
  }
  if (!recorder->close(RunStatus::done).empty()) state.SkipWithError("the file could not be written");
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(sizeof(double) * (layout.row_width() + 1)));
  state.counters["row_kB"] = static_cast<double>(sizeof(double) * layout.row_width()) * 1e-3;
  std::filesystem::remove(path);
}

// The same loop without a recorder, to be taken off.
void fill_only(benchmark::State& state) {
  const Layout layout = make_layout(chain(kParts));
  std::vector<double> row(layout.row_width());
  double time = 0.0;
  for (auto _ : state) {
    double value = time;
    for (double& entry : row) entry = value += 1e-3;
    benchmark::DoNotOptimize(row.data());
    time += 1e-3;
  }
}

void open_file_of_chain(benchmark::State& state) {
  const std::string path = scratch_file("gelenk_open_bench.h5");
  const Layout layout = make_layout(chain(kParts));
  for (auto _ : state) {
    std::string error;
    const auto recorder = Recorder::open(path, layout, {}, error);
    if (!recorder || !recorder->close(RunStatus::done).empty()) state.SkipWithError("the file could not be written");
  }
  std::filesystem::remove(path);
}

void read_frame(benchmark::State& state) {
  const std::string path = scratch_file("gelenk_frame_bench.h5");
  const Layout layout = make_layout(chain(kParts));
  const std::size_t rows = kFileBytes / (sizeof(double) * layout.row_width());
  std::string error;
  if (const auto recorder = Recorder::open(path, layout, {}, error)) {
    for (std::size_t i = 0; i < rows; ++i) {
      fill(recorder->row(static_cast<double>(i)), static_cast<double>(i));
      recorder->commit();
    }
    error = recorder->close(RunStatus::done);
  }
  const auto reader = error.empty() ? Reader::open(path, error) : nullptr;
  if (!reader) {
    state.SkipWithError(error.c_str());
    return;
  }
  std::mt19937 random(1);
  std::uniform_int_distribution<std::size_t> any_row(0, rows - 1);
  Frame frame;
  double longest = 0.0;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    if (!reader->read_frame(any_row(random), frame).empty()) state.SkipWithError("a frame could not be read");
    longest = std::max(longest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  state.counters["file_GB"] = static_cast<double>(std::filesystem::file_size(path)) * 1e-9;
  state.counters["longest_ms"] = longest * 1e3;
  std::filesystem::remove(path);
}

BENCHMARK(fill_only)->Unit(benchmark::kMicrosecond);
BENCHMARK(record_chain)->Unit(benchmark::kMicrosecond)->Iterations(5000)->UseRealTime();
BENCHMARK(open_file_of_chain)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(read_frame)->Unit(benchmark::kMicrosecond)->Iterations(1000)->UseRealTime();

}  // namespace
}  // namespace gelenk::results
