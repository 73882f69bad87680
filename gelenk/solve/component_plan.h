#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/solve/elimination_planner.h"
#include "gelenk/solve/elimination_program.h"

namespace gelenk::solve {

// Where components touch: a place on a body of one that elements of another act on. These see it as a body of its own,
// with its six motions at its own origin, world axes; what is behind it they do not see.
struct Port {
  std::int32_t body = kNone;  // that carries it; none: it belongs to a component from elsewhere
  std::int32_t home = kNone;  // the outermost component with elements there; none: these are outside the machine
  std::int32_t width = 6;     // numbers of its motion; only ports with six can have joints
};

// Which component owns each body, and which component owns each component; the first one is the machine itself. Joints
// see port p as body (number of bodies) + p. A joint that reaches into another component without a port has one made at
// the center of mass there.
struct Partition {
  std::vector<std::int32_t> component_of_body;
  std::vector<std::int32_t> owner{kNone};
  std::vector<Port> ports = {};
  std::vector<std::int32_t> component_of_sealed = {};  // of each sealed component of the machine, in its order

  bool is_whole() const { return owner.size() == 1 && ports.empty(); }
  // The lowest component that contains both. Owners come before what they own.
  std::int32_t common_owner(std::int32_t a, std::int32_t b) const {
    while (a != b) {
      std::int32_t& inner = a > b ? a : b;
      inner = owner[static_cast<std::size_t>(inner)];
    }
    return a;
  }
};

// A component from elsewhere: only what it gives is known.
struct ForeignComponent {
  std::int32_t component = kNone;    // of the partition; it has no bodies there, and owns nothing
  std::vector<std::int32_t> ports;   // of the partition, in the order of its own
  std::vector<BodyMass> references;  // of each port with six motions: what it is scaled with
  std::vector<double> mobility;      // D at the pose of planning, row by row
};

// A component of a component, as the owner's program sees it.
struct PlanChild {
  struct Port {
    std::int32_t number = kNone;  // in Plan::ports
    std::int32_t first = 0;       // of its numbers among those of all ports
    std::int32_t ghost = kNone;   // body of the program that stands for it; none: it has neither joints nor owners here
    bool is_home = false;         // loads of the machine's right side act on it here
  };
  std::int32_t node = kNone;     // in Plan::nodes, or
  std::int32_t foreign = kNone;  // in Plan::foreign
  std::vector<Port> ports;
  std::int32_t given = kNone;  // front in the program; none: no ghosts
  std::size_t size = 0;        // numbers of all ports
};

// A port of a component and where it is: on a body of its program, which may be a ghost itself.
struct PlanPort {
  std::int32_t number = kNone;  // in Plan::ports
  std::int32_t body = kNone;
};

// A component as the solver sees it: a program over its own bodies and over ghosts, which stand for ports of others.
struct NodePlan {
  std::vector<std::int32_t> bodies;  // of the machine: its own ones
  std::vector<std::int32_t> joints;  // of the machine
  std::vector<PlanChild> children;
  std::vector<PlanPort> ports;       // where it is touched from outside
  std::vector<std::int32_t> border;  // bodies of the program with ports, in their order
  std::vector<BodyMass> references;  // of the ghosts, which come after the own bodies; for scaling only
  double operations = 0.0;           // of a factorization and a sweep, with those of all components inside
  // Components inside are worth a thread each.
  bool is_parallel = false;
  bool is_anchored = false;  // Plan::borders
  Program program;           // packed values of joints stay where they are in the machine's

  std::size_t own_count() const { return bodies.size(); }
  // Ports that the owner sees as such; it sees the bodies of a component that it calls.
  std::span<const PlanPort> shown_ports() const {
    return is_anchored ? std::span<const PlanPort>{} : std::span<const PlanPort>(ports);
  }
  std::size_t program_bodies() const { return bodies.size() + references.size(); }
};

// What components show of themselves. Anchored: an inertia at one body, and how the others move relative to it; their
// owners call them. Mobility: D and r at their ports, which is all that an owner outside the machine can be given.
// Where there are components from elsewhere, or owners outside, all borders are mobilities.
enum class BorderForm : std::uint8_t { anchored, mobility };

// Programs of all components, the owners last, together with the pose they were planned at, so that they can be planned
// again when a joint loses rank by itself. Several solvers may share one.
struct Plan {
  std::vector<BodyMass> masses;
  std::vector<double> values;
  double tau = 1e-6;
  Partition partition;
  std::vector<std::int32_t> freed;  // joints that are taken as rows
  FrontForm form = FrontForm::cheapest;
  BorderForm borders = BorderForm::anchored;
  std::vector<double> port_arms;
  std::vector<ForeignComponent> foreign;
  std::vector<Port> ports;  // those of the partition, then those made for joints without one
  // By joint of the machine: the lowest component that contains both its ends. Its program has the joint, unless that
  // is closed by a component which is on a body of it.
  std::vector<std::int32_t> home_of_joint;
  std::vector<NodePlan> nodes;

  bool is_anchored() const { return borders == BorderForm::anchored; }
  // One program for everything: it works on the arrays as they come.
  bool is_whole() const { return nodes.size() == 1 && ports.empty() && foreign.empty(); }
  // Of the whole machine; row scales by row of the layout.
  const JointRowLayout& layout() const { return is_whole() ? nodes[0].program.layout : machine_layout; }
  const std::vector<double>& row_scales() const {
    return is_whole() ? nodes[0].program.row_scales : machine_row_scales;
  }
  // Numbers at the ports of the partition.
  std::size_t port_size() const;
  ProgramCost cost() const;

  // Empty when one program has them all.
  JointRowLayout machine_layout;
  std::vector<double> machine_row_scales;
};

// Arms of the ports of a component, three each, out of those of all ports of the partition. Zero for ghosts and for
// ports that were made for joints.
void put_arms(const NodePlan& node, std::span<const double> port_arms, std::span<double> arms);

// Rows of joints at ports, turned into rows at the bodies that carry these: arms and moments about the centers of mass.
void move_rows_to_bodies(const Plan& plan, std::span<const double> port_arms, std::span<double> values);

// What a port of the partition is scaled with: the body that carries it, or what its component gives.
const BodyMass& mass_behind(const Plan& plan, std::int32_t port);

// What an owner may know of the mass behind a port, to scale with it: the nearest power of four.
double rounded_reference(double value);

struct PlanRequest {
  double tau = 1e-6;
  Partition partition = {};  // empty: whole
  std::vector<std::int32_t> freed = {};
  FrontForm form = FrontForm::cheapest;
  std::vector<double> port_arms = {};  // from the center of mass to each port of the partition, three each
  std::vector<ForeignComponent> foreign = {};
  BorderForm borders = BorderForm::anchored;
};
std::shared_ptr<const Plan> make_plan(JointRowLayout layout, std::span<const BodyMass> masses,
                                      std::span<const double> values, PlanRequest request = {});

}  // namespace gelenk::solve
