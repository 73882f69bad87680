#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/mechanics/evaluate.h"

namespace gelenk::analysis {

// Laws of forces that hold in a part of all poses only. A motion that leaves it ends the run: behind it the law would
// be another one, and nobody would see it.
class ForceRanges {
 public:
  ForceRanges(const system::System& system, const system::Params& params);

  bool is_empty() const { return bushings_.empty(); }
  // The first law that the motion has left. Needs positions in the workspace.
  std::optional<Diagnostic> find_left(const mechanics::Context& context, mechanics::Workspace& workspace) const;

 private:
  // Those with a moment: the rotation vector of their frames has no direction at half a turn.
  std::vector<std::int32_t> bushings_;
};

}  // namespace gelenk::analysis
