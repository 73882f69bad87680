#pragma once

#include <array>
#include <span>
#include <vector>

#include "gelenk/math/joint_rows.h"
#include "gelenk/mechanics/joint_plan.h"
#include "gelenk/mechanics/view.h"

// One evaluation of the equations, as an explicit pipeline: positions, rows, velocities, forces. Each function needs
// the results of those before it; nothing is remembered behind the caller's back. Here rows are given one by one, on
// frames; dynamics.h has the short way to accelerations.
namespace gelenk::mechanics {

struct Context {
  const system::System& system;
  const system::Params& params;
  const system::State& state;
};

struct Workspace {
  // after update_positions() or update_bodies(); those of the ports follow
  std::vector<Motion<double>> bodies;
  // likewise: arms from the body's center of mass to the port, and with the velocities, accelerations of ports when
  // those of the bodies are zero, three each, and velocities of the ports, six each; world axes
  std::vector<double> port_arms, port_biases, port_velocities;
  // as sealed components last reported them, with their ports
  std::vector<double> sealed_signals;
  struct ShaftMotion {
    double value = 0.0, rate = 0.0;
  };
  std::vector<ShaftMotion> shafts;  // likewise
  // after update_bodies()
  std::vector<BodyMass> masses;
  // after update_joints(): packed as `joints.layout` says
  std::vector<double> joint_values;
  // after update_positions(); empty before, like the blocks: the short way needs none of them
  std::vector<FrameMotion> frames;
  std::vector<BodyInverseMass> inverse_masses;
  // after update_drivers()
  std::vector<Prescribed<double>> drivers;
  // after update_rows()
  std::vector<RowBlock> blocks;
  // after update_rows() or update_joints(): rows behind those; and which two of the blocks a term of a coupling has
  std::vector<CouplingBlock> couplings;
  std::vector<std::array<std::int32_t, 2>> coupling_places;
  std::vector<CouplingShaft> coupling_shafts;  // of the same rows; fixed
  // after update_forces() or sum_forces(): six per body, force and moment about the center of mass less the gyroscopic
  // moment; then six per port
  std::vector<double> forces;
  // likewise
  std::vector<CodeWork> codes;
  // likewise, of states by their places in State::extra; those that rate laws read also after update_drivers()
  std::vector<double> state_rates;

  // after balance_nodes(), which all functions end with that make velocities
  NodeMotions nodes;
  Scratch<Dual<12>> node_scratch;
  Ports ports;  // fixed, like the next one
  JointPlan joints;
  Scratch<double> scratch;
  Scratch<Dual<1>> time_scratch;
  // Room for laws of couplings, whatever they are evaluated for.
  mutable std::vector<Dual<static_cast<int>(model::kMostLawTerms)>> law_scratch;

  explicit Workspace(const system::System& system, Ports ports = {});

  std::size_t body_count() const { return masses.size(); }
};

View<double> view(const Context& context, Workspace& workspace);

// Poses of all bodies are known: those of the ports.
void place_ports(const Context& context, Workspace& workspace);
// Velocities of all bodies are known: those of the ports.
void move_ports(Workspace& workspace);
// Ports of sealed components, which report: axes in the world row by row, origin, velocity, angular velocity.
inline constexpr std::size_t kPortMotion = 18;
void take_port_motion(const double* motion, std::size_t port, Workspace& workspace);
void report_port_motion(const Workspace& workspace, std::size_t port, double* motion);

// Poses and inverse masses of all bodies, poses of all frames. Frames and rows given one by one are on bodies or ports:
// on a port a frame has no arm.
void update_positions(const Context& context, Workspace& workspace);
// Twists of all bodies and frames.
void update_velocities(const Context& context, Workspace& workspace);
// Prescribed motion of all drivers. Rate laws may read positions; their accelerations also need the velocities.
void update_drivers(const Context& context, Workspace& workspace);
// A row on two frames as blocks on their bodies, at the centers of mass, or on their ports.
RowBlock block_at_centers(const RowJacobian<double>& J, const FrameMotion& A, const FrameMotion& B);
// Jacobian blocks of all rows.
void update_rows(const Context& context, Workspace& workspace);
// Applied forces, gravity and gyroscopic moments.
void update_forces(const Context& context, Workspace& workspace);
// The part of them that is neither uniform gravity nor gyroscopic, added to the forces in the workspace.
void add_elements(const Context& context, Workspace& workspace);

// g of every row
void row_values(const Context& context, const Workspace& workspace, std::span<double> values);
// ġ of every row at the current velocities
void row_rates(const Context& context, const Workspace& workspace, std::span<double> rates);
// ġ of one row
double rate_of_row(const Context& context, const Workspace& workspace, std::size_t row);
// u of every row
void row_biases(const Context& context, const Workspace& workspace, std::span<double> biases);

// Rates of the extra states: laws of the drivers, rates of the tracked angles, powers. Needs the forces in the
// workspace and the multipliers of the rows.
void extra_rates(const Context& context, const Workspace& workspace, std::span<const double> multipliers,
                 std::span<double> rates);
// Sets tracked angles to the full turns nearest to what they were.
void settle_angles(const system::System& system, const system::Params& params, const Workspace& workspace,
                   system::State& state);

}  // namespace gelenk::mechanics
