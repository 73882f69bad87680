#include "apps/gelenk/reaction_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "apps/gelenk/console.h"
#include "gelenk/base/index.h"
#include "gelenk/base/name_list.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

constexpr std::size_t kMostPartners = 8;

// "force.y" of "crank_pin.reaction.force.y"
std::string direction_name(const system::System& system, std::size_t direction) {
  constexpr std::string_view kReaction = "reaction.";
  const std::string name =
      analysis::direction_channel(system, direction).substr(analysis::direction_element(system, direction).size() + 1);
  return name.starts_with(kReaction) ? name.substr(kReaction.size()) : name;
}

// What the joint, driver or coupling with these directions has alone, and what it shares with whom.
std::string element_text(const system::System& system, const analysis::SharedDirections& shared, std::size_t first,
                         std::size_t count) {
  const std::string& element = analysis::direction_element(system, first);
  std::vector<std::string> unique;
  std::vector<std::string> not_unique;
  std::vector<std::string> partners;
  for (std::size_t d = first; d < first + count; ++d) {
    (shared.is_unique(d) ? unique : not_unique).push_back(direction_name(system, d));
    if (shared.is_unique(d)) continue;
    for (std::string& name : shared.elements_of(system, shared.group[d])) {
      if (name != element && std::ranges::find(partners, name) == partners.end()) partners.push_back(std::move(name));
    }
  }
  std::string text = fmt::format("reaction      {}: ", element);
  if (not_unique.empty()) return text + "unique\n";
  text += join(not_unique, ", ") + " shared";
  if (!partners.empty()) text += " with " + list_names(partners, kMostPartners);
  return text + (unique.empty() ? "\n" : fmt::format("; {} unique\n", join(unique, ", ")));
}

// The directions of one joint, driver or coupling after the other.
template <class Take>
void for_each_element(const system::System& system, Take&& take) {
  const std::size_t count = analysis::direction_count(system);
  for (std::size_t first = 0; first < count;) {
    const std::size_t own = first < 6 * system.joints.size() ? 6 : 1;
    take(first, own);
    first += own;
  }
}

}  // namespace

std::string reactions_text(const system::System& system, const analysis::SharedDirections& shared, bool details) {
  if (system.joints.empty()) return {};
  std::string text;
  if (shared.shared_count() == 0) {
    text = details ? "reactions     unique in all directions\n" : "";
  } else if (!shared.has_partners) {
    text = fmt::format("reactions     {} shared in this pose, all others are unique\n",
                       counted(shared.shared_count(), "direction"));
  } else {
    // Several groups may be of the same joints: a shaft in two bearings shares what is along and what is across.
    std::vector<std::string> lists;
    for (std::int32_t g = 0; g < shared.count; ++g) {
      std::string names = list_names(shared.elements_of(system, g), kMostPartners);
      if (std::ranges::find(lists, names) == lists.end()) lists.push_back(std::move(names));
    }
    const char* title = "reactions     shared in this pose by ";
    for (std::size_t i = 0; i < lists.size(); ++i) {
      if (i == kMostPartners && !details) {
        text += fmt::format("{}{} more\n", title, counted(lists.size() - i, "group"));
        break;
      }
      text += fmt::format("{}{}\n", title, lists[i]);
      title = "              and by ";
    }
    text.pop_back();
    text += fmt::format("; {} in all, the others are unique\n", counted(shared.shared_count(), "direction"));
  }
  if (details) {
    for_each_element(system,
                     [&](std::size_t first, std::size_t count) { text += element_text(system, shared, first, count); });
  }
  return text;
}

void write_reactions_json(JsonWriter& json, const system::System& system, const analysis::SharedDirections& shared) {
  json.begin_object().member("sharedCount", shared.shared_count()).member("partnersKnown", shared.has_partners);
  json.key("groups").begin_array();
  for (std::int32_t g = 0; g < shared.count && shared.has_partners; ++g) {
    json.begin_array();
    for (const std::string& name : shared.elements_of(system, g)) json.value(name);
    json.end_array();
  }
  json.end_array().key("directions").begin_array();
  for (std::size_t d = 0; d < shared.group.size(); ++d) {
    json.begin_object().member("channel", analysis::direction_channel(system, d));
    json.member("element", analysis::direction_element(system, d)).member("unique", shared.is_unique(d));
    json.key("group");
    if (shared.is_unique(d)) {
      json.null();
    } else {
      json.value(shared.group[d]);
    }
    json.end_object();
  }
  json.end_array().end_object();
}

}  // namespace gelenk::app
