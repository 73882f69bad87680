#include "gelenk/model/expand/scope.h"

#include <algorithm>
#include <span>

#include "gelenk/base/text.h"

namespace gelenk::model::expanding {
namespace {

constexpr std::size_t kMaxNamesInHint = 8;

}  // namespace

std::string element_path(const Instance& scope, const std::string& name) {
  return scope.path.empty() ? name : scope.path + "." + name;
}

bool is_left_out(const Object& owner, std::string_view name) {
  return std::find(owner.unread_names.begin(), owner.unread_names.end(), name) != owner.unread_names.end();
}

bool is_unclear(const Instance& scope, std::string_view name) {
  return is_left_out(scope.object(), name) || scope.index->shared.contains(name);
}

Pose pose_in_owner(const Instance& instance) {
  if (instance.owner == nullptr) return Pose{};
  return mirrored(instance.drawn.value, instance.plan->mirror);
}

std::string circle_text(const std::vector<std::string>& chain, const std::string& path) {
  std::vector<std::string> circle(std::find(chain.begin(), chain.end(), path), chain.end());
  circle.push_back(path);
  return join(circle, " > ");
}

std::string some_of(const std::vector<std::string>& names) {
  if (names.size() <= kMaxNamesInHint) return join(names, ", ");
  return join(std::span(names).first(kMaxNamesInHint), ", ") + ", ...";
}

std::string_view section_word(Section section) {
  switch (section) {
    case Section::parameter:
      return "parameter";
    case Section::input:
      return "input";
    case Section::frame:
      return "frame";
    case Section::part:
      return "part";
    case Section::joint:
      return "joint";
    case Section::driver:
      return "driver";
    case Section::force:
      return "force";
    case Section::contact:
      return "contact";
    case Section::state:
      return "state";
    case Section::output:
      return "output";
    case Section::assembly:
      return "assembly";
  }
  return "";
}

const Field& field_of(const Object& object, std::string_view key) {
  const Property* property = object.find(key);
  if (property != nullptr) return *property->field;
  for (const Field& field : object.type->fields) {
    if (field.key == key) return field;
  }
  return object.type->fields.front();
}

}  // namespace gelenk::model::expanding
