#pragma once

#include <span>
#include <string>
#include <vector>

#include "gelenk/mechanics/evaluate.h"
#include "gelenk/results/layout.h"
#include "gelenk/results/reader.h"

namespace gelenk::analysis {

// Rows of a file of results with a place for every element of the machine, recorded or not.
class RecordedRows {
 public:
  RecordedRows(const results::Layout& layout, const results::Reader& reader);

  // What does not fit between the file and the layout, or could not be read; empty: nothing.
  const std::string& error() const { return error_; }
  bool read(std::size_t row);

  double time() const { return frame_.time; }
  std::span<const double> operator[](results::BlockId block) const { return rows_[block]; }
  // Whether these columns of the block are in the file.
  bool has(results::BlockId block, std::size_t first, std::size_t count = 1) const;
  bool has_all(results::BlockId block) const;
  bool has_any(results::BlockId block) const;

 private:
  const results::Layout& layout_;
  const results::Reader& reader_;
  std::string error_;
  results::Frame frame_;
  results::PerBlock<std::size_t> place_;  // of the block in the file; 0: not there
  results::PerBlock<std::vector<double>> rows_;
  results::PerBlock<std::vector<char>> is_recorded_;
};

// The state that a recorded row belongs to, as far as it was recorded: bodies from the poses and twists of one of their
// parts, driver states and full turns from joint coordinates.
class RecordedState {
 public:
  RecordedState(const system::System& system, const system::Params& params, const results::Layout& layout,
                const RecordedRows& rows);

  void set(const RecordedRows& rows);
  const system::State& state() const { return state_; }
  system::State& state() { return state_; }

  // Whether the poses, or also the twists, of a body were recorded. The ground is always known.
  bool is_placed(std::int32_t body) const;
  bool is_moving(std::int32_t body) const;
  bool all_placed() const { return all_placed_; }
  bool all_moving() const { return all_moving_; }
  // The part whose numbers stand for the body; -1: none.
  std::int32_t source_part(std::size_t body) const { return source_[body]; }
  // The recorded place of the first number of a coordinate, and of its rate.
  std::size_t coordinate_column(std::size_t coordinate) const { return coordinate_columns_[coordinate]; }
  std::size_t rate_column(std::size_t coordinate) const { return rate_columns_[coordinate]; }

 private:
  void set_extra(const RecordedRows& rows);

  const system::System& system_;
  const system::Params& params_;
  system::State state_;
  std::vector<std::int32_t> source_;
  std::vector<char> is_moving_;
  bool all_placed_ = true, all_moving_ = true;
  std::vector<std::size_t> coordinate_columns_, rate_columns_;
  mechanics::Workspace workspace_;
};

}  // namespace gelenk::analysis
