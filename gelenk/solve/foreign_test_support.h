#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gelenk/solve/component_solver.h"
#include "gelenk/solve/mechanisms_test_support.h"

// A machine in two: one of its components with all that is inside it, which gives its functions only, and the rest.
namespace gelenk::solve::test {

// A machine with its right side.
struct Task {
  JointRowLayout layout;
  std::vector<BodyMass> masses;
  std::vector<double> values;
  Partition partition;
  std::vector<double> port_arms;
  std::vector<double> f, u, port_biases;  // f with loads on the ports

  std::shared_ptr<const Plan> plan(std::vector<ForeignComponent> foreign = {}) const {
    PlanRequest request;
    request.partition = partition;
    request.port_arms = port_arms;
    request.foreign = std::move(foreign);
    request.borders = BorderForm::mobility;  // as an owner outside sees them
    return make_plan(layout, masses, values, std::move(request));
  }
};

// Joints that reach into other components without ports get them, at the centers of mass.
inline Task with_ports(Task task) {
  const std::shared_ptr<const Plan> plan = task.plan();
  const auto bodies = static_cast<std::int32_t>(task.masses.size());
  const std::size_t known = task.partition.ports.size();
  task.partition.ports = plan->ports;
  task.port_arms.resize(3 * plan->ports.size(), 0.0);
  task.port_biases.resize(3 * plan->ports.size(), 0.0);
  task.f.resize(6 * (task.masses.size() + plan->ports.size()), 0.0);
  for (std::size_t c = 0; c < plan->nodes.size(); ++c) {
    for (const std::int32_t j : plan->nodes[c].joints) {
      // Nodes come owners last, components owners first.
      const auto home = static_cast<std::int32_t>(plan->nodes.size() - 1 - c);
      JointRows& joint = task.layout.joints[static_cast<std::size_t>(j)];
      for (std::int32_t* const end : {&joint.a, &joint.b}) {
        if (*end < 0 || *end >= bodies) continue;
        if (task.partition.component_of_body[static_cast<std::size_t>(*end)] == home) continue;
        for (std::size_t p = known; p < plan->ports.size(); ++p) {
          if (plan->ports[p].body == *end) {
            *end = bodies + static_cast<std::int32_t>(p);
            break;
          }
        }
      }
    }
  }
  return task;
}

// A machine, divided somehow.
inline Task random_task(JointMachine& m, unsigned seed) {
  Task task;
  task.layout = m.layout;
  task.masses = m.masses;
  task.values = m.values;
  task.partition = random_partition(m.masses.size(), seed);
  task.f = m.machine.numbers(6 * m.masses.size());
  task.u = m.machine.rates(m.machine.numbers(6 * m.masses.size()));
  return with_ports(std::move(task));
}

class TakenOut {
 public:
  // Takes component `taken` and all it owns out of the task.
  TakenOut(const Task& task, std::int32_t taken) : task_(task) {
    const std::vector<std::int32_t>& owner = task.partition.owner;
    is_inside_.assign(owner.size(), 0);
    number_.assign(owner.size(), kNone);
    ForeignComponent foreign;
    for (std::size_t c = 0; c < owner.size(); ++c) {
      const auto component = static_cast<std::int32_t>(c);
      is_inside_[c] = component == taken || (owner[c] != kNone && is_inside_[static_cast<std::size_t>(owner[c])] != 0);
      Task& of = is_inside_[c] != 0 ? inside_ : outside_;
      if (c == 0 || component == taken) of.partition.owner.clear();
      if (component == taken) {
        foreign.component = static_cast<std::int32_t>(outside_.partition.owner.size());
        outside_.partition.owner.push_back(number_[static_cast<std::size_t>(owner[c])]);
      }
      number_[c] = static_cast<std::int32_t>(of.partition.owner.size());
      of.partition.owner.push_back(component == taken || c == 0 ? kNone : number_[static_cast<std::size_t>(owner[c])]);
    }
    deal_bodies();
    deal_ports(foreign);
    deal_joints();
    inside_plan_ = inside_.plan();
    inside_tree_ = std::make_unique<ComponentTree>(inside_plan_);
    load_inside();
    const NodeFunctions functions = inside_tree_->functions();
    foreign.mobility.resize(36 * foreign.ports.size() * foreign.ports.size());
    functions.factor(functions.self, 1e-6, foreign.mobility.data());
    functions.forget(functions.self);
    outside_plan_ = outside_.plan({std::move(foreign)});
    outside_solver_ = std::make_unique<ComponentSolver>(outside_plan_, std::span<const NodeFunctions>(&functions, 1));
  }

  struct Result {
    std::vector<double> a, lambda;
    SweepReport report;
  };
  Result solve() {
    Result result{std::vector<double>(6 * task_.masses.size()), std::vector<double>(task_.u.size()), {}};
    load_inside();
    std::vector<double> a_inside(6 * inside_.masses.size()), lambda_inside(inside_.u.size());
    inside_tree_->set_right_side({inside_.f, inside_.u, inside_.port_biases}, a_inside, lambda_inside);
    PivotSet pivots;
    outside_solver_->factor({outside_.masses, outside_.values, {}, {}, outside_.port_arms}, 1e-6, pivots);
    std::vector<double> a(6 * outside_.masses.size()), lambda(outside_.u.size());
    result.report = outside_solver_->solve(outside_.f, outside_.u, a, lambda, outside_.port_biases);
    inside_tree_->collect();
    for (std::size_t b = 0; b < task_.masses.size(); ++b) {
      const std::vector<double>& from = is_body_inside(b) ? a_inside : a;
      for (std::size_t i = 0; i < 6; ++i) result.a[6 * b + i] = from[6 * static_cast<std::size_t>(body_[b]) + i];
    }
    // Rows outside have the numbers of their solver, rows inside those of their layout.
    for (std::size_t row = 0; row < task_.u.size(); ++row) {
      result.lambda[row] = (is_row_inside_[row] != 0 ? lambda_inside : lambda)[static_cast<std::size_t>(row_[row])];
    }
    return result;
  }

  // One of the two halves, and what the machine's numbers are there.
  const Task& half(bool is_inside) const { return is_inside ? inside_ : outside_; }
  const std::shared_ptr<const Plan>& plan(bool is_inside) const { return is_inside ? inside_plan_ : outside_plan_; }
  bool is_inside(std::int32_t component) const { return is_inside_[static_cast<std::size_t>(component)] != 0; }
  bool is_body_inside(std::size_t body) const { return is_inside(task_.partition.component_of_body[body]); }
  bool is_row_inside(std::size_t row) const { return is_row_inside_[row] != 0; }
  std::int32_t component(std::int32_t component) const { return number_[static_cast<std::size_t>(component)]; }
  std::int32_t row(std::size_t row) const { return row_[row]; }
  std::int32_t body(std::size_t body) const { return body_[body]; }
  // A body or a port.
  std::int32_t end(std::int32_t end, bool is_inside) const {
    if (end < 0) return end;
    const auto number = static_cast<std::size_t>(end);
    const std::size_t bodies = task_.masses.size();
    if (number < bodies) return body_[number];
    const std::vector<std::int32_t>& ports = is_inside ? inner_port_ : outer_port_;
    return static_cast<std::int32_t>(half(is_inside).masses.size()) + ports[number - bodies];
  }

 private:
  bool is_port_inside(std::size_t port) const {
    return is_body_inside(static_cast<std::size_t>(task_.partition.ports[port].body));
  }

  void deal_bodies() {
    for (std::size_t b = 0; b < task_.masses.size(); ++b) {
      Task& of = is_body_inside(b) ? inside_ : outside_;
      body_.push_back(static_cast<std::int32_t>(of.masses.size()));
      of.masses.push_back(task_.masses[b]);
      const std::int32_t component = task_.partition.component_of_body[b];
      of.partition.component_of_body.push_back(number_[static_cast<std::size_t>(component)]);
      of.f.insert(of.f.end(), &task_.f[6 * b], &task_.f[6 * b] + 6);
    }
  }

  static void add_port(const Task& from, std::size_t p, const Port& port, bool with_load, Task& to) {
    to.partition.ports.push_back(port);
    for (std::size_t i = 0; i < 3; ++i) {
      to.port_arms.push_back(from.port_arms[3 * p + i]);
      to.port_biases.push_back(from.port_biases[3 * p + i]);
    }
    for (std::size_t i = 0; i < 6; ++i) to.f.push_back(with_load ? from.f[6 * (from.masses.size() + p) + i] : 0.0);
  }

  // Ports on bodies inside with a home outside are on both sides.
  void deal_ports(ForeignComponent& foreign) {
    for (std::size_t p = 0; p < task_.partition.ports.size(); ++p) {
      const Port& port = task_.partition.ports[p];
      const bool is_home_inside = port.home != kNone && is_inside_[static_cast<std::size_t>(port.home)] != 0;
      const std::int32_t body = body_[static_cast<std::size_t>(port.body)];
      const std::int32_t home = port.home == kNone ? kNone : number_[static_cast<std::size_t>(port.home)];
      inner_port_.push_back(static_cast<std::int32_t>(inside_.partition.ports.size()));
      outer_port_.push_back(static_cast<std::int32_t>(outside_.partition.ports.size()));
      if (!is_port_inside(p)) {
        add_port(task_, p, {body, home}, true, outside_);
      } else if (is_home_inside) {
        add_port(task_, p, {body, home}, true, inside_);
      } else {
        add_port(task_, p, {body, kNone}, false, inside_);
        add_port(task_, p, {kNone, home}, true, outside_);
        foreign.ports.push_back(outer_port_.back());
        // As a component would give it.
        foreign.references.push_back(task_.masses[static_cast<std::size_t>(port.body)]);
      }
    }
  }

  // A joint is inside when its home is.
  void deal_joints() {
    row_.assign(task_.u.size(), 0);
    is_row_inside_.assign(task_.u.size(), 0);
    std::vector<std::size_t> home(task_.layout.joints.size());
    const std::shared_ptr<const Plan> plan = task_.plan();
    for (std::size_t n = 0; n < plan->nodes.size(); ++n) {
      // Nodes come owners last, components owners first.
      for (const std::int32_t j : plan->nodes[n].joints) home[static_cast<std::size_t>(j)] = plan->nodes.size() - 1 - n;
    }
    for (std::size_t j = 0; j < task_.layout.joints.size(); ++j) {
      JointRows joint = task_.layout.joints[j];
      const bool is_in = is_inside_[home[j]] != 0;
      Task& of = is_in ? inside_ : outside_;
      joint.a = end(joint.a, is_in);
      joint.b = end(joint.b, is_in);
      const double* const values = &task_.values[static_cast<std::size_t>(joint.first_value)];
      joint.first_value = static_cast<std::int32_t>(of.values.size());
      of.values.insert(of.values.end(), values, values + joint.value_count());
      joint.first_row = static_cast<std::int32_t>(of.layout.row_numbers.size());
      for (const std::int32_t row : task_.layout.rows_of(task_.layout.joints[j])) {
        const auto number = static_cast<std::int32_t>(of.layout.row_numbers.size());
        of.layout.row_numbers.push_back(number);
        row_[static_cast<std::size_t>(row)] = number;
        is_row_inside_[static_cast<std::size_t>(row)] = is_in ? 1 : 0;
        of.u.push_back(task_.u[static_cast<std::size_t>(row)]);
      }
      of.layout.joints.push_back(joint);
      of.layout.value_count = of.values.size();
    }
  }

  void load_inside() { inside_tree_->load(inside_.masses, inside_.values.data(), inside_.port_arms); }

  const Task& task_;
  Task inside_, outside_;
  std::vector<char> is_inside_;       // by component
  std::vector<std::int32_t> number_;  // of each component on its side
  std::vector<std::int32_t> body_;    // of each body on its side
  std::vector<std::int32_t> inner_port_, outer_port_;
  std::vector<std::int32_t> row_;
  std::vector<char> is_row_inside_;
  std::shared_ptr<const Plan> inside_plan_, outside_plan_;
  std::unique_ptr<ComponentTree> inside_tree_;
  std::unique_ptr<ComponentSolver> outside_solver_;
};

// The same without taking anything out.
inline TakenOut::Result solve_open(const Task& task) {
  TakenOut::Result result{std::vector<double>(6 * task.masses.size()), std::vector<double>(task.u.size()), {}};
  ComponentSolver solver(task.plan());
  PivotSet pivots;
  solver.factor({task.masses, task.values, {}, {}, task.port_arms}, 1e-6, pivots);
  result.report = solver.solve(task.f, task.u, result.a, result.lambda, task.port_biases);
  return result;
}

}  // namespace gelenk::solve::test
