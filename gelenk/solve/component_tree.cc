#include "gelenk/solve/component_tree.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {

ComponentTree::ComponentTree(std::shared_ptr<const Plan> plan, std::span<const NodeFunctions> foreign)
    : plan_(std::move(plan)), masses_(plan_->nodes.size()) {
  for (const NodePlan& node_plan : plan_->nodes) {
    ComponentNode& node = *nodes_.emplace_back(std::make_unique<ComponentNode>(node_plan));
    if (is_whole()) return;
    node.use_own_arrays();
    for (std::size_t c = 0; c < node_plan.children.size(); ++c) {
      const PlanChild& child = node_plan.children[c];
      if (plan_->is_anchored()) {
        node.set_called(c, *nodes_[at(child.node)]);
        continue;
      }
      node.set_child(c, child.node != kNone ? nodes_[at(child.node)]->functions() : foreign[at(child.foreign)]);
    }
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const NodePlan& of_node = plan_->nodes[n];
    masses_[n].resize(of_node.own_count());
    masses_[n].insert(masses_[n].end(), of_node.references.begin(), of_node.references.end());
    bodies_of_node_.push_back(runs_of(of_node.bodies));
  }
  std::size_t size = 0;
  for (const Port& port : plan_->partition.ports) {
    first_load_.push_back(size);
    size += at(port.width);
  }
  port_motions_.assign(6 * plan_->partition.ports.size(), 0.0);
  if (plan_->is_anchored()) {
    place_of_body_.resize(plan_->masses.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const std::vector<std::int32_t>& bodies = plan_->nodes[n].bodies;
      for (std::size_t b = 0; b < bodies.size(); ++b) place_of_body_[at(bodies[b])] = {n, b};
    }
    find_rows();
  }
  const std::size_t shown = 6 * plan_->nodes.back().shown_ports().size();
  shown_.resize(shown * shown);
  no_loads_.assign(shown, 0.0);
  told_.assign(shown, 0.0);
}

void ComponentTree::load(std::span<const BodyMass> masses, const double* values, std::span<const double> port_arms) {
  if (is_whole()) {
    root().set_pose(masses, values);
    return;
  }
  if (plan_->is_anchored() && !port_arms.empty()) {
    values_.assign(values, values + plan_->layout().value_count);
    move_rows_to_bodies(*plan_, port_arms, values_);
    values = values_.data();
    arms_.assign(port_arms.begin(), port_arms.end());
  }
  joint_values_ = values;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const NodePlan& plan = plan_->nodes[n];
    for (const Run& run : bodies_of_node_[n]) std::copy_n(&masses[run.in_machine], run.count, &masses_[n][run.in_node]);
    nodes_[n]->set_pose(masses_[n], values);
    if (!plan_->is_anchored()) put_arms(plan, port_arms, nodes_[n]->arms());
  }
}

NodeReport ComponentTree::factor(const RankRule& rule) { return root().factor(rule, shown_.data()); }

NodeReport ComponentTree::factor_and_sweep_up(const RankRule& rule, const RightSide& right_side, bool is_lean) {
  assert(is_whole() || plan_->is_anchored());
  set_right_side(right_side, {}, {});
  return root().factor(rule, shown_.data(), is_lean ? Pass::lean : Pass::both);
}

void ComponentTree::sweep_down(std::span<double> a, std::span<double> lambda) {
  if (is_whole()) {
    root().sweep_down_alone(a, lambda);
    return;
  }
  a_ = a;
  lambda_ = lambda;
  for (const std::unique_ptr<ComponentNode>& node : nodes_) node->side().wants_multipliers = !lambda.empty();
  root().down(NodeLoad::given, no_loads_.data(), told_.data());
  collect();
}

std::int32_t ComponentTree::lost_joint() const {
  for (const std::unique_ptr<ComponentNode>& node : nodes_) {
    if (node->lost_joint() != kNone) return node->plan().joints[at(node->lost_joint())];
  }
  return kNone;
}

void ComponentTree::set_right_side(const RightSide& right_side, std::span<double> a, std::span<double> lambda) {
  a_ = a;
  lambda_ = lambda;
  if (is_whole()) {
    NodeSide& side = root().side();
    side.f = right_side.f;
    side.u = right_side.u;
    side.a = a;
    side.lambda = lambda;
    side.wants_multipliers = !lambda.empty();
    return;
  }
  if (plan_->is_anchored()) {
    set_called_side(right_side);
    return;
  }
  const std::span<const double> loads = right_side.f.subspan(6 * plan_->masses.size());
  for (const std::unique_ptr<ComponentNode>& node : nodes_) {
    const NodePlan& plan = node->plan();
    NodeSide& side = node->side();
    side.wants_multipliers = !lambda.empty();
    for (std::size_t b = 0; b < plan.own_count(); ++b) {
      std::copy_n(&right_side.f[6 * at(plan.bodies[b])], 6, &side.own_f[6 * b]);
    }
    for (std::size_t j = 0; j < plan.joints.size(); ++j) {
      const JointRows& joint = plan_->layout().joints[at(plan.joints[j])];
      const JointRows& local = plan.program.layout.joints[j];
      std::copy_n(&right_side.u[at(joint.first_row)], joint.row_count(), &side.own_u[at(local.first_row)]);
    }
    put_arms(plan, right_side.biases, side.port_biases);
    for (std::size_t c = 0; c < plan.children.size(); ++c) {
      for (const PlanChild::Port& port : plan.children[c].ports) {
        const std::size_t width = at(plan_->ports[at(port.number)].width);
        double* const to = &node->loads_on(c)[at(port.first)];
        if (port.is_home && !loads.empty() && at(port.number) < first_load_.size()) {
          std::copy_n(&loads[first_load_[at(port.number)]], width, to);
        } else {
          std::fill_n(to, width, 0.0);
        }
      }
    }
  }
}

// Where components are called: rows of the machine by row of each program, and ends of joints at ports.
void ComponentTree::find_rows() {
  const std::size_t bodies = plan_->masses.size();
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const NodePlan& plan = plan_->nodes[n];
    std::vector<std::int32_t> rows(plan.program.layout.row_numbers.size());
    for (std::size_t j = 0; j < plan.joints.size(); ++j) {
      const JointRows& joint = plan_->layout().joints[at(plan.joints[j])];
      const JointRows& local = plan.program.layout.joints[j];
      for (std::size_t i = 0; i < joint.row_count(); ++i) {
        rows[at(local.first_row) + i] = joint.first_row + static_cast<std::int32_t>(i);
      }
      for (const bool is_b : {false, true}) {
        const std::int32_t end = is_b ? joint.b : joint.a;
        if (end < 0 || at(end) < bodies) continue;
        port_ends_.push_back({&joint, n, at(local.first_row), at(end) - bodies, is_b});
      }
    }
    rows_of_node_.push_back(runs_of(rows));
  }
}

std::vector<ComponentTree::Run> ComponentTree::runs_of(std::span<const std::int32_t> numbers) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && numbers[i] == numbers[i - 1] + 1) {
      ++runs.back().count;
    } else {
      runs.push_back({i, at(numbers[i]), 1});
    }
  }
  return runs;
}

void ComponentTree::set_called_side(const RightSide& right_side) {
  biases_ = right_side.biases;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    NodeSide& side = nodes_[n]->side();
    side.wants_multipliers = !lambda_.empty();
    for (const Run& run : bodies_of_node_[n]) {
      std::copy_n(&right_side.f[6 * run.in_machine], 6 * run.count, &side.own_f[6 * run.in_node]);
    }
    for (const Run& run : rows_of_node_[n]) {
      std::copy_n(&right_side.u[run.in_machine], run.count, &side.own_u[run.in_node]);
    }
  }
  if (!biases_.empty()) subtract_biases();
  const std::span<const double> loads = right_side.f.subspan(6 * plan_->masses.size());
  if (!loads.empty()) load_ports(loads);
}

// Loads on ports push the bodies that carry these.
void ComponentTree::load_ports(std::span<const double> loads) {
  for (std::size_t p = 0; p < first_load_.size(); ++p) {
    const double* const load = &loads[first_load_[p]];
    const BodyPlace& place = place_of_body_[at(plan_->partition.ports[p].body)];
    double* const f = &nodes_[place.node]->side().own_f[6 * place.place];
    const double none[3] = {};
    add_shifted_wrench(arms_.empty() ? none : &arms_[3 * p], load, f);
  }
}

// A port moves as a = X a_b + β: u - E β is what is left for the body, components.md (12). β does not turn.
void ComponentTree::subtract_biases() {
  for (const PortEnd& end : port_ends_) {
    const JointView view{end.joint, joint_values_ + end.joint->first_value, end.is_b};
    const double* const bias = &biases_[3 * end.port];
    double* const u = &nodes_[end.node]->side().own_u[end.first_row];
    const double sign = view.sign();
    std::size_t row = 0;
    if (end.joint->points != 0) {
      for (; row < 3; ++row) u[row] -= sign * bias[row];
    }
    row += end.joint->turns;
    for (std::size_t i = 0; i < end.joint->lines; ++i, ++row) u[row] -= sign * dot3(view.line(i), bias);
  }
}

void ComponentTree::sweep(NodeLoad load) {
  root().up(load, told_.data());
  root().down(load, no_loads_.data(), told_.data());
}

void ComponentTree::collect() {
  if (is_whole()) return;
  if (plan_->is_anchored()) {
    collect_called();
    return;
  }
  for (const std::unique_ptr<ComponentNode>& node : nodes_) {
    const NodePlan& plan = node->plan();
    for (std::size_t b = 0; b < plan.own_count(); ++b) {
      std::copy_n(&node->side().a[6 * b], 6, &a_[6 * at(plan.bodies[b])]);
    }
    for (const PlanChild& child : plan.children) {
      for (const PlanChild::Port& port : child.ports) {
        if (port.ghost == kNone || at(port.number) >= plan_->partition.ports.size()) continue;
        std::copy_n(&node->side().a[6 * at(port.ghost)], 6, &port_motions_[6 * at(port.number)]);
      }
    }
    for (std::size_t j = 0; j < plan.joints.size() && !lambda_.empty(); ++j) {
      const JointRows& joint = plan_->layout().joints[at(plan.joints[j])];
      const JointRows& local = plan.program.layout.joints[j];
      std::copy_n(&node->side().lambda[at(local.first_row)], joint.row_count(), &lambda_[at(joint.first_row)]);
    }
  }
}

void ComponentTree::collect_called() {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const NodeSide& side = nodes_[n]->side();
    for (const Run& run : bodies_of_node_[n]) {
      std::copy_n(&side.a[6 * run.in_node], 6 * run.count, &a_[6 * run.in_machine]);
    }
    if (lambda_.empty()) continue;
    for (const Run& run : rows_of_node_[n]) {
      std::copy_n(&side.lambda[run.in_node], run.count, &lambda_[run.in_machine]);
    }
  }
}

std::span<const double> ComponentTree::port_motions() {
  for (std::size_t p = 0; plan_->is_anchored() && p < plan_->partition.ports.size(); ++p) {
    double* const motion = &port_motions_[6 * p];
    const double none[3] = {};
    shift_motion(arms_.empty() ? none : &arms_[3 * p], &a_[6 * at(plan_->partition.ports[p].body)], motion);
    for (std::size_t i = 0; i < 3 && !biases_.empty(); ++i) motion[i] += biases_[3 * p + i];
  }
  return port_motions_;
}

void ComponentTree::sweep(const RightSide& right_side, std::span<double> a, std::span<double> lambda) {
  if (is_whole()) {
    root().sweep_alone(right_side.f, right_side.u, a, lambda);
    return;
  }
  set_right_side(right_side, a, lambda);
  sweep(NodeLoad::given);
  collect();
}

std::size_t ComponentTree::memory() const {
  std::size_t total = 0;
  for (const std::unique_ptr<ComponentNode>& node : nodes_) total += node->memory();
  total += (values_.size() + arms_.size()) * sizeof(double) + place_of_body_.size() * sizeof(BodyPlace);
  for (const std::vector<BodyMass>& masses : masses_) total += masses.size() * sizeof(BodyMass);
  return total;
}

}  // namespace gelenk::solve
