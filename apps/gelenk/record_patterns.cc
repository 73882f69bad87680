#include "apps/gelenk/record_patterns.h"

#include <fmt/format.h>

#include <set>

#include "gelenk/base/glob.h"
#include "gelenk/base/text.h"
#include "gelenk/results/layout.h"

namespace gelenk::app {
namespace {

bool fits_something(const std::string& pattern, const model::Machine& machine) {
  results::Selection selection;
  selection.patterns = {pattern};
  return !results::make_layout(machine, selection).channels.empty();
}

// Names that the pattern could have been, written in its own form: 'crank.*' for 'crnk.*', '*.angle' for '*.angel'.
std::vector<std::string> alike(const std::string& pattern, const model::Machine& machine) {
  const bool has_open_end = pattern.ends_with(".*");
  const bool has_open_begin = pattern.starts_with("*.");
  std::set<std::string> names;
  for (const results::Channel& channel : results::make_layout(machine).channels) {
    for (const std::string_view component : channel.components()) {
      const std::string name = channel.name + std::string(component);
      names.insert(name);
      for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
        if (has_open_end) names.insert(name.substr(0, dot) + ".*");
        if (has_open_begin) names.insert("*" + name.substr(dot));
        if (has_open_begin && has_open_end) names.insert("*" + name.substr(dot) + ".*");
      }
    }
    names.insert(channel.name);
  }
  return {names.begin(), names.end()};
}

}  // namespace

std::optional<ExitCode> check_record_patterns(const std::vector<std::string>& patterns, const model::Machine& machine,
                                              Console& console) {
  for (const std::string& pattern : patterns) {
    if (fits_something(pattern, machine)) continue;
    const bool is_element = !is_glob(pattern) && fits_something(pattern + ".*", machine);
    std::string hint = is_element ? fmt::format("write '{}.*' for all its channels", pattern)
                                  : did_you_mean(pattern, alike(pattern, machine));
    if (hint.empty()) hint = "a pattern looks like 'piston.*', '*.angle' or 'piston.position.x'";
    return console.fail(ExitCode::usage_error, fmt::format("--record: no channel matches {}", shown(pattern)), hint);
  }
  return std::nullopt;
}

}  // namespace gelenk::app
