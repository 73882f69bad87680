#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/platform.h"
#include "gelenk/base/source.h"
#include "gelenk/geometry/gltf_buffer.h"
#include "gelenk/geometry/mesh.h"
#include "gelenk/math/mass_properties.h"
#include "gelenk/math/pose.h"
#include "gelenk/model/machine.h"

// What a machine looks like: one description for pictures of every kind. All numbers SI.
namespace gelenk::exporting {

using geometry::Color;

// What stands for the ground where a part is asked for.
inline constexpr int kGroundPart = -1;

// A solid that is shown. All but meshes are centered at the origin of S; those with an axis have it along z.
struct SceneShape {
  enum class Kind : std::uint8_t { box, sphere, cylinder, cone, capsule, mesh };
  Kind kind = Kind::box;
  Pose X_PS;
  Vector3 size = Vector3::Zero();             // edges of a box
  double radius = 0.0;                        // of a cone: at its lower end
  double top = 0.0;                           // radius of a cone at its upper end
  double length = 0.0;                        // of a capsule: between the centers of its half spheres
  std::size_t mesh = 0;                       // of Scene::meshes
  std::optional<Color> color = std::nullopt;  // none: that of the part
};
std::string_view kind_name(SceneShape::Kind kind);  // "box"

struct SceneMesh {
  std::string name;
  std::shared_ptr<const geometry::TriangleMesh> mesh;
};

// Something with a name, a place in the source, and lines for who looks at it: {"mass", "1.2 kg"}, in display units.
struct SceneElement {
  std::string path;
  std::string file;  // empty: not known
  std::uint32_t line = 0;
  std::vector<std::pair<std::string, std::string>> data;
};

struct SceneAssembly : SceneElement {
  std::optional<std::size_t> owner;  // none: the machine itself
  std::string name;                  // the last piece of the path
  bool is_sealed = false;
};

struct SceneFrame {
  std::string path;        // of a part's frame only its name
  int part = kGroundPart;  // that carries it
  Pose X_PF;
};

struct ScenePart : SceneElement {
  std::optional<std::size_t> assembly;  // none: the machine itself
  Pose X_WP;                            // at the start
  MassProperties mass_properties;
  Color color{};
  bool has_default_shape = false;  // nobody said what it looks like
  std::vector<SceneShape> shapes;
  std::vector<SceneFrame> frames;
};

struct SceneJoint : SceneElement {
  std::string type;
  // Where a sealed component is on one side, the other part stands for it, too: its port is there.
  std::array<int, 2> parts{kGroundPart, kGroundPart};
  std::array<Pose, 2> frames;
  std::optional<Vector3> axis;  // in the joint frames
  // Axes in which its reactions are recorded, in those of the first of the parts; none: they do not stay there.
  std::optional<Matrix3> reaction_axes;
};

// Where a force or a torque of one number points on the part that feels it, if it is positive.
struct SceneDirection {
  int part = kGroundPart;  // in whose axes it stays
  Vector3 unit = Vector3::UnitX();
};

struct SceneForce : SceneElement {
  struct End {
    int part = kGroundPart;
    Vector3 point = Vector3::Zero();
  };
  std::string type;
  std::vector<End> ends;                    // the last feels the force, the other one its opposite
  std::string drives;                       // a joint coordinate; empty: none
  std::optional<SceneDirection> direction;  // none: along the line of the ends, of more than one number, or not known
};

struct SceneDriver : SceneElement {
  std::string drives;  // "main_bearing.angle"
  std::optional<SceneDirection> direction;
};

// A gear, a rack, a belt: joint coordinates that depend on each other.
struct SceneCoupling : SceneElement {
  std::string type;
  std::vector<std::string> couples;  // "main_bearing.angle"
};

// One way in which joints let the machine move from where it is at the start, driven or not.
struct SceneFreeMotion {
  std::string name;                           // "crank turns (main_bearing.angle)": with rate 1
  std::vector<std::array<double, 6>> twists;  // of each part: velocity of its origin, angular velocity; world axes
};

struct Scene {
  std::string name;
  Vector3 up = Vector3::UnitZ();
  Vector3 gravity = Vector3::Zero();  // where the machine is
  double size = 1.0;                  // diagonal of the box around the machine at the start, never 0
  Vector3 center = Vector3::Zero();   // of that box
  double symbol = 0.04;               // m: how long symbols of joints and frames should be
  std::vector<SceneAssembly> assemblies;
  std::vector<ScenePart> parts;  // in the order of the machine
  Color ground_color{};
  std::vector<SceneShape> ground_shapes;
  std::vector<SceneMesh> meshes;  // each only once
  std::vector<SceneJoint> joints;
  std::vector<SceneForce> forces;
  std::vector<SceneDriver> drivers;
  std::vector<SceneCoupling> couplings;
  std::vector<SceneFrame> frames;        // of assemblies, of the ground, and ports of sealed components
  std::vector<SceneFreeMotion> motions;  // see add_free_motions()
  std::vector<std::string> notes;        // what is not shown as it is: sentences for people
};

struct SceneInput {
  const model::Machine& machine;
  const model::Model& model;
  const SourceMap* sources = nullptr;  // null: places in the source mean nothing to anybody
  std::span<const Pose> poses;         // X_WP of the parts at the start
  // The file that `meta: {shape: ...}` of a part names, written at the given place; empty: from the disk.
  std::function<ReadResult(const std::string& path, const SourceRange& where)> read_picture{};
};

Scene make_scene(const SceneInput& input);

// How the machine can move from its poses in the scene; a note says what is left out.
void add_free_motions(const model::Machine& machine, Scene& scene);

// As JSON, docs/export.md has the keys; poses are [x, y, z, qw, qx, qy, qz].
std::string scene_json(const Scene& scene);

}  // namespace gelenk::exporting
