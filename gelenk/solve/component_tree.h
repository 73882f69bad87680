#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gelenk/solve/component_plan.h"
#include "gelenk/solve/elimination.h"

namespace gelenk::solve {

// Runs the programs of all components: each gives its owner only D and r at its border, and takes the wrenches there.
// A machine that is not divided is one program on the arrays as they come.
class ComponentTree {
 public:
  explicit ComponentTree(std::shared_ptr<const Plan> plan);

  void load(std::span<const BodyMass> masses, const double* values);

  struct Report {
    Elimination<double>::Outcome outcome = Elimination<double>::Outcome::good;
    std::int32_t joint = kNone;  // of the machine, when it lost rank
    std::int32_t chosen_again = 0;
    double smallest = 1.0;
  };
  Report factor(double tau);

  // f and a: six for each body; u and λ: by row of the machine's layout; λ may be empty.
  void sweep(std::span<const double> f, std::span<const double> u, std::span<double> a, std::span<double> lambda);

  // Calls visit(program, op, order, decision) for all places where rows are accepted and dropped, always in the same
  // sequence.
  template <class Visit>
  void visit_decisions(Visit&& visit);

  const Plan& plan() const { return *plan_; }
  std::size_t memory() const;

 private:
  struct Node {
    const NodePlan* plan = nullptr;
    std::unique_ptr<Elimination<double>> elimination;
    std::vector<BodyMass> masses;
    std::vector<double> f, a, tau;        // six for each body of the program
    std::vector<double> u, lambda;        // by row of the program
    std::vector<double> mobility, rates;  // at the border: D, r
  };
  bool is_whole() const { return nodes_.size() == 1; }
  void sweep_up(Node& node, std::span<const double> f, std::span<const double> u);
  void sweep_down(Node& node, std::span<double> a, std::span<double> lambda);

  std::shared_ptr<const Plan> plan_;
  std::vector<Node> nodes_;
};

template <class Visit>
void ComponentTree::visit_decisions(Visit&& visit) {
  for (Node& node : nodes_) {
    for (const Op& op : node.plan->program.ops) {
      if (!Program::decides(op)) continue;
      visit(node.plan->program, op, node.elimination->order_of(op),
            node.elimination->decisions()[static_cast<std::size_t>(op.decision)]);
    }
  }
}

}  // namespace gelenk::solve
