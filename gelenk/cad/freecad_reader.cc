#include "gelenk/cad/freecad_reader.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "gelenk/base/text.h"
#include "gelenk/cad/freecad_mates.h"
#include "gelenk/cad/freecad_tree.h"
#include "gelenk/cad/opencascade_guard.h"
#include "gelenk/cad/shape_facts.h"

namespace gelenk::cad {
namespace {

using formats::ImportedJoint;

constexpr double kDegree = std::numbers::pi / 180.0;

struct FreecadJointKind {
  std::string_view freecad, type;
  bool turns, slides;  // it has the coordinate angle, travel
};
constexpr std::array<FreecadJointKind, 5> kFreecadJointKinds{{{"Fixed", "fixed", false, false},
                                                              {"Revolute", "revolute", true, false},
                                                              {"Cylindrical", "cylindrical", true, true},
                                                              {"Slider", "prismatic", false, true},
                                                              {"Ball", "spherical", false, false}}};

// Half a turn about one of the axes, or none.
Matrix3 half_turn(int axis) {
  Matrix3 turn = -Matrix3::Identity();
  turn(axis, axis) = 1.0;
  return turn;
}

// FreeCAD's joints hold axes parallel, and do not mind if they point against each other; ours are pointed the same way.
// What the second frame is to be turned by, so that it is as near to the first as it can be. A turn about x keeps the
// angle between the x axes as FreeCAD measures it: in the first frame.
Matrix3 turn_of_second(const Matrix3& R_AB, std::string_view type) {
  if (type == "spherical") return Matrix3::Identity();
  if (type == "revolute" || type == "cylindrical") return R_AB(2, 2) < 0.0 ? half_turn(0) : Matrix3::Identity();
  Matrix3 best = Matrix3::Identity();
  for (int axis = 0; axis < 3; ++axis) {
    if ((R_AB * half_turn(axis)).trace() > (R_AB * best).trace()) best = half_turn(axis);
  }
  return best;
}

class JointReader {
 public:
  JointReader(const FreecadTree& tree, FreecadContent& result) : tree_(tree), result_(result) {
    for (const formats::ImportedChild& child : model().assemblies.front().children) names_.unique(child.name);
    for (const formats::ImportedLeaf& leaf : formats::leaves(model())) places_.emplace(leaf.path, leaf.X_WP);
  }

  void read() {
    for (const FreecadObject* relation : tree_.relations()) {
      if (relation->has("JointType")) {
        add_joint(*relation);
      } else {
        add_ground(*relation);
      }
    }
  }

  // Those of A2plus stand beside the parts, which say themselves that they do not move.
  void read_mates(const FreecadDocument& document) {
    add_mates(document, tree_, result_.content, names_);
    for (std::size_t i = 0; i < tree_.children().size(); ++i) {
      if (tree_.children()[i]->flag("fixedPosition", false)) ground(i, model().assemblies.front().children[i].name);
    }
  }

 private:
  formats::ImportedModel& model() const { return result_.content.model; }

  void leave_out(const FreecadObject& joint, const std::string& why) {
    model().notes.push_back(fmt::format("left out: joint {} {}", shown(joint.label), why));
  }

  // The part that carries the frame, and where the frame is on it.
  std::optional<formats::ImportedEnd> end_of(const FreecadObject& joint, int number) const {
    const FreecadProperty& reference = joint.property(fmt::format("Reference{}", number));
    if (reference.links.empty() || reference.subs.empty()) return std::nullopt;
    std::vector<std::string> names{reference.links.front()};
    for (std::string& name : split(reference.subs.front(), '.')) names.push_back(std::move(name));
    std::optional<formats::ImportedPath> path = tree_.find_part(names, joint.file);
    const std::optional<Pose>& frame = joint.property(fmt::format("Placement{}", number)).placement;
    if (!path || !frame) return std::nullopt;
    return formats::ImportedEnd{*std::move(path), *frame};
  }

  // The joint of ours that is the same; empty: none.
  static FreecadJointKind kind_of(const FreecadObject& joint) {
    const std::string& word = joint.property("JointType").text;
    for (const FreecadJointKind& kind : kFreecadJointKinds) {
      if (kind.freecad == word) return kind;
    }
    // Two corners in one place are a ball joint.
    const auto is_corner = [&](const char* reference) {
      const std::vector<std::string>& subs = joint.property(reference).subs;
      return !subs.empty() && split(subs.front(), '.').back().starts_with("Vertex");
    };
    if (word == "Distance" && joint.number("Distance") == 0.0 && is_corner("Reference1") && is_corner("Reference2")) {
      return {word, "spherical", false, false};
    }
    return {word, "", false, false};
  }

  void add_joint(const FreecadObject& joint) {
    const FreecadJointKind kind = kind_of(joint);
    if (kind.type.empty())
      return leave_out(joint, fmt::format("is of type {}, which has no counterpart", kind.freecad));
    std::optional<formats::ImportedEnd> first = end_of(joint, 1), second = end_of(joint, 2);
    if (!first || !second) return leave_out(joint, "does not join two parts of the assembly");
    if (first->path.front() == second->path.front()) return leave_out(joint, "joins parts of one rigid sub-assembly");
    const Matrix3 R_WA = places_.at(first->path).rotation * first->frame.rotation;
    const Matrix3 R_WB = places_.at(second->path).rotation * second->frame.rotation;
    second->frame.rotation *= turn_of_second(R_WA.transpose() * R_WB, kind.type);
    ImportedJoint made;
    made.name = names_.unique(formats::model_name(joint.label, "joint"));
    made.type = kind.type;
    made.ends = {*std::move(first), *std::move(second)};
    // "Suppressed" since FreeCAD 1.1
    made.is_enabled = joint.flag("Activated", true) && !joint.flag("Suppressed", false);
    if (kind.turns) add_limits(joint, "Angle", kDegree, "angle", made);
    if (kind.slides) add_limits(joint, "Length", kMillimeter, "travel", made);
    model().joints.push_back(std::move(made));
  }

  static void add_limits(const FreecadObject& joint, const std::string& what, double unit, const char* coordinate,
                         ImportedJoint& made) {
    const auto limit = [&](const char* side) -> std::optional<double> {
      if (!joint.flag("Enable" + what + side, false)) return std::nullopt;
      return unit * joint.number(what + side);
    };
    formats::ImportedLimits limits{coordinate, limit("Min"), limit("Max")};
    if (limits.min && limits.max && *limits.min > *limits.max) std::swap(limits.min, limits.max);
    if (limits.min || limits.max) made.limits.push_back(std::move(limits));
  }

  void add_ground(const FreecadObject& relation) {
    const std::vector<std::string>& links = relation.property("ObjectToGround").links;
    const std::optional<std::size_t> child =
        links.empty() ? std::nullopt : tree_.find_child(links.front(), relation.file);
    if (child) {
      ground(*child, relation.label);
    } else {
      model().notes.push_back(fmt::format("left out: {} holds no part of the assembly", shown(relation.label)));
    }
  }

  void ground(std::size_t child, const std::string& label) {
    if (!result_.ground) {
      result_.ground = child;
    } else if (child != *result_.ground) {
      hold(child, label);
    }
  }

  // What stands still beside the ground is fixed to it.
  void hold(std::size_t child, const std::string& label) {
    const auto first_part = [&](std::size_t of) {
      return places_.lower_bound(formats::ImportedPath{of});  // the first path that begins so
    };
    const auto& [ground_path, X_WG] = *first_part(*result_.ground);
    const auto& [path, X_WP] = *first_part(child);
    ImportedJoint joint;
    joint.name = names_.unique(formats::model_name(label, "joint"));
    joint.type = "fixed";
    joint.ends = {formats::ImportedEnd{ground_path, X_WG.inverse() * X_WP}, formats::ImportedEnd{path, Pose{}}};
    joint.reason = kBothOnGround;
    model().joints.push_back(std::move(joint));
  }

  const FreecadTree& tree_;
  FreecadContent& result_;
  formats::NameRegister names_;
  std::map<formats::ImportedPath, Pose> places_;  // of all placed parts, in the world
};

}  // namespace

std::optional<FreecadContent> read_freecad(const std::string& path, const std::string& links_folder,
                                           const Progress& progress, std::string& error) {
  progress("reading");
  error.clear();
  std::optional<FreecadFiles> files = FreecadFiles::open(path, links_folder, error);
  if (!files) return std::nullopt;
  FreecadContent result;
  result.content.model.source = path;
  guarded(path, error, [&] {
    FreecadTree tree(*files, result.content, progress);
    const std::string wrong = tree.read(std::filesystem::path(path).stem().string());
    if (!wrong.empty()) {
      error = fmt::format("{} cannot be read: {}", shown(path), wrong);
    } else if (result.content.model.parts.empty()) {
      error = fmt::format("{} has no solid, and only solids have a mass", shown(path));
      if (!result.content.model.notes.empty()) error += "; " + result.content.model.notes.front();
    } else {
      JointReader joints(tree, result);
      joints.read();
      joints.read_mates(files->root());
      measure(result.content.model);
    }
  });
  if (!error.empty()) return std::nullopt;
  return result;
}

}  // namespace gelenk::cad
