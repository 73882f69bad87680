#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gelenk/base/text.h"
#include "gelenk/formats/imported_choices.h"

namespace gelenk::formats {
namespace {

// The first says most.
constexpr std::array<std::string_view, 14> kGroundWords{"ground",  "frame",      "base",      "housing", "stator",
                                                        "chassis", "bed",        "gestell",   "rahmen",  "gehaeuse",
                                                        "stand",   "foundation", "baseplate", "bottom"};

// Where a word that says ground is in the list; nothing: there is none.
std::optional<std::size_t> ground_word(const std::string& name) {
  const std::vector<std::string> words = split(name, '_');
  for (std::size_t i = 0; i < kGroundWords.size(); ++i) {
    if (std::find(words.begin(), words.end(), kGroundWords[i]) != words.end()) return i;
  }
  return std::nullopt;
}

struct GroundEvidence {
  double mass = 0.0;
  std::size_t joints = 0;
  double lowest = 0.0;  // along the upward axis, m
  std::optional<std::size_t> word;
};

// "-y": the second axis, pointing down.
double height_of(const Vector3& point, std::string_view up) {
  const double sign = up.starts_with('-') ? -1.0 : 1.0;
  return sign * point[std::clamp(up.back() - 'x', 0, 2)];
}

std::vector<GroundEvidence> gather(const ImportedModel& model, std::string_view up) {
  const std::vector<ImportedChild>& children = model.assemblies.front().children;
  std::vector<GroundEvidence> all(children.size());
  for (std::size_t i = 0; i < children.size(); ++i) {
    all[i].mass = mass_of(model, children[i]).mass;
    all[i].word = ground_word(children[i].name);
  }
  for (const ImportedJoint& joint : model.joints) {
    if (joint.origin == Origin::assumed) continue;
    for (const ImportedEnd& end : joint.ends) ++all[end.path.front()].joints;
  }
  std::vector<bool> has_height(children.size(), false);
  for (const ImportedLeaf& leaf : leaves(model)) {
    const geometry::Bounds box = geometry::bounds(model.parts[leaf.part].mesh, leaf.X_WP);
    if (model.parts[leaf.part].mesh.vertices.empty()) continue;
    const std::size_t child = leaf.path.front();
    const double low = std::min(height_of(box.lower, up), height_of(box.upper, up));
    all[child].lowest = has_height[child] ? std::min(all[child].lowest, low) : low;
    has_height[child] = true;
  }
  return all;
}

}  // namespace

GroundChoice proposed_ground(const ImportedModel& model, std::string_view up) {
  // A name counts as much as being the heaviest and having the most joints together; lying lowest breaks ties.
  constexpr double kNamed = 2.0, kLaterWord = 0.05, kLowest = 0.3, kClose = 0.1;
  const std::vector<GroundEvidence> all = gather(model, up);
  if (all.empty()) return {};
  GroundEvidence most = all.front();
  double highest = most.lowest;
  for (const GroundEvidence& one : all) {
    most.mass = std::max(most.mass, one.mass);
    most.joints = std::max(most.joints, one.joints);
    most.lowest = std::min(most.lowest, one.lowest);
    highest = std::max(highest, one.lowest);
  }
  std::vector<double> scores;
  for (const GroundEvidence& one : all) {
    double score = most.mass > 0.0 ? one.mass / most.mass : 0.0;
    if (most.joints > 0) score += static_cast<double>(one.joints) / static_cast<double>(most.joints);
    if (one.word) score += kNamed - kLaterWord * static_cast<double>(*one.word);
    if (highest > most.lowest) score += kLowest * (highest - one.lowest) / (highest - most.lowest);
    scores.push_back(score);
  }
  const auto best = static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  GroundChoice choice{best, "", {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != best && scores[i] > (1.0 - kClose) * scores[best]) choice.others.push_back(i);
  }
  const GroundEvidence& chosen = all[best];
  const bool has_most =
      chosen.joints == most.joints && chosen.joints > 0 &&
      std::count_if(all.begin(), all.end(), [&](const auto& one) { return one.joints == most.joints; }) == 1 &&
      all.size() > 1;
  if (chosen.word) {
    choice.reason = fmt::format("its name contains {}", kGroundWords[*chosen.word]);
  } else if (has_most) {
    choice.reason = "it has the most joints";
  } else if (chosen.mass >= most.mass) {
    choice.reason = "it is the heaviest";
  } else {
    choice.reason = "of its joints, mass and place together";
  }
  return choice;
}

}  // namespace gelenk::formats
