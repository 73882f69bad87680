#pragma once

#include <cstddef>

#include "gelenk/base/diagnostics.h"

namespace gelenk::model::expanding {

// Where errors go, and how much may still be spent on their hints.
class Reports {
 public:
  explicit Reports(Diagnostics& to) : diagnostics(to) {}

  // Whether to look among so many names for what was meant: in a large file with many errors that would take minutes.
  bool may_suggest(std::size_t name_count) {
    names_compared_ += name_count;
    return names_compared_ <= kMaxNamesCompared;
  }

  Diagnostics& diagnostics;

 private:
  static constexpr std::size_t kMaxNamesCompared = 500'000;

  std::size_t names_compared_ = 0;
};

}  // namespace gelenk::model::expanding
