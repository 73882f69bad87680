#include "python/src/recorded.h"

#include <span>
#include <string_view>
#include <utility>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/results/recorder.h"
#include "python/src/messages.h"

namespace gelenk::python {
namespace {

void set_shown(const ShownUnit& unit, RecordedColumn& column) {
  column.shown_unit = unit.symbol;
  column.shown_factor = unit.factor;
  column.shown_offset = unit.offset;
}

ShownUnit unit_for_people(const Display& display, Quantity quantity, const std::string& si, const std::string& own) {
  if (!own.empty()) {
    if (const UnitParse unit = parse_unit(own); unit.unit) return {own, unit.unit->factor, unit.unit->offset};
  }
  if (quantity == Quantity::any) return {si, 1.0, 0.0};
  return shown_unit(display, quantity);
}

void check(const std::string& problem) {
  if (!problem.empty()) throw Failure(Failure::Kind::file, problem);
}

// Shares the rows of a run with whoever has one of its blocks.
std::shared_ptr<const std::vector<double>> part_of(const std::shared_ptr<const results::MemoryRows>& rows,
                                                   const std::vector<double>& values) {
  return {rows, &values};
}

}  // namespace

Recorded::Recorded(std::shared_ptr<const results::MemoryRows> rows) : memory_(std::move(rows)) {
  const results::Layout& layout = memory_->layout;
  model_name = layout.model_name;
  blocks_.push_back({"time", 1});
  read_.push_back({part_of(memory_, memory_->times), memory_->row_count(), 1});
  results::PerBlock<std::size_t> number(layout.ids());
  for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
    const results::Block& block = layout.blocks[b];
    if (!block.is_recorded()) continue;
    number[block.id] = blocks_.size();
    blocks_.push_back({std::string(block.id.name()), block.width});
    read_.push_back({part_of(memory_, memory_->values[b]), memory_->row_count(), block.width});
  }
  for (const results::Channel& channel : layout.channels) {
    const ShownUnit shown = unit_for_people(layout.display, channel.quantity, channel.unit, channel.shown_unit);
    std::size_t column = channel.column;
    for (const std::string_view component : channel.components()) {
      RecordedColumn& one = columns_.emplace_back();
      one.name = channel.name + std::string(component);
      one.block = number[channel.block];
      one.column = column++;
      one.unit = channel.unit;
      one.quantity = quantity_info(channel.quantity).name;
      set_shown(shown, one);
    }
  }
  events_ = memory_->events;
  has_events_ = true;
}

Recorded::Recorded(const std::string& file) : path(file) {
  std::string error;
  reader_ = results::Reader::open(file, error);
  check(reader_ ? std::string() : error);
  const results::RunHeader& header = reader_->header();
  model_name = header.model_name;
  resolved_model = header.resolved_model;
  options = header.options;
  for (const results::RecordedBlock& block : reader_->blocks()) blocks_.push_back({block.name, block.width});
  read_.resize(blocks_.size());
  for (const results::RecordedChannel& channel : reader_->channels()) {
    RecordedColumn& one = columns_.emplace_back();
    one.name = channel.name;
    one.block = channel.block;
    one.column = channel.column;
    one.unit = channel.unit;
    one.quantity = quantity_info(channel.quantity).name;
    set_shown(unit_for_people(header.display, channel.quantity, channel.unit, channel.shown_unit), one);
  }
  note_end();
}

void Recorded::note_end() {
  status = results::status_name(reader_->status());
  message = reader_->message();
  certificate = reader_->certificate();
}

void Recorded::refresh() {
  if (!reader_) return;
  const std::lock_guard lock(mutex_);
  const std::size_t before = reader_->row_count();
  check(reader_->refresh());
  note_end();
  has_events_ = false;
  if (reader_->row_count() != before) read_.assign(blocks_.size(), {});
}

void Recorded::set_end(End end) {
  end_ = std::move(end);
  status = results::status_name(end_.status);
  message = end_.message;
  certificate = end_.certificate;
  resolved_model = end_.info.resolved_model;
  options = end_.info.options;
}

void Recorded::save(const std::string& file) const {
  const results::Layout& layout = memory_->layout;
  std::string error;
  const std::unique_ptr<results::Recorder> recorder = results::Recorder::open(file, layout, end_.info, error);
  check(recorder ? std::string() : error);
  for (std::size_t i = 0; i < memory_->row_count(); ++i) {
    const results::Row row = recorder->row(memory_->times[i]);
    for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
      const results::Block& block = layout.blocks[b];
      const std::span<double> to = row[block.id];
      const double* const from = memory_->values[b].data() + i * block.width;
      for (std::size_t c = 0; c < block.width; ++c) to[block.kept.empty() ? c : block.kept[c]] = from[c];
    }
    if (!recorder->commit()) break;
  }
  for (const results::Event& event : memory_->events) recorder->event(event);
  check(recorder->close(end_.status, end_.message, end_.certificate));
}

Rows Recorded::rows(std::size_t block) {
  const std::lock_guard lock(mutex_);
  Rows& known = read_.at(block);
  if (known.values) return known;
  const std::size_t count = reader_->row_count(), width = blocks_[block].width;
  auto values = std::make_shared<std::vector<double>>(count * width);
  check(reader_->read_rows(block, 0, count, *values));
  known = {std::move(values), count, width};
  return known;
}

std::vector<results::Event> Recorded::events() {
  const std::lock_guard lock(mutex_);
  if (has_events_) return events_;
  events_.clear();
  check(reader_->read_events(events_));
  has_events_ = true;
  return events_;
}

}  // namespace gelenk::python
