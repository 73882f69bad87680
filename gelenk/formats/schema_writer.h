#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/base/json.h"
#include "gelenk/model/descriptor.h"

// The walk over the descriptors that writes the JSON Schema. Part of schema.cc and schema_values.cc.
namespace gelenk::formats {

class SchemaWriter {
 public:
  std::string run();

 private:
  using Body = std::function<void()>;  // writes the members of a schema into an open JSON object

  // --- schema.cc: maps
  void object_members(const model::ObjectType& type, const model::Family* family);
  void property(const model::Field& field, const model::ObjectType& owner, const model::Family* family);
  void family_members(const model::Family& family);
  void tagged_members(const model::Family& family);
  void section_members(const model::Field& field);
  void entry_members(const model::ObjectType& type);
  void coordinate_members(const model::ObjectType& joint, bool is_limits);
  void display_members();
  // {KEY: {...}} and nothing else.
  void single_key_members(std::string_view key, const model::ObjectType& type);

  // --- schema_values.cc: values
  void value_members(const model::Field& field, const model::ObjectType& owner);
  void number_members(const model::Field& field);
  void list_members(const model::Field& field, bool is_vector);
  void signal_members(const model::Field& field);
  void reference_members(const model::Field& field);
  void default_member(std::string_view fallback);

  // A JSON object with these members.
  void schema(const Body& members);
  void schema(std::string_view key, const Body& members);
  // One of several forms.
  void any_of(std::initializer_list<Body> forms);
  void types(std::initializer_list<std::string_view> names);
  // The member that stands for an entry of `definitions`, which is written later, once. Beside a `$ref` of draft-07
  // nothing counts, so it is wrapped in `allOf`: a description and bounds may stand beside that.
  void refer(const std::string& name, Body body);
  void refer_to(const model::ObjectType& type);

  JsonWriter json_;
  std::set<std::string> known_;                         // names of definitions
  std::vector<std::pair<std::string, Body>> to_write_;  // definitions that are still missing
};

// Name of a type or family in `definitions`.
std::string definition_name(std::string_view name);

}  // namespace gelenk::formats
