#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "gelenk/system/system.h"

namespace gelenk::analysis {

// How joints share what rigid bodies do not determine: as if each gave way a little, docs/theory/elimination.md (6.8).
//   by_mass: a joint gives way as its parts do, joints of light parts more than those of heavy ones
//   equal:   all joints give way alike
// In both, `compliance` of a joint makes it softer (above one) or stiffer than that. Forces of all directions count
// alike, and so do moments, so that neither the axes of the world nor those of a joint matter.
enum class ReactionSplit : std::uint8_t { by_mass, equal };

std::string_view split_name(ReactionSplit split);
std::optional<ReactionSplit> split_of_name(std::string_view name);
// "as if joints gave way like their parts": for sentences.
std::string_view split_words(ReactionSplit split);

// c_j of every row, in units of its own: only ratios count. They depend on the model alone, not on the pose.
std::vector<double> row_compliances(const system::System& system, const system::Params& params, ReactionSplit split);

}  // namespace gelenk::analysis
