#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gelenk/base/document.h"
#include "gelenk/expression/expression.h"
#include "gelenk/model/descriptor.h"

namespace gelenk::model {

struct Object;

// A value as the engineer wrote it, checked for its kind but not yet evaluated.
struct Value {
  using List = std::vector<Value>;
  using Objects = std::vector<Object>;
  // flag | text, choice, reference | number, signal | vector, pair, ... | object(s), section | free data
  std::variant<std::monostate, bool, std::string, expression::Expression, List, Objects, Node> data;
  SourceRange range;
  bool is_bare = false;             // a literal number without a unit: SI of whatever is expected
  std::uint32_t formula_begin = 0;  // where the text of a formula begins in the file; 0: not known

  // Where a piece of the formula was written.
  SourceRange range_of(const expression::TextSpan& span) const {
    if (formula_begin == 0) return range;
    return {range.file, formula_begin + span.begin, formula_begin + span.end};
  }

  template <class T>
  const T* get() const {
    return std::get_if<T>(&data);
  }
  template <class T>
  T* get() {
    return std::get_if<T>(&data);
  }
};

struct Property {
  const Field* field = nullptr;
  SourceRange key_range;
  Value value;
};

// One described thing with its properties in written order: a part, a joint, an assembly, a whole file.
struct Object {
  const ObjectType* type = nullptr;
  std::string name;        // empty for nested objects without a name
  SourceRange name_range;  // the key it was written under
  SourceRange range;       // the whole value
  std::vector<Property> properties;
  // What could not be read is reported and left out; nobody should complain again that it is missing.
  bool is_incomplete = false;
  std::vector<std::string> unread_names{};  // elements of its sections that were left out; the first hundreds

  const Property* find(std::string_view key) const;
  Property* find(std::string_view key);
  const Value* value(std::string_view key) const;

  // Typed access; null when the key was not written (defaults are applied where elements are evaluated).
  const std::string* text(std::string_view key) const;
  const expression::Expression* expression(std::string_view key) const;
  const Object* object(std::string_view key) const;
  // The named objects of a section; empty when there is none.
  const std::vector<Object>& section(std::string_view key) const;
  bool flag(std::string_view key, bool fallback) const;

  // Where to point for a key: its value, else the object's name.
  SourceRange range_of(std::string_view key) const;
};

// Same content, wherever it was written.
bool same(const Value& a, const Value& b);
bool same(const Object& a, const Object& b);

}  // namespace gelenk::model
