#include "gelenk/mechanics/quantities.h"

#include "gelenk/base/index.h"
#include "gelenk/mechanics/gravity.h"

namespace gelenk::mechanics {
namespace {

Vector3 vector_at(std::span<const double> numbers, std::size_t first) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

}  // namespace

Energy energy(const Context& context, Workspace& workspace) {
  Energy result;
  const system::Params& params = context.params;
  for (std::size_t b = 0; b < workspace.bodies.size(); ++b) {
    const Motion<double>& m = workspace.bodies[b];
    const Vector3 w = m.R.transpose() * m.w;
    result.kinetic += 0.5 * (params.bodies[b].mass * m.v.squaredNorm() + w.dot(params.bodies[b].inertia * w));
  }
  for (std::size_t p = 0; p < context.system.parts.size(); ++p) {
    const std::int32_t body = context.system.parts[p].body;
    if (body == system::kGround) continue;
    const Motion<double>& m = workspace.bodies[at(body)];
    result.potential += gravity_potential(params.gravity, params.parts[p].mass, m.p + m.R * params.parts[p].center);
  }
  const View<double> now = view(context, workspace);
  for (std::size_t f = 0; f < context.system.forces.size(); ++f) {
    result.elastic += now.force(static_cast<std::int32_t>(f)).potential;
  }
  result.potential += result.elastic;
  return result;
}

double kinetic_energy(const system::Params& params, const system::State& state) {
  double twice = 0.0;
  for (std::size_t b = 0; b < state.position.size(); ++b) {
    const Vector3 v = vector_at(state.velocity, 6 * b);
    const Vector3 w = state.orientation[b].conjugate() * vector_at(state.velocity, 6 * b + 3);
    twice += params.bodies[b].mass * v.squaredNorm() + w.dot(params.bodies[b].inertia * w);
  }
  return 0.5 * twice;
}

Work work(const system::System& system, const system::State& state, const Energy& energy) {
  return {state.extra[system.work_place(system::Work::forces)] + energy.potential,
          state.extra[system.work_place(system::Work::drivers)], state.extra[system.work_place(system::Work::impacts)]};
}

void part_accelerations(const Context& context, const Workspace& workspace, std::span<const double> body_accelerations,
                        std::span<double> parts) {
  for (std::size_t p = 0; p < context.system.parts.size(); ++p) {
    Eigen::Map<Vector3> linear(&parts[6 * p]);
    Eigen::Map<Vector3> angular(&parts[6 * p + 3]);
    const std::int32_t body = context.system.parts[p].body;
    if (body == system::kGround) {
      linear.setZero();
      angular.setZero();
      continue;
    }
    const Motion<double>& m = workspace.bodies[at(body)];
    const Vector3 arm = m.R * context.params.parts[p].X_BP.position;
    const Vector3 alpha = vector_at(body_accelerations, 6 * at(body) + 3);
    linear = vector_at(body_accelerations, 6 * at(body)) + alpha.cross(arm) + m.w.cross(m.w.cross(arm));
    angular = alpha;
  }
}

Reactions::Reactions(const system::System& system) : on_joint_(system.joints.size()), on_part_(system.parts.size()) {}

void Reactions::evaluate(const Context& context, Workspace& workspace, std::span<const double> body_accelerations,
                         std::span<const double> multipliers, std::span<double> reactions) {
  const system::System& system = context.system;
  for (Wrench<double>& wrench : on_joint_) wrench = {};
  const bool has_welds = !system.welds.edges.empty();
  if (has_welds) {
    for (Wrench<double>& wrench : on_part_) wrench = {};
  }
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const system::Row& row = system.rows[i];
    const FrameMotion& A = workspace.frames[at(row.frame_a)];
    const FrameMotion& B = workspace.frames[at(row.frame_b)];
    const Prescribed<double> motion = row.driver < 0 ? Prescribed<double>{} : workspace.drivers[at(row.driver)];
    const RowJacobian<double> J = row_jacobian<double>(row, A, B, context.params.row_constants[i], motion);
    const double lambda = multipliers[i];
    if (row.driver < 0) {
      on_joint_[at(row.joint)].force += J.b_linear * lambda;
      on_joint_[at(row.joint)].moment += J.b_angular * lambda;
    }
    if (has_welds) {
      add_on_part(system, workspace, row.frame_a, {J.a_linear * lambda, J.a_angular * lambda});
      add_on_part(system, workspace, row.frame_b, {J.b_linear * lambda, J.b_angular * lambda});
    }
  }
  if (has_welds) evaluate_welds(context, workspace, body_accelerations);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    // R_WF of the first frame from the joint frame A on it
    const Matrix3 R_FW = context.params.joint_axes[j] * workspace.frames[at(system.joints[j].frame_a)].R.transpose();
    Eigen::Map<Vector3> force(&reactions[6 * j]);
    Eigen::Map<Vector3> moment(&reactions[6 * j + 3]);
    force = R_FW * on_joint_[j].force;
    moment = R_FW * on_joint_[j].moment;
  }
}

void Reactions::add_on_part(const system::System& system, const Workspace& workspace, std::int32_t frame,
                            const Wrench<double>& wrench) {
  if (frame < 0) return;
  const std::int32_t part = system.frames[at(frame)].part;
  if (part == system::kGround) return;
  on_part_[at(part)].force += wrench.force;
  on_part_[at(part)].moment += wrench.moment + workspace.frames[at(frame)].p.cross(wrench.force);
}

// What a weld carries is what the parts behind it need beyond all else that acts on them:
// Σ (m a, r × m a + I α + w × I w) - Σ applied, about the world's origin, then about Bo.
void Reactions::evaluate_welds(const Context& context, Workspace& workspace,
                               std::span<const double> body_accelerations) {
  const system::System& system = context.system;
  const View<double> now = view(context, workspace);
  for (std::size_t f = 0; f < system.forces.size(); ++f) {
    const ForceResult<double> result = now.force(static_cast<std::int32_t>(f));
    add_on_part(system, workspace, result.frame_a, result.on_a);
    add_on_part(system, workspace, result.frame_b, result.on_b);
  }
  for (const system::WeldEdge& edge : system.welds.edges) {
    Wrench<double> needed;  // about the world's origin
    for (const std::int32_t p : edge.far_parts) {
      const system::PartParams& part = context.params.parts[at(p)];
      const std::int32_t body = system.parts[at(p)].body;
      Vector3 center = part.center;
      Vector3 inertial = Vector3::Zero();
      Vector3 inertial_moment = Vector3::Zero();
      if (body != system::kGround) {
        const Motion<double>& m = workspace.bodies[at(body)];
        const Vector3 arm = m.R * part.center;
        const Vector3 alpha = vector_at(body_accelerations, 6 * at(body) + 3);
        const Matrix3 inertia = m.R * part.inertia * m.R.transpose();
        center = m.p + arm;
        inertial =
            part.mass * (vector_at(body_accelerations, 6 * at(body)) + alpha.cross(arm) + m.w.cross(m.w.cross(arm)));
        inertial_moment = inertia * alpha + m.w.cross(inertia * m.w);
      }
      const Vector3 weight = gravity_force<double>(context.params.gravity, part.mass, center);
      needed.force += inertial - weight - on_part_[at(p)].force;
      needed.moment += center.cross(inertial - weight) + inertial_moment - on_part_[at(p)].moment;
    }
    const system::Joint& joint = system.joints[at(edge.joint)];
    const double sign = edge.far_is_second ? 1.0 : -1.0;
    const Vector3 origin = workspace.frames[at(joint.frame_b)].p;
    on_joint_[at(edge.joint)] = {sign * needed.force, sign * (needed.moment - origin.cross(needed.force))};
  }
}

void driver_efforts(const Context& context, const Workspace& workspace, std::span<const double> multipliers,
                    std::span<double> efforts) {
  for (std::size_t d = 0; d < context.system.drivers.size(); ++d) {
    const double effort = multipliers[at(context.system.drivers[d].row)];
    efforts[2 * d] = effort;
    efforts[2 * d + 1] = effort * workspace.drivers[d].rate;
  }
}

}  // namespace gelenk::mechanics
