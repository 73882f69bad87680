// Maps whose keys are names of the model or of joint coordinates, and the few values with forms of their own.
#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/text.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/named_values.h"
#include "gelenk/model/reader_detail.h"

namespace gelenk::model::reading {
namespace {

// Values of a map with names that are not keys of the format, as objects of `type` with one property.
Object named_value(const Node::Entry& entry, const ObjectType& type, const Field& field, Value value) {
  Object result{&type, entry.key, entry.key_range, entry.value.range, {}};
  result.properties.push_back({&field, entry.key_range, std::move(value)});
  return result;
}

}  // namespace

void Reader::report_unknown_coordinate(const Node::Entry& entry, const ObjectType& joint) {
  std::vector<std::string> names;
  for (const Coordinate& coordinate : joint.coordinates) {
    names.emplace_back(coordinate.name);
    names.emplace_back(coordinate.rate);
  }
  std::string hint = did_you_mean(entry.key, names);
  if (hint.empty())
    hint = names.empty() ? "it has no coordinates" : "its coordinates and rates are " + join(names, ", ");
  diagnostics_.error(Code::unknown_coordinate, entry.key_range,
                     fmt::format("a {} joint has no coordinate '{}'", joint.name, entry.key), hint);
}

std::optional<Value> Reader::coordinates(const Node& node, const ObjectType& joint) {
  if (!scalars_.expect(node, Node::Kind::map, "a map of coordinates such as {angle: 30 deg}")) return std::nullopt;
  Value::Objects objects;
  for (const Node::Entry& entry : node.entries) {
    const NamedField* field = coordinate_field(joint, entry.key);
    if (field == nullptr) {
      report_unknown_coordinate(entry, joint);
      continue;
    }
    Field named = field->field;
    named.key = entry.key;  // messages then say 'angle', not 'value'
    std::optional<Value> read = value(entry.value, named, nullptr);
    if (read) objects.push_back(named_value(entry, kNamedValueType, field->field, *std::move(read)));
  }
  return made(node, std::move(objects));
}

std::optional<Value> Reader::limits(const Node& node, const ObjectType& joint) {
  if (!scalars_.expect(node, Node::Kind::map, "a map such as {angle: {min: -30 deg, max: 30 deg}}"))
    return std::nullopt;
  Value::Objects objects;
  for (const Node::Entry& entry : node.entries) {
    const ObjectType* type = limit_type(joint, entry.key);
    if (type == nullptr) {
      report_unknown_coordinate(entry, joint);
      continue;
    }
    if (!scalars_.expect(entry.value, Node::Kind::map, "a map {min: ..., max: ...}")) continue;
    objects.push_back(object(entry.value, *type, nullptr));
    objects.back().name = entry.key;
    objects.back().name_range = entry.key_range;
  }
  return made(node, std::move(objects));
}

std::optional<Value> Reader::settings(const Node& node) {
  if (!scalars_.expect(node, Node::Kind::map, "a map of parameters such as {k: 40 kN/m}")) return std::nullopt;
  Value::Objects objects;
  for (const Node::Entry& entry : node.entries) {
    std::optional<Value> read = number(entry.value, kNamedNumberField);
    if (read) objects.push_back(named_value(entry, kNamedValueType, kNamedNumberField, *std::move(read)));
  }
  return made(node, std::move(objects));
}

std::optional<Value> Reader::signals(const Node& node) {
  if (!scalars_.expect(node, Node::Kind::map, "a map of inputs such as {voltage: =12 V * sin(time / 1 s)}")) {
    return std::nullopt;
  }
  Value::Objects objects;
  for (const Node::Entry& entry : node.entries) {
    std::optional<Value> read = signal(entry.value, kNamedSignalField);
    if (read) objects.push_back(named_value(entry, kNamedValueType, kNamedSignalField, *std::move(read)));
  }
  return made(node, std::move(objects));
}

std::optional<Value> Reader::display(const Node& node) {
  if (!scalars_.expect(node, Node::Kind::map, "a map of units such as {length: mm, angle: deg}")) return std::nullopt;
  Value::Objects objects;
  for (const Node::Entry& entry : node.entries) {
    const auto known = display_keys();
    const auto it = std::find_if(known.begin(), known.end(), [&](const DisplayKey& k) { return k.key == entry.key; });
    if (it == known.end()) {
      std::vector<std::string> names;
      for (const DisplayKey& key : known) names.emplace_back(key.key);
      std::string hint = did_you_mean(entry.key, names);
      if (hint.empty()) hint = "one of " + join(names, ", ");
      diagnostics_.error(Code::unknown_key, entry.key_range, fmt::format("unknown quantity '{}'", entry.key), hint);
      continue;
    }
    if (!scalars_.expect(entry.value, Node::Kind::scalar, "a unit")) continue;
    const UnitParse parsed = parse_unit(entry.value.text);
    if (!parsed.unit) {
      diagnostics_.error(Code::unknown_unit, entry.value.range, parsed.error,
                         parsed.suggestion.empty() ? "" : fmt::format("did you mean '{}'?", parsed.suggestion));
    } else if (!(parsed.unit->dimension == quantity_info(it->quantity).dimension)) {
      diagnostics_.error(Code::wrong_dimension, entry.value.range,
                         fmt::format("'{}' is not a unit of {}", entry.value.text, quantity_info(it->quantity).name),
                         fmt::format("use a unit such as {}", quantity_info(it->quantity).si_symbol));
    } else {
      objects.push_back(named_value(entry, kNamedValueType, kNamedTextField, made(entry.value, entry.value.text)));
    }
  }
  return made(node, std::move(objects));
}

std::optional<Value> Reader::gravity(const Node& node, const Field& field) {
  if (node.is_list()) return number_list(node, field, 3);
  if (node.is_scalar() && (node.text == "none" || node.text == "earth")) return made(node, node.text);
  const Node::Entry* center = node.is_map() && node.entries.size() == 1 ? node.find("point") : nullptr;
  if (center != nullptr) return nested(center->value, kPointGravityType);
  diagnostics_.error(Code::wrong_kind, node.range, "gravity is `none`, `earth`, three accelerations, or {point: {...}}",
                     "for example [0, 0, -9.81 m/s^2]");
  return std::nullopt;
}

}  // namespace gelenk::model::reading
