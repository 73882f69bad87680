#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gelenk/results/reader.h"

namespace gelenk::exporting {

// Rows of the blocks that some channels need, a few megabytes at a time: a file may be larger than the memory.
class RowSlabs {
 public:
  RowSlabs(const results::Reader& reader, const std::vector<results::ChannelSource>& channels);
  // All rows of these blocks.
  RowSlabs(const results::Reader& reader, std::vector<bool> is_needed);

  // How many rows are read at once; at least two.
  std::size_t rows() const { return rows_; }
  // Reads rows [first, first + count) in the place of those before; returns what went wrong.
  std::string read(std::size_t first, std::size_t count);
  // Makes sure that this row and the next one, if there is one, can be asked for; cheap when they can already.
  std::string reach(std::size_t row);

  // `row` counts through the whole file and must have been read.
  double value(const results::ChannelSource& channel, std::size_t row) const;
  double at(std::size_t block, std::size_t column, std::size_t row) const {
    return values_[block][(row - first_) * reader_.blocks()[block].width + column];
  }

 private:
  const results::Reader& reader_;
  std::vector<bool> is_needed_;  // of each block
  std::size_t rows_ = 2;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::vector<std::vector<double>> values_;  // of each block
};

}  // namespace gelenk::exporting
