#include "gelenk/solve/node_rest.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {

double force_scale(const BodyMass& mass, std::size_t component) {
  return component < 3 ? 1.0 / std::sqrt(mass.mass) : std::sqrt(mass.mean_inverse_inertia);
}

void NodeRest::make_room() {
  const std::size_t rows = plan_.program.layout.row_numbers.size();
  for (std::vector<double>* by_row : {&u_, &lambda_}) by_row->resize(rows);
  for (std::vector<double>* by_body : {&f_, &a_}) by_body->resize(6 * plan_.program_bodies());
}

void NodeRest::find_joint_forces(const NodePose& pose, const NodeSide& side) {
  std::copy(side.f.begin(), side.f.end(), f_.begin());
  std::fill(f_.begin() + static_cast<std::ptrdiff_t>(6 * plan_.own_count()), f_.end(), 0.0);
  visit_joints(plan_.program, pose.values,
               [&](const JointRows& joint, const JointView& side_a, const JointView& side_b) {
                 const double* const lambda = &side.lambda[at(joint.first_row)];
                 if (joint.a >= 0) add_row_wrench(side_a, lambda, &f_[6 * at(joint.a)]);
                 if (joint.b >= 0) add_row_wrench(side_b, lambda, &f_[6 * at(joint.b)]);
               });
}

void NodeRest::find_forces(const NodePose& pose, const NodeSide& side, std::span<const double> tau,
                           std::span<const double> wrenches, NodeResidual& report) {
  for (std::size_t p = 0; p < plan_.shown_ports().size(); ++p) {
    add_shifted_wrench(&pose.arms[3 * p], &tau[6 * p], &f_[6 * at(plan_.ports[p].body)]);
  }
  for (std::size_t i = 0; i < wrenches.size(); ++i) f_[i] += wrenches[i];
  for (std::size_t b = 0; b < plan_.own_count(); ++b) {
    const BodyMass& m = pose.masses[b];
    const double* const a = &side.a[6 * b];
    double inertial[6] = {m.mass * a[0], m.mass * a[1], m.mass * a[2]};
    multiply_symmetric3(m.inertia.data(), a + 3, inertial + 3);
    for (std::size_t i = 0; i < 6; ++i) {
      double& rest = f_[6 * b + i];
      rest -= inertial[i];
      report.inertial_forces = std::max(report.inertial_forces, std::abs(inertial[i]) * force_scale(m, i));
      report.forces = std::max(report.forces, std::abs(rest) * force_scale(m, i));
      report.motion = std::max(report.motion, std::abs(a[i]));
    }
  }
}

void NodeRest::find_rows(const NodePose& pose, const NodeSide& side, const Elimination& elimination,
                         std::int64_t decisions, NodeResidual& report) {
  if (dropped_by_ != decisions) {
    note_dropped(elimination);
    dropped_by_ = decisions;
  }
  std::copy(side.u.begin(), side.u.end(), u_.begin());
  visit_joints(plan_.program, pose.values,
               [&](const JointRows& joint, const JointView& side_a, const JointView& side_b) {
                 product_.assign(joint.row_count(), 0.0);
                 double* const out = product_.data();
                 if (joint.a >= 0) add_row_products(side_a, &side.a[6 * at(joint.a)], out);
                 if (joint.b >= 0) add_row_products(side_b, &side.a[6 * at(joint.b)], out);
                 for (std::size_t i = 0; i < joint.row_count(); ++i) {
                   const std::size_t row = at(joint.first_row) + i;
                   const double rest = u_[row] - out[i];
                   const double scaled = std::abs(plan_.program.row_scales[row] * rest);
                   if (is_dropped_[row] != 0) {
                     u_[row] = 0.0;
                     if (report.worst_dropped >= 0 && !(scaled > report.dropped)) continue;
                     report.dropped = scaled;
                     report.worst_dropped = plan_.program.layout.row_numbers[row];
                   } else {
                     u_[row] = rest;
                     report.rows = std::max(report.rows, scaled);
                   }
                 }
               });
}

double NodeRest::correct(NodeSide& side) const {
  for (std::size_t i = 0; i < side.a.size(); ++i) side.a[i] += a_[i];
  for (std::size_t i = 0; i < side.lambda.size(); ++i) side.lambda[i] += lambda_[i];
  double change = 0.0;
  for (std::size_t i = 0; i < 6 * plan_.own_count(); ++i) change = std::max(change, std::abs(a_[i]));
  return change;
}

void NodeRest::note_dropped(const Elimination& elimination) {
  const Program& program = plan_.program;
  is_dropped_.assign(program.layout.row_numbers.size(), 0);
  const auto drop = [&](const JointRows& joint, std::size_t row) { is_dropped_[at(joint.first_row) + row] = 1; };
  for (const Op& op : program.ops) {
    if (!Program::decides(op)) continue;
    const auto accepted = at(elimination.data().decisions[at(op.decision)].accepted);
    for (const std::int32_t place : elimination.order_of(op).subspan(accepted)) {
      std::size_t row = at(place);
      for (const Closing& closing : program.closing_of(op)) {
        const JointRows& joint = program.layout.joints[at(closing.joint)];
        if (row < joint.row_count()) {
          drop(joint, row);
          break;
        }
        row -= joint.row_count();
      }
    }
  }
  for (const std::int32_t j : program.idle) {
    const JointRows& joint = program.layout.joints[at(j)];
    for (std::size_t row = 0; row < joint.row_count(); ++row) drop(joint, row);
  }
}

std::size_t NodeRest::memory() const { return (f_.size() + u_.size() + a_.size() + lambda_.size()) * sizeof(double); }

}  // namespace gelenk::solve
