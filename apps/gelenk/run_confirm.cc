#include "apps/gelenk/run_confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "gelenk/base/text.h"
#include "gelenk/export/quantity_scales.h"
#include "gelenk/export/run_comparison.h"
#include "gelenk/results/layout.h"

namespace gelenk::app {
namespace {

using results::BlockId;

// Steps between two rows that differ from a whole number by less than this are rounding.
constexpr double kWhole = 1e-6;

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

// "with twice the step"
std::string_view settings_text(const analysis::RunOptions& options, const analysis::RunOptions& repeated) {
  if (options.is_adaptive()) return "with a tenth of the tolerance";
  return repeated.step > options.step ? "with twice the step" : "with half the step";
}

Repetition compare_with(const RunToRepeat& run, const analysis::RunOptions& repeated, bool wants_outputs,
                        const RepeatedRun& simulate) {
  Repetition result;
  results::Selection selection;
  selection.blocks = {BlockId::coordinate, BlockId::pose, BlockId::state};
  if (wants_outputs) selection.blocks.push_back(BlockId::output);
  const results::Layout layout = results::make_layout(run.machine, selection);
  const TemporaryFile temporary{run.file + ".confirm"};
  const std::unique_ptr<results::Recorder> recorder =
      results::Recorder::open(temporary.path, layout, run.info, result.error);
  if (!recorder) return result;
  const analysis::RunResult again = simulate(repeated, *recorder);
  result.error = recorder->close(again.status);
  if (!result.error.empty()) return result;
  if (again.status != results::RunStatus::done) {
    const std::string_view end = again.status == results::RunStatus::stopped ? "was stopped" : "failed";
    result.error = fmt::format("the repetition {} {} at {} s", settings_text(run.options, repeated), end,
                               format_rounded(again.time, 4));
    return result;
  }
  if (repeated.step > run.options.step && again.largest_step < run.options.step * (1.0 + kWhole)) {
    result.error = "the run is too short for twice the step: give a smaller step";
    return result;
  }
  const std::unique_ptr<results::Reader> first = results::Reader::open(run.file, result.error);
  if (!first) return result;
  const std::unique_ptr<results::Reader> second = results::Reader::open(temporary.path, result.error);
  if (!second) return result;
  exporting::RunComparison outputs = exporting::compare_runs(
      *second, *first, channels_of(layout, [](BlockId block) { return block == BlockId::output; }));
  exporting::RunComparison state = exporting::compare_runs(
      *second, *first, channels_of(layout, [](BlockId block) { return block != BlockId::output; }));
  result.error = outputs.error.empty() ? state.error : outputs.error;
  exporting::QuantityScales scales;
  if (result.error.empty()) result.error = exporting::read_scales(*first, scales);
  scales.include(Quantity::length, run.machine_size);
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

}  // namespace

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

Repetition repeat_finer(const RunToRepeat& run, const RepeatedRun& simulate) {
  analysis::RunOptions finer = run.options;
  finer.step *= 0.5;
  finer.tolerance *= 0.1;
  return compare_with(run, finer, true, simulate);
}

Repetition repeat_with_twice_the_step(const RunToRepeat& run, const RepeatedRun& simulate) {
  analysis::RunOptions coarser = run.options;
  coarser.step *= 2.0;
  // Every second row, where the others are inside of the longer steps.
  const double steps = run.options.output_every / run.options.step;
  const bool is_odd = std::abs(std::remainder(steps, 1.0)) < kWhole && std::abs(std::remainder(steps, 2.0)) > 0.5;
  if (is_odd) coarser.output_every *= 2.0;
  return compare_with(run, coarser, false, simulate);
}

}  // namespace gelenk::app
