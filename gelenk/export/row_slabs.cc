#include "gelenk/export/row_slabs.h"

#include <algorithm>
#include <span>
#include <utility>

namespace gelenk::exporting {
namespace {

constexpr std::size_t kSlabBytes = 4u << 20;
constexpr std::size_t kLeastRows = 2;

std::vector<bool> blocks_of(const results::Reader& reader, const std::vector<results::ChannelSource>& channels) {
  std::vector<bool> is_needed(reader.blocks().size());
  for (const results::ChannelSource& channel : channels) is_needed[channel.block] = true;
  return is_needed;
}

}  // namespace

RowSlabs::RowSlabs(const results::Reader& reader, const std::vector<results::ChannelSource>& channels)
    : RowSlabs(reader, blocks_of(reader, channels)) {}

RowSlabs::RowSlabs(const results::Reader& reader, std::vector<bool> is_needed)
    : reader_(reader), is_needed_(std::move(is_needed)), values_(reader.blocks().size()) {
  std::size_t row_bytes = 1;
  for (std::size_t b = 0; b < is_needed_.size(); ++b) {
    if (is_needed_[b]) row_bytes += reader.blocks()[b].width * sizeof(double);
  }
  rows_ = std::max(kSlabBytes / row_bytes, kLeastRows);
}

std::string RowSlabs::read(std::size_t first, std::size_t count) {
  for (std::size_t b = 0; b < is_needed_.size(); ++b) {
    if (!is_needed_[b]) continue;
    values_[b].resize(count * reader_.blocks()[b].width);
    if (std::string error = reader_.read_rows(b, first, count, values_[b]); !error.empty()) return error;
  }
  first_ = first;
  count_ = count;
  return {};
}

std::string RowSlabs::reach(std::size_t row) {
  const std::size_t end = std::min(row + kLeastRows, reader_.row_count());
  if (row >= first_ && end <= first_ + count_) return {};
  return read(row, std::min(rows_, reader_.row_count() - row));
}

double RowSlabs::value(const results::ChannelSource& channel, std::size_t row) const {
  const std::size_t width = reader_.blocks()[channel.block].width;
  return channel.value(std::span(values_[channel.block]).subspan((row - first_) * width, width));
}

}  // namespace gelenk::exporting
