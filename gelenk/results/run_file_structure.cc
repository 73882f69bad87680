// What a file of results contains before its first row: datasets, index, texts, and the views by path.
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "gelenk/base/hash.h"
#include "gelenk/results/model_files.h"
#include "gelenk/results/run_file.h"

namespace gelenk::results {
namespace {

using hdf5::Handle;
using hdf5::Id;

constexpr std::size_t kChunkBytes = std::size_t{256} * 1024;
constexpr std::size_t kMostChunkBytes = 1u << 30;  // of a single row; the library's limit is 4 GiB
// A view by path costs about 60 µs and 700 bytes; a machine beyond this is read by /index.
constexpr std::size_t kMostViews = 20'000;
// Names are stored with the length of the longest; beyond this the index would be larger than most results.
constexpr std::size_t kMostWrittenIndexBytes = 1u << 30;

Handle group(Id location, const std::string& name) {
  return {H5Gcreate2(location, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
}

std::vector<hsize_t> dimensions(hsize_t first, const std::vector<std::size_t>& rest) {
  std::vector<hsize_t> result{first};
  result.insert(result.end(), rest.begin(), rest.end());
  return result;
}

// Rows in a chunk: about 256 kB, but not many more than the run will have, since chunks are written whole.
std::size_t chunk_rows(std::size_t width, std::size_t expected_rows) {
  constexpr std::size_t kFewRows = 64;
  const std::size_t fitting = std::max<std::size_t>(kChunkBytes / (width * sizeof(double)), 1);
  return expected_rows == 0 ? fitting : std::min(fitting, std::max(expected_rows, kFewRows));
}

// What is put into a dataset that grows. What is written once has checksums of the library's own. Where rows are added
// these would not do: a kill in the middle of a chunk that is written again, with more rows, would make the rows
// unreadable that it had before.
enum class Filling { numbers, others, once };

// A dataset that grows by rows. NaN stands where nothing was written.
Handle growing_dataset(Id location, const std::string& name, Id type, const std::vector<std::size_t>& row_shape,
                       std::size_t rows_in_chunk, Filling filling) {
  const std::vector<hsize_t> now = dimensions(0, row_shape);
  const std::vector<hsize_t> most = dimensions(H5S_UNLIMITED, row_shape);
  const std::vector<hsize_t> chunk = dimensions(rows_in_chunk, row_shape);
  const auto rank = static_cast<int>(now.size());
  const Handle space(H5Screate_simple(rank, now.data(), most.data()), H5Sclose);
  const Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(create.get(), rank, chunk.data());
  if (filling == Filling::once) H5Pset_fletcher32(create.get());
  if (filling == Filling::numbers) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    H5Pset_fill_value(create.get(), H5T_NATIVE_DOUBLE, &nan);
  }
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.get(), 1);
  return {H5Dcreate2(location, name.c_str(), type, space.get(), links.get(), create.get(), H5P_DEFAULT), H5Dclose};
}

// The dataset of a slice seen alone: n × count, or n for a single column.
bool create_view(Id file, const Slice& slice, const std::vector<std::size_t>& row_shape) {
  std::string name = "by_path/" + slice.path + (slice.quantity.empty() ? "" : "." + slice.quantity);
  std::replace(name.begin(), name.end(), '.', '/');
  const std::vector<hsize_t> source_now = dimensions(0, row_shape);
  const std::vector<hsize_t> source_most = dimensions(H5S_UNLIMITED, row_shape);
  std::vector<hsize_t> start(source_now.size(), 0);
  std::vector<hsize_t> extent(source_now.size(), 1);
  const std::vector<hsize_t> once(source_now.size(), 1);
  extent[0] = H5S_UNLIMITED;
  if (row_shape.size() == 2) {
    start[1] = slice.column / row_shape[1];
    start[2] = slice.column % row_shape[1];
  } else {
    start[1] = slice.column;
  }
  extent.back() = slice.count;

  const int rank = slice.count == 1 ? 1 : 2;
  const std::array<hsize_t, 2> now{0, slice.count};
  const std::array<hsize_t, 2> most{H5S_UNLIMITED, slice.count};
  const std::array<hsize_t, 2> zero{0, 0};
  const std::array<hsize_t, 2> one{1, 1};
  const Handle source(H5Screate_simple(static_cast<int>(source_now.size()), source_now.data(), source_most.data()),
                      H5Sclose);
  const Handle view(H5Screate_simple(rank, now.data(), most.data()), H5Sclose);
  const Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.get(), 1);
  const std::string dataset = "/" + std::string(slice.block.name());
  if (H5Sselect_hyperslab(source.get(), H5S_SELECT_SET, start.data(), nullptr, once.data(), extent.data()) < 0 ||
      H5Sselect_hyperslab(view.get(), H5S_SELECT_SET, zero.data(), nullptr, one.data(), most.data()) < 0 ||
      H5Pset_virtual(create.get(), view.get(), ".", dataset.c_str(), source.get()) < 0) {
    return false;
  }
  const Handle made(H5Dcreate2(file, name.c_str(), H5T_IEEE_F64LE, view.get(), links.get(), create.get(), H5P_DEFAULT),
                    H5Dclose);
  return made.is_open();
}

void put(std::vector<char>& row, std::size_t offset, std::string_view text) {
  std::copy(text.begin(), text.end(), row.begin() + static_cast<std::ptrdiff_t>(offset));
}

}  // namespace

bool RunFile::create_blocks(const Layout& layout, std::size_t expected_rows) {
  time_.handle =
      growing_dataset(file_.get(), "time", H5T_IEEE_F64LE, {}, chunk_rows(1, expected_rows), Filling::numbers);
  if (!time_.handle.is_open() || !hdf5::write_attribute(time_.handle.get(), "unit", "s")) return false;
  for (const Block& block : layout.blocks) {
    Dataset& dataset = blocks_.emplace_back();
    dataset.name = block.id.name();
    if (!block.is_recorded() || block.width > kMostChunkBytes / sizeof(double)) continue;
    dataset.shape = block.shape;
    dataset.handle = growing_dataset(file_.get(), dataset.name, H5T_IEEE_F64LE, block.shape,
                                     chunk_rows(block.width, expected_rows), Filling::numbers);
    if (!dataset.handle.is_open()) return false;
    if (!hdf5::write_attribute(dataset.handle.get(), "columns", std::string(block.columns))) return false;
  }
  return true;
}

bool RunFile::create_status() {
  const auto make = [&](const char* name, std::size_t bytes, Handle& dataset, std::uint64_t& offset) {
    const Handle type = hdf5::text_type(bytes);
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_alloc_time(create.get(), H5D_ALLOC_TIME_EARLY);
    dataset = Handle(H5Dcreate2(file_.get(), name, type.get(), space.get(), H5P_DEFAULT, create.get(), H5P_DEFAULT),
                     H5Dclose);
    if (!dataset.is_open()) return false;
    offset = H5Dget_offset(dataset.get());
    return true;
  };
  return make("status", kStatusBytes, status_, status_offset_) &&
         make("message", kMessageBytes, message_, message_offset_) && write_status(RunStatus::running, "");
}

bool RunFile::create_events() {
  constexpr std::size_t kEventsInChunk = 32;
  const std::size_t bytes = sizeof(double) + kEventKindBytes + kEventElementBytes + kEventTextBytes;
  const Handle type(H5Tcreate(H5T_COMPOUND, bytes), H5Tclose);
  std::size_t offset = 0;
  bool is_made = H5Tinsert(type.get(), "time", offset, H5T_IEEE_F64LE) >= 0;
  offset += sizeof(double);
  const auto insert = [&](const char* name, std::size_t size) {
    is_made = is_made && H5Tinsert(type.get(), name, offset, hdf5::text_type(size).get()) >= 0;
    offset += size;
  };
  insert("kind", kEventKindBytes);
  insert("element", kEventElementBytes);
  insert("text", kEventTextBytes);
  if (!is_made) return false;
  events_ = growing_dataset(file_.get(), "events", type.get(), {}, kEventsInChunk, Filling::others);
  return events_.is_open();
}

bool RunFile::create_certificate() {
  constexpr std::size_t kBytesInChunk = 4096;
  certificate_ = growing_dataset(file_.get(), "certificate", H5T_STD_U8LE, {}, kBytesInChunk, Filling::once);
  return certificate_.is_open();
}

bool RunFile::create_checksums(std::size_t expected_rows) {
  constexpr std::size_t kEventsInChunk = 256;
  const Id file = file_.get();
  row_checksums_.handle =
      growing_dataset(file, kRowChecksums, H5T_STD_U32LE, {}, chunk_rows(1, expected_rows), Filling::others);
  event_checksums_ = growing_dataset(file, kEventChecksums, H5T_STD_U32LE, {}, kEventsInChunk, Filling::others);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  status_checksum_ = Handle(
      H5Dcreate2(file, kStatusChecksum, H5T_STD_U32LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  return row_checksums_.handle.is_open() && event_checksums_.is_open() && status_checksum_.is_open();
}

bool RunFile::write_index(const Layout& layout) {
  constexpr std::size_t kLongestComponent = 2;
  constexpr std::string_view kTime = "time", kTimeUnit = "s";  // the first row
  std::size_t name_bytes = kTime.size();
  std::size_t unit_bytes = kTimeUnit.size();
  std::size_t shown_bytes = 0;  // the member is there only where an output has a unit of its own
  std::size_t rows = 1;
  constexpr std::size_t kBlockBytes = 24;
  constexpr std::size_t kQuantityBytes = 24;
  for (const Channel& channel : layout.channels) {
    name_bytes = std::max(name_bytes, channel.name.size() + kLongestComponent);
    unit_bytes = std::max(unit_bytes, channel.unit.size());
    shown_bytes = std::max(shown_bytes, channel.shown_unit.size());
    rows += channel.components().size();
  }
  const std::size_t column_at = name_bytes + kBlockBytes;
  const std::size_t unit_at = column_at + sizeof(std::int64_t);
  const std::size_t quantity_at = unit_at + unit_bytes;
  const std::size_t shown_at = quantity_at + kQuantityBytes;
  const std::size_t row_bytes = shown_at + shown_bytes;
  if (rows > kMostWrittenIndexBytes / row_bytes) return false;
  const Handle type(H5Tcreate(H5T_COMPOUND, row_bytes), H5Tclose);
  if (H5Tinsert(type.get(), "name", 0, hdf5::text_type(name_bytes).get()) < 0 ||
      H5Tinsert(type.get(), "block", name_bytes, hdf5::text_type(kBlockBytes).get()) < 0 ||
      H5Tinsert(type.get(), "column", column_at, H5T_NATIVE_INT64) < 0 ||
      H5Tinsert(type.get(), "unit", unit_at, hdf5::text_type(unit_bytes).get()) < 0 ||
      H5Tinsert(type.get(), "quantity", quantity_at, hdf5::text_type(kQuantityBytes).get()) < 0 ||
      (shown_bytes > 0 && H5Tinsert(type.get(), "shown_unit", shown_at, hdf5::text_type(shown_bytes).get()) < 0)) {
    return false;
  }
  std::vector<char> table(rows * row_bytes, '\0');
  std::size_t begin = 0;
  const auto add = [&](const std::string& name, std::string_view block, std::size_t column, std::string_view unit,
                       Quantity quantity, std::string_view shown_unit) {
    put(table, begin, name);
    put(table, begin + name_bytes, block);
    const auto number = static_cast<std::int64_t>(column);
    std::memcpy(table.data() + begin + column_at, &number, sizeof number);
    put(table, begin + unit_at, unit);
    put(table, begin + quantity_at, quantity_info(quantity).name);
    put(table, begin + shown_at, shown_unit);
    begin += row_bytes;
  };
  add(std::string(kTime), kTime, 0, kTimeUnit, Quantity::time, {});
  for (const Channel& channel : layout.channels) {
    std::size_t column = channel.column;
    for (const std::string_view component : channel.components()) {
      add(channel.name + std::string(component), channel.block.name(), column++, channel.unit, channel.quantity,
          channel.shown_unit);
    }
  }
  // Names repeat themselves: compressed, the index takes a few bytes for each channel.
  constexpr hsize_t kRowsInChunk = 4096;
  constexpr unsigned kDeflateLevel = 4;
  const std::array<hsize_t, 1> size{rows};
  const std::array<hsize_t, 1> chunk{std::min<hsize_t>(rows, kRowsInChunk)};
  const Handle space(H5Screate_simple(1, size.data(), nullptr), H5Sclose);
  const Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(create.get(), 1, chunk.data());
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(create.get(), kDeflateLevel);
  H5Pset_fletcher32(create.get());
  const Handle index(H5Dcreate2(file_.get(), "index", type.get(), space.get(), H5P_DEFAULT, create.get(), H5P_DEFAULT),
                     H5Dclose);
  return index.is_open() && H5Dwrite(index.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, table.data()) >= 0;
}

bool RunFile::write_texts(const Layout& layout, const RunInfo& info) {
  const Id file = file_.get();
  bool is_written = hdf5::write_attribute(file, "gelenk_format", kRunFormatVersion) &&
                    hdf5::write_attribute(file, "gelenk_version", info.program_version) &&
                    hdf5::write_attribute(file, "run_id", info.run_id.empty() ? random_id() : info.run_id) &&
                    hdf5::write_attribute(file, "model_name", layout.model_name);
  const Handle agreed = group(file, "conventions");
  for (const Convention& convention : conventions()) {
    is_written =
        is_written && hdf5::write_attribute(agreed.get(), std::string(convention.name), std::string(convention.text));
  }
  const Handle display = group(file, "display");
  for (const auto& [quantity, unit] : layout.display) {
    const std::string name(quantity_info(quantity).name);
    if (H5Aexists(display.get(), name.c_str()) > 0) continue;
    is_written = is_written && hdf5::write_attribute(display.get(), name, unit);
  }
  const Handle model = group(file, "model");
  const Handle sources = group(model.get(), "source");
  for (std::size_t i = 0; i < info.sources.size(); ++i) {
    const std::string number = std::to_string(i);
    is_written = is_written && hdf5::write_text(sources.get(), number, info.sources[i].text);
    const Handle dataset = hdf5::open_dataset(sources.get(), number);
    is_written = is_written && hdf5::write_attribute(dataset.get(), "file", info.sources[i].file);
  }
  return is_written && write_model_files(model.get(), info.files) &&
         hdf5::write_text(model.get(), "resolved", info.resolved_model) &&
         hdf5::write_text(file, "options", info.options);
}

bool RunFile::create_structure(const Layout& layout, const RunInfo& info) {
  return write_texts(layout, info) && create_blocks(layout, info.expected_rows) &&
         create_checksums(info.expected_rows) && create_status() && create_events() && create_certificate() &&
         write_index(layout);
}

std::string RunFile::begin() {
  const hdf5::Lock lock;
  if (has_begun_) return {};
  const Handle views = group(file_.get(), "by_path");
  if (!views.is_open()) return failure("begun");
  if (slices_.size() > kMostViews) {
    hdf5::write_attribute(views.get(), "note", "left out: too many elements; see /index");
    slices_.clear();
  }
  for (const Slice& slice : slices_) {
    const auto block = std::find_if(blocks_.begin(), blocks_.end(),
                                    [&](const Dataset& dataset) { return dataset.name == slice.block.name(); });
    // The joint of an attachment may have the path of something inside the instance; then the first has the name.
    if (block != blocks_.end() && block->handle.is_open()) create_view(file_.get(), slice, block->shape);
  }
  slices_ = {};
  if (H5Fstart_swmr_write(file_.get()) < 0) return failure("begun");
  lock_.emplace(path_);
  has_begun_ = true;
  return flush();
}

}  // namespace gelenk::results
