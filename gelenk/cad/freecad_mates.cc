#include "gelenk/cad/freecad_mates.h"

#include <fmt/format.h>

#include <TopoDS_Shape.hxx>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "gelenk/base/text.h"
#include "gelenk/cad/inference_motion.h"
#include "gelenk/cad/shape_element.h"
#include "gelenk/cad/shape_facts.h"

namespace gelenk::cad {
namespace {

using Element = ShapeElement;

// Sines below this are those of parallel directions.
constexpr double kSameDirection = 1e-3;

struct Mate {
  std::string type;
  std::array<Element, 2> on;  // in the world: of the part with the lower number, of the other
  bool locks_turn = false;
};

bool has_direction(const Element& element) {
  return element.kind == Element::Kind::axis || element.kind == Element::Kind::plane;
}

// What a constraint holds.
class MateHolds {
 public:
  explicit MateHolds(const Mate& mate) : mate_(mate) {}

  // Empty when the type is unknown, or does not go with its elements.
  std::vector<Hold> make() {
    const std::string& type = mate_.type;
    if (type == "pointIdentity" || type == "sphereCenterIdent" || type == "sphericalSurface" ||
        type == "centerOfMass") {
      for (int i = 0; i < 3; ++i) shift(Vector3::Unit(i));
    } else if (type == "pointOnLine" || type == "pointOnPlane") {
      point_on(type == "pointOnLine");
    } else if (!has_direction(mate_.on[0]) || !has_direction(mate_.on[1])) {
      return {};
    } else if (type == "circularEdge" || type == "axial" || type == "axisCoincident") {
      both_turns();
      shift(across().col(0));
      shift(across().col(1));
      if (type == "circularEdge") shift(first());
      if (mate_.locks_turn) turn(first());
    } else if (type == "plane" || type == "planeCoincident") {
      both_turns();
      shift(first());
    } else if (type == "planesParallel" || type == "axisParallel" || type == "axisPlaneNormal" ||
               type == "axisPlaneVertical") {
      both_turns();
    } else if (type == "angledPlanes" || type == "angle_between_planes" || type == "axisPlaneParallel" ||
               type == "axisPlaneAngle") {
      const Vector3 about = first().cross(mate_.on[1].direction);
      if (about.norm() > kSameDirection) {
        turn(about.normalized());
      } else {
        both_turns();
      }
    }
    return std::move(holds_);
  }

 private:
  const Vector3& first() const { return mate_.on[0].direction; }
  Matrix3 across() const { return rotation_with_z(first()); }
  void shift(const Vector3& along) { holds_.push_back({Hold::Kind::shift, mate_.on[0].point, along}); }
  void turn(const Vector3& about) { holds_.push_back({Hold::Kind::turn, mate_.on[0].point, about}); }
  void both_turns() {
    turn(across().col(0));
    turn(across().col(1));
  }
  // The element without a direction is the point.
  void point_on(bool is_line) {
    const std::size_t line = has_direction(mate_.on[0]) ? 0 : 1;
    if (!has_direction(mate_.on[line])) return;
    const Vector3& point = mate_.on[1 - line].point;
    const Matrix3 axes = rotation_with_z(mate_.on[line].direction);
    for (const int i : is_line ? std::vector<int>{0, 1} : std::vector<int>{2}) {
      holds_.push_back({Hold::Kind::shift, point, axes.col(i)});
    }
  }

  const Mate& mate_;
  std::vector<Hold> holds_;
};

Vector3 nearest_on(const Element& axis, const Vector3& point) {
  return axis.point + axis.direction * axis.direction.dot(point - axis.point);
}

// The frames of the joint in the world, each where its own part says.
std::pair<Pose, Pose> frames_of(const FreeMotion& motion, const std::vector<Mate>& mates) {
  const Pose drawn{rotation_with_z(motion.direction), motion.point};
  const bool has_axis = motion.type == "revolute" || motion.type == "cylindrical" || motion.type == "prismatic";
  for (const Mate& mate : mates) {
    const auto &a = mate.on[0], &b = mate.on[1];
    if (motion.type == "spherical" && (mate.type == "pointIdentity" || mate.type.starts_with("spher"))) {
      return {{drawn.rotation, a.point}, {drawn.rotation, b.point}};
    }
    const bool is_axial = mate.type == "circularEdge" || mate.type.starts_with("axi");
    if (!has_axis || !is_axial || a.kind != Element::Kind::axis || b.kind != Element::Kind::axis) continue;
    if (!are_parallel_axes(a.direction, motion.direction) || !are_parallel_axes(b.direction, a.direction)) continue;
    const Pose first{rotation_with_z(a.direction), nearest_on(a, motion.point)};
    const double sign = a.direction.dot(b.direction) < 0.0 ? -1.0 : 1.0;
    return {first,
            {rotation_with_z_x(Vector3(sign * b.direction), first.rotation.col(0)), nearest_on(b, first.position)}};
  }
  return {drawn, drawn};
}

class MateReader {
 public:
  MateReader(const FreecadTree& tree, StepContent& content, formats::NameRegister& names)
      : tree_(tree), content_(content), names_(names), leaves_(formats::leaves(content.model)) {}

  void read(const FreecadDocument& document) {
    for (const FreecadObject& object : document.objects()) {
      if (is_mate(object)) add_mate(object);
    }
    for (const auto& [pair, mates] : pairs_) add_joint(pair, mates);
  }

 private:
  using Pair = std::pair<std::size_t, std::size_t>;  // numbers of leaves, of different children of the root

  void leave_out(const FreecadObject& object, const std::string& why) {
    content_.model.notes.push_back(fmt::format("left out: constraint {} {}", shown(object.label), why));
  }

  std::optional<std::size_t> leaf_of(const FreecadObject& mate, const char* key) const {
    const FreecadProperty& property = mate.property(key);
    const std::string& name = property.links.empty() ? property.text : property.links.front();
    const std::optional<formats::ImportedPath> path = tree_.find_part({name}, mate.file);
    if (!path) return std::nullopt;
    const auto found =
        std::find_if(leaves_.begin(), leaves_.end(), [&](const auto& leaf) { return leaf.path == *path; });
    if (found == leaves_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - leaves_.begin());
  }

  std::optional<Element> element_of(std::size_t leaf, const std::string& name) const {
    const formats::ImportedLeaf& at = leaves_[leaf];
    std::optional<Element> element = shape_element(*content_.shapes[at.part], name);
    if (!element) return std::nullopt;
    element->point = at.X_WP * element->point;
    element->direction = at.X_WP.rotation * element->direction;
    return element;
  }

  void add_mate(const FreecadObject& object) {
    std::array<std::optional<std::size_t>, 2> leaf{leaf_of(object, "Object1"), leaf_of(object, "Object2")};
    if (!leaf[0] || !leaf[1]) return leave_out(object, "is not between two parts of the assembly");
    if (leaves_[*leaf[0]].path.front() == leaves_[*leaf[1]].path.front()) {
      return leave_out(object, "is inside one rigid body");
    }
    Mate mate{object.property("Type").text, {}, object.flag("lockRotation", false)};
    const bool is_turned = *leaf[0] > *leaf[1];
    for (std::size_t side = 0; side < 2; ++side) {
      const std::string& name = object.property(side == 0 ? "SubElement1" : "SubElement2").text;
      const std::optional<Element> element = element_of(*leaf[side], name);
      if (!element) {
        return leave_out(object, fmt::format("names {}, which is not a plane, round or straight", shown(name)));
      }
      mate.on[is_turned ? 1 - side : side] = *element;
    }
    if (MateHolds(mate).make().empty()) {
      return leave_out(object, fmt::format("is of type {}, which has no counterpart", mate.type));
    }
    pairs_[std::minmax(*leaf[0], *leaf[1])].push_back(std::move(mate));
  }

  void add_joint(const Pair& pair, const std::vector<Mate>& mates) {
    const formats::ImportedLeaf &a = leaves_[pair.first], &b = leaves_[pair.second];
    const auto& children = content_.model.assemblies.front().children;
    const std::string &one = children[a.path.front()].name, &other = children[b.path.front()].name;
    std::vector<Hold> holds;
    Vector3 middle = Vector3::Zero();
    for (const Mate& mate : mates) {
      const std::vector<Hold> held = MateHolds(mate).make();
      holds.insert(holds.end(), held.begin(), held.end());
      middle += mate.on[0].point / static_cast<double>(mates.size());
    }
    double length = kMillimeter;
    for (const Hold& hold : holds) length = std::max(length, (hold.point - middle).norm());
    const std::optional<FreeMotion> motion = motion_left_by(holds, middle, length);
    if (!motion) {
      content_.model.notes.push_back(
          fmt::format("left out: the constraints between {} and {} leave more free than a joint does", one, other));
      return;
    }
    const auto [X_WA, X_WB] = frames_of(*motion, mates);
    formats::ImportedJoint joint;
    joint.name = names_.unique(one + "_" + other);
    joint.type = motion->type;
    joint.ends = {formats::ImportedEnd{a.path, a.X_WP.inverse() * X_WA},
                  formats::ImportedEnd{b.path, b.X_WP.inverse() * X_WB}};
    joint.reason = reason_of(mates);
    content_.model.joints.push_back(std::move(joint));
  }

  // "constraints of the file: 2 plane, axial"
  static std::string reason_of(const std::vector<Mate>& mates) {
    std::map<std::string, int> counts;
    for (const Mate& mate : mates) ++counts[mate.type];
    std::vector<std::string> words;
    for (const auto& [type, count] : counts) {
      words.push_back(count == 1 ? type : fmt::format("{} {}", count, type));
    }
    return "constraints of the file: " + join(words, ", ");
  }

  const FreecadTree& tree_;
  StepContent& content_;
  formats::NameRegister& names_;
  std::vector<formats::ImportedLeaf> leaves_;
  std::map<Pair, std::vector<Mate>> pairs_;
};

}  // namespace

bool is_mate(const FreecadObject& object) {
  return object.has("SubElement1") && object.has("SubElement2") && object.has("Object1") && object.has("Object2") &&
         object.has("Type") && object.property("Proxy").text.find("Mirror") == std::string::npos &&
         !object.name.ends_with("_mirror") && !object.flag("Suppressed", false);
}

void add_mates(const FreecadDocument& document, const FreecadTree& tree, StepContent& content,
               formats::NameRegister& names) {
  MateReader(tree, content, names).read(document);
}

}  // namespace gelenk::cad
