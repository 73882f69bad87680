#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/base/json.h"
#include "gelenk/results/reader.h"

namespace gelenk::view {

// What a run is doing. `paused` is known only to who steers it.
enum class RunState { running, paused, done, failed, stopped };
std::string_view state_name(RunState state);

// Reading that did not work: a status of HTTP and a sentence for the user.
struct Problem {
  unsigned status = 0;  // 0: all is well
  std::string text;

  explicit operator bool() const { return status != 0; }
};

// A file of results as the page wants it (viewer/PROTOCOL.md): tables of numbers of 32 bits, times and channels of 64.
// Numbers are read when they are asked for; a file may be much larger than the memory.
class RunData {
 public:
  // Nobody may use the reader beside this.
  explicit RunData(std::unique_ptr<results::Reader> reader);

  const results::Reader& reader() const { return *reader_; }
  // What people call it, where the name of the file says little.
  void set_title(std::string title) { title_ = std::move(title); }
  std::size_t rows() const { return reader_->row_count(); }
  RunState state() const { return state_; }
  // Why it ended, or why nothing comes any more.
  const std::string& message() const { return message_; }
  // Looks at a file that is being written again; true when rows or the state have changed.
  bool refresh();

  // The members of the page's description but for numbers; between begin_object() and end_object() of the caller.
  void write_members(JsonWriter& json) const;

  // All append to `bytes`, little endian.
  Problem times(std::size_t first, std::string& bytes) const;
  Problem table(std::size_t block, std::size_t first, std::size_t count, std::string& bytes) const;
  Problem channel(const std::string& name, std::size_t first, std::string& bytes) const;
  // Poses of one row, in the order of the parts; nothing where they were not recorded.
  Problem poses(std::size_t row, std::string& bytes) const;
  double time(std::size_t row) const;

  // Blocks without the one of the times: number and width.
  std::size_t block_count() const { return reader_->blocks().size() - 1; }
  std::size_t block_width(std::size_t block) const { return reader_->blocks()[block + 1].width; }

 private:
  void look();
  void find_end();
  void leave_out_what_runs_away();
  std::vector<std::string> part_order() const;

  std::unique_ptr<results::Reader> reader_;
  RunState state_ = RunState::done;
  std::string message_;
  std::string left_out_;  // that rows are, and why
  std::string title_;
};

}  // namespace gelenk::view
