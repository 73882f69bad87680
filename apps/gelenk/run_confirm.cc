#include "apps/gelenk/run_confirm.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "gelenk/export/run_comparison.h"
#include "gelenk/results/layout.h"

namespace gelenk::app {
namespace {

using results::BlockId;

// A file that is gone when this is.
struct TemporaryFile {
  std::string path;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

}  // namespace

Confirmation confirm_run(const std::string& file, const model::Machine& machine, const analysis::RunOptions& options,
                         const results::RunInfo& info, const FinerRun& simulate) {
  Confirmation result;
  const BlockId block = machine.outputs.empty() ? BlockId::coordinate : BlockId::output;
  results::Selection selection;
  selection.blocks.fill(false);
  selection.blocks[results::index_of(block)] = true;
  const results::Layout layout = results::make_layout(machine, selection);
  std::vector<std::string> channels;
  for (const results::Channel& channel : layout.channels) {
    for (const std::string_view component : channel.components())
      channels.push_back(channel.name + std::string(component));
  }
  analysis::RunOptions finer = options;
  finer.step *= 0.5;
  finer.tolerance *= 0.1;
  const TemporaryFile temporary{file + ".confirm"};
  const std::unique_ptr<results::Recorder> recorder =
      results::Recorder::open(temporary.path, layout, info, result.error);
  if (!recorder) return result;
  const analysis::RunResult again = simulate(finer, *recorder);
  result.error = recorder->close(again.status);
  if (!result.error.empty()) return result;
  if (again.status != results::RunStatus::done) {
    result.error = again.status == results::RunStatus::stopped ? "the repetition was stopped" : "the repetition failed";
    return result;
  }
  const std::unique_ptr<results::Reader> first = results::Reader::open(file, result.error);
  if (!first) return result;
  const std::unique_ptr<results::Reader> second = results::Reader::open(temporary.path, result.error);
  if (!second) return result;
  const exporting::RunComparison comparison = exporting::compare_runs(*first, *second, channels);
  result.error = comparison.error;
  for (const exporting::ChannelChange& change : comparison.changes) {
    result.changes.push_back({change.name, change.largest_difference, change.at_time, change.range, change.unit});
  }
  return result;
}

}  // namespace gelenk::app
