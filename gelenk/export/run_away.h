#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "gelenk/results/certificate.h"
#include "gelenk/results/reader.h"

namespace gelenk::exporting {

// Where the motion of a run went beyond all reason. Numbers from there on mean nothing.
struct RunAway {
  std::size_t row = 0;  // the first that does not count
  double time = 0.0;
  std::string part;  // that is too fast
};

// In a run that failed or is not good, unless parts fall off it: the first row in which a part moves by more than the
// size of the machine, or turns by more than a full turn, within one step of the method (no method follows that), and
// is more than ten times as fast as anything at the start (what begins fast may stay so). Needs the velocities of the
// parts. Where steps adapt and the run failed because they collapsed: its last row, if that is a jump.
// Returns what went wrong, or nothing.
std::string find_run_away(const results::Reader& reader, const results::Certificate& certificate,
                          std::optional<RunAway>& found);

// "the motion runs away at 0.0956 s, where 'rod' becomes too fast for the steps: 1 of 49 rows is not shown"
std::string left_out_text(const RunAway& away, std::size_t rows);

}  // namespace gelenk::exporting
