#pragma once

#include <cstddef>
#include <string>

#include "gelenk/results/run_info.h"

namespace gelenk::results {

struct RepairReport {
  bool was_whole = false;  // there was nothing to repair, and nothing was changed
  std::string run_id;
  std::size_t rows = 0;
  double begin = 0.0, end = 0.0;  // s: times of the first and the last row
  RunStatus status = RunStatus::stopped;
  std::string message;
};

// Makes the file of a run that was killed, or could not be written to its end, one that every HDF5 reader opens: takes
// the mark of the writer away and cuts off what belongs to no complete row. A run without a verdict becomes "stopped".
// Returns what went wrong, as a sentence, or nothing. A file that somebody writes or reads is left alone.
std::string repair_file(const std::string& path, RepairReport& report);

}  // namespace gelenk::results
