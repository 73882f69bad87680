#include "gelenk/model/object.h"

#include <algorithm>

namespace gelenk::model {

const Property* Object::find(std::string_view key) const {
  const auto it =
      std::find_if(properties.begin(), properties.end(), [&](const Property& p) { return p.field->key == key; });
  return it == properties.end() ? nullptr : &*it;
}

Property* Object::find(std::string_view key) {
  return const_cast<Property*>(static_cast<const Object*>(this)->find(key));
}

const Value* Object::value(std::string_view key) const {
  const Property* property = find(key);
  return property == nullptr ? nullptr : &property->value;
}

const std::string* Object::text(std::string_view key) const {
  const Value* found = value(key);
  return found == nullptr ? nullptr : found->get<std::string>();
}

const expression::Expression* Object::expression(std::string_view key) const {
  const Value* found = value(key);
  return found == nullptr ? nullptr : found->get<expression::Expression>();
}

const Object* Object::object(std::string_view key) const {
  const Value* found = value(key);
  const auto* objects = found == nullptr ? nullptr : found->get<Value::Objects>();
  return objects == nullptr || objects->empty() ? nullptr : &objects->front();
}

const std::vector<Object>& Object::section(std::string_view key) const {
  static const std::vector<Object> kNone;
  const Value* found = value(key);
  const auto* objects = found == nullptr ? nullptr : found->get<Value::Objects>();
  return objects == nullptr ? kNone : *objects;
}

bool Object::flag(std::string_view key, bool fallback) const {
  const Value* found = value(key);
  const bool* stored = found == nullptr ? nullptr : found->get<bool>();
  return stored == nullptr ? fallback : *stored;
}

SourceRange Object::range_of(std::string_view key) const {
  const Value* found = value(key);
  if (found != nullptr && found->range.is_known()) return found->range;
  return name_range.is_known() ? name_range : range;
}

bool same(const Value& a, const Value& b) {
  if (a.data.index() != b.data.index()) return false;
  if (const auto* list = a.get<Value::List>()) {
    const auto& other = *b.get<Value::List>();
    return std::equal(list->begin(), list->end(), other.begin(), other.end(),
                      [](const Value& x, const Value& y) { return same(x, y); });
  }
  if (const auto* objects = a.get<Value::Objects>()) {
    const auto& other = *b.get<Value::Objects>();
    return std::equal(objects->begin(), objects->end(), other.begin(), other.end(),
                      [](const Object& x, const Object& y) { return same(x, y); });
  }
  if (const auto* node = a.get<Node>()) return same_content(*node, *b.get<Node>());
  if (const auto* flag = a.get<bool>()) return *flag == *b.get<bool>();
  if (const auto* text = a.get<std::string>()) return *text == *b.get<std::string>();
  if (const auto* formula = a.get<expression::Expression>()) return *formula == *b.get<expression::Expression>();
  return true;
}

bool same(const Object& a, const Object& b) {
  if (a.type != b.type || a.name != b.name || a.properties.size() != b.properties.size()) return false;
  return std::all_of(a.properties.begin(), a.properties.end(), [&](const Property& property) {
    const Property* other = b.find(property.field->key);
    return other != nullptr && same(property.value, other->value);
  });
}

}  // namespace gelenk::model
