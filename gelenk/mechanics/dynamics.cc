#include "gelenk/mechanics/dynamics.h"

#include <algorithm>
#include <variant>

#include "gelenk/base/index.h"
#include "gelenk/base/parallel.h"
#include "gelenk/mechanics/body_kernels.h"
#include "gelenk/mechanics/couplings.h"
#include "gelenk/mechanics/frame_motion.h"
#include "gelenk/mechanics/joint_kernels.h"
#include "gelenk/mechanics/node_balance.h"

namespace gelenk::mechanics {
namespace {

constexpr double kAtRest[6] = {};  // velocities of the ground

JointKernelInput kernel_input(const Context& context, const Workspace& workspace) {
  return {.plan = workspace.joints, .bodies = workspace.bodies, .params = context.params};
}

// A row that no kernel covers, with all that its functions in rows.h take.
struct LooseRow {
  const system::Row& row;
  FrameMotion A, B;
  system::Held held;
  Prescribed<double> motion;

  LooseRow(const Context& context, const Workspace& workspace, std::int32_t number)
      : row(context.system.rows[at(number)]),
        A(frame_motion(context, workspace, row.frame_a)),
        B(frame_motion(context, workspace, row.frame_b)),
        held(context.params.held(row, at(number))),
        motion(row.driver < 0 ? Prescribed<double>{} : workspace.drivers[at(row.driver)]) {}
};

void pack(const LooseRow& loose, RowForm form, double* to) {
  if (form == RowForm::point) {  // each of its three rows writes the whole
    Eigen::Map<Vector3>{to} = loose.A.arm;
    Eigen::Map<Vector3>{to + 3} = loose.B.arm;
    return;
  }
  const RowJacobian<double> J = row_jacobian<double>(loose.row, loose.A, loose.B, loose.held, loose.motion);
  if (form == RowForm::turn) {
    Eigen::Map<Vector3>{to} = J.b_angular;
    return;
  }
  const RowBlock block = block_at_centers(J, loose.A, loose.B);
  Eigen::Map<Vector3>{to} = J.b_linear;
  std::copy_n(&block.a[3], 3, to + 3);
  std::copy_n(&block.b[3], 3, to + 6);
}

void clear_ground(const JointPlan& plan, std::span<double> values) {
  for (const std::int32_t place : plan.ground_places) std::fill_n(&values[at(place)], 3, 0.0);
}

// Behind the kernels: rows that none of them covers.
void complete_joints(const Context& context, Workspace& workspace, std::span<double> biases) {
  for (const SingleRow& single : workspace.joints.single_rows) {
    const LooseRow loose(context, workspace, single.row);
    pack(loose, single.form, &workspace.joint_values[at(single.value)]);
    biases[at(single.row)] =
        row_bias<double>(loose.row, loose.A, loose.B, loose.A.bias, loose.B.bias, loose.held, loose.motion);
  }
  clear_ground(workspace.joints, workspace.joint_values);
  if (context.system.couplings.empty()) return;
  update_couplings(context, workspace);
  coupling_biases(context, workspace, biases);
}

Vector3 uniform_gravity(const Context& context) {
  const auto* uniform = std::get_if<model::UniformGravity>(&context.params.gravity);
  return uniform != nullptr ? uniform->acceleration : Vector3(Vector3::Zero());
}

double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// ġ of the rows of one joint without what drivers prescribe; six numbers per body.
void add_joint_rates(const JointRows& joint, std::span<const std::int32_t> rows, const double* values,
                     const double* on_a, const double* on_b, std::span<double> rates) {
  const double linear[3] = {on_b[0] - on_a[0], on_b[1] - on_a[1], on_b[2] - on_a[2]};
  const double angular[3] = {on_b[3] - on_a[3], on_b[4] - on_a[4], on_b[5] - on_a[5]};
  const std::int32_t* row = rows.data();
  if (joint.points == 1) {
    const double* const w_a = on_a + 3;
    const double* const w_b = on_b + 3;
    const double* const s_a = values;
    const double* const s_b = values + 3;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      const std::size_t k = (i + 2) % 3;
      rates[at(row[i])] = linear[i] + (w_b[j] * s_b[k] - w_b[k] * s_b[j]) - (w_a[j] * s_a[k] - w_a[k] * s_a[j]);
    }
    row += 3;
    values += 6;
  }
  for (std::uint8_t turn = 0; turn < joint.turns; ++turn, ++row, values += 3) rates[at(*row)] = dot(values, angular);
  for (std::uint8_t line = 0; line < joint.lines; ++line, ++row, values += 9) {
    rates[at(*row)] = dot(values, linear) + dot(values + 3, on_a + 3) + dot(values + 6, on_b + 3);
  }
}

}  // namespace

void update_bodies(const Context& context, Workspace& workspace) {
  move_bodies(context.state, context.params, {0, workspace.body_count()}, workspace.bodies, workspace.masses);
  place_ports(context, workspace);
  move_ports(workspace);
  balance_nodes(context, workspace);
}

void update_body_motions(const Context& context, Workspace& workspace) {
  move_frames(context.state, {0, workspace.body_count()}, workspace.bodies);
  place_ports(context, workspace);
  move_ports(workspace);
}

void update_masses(const Context& context, Workspace& workspace) {
  turn_masses(context.params, workspace.bodies, workspace.masses);
}

void update_body_velocities(const Context& context, Workspace& workspace) {
  for (std::size_t b = 0; b < workspace.body_count(); ++b) {
    const double* const v = &context.state.velocity[6 * b];
    workspace.bodies[b].v = Vector3(v[0], v[1], v[2]);
    workspace.bodies[b].w = Vector3(v[3], v[4], v[5]);
  }
  move_ports(workspace);
  balance_nodes(context, workspace);
}

void update_joints(const Context& context, Workspace& workspace) {
  shaped_values(kernel_input(context, workspace), workspace.joint_values);
  for (const SingleRow& single : workspace.joints.single_rows) {
    pack(LooseRow(context, workspace, single.row), single.form, &workspace.joint_values[at(single.value)]);
  }
  clear_ground(workspace.joints, workspace.joint_values);
  update_couplings(context, workspace);
}

void update_joints(const Context& context, Workspace& workspace, std::span<double> biases) {
  shaped_values_and_biases(kernel_input(context, workspace), all_tasks(workspace.joints), workspace.joint_values,
                           biases);
  complete_joints(context, workspace, biases);
}

void joint_residuals(const Context& context, const Workspace& workspace, std::span<double> residuals) {
  shaped_residuals(kernel_input(context, workspace), residuals);
  for (const SingleRow& single : workspace.joints.single_rows) {
    const LooseRow loose(context, workspace, single.row);
    residuals[at(single.row)] = row_value<double>(loose.row, loose.A, loose.B, loose.held, loose.motion);
  }
  coupling_values(context, workspace, residuals);
}

void joint_rates(const Context& context, const Workspace& workspace, std::span<double> rates) {
  const JointRowLayout& layout = workspace.joints.layout;
  const auto velocities = [&](std::int32_t body) {
    if (body == system::kGround) return kAtRest;
    const std::size_t place = 6 * at(body);
    const std::size_t count = context.state.velocity.size();
    return place < count ? &context.state.velocity[place] : &workspace.port_velocities[place - count];
  };
  for (const JointRows& joint : layout.joints) {
    add_joint_rates(joint, layout.rows_of(joint), &workspace.joint_values[at(joint.first_value)], velocities(joint.a),
                    velocities(joint.b), rates);
  }
  for (const SingleRow& single : workspace.joints.single_rows) {
    const LooseRow loose(context, workspace, single.row);
    rates[at(single.row)] += row_time_rate<double>(loose.row, loose.A, loose.B, loose.motion);
  }
  coupling_rates(context, workspace, rates);
}

void sum_forces(const Context& context, Workspace& workspace) {
  inertial_forces(workspace.masses, workspace.bodies, uniform_gravity(context), {0, workspace.body_count()},
                  workspace.forces);
  add_elements(context, workspace);
}

namespace {

// Bodies and joints of blocks first to end - 1, a block at a time.
void update_blocks(const Context& context, const Vector3& gravity, std::size_t first, std::size_t end, bool with_bodies,
                   bool with_joints, Workspace& workspace, std::span<double> biases) {
  const JointKernelInput input = kernel_input(context, workspace);
  JointTaskRange tasks;
  if (first > 0) tasks.first = workspace.joints.block_ends[first - 1];
  for (std::size_t block = first; block < end; ++block) {
    const BodyRange range{block * JointPlan::kBlock, std::min((block + 1) * JointPlan::kBlock, workspace.body_count())};
    if (with_bodies && range.first < range.end) {
      move_bodies(context.state, context.params, range, workspace.bodies, workspace.masses);
      inertial_forces(workspace.masses, workspace.bodies, gravity, range, workspace.forces);
    }
    if (!with_joints) continue;
    tasks.end = workspace.joints.block_ends[block];
    shaped_values_and_biases(input, tasks, workspace.joint_values, biases);
    tasks.first = tasks.end;
  }
}

// With fewer, threads would wait for each other longer than they work.
constexpr std::size_t kBlocksOfPart = 32;

}  // namespace

void update_all(const Context& context, Workspace& workspace, std::span<double> biases) {
  const Vector3 gravity = uniform_gravity(context);
  const std::size_t blocks = workspace.joints.block_ends.size();
  const std::size_t parts = blocks / kBlocksOfPart;
  const auto all_ports = [&] {
    place_ports(context, workspace);
    move_ports(workspace);
  };
  if (parts < 2 || thread_count() == 1) {
    if (workspace.ports.is_empty()) {
      update_blocks(context, gravity, 0, blocks, true, true, workspace, biases);
    } else {
      update_blocks(context, gravity, 0, blocks, true, false, workspace, biases);
      all_ports();
      update_blocks(context, gravity, 0, blocks, false, true, workspace, biases);
    }
  } else {
    // A joint may need bodies of another part: all bodies first.
    const auto first_block = [&](std::size_t part) { return part * blocks / parts; };
    for (const bool is_first_pass : {true, false}) {
      for_each_part(parts, [&](std::size_t part) {
        update_blocks(context, gravity, first_block(part), first_block(part + 1), is_first_pass, !is_first_pass,
                      workspace, biases);
      });
      if (is_first_pass) all_ports();
    }
  }
  balance_nodes(context, workspace);
  update_drivers(context, workspace);
  complete_joints(context, workspace, biases);
  add_elements(context, workspace);
}

}  // namespace gelenk::mechanics
