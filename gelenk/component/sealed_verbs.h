#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gelenk/component/host.h"
#include "gelenk/integrate/problem.h"
#include "gelenk/solve/rank_rule.h"

// Verbs of a subsystem as commands (gelenk_component.h).
namespace gelenk::component {

inline gelenk_command command(gelenk_code code, unsigned flags, int slot, int other, std::span<const double> in = {},
                              std::span<double> out = {}) {
  return {.code = static_cast<std::uint32_t>(code),
          .flags = flags,
          .slot = slot,
          .other = other,
          .time = 0.0,
          .in = in.data(),
          .out = out.data(),
          .in_count = in.size(),
          .out_count = out.size()};
}

// False: not solvable; the answer is then not a number.
inline bool perform(Host& host, const gelenk_command& one) {
  if (host.perform({&one, 1})) return true;
  std::fill_n(one.out, one.out_count, std::numeric_limits<double>::quiet_NaN());
  return false;
}

inline unsigned flags_of(const solve::RankRule& rule) { return rule.decides ? GELENK_DECIDE_RANK : GELENK_KEEP_RANK; }

// Terms as pairs of numbers, valid until the next ones.
class TermNumbers {
 public:
  std::span<const double> put(std::span<const integrate::Term> terms) {
    numbers_.clear();
    for (const integrate::Term& term : terms) {
      numbers_.push_back(term.coefficient);
      numbers_.push_back(static_cast<double>(term.rate));
    }
    return numbers_;
  }

 private:
  std::vector<double> numbers_;
};

}  // namespace gelenk::component
