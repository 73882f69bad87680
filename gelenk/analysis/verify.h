#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/model/machine.h"
#include "gelenk/results/layout.h"
#include "gelenk/results/reader.h"
#include "gelenk/system/system.h"

// Computes again, from recorded positions, velocities and loads, what else a file of results says, and compares. It
// finds damage and careless edits; it is no protection against forgery, as everything in a file could be made to fit.
namespace gelenk::analysis {

struct Difference {
  std::string check;  // "joints"
  std::string name;   // channel or element: "crank_pin", "energy.kinetic"
  std::size_t row = 0;
  double time = 0.0;
  double recorded = 0.0, expected = 0.0;
  double allowed = 0.0;  // of the difference of the two
  std::string text;      // instead of the numbers, for what is no number
};

struct Check {
  std::string name;
  std::size_t comparisons = 0;
  std::size_t differences = 0;
  double largest = 0.0;  // difference, as a part of what is allowed
  std::optional<Difference> first{};
};

struct VerifyReport {
  std::vector<Check> checks;             // in the order in which they are made
  std::vector<std::string> not_checked;  // sentences: what could not be, and why
  std::string error;                     // the file cannot be read; then nothing else counts

  bool is_good() const;
  // The difference in the earliest row; the check that was made first, where there are several.
  const Difference* first_difference() const;
};

struct VerifyInput {
  const model::Machine& machine;
  const system::System& system;
  const system::Params& params;
  const results::Layout& layout;  // as the run had it
  const results::Reader& reader;
};

VerifyReport verify(const VerifyInput& input);

}  // namespace gelenk::analysis
