#include "gelenk/solve/component_tree.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {

ComponentTree::ComponentTree(std::shared_ptr<const Plan> plan, std::span<const NodeFunctions> foreign)
    : plan_(std::move(plan)), masses_(plan_->nodes.size()) {
  for (const NodePlan& node_plan : plan_->nodes) {
    ComponentNode& node = *nodes_.emplace_back(std::make_unique<ComponentNode>(node_plan));
    if (is_whole()) return;
    node.use_own_arrays();
    for (std::size_t c = 0; c < node_plan.children.size(); ++c) {
      const PlanChild& child = node_plan.children[c];
      node.set_child(c, child.node != kNone ? nodes_[at(child.node)]->functions() : foreign[at(child.foreign)]);
    }
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) masses_[n].resize(plan_->nodes[n].own_count());
  std::size_t size = 0;
  for (const Port& port : plan_->partition.ports) {
    first_load_.push_back(size);
    size += at(port.width);
  }
  port_motions_.assign(6 * plan_->partition.ports.size(), 0.0);
  const std::size_t shown = 6 * plan_->nodes.back().ports.size();
  shown_.resize(shown * shown);
  no_loads_.assign(shown, 0.0);
  told_.assign(shown, 0.0);
}

void ComponentTree::load(std::span<const BodyMass> masses, const double* values, std::span<const double> port_arms) {
  if (is_whole()) {
    root().set_pose(masses, values);
    return;
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const NodePlan& plan = plan_->nodes[n];
    for (std::size_t b = 0; b < plan.own_count(); ++b) masses_[n][b] = masses[at(plan.bodies[b])];
    nodes_[n]->set_pose(masses_[n], values);
    put_arms(plan, port_arms, nodes_[n]->arms());
  }
}

NodeReport ComponentTree::factor(const RankRule& rule) { return root().factor(rule, shown_.data()); }

NodeReport ComponentTree::factor_and_sweep_up(const RankRule& rule, const ComponentNode::Ahead& ahead) {
  assert(is_whole());
  return root().factor(rule, shown_.data(), &ahead);
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

void ComponentTree::sweep(NodeLoad load) {
  root().up(load, told_.data());
  root().down(load, no_loads_.data(), told_.data());
}

void ComponentTree::collect() {
  if (is_whole()) return;
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
  for (const std::vector<BodyMass>& masses : masses_) total += masses.size() * sizeof(BodyMass);
  return total;
}

}  // namespace gelenk::solve
