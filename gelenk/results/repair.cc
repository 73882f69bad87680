#include "gelenk/results/repair.h"

#include <new>

#include "gelenk/base/durable_file.h"
#include "gelenk/base/text.h"
#include "gelenk/results/continuation.h"
#include "gelenk/results/reader.h"
#include "gelenk/results/run_file.h"

namespace gelenk::results {
namespace {

// What is in the file, before anything is changed.
std::string survey(const std::string& path, RepairReport& report, std::vector<std::string>& blocks,
                   std::size_t& events) {
  std::string error;
  const std::unique_ptr<Reader> reader = Reader::open(path, error);
  if (!reader) return error;
  report.was_whole = reader->is_closed();
  report.run_id = reader->header().run_id;
  report.rows = reader->row_count();
  report.status = reader->status();
  report.message = reader->message();
  for (std::size_t b = 1; b < reader->blocks().size(); ++b) blocks.push_back(reader->blocks()[b].name);  // 0: the time
  std::vector<Event> found;
  error = reader->read_events(found);
  events = found.size();
  if (!error.empty() || report.rows == 0) return error;
  error = reader->read_rows(0, 0, 1, std::span(&report.begin, 1));
  if (error.empty()) error = reader->read_rows(0, report.rows - 1, 1, std::span(&report.end, 1));
  return error;
}

std::string repair(const std::string& path, RepairReport& report) {
  if (const std::string obstacle = change_obstacle(path); !obstacle.empty()) {
    return "the file '" + path + "' cannot be repaired: " + obstacle;
  }
  std::vector<std::string> blocks;
  std::size_t events = 0;
  if (std::string error = survey(path, report, blocks, events); !error.empty() || report.was_whole) return error;
  if (report.status == RunStatus::running) {
    report.status = RunStatus::stopped;
    report.message =
        "the run was killed at " + format_rounded(report.end, 6) + " s or later, and its file was repaired";
  }
  std::string error;
  const std::unique_ptr<RunFile> file =
      RunFile::reopen(path, blocks, report.rows, events, report.status, report.message, error);
  if (!file) return error;
  error = file->close(report.status, report.message);
  return error.empty() ? sync_file(path) : error;
}

}  // namespace

std::string repair_file(const std::string& path, RepairReport& report) {
  try {
    return repair(path, report);
  } catch (const std::bad_alloc&) {
    return "there is not enough memory to repair the file '" + path + "'";
  }
}

}  // namespace gelenk::results
