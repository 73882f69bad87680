#include "gelenk/results/checkpoint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <new>
#include <string_view>
#include <utility>

#include "gelenk/base/bytes.h"
#include "gelenk/base/durable_file.h"
#include "gelenk/base/hash.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"

namespace gelenk::results {
namespace {

namespace fs = std::filesystem;

// The file: this mark, version, run id, time, rows, events, payload, and the SHA-256 of everything before it. Line ends
// and a byte above 127 in the mark show what a transfer as text does to a file.
constexpr std::string_view kMark = "\x89GELENK checkpoint\r\n\x1a\n";
constexpr std::uint32_t kCheckpointVersion = 4;
constexpr std::size_t kMostPayloadBytes = kMostCheckpointBytes - (1u << 20);  // room for everything else

struct Candidate {
  std::string file;
  std::optional<Checkpoint> checkpoint;
  std::string problem;  // why there is none: "is damaged (it is too short)"; empty when there is no file
};

std::string encode(const Checkpoint& checkpoint) {
  ByteWriter body;
  body.put(kCheckpointVersion);
  body.put(std::string_view(checkpoint.run_id));
  body.put(checkpoint.time);
  body.put(checkpoint.row_count);
  body.put(checkpoint.event_count);
  body.put(std::string_view(checkpoint.payload));
  std::string bytes(kMark);
  bytes += body.bytes();
  Sha256 hash;
  hash.add(bytes);
  return bytes + hash.digest();
}

std::optional<Checkpoint> decode(std::string_view bytes, std::string& problem) {
  if (bytes.size() < kMark.size() + sizeof kCheckpointVersion + Sha256::kBytes) {
    problem = "is damaged (it is too short)";
    return std::nullopt;
  }
  const std::string_view covered = bytes.substr(0, bytes.size() - Sha256::kBytes);
  Sha256 hash;
  hash.add(covered);
  if (!bytes.starts_with(kMark)) {
    problem = "is damaged (it does not begin like a checkpoint)";
  } else if (hash.digest() != bytes.substr(covered.size())) {
    problem = "is damaged (its checksum is wrong)";
  }
  if (!problem.empty()) return std::nullopt;
  ByteReader body(covered.substr(kMark.size()));
  if (const auto version = body.get<std::uint32_t>(); version != kCheckpointVersion) {
    problem = "was written by a different version of the program (format " + std::to_string(version) + ")";
    return std::nullopt;
  }
  Checkpoint checkpoint;
  body.get(checkpoint.run_id);
  body.get(checkpoint.time);
  body.get(checkpoint.row_count);
  body.get(checkpoint.event_count);
  body.get(checkpoint.payload);
  if (body.is_complete() && std::isfinite(checkpoint.time)) return checkpoint;
  problem = "is damaged (its content makes no sense)";
  return std::nullopt;
}

std::array<std::string, 2> names(const std::string& run_file) {
  constexpr std::string_view kSuffix = ".h5";
  std::string stem = run_file;
  if (stem.ends_with(kSuffix)) stem.resize(stem.size() - kSuffix.size());
  return {stem + ".checkpoint-1", stem + ".checkpoint-2"};
}

Candidate read_candidate(const std::string& file) {
  Candidate result{file, std::nullopt, {}};
  try {
    const ReadResult read = read_file(file, kMostCheckpointBytes);
    if (read.code == Code::file_not_found) return result;
    if (read.text) {
      result.checkpoint = decode(*read.text, result.problem);
    } else {
      result.problem = "cannot be read (" + read.reason + ")";
    }
  } catch (const std::bad_alloc&) {
    result.problem = "cannot be read (there is not enough memory)";
  }
  return result;
}

std::array<Candidate, 2> read_candidates(const std::string& run_file) {
  const std::array<std::string, 2> files = names(run_file);
  return {read_candidate(files[0]), read_candidate(files[1])};
}

// What stands at that place need not be kept beside a new checkpoint: nothing, something damaged, another run's, or
// one that lies behind the new one because the run went back.
bool is_useless(const Candidate& candidate, const Checkpoint& now) {
  return !candidate.checkpoint || candidate.checkpoint->run_id != now.run_id || candidate.checkpoint->time >= now.time;
}

void set_aside_unusable(Candidate& candidate, const std::string& run_id, std::uint64_t rows_in_file) {
  if (!candidate.checkpoint) return;
  if (candidate.checkpoint->run_id != run_id) {
    candidate.problem = "belongs to another run";
  } else if (candidate.checkpoint->row_count > rows_in_file) {
    candidate.problem = "needs " + std::to_string(candidate.checkpoint->row_count) + " rows, but the run has " +
                        std::to_string(rows_in_file);
  }
  if (!candidate.problem.empty()) candidate.checkpoint.reset();
}

}  // namespace

std::string write_checkpoint(const std::string& run_file, const Checkpoint& checkpoint) {
  const std::string not_written = "the checkpoint at " + format_rounded(checkpoint.time, 6) + " s was not written: ";
  if (checkpoint.payload.size() > kMostPayloadBytes) {
    return not_written + "it would have " + std::to_string(checkpoint.payload.size()) + " bytes";
  }
  const std::array<Candidate, 2> there = read_candidates(run_file);
  std::size_t place = 0;
  if (is_useless(there[0], checkpoint)) {
    place = 0;
  } else if (is_useless(there[1], checkpoint)) {
    place = 1;
  } else {
    place = there[0].checkpoint->time <= there[1].checkpoint->time ? 0 : 1;
  }
  try {
    const std::string problem = write_durably(there[place].file, encode(checkpoint));
    return problem.empty() ? problem : not_written + problem;
  } catch (const std::bad_alloc&) {
    return not_written + "there is not enough memory";
  }
}

FoundCheckpoint newest_checkpoint(const std::string& run_file, const std::string& run_id, std::uint64_t rows_in_file) {
  std::array<Candidate, 2> candidates = read_candidates(run_file);
  FoundCheckpoint result;
  for (Candidate& candidate : candidates) {
    set_aside_unusable(candidate, run_id, rows_in_file);
    if (!candidate.checkpoint) continue;
    if (result.checkpoint && result.checkpoint->time >= candidate.checkpoint->time) continue;
    result.checkpoint = std::move(candidate.checkpoint);
    result.file = candidate.file;
  }
  for (const Candidate& candidate : candidates) {
    if (candidate.problem.empty()) continue;
    result.notes.push_back(fs::path(candidate.file).filename().string() + " " + candidate.problem +
                           (result.checkpoint ? ": the other one is used" : ""));
  }
  return result;
}

std::vector<std::string> damaged_checkpoints(const std::string& run_file) {
  std::vector<std::string> sentences;
  for (const Candidate& candidate : read_candidates(run_file)) {
    if (candidate.problem.empty()) continue;
    sentences.push_back(fs::path(candidate.file).filename().string() + " " + candidate.problem);
  }
  return sentences;
}

std::vector<std::string> checkpoint_files(const std::string& run_file) {
  std::vector<std::string> files;
  for (const std::string& file : names(run_file)) {
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) files.push_back(file);
  }
  return files;
}

void remove_checkpoints(const std::string& run_file) {
  std::error_code ignored;
  for (const std::string& file : checkpoint_files(run_file)) fs::remove(file, ignored);
  // Whoever was killed while it wrote one has left a temporary file.
  const fs::path folder = fs::path(run_file).parent_path();
  std::vector<fs::path> left;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    const auto is_ours = [&](const std::string& file) {
      return name.starts_with(fs::path(file).filename().string() + ".") && name.ends_with(".tmp");
    };
    if (std::ranges::any_of(names(run_file), is_ours)) left.push_back(entry->path());
  }
  for (const fs::path& file : left) fs::remove(file, ignored);
}

void remove_checkpoints_beyond(const std::string& run_file, std::uint64_t rows) {
  for (const Candidate& candidate : read_candidates(run_file)) {
    if (!candidate.checkpoint || candidate.checkpoint->row_count <= rows) continue;
    std::error_code ignored;
    fs::remove(candidate.file, ignored);
  }
}

}  // namespace gelenk::results
