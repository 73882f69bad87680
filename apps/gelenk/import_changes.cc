#include "apps/gelenk/import_changes.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

// Smaller changes are rounding: of masses relative to themselves, of places in m, of turns in the quaternion.
constexpr double kSameMass = 1e-9, kSamePlace = 1e-9;
constexpr double kMillimeters = 1e3;
constexpr std::size_t kMostLines = 20;

using Items = std::map<std::string, const JsonValue*>;

Items items_by(const JsonValue& report, std::string_view list, std::string_view key) {
  Items found;
  if (const JsonValue* items = report.find(list)) {
    for (const JsonValue& item : items->items) found[item.text_or(key, "")] = &item;
  }
  return found;
}

std::array<double, 7> pose_of(const JsonValue& item) {
  std::array<double, 7> pose{};
  const JsonValue* list = item.find("at");
  for (std::size_t i = 0; list != nullptr && i < std::min(pose.size(), list->items.size()); ++i) {
    pose[i] = list->items[i].number;
  }
  return pose;
}

// "moved by 12 mm, turned by 3 deg"; empty: neither.
std::string motion_text(const JsonValue& before, const JsonValue& after) {
  const std::array<double, 7> a = pose_of(before), b = pose_of(after);
  const double distance = std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  double cosine = 0.0;
  for (std::size_t i = 3; i < a.size(); ++i) cosine += a[i] * b[i];
  const double angle = 2.0 * std::acos(std::min(1.0, std::abs(cosine))) * 180.0 / 3.14159265358979323846;
  std::vector<std::string> words;
  if (distance > kSamePlace) words.push_back(fmt::format("moved by {} mm", format_rounded(distance * kMillimeters, 4)));
  if (angle > 1e-5) words.push_back(fmt::format("turned by {} deg", format_rounded(angle, 4)));
  return join(words, ", ");
}

std::string part_text(const JsonValue& before, const JsonValue& after) {
  const double old_mass = before.number_or("mass", 0.0), mass = after.number_or("mass", 0.0);
  std::vector<std::string> words;
  if (std::abs(mass - old_mass) > kSameMass * std::max(mass, old_mass)) {
    words.push_back(fmt::format("mass {} -> {} kg", format_rounded(old_mass), format_rounded(mass)));
  }
  if (const std::string motion = motion_text(before, after); !motion.empty()) words.push_back(motion);
  return join(words, ", ");
}

std::string joint_text(const JsonValue& before, const JsonValue& after, const Items& old_frames, const Items& frames) {
  std::vector<std::string> words;
  const std::string old_type = before.text_or("type", ""), type = after.text_or("type", "");
  if (old_type != type) words.push_back(fmt::format("{} -> {}", old_type, type));
  const std::vector<std::string> old_parts = before.texts("between"), parts = after.texts("between");
  const std::vector<std::string> old_names = before.texts("frames"), names = after.texts("frames");
  if (old_parts != parts) words.push_back(fmt::format("between {}", join(parts, " and ")));
  for (std::size_t i = 0; old_parts == parts && i < std::min(old_names.size(), names.size()); ++i) {
    const auto a = old_frames.find(parts[i] + "." + old_names[i]), b = frames.find(parts[i] + "." + names[i]);
    if (a == old_frames.end() || b == frames.end()) continue;
    const std::string motion = motion_text(*a->second, *b->second);
    if (!motion.empty()) words.push_back(fmt::format("{} on {}", motion, parts[i]));
  }
  return join(words, "; ");
}

Items frames_by_path(const JsonValue& report) {
  Items found;
  if (const JsonValue* items = report.find("frames")) {
    for (const JsonValue& item : items->items) found[item.text_or("part", "") + "." + item.text_or("name", "")] = &item;
  }
  return found;
}

std::string added_text(const JsonValue& item, std::string_view element) {
  if (element == "part") return fmt::format("{} kg", format_rounded(item.number_or("mass", 0.0)));
  return fmt::format("{} between {}", item.text_or("type", ""), join(item.texts("between"), " and "));
}

}  // namespace

std::vector<ImportChange> import_changes(const JsonValue& before, const JsonValue& after) {
  std::vector<ImportChange> changes;
  std::map<std::string, std::string> new_names;
  const JsonValue* update = after.find("update");
  if (const JsonValue* renamed = update == nullptr ? nullptr : update->find("renamed")) {
    for (const JsonValue& one : renamed->items) {
      new_names[one.text_or("from", "")] = one.text_or("to", "");
      changes.push_back({"renamed", "part", one.text_or("from", ""), "is now called " + one.text_or("to", "")});
    }
  }
  const auto compare = [&](const char* element, const Items& old_items, Items items, const auto& difference) {
    for (const auto& [name, item] : old_items) {
      const auto other = new_names.find(name);
      const auto now = items.find(other == new_names.end() ? name : other->second);
      if (now == items.end()) {
        changes.push_back({"removed", element, name, added_text(*item, element)});
        continue;
      }
      if (const std::string text = difference(*item, *now->second); !text.empty()) {
        changes.push_back({"changed", element, now->first, text});
      }
      items.erase(now);
    }
    for (const auto& [name, item] : items) changes.push_back({"added", element, name, added_text(*item, element)});
  };
  compare("part", items_by(before, "placed", "path"), items_by(after, "placed", "path"), part_text);
  const Items old_frames = frames_by_path(before), frames = frames_by_path(after);
  compare("joint", items_by(before, "joints", "name"), items_by(after, "joints", "name"),
          [&](const JsonValue& a, const JsonValue& b) { return joint_text(a, b, old_frames, frames); });
  if (update != nullptr) {
    for (const std::string& name : update->texts("keptJoints")) {
      changes.push_back({"kept", "joint", name, "its surfaces are there, but do not meet as drawn"});
    }
    for (const std::string& doubt : update->texts("doubts")) changes.push_back({"look", "", "", doubt});
  }
  return changes;
}

std::string changes_text(const std::vector<ImportChange>& changes) {
  if (changes.empty()) return "nothing has changed\n\n";
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), kMostLines); ++i) {
    const ImportChange& change = changes[i];
    text += change.element.empty()
                ? fmt::format("{:<14}{}\n", change.what, change.text)
                : fmt::format("{:<14}{} {}: {}\n", change.what, change.element, change.name, change.text);
  }
  if (changes.size() > kMostLines) {
    text += fmt::format("... and {} more changes (--json lists them)\n", changes.size() - kMostLines);
  }
  return text + "\n";
}

void write_changes(JsonWriter& json, const std::vector<ImportChange>& changes) {
  json.begin_array();
  for (const ImportChange& change : changes) {
    json.begin_object().member("what", change.what).member("element", change.element).member("name", change.name);
    json.member("text", change.text).end_object();
  }
  json.end_array();
}

}  // namespace gelenk::app
