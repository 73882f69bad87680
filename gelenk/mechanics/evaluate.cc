#include "gelenk/mechanics/evaluate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/angles.h"
#include "gelenk/mechanics/code.h"
#include "gelenk/mechanics/couplings.h"
#include "gelenk/mechanics/gravity.h"
#include "gelenk/mechanics/node_balance.h"
#include "gelenk/system/origins.h"

namespace gelenk::mechanics {
namespace {

const Prescribed<double>& prescribed(const Workspace& workspace, const system::Row& row) {
  static constexpr Prescribed<double> kNothing{};
  return row.driver < 0 ? kNothing : workspace.drivers[at(row.driver)];
}

void store_rows(const Matrix3& symmetric, std::array<double, 9>& out) {
  // Column by column is row by row, too.
  std::copy_n(symmetric.data(), out.size(), out.begin());
}

// A wrench about a frame's origin, moved to the center of mass of the frame's body.
void add_wrench(const Context& context, Workspace& workspace, std::int32_t frame, const Wrench<double>& wrench) {
  if (frame < 0) return;
  const std::int32_t body = workspace.ports.carrier(context.system, frame);
  if (body < 0) return;  // the ground, or a node, which balances by itself
  const bool is_port = at(body) >= workspace.body_count();
  const Vector3 arm =
      is_port ? Vector3::Zero() : Vector3(workspace.bodies[at(body)].R * context.params.frames[at(frame)].position);
  Eigen::Map<Vector3>(&workspace.forces[6 * at(body)]) += wrench.force;
  Eigen::Map<Vector3>(&workspace.forces[6 * at(body) + 3]) += wrench.moment + arm.cross(wrench.force);
}

// On each part at its own center of mass, so that welding changes nothing.
void add_point_gravity(const Context& context, Workspace& workspace) {
  const system::Params& params = context.params;
  for (std::size_t p = 0; p < context.system.parts.size(); ++p) {
    const std::int32_t body = context.system.parts[p].body;
    if (body == system::kGround) continue;
    const Motion<double>& m = workspace.bodies[at(body)];
    const Vector3 arm = m.R * params.parts[p].center;
    const Vector3 force = gravity_force<double>(params.gravity, params.parts[p].mass,
                                                system::origin_of(context.state, at(body)) + m.p + arm);
    Eigen::Map<Vector3>(&workspace.forces[6 * at(body)]) += force;
    Eigen::Map<Vector3>(&workspace.forces[6 * at(body) + 3]) += arm.cross(force);
  }
}

}  // namespace

Workspace::Workspace(const system::System& system, Ports of_components)
    : bodies(system.bodies.size() + of_components.size()),
      port_arms(3 * of_components.size(), 0.0),
      port_biases(3 * of_components.size(), 0.0),
      port_velocities(6 * of_components.size(), 0.0),
      sealed_signals(system.sealed_signals, 0.0),
      shafts(system.shafts.size()),
      masses(system.bodies.size()),
      drivers(system.drivers.size()),
      forces(6 * bodies.size(), 0.0),
      ports(std::move(of_components)),
      joints(make_joint_plan(system, ports)) {
  joint_values.assign(joints.layout.value_count, 0.0);
  lay_out_couplings(system, couplings, coupling_places);
  law_scratch.resize(system.largest_law);
  nodes.motions.resize(system.nodes.size());
  nodes.inverses.resize(system.node_groups.size());
  nodes.matrices.resize(system.node_groups.size());
  nodes.is_found.resize(system.node_groups.size());
  state_rates.assign(system.extra.count(system::StateKind::first_order), 0.0);
  for (const system::NativeCode& native : system.codes) {
    CodeWork& code = codes.emplace_back();
    code.motions.resize(system::kCodeMotion * native.frames.size());
    code.inputs.resize(native.inputs.size());
    code.wrenches.resize(6 * native.frames.size());
    code.rates.resize(native.state_count);
    code.outputs.resize(native.output_count);
  }
}

View<double> view(const Context& context, Workspace& workspace) {
  View<double> now(context.system, context.params, context.state, workspace.bodies, workspace.scratch,
                   &workspace.ports);
  now.set_sealed_signals(workspace.sealed_signals);
  if (!context.system.nodes.empty()) now.set_nodes(workspace.nodes);
  return now;
}

void place_ports(const Context& context, Workspace& workspace) {
  for (std::size_t p = 0; p < workspace.ports.size(); ++p) {
    const Port& port = workspace.ports.list[p];
    if (port.body < 0) continue;
    const Pose& X_BF = context.params.frames[at(port.frame)];
    const Motion<double>& m = workspace.bodies[at(port.body)];
    Motion<double>& to = workspace.bodies[workspace.body_count() + p];
    const Vector3 arm = m.R * X_BF.position;
    Eigen::Map<Vector3>(&workspace.port_arms[3 * p]) = arm;
    to.p = m.p + arm;
    to.R = m.R * X_BF.rotation;
  }
}

void move_ports(Workspace& workspace) {
  for (std::size_t p = 0; p < workspace.ports.size(); ++p) {
    Motion<double>& to = workspace.bodies[workspace.body_count() + p];
    if (workspace.ports.list[p].body < 0) continue;
    const Motion<double>& m = workspace.bodies[at(workspace.ports.list[p].body)];
    const Vector3 turn = m.w.cross(Vector3::Map(&workspace.port_arms[3 * p]));
    to.v = m.v + turn;
    to.w = m.w;
    Eigen::Map<Vector3>(&workspace.port_biases[3 * p]) = m.w.cross(turn);
    Eigen::Map<Vector3>(&workspace.port_velocities[6 * p]) = to.v;
    Eigen::Map<Vector3>(&workspace.port_velocities[6 * p + 3]) = to.w;
  }
}

void take_port_motion(const double* motion, std::size_t port, Workspace& workspace) {
  Motion<double>& to = workspace.bodies[workspace.body_count() + port];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) to.R(i, j) = motion[3 * i + j];
  }
  to.p = Vector3::Map(motion + 9);
  to.v = Vector3::Map(motion + 12);
  to.w = Vector3::Map(motion + 15);
  std::copy_n(motion + 12, 6, &workspace.port_velocities[6 * port]);
}

void report_port_motion(const Workspace& workspace, std::size_t port, double* motion) {
  const Motion<double>& from = workspace.bodies[workspace.body_count() + port];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) motion[3 * i + j] = from.R(i, j);
  }
  Eigen::Map<Vector3>{motion + 9} = from.p;
  Eigen::Map<Vector3>{motion + 12} = from.v;
  Eigen::Map<Vector3>{motion + 15} = from.w;
}

void update_positions(const Context& context, Workspace& workspace) {
  const system::Params& params = context.params;
  workspace.inverse_masses.resize(context.system.bodies.size());
  workspace.frames.resize(context.system.frames.size());
  for (std::size_t b = 0; b < workspace.body_count(); ++b) {
    Motion<double>& m = workspace.bodies[b];
    m.p = context.state.position[b];
    m.R = context.state.orientation[b].toRotationMatrix();
    BodyInverseMass& inverse = workspace.inverse_masses[b];
    inverse.inverse_mass = 1.0 / params.bodies[b].mass;
    inverse.mean_inverse_inertia = params.bodies[b].mean_inverse_inertia;
    store_rows(m.R * params.inverse_inertias[b] * m.R.transpose(), inverse.inverse_inertia);
  }
  place_ports(context, workspace);
  for (std::size_t f = 0; f < workspace.frames.size(); ++f) {
    FrameMotion& frame = workspace.frames[f];
    const Pose& X_BF = params.frames[f];
    const std::int32_t body = workspace.ports.carrier(context.system, static_cast<std::int32_t>(f));
    if (body < 0) {
      frame.p = X_BF.position;
      frame.R = X_BF.rotation;
      continue;
    }
    const Motion<double>& m = workspace.bodies[at(body)];
    if (at(body) >= workspace.body_count()) {
      frame.p = m.p;
      frame.R = m.R;
      continue;
    }
    frame.arm = m.R * X_BF.position;
    frame.p = m.p + frame.arm;
    frame.R = m.R * X_BF.rotation;
  }
}

void update_velocities(const Context& context, Workspace& workspace) {
  for (std::size_t b = 0; b < workspace.body_count(); ++b) {
    const double* v = &context.state.velocity[6 * b];
    workspace.bodies[b].v = Vector3(v[0], v[1], v[2]);
    workspace.bodies[b].w = Vector3(v[3], v[4], v[5]);
  }
  move_ports(workspace);
  for (std::size_t f = 0; f < workspace.frames.size(); ++f) {
    const std::int32_t body = workspace.ports.carrier(context.system, static_cast<std::int32_t>(f));
    if (body < 0) continue;
    FrameMotion& frame = workspace.frames[f];
    const Motion<double>& m = workspace.bodies[at(body)];
    const Vector3 turn = m.w.cross(frame.arm);
    frame.w = m.w;
    frame.v = m.v + turn;
    frame.bias = m.w.cross(turn);
  }
  balance_nodes(context, workspace);
}

void update_drivers(const Context& context, Workspace& workspace) {
  using Level = model::DriverNode::Level;
  if (context.system.drivers.empty()) return;
  View<double> now = view(context, workspace);
  View<Dual<1>> along(context.system, context.params, context.state, workspace.bodies, workspace.time_scratch,
                      &workspace.ports);
  for (const std::int32_t state : context.system.states_in_rate_laws) {
    const system::IntegratedState& read = context.system.states[at(state)];
    workspace.state_rates[at(read.place)] = now.signal(read.rate);
  }
  if (!context.system.nodes.empty()) along.set_nodes(workspace.nodes);
  along.seed_time(workspace.state_rates);
  for (std::size_t d = 0; d < workspace.drivers.size(); ++d) {
    const system::Driver& driver = context.system.drivers[d];
    Prescribed<double>& motion = workspace.drivers[d];
    if (driver.level == Level::position) {
      motion.value = now.signal(driver.law);
      const Dual<1> rate = along.signal(driver.law_rate);
      motion.rate = rate.value;
      motion.acceleration = rate.partials[0];
    } else if (driver.level == Level::rate) {
      motion.value = context.state.extra[at(driver.extra)];
      const Dual<1> rate = along.signal(driver.law);
      motion.rate = rate.value;
      motion.acceleration = rate.partials[0];
    } else {
      motion.value = context.state.extra[at(driver.extra)];
      motion.rate = context.state.extra[at(driver.extra) + 1];
      motion.acceleration = now.signal(driver.law);
    }
  }
}

RowBlock block_at_centers(const RowJacobian<double>& J, const FrameMotion& A, const FrameMotion& B) {
  // lin·(v + w × arm) + ang·w = lin·v + (ang + arm × lin)·w
  RowBlock block;
  Eigen::Map<Vector3>(block.a.data()) = J.a_linear;
  Eigen::Map<Vector3>(block.a.data() + 3) = J.a_angular + A.arm.cross(J.a_linear);
  Eigen::Map<Vector3>(block.b.data()) = J.b_linear;
  Eigen::Map<Vector3>(block.b.data() + 3) = J.b_angular + B.arm.cross(J.b_linear);
  return block;
}

void update_rows(const Context& context, Workspace& workspace) {
  const system::System& system = context.system;
  workspace.blocks.resize(system.rows.size());
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const system::Row& row = system.rows[i];
    const FrameMotion& A = workspace.frames[at(row.frame_a)];
    const FrameMotion& B = workspace.frames[at(row.frame_b)];
    const RowJacobian<double> J =
        row_jacobian<double>(row, A, B, context.params.held(row, i), prescribed(workspace, row));
    workspace.blocks[i] = block_at_centers(J, A, B);
  }
  update_couplings(context, workspace);
}

void update_forces(const Context& context, Workspace& workspace) {
  const auto* uniform = std::get_if<model::UniformGravity>(&context.params.gravity);
  const Vector3 acceleration = uniform != nullptr ? uniform->acceleration : Vector3(Vector3::Zero());
  for (std::size_t b = 0; b < workspace.body_count(); ++b) {
    const Motion<double>& m = workspace.bodies[b];
    const system::BodyParams& body = context.params.bodies[b];
    const Vector3 w = m.R.transpose() * m.w;
    Eigen::Map<Vector3>(&workspace.forces[6 * b]) = body.mass * acceleration;
    Eigen::Map<Vector3>(&workspace.forces[6 * b + 3]) = m.R * (body.inertia() * w).cross(w);
  }
  add_elements(context, workspace);
}

void add_elements(const Context& context, Workspace& workspace) {
  std::fill(workspace.forces.begin() + static_cast<std::ptrdiff_t>(6 * workspace.body_count()), workspace.forces.end(),
            0.0);
  if (std::holds_alternative<model::PointGravity>(context.params.gravity)) add_point_gravity(context, workspace);
  if (!context.system.forces.empty()) {
    const View<double> now = view(context, workspace);
    for (std::size_t f = 0; f < context.system.forces.size(); ++f) {
      const ForceResult<double> result = now.force(static_cast<std::int32_t>(f));
      add_wrench(context, workspace, result.frame_a, result.on_a);
      add_wrench(context, workspace, result.frame_b, result.on_b);
    }
  }
  if (!context.system.states.empty()) {
    const View<double> now = view(context, workspace);
    for (const system::IntegratedState& state : context.system.states) {
      workspace.state_rates[at(state.place)] = now.signal(state.rate);
    }
  }
  evaluate_codes(context, workspace);
  for (std::size_t c = 0; c < context.system.codes.size(); ++c) {
    const std::vector<std::int32_t>& frames = context.system.codes[c].frames;
    for (std::size_t f = 0; f < frames.size(); ++f) {
      add_wrench(context, workspace, frames[f], code_wrench(workspace.codes[c], f));
    }
  }
}

void row_values(const Context& context, const Workspace& workspace, std::span<double> values) {
  for (std::size_t i = 0; i < context.system.rows.size(); ++i) {
    const system::Row& row = context.system.rows[i];
    values[i] = row_value<double>(row, workspace.frames[at(row.frame_a)], workspace.frames[at(row.frame_b)],
                                  context.params.held(row, i), prescribed(workspace, row));
  }
  coupling_values(context, workspace, values);
}

double rate_of_row(const Context& context, const Workspace& workspace, std::size_t number) {
  const system::Row& row = context.system.rows[number];
  const FrameMotion& A = workspace.frames[at(row.frame_a)];
  const FrameMotion& B = workspace.frames[at(row.frame_b)];
  const Prescribed<double>& p = prescribed(workspace, row);
  const RowJacobian<double> J = row_jacobian<double>(row, A, B, context.params.held(row, number), p);
  return row_rate<double>(J, A, B) + row_time_rate<double>(row, A, B, p);
}

void row_rates(const Context& context, const Workspace& workspace, std::span<double> rates) {
  for (std::size_t i = 0; i < context.system.rows.size(); ++i) rates[i] = rate_of_row(context, workspace, i);
  coupling_rates(context, workspace, rates);
}

void row_biases(const Context& context, const Workspace& workspace, std::span<double> biases) {
  for (std::size_t i = 0; i < context.system.rows.size(); ++i) {
    const system::Row& row = context.system.rows[i];
    const FrameMotion& A = workspace.frames[at(row.frame_a)];
    const FrameMotion& B = workspace.frames[at(row.frame_b)];
    biases[i] = row_bias<double>(row, A, B, A.bias, B.bias, context.params.held(row, i), prescribed(workspace, row));
  }
  coupling_biases(context, workspace, biases);
}

void extra_rates(const Context& context, const Workspace& workspace, std::span<const double> multipliers,
                 std::span<double> rates) {
  for (const system::Driver& driver : context.system.drivers) {
    if (driver.extra < 0) continue;
    const Prescribed<double>& motion =
        workspace.drivers[static_cast<std::size_t>(&driver - context.system.drivers.data())];
    rates[at(driver.extra)] = motion.rate;
    if (driver.level == model::DriverNode::Level::acceleration) rates[at(driver.extra) + 1] = motion.acceleration;
  }
  for (const system::IntegratedState& state : context.system.states) {
    rates[at(state.place)] = workspace.state_rates[at(state.place)];
  }
  for (std::size_t c = 0; c < context.system.codes.size(); ++c) {
    const std::vector<double>& of_code = workspace.codes[c].rates;
    std::copy(of_code.begin(), of_code.end(), rates.begin() + context.system.codes[c].first_state);
  }
  angle_rates(context, workspace, rates);
  // The gyroscopic moment among the forces does no work: (I w × w)·w = 0.
  // Sums side by side: one after another, each addition would wait for the last.
  double powers[6] = {};
  for (std::size_t i = 0; i < context.state.velocity.size(); i += 6) {
    for (std::size_t k = 0; k < 6; ++k) powers[k] += workspace.forces[i + k] * context.state.velocity[i + k];
  }
  const double* const on_ports = workspace.forces.data() + 6 * workspace.body_count();
  for (std::size_t i = 0; i < workspace.port_velocities.size(); i += 6) {
    for (std::size_t k = 0; k < 6; ++k) powers[k] += on_ports[i + k] * workspace.port_velocities[i + k];
  }
  const double force_power = (powers[0] + powers[1] + powers[2]) + (powers[3] + powers[4] + powers[5]);
  double driver_power = 0.0;
  for (std::size_t d = 0; d < context.system.drivers.size(); ++d) {
    driver_power += multipliers[at(context.system.drivers[d].row)] * workspace.drivers[d].rate;
  }
  rates[context.system.work_place(system::Work::forces)] = force_power;
  rates[context.system.work_place(system::Work::drivers)] = driver_power;
  rates[context.system.work_place(system::Work::impacts)] = 0.0;
}

void settle_angles(const system::System& system, const system::Params& params, const Workspace& workspace,
                   system::State& state) {
  for (const system::Coordinate& c : system.coordinates) {
    if (c.tracked < 0) continue;
    const system::Joint& joint = system.joints[at(c.joint)];
    const Curve* const curve = params.curve(c.curve);
    const double principal = coordinate_value<double>(*c.type, workspace.frames[at(joint.frame_a)],
                                                      workspace.frames[at(joint.frame_b)], curve);
    state.extra[at(c.tracked)] = unwrapped(principal, state.extra[at(c.tracked)], curve);
  }
}

}  // namespace gelenk::mechanics
