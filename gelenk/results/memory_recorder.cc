#include "gelenk/results/memory_recorder.h"

#include <utility>

namespace gelenk::results {
namespace {

std::shared_ptr<MemoryRows> no_rows(const Layout& layout) {
  auto rows = std::make_shared<MemoryRows>();
  rows->layout = layout;
  rows->values.resize(layout.blocks.size());
  return rows;
}

}  // namespace

MemoryRecorder::MemoryRecorder(const Layout& layout) : places_(layout), rows_(no_rows(layout)) {}

std::span<double> MemoryRecorder::place(std::size_t block) const {
  const std::size_t width = places_.blocks()[block].width;
  return std::span(rows_->values[block]).subspan(row_count() * width, width);
}

Row MemoryRecorder::row(double time) {
  pending_time_ = time;
  for (std::size_t b = 0; b < rows_->values.size(); ++b) {
    rows_->values[b].resize((row_count() + 1) * places_.blocks()[b].width);
  }
  return places_.begin([this](std::size_t block) { return place(block); });
}

bool MemoryRecorder::commit() {
  places_.finish([this](std::size_t block) { return place(block); });
  rows_->times.push_back(pending_time_);
  return true;
}

std::shared_ptr<const MemoryRows> MemoryRecorder::take() {
  for (std::size_t b = 0; b < rows_->values.size(); ++b) {
    rows_->values[b].resize(row_count() * places_.blocks()[b].width);
  }
  std::shared_ptr<MemoryRows> next = no_rows(rows_->layout);
  return std::exchange(rows_, std::move(next));
}

}  // namespace gelenk::results
