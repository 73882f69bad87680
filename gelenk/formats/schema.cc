#include "gelenk/formats/schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "gelenk/formats/schema_patterns.h"
#include "gelenk/formats/schema_writer.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/named_values.h"

namespace gelenk::formats {

using model::Coordinate;
using model::Family;
using model::Field;
using model::FieldKind;
using model::ObjectType;

std::string definition_name(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), ' ', '_');
  return result;
}

void SchemaWriter::schema(const Body& members) {
  json_.begin_object();
  members();
  json_.end_object();
}

void SchemaWriter::schema(std::string_view key, const Body& members) {
  json_.key(key);
  schema(members);
}

void SchemaWriter::any_of(std::initializer_list<Body> forms) {
  json_.key("anyOf").begin_array();
  for (const Body& form : forms) schema(form);
  json_.end_array();
}

void SchemaWriter::types(std::initializer_list<std::string_view> names) {
  json_.key("type").begin_array();
  for (const std::string_view name : names) json_.value(name);
  json_.end_array();
}

void SchemaWriter::refer(const std::string& name, Body body) {
  json_.key("allOf").begin_array();
  schema([&] { json_.member("$ref", "#/definitions/" + name); });
  json_.end_array();
  if (known_.insert(name).second) to_write_.emplace_back(name, std::move(body));
}

void SchemaWriter::refer_to(const ObjectType& type) {
  refer(definition_name(type.name), [this, &type] { object_members(type, nullptr); });
}

void SchemaWriter::property(const Field& field, const ObjectType& owner, const Family* family) {
  schema(field.key, [&] {
    json_.member("description", field.doc);
    if (family != nullptr && field.key == model::kTypeField.key) {
      json_.member("const", owner.name);
    } else if (&owner == &model::kFileType && field.key == "gelenk") {
      // Quoted or not: the reader sees the text.
      json_.key("enum").begin_array().value(model::kFormatVersion);
      json_.value(std::to_string(model::kFormatVersion)).end_array();
    } else if (&owner == &model::kFileType && field.key == "modify") {
      json_.member("type", "object");
    } else {
      value_members(field, owner);
      default_member(field.fallback);
    }
  });
}

void SchemaWriter::object_members(const ObjectType& type, const Family* family) {
  const bool is_typed = family != nullptr && !family->is_tagged;
  json_.member("title", is_typed ? fmt::format("{}: {}", family->name, type.name) : std::string(type.name));
  json_.member("description", type.doc);
  json_.member("type", "object");
  json_.key("properties").begin_object();
  std::vector<std::string_view> required;
  model::for_each_field(type, family, [&](const Field& field) {
    property(field, type, family);
    if (field.required) required.push_back(field.key);
  });
  json_.end_object();
  if (!required.empty()) {
    json_.key("required").begin_array();
    for (const std::string_view key : required) json_.value(key);
    json_.end_array();
  }
  json_.member("additionalProperties", false);
}

// `type` is asked first: an editor then offers the types, and after that the keys of one type only.
void SchemaWriter::family_members(const Family& family) {
  json_.member("title", family.name).member("description", family.doc).member("type", "object");
  json_.key("required").begin_array().value(model::kTypeField.key).end_array();
  json_.key("properties").begin_object();
  schema(model::kTypeField.key, [&] {
    json_.member("description", model::kTypeField.doc);
    json_.key("enum").begin_array();
    for (const ObjectType* type : family.types) json_.value(type->name);
    json_.end_array();
  });
  json_.end_object();
  json_.key("allOf").begin_array();
  for (const ObjectType* type : family.types) {
    json_.begin_object();
    schema("if", [&] {
      json_.key("properties").begin_object();
      schema(model::kTypeField.key, [&] { json_.member("const", type->name); });
      json_.end_object();
      json_.key("required").begin_array().value(model::kTypeField.key).end_array();
    });
    schema("then", [&] {
      refer(definition_name(fmt::format("{}.{}", family.name, type->name)),
            [this, type, &family] { object_members(*type, &family); });
    });
    json_.end_object();
  }
  json_.end_array();
}

void SchemaWriter::tagged_members(const Family& family) {
  json_.member("title", family.name).member("description", family.doc).member("type", "object");
  json_.member("minProperties", 1).member("maxProperties", 1);
  json_.key("properties").begin_object();
  for (const ObjectType* type : family.types) {
    schema(type->name, [&] {
      refer(definition_name(fmt::format("{}.{}", family.name, type->name)),
            [this, type, &family] { object_members(*type, &family); });
    });
  }
  json_.end_object();
  json_.member("additionalProperties", false);
}

void SchemaWriter::section_members(const Field& field) {
  types({"object", "null"});
  // The names of definitions never stand in paths or expressions, so none is reserved.
  const bool with_reserved = field.object == &model::kAssemblyType;
  schema("propertyNames", [&] {
    refer(with_reserved ? "definition_name" : "element_name", [this, with_reserved] {
      json_.member("description", "a letter or '_', then letters, digits, '_' and '-'");
      json_.member("pattern", name_pattern(with_reserved));
    });
  });
  schema("additionalProperties", [&] {
    if (field.family != nullptr) {
      refer(definition_name(field.family->name), [this, family = field.family] { family_members(*family); });
    } else {
      refer(definition_name(field.object->name) + ".entry", [this, type = field.object] { entry_members(*type); });
    }
  });
}

// A named object: the map, nothing when no key is required, or the bare value of its shorthand. A bare value that is a
// map is always read as the object itself.
void SchemaWriter::entry_members(const ObjectType& type) {
  const auto fields = type.fields;
  const bool may_be_empty = std::none_of(fields.begin(), fields.end(), [](const Field& f) { return f.required; });
  const auto shorthand =
      std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.key == type.shorthand; });
  json_.key("anyOf").begin_array();
  schema([&] { refer_to(type); });
  if (shorthand != fields.end()) {
    schema([&] {
      json_.member("description", fmt::format("stands for {{{}: ...}}: {}", shorthand->key, shorthand->doc));
      value_members(*shorthand, type);
      schema("not", [&] { json_.member("type", "object"); });
    });
  }
  if (may_be_empty) schema([&] { json_.member("type", "null"); });
  json_.end_array();
}

void SchemaWriter::coordinate_members(const ObjectType& joint, bool is_limits) {
  json_.member("type", "object");
  json_.key("properties").begin_object();
  for (const Coordinate& coordinate : joint.coordinates) {
    for (const std::string_view name : {coordinate.name, coordinate.rate}) {
      if (is_limits) {
        const ObjectType* type = model::limit_type(joint, name);
        if (type != nullptr) schema(name, [&] { object_members(*type, nullptr); });
      } else {
        schema(name, [&] { value_members(model::coordinate_field(joint, name)->field, joint); });
      }
    }
  }
  json_.end_object();
  json_.member("additionalProperties", false);
}

void SchemaWriter::display_members() {
  json_.member("type", "object");
  json_.key("properties").begin_object();
  for (const model::DisplayKey& key : model::display_keys()) {
    const QuantityInfo& info = quantity_info(key.quantity);
    schema(key.key, [&] {
      json_.member("description", fmt::format("unit of {}", info.name));
      // `1` is the unit of pure numbers, and editors make a number of it.
      types({"string", "number"});
      json_.member("pattern", unit_pattern(key.quantity));
      json_.member("default", info.si_symbol);
    });
  }
  json_.end_object();
  json_.member("additionalProperties", false);
}

void SchemaWriter::single_key_members(std::string_view key, const ObjectType& type) {
  json_.member("type", "object");
  json_.key("properties").begin_object();
  schema(key, [&] { refer_to(type); });
  json_.end_object();
  json_.key("required").begin_array().value(key).end_array();
  json_.member("additionalProperties", false);
}

std::string SchemaWriter::run() {
  json_.begin_object();
  json_.member("$schema", "http://json-schema.org/draft-07/schema#");
  json_.member("$id", fmt::format("urn:gelenk:schema:model:{}", model::kFormatVersion));
  object_members(model::kFileType, nullptr);
  json_.key("definitions").begin_object();
  // Writing a definition may ask for more of them.
  for (std::size_t i = 0; i < to_write_.size(); ++i) {
    const auto [name, body] = to_write_[i];
    schema(name, body);
  }
  json_.end_object();
  json_.end_object();
  return json_.take();
}

std::string json_schema() { return SchemaWriter().run(); }

}  // namespace gelenk::formats
