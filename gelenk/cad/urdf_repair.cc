#include "gelenk/cad/urdf_repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <string_view>

#include "gelenk/base/text.h"

namespace gelenk::cad {
namespace {

constexpr int kDeepestElement = 1000;

// Something that xacro would still put in. What it has done with is left in some files: macros, properties, arguments.
bool has_xacro(const pugi::xml_node& node, int depth = 0) {
  if (depth > kDeepestElement) return false;
  static constexpr std::array<std::string_view, 3> kOnlyDefine{"xacro:macro", "xacro:property", "xacro:arg"};
  for (const pugi::xml_node& child : node.children()) {
    const std::string_view name = child.name();
    if (std::find(kOnlyDefine.begin(), kOnlyDefine.end(), name) != kOnlyDefine.end()) continue;
    if (name.starts_with("xacro:") || has_xacro(child, depth + 1)) return true;
    for (const pugi::xml_attribute& attribute : child.attributes()) {
      const std::string_view value = attribute.value();
      if (value.find("${") != std::string_view::npos || value.find("$(") != std::string_view::npos) return true;
    }
  }
  return false;
}

// "1, 2, 3." as people write it: "1 2 3".
std::string plain_numbers(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_last = i + 1 == text.size() || text[i + 1] == ' ';
    if (text[i] == '.' && is_last) text[i] = ' ';
  }
  return std::string(trim(text));
}

std::string name_of(const pugi::xml_node& node) { return shown(node.attribute("name").value()); }

class UrdfRepair {
 public:
  explicit UrdfRepair(pugi::xml_node robot, std::vector<std::string>& notes) : robot_(robot), notes_(notes) {}

  void repair() {
    robot_.remove_attribute("version");
    if (!robot_.attribute("name")) robot_.append_attribute("name") = "robot";
    repair_materials();
    for (pugi::xml_node link : robot_.children("link")) {
      repair_inertial(link);
      for (const char* kind : {"visual", "collision"}) repair_shapes(link, kind);
    }
    for (pugi::xml_node joint : robot_.children("joint")) repair_joint(joint);
    repair_numbers(robot_, 0);
  }

 private:
  static void default_to(pugi::xml_node node, const char* key, const char* value) {
    if (!node.attribute(key)) node.append_attribute(key) = value;
  }

  // Of places, sizes and limits.
  static void repair_numbers(pugi::xml_node node, int depth) {
    static constexpr std::array<std::string_view, 9> kNumbers{"xyz",   "rpy",   "size",   "scale", "radius",
                                                              "lower", "upper", "length", "value"};
    if (depth > kDeepestElement) return;
    for (pugi::xml_node child : node.children()) {
      for (pugi::xml_attribute attribute : child.attributes()) {
        if (std::find(kNumbers.begin(), kNumbers.end(), std::string_view(attribute.name())) == kNumbers.end()) continue;
        attribute.set_value(plain_numbers(attribute.value()).c_str());
      }
      repair_numbers(child, depth + 1);
    }
  }

  // Colors that are defined twice, and those of shapes that have no name.
  void repair_materials() {
    for (pugi::xml_node material = robot_.child("material"); material;) {
      const pugi::xml_node next = material.next_sibling("material");
      const bool is_new = material.attribute("name") && defined_.insert(material.attribute("name").value()).second;
      if (!is_new) robot_.remove_child(material);
      material = next;
    }
    for (const pugi::xml_node& link : robot_.children("link")) {
      for (const pugi::xml_node& visual : link.children("visual")) {
        const pugi::xml_node material = visual.child("material");
        if (has_look(material)) defined_.insert(material.attribute("name").value());
      }
    }
  }

  static bool has_look(const pugi::xml_node& material) { return material.child("color") || material.child("texture"); }

  void repair_inertial(pugi::xml_node link) {
    pugi::xml_node inertial = link.child("inertial");
    if (!inertial) return;
    const bool has_mass = inertial.child("mass").attribute("value");
    if (!has_mass) {
      notes_.push_back(fmt::format("link {} has an <inertial> without a mass", name_of(link)));
      link.remove_child(inertial);
      return;
    }
    if (!inertial.child("inertia")) inertial.append_child("inertia");
    for (const char* key : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}) default_to(inertial.child("inertia"), key, "0");
  }

  void repair_shapes(pugi::xml_node link, const char* kind) {
    for (pugi::xml_node shape = link.child(kind); shape;) {
      const pugi::xml_node next = shape.next_sibling(kind);
      if (!shape.child("geometry").first_child()) {
        notes_.push_back(fmt::format("link {} has a <{}> without a shape", name_of(link), kind));
        link.remove_child(shape);
      } else {
        if (pugi::xml_node capsule = shape.child("geometry").child("capsule")) {
          capsule.set_name("cylinder");
          notes_.push_back(fmt::format("a capsule of link {} is drawn as a cylinder", name_of(link)));
        }
        repair_material(shape);
      }
      shape = next;
    }
  }

  void repair_material(pugi::xml_node shape) {
    pugi::xml_node material = shape.child("material");
    if (!material) return;
    const std::string name = material.attribute("name").value();
    if (!has_look(material) && !defined_.contains(name)) {
      shape.remove_child(material);  // a color that is nowhere
    } else if (name.empty()) {
      material.remove_attribute("name");
      material.append_attribute("name") = fmt::format("gelenk_material_{}", ++unnamed_).c_str();
    }
  }

  void repair_joint(pugi::xml_node joint) {
    const std::string type = joint.attribute("type").value();
    if (type != "revolute" && type != "prismatic") return;
    pugi::xml_node limit = joint.child("limit");
    const bool has_range = limit.attribute("lower") || limit.attribute("upper");
    if (!has_range) {
      notes_.push_back(fmt::format("joint {} has no limits: it moves freely", name_of(joint)));
      if (!limit) limit = joint.append_child("limit");
      // Nobody reaches them; the reader leaves them out.
      default_to(limit, "lower", "-1e9");
      default_to(limit, "upper", "1e9");
    }
    const double lower = limit.attribute("lower").as_double(), upper = limit.attribute("upper").as_double();
    if (lower > upper) {
      notes_.push_back(fmt::format("the limits of joint {} are reversed: they are exchanged", name_of(joint)));
      limit.attribute("lower").set_value(upper);
      limit.attribute("upper").set_value(lower);
    }
    default_to(limit, "lower", "0");
    default_to(limit, "upper", "0");
    default_to(limit, "effort", "0");
    default_to(limit, "velocity", "0");
  }

  pugi::xml_node robot_;
  std::vector<std::string>& notes_;
  std::set<std::string> defined_;  // materials that say what they look like
  int unnamed_ = 0;
};

}  // namespace

std::optional<RepairedUrdf> repaired_urdf(const std::string& text, std::string& error) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  const pugi::xml_node robot = document.child("robot");
  if (!parsed || !robot) {
    error = "is not a robot description (URDF)";
    if (!parsed) error += fmt::format(": {} at byte {}", parsed.description(), parsed.offset);
    return std::nullopt;
  }
  if (has_xacro(robot)) {
    error = "is written in xacro: expand it first, with `xacro FILE > robot.urdf`";
    return std::nullopt;
  }
  RepairedUrdf result;
  UrdfRepair(robot, result.notes).repair();
  std::ostringstream out;
  document.save(out);
  result.text = out.str();
  return result;
}

}  // namespace gelenk::cad
