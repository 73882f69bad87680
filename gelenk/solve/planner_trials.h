#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "gelenk/solve/program_builder.h"

// What the planner of an elimination program has tried in a block, and what comes next.
namespace gelenk::solve {

struct TrialSize {
  std::size_t weight = 0;  // columns and rows of the front
  double flops = 0.0;
};

struct Trial {
  bool is_set = false;
  std::pair<std::int32_t, std::int32_t> fronts;
  ProgramBuilder::Attachment candidate;
  TrialSize size;
};

struct JointTrials {
  std::int32_t version = 0;
  std::array<Trial, 4> ways;
};

// The smallest key comes first, then the first joint. Those whose joint was looked at again are void.
struct TrialEntry {
  std::array<double, 5> key{};
  std::int32_t place = 0;  // of the joint in its block
  std::int32_t number = 0;
  std::int32_t version = 0;
  friend bool operator<(const TrialEntry& p, const TrialEntry& q) {
    return std::tie(p.key, p.place, p.number) > std::tie(q.key, q.place, q.number);
  }
};

}  // namespace gelenk::solve
