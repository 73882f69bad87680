#include "gelenk/analysis/machine/contact_nodes.h"

#include <algorithm>

#include "gelenk/base/disjoint_sets.h"
#include "gelenk/base/index.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {
namespace {

void add_wrench(const Vector3& arm, const Vector3& force, double* six) {
  const Vector3 moment = arm.cross(force);
  for (int i = 0; i < 3; ++i) {
    six[i] += force[i];
    six[i + 3] += moment[i];
  }
}

}  // namespace

ContactNodes::ContactNodes(const system::System& system, const system::Params& params)
    : system_(system),
      params_(params),
      is_free_(system.bodies.size(), 1),
      node_of_body_(system.bodies.size(), -1),
      load_(6 * system.bodies.size(), 0.0),
      zero_rows_(system.row_count(), 0.0) {
  DisjointSets sets(system.bodies.size());
  const auto join = [&](std::int32_t a, std::int32_t b) {
    for (const std::int32_t body : {a, b}) {
      if (body >= 0) is_free_[at(body)] = 0;
    }
    if (a >= 0 && b >= 0) sets.join(at(a), at(b));
  };
  for (const RowBodies& row : system.row_bodies) join(row.a, row.b);
  for (const system::Coupling& coupling : system.couplings) {
    std::int32_t last = -1;
    for (std::int32_t t = 0; t < coupling.term_count; ++t) {
      const system::CouplingTerm& term = system.coupling_terms[at(coupling.first_term + t)];
      const system::Joint& joint = system.joints[at(system.coordinates[at(term.coordinate)].joint)];
      for (const std::int32_t frame : {joint.frame_a, joint.frame_b}) {
        const std::int32_t body = system.frames[at(frame)].body;
        join(body, last);
        if (body >= 0) last = body;
      }
    }
  }
  for (std::size_t b = 0; b < system.bodies.size(); ++b) group_.push_back(static_cast<std::int32_t>(sets.leader(b)));
}

std::int32_t ContactNodes::node_of(std::int32_t body) {
  if (body < 0) return -1;
  std::int32_t& node = node_of_body_[at(body)];
  if (node < 0) {
    node = static_cast<std::int32_t>(bodies_.size());
    bodies_.push_back(body);
  }
  return node;
}

// Of the first nodes: those that points touch.
void ContactNodes::find_columns(std::size_t touched, Equations& equations) {
  column_count_ = 0;
  for (std::size_t n = 0; n < touched; ++n) {
    const std::int32_t body = bodies_[n];
    if (is_free_[at(body)] != 0) continue;
    if (columns_.size() == column_count_) columns_.emplace_back();
    Column& column = columns_[column_count_++];
    column.node = static_cast<std::int32_t>(n);
    column.changes.resize(6 * load_.size());
    for (std::size_t k = 0; k < 6; ++k) {
      std::fill(load_.begin(), load_.end(), 0.0);
      load_[6 * at(body) + k] = 1.0;
      equations.solver().solve(load_, zero_rows_, std::span(column.changes).subspan(k * load_.size(), load_.size()),
                               unasked_);
    }
  }
}

void ContactNodes::build(const system::State& state, std::span<const double> velocities,
                         std::span<const FoundPoint> points, std::span<const std::int32_t> chosen,
                         std::span<const RowOnBodies> rows, Equations& equations, contact::Problem& problem) {
  for (const std::int32_t body : bodies_) node_of_body_[at(body)] = -1;
  bodies_.clear();
  for (const std::int32_t index : chosen) {
    node_of(points[at(index)].body_a);
    node_of(points[at(index)].body_b);
  }
  const std::size_t touched = bodies_.size();
  for (const RowOnBodies& row : rows) {
    for (const RowOnBodies::Wrench& wrench : row.wrenches) node_of(wrench.body);
  }
  find_columns(touched, equations);
  problem.begin(bodies_.size());
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    std::copy_n(&velocities[6 * at(bodies_[n])], 6, problem.velocities()[n].begin());
  }
  for (const std::int32_t index : chosen) {
    const FoundPoint& found = points[at(index)];
    contact::PointProblem point{.node_a = node_of(found.body_a), .node_b = node_of(found.body_b)};
    // In the middle of gap or overlap: the moments of both impulses cancel.
    const Vector3 place = 0.5 * (found.point.on_a + found.point.on_b);
    if (found.body_a >= 0) point.arm_a = place - system::place_of(state, at(found.body_a));
    if (found.body_b >= 0) point.arm_b = place - system::place_of(state, at(found.body_b));
    point.directions = contact::directions_of(found.point.normal);
    point.friction = params_.contacts[at(found.contact)].friction;
    problem.add_point(point);
    add_effects(state, point, problem);
    problem.end_point();
  }
  for (const RowOnBodies& row : rows) add_row(row, equations, problem);
}

void ContactNodes::add_row(const RowOnBodies& row, Equations& equations, contact::Problem& problem) {
  changes_.resize(load_.size());
  std::fill(load_.begin(), load_.end(), 0.0);
  wrenches_.clear();
  for (const RowOnBodies::Wrench& wrench : row.wrenches) {
    for (std::size_t i = 0; i < 6; ++i) load_[6 * at(wrench.body) + i] += wrench.values[i];
    wrenches_.push_back({node_of(wrench.body), wrench.values});
  }
  equations.solver().solve(load_, zero_rows_, changes_, unasked_);
  effects_.clear();
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    const bool is_moved = std::any_of(row.wrenches.begin(), row.wrenches.end(), [&](const auto& wrench) {
      return group_of(wrench.body) == group_of(bodies_[n]);
    });
    if (!is_moved) continue;
    contact::NodeTwist& effect = effects_.emplace_back();
    effect.node = static_cast<std::int32_t>(n);
    std::copy_n(&changes_[6 * at(bodies_[n])], 6, effect.values.begin());
  }
  problem.add_row({}, wrenches_, effects_);
  // Held by drivers and joints: what is left of its mobility is rounding.
  constexpr double kRounding = 1e-10;
  double alone = 0.0;
  for (const RowOnBodies::Wrench& wrench : row.wrenches) {
    const system::BodyParams& body = params_.bodies[at(wrench.body)];
    alone += Vector3::Map(wrench.values.data()).squaredNorm() / body.mass +
             Vector3::Map(wrench.values.data() + 3).squaredNorm() * body.mean_inverse_inertia;
  }
  contact::RowProblem& added = problem.rows().back();
  if (!(added.mobility > kRounding * alone)) added.mobility = 0.0;
}

contact::Twist ContactNodes::response(const system::State& state, std::int32_t body, const Vector3& arm,
                                      const Vector3& force) const {
  const Matrix3 R = state.orientation[at(body)].toRotationMatrix();
  const Vector3 turn = R * (params_.inverse_inertias[at(body)] * (R.transpose() * arm.cross(force)));
  const Vector3 shift = force / params_.bodies[at(body)].mass;
  return {shift.x(), shift.y(), shift.z(), turn.x(), turn.y(), turn.z()};
}

void ContactNodes::add_effects(const system::State& state, const contact::PointProblem& point,
                               contact::Problem& problem) const {
  struct Side {
    std::int32_t node;
    const Vector3& arm;
    double sign;
  };
  const Side sides[] = {{point.node_a, point.arm_a, -1.0}, {point.node_b, point.arm_b, 1.0}};
  std::int32_t joined_group = -1;  // of a side with joints
  for (const Side& side : sides) {
    if (side.node < 0) continue;
    const std::int32_t body = bodies_[at(side.node)];
    if (is_free_[at(body)] == 0) {
      joined_group = group_of(body);
      continue;
    }
    contact::Effect effect{.node = side.node};
    for (int k = 0; k < 3; ++k) {
      effect.twist[static_cast<std::size_t>(k)] = response(state, body, side.arm, side.sign * point.directions.col(k));
    }
    problem.add_effect(effect);
  }
  if (joined_group < 0) return;
  // All touched bodies that hang together with one of the sides.
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    const std::int32_t moved = bodies_[n];
    if (is_free_[at(moved)] != 0) continue;
    contact::Effect effect{.node = static_cast<std::int32_t>(n)};
    bool is_moved = false;
    for (std::size_t c = 0; c < column_count_; ++c) {
      const Column& column = columns_[c];
      for (const Side& side : sides) {
        if (side.node != column.node || group_of(bodies_[at(side.node)]) != group_of(moved)) continue;
        is_moved = true;
        for (int k = 0; k < 3; ++k) {
          double wrench[6] = {};
          add_wrench(side.arm, side.sign * point.directions.col(k), wrench);
          contact::Twist& twist = effect.twist[static_cast<std::size_t>(k)];
          for (std::size_t j = 0; j < 6; ++j) {
            const double* const change = &column.changes[j * load_.size() + 6 * at(moved)];
            for (std::size_t i = 0; i < 6; ++i) twist[i] += change[i] * wrench[j];
          }
        }
      }
    }
    if (is_moved) problem.add_effect(effect);
  }
}

void ContactNodes::spread(const contact::Problem& problem, Equations& equations, std::span<double> loads,
                          std::span<double> velocity_changes, std::span<double> multipliers) {
  std::fill(loads.begin(), loads.end(), 0.0);
  for (const contact::PointProblem& point : problem.points()) {
    const Vector3 force = point.directions * point.impulse;
    if (point.node_a >= 0) add_wrench(point.arm_a, -force, &loads[6 * at(body_of(point.node_a))]);
    if (point.node_b >= 0) add_wrench(point.arm_b, force, &loads[6 * at(body_of(point.node_b))]);
  }
  for (const contact::RowProblem& row : problem.rows()) {
    for (const contact::NodeTwist& wrench : problem.wrenches(row)) {
      double* const six = &loads[6 * at(body_of(wrench.node))];
      for (std::size_t i = 0; i < 6; ++i) six[i] += row.impulse * wrench.values[i];
    }
  }
  equations.solver().solve(loads, zero_rows_, velocity_changes, multipliers);
}

}  // namespace gelenk::analysis
