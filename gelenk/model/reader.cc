#include "gelenk/model/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "gelenk/base/text.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/named_values.h"
#include "gelenk/model/part_types.h"
#include "gelenk/model/scalar_reader.h"

namespace gelenk::model {
namespace {

using expression::Expression;

// A flow list or map with an expression that YAML cut apart is already reported by the text layer.
class Reader {
 public:
  Reader(const SourceMap& sources, Diagnostics& diagnostics)
      : sources_(sources), diagnostics_(diagnostics), scalars_{sources, diagnostics} {}

  Object object(const Node& node, const ObjectType& type, const Family* family);
  std::optional<Value> value(const Node& node, const Field& field, const ObjectType* owner);

 private:
  std::optional<Value> number(const Node& node, const Field& field);
  std::optional<Value> signal(const Node& node, const Field& field);
  std::optional<Value> number_list(const Node& node, const Field& field, std::optional<std::size_t> size);
  std::optional<Value> direction(const Node& node, const Field& field);
  std::optional<Value> pair(const Node& node);
  std::optional<Value> path(const Node& node);
  std::optional<Value> point(const Node& node, const Field& field);
  std::optional<Value> placement(const Node& node, const Field& field);
  std::optional<Value> nested(const Node& node, const ObjectType& type);
  std::optional<Value> tagged(const Node& node, const Family& family);
  std::optional<Value> section(const Node& node, const Field& field);
  std::optional<Value> coordinates(const Node& node, const ObjectType& joint);
  std::optional<Value> limits(const Node& node, const ObjectType& joint);
  std::optional<Value> settings(const Node& node);
  std::optional<Value> display(const Node& node);
  std::optional<Value> gravity(const Node& node, const Field& field);

  const ObjectType* chosen_type(const Node& node, const Family& family);
  void read_fields(Object& object, const Node& node, const Family* family);
  void report_unknown_key(const Node::Entry& entry, const ObjectType& type, const Family* family);
  bool check_name(const Node::Entry& entry);
  void find_unbound_coordinate(const Node::Entry& entry, const ObjectType& joint);
  std::string path_of(const std::string& name) const {
    return diagnostics_.element().empty() ? name : diagnostics_.element() + "." + name;
  }

  const SourceMap& sources_;
  Diagnostics& diagnostics_;
  ScalarReader scalars_;
};

Value made(const Node& node, auto data) {
  Value result;
  result.data = std::move(data);
  result.range = node.range;
  return result;
}

// Values of a map with names that are not keys of the format, as objects of `type` with one property.
Object named_value(const Node::Entry& entry, const ObjectType& type, const Field& field, Value value) {
  Object result{&type, entry.key, entry.key_range, entry.value.range, {}};
  result.properties.push_back({&field, entry.key_range, std::move(value)});
  return result;
}

std::optional<Value> Reader::number(const Node& node, const Field& field) {
  std::optional<Expression> formula = scalars_.number(node, field);
  if (!formula) return std::nullopt;
  Value result = made(node, *std::move(formula));
  if (!node.text.empty() && node.text.front() == '=') result.formula_begin = scalars_.offset_of(node, 1);
  result.is_bare = parse_number(trim(node.text)).has_value();
  return result;
}

std::optional<Value> Reader::signal(const Node& node, const Field& field) {
  if (node.is_map()) {
    const Node::Entry* table = node.find("table");
    if (table != nullptr && node.entries.size() == 1) return nested(table->value, kTableType);
    diagnostics_.error(Code::wrong_kind, node.range, "a number, an expression, or {table: {...}} expected");
    return std::nullopt;
  }
  if (field.refers_to == Refers::channel) {
    std::optional<Expression> formula = scalars_.channel_or_formula(node);
    if (!formula) return std::nullopt;
    Value result = made(node, *std::move(formula));
    result.formula_begin = scalars_.offset_of(node, node.text.front() == '=' ? 1 : 0);
    return result;
  }
  return number(node, field);
}

std::optional<Value> Reader::number_list(const Node& node, const Field& field, std::optional<std::size_t> size) {
  if (!scalars_.expect(node, Node::Kind::list, size ? "a list of three values" : "a list of numbers")) {
    return std::nullopt;
  }
  if (size && node.items.size() != *size) {
    diagnostics_.error(Code::wrong_length, node.range,
                       fmt::format("'{}' needs {} values, but has {}", field.key, *size, node.items.size()));
    return std::nullopt;
  }
  Value::List list;
  for (const Node& item : node.items) {
    std::optional<Value> element = number(item, field);
    if (!element) return std::nullopt;
    list.push_back(*std::move(element));
  }
  return made(node, std::move(list));
}

std::optional<Value> Reader::direction(const Node& node, const Field& field) {
  if (scalars_.is_named_direction(node)) return made(node, node.text);
  if (node.is_scalar()) {
    diagnostics_.error(Code::wrong_kind, node.range, fmt::format("'{}' is not a direction", node.text),
                       "write x, y, z, -x, -y, -z or three numbers such as [1, 0, 1]");
    return std::nullopt;
  }
  static constexpr Field kPure{.key = "direction", .kind = FieldKind::vector, .quantity = Quantity::number};
  Field pure = kPure;
  pure.key = field.key;
  return number_list(node, pure, 3);
}

std::optional<Value> Reader::path(const Node& node) {
  std::optional<std::string> name = scalars_.path(node);
  if (!name) return std::nullopt;
  return made(node, *std::move(name));
}

std::optional<Value> Reader::pair(const Node& node) {
  if (!scalars_.expect(node, Node::Kind::list, "two names such as [crank.pin, rod]")) return std::nullopt;
  if (node.items.size() != 2) {
    diagnostics_.error(Code::wrong_length, node.range,
                       fmt::format("two names are needed, but there are {}", node.items.size()),
                       "write [first, second]");
    return std::nullopt;
  }
  Value::List list;
  for (const Node& item : node.items) {
    std::optional<Value> name = path(item);
    if (!name) return std::nullopt;
    list.push_back(*std::move(name));
  }
  return made(node, std::move(list));
}

std::optional<Value> Reader::point(const Node& node, const Field& field) {
  return node.is_scalar() ? path(node) : number_list(node, field, 3);
}

std::optional<Value> Reader::placement(const Node& node, const Field& field) {
  return node.is_map() ? nested(node, kPlacementType) : point(node, field);
}

std::optional<Value> Reader::nested(const Node& node, const ObjectType& type) {
  if (!scalars_.expect(node, Node::Kind::map, fmt::format("a map with the keys of {}", type.name))) {
    return std::nullopt;
  }
  Value::Objects objects;
  objects.push_back(object(node, type, nullptr));
  return made(node, std::move(objects));
}

std::optional<Value> Reader::tagged(const Node& node, const Family& family) {
  Value::Objects objects;
  const auto read_one = [&](const Node& one) {
    if (!scalars_.expect(one, Node::Kind::map,
                         fmt::format("a {} such as {{{}: {{...}}}}", family.name, family.types[0]->name))) {
      return;
    }
    if (one.entries.size() != 1) {
      diagnostics_.error(
          Code::wrong_length, one.range,
          fmt::format("exactly one {} is expected here, but there are {} keys", family.name, one.entries.size()),
          "write a list of shapes: [{box: {...}}, {cylinder: {...}}]");
      return;
    }
    const Node::Entry& entry = one.entries.front();
    const ObjectType* type = family.find(entry.key);
    if (type == nullptr) {
      std::vector<std::string> names;
      for (const ObjectType* known : family.types) names.emplace_back(known->name);
      std::string hint = did_you_mean(entry.key, names);
      if (hint.empty()) hint = "one of " + join(names, ", ");
      diagnostics_.error(Code::unknown_type, entry.key_range, fmt::format("unknown {} '{}'", family.name, entry.key),
                         hint);
      return;
    }
    if (!scalars_.expect(entry.value, Node::Kind::map, fmt::format("a map with the keys of {}", type->name))) return;
    objects.push_back(object(entry.value, *type, nullptr));
    objects.back().name_range = entry.key_range;
  };
  if (node.is_list()) {
    for (const Node& item : node.items) read_one(item);
  } else {
    read_one(node);
  }
  return made(node, std::move(objects));
}

bool Reader::check_name(const Node::Entry& entry) {
  if (!is_valid_name(entry.key)) {
    diagnostics_.error(Code::bad_name, entry.key_range, fmt::format("'{}' cannot be a name", entry.key),
                       "names begin with a letter or '_' and have letters, digits, '_' and '-'");
    return false;
  }
  if (is_reserved_name(entry.key)) {
    diagnostics_.error(Code::bad_name, entry.key_range,
                       fmt::format("'{}' has a meaning of its own and cannot be a name", entry.key));
    return false;
  }
  return true;
}

const ObjectType* Reader::chosen_type(const Node& node, const Family& family) {
  const Node::Entry* entry = node.find("type");
  std::vector<std::string> names;
  for (const ObjectType* known : family.types) names.emplace_back(known->name);
  if (entry == nullptr) {
    diagnostics_.error(Code::missing_key, node.range, fmt::format("a {} needs a 'type'", family.name),
                       "one of " + join(names, ", "));
    return nullptr;
  }
  if (!scalars_.expect(entry->value, Node::Kind::scalar, "the name of a type")) return nullptr;
  const ObjectType* type = family.find(entry->value.text);
  if (type == nullptr) {
    std::string hint = did_you_mean(entry->value.text, names);
    if (hint.empty()) hint = "one of " + join(names, ", ");
    diagnostics_.error(Code::unknown_type, entry->value.range,
                       fmt::format("unknown type of {} '{}'", family.name, entry->value.text), hint);
  }
  return type;
}

std::optional<Value> Reader::section(const Node& node, const Field& field) {
  Value::Objects objects;
  if (node.is_null()) return made(node, std::move(objects));
  if (!scalars_.expect(node, Node::Kind::map, fmt::format("a map of names for '{}'", field.key))) return std::nullopt;
  const std::string kind(field.family != nullptr ? field.family->name : field.object->name);
  for (const Node::Entry& entry : node.entries) {
    if (!check_name(entry)) continue;
    const ElementScope scope(diagnostics_, path_of(entry.key), kind);
    const ObjectType* type = field.object;
    if (field.family != nullptr) {
      if (!scalars_.expect(entry.value, Node::Kind::map,
                           fmt::format("a map such as {{type: {}, ...}}", field.family->types[0]->name)))
        continue;
      type = chosen_type(entry.value, *field.family);
      if (type == nullptr) continue;
    }
    Object element = object(entry.value, *type, field.family);
    element.name = entry.key;
    element.name_range = entry.key_range;
    objects.push_back(std::move(element));
  }
  return made(node, std::move(objects));
}

void Reader::find_unbound_coordinate(const Node::Entry& entry, const ObjectType& joint) {
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
      find_unbound_coordinate(entry, joint);
      continue;
    }
    std::optional<Value> read = value(entry.value, field->field, nullptr);
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
      find_unbound_coordinate(entry, joint);
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
                         fmt::format("'{}' is not a unit of {}", entry.value.text, quantity_info(it->quantity).name));
    } else {
      objects.push_back(named_value(entry, kNamedValueType, kNamedTextField, made(entry.value, entry.value.text)));
    }
  }
  return made(node, std::move(objects));
}

std::optional<Value> Reader::gravity(const Node& node, const Field& field) {
  if (node.is_list()) return number_list(node, field, 3);
  if (node.is_scalar() && node.text == "none") return made(node, node.text);
  const Node::Entry* center = node.is_map() && node.entries.size() == 1 ? node.find("point") : nullptr;
  if (center != nullptr) return nested(center->value, kPointGravityType);
  diagnostics_.error(Code::wrong_kind, node.range, "gravity is `none`, three accelerations, or {point: {...}}",
                     "for example [0, 0, -9.81 m/s^2]");
  return std::nullopt;
}

std::optional<Value> Reader::value(const Node& node, const Field& field, const ObjectType* owner) {
  switch (field.kind) {
    case FieldKind::number:
      return number(node, field);
    case FieldKind::signal:
      return signal(node, field);
    case FieldKind::vector:
      return number_list(node, field, 3);
    case FieldKind::numbers:
      return number_list(node, field, std::nullopt);
    case FieldKind::direction:
      return direction(node, field);
    case FieldKind::text:
      if (!scalars_.expect(node, Node::Kind::scalar, "text")) return std::nullopt;
      return made(node, node.text);
    case FieldKind::flag: {
      const std::optional<bool> flag = scalars_.flag(node);
      if (!flag) return std::nullopt;
      return made(node, *flag);
    }
    case FieldKind::choice: {
      std::optional<std::string> choice = scalars_.choice(node, field.choices);
      if (!choice) return std::nullopt;
      return made(node, *std::move(choice));
    }
    case FieldKind::reference:
      // Files have paths with dots and slashes, materials may have any name.
      if (field.refers_to == Refers::definition || field.refers_to == Refers::material) {
        if (!scalars_.expect(node, Node::Kind::scalar, "a name")) return std::nullopt;
        return made(node, node.text);
      }
      return path(node);
    case FieldKind::pair:
      return pair(node);
    case FieldKind::point:
      return point(node, field);
    case FieldKind::placement:
      return placement(node, field);
    case FieldKind::object:
      return nested(node, *field.object);
    case FieldKind::tagged:
      return tagged(node, *field.family);
    case FieldKind::section:
    case FieldKind::typed_section:
      return section(node, field);
    case FieldKind::coordinates:
      return owner == nullptr ? std::nullopt : coordinates(node, *owner);
    case FieldKind::limits:
      return owner == nullptr ? std::nullopt : limits(node, *owner);
    case FieldKind::settings:
      return settings(node);
    case FieldKind::units:
      return display(node);
    case FieldKind::gravity:
      return gravity(node, field);
    case FieldKind::free:
      return made(node, node);
  }
  return std::nullopt;
}

void Reader::report_unknown_key(const Node::Entry& entry, const ObjectType& type, const Family* family) {
  std::vector<std::string> keys;
  for_each_field(type, family, [&](const Field& field) { keys.emplace_back(field.key); });
  std::string hint = did_you_mean(entry.key, keys);
  if (hint.empty()) hint = "it takes " + join(keys, ", ");
  diagnostics_.error(Code::unknown_key, entry.key_range, fmt::format("{} has no key '{}'", type.name, entry.key), hint);
}

void Reader::read_fields(Object& result, const Node& node, const Family* family) {
  for (const Node::Entry& entry : node.entries) {
    const Field* found = nullptr;
    for_each_field(*result.type, family, [&](const Field& field) {
      if (field.key == entry.key) found = &field;
    });
    if (found == nullptr) {
      report_unknown_key(entry, *result.type, family);
      continue;
    }
    if (entry.value.is_null() && found->kind != FieldKind::section && found->kind != FieldKind::typed_section &&
        found->kind != FieldKind::free) {
      diagnostics_.error(Code::wrong_kind, entry.key_range, fmt::format("'{}' has no value", entry.key),
                         "give it one or leave the key out");
      continue;
    }
    std::optional<Value> read = value(entry.value, *found, result.type);
    if (read) result.properties.push_back({found, entry.key_range, *std::move(read)});
  }
  for_each_field(*result.type, family, [&](const Field& field) {
    if (!field.required || node.find(field.key) != nullptr) return;
    diagnostics_.error(
        Code::missing_key,
        diagnostics_.element().empty() ? SourceRange{node.range.file, node.range.begin, node.range.begin} : node.range,
        fmt::format("{} needs a '{}'", result.type->name, field.key), std::string(field.doc));
  });
}

Object Reader::object(const Node& node, const ObjectType& type, const Family* family) {
  Object result;
  result.type = &type;
  result.range = node.range;
  if (node.is_map()) {
    // A placement is a map, too: `frames: {pin: {position: [...]}}` is not the shorthand, it is a missing `at:`.
    read_fields(result, node, family);
    return result;
  }
  const Field* shorthand = nullptr;
  for_each_field(type, family, [&](const Field& field) {
    if (!type.shorthand.empty() && field.key == type.shorthand) shorthand = &field;
  });
  if (shorthand == nullptr || node.is_null()) {
    const bool all_optional =
        std::none_of(type.fields.begin(), type.fields.end(), [](const Field& f) { return f.required; });
    if (node.is_null() && all_optional) return result;
    diagnostics_.error(
        Code::wrong_kind, node.range,
        fmt::format("a map with the keys of {} expected, but this is {}", type.name, kind_name(node.kind)));
    return result;
  }
  std::optional<Value> read = value(node, *shorthand, &type);
  if (read) result.properties.push_back({shorthand, node.range, *std::move(read)});
  return result;
}

}  // namespace

bool is_reserved_name(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kReserved{"ground", "time", "previous", "index", "pi", "world"};
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

Object read_object(const Node& node, const ObjectType& type, const SourceMap& sources, Diagnostics& diagnostics) {
  return Reader(sources, diagnostics).object(node, type, nullptr);
}

Value read_value(const Node& node, const Field& field, const SourceMap& sources, Diagnostics& diagnostics) {
  return Reader(sources, diagnostics).value(node, field, nullptr).value_or(Value{});
}

}  // namespace gelenk::model
