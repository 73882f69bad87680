#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gelenk/base/units.h"
#include "gelenk/export/curve.h"
#include "gelenk/results/reader.h"

namespace gelenk::exporting {

// What became of one channel from run A to run B. SI.
struct ChannelChange {
  std::string name;
  std::string unit;
  Quantity quantity = Quantity::any;
  // Of each run over its whole time. A peak is the value of largest magnitude, with its sign.
  double peak_a = 0.0, peak_b = 0.0;
  double rms_a = 0.0, rms_b = 0.0;
  double end_a = 0.0, end_b = 0.0;
  // At a time that both runs have; infinite where only one of them has a number.
  double largest_difference = 0.0;
  double at_time = 0.0;
  double range = 0.0;  // largest - smallest value, of the run where that is larger

  // |difference| / range; infinite where a channel that stays constant has another value.
  double relative_difference() const;
};

struct RunComparison {
  std::string error;  // why a file could not be read; then the rest means nothing
  std::vector<ChannelChange> changes;
  std::vector<std::string> only_in_a, only_in_b;  // of the channels asked for
  std::vector<std::string> different_units;       // in both, but not the same kind of number
  bool has_same_times = true;
  bool is_interpolated = false;  // B between its rows, linearly, where A has a row and B has none
  // Of the rows of each run; empty when there are none.
  Limits time_a, time_b;
  // The time that both runs have.
  double common_begin = 0.0, common_end = 0.0;
  std::size_t compared_rows = 0;  // of A; none: the runs have no time in common

  // All values of all channels that were compared are the same bits at the same times.
  bool is_identical() const;
};

// Channels by their full names. Both files are read a few megabytes at a time.
RunComparison compare_runs(const results::Reader& a, const results::Reader& b,
                           const std::vector<std::string>& channels);

// What may differ: by this part of the range, or by this much in SI; the kinder one counts.
struct ComparisonTolerance {
  double relative = 0.0;
  double absolute = 0.0;
};

// Whether each channel stays within the tolerance. A difference that is rounding (1e-12) beside the largest value of
// all channels of the same quantity is none: a position that should be zero has no range to be compared with.
std::vector<bool> within_tolerance(const std::vector<ChannelChange>& changes, const ComparisonTolerance& tolerance);

}  // namespace gelenk::exporting
