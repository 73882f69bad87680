#include "gelenk/cad/urdf_reader.h"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <cmath>
#include <filesystem>

#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/cad/urdf_mass.h"
#include "gelenk/cad/urdf_repair.h"
#include "gelenk/cad/urdf_visuals.h"
#include "gelenk/formats/imported_names.h"
#include "gelenk/geometry/tessellate.h"

namespace gelenk::cad {
namespace {

using formats::ImportedJoint;
using formats::ImportedModel;
using formats::ImportedPart;

constexpr int kSegments = 32;

Vector3 vector_of(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }

Pose pose_of(const urdf::Pose& pose) {
  Quaternion q;
  pose.rotation.getQuaternion(q.x(), q.y(), q.z(), q.w());
  return {q.normalized().toRotationMatrix(), vector_of(pose.position)};
}

// What the parser says about errors, which it prints otherwise.
class Messages : public console_bridge::OutputHandler {
 public:
  Messages() { console_bridge::useOutputHandler(this); }
  ~Messages() override { console_bridge::restorePreviousOutputHandler(); }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level == console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first_.empty()) first_ = text;
  }
  const std::string& first() const { return first_; }

 private:
  std::string first_;
};

// Of a joint as the model format calls them; nothing: it moves freely.
struct UrdfJointKind {
  std::string type, coordinate;
};
std::optional<UrdfJointKind> kind_of(const urdf::Joint& joint) {
  switch (joint.type) {
    case urdf::Joint::REVOLUTE:
    case urdf::Joint::CONTINUOUS:
      return UrdfJointKind{"revolute", "angle"};
    case urdf::Joint::PRISMATIC:
      return UrdfJointKind{"prismatic", "travel"};
    case urdf::Joint::PLANAR:
      return UrdfJointKind{"planar", ""};
    default:
      return std::nullopt;
  }
}

class RobotReader {
 public:
  RobotReader(const urdf::ModelInterface& robot, const UrdfOptions& options, std::string folder,
              const Progress& progress, ImportedModel& model)
      : robot_(robot),
        options_(options),
        finder_(std::move(folder), options.packages),
        progress_(progress),
        model_(model) {}

  // Returns what is wrong; empty: nothing.
  std::string read() {
    model_.assemblies.push_back({formats::model_name(robot_.getName(), "robot"), robot_.getName(), {}});
    add_link(*robot_.getRoot(), new_part(*robot_.getRoot(), {}), {});
    for (std::size_t i = 0; i < model_.parts.size() && problem_.empty(); ++i) finish(i);
    if (!problem_.empty()) return problem_;
    add_joints();
    report_missing_meshes();
    for (const formats::ImportedLeaf& leaf : formats::leaves(model_)) {
      const ImportedPart& part = model_.parts[leaf.part];
      model_.size.add(geometry::bounds(part.mesh, leaf.X_WP));
      // All that is known where nothing is drawn.
      model_.size.add(leaf.X_WP.position);
      model_.size.add(leaf.X_WP * part.mass.center);
    }
    return problem_;
  }

 private:
  // A joint of the file: of the part, where it sits there, and the part that it moves.
  struct Moving {
    const urdf::Joint* joint = nullptr;
    std::size_t parent = 0, child = 0;
    Pose X_PJ;
  };

  std::size_t new_part(const urdf::Link& first, const Pose& X_WP) {
    ImportedPart& part = model_.parts.emplace_back();
    part.product = first.name;
    part.name = names_.unique(formats::model_name(first.name, "part"));
    part.density_origin = formats::Origin::cad;
    const std::size_t number = model_.parts.size() - 1;
    model_.assemblies.front().children.push_back({part.name, first.name, true, number, X_WP});
    return number;
  }

  // A link L and all that hangs on it, at X_PL on its part.
  void add_link(const urdf::Link& link, std::size_t part, const Pose& X_PL) {
    add_mass(link, part, X_PL);
    for (const urdf::VisualSharedPtr& visual : link.visual_array) add_visual(link, *visual, part, X_PL);
    for (const urdf::JointSharedPtr& joint : link.child_joints) {
      const urdf::LinkConstSharedPtr child = robot_.getLink(joint->child_link_name);
      const Pose X_PJ = X_PL * pose_of(joint->parent_to_joint_origin_transform);
      if (joint->type == urdf::Joint::FIXED) {
        add_link(*child, part, X_PJ);
        continue;
      }
      const std::size_t moved = new_part(*child, model_.assemblies.front().children[part].placement * X_PJ);
      moving_.push_back({joint.get(), part, moved, X_PJ});
      add_link(*child, moved, {});
    }
  }

  void add_mass(const urdf::Link& link, std::size_t part, const Pose& X_PL) {
    if (!link.inertial) return;
    const urdf::Inertial& given = *link.inertial;
    MassProperties mass;
    mass.mass = given.mass;
    mass.inertia << given.ixx, given.ixy, given.ixz,  //
        given.ixy, given.iyy, given.iyz,              //
        given.ixz, given.iyz, given.izz;
    const bool is_finite = std::isfinite(mass.mass) && mass.inertia.allFinite();
    const char* const wrong = !is_finite || mass.mass < 0.0 ? "has a mass or inertia that is not a number"
                              : mass.mass == 0.0            ? "has mass 0"
                              : !check_inertia(mass.inertia).is_physical() ? "has an inertia that no body can have"
                                                                           : nullptr;
    if (wrong != nullptr) model_.notes.push_back(fmt::format("link {} {}", shown(link.name), wrong));
    if (!is_finite || mass.mass <= 0.0) return;
    ImportedPart& to = model_.parts[part];
    const MassProperties here = mass.in_frame(X_PL * pose_of(given.origin));
    to.mass = to.mass.mass == 0.0 ? here : combined(to.mass, here);
  }

  void add_visual(const urdf::Link& link, const urdf::Visual& visual, std::size_t part, const Pose& X_PL) {
    if (!visual.geometry) return;
    const Pose X_PV = X_PL * pose_of(visual.origin);
    const std::optional<geometry::TriangleMesh> mesh = triangles_of(link, *visual.geometry);
    if (!mesh) return;
    ImportedPart& to = model_.parts[part];
    const auto first = static_cast<std::uint32_t>(to.mesh.vertices.size());
    for (const Vector3& vertex : mesh->vertices) to.mesh.vertices.push_back(X_PV * vertex);
    for (const geometry::Triangle& t : mesh->triangles) {
      to.mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    if (!to.color && visual.material) {
      const urdf::Color& color = visual.material->color;
      to.color = formats::Color{color.r, color.g, color.b};
    }
  }

  std::optional<geometry::TriangleMesh> triangles_of(const urdf::Link& link, const urdf::Geometry& shape) {
    geometry::Shape made;
    switch (shape.type) {
      case urdf::Geometry::BOX:
        made.primitive = geometry::Box{vector_of(static_cast<const urdf::Box&>(shape).dim)};
        break;
      case urdf::Geometry::CYLINDER: {
        const auto& cylinder = static_cast<const urdf::Cylinder&>(shape);
        made.primitive = geometry::Cylinder{cylinder.radius, cylinder.length};
        made.X_PS.position.z() = -0.5 * cylinder.length;  // theirs has its origin in the middle
        break;
      }
      case urdf::Geometry::SPHERE:
        made.primitive = geometry::Sphere{static_cast<const urdf::Sphere&>(shape).radius};
        break;
      default:
        return mesh_of(link, static_cast<const urdf::Mesh&>(shape));
    }
    if (const std::string wrong = geometry::problem(made); !wrong.empty()) {
      model_.notes.push_back(fmt::format("a shape of link {} is not drawn: {}", shown(link.name), wrong));
      return std::nullopt;
    }
    return geometry::tessellate(made, kSegments);
  }

  std::optional<geometry::TriangleMesh> mesh_of(const urdf::Link& link, const urdf::Mesh& mesh) {
    const std::optional<std::string> path = finder_.find(mesh.filename);
    if (!path) {
      missing_.push_back(mesh.filename);
      return std::nullopt;
    }
    std::string error;
    progress_.at(fmt::format("mesh {} of link {}", shown(mesh.filename), shown(link.name)));
    const std::optional<geometry::TriangleMesh> found = read_mesh_file(*path, error);
    if (!found) {
      model_.notes.push_back(
          fmt::format("mesh {} of link {} is not drawn: {}", shown(mesh.filename), shown(link.name), error));
      return std::nullopt;
    }
    return geometry::transformed(*found, vector_of(mesh.scale).asDiagonal());
  }

  // Every part must be able to move.
  void finish(std::size_t number) {
    ImportedPart& part = model_.parts[number];
    const bool has_mass = part.mass.mass > 0.0;
    if (has_mass && check_inertia(part.mass.inertia).is_physical()) return;
    part.density_origin = formats::Origin::assumed;
    if (has_mass) {
      part.mass = with_assumed_inertia(part.mass, part.mesh);
      model_.notes.push_back(
          fmt::format("part {}: its inertia is assumed to be that of its shape", shown(part.product)));
    } else if (number == 0 && options_.has_fixed_base) {
      part.mass = {1.0, Vector3::Zero(), Matrix3::Identity()};
      model_.notes.push_back(
          fmt::format("the base, link {}, has no mass: 1 kg is assumed, and it stands still", shown(part.product)));
    } else {
      part.mass = assumed_mass(part.mesh);
      model_.notes.push_back(fmt::format("link {} moves but has no mass: {} kg is assumed, {} (--mass '{}=MASS')",
                                         shown(part.product), format_rounded(part.mass.mass, 3),
                                         part.mesh.triangles.empty()
                                             ? std::string("because nothing of it is drawn")
                                             : fmt::format("its shape at {} kg/m^3", kAssumedLinkDensity),
                                         part.product));
    }
  }

  void add_joints() {
    std::map<std::string, std::string> coordinates;  // by name in the file
    for (const Moving& moving : moving_) {
      const urdf::Joint& joint = *moving.joint;
      const std::optional<UrdfJointKind> kind = kind_of(joint);
      if (!kind) {
        model_.notes.push_back(
            fmt::format("joint {} lets link {} move freely", shown(joint.name), shown(joint.child_link_name)));
        continue;
      }
      const std::optional<Vector3> axis = unit_vector(vector_of(joint.axis));
      if (!axis) {
        problem_ = fmt::format("joint {} has no axis", shown(joint.name));
        return;
      }
      ImportedJoint made;
      made.name = names_.unique(formats::model_name(joint.name, "joint"));
      made.type = kind->type;
      const Pose X_JF{rotation_with_z(*axis), Vector3::Zero()};
      made.ends = {formats::ImportedEnd{{moving.parent}, moving.X_PJ * X_JF}, {{moving.child}, X_JF}};
      const bool is_endless = joint.type == urdf::Joint::CONTINUOUS;
      // Those that nobody can reach mean that there are none.
      constexpr double kUnreachable = 1e8;
      const auto reachable = [](double limit) {
        return std::abs(limit) < kUnreachable ? std::optional(limit) : std::nullopt;
      };
      if (joint.limits && !is_endless && !kind->coordinate.empty()) {
        formats::ImportedLimits limits{kind->coordinate, reachable(joint.limits->lower),
                                       reachable(joint.limits->upper)};
        if (limits.min || limits.max) made.limits.push_back(std::move(limits));
      }
      const bool turns = kind->type == "revolute";
      const auto keep = [&](const char* key, double value, const char* of_turn, const char* of_way) {
        if (value != 0.0) {
          made.details.emplace_back(key, fmt::format("{} {}", format_number(value), turns ? of_turn : of_way));
        }
      };
      if (joint.limits) {
        keep("most_effort", joint.limits->effort, "N*m", "N");
        keep("most_rate", joint.limits->velocity, "rad/s", "m/s");
      }
      if (joint.dynamics) {
        keep("damping", joint.dynamics->damping, "N*m*s/rad", "N*s/m");
        keep("friction", joint.dynamics->friction, "N*m", "N");
      }
      if (!kind->coordinate.empty()) coordinates[joint.name] = made.name + "." + kind->coordinate;
      model_.joints.push_back(std::move(made));
    }
    for (const Moving& moving : moving_) add_coupler(*moving.joint, coordinates);
  }

  void add_coupler(const urdf::Joint& joint, const std::map<std::string, std::string>& coordinates) {
    if (!joint.mimic) return;
    const auto own = coordinates.find(joint.name), leader = coordinates.find(joint.mimic->joint_name);
    if (own == coordinates.end() || leader == coordinates.end()) {
      model_.notes.push_back(fmt::format("joint {} follows {}, which has no coordinate: it is left free",
                                         shown(joint.name), shown(joint.mimic->joint_name)));
      return;
    }
    model_.couplers.push_back({names_.unique(formats::model_name(joint.name, "joint") + "_follows"), leader->second,
                               own->second, joint.mimic->multiplier, joint.mimic->offset});
    model_.notes.push_back(fmt::format("joint {} follows joint {}", shown(joint.name), shown(joint.mimic->joint_name)));
  }

  void report_missing_meshes() {
    if (missing_.empty()) return;
    model_.notes.push_back(
        fmt::format("{} {} not found and not drawn, the first is {}; --package NAME=FOLDER says where", missing_.size(),
                    missing_.size() == 1 ? "mesh is" : "meshes are", shown(missing_.front())));
  }

  const urdf::ModelInterface& robot_;
  const UrdfOptions& options_;
  MeshFinder finder_;
  const Progress& progress_;
  ImportedModel& model_;
  formats::NameRegister names_;  // of parts, joints and couplers
  std::vector<Moving> moving_;
  std::vector<std::string> missing_;
  std::string problem_;
};

}  // namespace

std::optional<ImportedModel> read_urdf(const std::string& path, const UrdfOptions& options, const Progress& progress,
                                       std::string& error) {
  progress("reading");
  const ReadResult file = read_file(path, kMostUrdfBytes);
  if (!file.text) {
    error = fmt::format("{} cannot be read", shown(path));
    return std::nullopt;
  }
  const std::optional<RepairedUrdf> repaired = repaired_urdf(*file.text, error);
  if (!repaired) {
    error = fmt::format("{} {}", shown(path), error);
    return std::nullopt;
  }
  Messages messages;
  const urdf::ModelInterfaceSharedPtr robot = urdf::parseURDF(repaired->text);
  if (!robot || !robot->getRoot()) {
    error = fmt::format("{} is not a robot description (URDF)", shown(path));
    if (!messages.first().empty()) error += ": " + messages.first();
    return std::nullopt;
  }
  ImportedModel model;
  model.source = path;
  model.notes = repaired->notes;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  error = RobotReader(*robot, options, folder.empty() ? "." : folder, progress, model).read();
  if (!error.empty()) {
    error = fmt::format("{}: {}", shown(path), error);
    return std::nullopt;
  }
  return model;
}

}  // namespace gelenk::cad
