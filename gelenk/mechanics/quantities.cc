#include "gelenk/mechanics/quantities.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/code.h"
#include "gelenk/mechanics/couplings.h"
#include "gelenk/mechanics/gravity.h"
#include "gelenk/system/origins.h"

namespace gelenk::mechanics {
namespace {

Vector3 vector_at(std::span<const double> numbers, std::size_t first) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

}  // namespace

Energy energy(const Context& context, Workspace& workspace) {
  Energy result;
  const system::Params& params = context.params;
  for (std::size_t b = 0; b < workspace.body_count(); ++b) {
    const Motion<double>& m = workspace.bodies[b];
    const Vector3 w = m.R.transpose() * m.w;
    result.kinetic += 0.5 * (params.bodies[b].mass * m.v.squaredNorm() + w.dot(params.bodies[b].inertia() * w));
  }
  for (std::size_t p = 0; p < context.system.parts.size(); ++p) {
    const std::int32_t body = context.system.parts[p].body;
    if (body == system::kGround) continue;
    const Motion<double>& m = workspace.bodies[at(body)];
    const Vector3 place = system::origin_of(context.state, at(body)) + m.p;
    result.potential += gravity_potential(params.gravity, params.parts[p].mass, place + m.R * params.parts[p].center);
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
    twice += params.bodies[b].mass * v.squaredNorm() + w.dot(params.bodies[b].inertia() * w);
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

Reactions::Reactions(const system::System& system)
    : on_joint_(system.joints.size()),
      on_part_(system.parts.size()),
      joint_sizes_(system.joints.size()),
      part_sizes_(system.parts.size()) {}

void Reactions::evaluate(const Context& context, Workspace& workspace, std::span<const double> body_accelerations,
                         std::span<const double> multipliers, std::span<double> reactions) {
  add_rows(context, workspace, multipliers);
  if (!context.system.welds.edges.empty()) {
    add_forces(context, workspace);
    evaluate_welds(context, workspace, &body_accelerations);
  }
  write(context, workspace, reactions);
}

void Reactions::respond(const Context& context, Workspace& workspace, std::span<const double> multipliers,
                        std::span<double> reactions, std::span<double> sizes) {
  add_rows(context, workspace, multipliers);
  evaluate_welds(context, workspace, nullptr);
  write(context, workspace, reactions);
  for (std::size_t j = 0; j < joint_sizes_.size(); ++j) {
    sizes[2 * j] = joint_sizes_[j].force;
    sizes[2 * j + 1] = joint_sizes_[j].moment;
  }
}

void Reactions::add_rows(const Context& context, const Workspace& workspace, std::span<const double> multipliers) {
  const system::System& system = context.system;
  std::fill(on_joint_.begin(), on_joint_.end(), Wrench<double>{});
  std::fill(joint_sizes_.begin(), joint_sizes_.end(), Size{});
  const bool has_welds = !system.welds.edges.empty();
  if (has_welds) {
    std::fill(on_part_.begin(), on_part_.end(), Wrench<double>{});
    std::fill(part_sizes_.begin(), part_sizes_.end(), Size{});
  }
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const system::Row& row = system.rows[i];
    const FrameMotion& A = workspace.frames[at(row.frame_a)];
    const FrameMotion& B = workspace.frames[at(row.frame_b)];
    const Prescribed<double> motion = row.driver < 0 ? Prescribed<double>{} : workspace.drivers[at(row.driver)];
    const RowJacobian<double> J = row_jacobian<double>(row, A, B, context.params.held(row, i), motion);
    const double lambda = multipliers[i];
    const Wrench<double> on_b{J.b_linear * lambda, J.b_angular * lambda};
    if (row.driver < 0) {
      on_joint_[at(row.joint)].force += on_b.force;
      on_joint_[at(row.joint)].moment += on_b.moment;
      joint_sizes_[at(row.joint)].force += on_b.force.norm();
      joint_sizes_[at(row.joint)].moment += on_b.moment.norm();
    }
    if (has_welds) {
      add_on_part(system, workspace, row.frame_a, {J.a_linear * lambda, J.a_angular * lambda});
      add_on_part(system, workspace, row.frame_b, on_b);
    }
  }
  if (has_welds) add_couplings(context, workspace, multipliers);
}

void Reactions::add_couplings(const Context& context, const Workspace& workspace, std::span<const double> multipliers) {
  const system::System& system = context.system;
  for (std::size_t k = 0; k < system.couplings.size(); ++k) {
    const double mu = multipliers[system.rows.size() + k];
    for (std::int32_t t = 0; t < system.couplings[k].term_count; ++t) {
      const std::size_t term = at(system.couplings[k].first_term + t);
      const RowJacobian<double> J = coupling_wrench(context, workspace, term);
      const system::Joint& joint =
          system.joints[at(system.coordinates[at(system.coupling_terms[term].coordinate)].joint)];
      add_on_part(system, workspace, joint.frame_a, {J.a_linear * mu, J.a_angular * mu});
      add_on_part(system, workspace, joint.frame_b, {J.b_linear * mu, J.b_angular * mu});
    }
  }
}

void Reactions::write(const Context& context, const Workspace& workspace, std::span<double> reactions) const {
  for (std::size_t j = 0; j < on_joint_.size(); ++j) {
    // R_WF of the first frame from the joint frame A on it
    const std::int32_t frame = context.system.joints[j].frame_a;
    const Matrix3 R_FW = context.params.joint_axes[j] * workspace.frames[at(frame)].R.transpose();
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
  const Vector3& place = workspace.frames[at(frame)].p;
  on_part_[at(part)].force += wrench.force;
  on_part_[at(part)].moment += wrench.moment + place.cross(wrench.force);
  part_sizes_[at(part)].force += wrench.force.norm();
  part_sizes_[at(part)].moment += wrench.moment.norm() + place.norm() * wrench.force.norm();
}

void Reactions::add_forces(const Context& context, Workspace& workspace) {
  const View<double> now = view(context, workspace);
  for (std::size_t f = 0; f < context.system.forces.size(); ++f) {
    const ForceResult<double> result = now.force(static_cast<std::int32_t>(f));
    add_on_part(context.system, workspace, result.frame_a, result.on_a);
    add_on_part(context.system, workspace, result.frame_b, result.on_b);
  }
  for (std::size_t c = 0; c < context.system.codes.size(); ++c) {
    const std::vector<std::int32_t>& frames = context.system.codes[c].frames;
    for (std::size_t f = 0; f < frames.size(); ++f) {
      add_on_part(context.system, workspace, frames[f], code_wrench(workspace.codes[c], f));
    }
  }
}

// (m a - weight, r × (m a - weight) + I α + w × I w) about the world's origin.
Wrench<double> Reactions::inertia_less_weight(const Context& context, const Workspace& workspace, std::int32_t part,
                                              std::span<const double> body_accelerations) const {
  const system::PartParams& params = context.params.parts[at(part)];
  const std::int32_t body = context.system.parts[at(part)].body;
  Vector3 center = params.center;
  Vector3 origin = Vector3::Zero();
  Vector3 inertial = Vector3::Zero();
  Vector3 inertial_moment = Vector3::Zero();
  if (body != system::kGround) {
    const Motion<double>& m = workspace.bodies[at(body)];
    const Vector3 arm = m.R * params.center;
    const Vector3 alpha = vector_at(body_accelerations, 6 * at(body) + 3);
    const Matrix3 inertia = m.R * params.inertia * m.R.transpose();
    center = m.p + arm;
    origin = system::origin_of(context.state, at(body));
    inertial =
        params.mass * (vector_at(body_accelerations, 6 * at(body)) + alpha.cross(arm) + m.w.cross(m.w.cross(arm)));
    inertial_moment = inertia * alpha + m.w.cross(inertia * m.w);
  }
  const Vector3 weight = gravity_force<double>(context.params.gravity, params.mass, origin + center);
  return {inertial - weight, center.cross(inertial - weight) + inertial_moment};
}

// What a weld carries is what the parts behind it need beyond all else that acts on them:
// Σ (m a, r × m a + I α + w × I w) - Σ applied, about the world's origin, then about Bo.
void Reactions::evaluate_welds(const Context& context, const Workspace& workspace,
                               const std::span<const double>* body_accelerations) {
  const system::System& system = context.system;
  for (const system::WeldEdge& edge : system.welds.edges) {
    Wrench<double> needed;  // about the world's origin
    Size size;
    for (const std::int32_t p : edge.far_parts) {
      if (body_accelerations != nullptr) {
        const Wrench<double> own = inertia_less_weight(context, workspace, p, *body_accelerations);
        needed.force += own.force;
        needed.moment += own.moment;
      }
      needed.force -= on_part_[at(p)].force;
      needed.moment -= on_part_[at(p)].moment;
      size.force += part_sizes_[at(p)].force;
      size.moment += part_sizes_[at(p)].moment;
    }
    const system::Joint& joint = system.joints[at(edge.joint)];
    const double sign = edge.far_is_second ? 1.0 : -1.0;
    const Vector3 origin = workspace.frames[at(joint.frame_b)].p;
    on_joint_[at(edge.joint)] = {sign * needed.force, sign * (needed.moment - origin.cross(needed.force))};
    joint_sizes_[at(edge.joint)] = {size.force, size.moment + origin.norm() * size.force};
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
