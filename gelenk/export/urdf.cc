#include "gelenk/export/urdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "gelenk/base/text.h"
#include "gelenk/export/machine_tree.h"
#include "gelenk/export/markup.h"
#include "gelenk/export/scene_shapes.h"
#include "gelenk/export/stl.h"
#include "gelenk/export/urdf_details.h"

namespace gelenk::exporting {
namespace {

constexpr const char* kWorld = "world";
constexpr double kNoise = 1e-15;
constexpr double kOnAxis = 1e-9;  // of the size of the machine
// The format wants numbers where nothing is known; programs take large ones for none.
constexpr double kNoLimit = 1e6;

std::string number(double value) { return format_number(std::abs(value) < kNoise ? 0.0 : value); }

std::string triple(const Vector3& v) { return number(v.x()) + " " + number(v.y()) + " " + number(v.z()); }

// R = Rz(yaw) Ry(pitch) Rx(roll); where pitch is a right angle, only yaw ± roll counts, and roll is 0.
Vector3 roll_pitch_yaw(const Matrix3& R) {
  const double cos_pitch = std::hypot(R(0, 0), R(1, 0));
  const double pitch = std::atan2(-R(2, 0), cos_pitch);
  if (cos_pitch < 1e-12) return {0.0, pitch, std::atan2(-R(0, 1), R(1, 1))};
  return {std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))};
}

std::string origin(const Pose& pose) {
  return fmt::format("<origin xyz=\"{}\" rpy=\"{}\"/>", triple(pose.position), triple(roll_pitch_yaw(pose.rotation)));
}

// Letters, digits and underscores: what every program accepts. Each name only once.
class Names {
 public:
  std::string unique(const std::string& path) {
    std::string name;
    for (const char c : path) {
      const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      name += is_plain ? c : '_';
    }
    std::string result = name;
    for (int i = 2; !taken_.insert(result).second; ++i) result = fmt::format("{}_{}", name, i);
    return result;
  }

 private:
  std::set<std::string> taken_;
};

class UrdfMaker {
 public:
  UrdfMaker(const Scene& scene, const model::Machine& machine, const std::string& folder)
      : scene_(scene), machine_(machine), folder_(folder), tree_(machine_tree(machine)), X_PL_(machine.parts.size()) {}

  Urdf make() {
    if (tree_.has_ground) links_.unique(kWorld);
    link_names_.resize(machine_.parts.size());
    for (const TreeLink& link : tree_.links) link_names_[link.part] = links_.unique(machine_.parts[link.part].path);
    std::string body;
    if (tree_.has_ground) body += world_link();
    for (const TreeLink& link : tree_.links) {
      place_link(link);
      body += part_link(link.part);
      const bool is_root = !tree_.has_ground && !link.joint && !link.parent;
      if (!is_root) body += joint(link);
    }
    tell_what_is_missing();
    urdf_.text = "<?xml version=\"1.0\"?>\n" + head();
    urdf_.text += fmt::format("<robot name=\"{}\">\n{}</robot>\n", html_escaped(Names().unique(scene_.name)), body);
    urdf_.link_count = tree_.links.size() + (tree_.has_ground ? 1 : 0);
    urdf_.cut_count = tree_.cuts.size();
    return std::move(urdf_);
  }

 private:
  const model::JointNode& joint_of(const TreeLink& link) const { return machine_.joints[*link.joint]; }
  const model::FrameOnPart& own_frame(const TreeLink& link) const {
    return link.is_first ? joint_of(link).a : joint_of(link).b;
  }
  const model::FrameOnPart& parent_frame(const TreeLink& link) const {
    return link.is_first ? joint_of(link).b : joint_of(link).a;
  }
  static bool can_be_told(const model::ObjectType* type) {
    return type == &model::kFixed || type == &model::kRevolute || type == &model::kPrismatic || type == &model::kPlanar;
  }

  // A hinge turns about the origin of its link.
  void place_link(const TreeLink& link) {
    if (!link.joint || joint_of(link).type != &model::kRevolute) return;
    const Pose& X_PF = own_frame(link).X_PF;
    const Vector3 axis = X_PF.rotation.col(2);
    const bool is_on_axis = X_PF.position.cross(axis).norm() <= kOnAxis * scene_.size;
    if (!is_on_axis) X_PL_[link.part].position = X_PF.position;
  }

  Pose parent_link_pose(const TreeLink& link) const { return link.parent ? X_PL_[*link.parent] : Pose{}; }

  // X_LpLc: at zero coordinates, where the joint frames coincide; of what moves freely, at the start.
  Pose joint_origin(const TreeLink& link) const {
    const Pose& X_PL = X_PL_[link.part];
    if (link.joint && can_be_told(joint_of(link).type)) {
      return parent_link_pose(link).inverse() * parent_frame(link).X_PF * own_frame(link).X_PF.inverse() * X_PL;
    }
    const Pose X_WParent = link.parent ? scene_.parts[*link.parent].X_WP * X_PL_[*link.parent] : Pose{};
    return X_WParent.inverse() * scene_.parts[link.part].X_WP * X_PL;
  }

  std::string joint(const TreeLink& link) {
    const std::string& part = machine_.parts[link.part].path;
    const std::string name = joints_.unique(link.joint ? joint_of(link).path : part + "_free");
    const std::string type = joint_type(link);
    std::string text = fmt::format("  <joint name=\"{}\" type=\"{}\">\n", name, type);
    text += fmt::format("    <parent link=\"{}\"/>\n    <child link=\"{}\"/>\n    {}\n",
                        link.parent ? link_names_[*link.parent] : kWorld, link_names_[link.part],
                        origin(joint_origin(link)));
    ++urdf_.joint_count;
    if (type == "fixed" || type == "floating") return text + "  </joint>\n";
    // The coordinate is that of the second part; seen from the other side the axis points the other way.
    const Vector3 axis = own_frame(link).X_PF.rotation.col(2) * (link.is_first ? -1.0 : 1.0);
    text += fmt::format("    <axis xyz=\"{}\"/>\n", triple(axis));
    text += limits_and_damping(joint_of(link), type, machine_);
    return text + "  </joint>\n";
  }

  std::string joint_type(const TreeLink& link) {
    if (!link.joint) {
      free_.push_back(fmt::format("'{}'", machine_.parts[link.part].path));
      return "floating";
    }
    const model::JointNode& joint = joint_of(link);
    if (!can_be_told(joint.type)) {
      loosened_.push_back(named(joint));
      return "floating";
    }
    if (joint.type != &model::kRevolute) return std::string(joint.type->name);
    return has_limits(joint) ? "revolute" : "continuous";
  }

  std::string limits_and_damping(const model::JointNode& joint, const std::string& type,
                                 const model::Machine& machine) {
    const JointDetails details = joint_details(joint, machine);
    std::string text;
    if (type == "revolute" || type == "prismatic") {
      const auto [lower, upper] = limits_of(joint);
      text += fmt::format("    <limit lower=\"{}\" upper=\"{}\" effort=\"{}\" velocity=\"{}\"/>\n",
                          number(lower.value_or(-kNoLimit)), number(upper.value_or(kNoLimit)),
                          number(details.effort.value_or(kNoLimit)), number(details.rate.value_or(kNoLimit)));
      if (!lower || !upper || !details.effort || !details.rate) has_open_limits_ = true;
    }
    if (details.damping || details.friction) {
      text += fmt::format("    <dynamics damping=\"{}\" friction=\"{}\"/>\n", number(details.damping.value_or(0.0)),
                          number(details.friction.value_or(0.0)));
    }
    return text;
  }

  std::string world_link() {
    if (scene_.ground_shapes.empty()) return fmt::format("  <link name=\"{}\"/>\n", kWorld);
    std::string text = fmt::format("  <link name=\"{}\">\n", kWorld);
    for (const SceneShape& shape : scene_.ground_shapes) text += visual(shape, {}, scene_.ground_color, "ground");
    return text + "  </link>\n";
  }

  std::string part_link(std::size_t part) {
    const ScenePart& it = scene_.parts[part];
    const MassProperties& body = it.mass_properties;
    const Pose X_LP = X_PL_[part].inverse();
    std::string text = fmt::format("  <link name=\"{}\">\n    <inertial>\n", link_names_[part]);
    text += fmt::format("      {}\n", origin({Matrix3::Identity(), X_LP * body.center}));
    text += fmt::format("      <mass value=\"{}\"/>\n      <inertia", number(body.mass));
    constexpr const char* kAxes = "xyz";
    for (const auto& [i, j] : {std::pair{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}) {
      text += fmt::format(" i{}{}=\"{}\"", kAxes[i], kAxes[j], format_number(body.inertia(i, j)));
    }
    text += "/>\n    </inertial>\n";
    for (const SceneShape& shape : it.shapes) text += visual(shape, X_LP, it.color, link_names_[part]);
    return text + "  </link>\n";
  }

  std::string visual(const SceneShape& shape, const Pose& X_LP, const Color& color, const std::string& name) {
    const auto of = [&](const Pose& X_PS, const std::string& geometry) {
      return fmt::format("    <visual>\n      {}\n      <geometry>{}</geometry>\n      {}\n    </visual>\n",
                         origin(X_LP * X_PS), geometry, material(shape.color.value_or(color)));
    };
    const auto ball = [&](double z) {
      const Pose X_PS = shape.X_PS * Pose{Matrix3::Identity(), {0.0, 0.0, z}};
      return of(X_PS, fmt::format("<sphere radius=\"{}\"/>", number(shape.radius)));
    };
    const std::string bar =
        fmt::format("<cylinder radius=\"{}\" length=\"{}\"/>", number(shape.radius), number(shape.length));
    switch (shape.kind) {
      case SceneShape::Kind::box:
        return of(shape.X_PS, fmt::format("<box size=\"{}\"/>", triple(shape.size)));
      case SceneShape::Kind::sphere:
        return ball(0.0);
      case SceneShape::Kind::cylinder:
        return of(shape.X_PS, bar);
      case SceneShape::Kind::capsule:
        return of(shape.X_PS, bar) + ball(-0.5 * shape.length) + ball(0.5 * shape.length);
      default:
        return of(shape.X_PS, fmt::format("<mesh filename=\"{}\"/>", html_escaped(mesh_file(shape, name))));
    }
  }

  // Materials are known by their names, so every color has one of its own.
  std::string material(const Color& color) {
    const std::string rgba = triple({color[0], color[1], color[2]}) + " 1";
    const std::size_t index = colors_.try_emplace(rgba, colors_.size() + 1).first->second;
    return fmt::format("<material name=\"color_{}\"><color rgba=\"{}\"/></material>", index, rgba);
  }

  std::string mesh_file(const SceneShape& shape, const std::string& name) {
    const auto key = std::tuple(shape.kind, shape.mesh, shape.radius, shape.top, shape.length);
    const auto [known, is_new] = meshes_.try_emplace(key);
    if (is_new) {
      known->second = folder_ + "/" + files_.unique(name) + ".stl";
      urdf_.meshes.push_back({known->second, write_stl(surface(shape, scene_.meshes), 1.0, name)});
    }
    return known->second;
  }

  static std::string named(const model::JointNode& joint) {
    return fmt::format("'{}' ({})", joint.path, joint.type->name);
  }

  void tell_what_is_missing() {
    const auto add_lines = [&](const char* what, const std::vector<std::string>& names) {
      if (!names.empty()) urdf_.notes.push_back(fmt::format("{}: {}", what, join(names, ", ")));
    };
    std::vector<std::string> cuts, left, couplings, drivers, forces;
    for (const std::size_t j : tree_.cuts) cuts.push_back(named(machine_.joints[j]));
    for (const std::size_t j : tree_.left) left.push_back(named(machine_.joints[j]));
    for (const model::DriverNode& driver : machine_.drivers) drivers.push_back(fmt::format("'{}'", driver.path));
    for (const model::CouplingNode& coupling : machine_.couplings) {
      couplings.push_back(fmt::format("'{}' ({})", coupling.path, coupling.type->name));
    }
    for (const model::ForceNode& force : machine_.forces) {
      if (!is_joint_damper(force)) forces.push_back(fmt::format("'{}'", force.path));
    }
    add_lines("loops are cut at", cuts);
    add_lines("joint types that URDF lacks, written as floating, which constrains nothing", loosened_);
    add_lines("joints that are left out", left);
    add_lines("parts that nothing holds, written as floating", free_);
    add_lines("couplings, which are left out", couplings);
    add_lines("drivers, which URDF does not have", drivers);
    add_lines("springs and forces, which URDF does not have", forces);
  }

  std::string head() const {
    std::string text = "Written by `gelenk export`. Joint angles and travels are those of the model.";
    if (has_open_limits_) text += fmt::format("\n     A limit of {} means no limit.", number(kNoLimit));
    for (const std::string& note : urdf_.notes) text += "\n     " + note;
    std::string comment;  // which two hyphens would end
    for (const char c : text) comment += c == '-' && comment.ends_with('-') ? std::string(" -") : std::string(1, c);
    return "<!-- " + comment + " -->\n";
  }

  const Scene& scene_;
  const model::Machine& machine_;
  const std::string& folder_;
  MachineTree tree_;
  std::vector<Pose> X_PL_;  // of each part's link
  Urdf urdf_;
  Names links_, joints_, files_;
  std::vector<std::string> link_names_;  // of each part
  std::map<std::string, std::size_t> colors_;
  std::map<std::tuple<SceneShape::Kind, std::size_t, double, double, double>, std::string> meshes_;
  bool has_open_limits_ = false;
  std::vector<std::string> loosened_, free_;  // what the text calls floating
};

}  // namespace

Urdf make_urdf(const Scene& scene, const model::Machine& machine, const std::string& mesh_folder) {
  return UrdfMaker(scene, machine, mesh_folder).make();
}

}  // namespace gelenk::exporting
