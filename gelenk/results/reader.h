#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gelenk/base/units.h"
#include "gelenk/results/damage.h"
#include "gelenk/results/hdf5_handle.h"
#include "gelenk/results/run_info.h"

namespace gelenk::results {

// A dataset with one row for each time. The first is the time itself.
struct RecordedBlock {
  std::string name;                // "parts/pose"
  std::vector<std::size_t> shape;  // of a row
  std::size_t width = 0;           // doubles of a row
};

// A column of a block: "piston.position.x".
struct RecordedChannel {
  std::string name;
  std::size_t block = 0;  // number of the block
  std::size_t column = 0;
  std::string unit;  // SI
  Quantity quantity = Quantity::any;
  std::string shown_unit;  // in which people want to see it; empty: that of its quantity
};

// How to get a channel: one column, or three of which the magnitude is meant.
struct ChannelSource {
  std::string name;
  std::size_t block = 0;
  std::array<std::size_t, 3> columns{};
  bool is_magnitude = false;
  std::string unit;
  Quantity quantity = Quantity::any;
  std::string shown_unit;

  double value(std::span<const double> row) const;  // of a row of its block
};

// One instant: the rows of all blocks, in the order of Reader::blocks().
struct Frame {
  double time = 0.0;
  std::vector<std::vector<double>> rows;
};

struct RunHeader {
  std::string model_name;
  std::string program_version;
  std::string run_id;   // empty in files of older versions
  std::string options;  // JSON
  std::string resolved_model;
  std::vector<SourceText> sources;
  std::vector<std::string> files;  // meshes and pictures that are in the file, by the names in the resolved model
  std::vector<std::pair<Quantity, std::string>> display;
};

// Whether the file begins like HDF5.
bool is_hdf5_file(const std::string& path);

// Reads files of results: finished ones, ones that are being written, and what a killed run has left. Functions that
// read return what went wrong, as a sentence, or nothing. A damaged file is an error, never a crash.
class Reader {
 public:
  // Null with a sentence in `error` when it is no file of results.
  static std::unique_ptr<Reader> open(const std::string& path, std::string& error);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  const std::string& path() const { return path_; }
  const RunHeader& header() const { return header_; }
  RunStatus status() const { return status_; }
  const std::string& message() const { return message_; }  // of a run that failed
  // False: it is still being written, or its writer was killed.
  bool is_closed() const { return is_closed_; }
  // Looks again at a file that is being written.
  std::string refresh();

  std::size_t row_count() const { return row_count_; }
  void keep_first_rows(std::size_t first) { row_count_ = row_limit_ = std::min(first, row_count_); }
  const std::vector<RecordedBlock>& blocks() const { return blocks_; }
  const std::vector<RecordedChannel>& channels() const { return channels_; }
  // By full name; `.magnitude` of a vector is derived.
  std::optional<ChannelSource> find(const std::string& name) const;

  std::string read_times(std::vector<double>& times) const;
  std::string read_channel(const ChannelSource& channel, std::vector<double>& values) const;
  // `values` holds count × width doubles.
  std::string read_rows(std::size_t block, std::size_t first, std::size_t count, std::span<double> values) const;
  // Allocates nothing when the frame was used before.
  std::string read_frame(std::size_t row, Frame& frame) const;
  std::string read_events(std::vector<Event>& events) const;
  std::optional<std::string> read_file(std::size_t number) const;  // of the header's; nothing: it is damaged
  // What the run says about its own quality, as JSON; empty when there is none or it cannot be read.
  std::string certificate() const;

  // False for files of older versions: it is not known whether their rows are as they were recorded.
  bool has_checksums() const { return row_checksums_.is_open(); }
  // Compares the first rows and events with their checksums, and reads all else that is in the file. What is found is
  // in the result; without checksums that can be little. Reads every byte of these rows.
  Damage find_damage(std::size_t rows, std::size_t events) const;
  Damage find_damage() const;  // in all of it
  // Only in what is plotted and written elsewhere: rows, events, status and certificate. Opens nothing else.
  Damage find_damaged_data() const;

 private:
  explicit Reader(std::string path) : path_(std::move(path)) {}
  // Reads, in a copy of this process, what the functions above will read; why it crashes, or nothing.
  static std::string rehearse(const std::string& path);
  std::string open_all();
  std::string open_file();
  hdf5::Handle open_uncached(const std::string& name) const;
  bool has_dataset(const std::string& name) const;
  bool open_block(const std::string& name);
  std::string open_time();
  std::string read_header();
  std::string read_index();
  std::string count_rows();
  std::size_t rows_in_file(hdf5::Id dataset, std::size_t rows) const;
  std::size_t count_events() const;
  void check_structure(Damage& damage) const;
  void check_data(std::size_t rows, std::size_t events, Damage& damage) const;
  void check_rows(std::size_t rows, Damage& damage) const;
  void check_events(std::size_t events, Damage& damage) const;
  void check_end(Damage& damage) const;
  std::string read_event_bytes(std::size_t count, std::string& bytes) const;
  std::string read_column(std::size_t block, std::size_t column, std::vector<double>& values) const;
  hdf5::Handle open_growing(const char* name) const;
  std::string damaged(std::string_view what) const;

  std::string path_;
  std::uintmax_t file_bytes_ = 0;
  bool is_closed_ = false;
  bool is_rehearsal_ = false;
  hdf5::Handle file_;
  std::vector<hdf5::Handle> datasets_;
  hdf5::Handle row_checksums_;  // closed when there are none
  std::vector<RecordedBlock> blocks_;
  std::vector<RecordedChannel> channels_;
  std::unordered_map<std::string, std::size_t> channel_by_name_;
  RunHeader header_;
  RunStatus status_ = RunStatus::running;
  std::string message_;
  std::size_t row_count_ = 0;
  std::size_t row_limit_ = std::numeric_limits<std::size_t>::max();  // rows after it mean nothing
};

}  // namespace gelenk::results
