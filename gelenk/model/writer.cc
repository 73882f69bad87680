#include "gelenk/model/writer.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/base/units.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/part_types.h"
#include "gelenk/model/scalar_reader.h"

namespace gelenk::model {
namespace {

using expression::Expression;
using expression::ExpressionNode;

Node scalar(std::string text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::move(text);
  return node;
}

Node map(bool flow) {
  Node node;
  node.kind = Node::Kind::map;
  node.flow = flow;
  return node;
}

void put(Node& map_node, std::string_view key, Node value) {
  map_node.entries.push_back({std::string(key), {}, std::move(value)});
}

// Units that people prefer for angles, which have ugly numbers in SI.
std::string_view customary_unit(const Dimension& dimension) {
  if (dimension.is_none()) return "deg";
  return dimension == quantity_info(Quantity::angular_rate).dimension ? "rpm" : "";
}

bool reads_as(const std::string& text, double value) {
  const expression::ParseResult read = expression::parse_quantity(text);
  return read.expression && read.expression->nodes().front().value == value;
}

// "30 deg" for 0.5235987755982988, but only when that is the same number to the last bit, and shorter.
std::optional<std::string> customary_text(const ExpressionNode& constant, std::size_t shorter_than) {
  // Enough to distinguish decimal fractions from their rounding errors after the division.
  constexpr int kDigits = 12;
  const std::string_view unit = customary_unit(constant.dimension);
  if (unit.empty() || constant.is_hertz) return std::nullopt;
  std::string text = format_rounded(constant.value / find_unit_symbol(unit)->factor, kDigits) + " " + std::string(unit);
  if (text.size() >= shorter_than || !reads_as(text, constant.value)) return std::nullopt;
  return text;
}

std::string si_symbol_of(const Dimension& dimension) {
  const Quantity quantity = quantity_of(dimension);
  return quantity == Quantity::any ? dimension.text() : std::string(quantity_info(quantity).si_symbol);
}

// Literals are checked when they are read. One that was written as an expression (`=5` for a length, `=-1 kg`) is an
// error found later and must stay what it is.
bool reads_as_literal(const ExpressionNode& constant, const Field& field) {
  if (field.quantity == Quantity::any) return true;
  return constant.dimension == quantity_info(field.quantity).dimension && !constant.is_hertz &&
         range_problem(constant.value, field.range, field.quantity).empty();
}

std::string literal_text(const Value& value, const ExpressionNode& constant, const Field& field) {
  const std::string number = format_number(constant.value);
  const bool is_any = field.quantity == Quantity::any;
  if (constant.is_hertz) return number + " Hz";
  if (value.is_bare || field.quantity == Quantity::number) return number;
  if (constant.dimension.is_none()) {
    // Without a fixed quantity a bare number would take whatever unit is expected; "=5" stays a pure number.
    const std::string pure = is_any ? "=" + number : number + " rad";
    return customary_text(constant, pure.size()).value_or(pure);
  }
  const std::string unit =
      is_any ? si_symbol_of(constant.dimension) : std::string(quantity_info(field.quantity).si_symbol);
  const std::string text = number + " " + unit;
  return customary_text(constant, text.size()).value_or(text);
}

Node formula(const Value& value, const Expression& written, const Field& field) {
  const bool is_name = written.nodes().size() == 1 && written.nodes().front().op == expression::Op::symbol;
  if (field.refers_to == Refers::channel && is_name) return scalar(written.symbols().front().name);
  if (field.refers_to != Refers::channel && written.is_literal()) {
    const ExpressionNode& constant = written.nodes().front();
    if (reads_as_literal(constant, field)) return scalar(literal_text(value, constant, field));
  }
  return scalar("=" + expression::to_text(written));
}

// The numbers of a direction are pure ones, whatever the field says.
Field element_field(const Field& field) {
  Field element = field;
  if (field.kind == FieldKind::direction) element.quantity = Quantity::number;
  return element;
}

// Elements of one line in a typical model; what is longer is broken by the text writer.
bool reads_well_in_one_line(const ObjectType& type) {
  return &type != &kFileType && &type != &kAssemblyType && &type != &kPartType && &type != &kGroundType &&
         &type != &kInstanceType && &type != &kAboutType;
}

Node object_or_shorthand(const Object& object) {
  if (object.properties.size() == 1 && !object.type->shorthand.empty() &&
      object.properties.front().field->key == object.type->shorthand) {
    const Property& only = object.properties.front();
    Node value = write_value(only.value, *only.field);
    if (!value.is_map()) return value;
  }
  return write_object(object);
}

Node named_objects(const Value::Objects& objects, FieldKind kind) {
  Node result = map(kind != FieldKind::section && kind != FieldKind::typed_section);
  for (const Object& object : objects) {
    const bool is_value = kind == FieldKind::coordinates || kind == FieldKind::settings || kind == FieldKind::signals ||
                          kind == FieldKind::units;
    if (is_value && object.properties.empty()) continue;
    put(result, object.name,
        is_value ? write_value(object.properties.front().value, *object.properties.front().field)
                 : object_or_shorthand(object));
  }
  return result;
}

Node tagged(const Value::Objects& objects) {
  Node list;
  list.kind = Node::Kind::list;
  for (const Object& object : objects) {
    Node one = map(true);
    put(one, object.type->name, write_object(object));
    list.items.push_back(std::move(one));
  }
  if (list.items.size() == 1) return std::move(list.items.front());
  return list;
}

Node objects_node(const Value::Objects& objects, const Field& field) {
  switch (field.kind) {
    case FieldKind::tagged:
      return tagged(objects);
    case FieldKind::section:
    case FieldKind::typed_section:
    case FieldKind::coordinates:
    case FieldKind::limits:
    case FieldKind::settings:
    case FieldKind::signals:
    case FieldKind::units:
      return named_objects(objects, field.kind);
    default:
      break;
  }
  if (objects.empty()) return map(true);
  Node inner = write_object(objects.front());
  const std::string_view wrapper = field.kind == FieldKind::signal    ? "table"
                                   : field.kind == FieldKind::gravity ? "point"
                                                                      : std::string_view{};
  if (wrapper.empty()) return inner;
  Node result = map(true);
  put(result, wrapper, std::move(inner));
  return result;
}

}  // namespace

Node write_value(const Value& value, const Field& field) {
  if (const auto* flag = value.get<bool>()) return scalar(*flag ? "true" : "false");
  if (const auto* text = value.get<std::string>()) return scalar(*text);
  if (const auto* written = value.get<Expression>()) return formula(value, *written, field);
  if (const auto* objects = value.get<Value::Objects>()) return objects_node(*objects, field);
  if (const auto* node = value.get<Node>()) return *node;
  Node result;
  if (const auto* list = value.get<Value::List>()) {
    result.kind = Node::Kind::list;
    result.flow = true;
    const Field element = element_field(field);
    for (const Value& item : *list) result.items.push_back(write_value(item, element));
  }
  return result;
}

Node write_object(const Object& object) {
  Node result = map(reads_well_in_one_line(*object.type));
  for (const Property& property : object.properties) {
    put(result, property.field->key, write_value(property.value, *property.field));
  }
  return result;
}

}  // namespace gelenk::model
