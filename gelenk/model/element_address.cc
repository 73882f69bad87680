#include "gelenk/model/element_address.h"

#include <algorithm>
#include <array>

#include "gelenk/base/text.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model {
namespace {

constexpr std::array<std::string_view, 10> kSharedSections{"parameters", "inputs", "frames", "parts",   "joints",
                                                           "drivers",    "forces", "states", "outputs", "assemblies"};
constexpr std::array<std::string_view, 2> kOtherSections{"materials", "ports"};

}  // namespace

std::span<const std::string_view> sections_sharing_names() { return kSharedSections; }

const Object* find_named(const std::vector<Object>& objects, std::string_view name) {
  const auto it = std::find_if(objects.begin(), objects.end(), [&](const Object& o) { return o.name == name; });
  return it == objects.end() ? nullptr : &*it;
}

bool shares_names(std::string_view section) {
  return std::find(kSharedSections.begin(), kSharedSections.end(), section) != kSharedSections.end();
}

std::string path_of(const Model& model, const ElementAddress& address) {
  const bool is_root = !model.definitions.empty() && model.root().name == address.definition;
  std::vector<std::string> names;
  if (!is_root) names = {"definitions", address.definition};
  if (address.owner == "ground") {
    names.emplace_back("ground");
  } else if (!address.owner.empty()) {
    names.emplace_back("parts");
    names.push_back(address.owner);
  }
  if (!address.section.empty()) names.push_back(address.section);
  if (!address.name.empty()) names.push_back(address.name);
  return join(names, ".");
}

const Object* find_element(const Model& model, const ElementAddress& address) {
  const Definition* definition = model.find(address.definition);
  if (definition == nullptr || address.section.empty()) return definition == nullptr ? nullptr : &definition->object;
  const Object* holder = &definition->object;
  if (address.owner == "ground") {
    holder = holder->object("ground");
  } else if (!address.owner.empty()) {
    holder = find_named(holder->section("parts"), address.owner);
  }
  return holder == nullptr ? nullptr : find_named(holder->section(address.section), address.name);
}

Object* find_element(Model& model, const ElementAddress& address) {
  return const_cast<Object*>(find_element(static_cast<const Model&>(model), address));
}

std::vector<ElementAddress> list_elements(const Model& model) {
  std::vector<ElementAddress> result;
  for (const Definition& definition : model.definitions) {
    if (&definition != &model.definitions.front()) result.push_back({definition.name, "", ""});
    const auto add_frames = [&](const Object& owner, const std::string& name) {
      for (const Object& frame : owner.section("frames")) {
        result.push_back({definition.name, "frames", frame.name, name});
      }
    };
    for (const Property& property : definition.object.properties) {
      const std::string section(property.field->key);
      const bool is_listed = shares_names(section) ||
                             std::find(kOtherSections.begin(), kOtherSections.end(), section) != kOtherSections.end();
      if (section == "ground") {
        if (const Object* ground = definition.object.object("ground")) add_frames(*ground, "ground");
      }
      if (!is_listed) continue;
      for (const Object& element : definition.object.section(section)) {
        result.push_back({definition.name, section, element.name});
        if (element.type == &kPartType) add_frames(element, element.name);
      }
    }
  }
  return result;
}

}  // namespace gelenk::model
