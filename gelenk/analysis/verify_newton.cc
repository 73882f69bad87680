#include "gelenk/analysis/verify_newton.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/code.h"
#include "gelenk/mechanics/couplings.h"
#include "gelenk/mechanics/gravity.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {

using mechanics::FrameMotion;
using results::BlockId;

namespace {

// Parts on which next to nothing acts, compared with the others, are not held to more digits than those have.
constexpr double kNextToNothing = 1e-9;

Vector3 vector_at(std::span<const double> numbers, std::size_t first) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

}  // namespace

NewtonCheck::NewtonCheck(const system::System& system, const system::Params& params, double tolerance)
    : system_(system), params_(params), tolerance_(tolerance), parts_(system.parts.size()) {}

bool NewtonCheck::is_possible(const RecordedRows& rows, const RecordedState& recorded) {
  return recorded.all_moving() && rows.has_all(BlockId::acceleration) && rows.has_all(BlockId::reaction) &&
         rows.has_all(BlockId::effort) && rows.has_all(BlockId::coupling) && rows.has_all(BlockId::state);
}

void NewtonCheck::Balance::add(const Vector3& at, const Vector3& f, const Vector3& m) {
  const Vector3 turning = (at - center).cross(f);
  force += f;
  moment += m + turning;
  force_size += f.norm();
  moment_size += m.norm() + turning.norm();
}

void NewtonCheck::add(std::int32_t frame, const mechanics::Workspace& workspace, const Vector3& force,
                      const Vector3& moment) {
  if (frame < 0 || system_.frames[at(frame)].part == system::kGround) return;
  parts_[at(system_.frames[at(frame)].part)].add(workspace.frames[at(frame)].p, force, moment);
}

// Weight, -m a and -(I α + w × I w) at the center of mass of each part.
void NewtonCheck::add_inertia(const mechanics::Context& context, const mechanics::Workspace& workspace,
                              const RecordedRows& rows) {
  const std::span<const double> accelerations = rows[BlockId::acceleration];
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const system::PartParams& part = params_.parts[p];
    const std::int32_t body = system_.parts[p].body;
    parts_[p] = {};
    const mechanics::Motion<double> m =
        body == system::kGround ? mechanics::Motion<double>{} : workspace.bodies[at(body)];
    Balance& balance = parts_[p];
    balance.center = m.p + m.R * part.center;
    const Vector3 arm = m.R * (part.center - part.X_BP.position);  // from the origin of the part
    const Vector3 alpha = vector_at(accelerations, 6 * p + 3);
    const Vector3 a = vector_at(accelerations, 6 * p) + alpha.cross(arm) + m.w.cross(m.w.cross(arm));
    const Matrix3 inertia = m.R * part.inertia * m.R.transpose();
    if (body != system::kGround) balance.place = system::origin_of(context.state, at(body));
    balance.place += balance.center;
    const Vector3 weight = mechanics::gravity_force<double>(context.params.gravity, part.mass, balance.place);
    balance.add(balance.center, weight, Vector3::Zero());
    balance.add(balance.center, -part.mass * a, -(inertia * alpha + m.w.cross(inertia * m.w)));
    // Terms that cancel each other leave their rounding.
    balance.force_size += part.mass * m.w.squaredNorm() * arm.norm();
    balance.moment_size += inertia.norm() * m.w.squaredNorm();
  }
}

// A reaction acts on the second part at the origin of its joint frame, and the opposite at the same place on the first.
void NewtonCheck::add_joints(const mechanics::Context& context, const mechanics::Workspace& workspace,
                             const RecordedRows& rows) {
  const std::span<const double> reactions = rows[BlockId::reaction];
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    const system::Joint& joint = system_.joints[j];
    const FrameMotion& A = workspace.frames[at(joint.frame_a)];
    const FrameMotion& B = workspace.frames[at(joint.frame_b)];
    const Matrix3 R_WF = A.R * context.params.joint_axes[j].transpose();
    const Vector3 force = R_WF * vector_at(reactions, 6 * j);
    const Vector3 moment = R_WF * vector_at(reactions, 6 * j + 3);
    add(joint.frame_b, workspace, force, moment);
    add(joint.frame_a, workspace, -force, -moment - (B.p - A.p).cross(force));
  }
}

void NewtonCheck::add_drivers(const mechanics::Context& context, const mechanics::Workspace& workspace,
                              const RecordedRows& rows) {
  for (std::size_t d = 0; d < system_.drivers.size(); ++d) {
    const auto number = at(system_.drivers[d].row);
    const system::Row& row = system_.rows[number];
    const FrameMotion& A = workspace.frames[at(row.frame_a)];
    const FrameMotion& B = workspace.frames[at(row.frame_b)];
    const mechanics::RowJacobian<double> J =
        mechanics::row_jacobian<double>(row, A, B, context.params.held(row, number), workspace.drivers[d]);
    const double effort = rows[BlockId::effort][2 * d];
    add(row.frame_a, workspace, J.a_linear * effort, J.a_angular * effort);
    add(row.frame_b, workspace, J.b_linear * effort, J.b_angular * effort);
  }
}

void NewtonCheck::add_couplings(const mechanics::Context& context, const mechanics::Workspace& workspace,
                                const RecordedRows& rows) {
  for (std::size_t k = 0; k < system_.couplings.size(); ++k) {
    const std::size_t first = at(system_.couplings[k].first_term);
    const double mu = rows[BlockId::coupling][k] / mechanics::effort_factor(system_, params_, k);
    for (std::size_t t = first; t < first + at(system_.couplings[k].term_count); ++t) {
      const mechanics::RowJacobian<double> J = mechanics::coupling_wrench(context, workspace, t);
      const system::Coordinate& c = system_.coordinates[at(system_.coupling_terms[t].coordinate)];
      const system::Joint& joint = system_.joints[at(c.joint)];
      add(joint.frame_a, workspace, J.a_linear * mu, J.a_angular * mu);
      add(joint.frame_b, workspace, J.b_linear * mu, J.b_angular * mu);
    }
  }
}

void NewtonCheck::check(const mechanics::Context& context, mechanics::Workspace& workspace, const RecordedRows& rows,
                        double largest_reaction, Findings& findings) {
  add_inertia(context, workspace, rows);
  add_joints(context, workspace, rows);
  add_drivers(context, workspace, rows);
  add_couplings(context, workspace, rows);
  const mechanics::View<double> now = mechanics::view(context, workspace);
  for (std::size_t f = 0; f < system_.forces.size(); ++f) {
    const mechanics::ForceResult<double> result = now.force(static_cast<std::int32_t>(f));
    add(result.frame_a, workspace, result.on_a.force, result.on_a.moment);
    add(result.frame_b, workspace, result.on_b.force, result.on_b.moment);
  }
  for (std::size_t c = 0; c < system_.codes.size(); ++c) {
    for (std::size_t f = 0; f < system_.codes[c].frames.size(); ++f) {
      const mechanics::Wrench<double> wrench = mechanics::code_wrench(workspace.codes[c], f);
      add(system_.codes[c].frames[f], workspace, wrench.force, wrench.moment);
    }
  }
  double largest_force = largest_reaction;
  double largest_moment = largest_reaction * params_.length;
  for (const Balance& part : parts_) {
    largest_force = std::max(largest_force, part.force_size);
    largest_moment = std::max({largest_moment, part.moment_size, part.force_size * params_.length});
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Balance& part = parts_[p];
    const auto name = [&](const char* what) { return [this, p, what] { return system_.parts[p].path + what; }; };
    findings.compare(CheckId::newton, part.force.norm(), 0.0,
                     tolerance_ * part.force_size + kNextToNothing * largest_force,
                     name(": force that its motion does not explain"));
    findings.compare(
        CheckId::newton, part.moment.norm(), 0.0,
        tolerance_ * part.moment_size + kNextToNothing * largest_moment + part.force_size * part.rounding(),
        name(": moment that its motion does not explain"));
  }
}

}  // namespace gelenk::analysis
