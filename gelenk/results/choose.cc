#include "gelenk/results/choose.h"

#include <algorithm>
#include <unordered_set>

#include "gelenk/base/glob.h"
#include "gelenk/base/name_list.h"
#include "gelenk/base/text.h"
#include "gelenk/base/units.h"
#include "gelenk/results/layout.h"

namespace gelenk::results {
namespace {

ChannelSource source_of(const RecordedChannel& channel) {
  return {channel.name, channel.block, {channel.column}, false, channel.unit, channel.quantity, channel.shown_unit};
}

// "crank.position.x" -> "crank.position" when that is a vector or an orientation.
std::string parent_name(const std::string& name) { return name.substr(0, std::min(name.rfind('.'), name.size())); }

// Full names, names of vectors and paths of elements: whatever a person may have meant.
std::vector<std::string> all_names(const Reader& reader) {
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
  for (const RecordedChannel& channel : reader.channels()) {
    std::string name = channel.name;
    while (known.insert(name).second) {
      names.push_back(name);
      if (name.ends_with(".x")) names.push_back(parent_name(name) + ".magnitude");
      if (name.find('.') == std::string::npos) break;
      name = parent_name(name);
    }
  }
  return names;
}

void add_pattern(const Reader& reader, const std::string& pattern, std::vector<ChannelSource>& found) {
  for (const RecordedChannel& channel : reader.channels()) {
    if (matches_glob(pattern, channel.name)) found.push_back(source_of(channel));
    // Derived channels only for who asks for them.
    if (!channel.name.ends_with(".x") || !pattern.ends_with(".magnitude")) continue;
    const std::string derived = parent_name(channel.name) + ".magnitude";
    if (!matches_glob(pattern, derived)) continue;
    if (const std::optional<ChannelSource> source = reader.find(derived)) found.push_back(*source);
  }
}

std::vector<ChannelSource> find_channels(const Reader& reader, const std::string& name) {
  std::vector<ChannelSource> found;
  if (const std::optional<ChannelSource> source = reader.find(name)) {
    found.push_back(*source);
  } else if (is_glob(name)) {
    add_pattern(reader, name, found);
  } else if (!name.empty()) {
    add_pattern(reader, name + ".*", found);
  }
  return found;
}

// Other words for the magnitude of a vector: no edit leads from "mag" to it.
bool is_word_for_magnitude(std::string_view word) {
  constexpr std::string_view kMagnitude = "magnitude";
  const bool is_begun = word.size() >= 2 && kMagnitude.starts_with(word);
  return is_begun || word == "norm" || word == "abs" || word == "length" || word == "total";
}

// "the channels of 'gas' are force.x, force.y, ...": what there is of the element whose name it begins with.
std::string channels_of_element(const Reader& reader, const std::string& name) {
  constexpr std::size_t kMost = 6;
  for (std::string element = parent_name(name); !element.empty(); element = parent_name(element)) {
    std::vector<std::string> found;
    for (const RecordedChannel& channel : reader.channels()) {
      if (!channel.name.starts_with(element + ".")) continue;
      std::string rest = channel.name.substr(element.size() + 1);
      // Vectors once.
      if (rest.size() > 2 && rest[rest.size() - 2] == '.') rest.resize(rest.size() - 2);
      if (found.empty() || found.back() != rest) found.push_back(std::move(rest));
    }
    if (!found.empty()) return "'" + element + "' has " + list_names(std::move(found), kMost);
    if (parent_name(element) == element) break;
  }
  return {};
}

std::string hint_for(const Reader& reader, const std::string& name) {
  const std::string vector = parent_name(name);
  const std::string derived = vector + ".magnitude";
  if (vector.size() < name.size() && is_word_for_magnitude(std::string_view(name).substr(vector.size() + 1)) &&
      reader.find(derived)) {
    return "did you mean '" + derived + "'?";
  }
  const std::string near = did_you_mean(name, all_names(reader));
  return near.empty() ? channels_of_element(reader, name) : near;
}

}  // namespace

Choice choose_channels(const Reader& reader, std::span<const std::string> names) {
  Choice choice;
  std::unordered_set<std::string> chosen;
  for (const std::string& name : names) {
    const std::vector<ChannelSource> found = find_channels(reader, name);
    for (const ChannelSource& source : found) {
      if (chosen.insert(source.name).second) choice.channels.push_back(source);
    }
    if (!found.empty()) continue;
    choice.error = (is_glob(name) ? "no channel matches " : "there is no channel ") + shown(name);
    if (!is_glob(name)) choice.hint = hint_for(reader, name);
    return choice;
  }
  return choice;
}

std::vector<ChannelSource> all_channels(const Reader& reader) {
  std::vector<ChannelSource> result;
  for (const RecordedChannel& channel : reader.channels()) {
    if (channel.block != 0) result.push_back(source_of(channel));
  }
  return result;
}

std::vector<ChannelSource> output_channels(const Reader& reader) {
  std::vector<ChannelSource> result;
  for (const RecordedChannel& channel : reader.channels()) {
    if (reader.blocks()[channel.block].name == BlockId::output.name()) result.push_back(source_of(channel));
  }
  return result;
}

ShownUnit si_unit(const ChannelSource& channel) { return {channel.unit}; }

ShownUnit display_unit(const Reader& reader, const ChannelSource& channel) {
  // What a file says is not trusted: a unit that does not fit is passed over.
  const auto fitting = [](const std::string& symbol, const Dimension& dimension) -> std::optional<ShownUnit> {
    const UnitParse parsed = parse_unit(symbol);
    if (!parsed.unit || parsed.unit->dimension != dimension) return std::nullopt;
    return ShownUnit{symbol, parsed.unit->factor, parsed.unit->offset};
  };
  if (!channel.shown_unit.empty()) {
    const UnitParse si = parse_unit(channel.unit);
    const std::optional<ShownUnit> own = si.unit ? fitting(channel.shown_unit, si.unit->dimension) : std::nullopt;
    if (own) return *own;
  }
  for (const auto& [quantity, symbol] : reader.header().display) {
    if (quantity != channel.quantity || quantity == Quantity::any) continue;
    if (const std::optional<ShownUnit> unit = fitting(symbol, quantity_info(quantity).dimension)) return *unit;
  }
  // Nobody thinks in radians.
  const Dimension angle = quantity_info(Quantity::angle).dimension;
  const std::optional<ShownUnit> degrees = fitting("deg", angle);
  return channel.quantity == Quantity::angle && degrees ? *degrees : si_unit(channel);
}

}  // namespace gelenk::results
