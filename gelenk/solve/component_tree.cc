#include "gelenk/solve/component_tree.h"

#include <algorithm>
#include <utility>

#include "gelenk/base/index.h"

namespace gelenk::solve {

ComponentTree::ComponentTree(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)), nodes_(plan_->nodes.size()) {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    node.plan = &plan_->nodes[n];
    node.elimination = std::make_unique<Elimination<double>>(node.plan->program);
    if (is_whole()) return;
    const std::size_t bodies = node.plan->bodies.size();
    const std::size_t rows = node.plan->program.layout.row_numbers.size();
    const std::size_t border = 6 * node.plan->border.size();
    node.masses.resize(node.plan->own_count);
    node.masses.insert(node.masses.end(), node.plan->references.begin(), node.plan->references.end());
    for (std::vector<double>* by_body : {&node.f, &node.a, &node.tau}) by_body->assign(6 * bodies, 0.0);
    node.u.assign(rows, 0.0);
    node.lambda.assign(rows, 0.0);
    node.mobility.assign(border * border, 0.0);
    node.rates.assign(border, 0.0);
    for (std::size_t g = 0; g < node.plan->components.size(); ++g) {
      const Node& other = nodes_[at(node.plan->components[g])];
      node.elimination->set_given(g, other.mobility.data(), other.rates.data());
    }
  }
}

void ComponentTree::load(std::span<const BodyMass> masses, const double* values) {
  if (is_whole()) {
    nodes_[0].elimination->load(masses, values);
    return;
  }
  for (Node& node : nodes_) {
    for (std::size_t b = 0; b < node.plan->own_count; ++b) node.masses[b] = masses[at(node.plan->bodies[b])];
    node.elimination->load(node.masses, values);
  }
}

ComponentTree::Report ComponentTree::factor(double tau) {
  using Outcome = Elimination<double>::Outcome;
  Report report;
  for (Node& node : nodes_) {
    const Elimination<double>::Report one = node.elimination->factor(tau);
    report.chosen_again += one.chosen_again;
    report.smallest = std::min(report.smallest, one.smallest);
    report.outcome = one.outcome;
    if (one.outcome == Outcome::too_many_columns) node.elimination->make_room(at(one.where));
    if (one.outcome == Outcome::joint_lost_rank) report.joint = node.plan->joints[at(one.where)];
    if (one.outcome != Outcome::good) return report;
    if (!node.plan->border.empty()) node.elimination->publish_mobility(node.plan->border, node.mobility);
  }
  return report;
}

void ComponentTree::sweep_up(Node& node, std::span<const double> f, std::span<const double> u) {
  for (std::size_t b = 0; b < node.plan->own_count; ++b) {
    std::copy_n(&f[6 * at(node.plan->bodies[b])], 6, &node.f[6 * b]);
  }
  for (std::size_t j = 0; j < node.plan->joints.size(); ++j) {
    const JointRows& joint = plan_->layout().joints[at(node.plan->joints[j])];
    const JointRows& local = node.plan->program.layout.joints[j];
    std::copy_n(&u[at(joint.first_row)], joint.row_count(), &node.u[at(local.first_row)]);
  }
  node.elimination->sweep_up(node.f, node.u);
  if (!node.plan->border.empty()) node.elimination->publish_rates(node.plan->border, node.rates);
}

void ComponentTree::sweep_down(Node& node, std::span<double> a, std::span<double> lambda) {
  // The wrenches on given fronts come with the multipliers.
  const bool wants_loads = !node.plan->components.empty();
  const bool wants_multipliers = !lambda.empty() || wants_loads;
  node.elimination->sweep_down(node.a, wants_multipliers ? std::span(node.lambda) : std::span<double>{}, node.tau,
                               wants_loads);
  for (std::size_t b = 0; b < node.plan->own_count; ++b) {
    std::copy_n(&node.a[6 * b], 6, &a[6 * at(node.plan->bodies[b])]);
  }
  for (std::size_t g = 0; g < node.plan->components.size(); ++g) {
    Node& other = nodes_[at(node.plan->components[g])];
    const std::vector<std::int32_t>& ours = node.plan->program.given[g].bodies;
    for (std::size_t b = 0; b < ours.size(); ++b) {
      std::copy_n(node.elimination->load_on(ours[b]), 6, &other.tau[6 * at(other.plan->border[b])]);
    }
  }
  if (lambda.empty()) return;
  for (std::size_t j = 0; j < node.plan->joints.size(); ++j) {
    const JointRows& joint = plan_->layout().joints[at(node.plan->joints[j])];
    const JointRows& local = node.plan->program.layout.joints[j];
    std::copy_n(&node.lambda[at(local.first_row)], joint.row_count(), &lambda[at(joint.first_row)]);
  }
}

void ComponentTree::sweep(std::span<const double> f, std::span<const double> u, std::span<double> a,
                          std::span<double> lambda) {
  if (is_whole()) {
    nodes_[0].elimination->sweep_up(f, u);
    nodes_[0].elimination->sweep_down(a, lambda);
    return;
  }
  for (Node& node : nodes_) sweep_up(node, f, u);
  for (std::size_t n = nodes_.size(); n-- > 0;) sweep_down(nodes_[n], a, lambda);
}

std::size_t ComponentTree::memory() const {
  std::size_t total = 0;
  for (const Node& node : nodes_) {
    total += node.elimination->memory() + node.masses.size() * sizeof(BodyMass) +
             (node.f.size() + node.a.size() + node.tau.size() + node.u.size() + node.lambda.size() +
              node.mobility.size() + node.rates.size()) *
                 sizeof(double);
  }
  return total;
}

}  // namespace gelenk::solve
