#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gelenk/contact/contour.h"
#include "gelenk/math/constraint_blocks.h"
#include "gelenk/model/machine.h"
#include "gelenk/model/primitives.h"
#include "gelenk/system/code.h"
#include "gelenk/system/signal.h"
#include "gelenk/system/state_layout.h"
#include "gelenk/system/welds.h"

// The machine as equations see it. System: structure only, flat and indexed, with names and places of the source.
// Params: every number that depends on a parameter. State: a value that can be copied and put back.
namespace gelenk::system {

inline constexpr std::int32_t kGround = -1;
inline constexpr std::int32_t kUnknownBody = -2;  // carries a port of a sealed component
// A frame at node number n is on the body kFirstNode - n, which has no mass: node_balance.h in mechanics.
inline constexpr std::int32_t kFirstNode = -16;
constexpr bool is_node(std::int32_t body) { return body <= kFirstNode; }
// Both ways.
constexpr std::int32_t node_of_body(std::int32_t body) { return kFirstNode - body; }

// Parts that are welded to each other are one body. Its frame B has its origin in the common center of mass and the
// axes of its first part.
struct Body {
  std::vector<std::int32_t> parts;  // of the machine; the first leads
  std::int32_t component = 0;       // that owns it: parts of one body are of one assembly
};

// An assembly of the design. The first is the machine itself; owners come before what they own.
struct Component {
  std::string path;
  std::int32_t owner = -1;
};

struct Part {
  std::string path;
  SourceRange where;
  std::int32_t body = kGround;  // ground: welded to it
};

// A place on a body (or on the ground) where a joint or force acts. `part` keeps whose place it was before welding.
struct Frame {
  std::int32_t body = kGround;
  std::int32_t part = kGround;
  model::SealedPort port = {};  // where it is when its body is unknown
};

// A component of which only the ports are known.
struct SealedComponent {
  std::string path;
  SourceRange where;
  std::int32_t component = -1;            // of System::components
  std::int32_t first_signal = 0;          // that it reports, among those of all
  std::vector<std::int32_t> inputs = {};  // signals: what it is given
};

// Where the owner of this machine, if it is somebody's component, acts on it.
struct Mount {
  std::int32_t frame = -1;
  bool has_joint = false;  // else only forces act there
};

// Constraint rows on two frames A, B (model/primitives.h).
using model::Held;
using model::RowForm;
using model::RowKind;
using model::RowLevel;

struct Row {
  RowKind kind = RowKind::world_axis;
  std::uint8_t axis_a = 0;
  std::uint8_t axis_b = 0;
  std::int32_t frame_a = -1;
  std::int32_t frame_b = -1;
  std::int32_t joint = -1;   // whose row it is, or whose coordinate is driven
  std::int32_t driver = -1;  // whose law gives value(t)
  // The one of its joint that it is a row of; none: it stands alone, as rows of drivers do.
  std::optional<model::Primitive> primitive{};
  std::int32_t curve = -1;  // of Params::curves

  bool is_of_velocity() const { return level_of(kind) == RowLevel::velocity; }
  RowForm form() const { return primitive == model::Primitive::point ? RowForm::point : form_of(kind); }
};

struct Coordinate {
  std::int32_t joint = -1;
  const model::Coordinate* type = nullptr;
  std::int32_t tracked = -1;  // place of its unwrapped angle in State::extra, or of its travel along a closed curve
  std::int32_t curve = -1;    // of Params::curves: a travel along it
};

struct Joint {
  std::string path;
  SourceRange where;
  const model::ObjectType* type = nullptr;
  std::int32_t frame_a = -1;
  std::int32_t frame_b = -1;
  std::int32_t first_row = 0, row_count = 0;
  std::int32_t first_coordinate = 0, coordinate_count = 0;
  bool is_welded = false;  // its parts are one body: no rows; its reaction follows from the balance of the parts
};

struct Driver {
  std::string path;
  SourceRange where;
  std::int32_t coordinate = -1;
  model::DriverNode::Level level = model::DriverNode::Level::position;
  std::int32_t law = -1;       // signal
  std::int32_t law_rate = -1;  // its derivative by time; position laws only
  std::int32_t row = -1;
  std::int32_t component = 0;  // that owns it
  std::int32_t extra = -1;     // rate laws: place of the integrated position; acceleration laws: position, rate
};

// A row on the coordinates of several joints: the sum of its terms is constant.
struct CouplingTerm {
  std::int32_t coordinate = -1;
};

// A shaft of a sealed component that is coupled.
struct Shaft {
  std::int32_t sealed = -1;  // whose it is
  std::int32_t port = -1;    // of SealedNode::shafts
};

// A term of a coupling that is a shaft; its factor is in Params::shaft_factors.
struct ShaftTerm {
  std::int32_t coupling = -1;
  std::int32_t shaft = -1;
};

struct Coupling {
  std::string path;
  SourceRange where;
  const model::ObjectType* type = nullptr;
  std::int32_t first_term = 0, term_count = 0;  // of System::coupling_terms
  bool has_shafts = false;                      // terms of System::shaft_terms, too
  std::int32_t component = 0;                   // that owns it
  // A formula that is zero instead of the sum: its value, and its derivative by each symbol that is a coordinate.
  struct Slope {
    std::int32_t symbol = -1;  // of the formula
    std::int32_t term = -1;    // of this coupling, whose coordinate it is
    double weight = 1.0;       // symbol = weight × coordinate
    std::int32_t signal = -1;
  };
  std::int32_t law = -1;  // signal; -1: a sum
  std::vector<Slope> slopes;
};

struct Force {
  std::string path;
  SourceRange where;
  const model::ObjectType* type = nullptr;
  std::int32_t frame_a = -1;  // -1: none
  std::int32_t frame_b = -1;
  std::int32_t axes = -1;                             // frame whose axes its direction is in
  std::int32_t coordinate = -1;                       // it acts on
  std::int32_t value = -1;                            // signal
  std::int32_t first_channel = 0, channel_count = 0;  // numbers it records
};

// A force that is found instead of computed, on one coordinate or on the difference of two; model/forces/hard_force.h.
struct HardLaw {
  std::int32_t force = -1;
  std::array<std::int32_t, 2> coordinates{-1, -1};  // the second may be missing
};

// A number that is integrated: its rate is a signal.
struct IntegratedState {
  std::string path;
  SourceRange where;
  std::int32_t rate = -1;   // signal
  std::int32_t place = -1;  // in State::extra
};

// A surface that touches others.
struct Contour {
  std::string path;
  std::int32_t body = kGround;
};

// Contours that touch; see model::ContactNode.
struct Contact {
  std::string path;
  SourceRange where;
  bool is_group = false;
  std::vector<std::int32_t> first, second;  // of System::contours
};

// A point without mass. Nodes that forces connect are a group, and are found together.
struct Node {
  std::string path;
  SourceRange where;
  std::int32_t frame = -1;                         // with its pose as drawn and the axes along which it moves
  std::array<std::int32_t, 3> places{-1, -1, -1};  // in State::extra, of its way along them; -1: held
  bool flows = false;
  std::int32_t group = -1;
};
struct NodeGroup {
  struct Unknown {
    std::int32_t node = -1, axis = 0;
  };
  std::vector<std::int32_t> nodes;
  std::vector<Unknown> unknowns;     // of a node that flows a velocity, of another one its place
  std::vector<std::int32_t> forces;  // at these nodes
  std::vector<std::int32_t> states;  // of System::states, that these forces depend on
};

struct Output {
  std::string path;
  SourceRange where;
  std::int32_t value = -1;  // signal
};

// What is integrated beside the motion, so that the balance of energy is as exact as the motion itself. J.
//   forces: of all applied forces, gravity and springs among them, less the potential energy at the start: together
//           with the potential energy at any time it is the work of what has no potential
//   drivers: effort times prescribed rate
//   impacts: jumps of the kinetic energy at events
enum class Work : std::uint8_t { forces, drivers, impacts };
inline constexpr std::size_t kWorkStates = 3;

struct System {
  std::string name;
  Display display;  // units of messages
  std::vector<Component> components;
  std::vector<Body> bodies;
  std::vector<Part> parts;
  std::vector<Frame> frames;
  std::vector<std::int32_t> read_frames;  // those whose motion signals read; on the ground they are in the world
  std::vector<SealedComponent> sealed;
  std::vector<Mount> mounts;
  std::vector<Row> rows;
  std::vector<RowBodies> row_bodies;
  std::vector<Joint> joints;
  std::vector<Coordinate> coordinates;
  std::vector<Driver> drivers;
  std::vector<Coupling> couplings;
  std::vector<CouplingTerm> coupling_terms;
  std::vector<Shaft> shafts;
  std::vector<ShaftTerm> shaft_terms;
  std::vector<Force> forces;
  std::vector<HardLaw> hard_laws;  // of those of them that are hard
  std::vector<IntegratedState> states;
  std::vector<Contour> contours;  // none where nothing touches
  std::vector<Contact> contacts;
  std::vector<Node> nodes;
  std::vector<NodeGroup> node_groups;
  std::vector<std::int32_t> states_in_rate_laws;  // read by drivers that prescribe a rate
  std::vector<NativeCode> codes;
  std::vector<Output> outputs;
  std::vector<Signal> signals;
  std::vector<Switch> switches;
  std::vector<std::int32_t> state_switches;  // those that must be watched; the others have known times
  Welds welds;
  std::vector<std::int32_t> groups;  // of bodies that are connected, see origins.h
  StateLayout extra;                 // of State::extra
  std::size_t force_channels = 0;
  std::size_t sealed_signals = 0;   // that sealed components report
  std::size_t largest_formula = 0;  // scratch that evaluation of any signal needs
  std::size_t most_symbols = 0;
  std::size_t largest_law = 0;    // scratch that a law of a coupling needs, its symbols included
  std::size_t formula_depth = 1;  // formulas that may be open at once: a force that reads one that reads one ...

  // Place of a work in State::extra.
  std::size_t work_place(Work work) const { return extra.motion_count() + static_cast<std::size_t>(work); }
  // Rows of joints and drivers, then one for each coupling: arrays by row are that long.
  std::size_t row_count() const { return rows.size() + couplings.size(); }
  // The coupling whose row it is; none: negative.
  std::int32_t coupling_of_row(std::int32_t row) const { return row - static_cast<std::int32_t>(rows.size()); }
  bool is_row_of_velocity(std::int32_t row) const {
    return coupling_of_row(row) < 0 && rows[static_cast<std::size_t>(row)].is_of_velocity();
  }
  // Whether velocities may jump, and accelerations do not follow from positions and velocities alone.
  bool has_jumps() const { return !contacts.empty() || !hard_laws.empty(); }
  // Whether some row holds a velocity alone.
  bool holds_velocities() const {
    for (const Row& row : rows) {
      if (row.is_of_velocity()) return true;
    }
    return false;
  }
  const Part& lead_part(std::size_t body) const { return parts[static_cast<std::size_t>(bodies[body].parts.front())]; }
};

// As many numbers as the processor fetches at once: every evaluation reads them.
struct BodyParams {
  double mass = 0.0;
  std::array<double, 6> moments{};  // xx xy xz yy yz zz of the inertia about the center of mass, body axes
  double mean_inverse_inertia = 0.0;

  Matrix3 inertia() const {
    Matrix3 J;
    J << moments[0], moments[1], moments[2], moments[1], moments[3], moments[4], moments[2], moments[4], moments[5];
    return J;
  }
};

struct PartParams {
  Pose X_BP;          // on its body, or in the world when it is welded to the ground
  double mass = 0.0;  // its own
  Vector3 center;     // p_BC_B of its own center of mass, or in the world
  Matrix3 inertia;    // about that, body axes (world axes for the ground)
  Vector3 start_velocity = Vector3::Zero();
  Vector3 start_angular_velocity = Vector3::Zero();
};

struct ContourParams {
  contact::Contour shape;
  Pose X_BS;  // on its body, or in the world
};

struct ContactParams {
  double friction = 0.0, restitution = 0.0;
};

struct HardLawParams {
  std::array<double, 2> weights{1.0, 0.0};  // what it acts on is the sum of weight × coordinate
  double drawn = 0.0;                       // this, where the machine is drawn
};

// Bounds of a joint coordinate or its rate. They are watched, not enforced.
struct Limit {
  std::int32_t coordinate = -1;
  bool is_rate = false;
  std::optional<double> min, max;
};

struct Params {
  std::vector<BodyParams> bodies;
  std::vector<Matrix3> inverse_inertias;  // of the bodies, body axes
  std::vector<PartParams> parts;
  std::vector<Pose> drawn;       // X_WB of the bodies where they are drawn, from their origins
  std::vector<Vector3> origins;  // that bodies start with, see origins.h; empty: that of the world
  std::vector<Pose> frames;      // X_BF; on the ground, and of nodes, from the origin of what is connected with it
  Vector3 ground_origin = Vector3::Zero();  // this one
  // The first body, the first frame that has the same numbers to the last bit. Large machines are made of equal parts:
  // what is read again and again stays close to the processor.
  std::vector<std::int32_t> first_equal_body, first_equal_frame;
  std::vector<double> row_constants;  // length of a distance row, radius of rows of a rim, angle of a cosine
  std::vector<std::shared_ptr<const Curve>> curves;  // of joints that have one, in their order
  // Of each term, of a law its slope where the machine is drawn; and what the sum of a coupling's terms is.
  std::vector<double> coupling_factors, coupling_constants;
  std::vector<double> shaft_factors;     // of System::shaft_terms
  std::vector<Matrix3> joint_axes;       // R_FJ: reactions are given in axes of the first frame
  std::vector<double> joint_compliance;  // beside other joints, where they share a load
  std::vector<model::ForceData> forces;
  std::vector<Vector3> force_directions;
  std::vector<double> state_starts;  // of System::states
  std::vector<double> extra_scales;  // of the numbers of first order in State::extra: errors count beside it and them
  std::vector<CodeParams> codes;
  std::vector<ContourParams> contours;
  std::vector<ContactParams> contacts;
  std::vector<HardLawParams> hard_laws;
  std::vector<Limit> limits;
  std::vector<SignalParams> signals;
  std::vector<double> inputs;  // of the machine itself, as they were last given
  model::Gravity gravity;
  double length = 1.0;  // size of the machine, to compare lengths with angles

  // Null for none.
  const Curve* curve(std::int32_t number) const {
    return number < 0 ? nullptr : curves[static_cast<std::size_t>(number)].get();
  }
  Held held(const Row& row, std::size_t number) const { return {row_constants[number], curve(row.curve)}; }
};

// Everything that moves, and what is integrated or remembered beside it.
struct State {
  double time = 0.0;
  std::vector<Vector3> position;        // of each body's center of mass, world axes, from its origin
  std::vector<Vector3> origin;          // of each body, see origins.h; empty: that of the world
  std::vector<Quaternion> orientation;  // q_WB
  std::vector<double> velocity;         // six per body: of the center of mass, angular; world axes
  std::vector<double> extra;            // see System::extra
  std::vector<std::int32_t> sides;      // side in force of every switch
};

}  // namespace gelenk::system
