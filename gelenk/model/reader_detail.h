#pragma once

#include <optional>
#include <string>
#include <utility>

#include "gelenk/model/object.h"
#include "gelenk/model/scalar_reader.h"

// The reader's inside, shared by its source files.
namespace gelenk::model::reading {

class Reader {
 public:
  Reader(const SourceMap& sources, Diagnostics& diagnostics)
      : diagnostics_(diagnostics), scalars_{sources, diagnostics} {}

  Object object(const Node& node, const ObjectType& type, const Family* family);
  std::optional<Value> value(const Node& node, const Field& field, const ObjectType* owner);

 private:
  std::optional<Value> number(const Node& node, const Field& field);
  std::optional<Value> signal(const Node& node, const Field& field);
  std::optional<Value> number_list(const Node& node, const Field& field, std::optional<std::size_t> size);
  std::optional<Value> direction(const Node& node, const Field& field);
  std::optional<Value> pair(const Node& node);
  std::optional<Value> references(const Node& node);
  std::optional<Value> path(const Node& node);
  std::optional<Value> point(const Node& node, const Field& field);
  std::optional<Value> placement(const Node& node, const Field& field);
  std::optional<Value> nested(const Node& node, const ObjectType& type);
  std::optional<Value> tagged(const Node& node, const Family& family);
  std::optional<Value> section(const Node& node, const Field& field);
  std::optional<Value> coordinates(const Node& node, const ObjectType& joint);
  std::optional<Value> limits(const Node& node, const ObjectType& joint);
  std::optional<Value> settings(const Node& node);
  std::optional<Value> signals(const Node& node);
  std::optional<Value> display(const Node& node);
  std::optional<Value> gravity(const Node& node, const Field& field);

  const ObjectType* chosen_type(const Node& node, const Family& family);
  void read_fields(Object& object, const Node& node, const Family* family);
  void report_unknown_key(const Node::Entry& entry, const ObjectType& type, const Family* family);
  bool check_name(const Node::Entry& entry);
  void report_unknown_coordinate(const Node::Entry& entry, const ObjectType& joint);
  std::string path_of(const std::string& name) const {
    return diagnostics_.element().empty() ? name : diagnostics_.element() + "." + name;
  }

  Diagnostics& diagnostics_;
  ScalarReader scalars_;
};

inline Value made(const Node& node, auto data) {
  Value result;
  result.data = std::move(data);
  result.range = node.range;
  return result;
}

}  // namespace gelenk::model::reading
