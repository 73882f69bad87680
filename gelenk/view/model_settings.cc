#include "gelenk/view/model_settings.h"

#include <algorithm>

#include "gelenk/base/json.h"
#include "gelenk/base/text.h"
#include "gelenk/export/flat_json.h"

namespace gelenk::view {
namespace {

using model::DriverNode;

std::optional<NamedUnit> display_unit(const model::Machine& machine, Quantity quantity) {
  for (const auto& [known, symbol] : machine.display) {
    if (known != quantity || quantity == Quantity::any) continue;
    if (const UnitParse parsed = parse_unit(symbol); parsed.unit) return NamedUnit{symbol, *parsed.unit};
  }
  return std::nullopt;
}

NamedUnit unit_of_quantity(const model::Machine& machine, Quantity quantity) {
  if (std::optional<NamedUnit> unit = display_unit(machine, quantity)) return *std::move(unit);
  if (quantity == Quantity::angle) return {"deg", *parse_unit("deg").unit};
  const QuantityInfo& info = quantity_info(quantity);
  return {std::string(info.si_symbol), Unit{.dimension = info.dimension}};
}

// The unit behind a number, as its author wrote it: "45 kN/m".
std::optional<NamedUnit> written_unit(std::string_view text, const Dimension& dimension) {
  text = trim(text);
  for (const char quote : {'"', '\''}) {
    if (text.size() > 1 && text.front() == quote && text.back() == quote) text = text.substr(1, text.size() - 2);
  }
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t length = number_length(text);
  const std::string_view symbol = trim(text.substr(length));
  if (length == 0 || symbol.empty()) return std::nullopt;
  const UnitParse parsed = parse_unit(symbol);
  if (!parsed.unit || !(parsed.unit->dimension == dimension)) return std::nullopt;
  return NamedUnit{std::string(symbol), *parsed.unit};
}

// As the model wants to be shown, else as the parameter was written, else SI.
NamedUnit unit_of(const model::ParameterValue& parameter, const model::Machine& machine, const SourceMap& sources) {
  if (parameter.dimension.is_none()) return {};
  const Quantity quantity = quantity_of(parameter.dimension);
  if (std::optional<NamedUnit> unit = display_unit(machine, quantity)) return *std::move(unit);
  if (const std::string* symbol = parameter.source->text("unit")) {
    if (const UnitParse parsed = parse_unit(*symbol); parsed.unit) return {*symbol, *parsed.unit};
  }
  if (const model::Value* value = parameter.source->value("value")) {
    if (std::optional<NamedUnit> unit = written_unit(sources.text(value->range), parameter.dimension)) {
      return *std::move(unit);
    }
  }
  if (quantity == Quantity::any) return {parameter.dimension.text(), Unit{.dimension = parameter.dimension}};
  return unit_of_quantity(machine, quantity);
}

void add_parameters(const model::Machine& machine, const SourceMap& sources, std::vector<Setting>& list) {
  for (const model::AssemblyNode& assembly : machine.assemblies) {
    for (const model::ParameterValue& parameter : assembly.parameters) {
      if (list.size() == kMostSettings) return;
      Setting& setting = list.emplace_back();
      setting.path = assembly.path.empty() ? parameter.name : assembly.path + "." + parameter.name;
      setting.value = parameter.value;
      setting.min = parameter.min;
      setting.max = parameter.max;
      setting.shown = unit_of(parameter, machine, sources);
      if (const std::string* doc = parameter.source->text("doc")) setting.doc = *doc;
      const std::string* unit = parameter.source->text("unit");
      if (const UnitParse parsed = parse_unit(unit == nullptr ? "" : *unit); unit != nullptr && parsed.unit) {
        setting.bare = *parsed.unit;
      }
    }
  }
}

bool is_driven(const model::Machine& machine, std::size_t joint, std::size_t coordinate, bool is_rate) {
  return std::any_of(machine.drivers.begin(), machine.drivers.end(), [&](const DriverNode& driver) {
    if (!driver.drives.joint.is_set() || driver.drives.joint.index() != joint || driver.drives.coordinate != coordinate)
      return false;
    return driver.level == DriverNode::Level::position || (driver.level == DriverNode::Level::rate && is_rate);
  });
}

Setting start_of(const model::Machine& machine, const model::JointNode& joint, std::size_t coordinate, bool is_rate) {
  const model::Coordinate& known = joint.type->coordinates[coordinate];
  Setting setting;
  setting.path = joint.path + "." + std::string(is_rate ? known.rate : known.name);
  setting.shown = unit_of_quantity(machine, is_rate ? known.rate_quantity() : known.quantity());
  for (const model::CoordinateStart& start : joint.start) {
    if (start.coordinate == coordinate && start.is_rate == is_rate) setting.value = start.value[0];
  }
  for (const model::CoordinateLimit& limit : joint.limits) {
    if (limit.coordinate != coordinate || limit.is_rate != is_rate) continue;
    setting.min = limit.min;
    setting.max = limit.max;
  }
  return setting;
}

void add_starts(const model::Machine& machine, std::vector<Setting>& list) {
  for (std::size_t j = 0; j < machine.joints.size(); ++j) {
    const model::JointNode& joint = machine.joints[j];
    if (joint.type == nullptr) continue;  // of a model with errors
    for (std::size_t c = 0; c < joint.type->coordinates.size(); ++c) {
      if (joint.type->coordinates[c].motion == model::Coordinate::Motion::orientation) continue;
      for (const bool is_rate : {false, true}) {
        if (list.size() == kMostSettings) return;
        if (!is_driven(machine, j, c, is_rate)) list.push_back(start_of(machine, joint, c, is_rate));
      }
    }
  }
}

void write_settings(JsonWriter& json, std::string_view key, const std::vector<Setting>& list) {
  json.key(key).begin_array();
  for (const Setting& setting : list) {
    json.begin_object().member("path", setting.path);
    if (!setting.doc.empty()) json.member("doc", setting.doc);
    const std::pair<std::string_view, const std::optional<double>&> numbers[] = {
        {"value", setting.value}, {"min", setting.min}, {"max", setting.max}};
    for (const auto& [name, number] : numbers) {
      if (number) json.member(name, *number);
    }
    json.member("unit", setting.shown.symbol).member("factor", setting.shown.unit.factor);
    if (setting.shown.unit.offset != 0.0) json.member("offset", setting.shown.unit.offset);
    if (setting.is_set) json.member("isSet", true);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

ModelSettings settings_of(const model::Machine& machine, const SourceMap& sources, double duration) {
  ModelSettings settings;
  add_parameters(machine, sources, settings.parameters);
  add_starts(machine, settings.starts);
  settings.duration = machine.simulation.duration.value_or(duration);
  return settings;
}

std::string shown_text(const Setting& setting, double value) {
  constexpr int kDigits = 5;
  const NamedUnit& shown = setting.shown;
  const std::string number = format_rounded((value - shown.unit.offset) / shown.unit.factor, kDigits);
  return shown.symbol.empty() ? number : number + " " + shown.symbol;
}

std::string open_scene(std::string scene) {
  scene.erase(scene.rfind('}'));
  return scene;
}

std::string model_member(const ModelSettings& settings, std::string_view file, std::size_t version) {
  JsonWriter json;
  json.begin_object().member("file", file).member("version", version);
  write_settings(json, "parameters", settings.parameters);
  write_settings(json, "starts", settings.starts);
  json.member("duration", settings.duration);
  if (settings.own_duration) json.member("ownDuration", *settings.own_duration);
  return ",\"model\":" + exporting::flat_json(json.end_object().take()) + "}\n";
}

}  // namespace gelenk::view
