#include "apps/gelenk/run_confirm.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "gelenk/export/quantity_scales.h"
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

template <class Wanted>
std::vector<std::string> channels_of(const results::Layout& layout, Wanted wanted) {
  std::vector<std::string> names;
  for (const results::Channel& channel : layout.channels) {
    if (!wanted(channel.block)) continue;
    for (const std::string_view component : channel.components())
      names.push_back(channel.name + std::string(component));
  }
  return names;
}

void drop_rounding(double rounding, exporting::ChannelChange& change) {
  if (change.largest_difference <= rounding) change.largest_difference = 0.0;
}

// A coordinate that should stand still has no range of its own: changes are compared with what moves most in the same
// unit.
void add_worst_of_state(const std::vector<exporting::ChannelChange>& state,
                        std::vector<results::Certificate::Change>& changes) {
  const std::size_t first = changes.size();
  for (const exporting::ChannelChange& change : state) {
    const auto same_unit = std::find_if(changes.begin() + static_cast<std::ptrdiff_t>(first), changes.end(),
                                        [&](const auto& known) { return known.unit == change.unit; });
    if (same_unit == changes.end()) {
      changes.push_back({change.name, change.largest_difference, change.at_time, change.range, change.unit});
      continue;
    }
    same_unit->range = std::max(same_unit->range, change.range);
    if (change.largest_difference <= same_unit->largest_change) continue;
    same_unit->output = change.name;
    same_unit->largest_change = change.largest_difference;
    same_unit->at_time = change.at_time;
  }
}

}  // namespace

Confirmation confirm_run(const std::string& file, const model::Machine& machine, const analysis::RunOptions& options,
                         const results::RunInfo& info, double machine_size, const FinerRun& simulate) {
  Confirmation result;
  results::Selection selection;
  selection.blocks = {BlockId::output, BlockId::coordinate, BlockId::pose};
  const results::Layout layout = results::make_layout(machine, selection);
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
  exporting::RunComparison outputs = exporting::compare_runs(
      *first, *second, channels_of(layout, [](BlockId block) { return block == BlockId::output; }));
  exporting::RunComparison state = exporting::compare_runs(
      *first, *second, channels_of(layout, [](BlockId block) { return block != BlockId::output; }));
  result.error = outputs.error.empty() ? state.error : outputs.error;
  exporting::QuantityScales scales;
  if (result.error.empty()) result.error = exporting::read_scales(*first, scales);
  scales.include(Quantity::length, machine_size);
  for (exporting::ChannelChange& change : outputs.changes) drop_rounding(scales.rounding(change.quantity), change);
  for (exporting::ChannelChange& change : state.changes) {
    // Pure numbers in the state are those of orientations, which are up to 1.
    const bool is_orientation = change.quantity == Quantity::number;
    drop_rounding(is_orientation ? exporting::kRoundingOfMachine : scales.rounding(change.quantity), change);
  }
  for (const exporting::ChannelChange& change : outputs.changes) {
    result.changes.push_back({change.name, change.largest_difference, change.at_time, change.range, change.unit});
  }
  add_worst_of_state(state.changes, result.changes);
  if (result.error.empty() && result.changes.empty()) {
    result.error = "nothing was recorded that could be compared: no output, joint coordinate or part position";
  }
  return result;
}

}  // namespace gelenk::app
