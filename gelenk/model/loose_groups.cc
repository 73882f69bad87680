#include "gelenk/model/loose_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "gelenk/base/disjoint_sets.h"
#include "gelenk/base/index.h"
#include "gelenk/base/text.h"

namespace gelenk::model {
namespace {

constexpr std::size_t kMostNamedParts = 3;
constexpr std::size_t kMostNamedGroups = 4;

}  // namespace

std::vector<std::vector<PartId>> loose_groups(const Machine& machine, bool contacts_join) {
  // The ground comes first, and all sealed components with it.
  DisjointSets nodes(machine.parts.size() + 1);
  const auto node_of = [](const FrameOnPart& frame) { return frame.part.is_set() ? frame.part.index() + 1 : 0; };
  for (const JointNode& joint : machine.joints) nodes.join(node_of(joint.a), node_of(joint.b));
  for (const ForceNode& force : machine.forces) {
    if (force.a && force.b) nodes.join(node_of(*force.a), node_of(*force.b));
  }
  for (const ContactNode& contact : machine.contacts) {
    if (!contacts_join) break;
    if (contact.first.empty()) continue;
    // Each of the first touches each of the second, in a group each other, too.
    const auto node = [&](std::int32_t contour) { return node_of(machine.contours[at(contour)].frame); };
    const std::int32_t hub = contact.second.empty() ? contact.first.front() : contact.second.front();
    for (const std::int32_t contour : contact.first) nodes.join(node(contour), node(hub));
    for (const std::int32_t contour : contact.second) nodes.join(node(contour), node(contact.first.front()));
  }
  for (const MountNode& mount : machine.mounts) nodes.join(node_of(mount.frame), 0);
  for (const CodeNode& code : machine.codes) {
    for (const FrameOnPart& frame : code.frames) nodes.join(node_of(frame), 0);
  }
  std::vector<std::vector<PartId>> groups;
  std::vector<std::size_t> place(nodes.size(), 0);  // of a leader's group in `groups`, counted from one
  for (std::size_t p = 0; p < machine.parts.size(); ++p) {
    const std::size_t leader = nodes.leader(p + 1);
    if (leader == 0) continue;
    if (place[leader] == 0) {
      groups.emplace_back();
      place[leader] = groups.size();
    }
    groups[place[leader] - 1].push_back(PartId(p));
  }
  return groups;
}

std::string group_text(const Machine& machine, const std::vector<PartId>& group) {
  std::vector<std::string> names;
  // One more is named rather than counted.
  const std::size_t most = group.size() == kMostNamedParts + 1 ? group.size() : kMostNamedParts;
  for (std::size_t i = 0; i < std::min(most, group.size()); ++i) {
    names.push_back(fmt::format("'{}'", machine.parts[group[i].index()].path));
  }
  if (group.size() > names.size()) names.push_back(fmt::format("{} more", group.size() - names.size()));
  if (names.size() == 1) return names.front();
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", join(names, ", "), last);
}

std::string loose_text(const Machine& machine) {
  const std::vector<std::vector<PartId>> groups = loose_groups(machine);
  if (groups.empty()) return {};
  if (groups.size() == 1 && groups.front().size() == machine.parts.size()) {
    return "nothing joins the machine to the ground: it floats as a whole";
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(groups.size(), kMostNamedGroups); ++i) {
    names.push_back(group_text(machine, groups[i]));
  }
  if (groups.size() > kMostNamedGroups) names.push_back(fmt::format("{} more", groups.size() - kMostNamedGroups));
  return fmt::format("{} not joined to the ground: {}",
                     groups.size() == 1 ? (groups.front().size() == 1 ? "1 part is" : "1 group of parts is")
                                        : fmt::format("{} groups of parts are", groups.size()),
                     join(names, "; "));
}

}  // namespace gelenk::model
