#include "gelenk/cad/freecad_tree.h"

#include <fmt/format.h>

#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BinTools.hxx>
#include <TopLoc_Location.hxx>
#include <TopoDS_Shape.hxx>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "gelenk/base/text.h"
#include "gelenk/cad/freecad_materials.h"

namespace gelenk::cad {
namespace {

using formats::ImportedChild;

constexpr std::string_view kAssembly = "Assembly::AssemblyObject", kAssemblyLink = "Assembly::AssemblyLink";
constexpr int kMostLinks = 64;         // that lead to one another
constexpr std::size_t kDeepest = 200;  // nesting of assemblies

bool is_assembly(const FreecadObject& object) { return object.type == kAssembly || object.type == kAssemblyLink; }
bool is_container(const FreecadObject& object) { return is_assembly(object) || object.type == "App::Part"; }
// It only sorts objects in the window, and has no place of its own.
bool is_folder(const FreecadObject& object) { return object.type.starts_with("App::DocumentObjectGroup"); }
bool is_link(const FreecadObject& object) { return object.type.starts_with("App::Link"); }
bool is_part(const FreecadObject& object) {
  if (!object.has("Shape")) return false;
  if (object.type.starts_with("PartDesign::Body")) return true;
  return object.type.starts_with("Part::") && !object.type.starts_with("Part::Part2D") &&
         !object.type.starts_with("Part::Datum") && !object.type.starts_with("Part::LocalCoordinateSystem");
}
bool is_relation(const FreecadObject& object) { return object.has("JointType") || object.has("ObjectToGround"); }
// The parts of a flexible sub-assembly move against each other.
bool is_flexible(const FreecadObject& object) { return object.type == kAssemblyLink && !object.flag("Rigid", true); }

std::string_view without_number(std::string_view label) {
  while (!label.empty() && std::isdigit(static_cast<unsigned char>(label.back())) != 0) label.remove_suffix(1);
  return label;
}

// FreeCAD calls the first link to "Rod" "Rod001", because no two labels are equal: then "Rod" says more.
const std::string& telling_label(const FreecadObject& object, const FreecadObject& target) {
  constexpr std::size_t kDigits = 3;
  const std::string_view stem = without_number(object.label);
  const bool is_automatic = object.label.size() >= stem.size() + kDigits && stem == without_number(target.label);
  return is_automatic ? target.label : object.label;
}

Pose own_placement(const FreecadObject& object) {
  const char* const name = object.has("LinkPlacement") ? "LinkPlacement" : "Placement";
  return object.property(name).placement.value_or(Pose{});
}

}  // namespace

std::string FreecadTree::read(const std::string& stem) {
  find_ingredients();
  content_.model.assemblies.push_back({assembly_names_.unique(formats::model_name(stem, "assembly")), stem, {}});
  child_names_.emplace_back();
  names_.emplace_back();
  const FreecadObject* root = root_assembly();
  std::vector<const FreecadObject*> top;
  if (root == nullptr) {
    top = top_objects();
    // A file that holds one group of parts: its children are those of the model.
    if (top.size() == 1 && is_container(*top.front())) root = top.front();
  }
  Pose X_WA;
  if (root != nullptr) {
    content_.model.assemblies.front().product = root->label;
    top = members_of(*root);
    X_WA = own_placement(*root);
    relations_ = relations_of(*root);
  }
  add_children(top, 0, X_WA);
  return problem_;
}

// What boolean operations and the like are made of is no part of its own.
void FreecadTree::find_ingredients() {
  for (const FreecadObject& object : document_.objects()) {
    if (!object.has("Shape") || is_container(object)) continue;
    for (const auto& [name, property] : object.properties) {
      // A face on which something was drawn stays where it is.
      if (name.ends_with("Support")) continue;
      ingredients_.insert(property.links.begin(), property.links.end());
    }
  }
  for (const FreecadObject& object : document_.objects()) {
    part_count_ += is_part(object) && !ingredients_.contains(object.name) ? 1U : 0U;
  }
}

const FreecadObject* FreecadTree::root_assembly() {
  std::set<std::string, std::less<>> inside;
  for (const FreecadObject& object : document_.objects()) {
    // An assembly in a plain group is not inside anything that moves.
    if (!is_assembly(object) && !is_link(object)) continue;
    for (const char* name : {"Group", "LinkedObject"}) {
      const std::vector<std::string>& links = object.property(name).links;
      inside.insert(links.begin(), links.end());
    }
  }
  const FreecadObject* root = nullptr;
  for (const FreecadObject& object : document_.objects()) {
    if (object.type != kAssembly || inside.contains(object.name)) continue;
    if (root == nullptr) {
      root = &object;
    } else {
      content_.model.notes.push_back(
          fmt::format("left out: assembly {} is beside assembly {}", shown(object.label), shown(root->label)));
    }
  }
  return root;
}

std::vector<const FreecadObject*> FreecadTree::top_objects() const {
  std::set<std::string, std::less<>> inside;
  for (const FreecadObject& object : document_.objects()) {
    const std::vector<std::string>& group = object.property("Group").links;
    if (!is_folder(object)) inside.insert(group.begin(), group.end());
  }
  std::vector<const FreecadObject*> top;
  for (const FreecadObject& object : document_.objects()) {
    const bool counts = is_part(object) || is_container(object) || is_link(object);
    if (!counts || inside.contains(object.name) || ingredients_.contains(object.name)) continue;
    // The hidden pattern of a link, or what was put aside.
    if (object.flag("Visibility", true)) top.push_back(&object);
  }
  return top;
}

// A link to an assembly has what the assembly has when it has nothing of its own.
const std::vector<std::string>& FreecadTree::group_of(const FreecadObject& container) const {
  const std::vector<std::string>& own = container.property("Group").links;
  const FreecadProperty& linked = container.property("LinkedObject");
  if (!own.empty() || container.type != kAssemblyLink || linked.links.empty() || !linked.file.empty()) return own;
  const FreecadObject* target = document_.find(linked.links.front());
  return target == nullptr ? own : target->property("Group").links;
}

// Parts, groups and links; those in folders as if there were none.
std::vector<const FreecadObject*> FreecadTree::members_of(const FreecadObject& container) const {
  std::vector<const FreecadObject*> found;
  std::set<std::string, std::less<>> seen{container.name};
  std::vector<std::string> names = group_of(container);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const FreecadObject* object = document_.find(names[i]);
    if (object == nullptr || !seen.insert(object->name).second || ingredients_.contains(object->name)) continue;
    if (is_folder(*object)) {
      const std::vector<std::string> inside = object->property("Group").links;
      names.insert(names.end(), inside.begin(), inside.end());
    } else if (is_part(*object) || is_container(*object) || is_link(*object)) {
      found.push_back(object);
    }
  }
  return found;
}

// Joints stand in a group of the assembly, some versions list them in the assembly, too.
std::vector<const FreecadObject*> FreecadTree::relations_of(const FreecadObject& container) const {
  std::vector<std::string> names = group_of(container);
  std::set<std::string, std::less<>> found, groups;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const FreecadObject* object = document_.find(names[i]);
    if (object == nullptr) continue;
    if (is_relation(*object)) found.insert(object->name);
    if (object->type != "Assembly::JointGroup" || !groups.insert(object->name).second) continue;
    const std::vector<std::string> inside = object->property("Group").links;
    names.insert(names.end(), inside.begin(), inside.end());
  }
  std::vector<const FreecadObject*> relations;
  for (const FreecadObject& object : document_.objects()) {
    if (found.contains(object.name)) relations.push_back(&object);
  }
  return relations;
}

FreecadTree::Placed FreecadTree::placed(const FreecadObject& object) const {
  constexpr double kScaleTolerance = 1e-9;
  Placed result{&object, own_placement(object), "", false};
  for (int i = 0; result.object != nullptr && is_link(*result.object) && i < kMostLinks; ++i) {
    const FreecadObject& link = *result.object;
    const FreecadProperty& target = link.property("LinkedObject");
    if (link.has("Scale") && std::abs(link.number("Scale") - 1.0) > kScaleTolerance) result.is_scaled = true;
    const bool takes_next = link.flag("LinkTransform", false);
    result.outside = target.file;
    result.object = target.links.empty() || !target.file.empty() ? nullptr : document_.find(target.links.front());
    // Otherwise the place of the link replaces that of what it shows.
    if (result.object != nullptr && takes_next) result.placement = result.placement * own_placement(*result.object);
  }
  if (result.object != nullptr && is_link(*result.object)) result.object = nullptr;
  return result;
}

void FreecadTree::add_children(const std::vector<const FreecadObject*>& objects, std::size_t assembly,
                               const Pose& X_AC) {
  for (const FreecadObject* object : objects) {
    if (!problem_.empty()) return;
    add_child(*object, assembly, X_AC);
  }
}

// `X_AC`: where its owner C stands in the assembly.
void FreecadTree::add_child(const FreecadObject& object, std::size_t assembly, const Pose& X_AC) {
  const Placed found = placed(object);
  const auto leave_out = [&](const std::string& why) {
    content_.model.notes.push_back(fmt::format("left out: {} {}", shown(object.label), why));
  };
  if (found.object == nullptr) {
    return leave_out(found.outside.empty() ? "does not link to a single part"
                                           : fmt::format("is in another file, {}", shown(found.outside)));
  }
  if (found.is_scaled) return leave_out("is a scaled link");
  if (object.number("ElementCount") > 0.0) return leave_out("is a link that repeats a part");
  if (assembly == 0 && is_flexible(*found.object)) {
    if (!open(*found.object)) return;
    for (const FreecadObject* relation : relations_of(*found.object)) {
      // Its ground is the machine's business.
      if (relation->has("JointType")) relations_.push_back(relation);
    }
    add_children(members_of(*found.object), assembly, X_AC * found.placement);
    open_.erase(found.object->name);
    return;
  }
  const std::optional<Defined> defined = define(*found.object);
  if (!defined) return;
  const std::string& label = telling_label(object, *found.object);
  const bool has_name = formats::is_telling_name(label);
  ImportedChild child;
  child.source = object.label;
  child.is_part = defined->is_part;
  child.index = defined->index;
  child.placement = X_AC * found.placement;
  child.name = names_[assembly].unique(
      formats::model_name(has_name ? label : std::string(), defined->is_part ? "part" : "assembly"));
  content_.model.assemblies[assembly].children.push_back(std::move(child));
  child_names_[assembly].push_back(object.name);
}

bool FreecadTree::open(const FreecadObject& container) {
  if (!open_.insert(container.name).second) {
    problem_ = fmt::format("{} contains itself", shown(container.label));
  } else if (open_.size() > kDeepest) {
    problem_ = fmt::format("{} is nested too deeply", shown(container.label));
  }
  return problem_.empty();
}

std::optional<FreecadTree::Defined> FreecadTree::define(const FreecadObject& object) {
  if (const auto known = defined_.find(object.name); known != defined_.end()) return known->second;
  std::optional<Defined> result;
  if (is_part(object)) {
    if (const std::optional<std::size_t> number = part(object)) result = Defined{true, *number};
  } else if (is_container(object)) {
    if (!open(object)) return std::nullopt;
    if (const std::optional<std::size_t> number = this->assembly(object)) result = Defined{false, *number};
    open_.erase(object.name);
  }
  defined_.emplace(object.name, result);
  return result;
}

std::optional<std::size_t> FreecadTree::assembly(const FreecadObject& object) {
  const std::size_t number = content_.model.assemblies.size();
  content_.model.assemblies.push_back({"", object.label, {}});
  child_names_.emplace_back();
  names_.emplace_back();
  add_children(members_of(object), number, Pose{});
  if (content_.model.assemblies[number].children.empty()) {
    const std::string& outside = object.property("LinkedObject").file;
    content_.model.notes.push_back(
        outside.empty() ? fmt::format("left out: sub-assembly {} is empty", shown(object.label))
                        : fmt::format("left out: {} is in another file, {}", shown(object.label), shown(outside)));
    if (number + 1 == content_.model.assemblies.size()) {
      content_.model.assemblies.pop_back();
      child_names_.pop_back();
      names_.pop_back();
    }
    return std::nullopt;
  }
  content_.model.assemblies[number].name = assembly_names_.unique(formats::model_name(object.label, "assembly"));
  const std::vector<const FreecadObject*> relations = relations_of(object);
  const auto joints = std::count_if(relations.begin(), relations.end(),
                                    [](const FreecadObject* relation) { return relation->has("JointType"); });
  if (joints > 0) {
    content_.model.notes.push_back(fmt::format("sub-assembly {} is rigid: its {} {} left out", shown(object.label),
                                               joints, joints == 1 ? "joint is" : "joints are"));
  }
  return number;
}

std::optional<TopoDS_Shape> FreecadTree::shape_of(const FreecadObject& object) {
  TopoDS_Shape shape;
  const std::string& file = object.property("Shape").file;
  if (file.empty()) return shape;
  const std::string* bytes = document_.member(file);
  if (bytes == nullptr) {
    problem_ = fmt::format("the shape of part {}, member {}, is missing", shown(object.label), shown(file));
    return std::nullopt;
  }
  std::istringstream stream(*bytes, std::ios::binary);
  // OpenCASCADE reads on where nothing more can be read, as often as a damaged count says.
  stream.exceptions(std::ios::failbit | std::ios::badbit);
  try {
    if (file.ends_with(".bin")) {
      BinTools::Read(shape, stream);
    } else if (bytes->find("CASCADE Topology") != std::string::npos) {
      BRepTools::Read(shape, stream, BRep_Builder());
    }
  } catch (const std::ios_base::failure&) {
    shape.Nullify();
  }
  if (shape.IsNull()) {
    problem_ = fmt::format("the shape of part {}, member {}, is damaged", shown(object.label), shown(file));
    return std::nullopt;
  }
  // The stored place is that of the object, which the link to it may replace.
  shape.Location(TopLoc_Location());
  return shape;
}

std::optional<std::size_t> FreecadTree::part(const FreecadObject& object) {
  // Those that are left out count, too.
  ++parts_seen_;
  progress_(fmt::format("part {} of {}", parts_seen_, std::max(part_count_, parts_seen_)));
  progress_.at(fmt::format("object {}", shown(object.label)));
  const std::optional<TopoDS_Shape> shape = shape_of(object);
  if (!shape) return std::nullopt;
  SolidPart about{object.label, "", 0.0, color_of(object)};
  const std::string& uuid = object.property("ShapeMaterial").text;
  if (const FreecadMaterial* material = find_freecad_material(uuid)) {
    about.material = material->name;
    about.density = material->density;
  } else if (!uuid.empty() && uuid != kFreecadDefault && unknown_materials_.insert(uuid).second) {
    content_.model.notes.push_back(fmt::format(
        "part {} has a material that only FreeCAD knows: steel is assumed (--material)", shown(object.label)));
  }
  return add_part(*shape, about, part_names_, content_);
}

// Red, green, blue and transparency, a byte each.
std::optional<formats::Color> FreecadTree::color_of(const FreecadObject& object) const {
  const FreecadObject* view = document_.view_of(object.name);
  if (view == nullptr) return std::nullopt;
  const auto color = [](const auto& byte_at) {
    constexpr double kMost = 255.0;
    return formats::Color{byte_at(0) / kMost, byte_at(1) / kMost, byte_at(2) / kMost};
  };
  const FreecadProperty& appearance = view->property("ShapeAppearance");
  // A count, then for each material four colors and two numbers; the second color is that of the surface. All of them
  // begin with their last byte.
  constexpr std::size_t kSurface = 8, kColor = 4;
  const std::string* bytes = appearance.file.empty() ? nullptr : document_.member(appearance.file);
  if (bytes != nullptr && bytes->size() >= kSurface + kColor) {
    return color([&](std::size_t i) { return static_cast<unsigned char>((*bytes)[kSurface + kColor - 1 - i]); });
  }
  constexpr double kMostPacked = 4294967295.0;
  const std::optional<double> packed = parse_number(view->property("ShapeColor").text);
  if (!packed || !(*packed >= 0.0 && *packed <= kMostPacked)) return std::nullopt;
  const auto value = static_cast<std::uint32_t>(*packed);
  return color([&](std::size_t i) { return (value >> (24U - 8U * i)) & 0xFFU; });
}

std::optional<formats::ImportedPath> FreecadTree::find_part(const std::vector<std::string>& names) const {
  formats::ImportedPath path;
  std::size_t assembly = 0;
  for (const std::string& name : names) {
    const std::vector<std::string>& known = child_names_[assembly];
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) continue;
    path.push_back(static_cast<std::size_t>(found - known.begin()));
    const ImportedChild& child = content_.model.assemblies[assembly].children[path.back()];
    if (child.is_part) return path;
    assembly = child.index;
  }
  return std::nullopt;
}

std::optional<std::size_t> FreecadTree::find_child(const std::string& name) const {
  const std::vector<std::string>& known = child_names_.front();
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) return std::nullopt;
  return static_cast<std::size_t>(found - known.begin());
}

}  // namespace gelenk::cad
