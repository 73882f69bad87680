// Opening files of results, and finding out what is in them without trusting them.
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "gelenk/results/layout.h"
#include "gelenk/results/model_files.h"
#include "gelenk/results/reader.h"
#include "gelenk/results/run_file.h"

namespace gelenk::results {
namespace {

using hdf5::Handle;
using hdf5::Id;

constexpr std::size_t kMostTextBytes = 256u << 20;
constexpr std::size_t kMostIndexBytes = 1u << 30;
constexpr std::size_t kMostRowWidth = 1u << 27;  // doubles
constexpr std::size_t kMostBlocks = 1000;

// The first bytes of an HDF5 file of the newest kind (superblock version 3).
struct Superblock {
  bool is_hdf5 = false;
  bool is_newest = false;
  bool is_open_for_writing = false;
  bool is_open_to_readers = false;  // while it is written
};

Superblock read_superblock(const std::string& path) {
  constexpr std::array<unsigned char, 8> kSignature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
  constexpr std::size_t kVersionAt = 8;
  constexpr std::size_t kFlagsAt = 11;
  constexpr unsigned kWriting = 1;
  constexpr unsigned kWritingWithReaders = 4;
  std::array<unsigned char, 12> bytes{};
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  Superblock result;
  if (!file || !std::equal(kSignature.begin(), kSignature.end(), bytes.begin())) return result;
  result.is_hdf5 = true;
  result.is_newest = bytes[kVersionAt] >= 3;
  result.is_open_for_writing = result.is_newest && (bytes[kFlagsAt] & kWriting) != 0;
  result.is_open_to_readers = result.is_newest && (bytes[kFlagsAt] & kWritingWithReaders) != 0;
  return result;
}

// Size of a text member of a compound type; 0 when there is none.
std::size_t text_member_size(Id compound, const char* name) {
  const int member = H5Tget_member_index(compound, name);
  if (member < 0) return 0;
  const Handle type(H5Tget_member_type(compound, static_cast<unsigned>(member)), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0) return 0;
  return H5Tget_size(type.get());
}

std::string_view text_of(const char* bytes, std::size_t size) {
  const std::string_view text(bytes, size);
  return text.substr(0, text.find('\0'));
}

}  // namespace

bool is_hdf5_file(const std::string& path) {
  std::error_code problem;
  return std::filesystem::is_regular_file(path, problem) && read_superblock(path).is_hdf5;
}

std::unique_ptr<Reader> Reader::open(const std::string& path, std::string& error) {
  const hdf5::Lock lock;
  error = rehearse(path);
  if (!error.empty()) return nullptr;
  std::unique_ptr<Reader> reader(new Reader(path));
  error = reader->open_all();
  if (!error.empty()) return nullptr;
  return reader;
}

std::string Reader::open_all() {
  std::string error = open_file();
  if (error.empty()) error = read_header();
  if (error.empty()) error = open_time();
  if (error.empty()) error = read_index();
  if (error.empty()) error = refresh();
  return error;
}

std::string Reader::open_file() {
  std::error_code problem;
  const std::filesystem::file_status status = std::filesystem::status(path_, problem);
  if (!std::filesystem::exists(status)) return "there is no file '" + path_ + "'";
  if (!std::filesystem::is_regular_file(status)) return "'" + path_ + "' is not an ordinary file";
  file_bytes_ = std::filesystem::file_size(path_, problem);
  if (!std::ifstream(path_, std::ios::binary)) return "the file '" + path_ + "' cannot be opened for reading";
  const Superblock superblock = read_superblock(path_);
  if (!superblock.is_hdf5) return "the file '" + path_ + "' does not hold results: it is not an HDF5 file";
  if (superblock.is_open_for_writing && !superblock.is_open_to_readers) {
    return "the file '" + path_ + "'" + " has no results yet: its run is about to begin, or was killed before it did";
  }
  is_closed_ = !superblock.is_open_to_readers;
  const Handle access = hdf5::file_access();
  if (is_rehearsal_) H5Pset_file_locking(access.get(), false, true);  // not allowed in the sandbox
  const unsigned mode = is_closed_ ? H5F_ACC_RDONLY : H5F_ACC_RDONLY | H5F_ACC_SWMR_READ;
  file_ = Handle(H5Fopen(path_.c_str(), mode, access.get()), H5Fclose);
  if (!file_.is_open()) return "the file '" + path_ + "' cannot be opened: " + hdf5::last_error();
  return {};
}

std::string Reader::read_header() {
  const Id file = file_.get();
  std::int64_t version = 0;
  if (!hdf5::read_attribute(file, "gelenk_format", version)) {
    return "the file '" + path_ + "' is HDF5, but does not hold results of Gelenk, or is damaged";
  }
  if (version != kRunFormatVersion) {
    return "the file '" + path_ + "' has version " + std::to_string(version) +
           " of the format; this program reads version " + std::to_string(kRunFormatVersion);
  }
  hdf5::read_attribute(file, "run_id", header_.run_id);
  const std::size_t most = std::min<std::uintmax_t>(kMostTextBytes, file_bytes_);
  if (!hdf5::read_attribute(file, "model_name", header_.model_name) ||
      !hdf5::read_attribute(file, "gelenk_version", header_.program_version) ||
      !hdf5::read_text(file, "options", most, header_.options) || !hdf5::has_link(file, "model") ||
      !hdf5::read_text(file, "model/resolved", most, header_.resolved_model)) {
    return damaged("its header");
  }
  for (std::size_t i = 0; hdf5::has_link(file, "model/source"); ++i) {
    const std::string name = "model/source/" + std::to_string(i);
    SourceText source;
    if (!hdf5::has_link(file, name)) break;
    if (!hdf5::read_text(file, name, most, source.text)) return damaged("the text of the model");
    hdf5::read_attribute(hdf5::open_dataset(file, name).get(), "file", source.file);
    header_.sources.push_back(std::move(source));
  }
  header_.files = model_file_names(file);
  if (!hdf5::has_link(file, "display")) return damaged("its header");
  const Handle display = hdf5::open_group(file, "display");
  for (int i = 0; i <= static_cast<int>(Quantity::gravity_parameter); ++i) {
    const auto quantity = static_cast<Quantity>(i);
    std::string unit;
    if (hdf5::read_attribute(display.get(), std::string(quantity_info(quantity).name), unit)) {
      header_.display.emplace_back(quantity, unit);
    }
  }
  return {};
}

// Without a cache of chunks the library fetches just the bytes that are asked for.
Handle Reader::open_uncached(const std::string& name) const {
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk_cache(access.get(), 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
  return {H5Dopen2(file_.get(), name.c_str(), access.get()), H5Dclose};
}

bool Reader::has_dataset(const std::string& name) const {
  const std::size_t slash = name.find('/');
  if (slash != std::string::npos && !hdf5::has_link(file_.get(), name.substr(0, slash))) return false;
  return hdf5::has_link(file_.get(), name);
}

bool Reader::open_block(const std::string& name) {
  Handle dataset = open_uncached(name);
  if (!dataset.is_open()) return false;
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  std::array<hsize_t, 3> size{};
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (H5Tget_class(type.get()) != H5T_FLOAT || rank < 1 || rank > static_cast<int>(size.size())) return false;
  H5Sget_simple_extent_dims(space.get(), size.data(), nullptr);
  RecordedBlock block{name, {}, 1};
  for (std::size_t i = 1; i < static_cast<std::size_t>(rank); ++i) {
    if (size[i] == 0 || size[i] > kMostRowWidth / block.width) return false;
    block.shape.push_back(size[i]);
    block.width *= size[i];
  }
  blocks_.push_back(std::move(block));
  datasets_.push_back(std::move(dataset));
  return true;
}

std::string Reader::open_time() {
  if (!has_dataset("time") || !open_block("time") || !blocks_.front().shape.empty()) return damaged("the time");
  if (!hdf5::has_link(file_.get(), "checksums")) return {};
  row_checksums_ = open_uncached(kRowChecksums);
  const Handle space(H5Dget_space(row_checksums_.get()), H5Sclose);
  if (H5Sget_simple_extent_ndims(space.get()) != 1) return damaged("the checksums of rows");
  return {};
}

// Also opens the blocks that it names, in their order: no list of them is known here.
std::string Reader::read_index() {
  if (!hdf5::has_link(file_.get(), "index")) return damaged("the index of channels");
  const Handle dataset = hdf5::open_dataset(file_.get(), "index");
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const hssize_t points = space.is_open() ? H5Sget_simple_extent_npoints(space.get()) : -1;
  if (points < 0 || !type.is_open() || H5Tget_class(type.get()) != H5T_COMPOUND) {
    return damaged("the index of channels");
  }
  constexpr std::array<const char*, 5> kTexts{"name", "block", "unit", "quantity", "shown_unit"};
  constexpr std::size_t kOptional = 4;  // and all behind it
  std::array<std::size_t, kTexts.size()> sizes{};
  std::array<std::size_t, kTexts.size()> offsets{};
  std::size_t row_bytes = sizeof(std::int64_t);
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    sizes[i] = text_member_size(type.get(), kTexts[i]);
    offsets[i] = row_bytes;
    if ((sizes[i] == 0 && i < kOptional) || sizes[i] > kMostIndexBytes) return damaged("the index of channels");
    row_bytes += sizes[i];
  }
  const auto rows = static_cast<std::size_t>(points);
  if (rows > kMostIndexBytes / row_bytes) return damaged("the index of channels");
  const Handle memory(H5Tcreate(H5T_COMPOUND, row_bytes), H5Tclose);
  H5Tinsert(memory.get(), "column", 0, H5T_NATIVE_INT64);
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    if (sizes[i] > 0) H5Tinsert(memory.get(), kTexts[i], offsets[i], hdf5::text_type(sizes[i]).get());
  }
  std::vector<char> table(rows * row_bytes);
  if (H5Dread(dataset.get(), memory.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, table.data()) < 0) {
    return damaged("the index of channels");
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const char* bytes = table.data() + row * row_bytes;
    std::int64_t column = 0;
    std::memcpy(&column, bytes, sizeof column);
    const std::string_view block = text_of(bytes + offsets[1], sizes[1]);
    const auto is_it = [&](const RecordedBlock& known) { return known.name == block; };
    auto found = std::find_if(blocks_.begin(), blocks_.end(), is_it);
    if (found == blocks_.end()) {
      const std::string name(block);
      if (blocks_.size() >= kMostBlocks || !has_dataset(name)) return damaged("the index of channels");
      if (!open_block(name)) return damaged(name);
      found = std::prev(blocks_.end());
    }
    if (column < 0 || static_cast<std::size_t>(column) >= found->width) {
      return damaged("the index of channels");
    }
    RecordedChannel channel{std::string(text_of(bytes + offsets[0], sizes[0])),
                            static_cast<std::size_t>(found - blocks_.begin()),
                            static_cast<std::size_t>(column),
                            std::string(text_of(bytes + offsets[2], sizes[2])),
                            quantity_named(std::string(text_of(bytes + offsets[3], sizes[3]))),
                            std::string(text_of(bytes + offsets[4], sizes[4]))};
    channel_by_name_.emplace(channel.name, channels_.size());
    channels_.push_back(std::move(channel));
  }
  return channel_by_name_.contains("time") ? std::string() : damaged("the index of channels");
}

std::string Reader::refresh() {
  const hdf5::Lock lock;
  if (!is_closed_) {
    std::error_code problem;
    file_bytes_ = std::filesystem::file_size(path_, problem);
    if (problem) return "the file '" + path_ + "' has disappeared";
    for (const Handle& dataset : datasets_) H5Drefresh(dataset.get());
    if (has_checksums()) H5Drefresh(row_checksums_.get());
  }
  std::string status;
  if (!hdf5::read_text(file_.get(), "status", kStatusBytes, status) ||
      !hdf5::read_text(file_.get(), "message", kMessageBytes, message_)) {
    return damaged("its status");
  }
  constexpr std::array kKnown{RunStatus::running, RunStatus::done, RunStatus::failed, RunStatus::stopped};
  const auto* const found = std::ranges::find(kKnown, status, status_name);
  if (found == kKnown.end()) return damaged("its status");
  status_ = *found;
  return count_rows();
}

// Rows that all blocks have. In a file that was not closed the last ones may be incomplete: /time holds NaN where
// nothing was written yet, and in a copy made during the run, data may be missing at the end.
std::string Reader::count_rows() {
  std::uintmax_t rows = file_bytes_;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Handle space(H5Dget_space(datasets_[b].get()), H5Sclose);
    std::array<hsize_t, 3> size{};
    if (H5Sget_simple_extent_dims(space.get(), size.data(), nullptr) < 1) return damaged(blocks_[b].name);
    // Every value takes its bytes in the file, whatever its head claims.
    if (size[0] > file_bytes_ / (blocks_[b].width * sizeof(double)) && is_closed_) return damaged(blocks_[b].name);
    rows = std::min({rows, std::uintmax_t{size[0]}, file_bytes_ / (blocks_[b].width * sizeof(double))});
  }
  row_count_ = std::min<std::size_t>(rows, row_limit_);
  if (is_closed_) return {};
  if (has_checksums()) {
    const Handle space(H5Dget_space(row_checksums_.get()), H5Sclose);
    hsize_t sums = 0;
    if (H5Sget_simple_extent_dims(space.get(), &sums, nullptr) != 1) return damaged("the checksums of rows");
    row_count_ = std::min<std::size_t>(row_count_, sums);
  }
  for (const Handle& dataset : datasets_) row_count_ = rows_in_file(dataset.get(), row_count_);
  if (has_checksums()) row_count_ = rows_in_file(row_checksums_.get(), row_count_);
  std::vector<double> times;
  if (std::string error = read_times(times); !error.empty()) return error;
  while (row_count_ > 0 &&
         (std::isnan(times[row_count_ - 1]) || (row_count_ > 1 && times[row_count_ - 1] < times[row_count_ - 2]))) {
    --row_count_;
  }
  return {};
}

// How many of the first rows lie in the file as it is, chunk by chunk from the end.
std::size_t Reader::rows_in_file(Id dataset, std::size_t rows) const {
  const Handle create(H5Dget_create_plist(dataset), H5Pclose);
  std::array<hsize_t, 3> chunk{};
  if (H5Pget_chunk(create.get(), static_cast<int>(chunk.size()), chunk.data()) < 1 || chunk[0] == 0) return 0;
  while (rows > 0) {
    const std::array<hsize_t, 3> coordinate{(rows - 1) / chunk[0] * chunk[0], 0, 0};
    unsigned filters = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    const bool is_found = H5Dget_chunk_info_by_coord(dataset, coordinate.data(), &filters, &address, &bytes) >= 0;
    if (is_found && address != HADDR_UNDEF && address <= file_bytes_ && bytes <= file_bytes_ - address) return rows;
    rows = coordinate[0];
  }
  return 0;
}

}  // namespace gelenk::results
