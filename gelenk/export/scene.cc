#include "gelenk/export/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "gelenk/base/name_list.h"
#include "gelenk/base/text.h"
#include "gelenk/export/scene_data.h"
#include "gelenk/export/scene_shapes.h"
#include "gelenk/geometry/glb_reader.h"
#include "gelenk/geometry/mesh_reader.h"
#include "gelenk/model/mobility.h"

namespace gelenk::exporting {
namespace {

// Calm, distinct for most eyes, and none of them the color of a warning.
constexpr std::array<Color, 10> kPalette{{{0.40, 0.55, 0.69},
                                          {0.80, 0.62, 0.42},
                                          {0.52, 0.65, 0.53},
                                          {0.67, 0.50, 0.56},
                                          {0.55, 0.60, 0.72},
                                          {0.74, 0.70, 0.50},
                                          {0.45, 0.63, 0.64},
                                          {0.70, 0.56, 0.47},
                                          {0.60, 0.55, 0.68},
                                          {0.56, 0.62, 0.46}}};
constexpr std::array<Color, 3> kGrays{{{0.62, 0.63, 0.65}, {0.72, 0.73, 0.74}, {0.53, 0.54, 0.57}}};
constexpr double kSymbolPart = 0.04;    // of the size
constexpr double kSmallestSize = 1e-9;  // m: below, there is no extent

std::string last_name(const std::string& path, const std::string& owner) {
  return owner.empty() ? path : path.substr(std::min(path.size(), owner.size() + 1));
}

class SceneMaker {
 public:
  explicit SceneMaker(const SceneInput& input)
      : input_(input), machine_(input.machine), data_(input.machine, input.sources), pool_(scene_.meshes) {}

  Scene make() {
    scene_.name = machine_.name;
    scene_.up = machine_.up;
    scene_.ground_color = kGrays.front();
    points_.resize(machine_.parts.size());
    add_assemblies();
    add_parts();
    note_missing_pictures();
    add_frames();
    for (const model::JointNode& joint : machine_.joints) add_joint(joint);
    for (const model::ForceNode& force : machine_.forces) add_force(force);
    for (const model::DriverNode& driver : machine_.drivers) {
      if (!driver.drives.joint.is_set()) continue;  // of a model with errors: what it drives is not known
      scene_.drivers.push_back(
          {element(driver, data_.of(driver)), data_.coordinate(driver.drives), effort_direction(driver.drives)});
    }
    for (const model::CouplingNode& coupling : machine_.couplings) add_coupling(coupling);
    add_default_shapes();
    const geometry::Bounds box = bounds_of_all();
    scene_.size = box.diagonal() > kSmallestSize ? box.diagonal() : 1.0;
    if (!box.is_empty()) scene_.center = box.center();
    scene_.symbol = kSymbolPart * scene_.size;
    scene_.gravity = gravity();
    return std::move(scene_);
  }

 private:
  template <class Element>
  SceneElement element(const Element& node, DataLines lines) const {
    SceneElement result;
    result.path = node.path;
    result.data = std::move(lines);
    if (input_.sources != nullptr && node.where.is_known()) {
      const SourceFile& file = input_.sources->file(node.where.file);
      result.file = file.path();
      result.line = file.line_column(node.where.begin).line;
    }
    return result;
  }

  static int part_number(const model::FrameOnPart& frame) {
    return frame.part.is_set() ? static_cast<int>(frame.part.index()) : kGroundPart;
  }

  // Where others hold a part, in its axes.
  std::vector<Vector3>& points_on(int part) {
    return part == kGroundPart ? ground_points_ : points_[static_cast<std::size_t>(part)];
  }

  void add_assemblies() {
    for (std::size_t i = 1; i < machine_.assemblies.size(); ++i) {
      const model::AssemblyNode& node = machine_.assemblies[i];
      SceneAssembly assembly{element(node, data_.of(node)), {}, node.name, false};
      if (node.owner.is_set() && node.owner.index() > 0) assembly.owner = node.owner.index() - 1;
      assembly.is_sealed = node.definition != nullptr && !node.definition->sealed.empty();
      scene_.assemblies.push_back(std::move(assembly));
    }
  }

  // How a part was written, where its looks are from, and what its copies share; null where nobody wrote it.
  struct Written {
    const model::Object* own = nullptr;
    const model::Object* looks = nullptr;  // has `meta`, or is what is written out
    const model::Object* origin = nullptr;
    Matrix3 mirror = Matrix3::Identity();  // of the looks, in the axes of the assembly
  };
  Written written(const model::PartNode& part) {
    const model::AssemblyNode& owner = machine_.assemblies[part.assembly.index()];
    if (owner.definition == nullptr) return {};
    const auto [place, is_new] = written_parts_.try_emplace(owner.definition);
    auto& by_name = place->second;
    if (is_new) {
      for (const model::Object& object : owner.definition->object.section("parts")) {
        by_name.try_emplace(object.name, &object);
      }
    }
    const auto find = [&](const std::string& name) {
      const auto found = by_name.find(name);
      return found == by_name.end() ? nullptr : found->second;
    };
    Written result;
    result.own = result.looks = result.origin = find(last_name(part.path, owner.path));
    // A model with errors may have parts that are copies of themselves.
    for (std::size_t i = 0; result.origin != nullptr && i < by_name.size(); ++i) {
      const std::string* const mirrored = result.origin->text("mirror_of");
      const std::string* const copied = mirrored != nullptr ? mirrored : result.origin->text("copy_of");
      const model::Object* const source = copied == nullptr ? nullptr : find(*copied);
      if (source == nullptr) break;
      if (result.looks->value("meta") == nullptr) {
        const std::string* const plane = mirrored == nullptr ? nullptr : result.origin->text("plane");
        if (plane != nullptr) result.mirror = reflection(*plane) * result.mirror;
        result.looks = source;
      }
      result.origin = source;
    }
    return result;
  }

  static Matrix3 reflection(const std::string& plane) {
    Vector3 signs = Vector3::Ones();
    signs(plane == "yz" ? 0 : plane == "xz" ? 1 : 2) = -1.0;
    return signs.asDiagonal();
  }

  // Parts that fixed joints hold on the ground, through others or not.
  void find_welded() {
    is_welded_.assign(machine_.parts.size(), false);
    std::vector<std::vector<std::size_t>> neighbors(machine_.parts.size());
    std::vector<std::size_t> open;
    for (const model::JointNode& joint : machine_.joints) {
      if (joint.type != &model::kFixed) continue;
      const bool has_a = joint.a.part.is_set(), has_b = joint.b.part.is_set();
      if (has_a && has_b) {
        neighbors[joint.a.part.index()].push_back(joint.b.part.index());
        neighbors[joint.b.part.index()].push_back(joint.a.part.index());
      }
      if (joint.a.is_on_ground() && has_b) open.push_back(joint.b.part.index());
      if (joint.b.is_on_ground() && has_a) open.push_back(joint.a.part.index());
    }
    while (!open.empty()) {
      const std::size_t part = open.back();
      open.pop_back();
      if (is_welded_[part]) continue;
      is_welded_[part] = true;
      open.insert(open.end(), neighbors[part].begin(), neighbors[part].end());
    }
  }

  void add_parts() {
    find_welded();
    for (std::size_t i = 0; i < machine_.parts.size(); ++i) {
      const model::PartNode& node = machine_.parts[i];
      const bool has_assembly = node.assembly.is_set() && node.assembly.index() < machine_.assemblies.size();
      const Written object = has_assembly ? written(node) : Written{};
      ScenePart part;
      static_cast<SceneElement&>(part) = element(node, data_.of(node, object.own));
      if (has_assembly && node.assembly.index() > 0) part.assembly = node.assembly.index() - 1;
      part.X_WP = i < input_.poses.size() ? input_.poses[i] : node.X_WP;
      part.mass_properties = node.mass_properties;
      part.shapes = given_shapes(node.shapes, node.path, part.data);
      part.color = palette_color(i, object.origin);
      if (object.looks != nullptr) add_picture(*object.looks, object.mirror, node, part);
      part.has_default_shape = part.shapes.empty();
      scene_.parts.push_back(std::move(part));
    }
    DataLines unused;
    scene_.ground_shapes = given_shapes(machine_.ground_shapes, "ground", unused);
  }

  std::vector<SceneShape> given_shapes(std::span<const geometry::Shape> shapes, const std::string& path,
                                       DataLines& lines) {
    std::size_t hidden = 0;
    std::vector<SceneShape> result = shapes_as_given(shapes, path, pool_, hidden);
    if (hidden == 0) return result;
    lines.emplace_back("holes", fmt::format("{} not shown", hidden));
    scene_.notes.push_back(fmt::format("'{}' has {} that {} not shown: only round bores through cylinders are", path,
                                       hidden == 1 ? "a hole" : fmt::format("{} holes", hidden),
                                       hidden == 1 ? "is" : "are"));
    return result;
  }

  // Equal parts of equal assemblies look equal, wherever they stand; what is welded to the ground is gray.
  Color palette_color(std::size_t part, const model::Object* object) {
    // Without the object every part is of its own kind.
    const void* kind = object == nullptr ? static_cast<const void*>(&machine_.parts[part]) : object;
    std::map<const void*, std::size_t>& known = is_welded_[part] ? grays_ : colors_;
    const std::size_t number = known.try_emplace(kind, known.size()).first->second;
    return is_welded_[part] ? kGrays[number % kGrays.size()] : kPalette[number % kPalette.size()];
  }

  // `meta: {shape: NAME.glb, color: "#rrggbb"}`, as `gelenk import` writes it.
  void add_picture(const model::Object& object, const Matrix3& own_mirror, const model::PartNode& node,
                   ScenePart& part) {
    const model::Value* value = object.value("meta");
    const Node* meta = value == nullptr ? nullptr : value->get<Node>();
    if (meta == nullptr) return;
    const Node::Entry* shape = meta->find("shape");
    const Node::Entry* color = meta->find("color");
    std::optional<Color> own;
    if (color != nullptr && color->value.is_scalar()) own = geometry::color_from_text(color->value.text);
    if (own) part.color = *own;
    if (!part.shapes.empty() || shape == nullptr || !shape->value.is_scalar()) return;
    const geometry::GlbPicture& picture = read_picture(shape->value.text, shape->value.range);
    if (picture.error == missing_.reason && !picture.error.empty()) {
      missing_.parts.push_back(node.path);
      return;
    }
    if (!picture.error.empty()) {
      scene_.notes.push_back(
          fmt::format("'{}' is shown as a plain shape: {} of '{}'", node.path, picture.error, shape->value.text));
      return;
    }
    if (!own && picture.color) part.color = *picture.color;
    SceneShape mesh;
    mesh.kind = SceneShape::Kind::mesh;
    const Matrix3 mirror = machine_.assemblies[node.assembly.index()].mirror * own_mirror;
    mesh.mesh = pool_.add(node.path, mirror.isIdentity(0.0) ? picture.mesh : transformed(picture.mesh, mirror));
    part.shapes.push_back(mesh);
  }

  const geometry::GlbPicture& read_picture(const std::string& path, const SourceRange& where) {
    const auto [known, is_new] = pictures_.try_emplace({path, where.file});
    if (!is_new) return known->second;
    const ReadResult read = input_.read_picture
                                ? input_.read_picture(path, where)
                                : read_file(input_.model.resolve_path(path, where), geometry::kMaxMeshBytes);
    if (read.text) {
      known->second = geometry::read_glb(*read.text);
    } else {
      known->second.error = read.reason;
      missing_.file = path;
      missing_.reason = read.reason;
    }
    return known->second;
  }

  // One note for all of them: a run that was brought to another computer has none.
  void note_missing_pictures() {
    constexpr std::size_t kMostNamed = 3;
    if (missing_.parts.empty()) return;
    const bool is_one = missing_.parts.size() == 1;
    scene_.notes.push_back(fmt::format(
        "{} {} shown as {}: '{}' cannot be read ({}). A model names such files but does not contain them: keep "
        "the folder of the import beside it. Runs that are made with it contain them",
        list_names(missing_.parts, kMostNamed), is_one ? "is" : "are", is_one ? "a plain shape" : "plain shapes",
        missing_.file, missing_.reason));
  }

  void add_frames() {
    for (const model::NamedFrame& frame : machine_.frames) {
      const int part = part_number(frame.frame);
      if (part == kGroundPart) {
        scene_.frames.push_back({frame.path, part, frame.frame.X_PF});
        continue;
      }
      ScenePart& owner = scene_.parts[static_cast<std::size_t>(part)];
      points_on(part).push_back(frame.frame.X_PF.position);
      owner.frames.push_back({last_name(frame.path, owner.path), part, frame.frame.X_PF});
    }
    for (std::size_t s = 0; s < machine_.sealed.size(); ++s) add_ports(s);
  }

  // A port of a sealed component moves with what is held there; where nobody holds it, it is shown as drawn.
  void add_ports(std::size_t sealed) {
    const model::SealedNode& node = machine_.sealed[sealed];
    const model::AssemblyNode& assembly = machine_.assemblies[node.assembly.index()];
    const std::vector<model::Object>* ports =
        assembly.definition == nullptr ? nullptr : &assembly.definition->object.section("ports");
    for (std::size_t p = 0; p < node.ports.size(); ++p) {
      const std::string name = ports != nullptr && p < ports->size() ? (*ports)[p].name : std::to_string(p);
      SceneFrame frame{node.path + "." + name, kGroundPart,
                       node.standing.X_WA * mirrored(node.ports[p], node.standing.mirror)};
      const model::SealedPort port{static_cast<std::int32_t>(sealed), static_cast<std::int32_t>(p)};
      for (const model::JointNode& joint : machine_.joints) {
        const bool is_first = joint.a.port == port;
        if (!is_first && joint.b.port != port) continue;
        const model::FrameOnPart& other = is_first ? joint.b : joint.a;
        if (!other.port.is_set()) frame = {frame.path, part_number(other), other.X_PF};
      }
      scene_.frames.push_back(std::move(frame));
    }
  }

  // Where an end at a port is: on the part at the other end.
  static const model::FrameOnPart& shown_end(const model::FrameOnPart& end, const model::FrameOnPart& other) {
    return end.port.is_set() ? other : end;
  }

  // Reactions are given in axes of the first frame. At a port it is seen only where the joint holds it parallel to the
  // frame on the other side.
  static std::optional<Matrix3> reaction_axes(const model::JointNode& node) {
    const auto& held = node.type->primitives;
    const bool is_parallel = std::find(held.begin(), held.end(), model::Primitive::same_axes) != held.end();
    if (node.a.port.is_set() && (node.b.port.is_set() || !is_parallel)) return std::nullopt;
    return Matrix3(shown_end(node.a, node.b).X_PF.rotation * node.R_FJ.transpose());
  }

  void add_joint(const model::JointNode& node) {
    SceneJoint joint{element(node, data_.of(node)), std::string(node.type->name), {}, {}, {}, reaction_axes(node)};
    const model::FrameOnPart& a = shown_end(node.a, node.b);
    const model::FrameOnPart& b = shown_end(node.b, node.a);
    joint.parts = {part_number(a), part_number(b)};
    joint.frames = {a.X_PF, b.X_PF};
    // Where parts are welded is arbitrary, and says nothing about their form.
    for (std::size_t i = 0; i < 2 && node.type != &model::kFixed; ++i) {
      points_on(joint.parts[i]).push_back(joint.frames[i].position);
    }
    const auto& coordinates = node.type->coordinates;
    const bool has_axis = std::any_of(coordinates.begin(), coordinates.end(), [](const model::Coordinate& it) {
      return it.axis == 2 && it.motion != model::Coordinate::Motion::orientation;
    });
    if (has_axis) joint.axis = Vector3::UnitZ();
    scene_.joints.push_back(std::move(joint));
  }

  // Nobody outside knows how a port stands later.
  static std::optional<SceneDirection> direction_in(const model::FrameOnPart& frame, const Vector3& unit) {
    if (frame.port.is_set()) return std::nullopt;
    return SceneDirection{part_number(frame), frame.X_PF.rotation * unit};
  }

  std::optional<SceneDirection> effort_direction(const model::CoordinateUse& use) const {
    const model::JointNode& joint = machine_.joints[use.joint.index()];
    if (joint.type->coordinates[use.coordinate].is_on_curve) return std::nullopt;  // it turns along the curve
    return direction_in(model::axis_carrier(joint, use.coordinate),
                        Vector3::Unit(joint.type->coordinates[use.coordinate].axis));
  }

  std::optional<SceneDirection> force_direction(const model::ForceNode& node) const {
    if (node.drives) return effort_direction(*node.drives);
    const bool has_direction =
        std::holds_alternative<model::Force>(node.data) || std::holds_alternative<model::Torque>(node.data);
    // At a port or a node there is no end to draw it at.
    if (!has_direction || !node.b || node.b->port.is_set() || node.b->is_node()) return std::nullopt;
    return direction_in(node.axes, node.direction);
  }

  void add_force(const model::ForceNode& node) {
    SceneForce force{element(node, data_.of(node)), std::string(node.type->name), {}, {}, force_direction(node)};
    if (node.drives) force.drives = data_.coordinate(*node.drives);
    for (const std::optional<model::FrameOnPart>& end : {node.a, node.b}) {
      if (!end || end->port.is_set() || end->is_node()) continue;  // nodes move by themselves
      force.ends.push_back({part_number(*end), end->X_PF.position});
      points_on(force.ends.back().part).push_back(force.ends.back().point);
    }
    scene_.forces.push_back(std::move(force));
  }

  // A screw couples its own coordinates: it is a joint already.
  void add_coupling(const model::CouplingNode& node) {
    const auto is_same = [&](const model::JointNode& joint) { return joint.path == node.path; };
    if (std::ranges::any_of(machine_.joints, is_same)) return;
    SceneCoupling coupling{element(node, data_.of(node)), std::string(node.type->name), {}};
    for (const model::CouplingNode::Term& term : node.terms) coupling.couples.push_back(data_.coordinate(term.use));
    scene_.couplings.push_back(std::move(coupling));
  }

  Vector3 gravity() const {
    if (const auto* uniform = std::get_if<model::UniformGravity>(&machine_.gravity)) return uniform->acceleration;
    const auto* point = std::get_if<model::PointGravity>(&machine_.gravity);
    if (point == nullptr) return Vector3::Zero();
    const Vector3 arm = point->center - scene_.center;
    const double distance = arm.norm();
    return distance > 0.0 ? Vector3(arm * (point->strength / (distance * distance * distance))) : Vector3::Zero();
  }

  // What is known without default shapes: it decides how large those should be.
  double reference_size() const {
    geometry::Bounds box = bounds_of_all();
    double largest_body = 0.0;
    for (const ScenePart& part : scene_.parts) {
      largest_body = std::max(largest_body, inertia_box(part.mass_properties).maxCoeff());
    }
    if (box.diagonal() > kSmallestSize) return box.diagonal();
    return largest_body > kSmallestSize ? 2.0 * largest_body : 1.0;
  }

  void add_default_shapes() {
    const double reference = reference_size();
    for (std::size_t i = 0; i < scene_.parts.size(); ++i) {
      ScenePart& part = scene_.parts[i];
      if (!part.has_default_shape) continue;
      part.shapes = default_shapes(points_[i], part.mass_properties, reference);
    }
  }

  geometry::Bounds bounds_of_all() const {
    geometry::Bounds box;
    for (const SceneShape& shape : scene_.ground_shapes) box.add(bounds_of(shape, scene_.meshes, {}));
    for (const Vector3& point : ground_points_) box.add(point);
    for (std::size_t i = 0; i < scene_.parts.size(); ++i) {
      const ScenePart& part = scene_.parts[i];
      for (const SceneShape& shape : part.shapes) box.add(bounds_of(shape, scene_.meshes, part.X_WP));
      // A shape says where the part is; frames may be anywhere.
      for (const Vector3& point : points_[i]) {
        if (part.has_default_shape) box.add(part.X_WP * point);
      }
      if (part.shapes.empty()) box.add(part.X_WP * part.mass_properties.center);
    }
    return box;
  }

  const SceneInput& input_;
  const model::Machine& machine_;
  Scene scene_;
  DataWriter data_;
  MeshPool pool_;
  std::vector<std::vector<Vector3>> points_;
  std::vector<Vector3> ground_points_;
  // By definition and name: there may be very many.
  std::map<const void*, std::unordered_map<std::string, const model::Object*>> written_parts_;
  std::vector<bool> is_welded_;                        // of each part: to the ground
  std::map<const void*, std::size_t> colors_, grays_;  // of each kind of part
  std::map<std::pair<std::string, std::int32_t>, geometry::GlbPicture> pictures_;
  struct MissingPictures {
    std::vector<std::string> parts;
    std::string file, reason;  // of the last one
  };
  MissingPictures missing_;
};

}  // namespace

std::string_view kind_name(SceneShape::Kind kind) {
  constexpr std::array<std::string_view, 6> kNames{"box", "sphere", "cylinder", "cone", "capsule", "mesh"};
  return kNames[static_cast<std::size_t>(kind)];
}

Scene make_scene(const SceneInput& input) { return SceneMaker(input).make(); }

}  // namespace gelenk::exporting
