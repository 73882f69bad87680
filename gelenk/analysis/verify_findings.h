#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "gelenk/analysis/verify.h"

namespace gelenk::analysis {

// The checks, in the order of VerifyReport::checks.
enum class CheckId : std::uint8_t {
  certificate,
  times,
  numbers,
  parts,
  joints,
  coordinates,
  energies,
  forces,
  newton,
  drivers,
  outputs,
  balance,
  work
};
inline constexpr std::size_t kCheckCount = 13;

// Where comparisons are counted. Names are made only when something differs.
class Findings {
 public:
  explicit Findings(VerifyReport& report) : report_(report) {}

  void set_row(std::size_t row, double time) {
    row_ = row;
    time_ = time;
  }

  // What is no number, or beyond all numbers, differs from everything.
  template <class Name>
  void compare(CheckId check, double recorded, double expected, double allowed, const Name& name) {
    Check& c = report_.checks[static_cast<std::size_t>(check)];
    ++c.comparisons;
    const double difference = std::abs(recorded - expected);
    if (std::isfinite(difference) && difference <= allowed) {
      if (allowed > 0.0) c.largest = std::max(c.largest, difference / allowed);
      return;
    }
    if (c.differences++ == 0) c.first = Difference{c.name, name(), row_, time_, recorded, expected, allowed, {}};
  }

  void compare_text(CheckId check, bool is_same, std::string name, std::string text) {
    Check& c = report_.checks[static_cast<std::size_t>(check)];
    ++c.comparisons;
    if (is_same) return;
    if (c.differences++ == 0)
      c.first = Difference{c.name, std::move(name), row_, time_, 0.0, 0.0, 0.0, std::move(text)};
  }

  void not_checked(std::string sentence) { report_.not_checked.push_back(std::move(sentence)); }

 private:
  VerifyReport& report_;
  std::size_t row_ = 0;
  double time_ = 0.0;
};

}  // namespace gelenk::analysis
