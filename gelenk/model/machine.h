#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gelenk/base/ids.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/source.h"
#include "gelenk/base/units.h"
#include "gelenk/contact/contour.h"
#include "gelenk/expression/expression.h"
#include "gelenk/geometry/shape.h"
#include "gelenk/math/mass_properties.h"
#include "gelenk/math/pose.h"
#include "gelenk/model/element_list.h"
#include "gelenk/model/model.h"

// The machine that a model describes, written out: every instance, every number evaluated, every mirror applied, every
// name resolved to an index. Flat arrays; elements keep their path and where they were written.
namespace gelenk::model {

using AssemblyId = Id<struct AssemblyTag>;
using PartId = Id<struct PartTag>;
using FrameId = Id<struct FrameTag>;
using JointId = Id<struct JointTag>;
using DriverId = Id<struct DriverTag>;
using ForceId = Id<struct ForceTag>;

struct ParameterValue {
  std::string name;
  double value = 0.0;  // SI
  Dimension dimension;
  std::optional<double> min, max;
  const Object* source = nullptr;
};

// A node of the component tree. The root is the machine itself.
struct AssemblyNode {
  std::string path;  // "front_left.damper"; empty for the root
  std::string name;  // "damper", "link.3"
  AssemblyId owner;  // unset for the root
  const Definition* definition = nullptr;
  std::vector<ParameterValue> parameters;
  std::vector<AssemblyId> children;
  std::vector<PartId> parts;
  std::vector<JointId> joints;
  Pose X_WA;                                   // as drawn
  Matrix3 mirror = Matrix3::Identity();        // takes vectors as written to vectors in its axes
  Matrix3 world_mirror = Matrix3::Identity();  // takes world vectors as written to world vectors in the machine
  bool is_mirrored = false;                    // det(mirror) < 0
  SourceRange where;
};

// A port of a sealed component: what carries it is unknown.
struct SealedPort {
  std::int32_t component = -1;  // of Machine::sealed
  std::int32_t port = -1;

  bool is_set() const { return component >= 0; }
  bool operator==(const SealedPort&) const = default;
};

// A place fixed on a part, at a port of a sealed component, or on the ground when there is neither.
struct FrameOnPart {
  PartId part;  // unset: ground, or a port
  Pose X_PF;    // on the part, at the port, or in the world for the ground; of a node as drawn
  SealedPort port = {};
  std::int32_t node = -1;  // of Machine::nodes

  bool is_node() const { return node >= 0; }
  bool is_on_ground() const { return !part.is_set() && !port.is_set() && !is_node(); }
};

// Where an assembly stands in a machine; the same as in its AssemblyNode.
struct Standing {
  Pose X_WA;
  Matrix3 mirror = Matrix3::Identity();
  Matrix3 world_mirror = Matrix3::Identity();
};

// Where an owner acts on this machine, if it is his component: a place on one of its parts.
struct MountNode {
  FrameOnPart frame;
  bool has_joint = false;
};

// A value that a sealed component publishes.
struct SealedOutput {
  std::string name;
  Dimension dimension;
};

// A port with one coordinate, an angle or a travel, 0 as drawn.
struct SealedShaft {
  std::string name;
  bool is_travel = false;
  std::int32_t port = 0;  // of all ports of the component
};

struct NamedFrame {
  std::string path;
  FrameOnPart frame;
  SourceRange where;
};

// A port of the machine itself: where others may mount it.
struct PortNode {
  std::string name;
  FrameOnPart frame;
  Pose X_AF;  // as drawn, in the coordinates of the machine as written
  SourceRange where;
};

enum class MassSource : std::uint8_t { given, shape, shape_with_assumed_density };

struct PartNode {
  std::string path;
  AssemblyId assembly;
  Pose X_WP;  // as drawn
  MassProperties mass_properties;
  MassSource mass_source = MassSource::given;
  std::vector<geometry::Shape> shapes;
  Vector3 start_velocity = Vector3::Zero();          // of the origin, world axes, m/s
  Vector3 start_angular_velocity = Vector3::Zero();  // world axes, rad/s
  bool has_start_velocity = false;
  bool has_start_angular_velocity = false;
  SourceRange where;
};

// Rate of the distance of two frames, as ChannelUse::quantity.
inline constexpr std::string_view kDistanceRate = "distance_rate";

// A recorded quantity that an expression or an output reads.
struct ChannelUse {
  enum class Element : std::uint8_t { part, joint, driver, force, sealed, code, frame, state, coupling, node, contact };
  Element element = Element::part;
  // Of the part, joint, coupling, driver, force, state, node, contact, sealed component or code, of
  // Machine::read_frames.
  std::int32_t index = -1;
  // Of a frame: another of Machine::read_frames, in whose axes it is given; -1: the world.
  std::int32_t relative_to = -1;
  std::string quantity;  // "position", "angle", "reaction.force"; of code "state", "output"
  enum class Pick : std::uint8_t { scalar, component, magnitude };
  Pick pick = Pick::scalar;
  // 0..2 of a vector, 0..3 of a quaternion; which signal of a sealed component, which state or output of code
  int component = 0;
  // Value = weights · vector: a unit vector, but for what a mirrored assembly reads. A scalar uses weights[0].
  std::array<double, 3> weights{1.0, 0.0, 0.0};
  Dimension dimension;
  Quantity measures = Quantity::any;  // what the dimension does not show: angle or number, torque or energy
};

// What a symbol of a signal stands for.
struct SymbolUse {
  enum class Kind : std::uint8_t { constant, time, channel, input };
  Kind kind = Kind::constant;
  double value = 0.0;       // of a parameter
  std::int32_t input = -1;  // of Machine::inputs
  ChannelUse channel;
};

// A scalar that may change with time and state: an expression whose symbols are all resolved, times a sign.
struct Signal {
  expression::Expression formula;
  std::vector<SymbolUse> symbols;  // one for each of formula.symbols()
  double factor = 1.0;             // -1 where a mirror turns the sign
  Dimension dimension;
  bool is_hertz = false;  // it counts turns per second
  SourceRange where;

  bool is_constant() const;
};

// An instance of a sealed component.
struct SealedNode {
  std::string path;
  AssemblyId assembly;
  std::string file;
  std::vector<double> parameters;  // all, in the order of its maker
  std::vector<Pose> ports;         // X_AQ as drawn, in its own coordinates as written
  std::vector<SealedShaft> shafts;
  std::vector<SealedOutput> outputs;
  std::vector<SealedOutput> signals;  // that may be read while the motion is computed
  std::vector<Signal> inputs;         // what it is given, in the order of its maker
  Standing standing;
  SourceRange where;
};

struct CoordinateStart {
  std::size_t coordinate = 0;  // of the joint type
  bool is_rate = false;
  std::array<double, 4> value{};  // scalar in [0]; quaternion w, x, y, z; angular velocity x, y, z
};

struct CoordinateLimit {
  std::size_t coordinate = 0;
  bool is_rate = false;
  std::optional<double> min, max;
};

struct JointNode {
  std::string path;
  AssemblyId assembly;  // where it was written; an attachment belongs to the owner
  const ObjectType* type = nullptr;
  JointData data;
  // Joint frames: z is the joint's axis. The coordinates are those of B relative to A.
  FrameOnPart a, b;
  Matrix3 R_FJ = Matrix3::Identity();  // axes of joint frame A in those of the first frame, which reactions are in
  std::vector<CoordinateStart> start, guess;
  std::vector<CoordinateLimit> limits;
  double compliance = 1.0;  // beside other joints, where they share a load
  SourceRange where;
};

struct CoordinateUse {
  JointId joint;
  std::size_t coordinate = 0;
  double sign = 1.0;  // of the written coordinate in the joint's own
};

struct DriverNode {
  enum class Level : std::uint8_t { position, rate, acceleration };
  std::string path;
  AssemblyId assembly;
  CoordinateUse drives;
  Level level = Level::position;
  Signal law;
  SourceRange where;
};

// Coordinates that a law of a coupling may read.
inline constexpr std::size_t kMostLawTerms = 6;

// A row on coordinates of several joints: Σ factor × coordinate is constant, or a law of them is zero.
struct CouplingNode {
  struct Term {
    CoordinateUse use;
    double factor = 0.0;  // of the joint's own coordinate; with a law its slope where the machine is drawn
  };
  // A mirror changes neither what turns inside a component nor how it counts.
  struct ShaftTerm {
    SealedPort shaft;  // its port counts SealedNode::shafts
    double factor = 0.0;
  };
  std::string path;
  AssemblyId assembly;
  const ObjectType* type = nullptr;
  std::vector<Term> terms;
  std::vector<ShaftTerm> shafts;
  double constant = 0.0;
  SourceRange where;
  std::optional<Signal> law{};  // its symbols are constants and the coordinates of the terms
};

struct ForceNode {
  std::string path;
  AssemblyId assembly;
  const ObjectType* type = nullptr;
  ForceData data;
  std::optional<FrameOnPart> a, b;  // `applied_to` is b; `between` gives both
  FrameOnPart axes;                 // whose axes `direction` is in
  Vector3 direction = Vector3::UnitX();
  std::optional<CoordinateUse> drives;
  std::optional<CoordinateUse> relative_to;  // of a hard force
  Signal value;
  SourceRange where;
};

// A number that the run integrates: its rate is a formula. It belongs to an assembly, or to a force.
struct StateNode {
  std::string path;  // "tank_pressure", "servo.current"
  AssemblyId assembly;
  double start = 0.0;  // SI
  double scale = 1.0;  // SI, what counts as much: errors are measured against it and the value itself
  Dimension dimension;
  Quantity measures = Quantity::any;  // what the dimension does not show
  std::string unit{};                 // in which people want to see it; empty: that of its quantity
  Signal rate;
  SourceRange where;
};

// A point without mass: it is where the forces at it balance, in the directions in which it may move.
struct NodeNode {
  std::string path;
  AssemblyId assembly;
  Pose X_WN;  // as drawn; it moves along these axes, and they stay
  std::array<bool, 3> moves{};
  // Some force at it follows its velocity, or what has no rate here: then it flows to where they balance. Otherwise it
  // is there at once.
  bool flows = false;
  std::array<std::int32_t, 3> states{-1, -1, -1};  // of Machine::states: way from where it is drawn
  SourceRange where;
};

// Forces and states of an assembly that are written in C (section `code:`).
struct CodeNode {
  struct State {
    std::string name;
    double start = 0.0;  // SI
    Dimension dimension;
  };
  struct Output {
    std::string name;
    Dimension dimension;
  };
  std::string path;  // "code", "motor.code"
  AssemblyId assembly;
  std::string source;  // its C file, seen from the working directory; empty: none is named
  std::vector<FrameOnPart> frames;
  std::vector<State> states;
  std::vector<Signal> inputs;
  std::vector<double> parameters;  // SI
  std::vector<Output> outputs;
  SourceRange where;
  SourceRange source_where;  // of the name of its file
};

struct OutputNode {
  std::string path;
  AssemblyId assembly;
  Signal value;
  SourceRange where;
  std::string unit{};  // in which people want to see it; empty: that of its quantity
};

// An input of the machine itself.
struct InputNode {
  std::string name;
  Dimension dimension;
  std::optional<double> value;  // when nobody gives one, SI
  const Object* source = nullptr;
  SourceRange where;
};

// A surface that touches others. Several of one path: the solids of a part.
struct ContourNode {
  std::string path;   // "ball.skin", "ground.base"
  FrameOnPart frame;  // S of the contour
  contact::Contour contour;
  SourceRange where;
};

// Contours that touch: each of the first with each of the second, in a group also the first with each other.
struct ContactNode {
  std::string path;
  bool is_group = false;
  std::vector<std::int32_t> first, second;  // of Machine::contours
  double friction = 0.0, restitution = 0.0;
  SourceRange where;
};

struct NoGravity {};
struct UniformGravity {
  Vector3 acceleration;  // world axes, m/s²
};
struct PointGravity {
  Vector3 center;   // world, m
  double strength;  // G·M, m³/s²
};
using Gravity = std::variant<NoGravity, UniformGravity, PointGravity>;

struct SimulationSettings {
  std::optional<double> duration, step, output_every, tolerance, max_step;  // s; tolerance is relative
  std::optional<double> spectral_radius;
  std::optional<std::string> method;
  std::optional<std::string> reactions;  // how joints share what rigid parts do not determine
};

struct Machine {
  std::string name;
  std::vector<AssemblyNode> assemblies;  // owners before what they own
  std::vector<PartNode> parts;
  std::vector<NamedFrame> frames;
  std::vector<NamedFrame> read_frames;  // whose motion expressions read, each once: frames, ports, parts, the ground
  std::vector<PortNode> ports;
  std::vector<SealedNode> sealed;
  std::vector<MountNode> mounts;
  std::vector<JointNode> joints;
  std::vector<CouplingNode> couplings;
  std::vector<DriverNode> drivers;
  std::vector<ForceNode> forces;
  std::vector<StateNode> states;
  std::vector<ContourNode> contours;
  std::vector<ContactNode> contacts;
  std::vector<NodeNode> nodes;
  std::vector<CodeNode> codes;  // in the order of the assemblies
  std::vector<InputNode> inputs;
  std::vector<OutputNode> outputs;  // inputs of sub-assemblies come first: what they were given
  std::vector<geometry::Shape> ground_shapes;
  Gravity gravity;
  Vector3 up = Vector3::UnitZ();
  Display display;
  SimulationSettings simulation;
  std::size_t disabled_count = 0;  // elements with `enabled: false`
};

}  // namespace gelenk::model
