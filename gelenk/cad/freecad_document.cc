#include "gelenk/cad/freecad_document.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <pugixml.hpp>

#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/base/zip.h"
#include "gelenk/cad/shape_facts.h"

namespace gelenk::cad {
namespace {

constexpr std::size_t kMostPackedBytes = std::size_t{512} << 20;  // of the packed file
constexpr const char* kObjectsMember = "Document.xml";
constexpr const char* kViewsMember = "GuiDocument.xml";

// Position in mm, and a quaternion with its real part last.
std::optional<Pose> placement_of(const pugi::xml_node& node) {
  std::array<double, 7> values{};
  std::size_t count = 0;
  for (const char* key : {"Px", "Py", "Pz", "Q0", "Q1", "Q2", "Q3"}) {
    const std::optional<double> number = parse_number(node.attribute(key).value());
    if (!number) return std::nullopt;
    values[count++] = *number;
  }
  const auto [x, y, z, qx, qy, qz, qw] = values;
  const std::optional<Matrix3> rotation = rotation_from_quaternion(Quaternion(qw, qx, qy, qz));
  if (!rotation) return std::nullopt;
  return Pose{*rotation, kMillimeter * Vector3(x, y, z)};
}

// An enumeration is a number in a list of words that follows it; without one it stays a number.
std::string word_of(const pugi::xml_node& node) {
  const std::string text = node.attribute("value").value();
  const std::optional<double> number = parse_number(text);
  const pugi::xml_node list = node.parent().child("CustomEnumList");
  if (!list || !number) return text;
  double i = 0.0;
  for (const pugi::xml_node& word : list.children("Enum")) {
    if (i == *number) return word.attribute("value").value();
    i += 1.0;
  }
  return "";
}

void add_link(const pugi::xml_node& node, FreecadProperty& property) {
  const bool is_external = std::strcmp(node.name(), "XLink") == 0;
  const std::string target = node.attribute(is_external ? "name" : "value").value();
  if (target.empty()) return;
  property.links.push_back(target);
  property.file = node.attribute("file").value();
  // One piece is an attribute, several are elements.
  if (const pugi::xml_attribute sub = node.attribute("sub")) property.subs.emplace_back(sub.value());
  for (const pugi::xml_node& sub : node.children("Sub")) property.subs.emplace_back(sub.attribute("value").value());
}

// Returns what is wrong, or nothing.
std::string read_value(const pugi::xml_node& node, FreecadProperty& property) {
  const std::string_view kind = node.name();
  if (kind == "Integer") {
    property.text = word_of(node);
  } else if (kind == "Float" || kind == "Bool" || kind == "String" || kind == "PropertyColor") {
    property.text = node.attribute("value").value();
  } else if (kind == "Link" || kind == "LinkSub" || kind == "XLink") {
    add_link(node, property);
  } else if (kind == "LinkList" || kind == "LinkSubList" || kind == "XLinkList" || kind == "XLinkSubList") {
    for (const pugi::xml_node& link : node.children()) add_link(link, property);
  } else if (kind == "Part") {
    property.file = node.attribute("file").value();
  } else if (kind == "MaterialList") {
    property.file = node.attribute("file").value();
    property.text = node.attribute("version").value();
  } else if (kind == "PropertyMaterial" && node.attribute("uuid")) {
    property.text = node.attribute("uuid").value();
  } else if (kind == "Python") {
    property.text = node.attribute("class").value();
  } else if (kind == "PropertyPlacement") {
    property.placement = placement_of(node);
    if (!property.placement) return "is not a placement";
  }
  return "";
}

std::string read_properties(const pugi::xml_node& node, FreecadObject& object) {
  for (const pugi::xml_node& stored : node.child("Properties").children("Property")) {
    const std::string name = stored.attribute("name").value();
    FreecadProperty& property = object.properties[name];
    for (const pugi::xml_node& value : stored.children()) {
      if (const std::string wrong = read_value(value, property); !wrong.empty()) {
        return fmt::format("property {} of object {} {}", shown(name), shown(object.name), wrong);
      }
    }
  }
  const std::string& label = object.property("Label").text;
  object.label = label.empty() ? object.name : label;
  return "";
}

}  // namespace

const FreecadProperty& FreecadObject::property(std::string_view key) const {
  static const FreecadProperty nothing;
  const auto found = properties.find(key);
  return found == properties.end() ? nothing : found->second;
}

bool FreecadObject::flag(std::string_view key, bool otherwise) const {
  const std::string& text = property(key).text;
  return text.empty() ? otherwise : text == "true";
}

double FreecadObject::number(std::string_view key) const { return parse_number(property(key).text).value_or(0.0); }

const FreecadObject* FreecadDocument::find(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? nullptr : &objects_[found->second];
}

const std::string* FreecadDocument::member(std::string_view path) const {
  const auto found = members_.find(path);
  return found == members_.end() ? nullptr : &found->second;
}

const FreecadObject* FreecadDocument::view_of(std::string_view name) const {
  const auto found = views_.find(name);
  return found == views_.end() ? nullptr : &found->second;
}

std::string FreecadDocument::read_objects(const std::string& text, std::size_t number) {
  pugi::xml_document xml;
  const pugi::xml_parse_result parsed = xml.load_buffer(text.data(), text.size());
  if (!parsed)
    return fmt::format("its {} is damaged: {} at byte {}", kObjectsMember, parsed.description(), parsed.offset);
  const pugi::xml_node document = xml.child("Document");
  if (!document.child("Objects")) return fmt::format("its {} has no objects", kObjectsMember);
  for (const pugi::xml_node& node : document.child("Objects").children("Object")) {
    FreecadObject object;
    object.name = object.label = node.attribute("name").value();
    object.type = node.attribute("type").value();
    object.file = number;
    if (!numbers_.emplace(object.name, objects_.size()).second) {
      return fmt::format("two objects are called {}", shown(object.name));
    }
    objects_.push_back(std::move(object));
  }
  for (const pugi::xml_node& node : document.child("ObjectData").children("Object")) {
    const auto found = numbers_.find(node.attribute("name").value());
    if (found == numbers_.end()) continue;
    if (std::string wrong = read_properties(node, objects_[found->second]); !wrong.empty()) return wrong;
  }
  return "";
}

void FreecadDocument::read_views(const std::string& text) {
  pugi::xml_document xml;
  // Colors only: a machine without them is as good.
  if (!xml.load_buffer(text.data(), text.size())) return;
  for (const pugi::xml_node& node : xml.child("Document").child("ViewProviderData").children("ViewProvider")) {
    FreecadObject view;
    view.name = node.attribute("name").value();
    if (read_properties(node, view).empty()) views_[view.name] = std::move(view);
  }
}

std::optional<FreecadDocument> FreecadDocument::read(const std::string& path, std::size_t number, std::string& error) {
  const ReadResult file = read_file(path, kMostPackedBytes);
  if (!file.text) {
    error = fmt::format("{} cannot be read: {}", shown(path), file.reason);
    return std::nullopt;
  }
  if (!looks_like_zip(*file.text)) {
    error = fmt::format("{} is not a FreeCAD file: it is not a ZIP archive", shown(path));
    return std::nullopt;
  }
  std::string problem;
  std::optional<std::vector<ZipEntry>> entries = read_zip(*file.text, problem, {.allows_comment = true});
  if (!entries) {
    error = fmt::format("{} cannot be unpacked: {}", shown(path), problem);
    return std::nullopt;
  }
  FreecadDocument document;
  for (ZipEntry& entry : *entries) document.members_[entry.path] = std::move(entry.bytes);
  const std::string* objects = document.member(kObjectsMember);
  problem = objects == nullptr ? fmt::format("it has no {}", kObjectsMember) : document.read_objects(*objects, number);
  if (!problem.empty()) {
    error = fmt::format("{} cannot be read as a FreeCAD file: {}", shown(path), problem);
    return std::nullopt;
  }
  if (const std::string* views = document.member(kViewsMember)) document.read_views(*views);
  return document;
}

}  // namespace gelenk::cad
