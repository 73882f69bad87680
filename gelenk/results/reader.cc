#include "gelenk/results/reader.h"

#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gelenk/results/run_file.h"

namespace gelenk::results {
namespace {

using hdf5::Handle;
using hdf5::Id;

constexpr std::size_t kSlabBytes = 1u << 20;
// In rows longer than this it is quicker to fetch single values than to read everything between them.
constexpr std::size_t kWideRowBytes = 4096;
constexpr std::size_t kEventBytes = sizeof(double) + kEventKindBytes + kEventElementBytes + kEventTextBytes;
constexpr std::string_view kMagnitude = ".magnitude";

// Reads rows [first, first + count) and, where given, one column of them only. The memory is described with as many
// dimensions as the file has: with fewer the library goes value by value.
bool read_doubles(Id dataset, const RecordedBlock& block, std::size_t first, std::size_t count,
                  std::optional<std::size_t> column, double* values) {
  std::vector<hsize_t> start{first};
  std::vector<hsize_t> extent{count};
  std::size_t below = block.width;
  std::size_t rest = column.value_or(0);
  for (const std::size_t n : block.shape) {
    below /= n;
    start.push_back(column ? rest / below : 0);
    extent.push_back(column ? 1 : n);
    rest %= below;
  }
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const auto rank = static_cast<int>(start.size());
  if (H5Sget_simple_extent_ndims(space.get()) != rank ||
      H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr) < 0 ||
      H5Sselect_valid(space.get()) <= 0) {
    return false;
  }
  const Handle memory(H5Screate_simple(rank, extent.data(), nullptr), H5Sclose);
  return H5Dread(dataset, H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, values) >= 0;
}

std::string text_at(const std::string& bytes, std::size_t offset, std::size_t size) {
  const std::string_view text = std::string_view(bytes).substr(offset, size);
  return std::string(text.substr(0, text.find('\0')));
}

}  // namespace

double ChannelSource::value(std::span<const double> row) const {
  return is_magnitude ? std::hypot(row[columns[0]], row[columns[1]], row[columns[2]]) : row[columns[0]];
}

Reader::~Reader() {
  const hdf5::Lock lock;
  datasets_.clear();
  row_checksums_.reset();
  file_.reset();
}

std::string Reader::damaged(std::string_view what) const {
  return "the file '" + path_ + "' is damaged: " + std::string(what) + " cannot be read";
}

std::optional<ChannelSource> Reader::find(const std::string& name) const {
  if (const auto it = channel_by_name_.find(name); it != channel_by_name_.end()) {
    const RecordedChannel& channel = channels_[it->second];
    return ChannelSource{name,         channel.block,    {channel.column},  false,
                         channel.unit, channel.quantity, channel.shown_unit};
  }
  if (!name.ends_with(kMagnitude)) return std::nullopt;
  const std::string vector = name.substr(0, name.size() - kMagnitude.size());
  ChannelSource source{name, 0, {}, true, {}, Quantity::any, {}};
  // What has a `w` is an orientation.
  if (channel_by_name_.contains(vector + ".w")) return std::nullopt;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto it = channel_by_name_.find(vector + "." + "xyz"[i]);
    if (it == channel_by_name_.end()) return std::nullopt;
    const RecordedChannel& channel = channels_[it->second];
    if (i > 0 && channel.block != source.block) return std::nullopt;
    source.block = channel.block;
    source.columns[i] = channel.column;
    source.unit = channel.unit;
    source.quantity = channel.quantity;
  }
  return source;
}

std::string Reader::read_times(std::vector<double>& times) const { return read_column(0, 0, times); }

std::string Reader::read_rows(std::size_t block, std::size_t first, std::size_t count, std::span<double> values) const {
  const hdf5::Lock lock;
  if (block >= blocks_.size() || first > row_count_ || count > row_count_ - first) return "there are no such rows";
  if (count == 0) return {};
  const Id dataset = datasets_[block].get();
  const bool is_read = read_doubles(dataset, blocks_[block], first, count, std::nullopt, values.data());
  return is_read ? std::string() : damaged(blocks_[block].name);
}

std::string Reader::read_frame(std::size_t row, Frame& frame) const {
  frame.rows.resize(blocks_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    frame.rows[b].resize(blocks_[b].width);
    if (std::string error = read_rows(b, row, 1, frame.rows[b]); !error.empty()) return error;
  }
  frame.time = frame.rows.front().front();
  return {};
}

std::string Reader::read_column(std::size_t block, std::size_t column, std::vector<double>& values) const {
  values.resize(row_count_);
  if (row_count_ == 0) return {};
  const RecordedBlock& from = blocks_[block];
  const std::size_t row_bytes = from.width * sizeof(double);
  if (from.width == 1) return read_rows(block, 0, row_count_, values);
  if (row_bytes > kWideRowBytes) {
    const hdf5::Lock lock;
    const Id dataset = datasets_[block].get();
    const bool is_read = read_doubles(dataset, from, 0, row_count_, column, values.data());
    return is_read ? std::string() : damaged(from.name);
  }
  const std::size_t slab_rows = kSlabBytes / row_bytes;
  std::vector<double> slab(slab_rows * from.width);
  for (std::size_t first = 0; first < row_count_; first += slab_rows) {
    const std::size_t count = std::min(slab_rows, row_count_ - first);
    if (std::string error = read_rows(block, first, count, slab); !error.empty()) return error;
    for (std::size_t i = 0; i < count; ++i) values[first + i] = slab[i * from.width + column];
  }
  return {};
}

std::string Reader::read_channel(const ChannelSource& channel, std::vector<double>& values) const {
  if (!channel.is_magnitude) return read_column(channel.block, channel.columns[0], values);
  std::array<std::vector<double>, 3> components;
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::string error = read_column(channel.block, channel.columns[i], components[i]); !error.empty()) return error;
  }
  values.resize(row_count_);
  for (std::size_t row = 0; row < row_count_; ++row) {
    values[row] = std::hypot(components[0][row], components[1][row], components[2][row]);
  }
  return {};
}

// The library remembers how long a dataset was when it saw it first.
Handle Reader::open_growing(const char* name) const {
  Handle dataset = hdf5::open_dataset(file_.get(), name);
  if (dataset.is_open() && !is_closed_) H5Drefresh(dataset.get());
  return dataset;
}

// In a file that was not closed the last ones may lack their checksums.
std::size_t Reader::count_events() const {
  const hdf5::Lock lock;
  if (!hdf5::has_link(file_.get(), "events")) return 0;
  std::size_t count = hdf5::count_values(open_growing("events").get());
  if (has_checksums() && !is_closed_) count = std::min(count, hdf5::count_values(open_growing(kEventChecksums).get()));
  return count;
}

std::string Reader::read_event_bytes(std::size_t count, std::string& bytes) const {
  const hdf5::Lock lock;
  bytes.clear();
  if (count == 0) return {};
  const Handle dataset = open_growing("events");
  if (count > hdf5::count_values(dataset.get()) || count > file_bytes_ / kEventBytes) return damaged("events");
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  if (H5Tget_size(type.get()) != kEventBytes || H5Tget_class(type.get()) != H5T_COMPOUND) return damaged("events");
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  constexpr hsize_t kBegin = 0;
  const hsize_t extent = count;
  const Handle memory(H5Screate_simple(1, &extent, nullptr), H5Sclose);
  bytes.assign(count * kEventBytes, '\0');
  const bool is_read = H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &kBegin, nullptr, &extent, nullptr) >= 0 &&
                       H5Dread(dataset.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, bytes.data()) >= 0;
  return is_read ? std::string() : damaged("events");
}

std::string Reader::read_events(std::vector<Event>& events) const {
  events.clear();
  std::string bytes;
  if (std::string error = read_event_bytes(count_events(), bytes); !error.empty()) return error;
  for (std::size_t begin = 0; begin < bytes.size(); begin += kEventBytes) {
    Event event;
    std::memcpy(&event.time, bytes.data() + begin, sizeof event.time);
    std::size_t offset = begin + sizeof(double);
    event.kind = text_at(bytes, offset, kEventKindBytes);
    offset += kEventKindBytes;
    event.element = text_at(bytes, offset, kEventElementBytes);
    event.text = text_at(bytes, offset + kEventElementBytes, kEventTextBytes);
    events.push_back(std::move(event));
  }
  return {};
}

std::string Reader::certificate() const {
  const hdf5::Lock lock;
  if (!hdf5::has_link(file_.get(), "certificate")) return {};
  const Handle dataset = open_growing("certificate");
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const hssize_t bytes = space.is_open() ? H5Sget_simple_extent_npoints(space.get()) : -1;
  if (bytes <= 0 || static_cast<std::uintmax_t>(bytes) > file_bytes_) return {};
  std::string text(static_cast<std::size_t>(bytes), '\0');
  const bool is_read = H5Dread(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0;
  return is_read ? text : std::string();
}

}  // namespace gelenk::results
