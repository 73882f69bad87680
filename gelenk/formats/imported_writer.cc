#include "gelenk/formats/imported_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gelenk/base/text.h"
#include "gelenk/formats/imported_frames.h"
#include "gelenk/formats/imported_names.h"
#include "gelenk/formats/yaml_writer.h"
#include "gelenk/geometry/glb_writer.h"

namespace gelenk::formats {
namespace {

// Below this a coordinate (m), an element of a quaternion, or of an inertia relative to the largest is rounding noise.
constexpr double kNoise = 1e-14;

Node scalar(std::string text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::move(text);
  return node;
}

Node number(double value, double scale = 1.0) {
  return scalar(format_number(std::abs(value) < kNoise * scale ? 0.0 : value));
}

Node numbers(const Vector3& v) {
  Node node;
  node.kind = Node::Kind::list;
  for (int i = 0; i < 3; ++i) node.items.push_back(number(v[i]));
  return node;
}

class Map {
 public:
  Map() { node_.kind = Node::Kind::map; }
  Map& add(std::string key, Node value) {
    node_.entries.push_back({std::move(key), {}, std::move(value)});
    return *this;
  }
  Map& add(std::string key, Map value) { return add(std::move(key), std::move(value.node_)); }
  Map& add(std::string key, const std::string& text) { return add(std::move(key), scalar(text)); }
  // Sections without content are left out.
  Map& add_section(std::string key, Map value) {
    return value.node_.entries.empty() ? *this : add(std::move(key), std::move(value));
  }
  const Node& node() const { return node_; }

 private:
  Node node_;
};

Node placement(const Pose& pose) {
  const Quaternion q = quaternion_from_rotation(pose.rotation);
  if (q.vec().norm() < kNoise) return numbers(pose.position);
  Node elements;
  elements.kind = Node::Kind::list;
  for (const double element : {q.w(), q.x(), q.y(), q.z()}) elements.items.push_back(number(element));
  Map orientation, map;
  orientation.add("quaternion", std::move(elements));
  map.add("position", numbers(pose.position)).add("orientation", std::move(orientation));
  return map.node();
}

std::string color_text(const Color& color) {
  std::string text = "#";
  for (const double component : color) text += fmt::format("{:02x}", std::lround(255.0 * component));
  return text;
}

struct NamedFrame {
  std::string name;
  Pose pose;
};

// What an assembly offers beside its children.
struct ImportedDefinition {
  NameRegister names;
  std::map<std::size_t, std::vector<NamedFrame>> frames;       // of its parts, by child
  std::map<std::string, std::string> ports;                    // by what they stand for
  std::vector<std::pair<std::string, std::string>> port_list;  // name and what it stands for
  std::size_t main = 0;                                        // the child to which the others are held
  std::string base;                                            // port to that child
};

class ImportWriter {
 public:
  ImportWriter(const ImportedModel& model, const ImportedWriting& writing)
      : model_(model), writing_(writing), definitions_(model.assemblies.size()), masses_(model.assemblies.size()) {}

  std::vector<ImportedFile> write() {
    prepare(0);
    Map joints;
    for (const ImportedJoint& joint : model_.joints) joints.add(joint.name, joint_map(joint));
    for (const ImportedCoupler& coupler : model_.couplers) joints.add(coupler.name, coupler_map(coupler));
    for (const ImportedFrame& frame : model_.frames) frame_name(frame.path, {frame.name, frame.frame}, 0, 0);
    std::vector<ImportedFile> files;
    files.push_back({writing_.name + ".yaml", users_text(), true});
    files.push_back({writing_.name + ".cad.yaml", assembly_text(0, joints), false});
    for (std::size_t i = 1; i < model_.assemblies.size(); ++i) {
      if (!is_prepared(i)) continue;
      files.push_back({folder() + "/" + model_.assemblies[i].name + ".yaml", assembly_text(i, holds(i)), false});
    }
    for (const ImportedPart& part : model_.parts) {
      if (part.mesh.triangles.empty()) continue;
      files.push_back({folder() + "/" + part.name + ".glb", geometry::write_glb({&part.mesh, 1}, part.color), false});
    }
    return files;
  }

 private:
  std::string folder() const { return writing_.name + ".cad"; }
  bool is_prepared(std::size_t assembly) const { return masses_[assembly] > 0.0; }

  double mass_of(const ImportedChild& child) const {
    return child.is_part ? model_.parts[child.index].mass.mass : masses_[child.index];
  }

  // Names, masses and base ports of an assembly and all inside it.
  void prepare(std::size_t number) {
    ImportedDefinition& definition = definitions_[number];
    const std::vector<ImportedChild>& children = model_.assemblies[number].children;
    double heaviest = 0.0;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (!children[i].is_part && !is_prepared(children[i].index)) prepare(children[i].index);
      definition.names.unique(children[i].name);
      masses_[number] += mass_of(children[i]);
      // A part before an assembly of the same mass, the first before the others.
      if (mass_of(children[i]) > heaviest) {
        heaviest = mass_of(children[i]);
        definition.main = i;
      }
    }
    if (number == 0) {
      for (const ImportedJoint& joint : model_.joints) definition.names.unique(joint.name);
      return;
    }
    definition.base = definition.names.unique("base");
    definition.port_list.emplace_back(definition.base, child_base(number, definition.main));
  }

  // The frame by which an assembly names one of its children as a whole.
  std::string child_base(std::size_t assembly, std::size_t child) const {
    const ImportedChild& it = model_.assemblies[assembly].children[child];
    return it.is_part ? it.name : it.name + "." + definitions_[it.index].base;
  }

  // The name of a frame inside, as the assembly at this depth of the path says it; makes frames and ports on the way.
  std::string frame_name(const ImportedPath& path, const NamedFrame& frame, std::size_t assembly, std::size_t depth) {
    const std::size_t number = path[depth];
    const ImportedChild& child = model_.assemblies[assembly].children[number];
    if (!child.is_part) {
      const std::string inside = frame_name(path, frame, child.index, depth + 1);
      return child.name + "." + port(child.index, inside);
    }
    std::vector<NamedFrame>& frames = definitions_[assembly].frames[number];
    if (std::none_of(frames.begin(), frames.end(), [&](const NamedFrame& one) { return one.name == frame.name; })) {
      frames.push_back(frame);
    }
    return child.name + "." + frame.name;
  }

  std::string port(std::size_t assembly, const std::string& target) {
    ImportedDefinition& definition = definitions_[assembly];
    const auto [it, is_new] = definition.ports.try_emplace(target);
    if (is_new) {
      it->second = definition.names.unique(model_name(target, "port"));
      definition.port_list.emplace_back(it->second, target);
    }
    return it->second;
  }

  Map joint_map(const ImportedJoint& joint) {
    const std::string_view word = frame_word(joint.type);
    Map map;
    map.add("type", joint.type);
    Node between;
    between.kind = Node::Kind::list;
    for (const ImportedEnd& end : joint.ends) {
      between.items.push_back(scalar(frame_name(end.path, {end.name, end.frame}, 0, 0)));
    }
    map.add("between", std::move(between));
    if (word != "center" && word != "seat") map.add("axis", "z");
    Map limits;
    for (const ImportedLimits& limit : joint.limits) {
      Map range;
      if (limit.min) range.add("min", number(*limit.min));
      if (limit.max) range.add("max", number(*limit.max));
      limits.add(limit.coordinate, std::move(range));
    }
    map.add_section("limits", std::move(limits));
    if (!joint.is_enabled) map.add("enabled", "false");
    Map meta;
    meta.add("origin", std::string(origin_name(joint.origin)));
    if (joint.origin == Origin::inferred) meta.add("score", format_rounded(joint.score, 2));
    if (!joint.reason.empty()) meta.add("reason", joint.reason);
    for (const auto& [key, value] : joint.details) meta.add(key, value);
    return map.add("meta", std::move(meta));
  }

  static Map coupler_map(const ImportedCoupler& coupler) {
    Node couples;
    couples.kind = Node::Kind::list;
    couples.items = {scalar(coupler.first), scalar(coupler.second)};
    Map map;
    map.add("type", "coupler").add("couples", std::move(couples)).add("ratio", number(coupler.ratio));
    if (coupler.offset != 0.0) map.add("offset", number(coupler.offset));
    return map;
  }

  // A sub-assembly is rigid: every child is held to the heaviest one, where it is drawn.
  Map holds(std::size_t assembly) {
    ImportedDefinition& definition = definitions_[assembly];
    const std::vector<ImportedChild>& children = model_.assemblies[assembly].children;
    Map joints;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (i == definition.main) continue;
      Node between;
      between.kind = Node::Kind::list;
      for (const std::size_t child : {definition.main, i}) {
        between.items.push_back(scalar(child_base(assembly, child)));
      }
      Map joint, meta;
      meta.add("origin", std::string(origin_name(Origin::assumed)));
      joint.add("type", "fixed").add("between", std::move(between)).add("at", numbers(Vector3::Zero()));
      joint.add("meta", std::move(meta));
      joints.add(definition.names.unique(children[definition.main].name + "_" + children[i].name), std::move(joint));
    }
    return joints;
  }

  Map part_map(std::size_t assembly, std::size_t number_of_child) const {
    const ImportedChild& child = model_.assemblies[assembly].children[number_of_child];
    const ImportedPart& part = model_.parts[child.index];
    Map map, inertia, frames, meta;
    map.add("at", placement(child.placement));
    map.add("mass", format_number(part.mass.mass) + " kg").add("center_of_mass", numbers(part.mass.center));
    static constexpr const char* kAxes = "xyz";
    const double largest = part.mass.inertia.diagonal().maxCoeff();
    for (const auto& [i, j] : {std::pair{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}) {
      if (i == j || std::abs(part.mass.inertia(i, j)) >= kNoise * largest) {
        inertia.add(fmt::format("{}{}", kAxes[i], kAxes[j]), number(part.mass.inertia(i, j), largest));
      }
    }
    map.add("inertia", std::move(inertia));
    const std::map<std::size_t, std::vector<NamedFrame>>& all = definitions_[assembly].frames;
    if (const auto found = all.find(number_of_child); found != all.end()) {
      for (const NamedFrame& frame : found->second) frames.add(frame.name, Map().add("at", placement(frame.pose)));
    }
    map.add_section("frames", std::move(frames));
    meta.add("product", part.product);
    if (!child.source.empty() && child.source != part.product) meta.add("instance", child.source);
    if (!part.material.empty()) meta.add("material", part.material);
    const bool is_assumed = part.density_origin == Origin::assumed;
    if (part.volume > 0.0) {
      meta.add("density", format_number(part.density) + " kg/m^3");
      meta.add("mass_from", part.is_mass_given ? "given mass" : is_assumed ? "assumed density" : "density");
      meta.add("volume", format_number(part.volume) + " m^3");
    } else {
      meta.add("mass_from", part.is_mass_given ? "given mass" : is_assumed ? "assumption" : "file");
    }
    if (part.color) meta.add("color", color_text(*part.color));
    if (!part.mesh.triangles.empty()) {
      meta.add("shape", (assembly == 0 ? folder() + "/" : std::string()) + part.name + ".glb");
    }
    return map.add("meta", std::move(meta));
  }

  // Joints of the assembly are made before this: they leave frames and ports.
  std::string assembly_text(std::size_t number, const Map& joints) const {
    const ImportedAssembly& assembly = model_.assemblies[number];
    Map root, parts, assemblies, ports, meta;
    for (std::size_t i = 0; i < assembly.children.size(); ++i) {
      const ImportedChild& child = assembly.children[i];
      if (child.is_part) {
        parts.add(child.name, part_map(number, i));
      } else {
        Map instance;
        instance.add("use",
                     (number == 0 ? folder() + "/" : std::string()) + model_.assemblies[child.index].name + ".yaml");
        assemblies.add(child.name, instance.add("at", placement(child.placement)));
      }
    }
    for (const auto& [name, target] : definitions_[number].port_list) ports.add(name, target);
    root.add("gelenk", "1");
    if (number == 0) {
      // As drawings are read, and as the import reports sizes.
      root.add("name", writing_.name).add("up", writing_.up);
      root.add("display", Map().add("length", "mm").add("angle", "deg"));
    }
    root.add_section("parts", std::move(parts)).add_section("assemblies", std::move(assemblies));
    root.add_section("joints", joints).add_section("ports", std::move(ports));
    if (!assembly.product.empty()) meta.add("product", assembly.product);
    if (number == 0) meta.add("source", model_.source);
    root.add_section("meta", std::move(meta));
    return "# Generated by `gelenk import`: do not edit, the next import overwrites it. Put changes in " +
           writing_.name + ".yaml.\n" + write_yaml(root.node());
  }

  std::string users_text() const {
    std::string text = fmt::format(
        "# Yours: `gelenk import` writes this file only once. The imported machine is in "
        "{0}.cad.yaml;\n"
        "# here you say what is fixed to the ground, what differs, and what drives it.\n"
        "gelenk: 1\n"
        "use: {0}.cad.yaml\n",
        writing_.name);
    if (writing_.ground) {
      text += fmt::format("joints:\n  {}: {{type: fixed, between: [ground, {}], at: [0, 0, 0]}}\n",
                          ground_joint_name(model_, *writing_.ground), child_base(0, *writing_.ground));
    } else {
      text +=
          "# Nothing is fixed to the ground:\n"
          "# joints:\n"
          "#   foot: {type: fixed, between: [ground, PART], at: [0, 0, 0]}\n";
    }
    if (!model_.joints.empty() && model_.joints.front().origin == Origin::inferred) {
      text += fmt::format(
          "# Correct a joint that was guessed wrong, or leave it out:\n"
          "# modify:\n"
          "#   joints.{0}: {{type: cylindrical}}\n"
          "#   joints.{0}: {{enabled: false}}\n",
          model_.joints.front().name);
    }
    return text + driver_text() + "simulation: {duration: 1 s}\n";
  }

  // What would make it move: the first joint that can be driven.
  std::string driver_text() const {
    for (const ImportedJoint& joint : model_.joints) {
      const bool turns = joint.type == "revolute";
      if (!joint.is_enabled || (!turns && joint.type != "prismatic")) continue;
      return fmt::format("# Make it move:\n# drivers:\n#   motor: {{drives: {}.{}, rate: {}}}\n", joint.name,
                         turns ? "angle" : "travel", turns ? "60 rpm" : "10 mm/s");
    }
    return "";
  }

  const ImportedModel& model_;
  const ImportedWriting& writing_;
  std::vector<ImportedDefinition> definitions_;
  std::vector<double> masses_;  // of whole assemblies; 0: not prepared
};

}  // namespace

std::string ground_joint_name(const ImportedModel& model, std::size_t child) {
  NameRegister names;
  for (const ImportedChild& taken : model.assemblies.front().children) names.unique(taken.name);
  for (const ImportedJoint& taken : model.joints) names.unique(taken.name);
  return names.unique("ground_" + model.assemblies.front().children[child].name);
}

std::vector<ImportedFile> write_imported(const ImportedModel& model, const ImportedWriting& writing) {
  return ImportWriter(model, writing).write();
}

}  // namespace gelenk::formats
