// Values of the JSON Schema. Our reader sees the text of every scalar; an editor's YAML reader has made numbers,
// booleans and null of some of them, so those are taken wherever their text would be.
#include <fmt/format.h>

#include <cmath>

#include "gelenk/base/text.h"
#include "gelenk/formats/schema_patterns.h"
#include "gelenk/formats/schema_writer.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/part_types.h"

namespace gelenk::formats {

using model::Field;
using model::FieldKind;
using model::ObjectType;
using model::Refers;

void SchemaWriter::number_members(const Field& field) {
  const QuantityInfo& info = quantity_info(field.quantity);
  const bool is_any = field.quantity == Quantity::any;
  refer(is_any ? "number" : definition_name(fmt::format("number.{}", info.name)), [this, &info, is_any] {
    const std::string what =
        is_any ? "a number with or without a unit" : fmt::format("{} in {}", info.name, info.si_symbol);
    json_.member("title", is_any ? "number" : info.name);
    if (!is_any) json_.member("x-dimension", info.name).member("x-unit", info.si_symbol);
    types({"number", "string"});
    json_.member("pattern", number_pattern(info.quantity));
    // Understood by the editors' YAML servers; others skip it.
    json_.member("patternErrorMessage",
                 fmt::format("{} expected, or a number followed by another unit, or '=' and an expression", what));
  });
  if (is_any) return;  // only what has a dimension is compared as it is written
  const model::Range& range = field.range;
  if (range.min_excluded) {
    json_.member("exclusiveMinimum", range.min);
  } else if (std::isfinite(range.min)) {
    json_.member("minimum", range.min);
  }
  if (std::isfinite(range.max)) json_.member("maximum", range.max);
  if (range.min_excluded && range.min == 0.0) {
    // Units are positive, so the sign alone decides.
    schema("not", [&] { json_.member("type", "string").member("pattern", R"(^[ \t\r\n]*-)"); });
  }
}

void SchemaWriter::list_members(const Field& field, bool is_vector) {
  json_.member("type", "array");
  schema("items", [&] { number_members(field); });
  if (is_vector) json_.member("minItems", 3).member("maxItems", 3);
}

void SchemaWriter::signal_members(const Field& field) {
  const Body table = [this] { single_key_members("table", model::kTableType); };
  if (field.refers_to != Refers::channel) {
    any_of({[&] { number_members(field); }, table});
    return;
  }
  any_of({[this] {
            refer("channel", [this] {
              json_.member("title", "channel or expression");
              types({"string", "number", "boolean", "null"});
              json_.member("minLength", 1);
            });
          },
          table});
}

void SchemaWriter::reference_members(const Field& field) {
  // Files have paths with dots and slashes, materials may have any name.
  if (field.refers_to == Refers::definition || field.refers_to == Refers::material) {
    types({"string", "number", "boolean", "null"});
    return;
  }
  refer("path", [this] {
    json_.member("description", "names joined by dots: `crank.pin`");
    // A part may be called `true` or `null`, and `0` is a segment of a path.
    types({"string", "number", "boolean", "null"});
    json_.member("pattern", path_pattern()).member("minimum", 0);
  });
}

void SchemaWriter::default_member(std::string_view fallback) {
  if (fallback.empty()) return;
  json_.key("default");
  if (fallback == "true" || fallback == "false") {
    json_.value(fallback == "true");
  } else if (const std::optional<double> number = parse_number(fallback)) {
    json_.value(*number);
  } else if (fallback.front() == '[') {
    json_.begin_array();
    for (const std::string& item : split(fallback.substr(1, fallback.size() - 2), ',')) {
      json_.value(parse_number(trim(item)).value_or(0.0));
    }
    json_.end_array();
  } else {
    json_.value(fallback);
  }
}

void SchemaWriter::value_members(const Field& field, const ObjectType& owner) {
  switch (field.kind) {
    case FieldKind::number:
      return number_members(field);
    case FieldKind::signal:
      return signal_members(field);
    case FieldKind::vector:
      return list_members(field, true);
    case FieldKind::numbers:
      return list_members(field, false);
    case FieldKind::direction:
      return refer("direction", [this] {
        static constexpr Field kComponents{.kind = FieldKind::vector, .quantity = Quantity::number};
        any_of({[this] {
                  json_.key("enum").begin_array();
                  for (const std::string_view axis : {"x", "y", "z", "-x", "-y", "-z"}) json_.value(axis);
                  json_.end_array();
                },
                [this] { list_members(kComponents, true); }});
      });
    case FieldKind::text:
      return types({"string", "number", "boolean", "null"});
    case FieldKind::flag:
      json_.key("enum").begin_array().value(true).value(false).value("true").value("false").end_array();
      return;
    case FieldKind::choice:
      json_.key("enum").begin_array();
      for (const std::string_view choice : field.choices) json_.value(choice);
      json_.end_array();
      return;
    case FieldKind::reference:
      return reference_members(field);
    case FieldKind::pair:
      json_.member("type", "array");
      schema("items", [&] { reference_members(field); });
      json_.member("minItems", 2).member("maxItems", 2);
      return;
    case FieldKind::references:
      json_.member("type", "array");
      schema("items", [&] { reference_members(field); });
      json_.member("minItems", 1);
      return;
    case FieldKind::point:
      return any_of({[&] { list_members(field, true); }, [&] { reference_members(field); }});
    case FieldKind::placement:
      return any_of({[&] { list_members(field, true); }, [&] { reference_members(field); },
                     [&] { refer_to(model::kPlacementType); }});
    case FieldKind::object:
      return refer_to(*field.object);
    case FieldKind::tagged: {
      const auto one = [this, family = field.family] {
        refer(definition_name(family->name), [this, family] { tagged_members(*family); });
      };
      return any_of({one, [&] {
                       json_.member("type", "array");
                       schema("items", one);
                     }});
    }
    case FieldKind::section:
    case FieldKind::typed_section:
      return section_members(field);
    case FieldKind::coordinates:
      return coordinate_members(owner, false);
    case FieldKind::limits:
      return coordinate_members(owner, true);
    case FieldKind::settings:
      json_.member("type", "object");
      schema("additionalProperties", [&] { number_members({.kind = FieldKind::number}); });
      return;
    case FieldKind::signals:
      json_.member("type", "object");
      schema("additionalProperties", [&] { signal_members({.kind = FieldKind::signal}); });
      return;
    case FieldKind::units:
      return display_members();
    case FieldKind::gravity:
      return any_of({[&] { json_.key("enum").begin_array().value("none").value("earth").end_array(); },
                     [&] { list_members(field, true); },
                     [&] { single_key_members("point", model::kPointGravityType); }});
    case FieldKind::free:
      return;
  }
}

}  // namespace gelenk::formats
