#include "gelenk/solve/component_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/solve/elimination.h"

namespace gelenk::solve {
namespace {

// The nearest power of four: enough for scaling, and it tells nothing of what is inside.
double rounded_reference(double value) { return std::pow(4.0, std::round(std::log2(value) / 2.0)); }

class TreePlanner {
 public:
  explicit TreePlanner(Plan& plan) : plan_(plan), children_(plan.partition.owner.size()) {
    const std::vector<std::int32_t>& owner = plan.partition.owner;
    depth_.assign(owner.size(), 0);
    for (std::size_t c = 1; c < owner.size(); ++c) {
      children_[at(owner[c])].push_back(static_cast<std::int32_t>(c));
      depth_[c] = depth_[at(owner[c])] + 1;
    }
    node_of_.assign(owner.size(), kNone);
  }

  void plan() {
    assign_joints();
    // Owners come before what they own in a partition: backwards, they come last.
    for (std::size_t c = plan_.partition.owner.size(); c-- > 0;) plan_component(static_cast<std::int32_t>(c));
    if (plan_.partition.is_whole()) {
      plan_.machine_layout = {};
      return;
    }
    plan_.machine_row_scales.assign(plan_.machine_layout.row_numbers.size(), 0.0);
    for (const NodePlan& node : plan_.nodes) {
      for (std::size_t j = 0; j < node.joints.size(); ++j) {
        const JointRows& local = node.program.layout.joints[j];
        const JointRows& joint = plan_.machine_layout.joints[at(node.joints[j])];
        std::copy_n(&node.program.row_scales[at(local.first_row)], joint.row_count(),
                    &plan_.machine_row_scales[at(joint.first_row)]);
      }
    }
  }

 private:
  std::int32_t component_of(std::int32_t body) const { return plan_.partition.component_of_body[at(body)]; }

  // The lowest component that contains both ends.
  std::int32_t common_owner(std::int32_t a, std::int32_t b) const {
    const std::vector<std::int32_t>& owner = plan_.partition.owner;
    while (a != b) {
      if (depth_[at(a)] >= depth_[at(b)]) {
        a = owner[at(a)];
      } else {
        b = owner[at(b)];
      }
    }
    return a;
  }

  void assign_joints() {
    joints_.assign(plan_.partition.owner.size(), {});
    is_border_.assign(plan_.partition.owner.size(), {});
    for (std::size_t j = 0; j < plan_.machine_layout.joints.size(); ++j) {
      const JointRows& joint = plan_.machine_layout.joints[j];
      const std::int32_t a = joint.a >= 0 ? component_of(joint.a) : kNone;
      const std::int32_t b = joint.b >= 0 ? component_of(joint.b) : kNone;
      const std::int32_t home = a == kNone && b == kNone ? 0 : a == kNone ? b : b == kNone ? a : common_owner(a, b);
      joints_[at(home)].push_back(static_cast<std::int32_t>(j));
      // Both ends belong to the border of every component between their own and the joint's.
      for (const auto& [body, from] : {std::pair(joint.a, a), std::pair(joint.b, b)}) {
        for (std::int32_t c = from; c != kNone && c != home; c = plan_.partition.owner[at(c)]) {
          std::vector<std::int32_t>& border = is_border_[at(c)];
          if (std::find(border.begin(), border.end(), body) == border.end()) border.push_back(body);
        }
      }
    }
    for (std::vector<std::int32_t>& border : is_border_) std::sort(border.begin(), border.end());
  }

  void plan_component(std::int32_t component) {
    NodePlan node;
    std::vector<std::int32_t> local(plan_.masses.size(), kNone);
    const auto add_body = [&](std::int32_t body) {
      local[at(body)] = static_cast<std::int32_t>(node.bodies.size());
      node.bodies.push_back(body);
    };
    for (std::size_t b = 0; b < plan_.masses.size(); ++b) {
      if (plan_.partition.component_of_body[b] == component) add_body(static_cast<std::int32_t>(b));
    }
    node.own_count = node.bodies.size();
    PlanOptions options;
    options.tau = plan_.tau;
    options.form = plan_.form;
    for (const std::int32_t child : children_[at(component)]) {
      if (is_border_[at(child)].empty()) continue;
      GivenFront front;
      for (const std::int32_t body : is_border_[at(child)]) {
        add_body(body);
        front.bodies.push_back(local[at(body)]);
      }
      node.components.push_back(node_of_[at(child)]);
      options.given.push_back(std::move(front));
      options.given_mobility.push_back(mobility_[at(node_of_[at(child)])].data());
    }
    for (const std::int32_t body : is_border_[at(component)]) {
      node.border.push_back(local[at(body)]);
      options.borders.push_back(local[at(body)]);
    }
    JointRowLayout layout;
    layout.value_count = plan_.machine_layout.value_count;
    for (const std::int32_t j : joints_[at(component)]) {
      JointRows joint = plan_.machine_layout.joints[at(j)];
      const std::span<const std::int32_t> rows = plan_.machine_layout.rows_of(joint);
      joint.first_row = static_cast<std::int32_t>(layout.row_numbers.size());
      layout.row_numbers.insert(layout.row_numbers.end(), rows.begin(), rows.end());
      if (joint.a >= 0) joint.a = local[at(joint.a)];
      if (joint.b >= 0) joint.b = local[at(joint.b)];
      if (std::find(plan_.freed.begin(), plan_.freed.end(), j) != plan_.freed.end()) {
        options.freed.push_back(static_cast<std::int32_t>(layout.joints.size()));
      }
      layout.joints.push_back(joint);
      node.joints.push_back(j);
    }
    std::vector<BodyMass> masses;
    for (std::size_t b = 0; b < node.bodies.size(); ++b) {
      BodyMass mass = plan_.masses[at(node.bodies[b])];
      if (b >= node.own_count) {
        mass.mass = rounded_reference(mass.mass);
        mass.mean_inverse_inertia = rounded_reference(mass.mean_inverse_inertia);
        mass.inertia.fill(0.0);
        node.references.push_back(mass);
      }
      masses.push_back(mass);
    }
    node.program = plan_elimination(layout, masses, plan_.values, options);
    node_of_[at(component)] = static_cast<std::int32_t>(plan_.nodes.size());
    plan_.nodes.push_back(std::move(node));
    publish(options);
  }

  // D of the component at the pose of planning.
  void publish(const PlanOptions& options) {
    const NodePlan& node = plan_.nodes.back();
    std::vector<double>& D = mobility_.emplace_back(36 * node.border.size() * node.border.size(), 0.0);
    if (node.border.empty()) return;
    std::vector<BodyMass> masses = node.references;
    for (std::size_t b = node.own_count; b-- > 0;) masses.insert(masses.begin(), plan_.masses[at(node.bodies[b])]);
    Elimination<double> elimination(node.program);
    for (std::size_t g = 0; g < options.given_mobility.size(); ++g) {
      elimination.set_given(g, options.given_mobility[g], nullptr);
    }
    elimination.load(masses, plan_.values.data());
    elimination.factor(plan_.tau);
    elimination.publish_mobility(node.border, D);
  }

  Plan& plan_;
  std::vector<std::vector<std::int32_t>> children_;
  std::vector<int> depth_;
  std::vector<std::vector<std::int32_t>> joints_;     // by component
  std::vector<std::vector<std::int32_t>> is_border_;  // by component: bodies of the machine
  std::vector<std::int32_t> node_of_;                 // by component
  std::vector<std::vector<double>> mobility_;         // by node
};

}  // namespace

ProgramCost Plan::cost() const {
  ProgramCost total;
  for (const NodePlan& node : nodes) total += cost_of(node.program);
  return total;
}

std::shared_ptr<const Plan> make_plan(JointRowLayout layout, std::span<const BodyMass> masses,
                                      std::span<const double> values, PlanRequest request) {
  auto plan = std::make_shared<Plan>();
  plan->machine_layout = std::move(layout);
  plan->masses.assign(masses.begin(), masses.end());
  plan->values.assign(values.begin(), values.end());
  plan->tau = request.tau;
  plan->partition = std::move(request.partition);
  if (plan->partition.component_of_body.empty()) plan->partition.component_of_body.assign(masses.size(), 0);
  plan->freed = std::move(request.freed);
  plan->form = request.form;
  TreePlanner(*plan).plan();
  return plan;
}

}  // namespace gelenk::solve
