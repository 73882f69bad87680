#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// From where a run that was interrupted can go on. Checkpoints are files of their own beside the file of results, two
// in turn: whatever happens while one is written, the one before is there. crank.h5 has crank.checkpoint-1 and
// crank.checkpoint-2.
namespace gelenk::results {

struct Checkpoint {
  std::string run_id;  // of the file of results
  double time = 0.0;
  // What the file of results has from before this time.
  std::uint64_t row_count = 0;
  std::uint64_t event_count = 0;
  std::string payload;  // bytes that only the simulation understands
};

// A larger checkpoint is neither written nor read.
inline constexpr std::size_t kMostCheckpointBytes = std::size_t{1} << 30;

// In the place of one that is of no use any more, else of the older one. It is on the disk when this returns; the rows
// and events it counts on must be there before, see Recorder::sync(). Returns what went wrong, as a sentence, or
// nothing; then all checkpoints are as they were.
std::string write_checkpoint(const std::string& run_file, const Checkpoint& checkpoint);

struct FoundCheckpoint {
  std::optional<Checkpoint> checkpoint;
  std::string file;                // of it
  std::vector<std::string> notes;  // sentences about those that cannot be used, and why
};

// The latest one that is whole, belongs to this run, and counts on no more rows than the file has.
FoundCheckpoint newest_checkpoint(const std::string& run_file, const std::string& run_id, std::uint64_t rows_in_file);

// Sentences about those that are not as they were written; they are of no use to any run.
std::vector<std::string> damaged_checkpoints(const std::string& run_file);
// Those that exist, whole or not.
std::vector<std::string> checkpoint_files(const std::string& run_file);
void remove_checkpoints(const std::string& run_file);
// Those that count on more rows: when a run goes back behind them, they would later seem to belong to its new rows.
void remove_checkpoints_beyond(const std::string& run_file, std::uint64_t rows);

}  // namespace gelenk::results
