#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gelenk/results/memory_recorder.h"
#include "gelenk/results/reader.h"
#include "gelenk/results/run_info.h"

namespace gelenk::python {

struct RecordedColumn {
  std::string name;  // "piston.position.x"
  std::size_t block = 0, column = 0;
  std::string unit;  // SI
  std::string quantity;
  std::string shown_unit;     // in which people want to see it, with
  double shown_factor = 1.0;  // SI = shown * factor + offset
  double shown_offset = 0.0;
};

// Rows of one block, row by row, as long as anybody needs them.
struct Rows {
  std::shared_ptr<const std::vector<double>> values;
  std::size_t count = 0, width = 0;
};

// What a run has recorded, in memory or in a file. Blocks of a file are read when somebody asks for them. Several
// threads may ask.
class Recorded {
 public:
  struct Block {
    std::string name;
    std::size_t width = 0;
  };

  explicit Recorded(std::shared_ptr<const results::MemoryRows> rows);
  // Throws a Failure when the file cannot be read.
  explicit Recorded(const std::string& path);

  const std::vector<Block>& blocks() const { return blocks_; }  // the first is the time
  const std::vector<RecordedColumn>& columns() const { return columns_; }
  Rows rows(std::size_t block);
  std::vector<results::Event> events();
  // Of a file that is being written: looks how far it is by now.
  void refresh();

  // What is in memory as a file, which is not there yet.
  void save(const std::string& path) const;

  // How it ended, of a run in memory.
  struct End {
    results::RunStatus status = results::RunStatus::done;
    std::string message, certificate;
    results::RunInfo info;
  };
  void set_end(End end);

  std::string path;  // empty: in memory
  std::string model_name, status, message;
  std::string certificate;  // JSON
  std::string resolved_model, options;

 private:
  void note_end();

  std::mutex mutex_;
  std::shared_ptr<const results::MemoryRows> memory_;
  End end_;
  std::unique_ptr<results::Reader> reader_;
  std::vector<Block> blocks_;
  std::vector<RecordedColumn> columns_;
  std::vector<Rows> read_;  // of each block; nothing: not yet
  std::vector<results::Event> events_;
  bool has_events_ = false;
};

}  // namespace gelenk::python
