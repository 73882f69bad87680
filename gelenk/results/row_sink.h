#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "gelenk/results/layout.h"
#include "gelenk/results/run_info.h"

namespace gelenk::results {

// One row to be filled: for each block the values of all elements in machine order, empty for a block that nobody
// wants. What is not filled is recorded as NaN.
class Row {
 public:
  Row() = default;  // nobody wants anything

  std::span<double> operator[](BlockId block) const {
    return spans_ == nullptr ? std::span<double>() : (*spans_)[block];
  }
  // Of all blocks, those that nobody wants included.
  std::span<const BlockId> blocks() const { return spans_ == nullptr ? std::span<const BlockId>() : spans_->ids(); }

 private:
  friend class RowPlaces;
  explicit Row(const PerBlock<std::span<double>>& spans) : spans_(&spans) {}

  const PerBlock<std::span<double>>* spans_ = nullptr;  // of RowPlaces
};

// Where a run puts what it records: a file (Recorder) or memory (MemoryRecorder).
//   const Row row = sink.row(time);
//   fill(row[BlockId::pose]);
//   if (!sink.commit()) ...
class RowSink {
 public:
  RowSink() = default;
  virtual ~RowSink() = default;
  RowSink(const RowSink&) = delete;
  RowSink& operator=(const RowSink&) = delete;

  // The next row. Its spans are valid until commit(); asking again before that begins the row anew.
  virtual Row row(double time) = 0;
  // The row is complete. False when nothing more can be kept: error() says why, further rows are dropped.
  virtual bool commit() = 0;
  virtual void event(const Event& event) = 0;

  // Kept so far; the beginning of a reopened file is counted.
  virtual std::size_t row_count() const = 0;
  virtual std::size_t event_count() const = 0;

  // What went wrong, as a sentence; empty: nothing.
  virtual std::string error() const = 0;
};

// Leads from the full row, which is filled, to the columns that are kept: blocks of which all columns are kept are
// filled where they are kept, others in rows of their own. Allocates only when it is made.
class RowPlaces {
 public:
  explicit RowPlaces(const Layout& layout) : blocks_(layout.blocks), full_(layout.blocks.size()), spans_(layout.ids()) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (!blocks_[b].kept.empty()) full_[b].resize(blocks_[b].full_width);
    }
  }

  const std::vector<Block>& blocks() const { return blocks_; }

  // `place(b)`: where the kept columns of block number b belong, Block::width doubles; the same until finish().
  template <class Place>
  Row begin(Place&& place) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (!blocks_[b].is_recorded()) continue;
      const std::span<double> values = full_[b].empty() ? place(b) : std::span<double>(full_[b]);
      std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
      spans_[blocks_[b].id] = values;
    }
    return Row(spans_);
  }

  template <class Place>
  void finish(Place&& place) const {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (full_[b].empty()) continue;
      const std::span<double> values = place(b);
      const std::vector<std::size_t>& kept = blocks_[b].kept;
      for (std::size_t i = 0; i < kept.size(); ++i) values[i] = full_[b][kept[i]];
    }
  }

 private:
  std::vector<Block> blocks_;
  std::vector<std::vector<double>> full_;  // rows of blocks of which only some columns are kept
  PerBlock<std::span<double>> spans_;      // of the row that is being filled
};

}  // namespace gelenk::results
