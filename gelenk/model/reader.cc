#include "gelenk/model/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "gelenk/base/text.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/foreign_words.h"
#include "gelenk/model/part_types.h"
#include "gelenk/model/reader_detail.h"

namespace gelenk::model {
namespace reading {

using expression::Expression;

namespace {

std::string keys_of(const ObjectType& type) {
  std::vector<std::string> keys;
  for (const Field& field : type.fields) keys.emplace_back(field.key);
  return "it takes " + join(keys, ", ");
}

// Where another program has another word.
std::string called_here(std::string_view word, std::string_view name) {
  return fmt::format("'{}' is called '{}' here", word, name);
}

std::string type_hint(const std::string& word, const Family& family) {
  std::vector<std::string> names;
  for (const ObjectType* known : family.types) {
    if (is_also_called(known->also_called, word)) return called_here(word, known->name);
    names.emplace_back(known->name);
  }
  if (std::string hint = hint_for_type(family, word); !hint.empty()) return hint;
  const std::string near = did_you_mean(word, names);
  return near.empty() ? "one of " + join(names, ", ") : near;
}

void leave_out(Object& owner, const std::string& name) {
  // Beyond, no message is kept that could repeat it.
  if (owner.unread_names.size() < Diagnostics::kMaxKept) owner.unread_names.push_back(name);
}

// Remembers what of `written` did not come into `read`, so that nothing else complains about its absence.
void note_unread(Object& owner, const Node& written, const Field& field, const std::optional<Value>& read) {
  const auto* objects = read ? read->get<Value::Objects>() : nullptr;
  if (field.kind == FieldKind::section || field.kind == FieldKind::typed_section) {
    // Both are in written order.
    std::size_t next = 0;
    for (const Node::Entry& entry : written.entries) {
      if (objects != nullptr && next < objects->size() && (*objects)[next].name == entry.key) {
        ++next;
      } else {
        leave_out(owner, entry.key);
      }
    }
    return;
  }
  if (!read) owner.is_incomplete = true;
  if (objects == nullptr) return;
  for (const Object& object : *objects) owner.is_incomplete = owner.is_incomplete || object.is_incomplete;
}

}  // namespace

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
                       fmt::format("'{}' needs {} values, but has {}", field.key, *size, node.items.size()),
                       "write one each for x, y and z");
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

std::optional<Value> Reader::references(const Node& node) {
  if (!scalars_.expect(node, Node::Kind::list, "a list of names such as [mast.top, hook]")) return std::nullopt;
  if (node.items.empty()) {
    diagnostics_.error(Code::wrong_length, node.range, "at least one name is needed", "write [first, second, ...]");
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
  if (!scalars_.expect(node, Node::Kind::map, fmt::format("a map with the keys of {}", type.name), keys_of(type))) {
    return std::nullopt;
  }
  Value::Objects objects;
  objects.push_back(object(node, type, nullptr));
  return made(node, std::move(objects));
}

std::optional<Value> Reader::tagged(const Node& node, const Family& family) {
  Value::Objects objects;
  std::size_t written = 1;
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
      diagnostics_.error(Code::unknown_type, entry.key_range,
                         fmt::format("there is no {} '{}'", family.name, entry.key), type_hint(entry.key, family));
      return;
    }
    if (!scalars_.expect(entry.value, Node::Kind::map, fmt::format("a map with the keys of {}", type->name),
                         keys_of(*type))) {
      return;
    }
    objects.push_back(object(entry.value, *type, nullptr));
    objects.back().name_range = entry.key_range;
  };
  if (node.is_list()) {
    written = node.items.size();
    for (const Node& item : node.items) read_one(item);
  } else {
    read_one(node);
  }
  if (objects.size() != written) return std::nullopt;  // a body with a piece missing is of no use
  return made(node, std::move(objects));
}

bool Reader::check_name(const Node::Entry& entry) {
  if (!is_valid_name(entry.key)) {
    diagnostics_.error(Code::bad_name, entry.key_range, fmt::format("'{}' cannot be a name", entry.key),
                       "names begin with a letter or '_' and contain only letters, digits, '_' and '-'");
    return false;
  }
  if (is_reserved_name(entry.key) || expression::is_reserved_word(entry.key)) {
    diagnostics_.error(Code::bad_name, entry.key_range,
                       fmt::format("'{}' is reserved and cannot be a name", entry.key));
    return false;
  }
  return true;
}

const ObjectType* Reader::chosen_type(const Node& node, const Family& family) {
  const Node::Entry* entry = node.find("type");
  if (entry == nullptr) {
    std::vector<std::string> names;
    for (const ObjectType* known : family.types) names.emplace_back(known->name);
    diagnostics_.error(Code::missing_key, node.range, fmt::format("{} needs the key 'type'", family.name),
                       "one of " + join(names, ", "));
    return nullptr;
  }
  if (!scalars_.expect(entry->value, Node::Kind::scalar, "the name of a type")) return nullptr;
  const ObjectType* type = family.find(entry->value.text);
  if (type == nullptr) {
    diagnostics_.error(Code::unknown_type, entry->value.range,
                       fmt::format("there is no {} type {}", family.name, shown(entry->value.text)),
                       type_hint(entry->value.text, family));
  }
  return type;
}

std::optional<Value> Reader::section(const Node& node, const Field& field) {
  Value::Objects objects;
  if (node.is_null()) return made(node, std::move(objects));
  if (!scalars_.expect(node, Node::Kind::map, fmt::format("a map of names for '{}'", field.key),
                       "every entry has a name: NAME: {...}")) {
    return std::nullopt;
  }
  std::string kind(field.family != nullptr ? field.family->name : field.object->name);
  if (field.object == &kInstanceType) kind = "assembly";  // the word that people use
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
      std::optional<std::string> choice = scalars_.choice(node, field);
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
    case FieldKind::references:
      return references(node);
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
    case FieldKind::signals:
      return signals(node);
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
  std::string hint;
  for_each_field(type, family, [&](const Field& field) {
    if (is_also_called(field.also_called, entry.key)) hint = called_here(entry.key, field.key);
  });
  if (hint.empty()) hint = hint_for_key(family != nullptr ? family->name : type.name, entry.key);
  if (hint.empty()) hint = did_you_mean(entry.key, keys);
  bool has_at = false;
  for_each_field(type, family, [&](const Field& field) { has_at = has_at || field.kind == FieldKind::placement; });
  const auto place = kPlacementType.fields;
  if (has_at && std::any_of(place.begin(), place.end(), [&](const Field& f) { return f.key == entry.key; })) {
    hint = fmt::format("places are written `at: {{{}: ...}}`", entry.key);
  }
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
      result.is_incomplete = true;
      // A misspelt section: its elements are known to be unknown.
      for (const Node::Entry& lost : entry.value.entries) leave_out(result, lost.key);
      continue;
    }
    if (entry.value.is_null() && found->kind != FieldKind::section && found->kind != FieldKind::typed_section &&
        found->kind != FieldKind::free) {
      diagnostics_.error(Code::wrong_kind, entry.key_range, fmt::format("'{}' has no value", entry.key),
                         "give it one or leave the key out");
      result.is_incomplete = true;
      continue;
    }
    std::optional<Value> read = value(entry.value, *found, result.type);
    note_unread(result, entry.value, *found, read);
    if (read) result.properties.push_back({found, entry.key_range, *std::move(read)});
  }
  for_each_field(*result.type, family, [&](const Field& field) {
    if (!field.required || node.find(field.key) != nullptr) return;
    result.is_incomplete = true;
    diagnostics_.error(
        Code::missing_key,
        diagnostics_.element().empty() ? SourceRange{node.range.file, node.range.begin, node.range.begin} : node.range,
        fmt::format("{} needs the key '{}'", result.type->name, field.key), std::string(field.doc));
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
        fmt::format("a map with the keys of {} expected, but this is {}", type.name, kind_name(node.kind)),
        keys_of(type));
    result.is_incomplete = true;
    return result;
  }
  std::optional<Value> read = value(node, *shorthand, &type);
  note_unread(result, node, *shorthand, read);
  if (read) result.properties.push_back({shorthand, node.range, *std::move(read)});
  return result;
}

}  // namespace reading

std::span<const std::string_view> reserved_names() {
  static constexpr std::array<std::string_view, 6> kReserved{"ground", "time", "previous", "index", "pi", "world"};
  return kReserved;
}

bool is_reserved_name(std::string_view name) {
  const std::span<const std::string_view> reserved = reserved_names();
  return std::find(reserved.begin(), reserved.end(), name) != reserved.end();
}

Object read_object(const Node& node, const ObjectType& type, const SourceMap& sources, Diagnostics& diagnostics) {
  return reading::Reader(sources, diagnostics).object(node, type, nullptr);
}

Value read_value(const Node& node, const Field& field, const SourceMap& sources, Diagnostics& diagnostics) {
  return reading::Reader(sources, diagnostics).value(node, field, nullptr).value_or(Value{});
}

}  // namespace gelenk::model
