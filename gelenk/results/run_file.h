#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/base/file_lock.h"
#include "gelenk/base/memory_guard.h"
#include "gelenk/results/hdf5_handle.h"
#include "gelenk/results/layout.h"
#include "gelenk/results/run_info.h"

namespace gelenk::results {

inline constexpr std::int64_t kRunFormatVersion = 1;
// Texts that are changed or added after the file is open to readers have a fixed room; longer ones are cut.
inline constexpr std::size_t kStatusBytes = 16;
inline constexpr std::size_t kMessageBytes = 4096;
inline constexpr std::size_t kEventKindBytes = 32;
inline constexpr std::size_t kEventElementBytes = 256;
inline constexpr std::size_t kEventTextBytes = 512;
// CRC-32 of each row (its time, then its blocks in their order), of each event, and of status and message with all
// their room. Those of texts are attributes of the texts.
inline constexpr const char* kRowChecksums = "checksums/rows";
inline constexpr const char* kEventChecksums = "checksums/events";
inline constexpr const char* kStatusChecksum = "checksums/status";

// The file of a run that is being written; see docs/results.md for what is in it. Every function returns what went
// wrong, or nothing. For one thread.
//
// Others may read while we write (HDF5's single-writer-multiple-reader mode). A row counts for them once /time has it:
// flush() first puts all other blocks on disk and lengthens /time only then, so that no row is ever half there.
class RunFile {
 public:
  // In the place of a file that may be there; one that somebody else writes or reads stays as it is.
  static std::unique_ptr<RunFile> create(const std::string& path, const Layout& layout, const RunInfo& info,
                                         std::string& error);
  // Opens a file whose writer has ended or was killed, gives it a new status, takes its certificate away, and cuts off
  // what is behind the first rows and events. Those must be there; nobody else may have the file open, nor this
  // program.
  // `blocks`: names in the order of append(); those that the file does not have are left alone.
  static std::unique_ptr<RunFile> reopen(const std::string& path, const std::vector<std::string>& blocks,
                                         std::size_t rows, std::size_t events, RunStatus status,
                                         const std::string& message, std::string& error);
  ~RunFile();
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;

  // Adds the datasets by_path and opens the file to readers. Nothing can be added to the structure after that. A
  // reopened file has begun already.
  std::string begin();
  // Rows one after the other; `values[b]` holds times.size() rows of block b.
  std::string append(std::span<const double> times, std::span<const double* const> values);
  std::string append(const std::vector<Event>& events);
  std::string flush();
  std::string close(RunStatus status, const std::string& message, const std::string& certificate = {});

 private:
  struct Dataset {
    std::string name;
    hdf5::Handle handle;
    std::vector<std::size_t> shape;  // of a row
    std::size_t rows = 0;

    std::size_t width() const;  // of a row
  };

  explicit RunFile(std::string path) : path_(std::move(path)) {}
  bool create_structure(const Layout& layout, const RunInfo& info);
  bool create_blocks(const Layout& layout, std::size_t expected_rows);
  bool create_status();
  bool create_events();
  bool create_certificate();
  bool create_checksums(std::size_t expected_rows);
  bool write_index(const Layout& layout);
  bool write_texts(const Layout& layout, const RunInfo& info);
  bool open_structure(const std::vector<std::string>& blocks);
  bool cut_off(std::size_t rows, std::size_t events);
  bool append_rows(Dataset& dataset, const double* values, std::size_t count);
  bool append_checksums(std::span<const double> times, std::span<const double* const> values);
  bool write_status(RunStatus status, const std::string& message);
  bool write_certificate(const std::string& text);
  void patch_status(RunStatus status, const std::string& message);
  void prepare_for_the_worst();
  std::string failure(const char* deed);
  bool close_handles();
  void forget_handles();
  // Calls it with every handle, that of the file last. Allocates nothing.
  template <class Deed>
  void each_handle(Deed&& deed);

  std::string path_;
  std::string failure_;      // what went wrong first; nothing is written any more
  std::fstream way_around_;  // the same file without the library
  std::vector<Slice> slices_;
  hdf5::Handle file_;
  Dataset time_;
  std::vector<Dataset> blocks_;
  hdf5::Handle status_, message_, events_, certificate_;
  // Closed in files of older versions, which have no checksums
  Dataset row_checksums_;
  hdf5::Handle event_checksums_, status_checksum_;
  std::uint64_t status_offset_ = 0, message_offset_ = 0;  // bytes from the beginning of the file
  std::size_t event_count_ = 0;
  std::vector<double> pending_times_;  // rows that are in the blocks but not yet in /time
  // The library lets go of its lock when readers may come; this one says that somebody still writes.
  std::optional<SharedFileLock> lock_;
  LastWords last_words_;
  WriterLock writer_lock_;  // from before the first change on
  bool has_begun_ = false;
};

}  // namespace gelenk::results
