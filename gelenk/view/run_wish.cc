#include "gelenk/view/run_wish.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gelenk/base/json_reader.h"
#include "gelenk/base/text.h"

namespace gelenk::view {
namespace {

const Setting* find_setting(const std::vector<Setting>& list, std::string_view path) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Setting& each) { return each.path == path; });
  return found == list.end() ? nullptr : &*found;
}

std::string limit_problem(const Setting& setting, double value) {
  const auto text = [&](std::string_view limit, double bound) {
    return fmt::format("'{}' is {}, but its {} is {}", setting.path, shown_text(setting, value), limit,
                       shown_text(setting, bound));
  };
  if (setting.min && value < *setting.min) return text("minimum", *setting.min);
  if (setting.max && value > *setting.max) return text("maximum", *setting.max);
  return {};
}

bool read_changes(const JsonValue& wish, std::string_view key, std::string_view kind, const std::vector<Setting>& known,
                  std::vector<Change>& changes, std::string& error) {
  const JsonValue* given = wish.find(key);
  if (given == nullptr) return true;
  if (given->kind != JsonValue::Kind::object) {
    error = fmt::format("'{}' must be an object", key);
    return false;
  }
  for (const JsonMember& member : given->members) {
    const Setting* setting = find_setting(known, member.name);
    if (setting == nullptr) {
      error = fmt::format("the model has no {} {}", kind, shown(member.name));
    } else if (member.value.kind != JsonValue::Kind::number) {
      error = fmt::format("'{}' must be a number", member.name);
    } else {
      error = limit_problem(*setting, member.value.number);
    }
    if (!error.empty()) return false;
    changes.push_back({member.name, member.value.number});
  }
  return true;
}

// The number that is read back as the value, or as the nearest one within the limits.
double bare_number(const Setting& setting, double value) {
  const Unit& unit = setting.bare;
  double number = (value - unit.offset) / unit.factor;
  const auto read_back = [&] { return number * unit.factor + unit.offset; };
  constexpr int kMostSteps = 4;  // rounding of a division and a product
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostSteps && setting.max && read_back() > *setting.max; ++i) {
    number = std::nextafter(number, unit.factor > 0.0 ? -kInfinity : kInfinity);
  }
  for (int i = 0; i < kMostSteps && setting.min && read_back() < *setting.min; ++i) {
    number = std::nextafter(number, unit.factor > 0.0 ? kInfinity : -kInfinity);
  }
  return number;
}

void forget(std::vector<Change>& changes, const std::vector<Setting>& known) {
  std::erase_if(changes, [&](const Change& change) {
    const Setting* setting = find_setting(known, change.path);
    return setting == nullptr || !limit_problem(*setting, change.value).empty();
  });
}

void mark(const std::vector<Change>& changes, std::vector<Setting>& known) {
  for (Setting& setting : known) {
    setting.is_set =
        std::any_of(changes.begin(), changes.end(), [&](const Change& change) { return change.path == setting.path; });
  }
}

}  // namespace

std::optional<RunWish> read_wish(std::string_view text, const ModelSettings& settings, std::string& error) {
  constexpr std::size_t kMostDepth = 4;
  constexpr std::size_t kMostValues = 4 * kMostSettings;
  const std::optional<JsonValue> json =
      read_json(text, error, {.max_bytes = kMostWishBytes, .max_depth = kMostDepth, .max_values = kMostValues});
  if (!json || json->kind != JsonValue::Kind::object) {
    error = "the request cannot be read";
    return std::nullopt;
  }
  RunWish wish;
  if (!read_changes(*json, "parameters", "parameter", settings.parameters, wish.parameters, error)) return std::nullopt;
  if (!read_changes(*json, "starts", "start value", settings.starts, wish.starts, error)) return std::nullopt;
  if (const JsonValue* duration = json->find("duration");
      duration != nullptr && duration->kind != JsonValue::Kind::null) {
    if (duration->kind != JsonValue::Kind::number || !(duration->number > 0.0)) {
      error = "the duration must be a positive number";
      return std::nullopt;
    }
    wish.duration = duration->number;
  }
  wish.is_kept = json->truth_or("keep", false);
  return wish;
}

void forget_unfit(RunWish& wish, const ModelSettings& settings) {
  forget(wish.parameters, settings.parameters);
  forget(wish.starts, settings.starts);
}

std::vector<std::string> settings_text(const std::vector<Change>& changes, const std::vector<Setting>& known) {
  std::vector<std::string> texts;
  for (const Change& change : changes) {
    const Setting* setting = find_setting(known, change.path);
    if (setting == nullptr) continue;
    texts.push_back(fmt::format("{}={}", change.path, format_number(bare_number(*setting, change.value))));
  }
  return texts;
}

std::string wish_title(const RunWish& wish, const ModelSettings& settings) {
  constexpr std::size_t kMostShown = 3;
  std::vector<std::string> words;
  const auto add_words = [&](const std::vector<Change>& changes, const std::vector<Setting>& known) {
    for (const Change& change : changes) {
      if (const Setting* setting = find_setting(known, change.path)) {
        words.push_back(fmt::format("{}={}", change.path, shown_text(*setting, change.value)));
      }
    }
  };
  add_words(wish.parameters, settings.parameters);
  add_words(wish.starts, settings.starts);
  if (wish.duration) words.push_back(format_rounded(*wish.duration) + " s");
  if (words.size() > kMostShown) {
    words.resize(kMostShown);
    words.emplace_back("...");
  }
  return join(words, ", ");
}

void mark_changes(const RunWish& wish, ModelSettings& settings) {
  mark(wish.parameters, settings.parameters);
  mark(wish.starts, settings.starts);
  settings.own_duration = wish.duration;
}

}  // namespace gelenk::view
