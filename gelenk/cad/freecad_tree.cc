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
// Assembly3 makes all of its objects in Python: assemblies, and in each of them groups of parts, elements, constraints.
bool is_assembly3(const FreecadObject& object) {
  return object.type == "Part::FeaturePython" && object.property("Proxy").text == "Assembly";
}
bool is_inside_assembly3(const FreecadObject& object) { return object.property("Proxy").text.starts_with("Asm"); }
bool is_container(const FreecadObject& object) {
  return is_assembly(object) || object.type == "App::Part" || is_assembly3(object);
}
// It only sorts objects in the window, and has no place of its own.
bool is_folder(const FreecadObject& object) {
  return object.type.starts_with("App::DocumentObjectGroup") || object.property("Proxy").text == "AsmPartGroup";
}
bool is_link(const FreecadObject& object) { return object.type.starts_with("App::Link"); }
bool is_part(const FreecadObject& object) {
  if (!object.has("Shape") || is_assembly3(object) || is_inside_assembly3(object)) return false;
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
  for (const FreecadObject& object : files_.root().objects()) {
    part_count_ += is_part(object) && !is_ingredient(object) ? 1U : 0U;
  }
  content_.model.assemblies.push_back({assembly_names_.unique(formats::model_name(stem, "assembly")), stem, {}});
  children_.emplace_back();
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
bool FreecadTree::is_ingredient(const FreecadObject& object) {
  const auto [entry, is_new] = ingredients_.try_emplace(object.file);
  std::set<std::string, std::less<>>& names = entry->second;
  if (is_new) {
    for (const FreecadObject& user : files_.document_of(object).objects()) {
      if (!user.has("Shape") || is_container(user) || is_inside_assembly3(user)) continue;
      for (const auto& [name, property] : user.properties) {
        // A face on which something was drawn stays where it is.
        if (name.ends_with("Support") || !property.file.empty()) continue;
        names.insert(property.links.begin(), property.links.end());
      }
    }
  }
  return names.contains(object.name);
}

const FreecadObject* FreecadTree::root_assembly() {
  std::set<std::string, std::less<>> inside;
  for (const FreecadObject& object : files_.root().objects()) {
    // An assembly in a plain group is not inside anything that moves.
    if (!is_assembly(object) && !is_link(object)) continue;
    for (const char* name : {"Group", "LinkedObject"}) {
      const std::vector<std::string>& links = object.property(name).links;
      inside.insert(links.begin(), links.end());
    }
  }
  const FreecadObject* root = nullptr;
  for (const FreecadObject& object : files_.root().objects()) {
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

std::vector<const FreecadObject*> FreecadTree::top_objects() {
  std::set<std::string, std::less<>> inside;
  for (const FreecadObject& object : files_.root().objects()) {
    const std::vector<std::string>& group = object.property("Group").links;
    if (!is_folder(object) || is_inside_assembly3(object)) inside.insert(group.begin(), group.end());
  }
  std::vector<const FreecadObject*> top;
  for (const FreecadObject& object : files_.root().objects()) {
    const bool counts = is_part(object) || is_container(object) || is_link(object);
    if (!counts || inside.contains(object.name) || is_ingredient(object)) continue;
    // The hidden pattern of a link, or what was put aside.
    if (object.flag("Visibility", true)) top.push_back(&object);
  }
  return top;
}

// A link to an assembly has what the assembly has when it has nothing of its own.
const FreecadObject& FreecadTree::owner_of_group(const FreecadObject& container) {
  if (!container.property("Group").links.empty() || container.type != kAssemblyLink) return container;
  const FreecadObject* target = files_.target(container, container.property("LinkedObject")).object;
  return target == nullptr ? container : *target;
}

// Parts, groups and links; those in folders as if there were none.
std::vector<const FreecadObject*> FreecadTree::members_of(const FreecadObject& container) {
  const FreecadObject& owner = owner_of_group(container);
  const FreecadDocument& document = files_.document_of(owner);
  std::vector<const FreecadObject*> found;
  std::set<std::string, std::less<>> seen{owner.name};
  std::vector<std::string> names = owner.property("Group").links;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const FreecadObject* object = document.find(names[i]);
    if (object == nullptr || !seen.insert(object->name).second || is_ingredient(*object)) continue;
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
std::vector<const FreecadObject*> FreecadTree::relations_of(const FreecadObject& container) {
  const FreecadObject& owner = owner_of_group(container);
  const FreecadDocument& document = files_.document_of(owner);
  std::vector<std::string> names = owner.property("Group").links;
  std::set<std::string, std::less<>> found, groups;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const FreecadObject* object = document.find(names[i]);
    if (object == nullptr) continue;
    if (is_relation(*object)) found.insert(object->name);
    if (object->type != "Assembly::JointGroup" || !groups.insert(object->name).second) continue;
    const std::vector<std::string> inside = object->property("Group").links;
    names.insert(names.end(), inside.begin(), inside.end());
  }
  std::vector<const FreecadObject*> relations;
  for (const FreecadObject& object : document.objects()) {
    if (found.contains(object.name)) relations.push_back(&object);
  }
  return relations;
}

FreecadTree::Placed FreecadTree::placed(const FreecadObject& object) {
  constexpr double kScaleTolerance = 1e-9;
  Placed result{&object, own_placement(object), "", false};
  for (int i = 0; result.object != nullptr && is_link(*result.object) && i < kMostLinks; ++i) {
    const FreecadObject& link = *result.object;
    const FreecadProperty& target = link.property("LinkedObject");
    if (link.has("Scale") && std::abs(link.number("Scale") - 1.0) > kScaleTolerance) result.is_scaled = true;
    const bool takes_next = link.flag("LinkTransform", false);
    FreecadFiles::Target found = files_.target(link, target);
    result.object = found.object;
    result.problem = std::move(found.problem);
    // Otherwise the place of the link replaces that of what it shows.
    if (result.object != nullptr && takes_next) result.placement = result.placement * own_placement(*result.object);
  }
  if (result.object != nullptr && is_link(*result.object)) {
    result.object = nullptr;
    result.problem = "is a link to a link to a link, without an end";
  }
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
  if (found.object == nullptr) return leave_out(found.problem);
  if (found.is_scaled) return leave_out("is a scaled link");
  if (object.number("ElementCount") > 0.0) return leave_out("is a link that repeats a part");
  if (assembly == 0 && is_flexible(*found.object)) {
    if (!open(*found.object)) return;
    for (const FreecadObject* relation : relations_of(*found.object)) {
      // Its ground is the machine's business.
      if (relation->has("JointType")) relations_.push_back(relation);
    }
    add_children(members_of(*found.object), assembly, X_AC * found.placement);
    open_.erase(found.object);
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
  children_[assembly].push_back(&object);
}

bool FreecadTree::open(const FreecadObject& container) {
  if (!open_.insert(&container).second) {
    problem_ = fmt::format("{} contains itself", shown(container.label));
  } else if (open_.size() > kDeepest) {
    problem_ = fmt::format("{} is nested too deeply", shown(container.label));
  }
  return problem_.empty();
}

std::optional<FreecadTree::Defined> FreecadTree::define(const FreecadObject& object) {
  if (const auto known = defined_.find(&object); known != defined_.end()) return known->second;
  std::optional<Defined> result;
  if (is_part(object)) {
    if (const std::optional<std::size_t> number = part(object)) result = Defined{true, *number};
  } else if (is_container(object)) {
    if (!open(object)) return std::nullopt;
    if (const std::optional<std::size_t> number = this->assembly(object)) result = Defined{false, *number};
    open_.erase(&object);
  }
  defined_.emplace(&object, result);
  return result;
}

std::optional<std::size_t> FreecadTree::assembly(const FreecadObject& object) {
  const std::size_t number = content_.model.assemblies.size();
  content_.model.assemblies.push_back({"", object.label, {}});
  children_.emplace_back();
  names_.emplace_back();
  add_children(members_of(object), number, Pose{});
  if (content_.model.assemblies[number].children.empty()) {
    const FreecadProperty& linked = object.property("LinkedObject");
    const std::string problem = linked.links.empty() ? "" : files_.target(object, linked).problem;
    content_.model.notes.push_back(problem.empty()
                                       ? fmt::format("left out: sub-assembly {} is empty", shown(object.label))
                                       : fmt::format("left out: {} {}", shown(object.label), problem));
    if (number + 1 == content_.model.assemblies.size()) {
      content_.model.assemblies.pop_back();
      children_.pop_back();
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
  const std::string* bytes = files_.document_of(object).member(file);
  if (bytes == nullptr) {
    problem_ = fmt::format("the shape of part {}, member {}, is missing", shown(object.label), shown(file));
    return std::nullopt;
  }
  if (bytes->empty()) return shape;  // a body in which nothing was made
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
  const FreecadObject* view = files_.document_of(object).view_of(object.name);
  if (view == nullptr) return std::nullopt;
  const auto color = [](const auto& byte_at) {
    constexpr double kMost = 255.0;
    return formats::Color{byte_at(0) / kMost, byte_at(1) / kMost, byte_at(2) / kMost};
  };
  const FreecadProperty& appearance = view->property("ShapeAppearance");
  // A count, then for each material four colors and two numbers; the second color is that of the surface. All of them
  // begin with their last byte.
  constexpr std::size_t kSurface = 8, kColor = 4;
  const std::string* bytes = appearance.file.empty() ? nullptr : files_.document_of(object).member(appearance.file);
  if (bytes != nullptr && bytes->size() >= kSurface + kColor) {
    return color([&](std::size_t i) { return static_cast<unsigned char>((*bytes)[kSurface + kColor - 1 - i]); });
  }
  constexpr double kMostPacked = 4294967295.0;
  const std::optional<double> packed = parse_number(view->property("ShapeColor").text);
  if (!packed || !(*packed >= 0.0 && *packed <= kMostPacked)) return std::nullopt;
  const auto value = static_cast<std::uint32_t>(*packed);
  return color([&](std::size_t i) { return (value >> (24U - 8U * i)) & 0xFFU; });
}

std::optional<formats::ImportedPath> FreecadTree::find_part(const std::vector<std::string>& names,
                                                            std::size_t file) const {
  formats::ImportedPath path;
  std::size_t assembly = 0;
  for (const std::string& name : names) {
    const std::optional<std::size_t> found = child_called(assembly, name, file);
    if (!found) continue;
    path.push_back(*found);
    const ImportedChild& child = content_.model.assemblies[assembly].children[path.back()];
    if (child.is_part) return path;
    assembly = child.index;
  }
  return std::nullopt;
}

std::optional<std::size_t> FreecadTree::find_child(const std::string& name, std::size_t file) const {
  return child_called(0, name, file);
}

// Names are unique in a file; children of a dissolved sub-assembly may come from another one.
std::optional<std::size_t> FreecadTree::child_called(std::size_t assembly, const std::string& name,
                                                     std::size_t file) const {
  const std::vector<const FreecadObject*>& known = children_[assembly];
  std::optional<std::size_t> elsewhere;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i]->name != name) continue;
    if (known[i]->file == file) return i;
    if (!elsewhere) elsewhere = i;
  }
  return elsewhere;
}

}  // namespace gelenk::cad
