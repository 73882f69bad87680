#include <fmt/format.h>

#include <algorithm>

#include "gelenk/export/scene.h"
#include "gelenk/model/mobility.h"
#include "gelenk/model/summary.h"

namespace gelenk::exporting {
namespace {

// Nobody looks at more of them one by one.
constexpr std::size_t kMostMotions = 24;

}  // namespace

void add_free_motions(const model::Machine& machine, Scene& scene) {
  if (!machine.sealed.empty()) {
    scene.notes.emplace_back(
        "free motions are not shown: the motions inside a sealed component are not known outside it");
    return;
  }
  std::vector<Pose> poses;
  for (const ScenePart& part : scene.parts) poses.push_back(part.X_WP);
  const model::MobilityReport mobility = model::expected_mobility(machine, poses);
  if (mobility.is_counted_only) {
    scene.notes.emplace_back("free motions are not shown: too many parts are joined in one group to analyze them");
    return;
  }
  const std::size_t shown = std::min(mobility.motions.size(), kMostMotions);
  if (shown < mobility.motions.size()) {
    scene.notes.push_back(
        fmt::format("only {} of {} free motions can be shown one by one", shown, mobility.motions.size()));
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const model::FreeMotion& motion = mobility.motions[i];
    SceneFreeMotion& own = scene.motions.emplace_back();
    own.name = model::motion_name(machine, motion);
    own.twists.resize(scene.parts.size());
    for (std::size_t p = 0; p < motion.parts.size(); ++p) own.twists[motion.parts[p].index()] = motion.twists[p];
  }
}

}  // namespace gelenk::exporting
