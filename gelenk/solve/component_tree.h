#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gelenk/solve/component_node.h"
#include "gelenk/solve/component_plan.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {

// All components of a machine at work. The outermost one drives the others through their functions; here they get their
// parts of the machine's arrays, and give back theirs. A machine that is not divided is one program on the arrays as
// they come.
class ComponentTree {
 public:
  // `foreign`: functions of the components from elsewhere.
  explicit ComponentTree(std::shared_ptr<const Plan> plan, std::span<const NodeFunctions> foreign = {});

  // port_arms: three for each port of the partition.
  void load(std::span<const BodyMass> masses, const double* values, std::span<const double> port_arms = {});

  NodeReport factor(const RankRule& rule);
  // D of the machine itself, as factor() found it.
  std::span<const double> mobility() const { return shown_; }
  // After factor() asked for another program: the joint of the machine that lost rank.
  std::int32_t lost_joint() const;

  // f: six for each body, then loads on the ports of the partition or nothing; u by row of the machine's layout;
  // biases: centripetal accelerations, three for each port of the partition, or nothing. λ may be empty.
  struct RightSide {
    std::span<const double> f, u;
    std::span<const double> biases = {};
  };
  void set_right_side(const RightSide& right_side, std::span<double> a, std::span<double> lambda);
  void sweep(NodeLoad load);
  NodeResidual residual() { return root().residual(); }
  // Brings a and λ of all components into the arrays that were set.
  void collect();
  // All of these, when no residual will be asked for.
  void sweep(const RightSide& right_side, std::span<double> a, std::span<double> lambda);
  // Where owners call their components, factor() and half the sweep at once, and then the other half. is_lean: as in
  // Elimination::factor_and_sweep_up().
  NodeReport factor_and_sweep_up(const RankRule& rule, const RightSide& right_side, bool is_lean);
  void sweep_down(std::span<double> a, std::span<double> lambda);

  // The right side becomes a test load, with room of its own.
  void make_test_load(std::int32_t which) { root().make_test_load(which, told_.data()); }

  // Where the load on a body or port, as joints number them, is in f.
  std::size_t place_of_load(std::int32_t end) const {
    const std::size_t bodies = plan_->masses.size();
    const auto number = static_cast<std::size_t>(end);
    return number < bodies ? 6 * number : 6 * bodies + first_load_[number - bodies];
  }
  // Accelerations at the ports of the partition after a sweep was collected: six each.
  std::span<const double> port_motions();

  // Calls visit(program, op, order, decision) for all places where rows are accepted and dropped, always in the same
  // sequence.
  template <class Visit>
  void visit_decisions(Visit&& visit);

  const Plan& plan() const { return *plan_; }
  // What an owner outside the machine sees of it.
  NodeFunctions functions() { return root().functions(); }
  std::size_t memory() const;

 private:
  void find_rows();
  void set_called_side(const RightSide& right_side);
  void load_ports(std::span<const double> loads);
  void subtract_biases();
  void collect_called();
  bool is_whole() const { return plan_->is_whole(); }
  ComponentNode& root() { return *nodes_.back(); }

  std::shared_ptr<const Plan> plan_;
  std::vector<std::unique_ptr<ComponentNode>> nodes_;
  std::vector<std::vector<BodyMass>> masses_;  // by node
  std::span<double> a_, lambda_;
  std::vector<double> port_motions_;
  std::vector<double> shown_;            // D of the machine itself, for owners outside it
  std::vector<double> no_loads_, told_;  // at its ports, when nobody is there
  std::vector<std::size_t> first_load_;  // of each port of the partition, among the loads on all of them
  // Where components are called: rows at bodies, the arms they were made with, and where all is in the machine
  std::vector<double> values_, arms_;
  const double* joint_values_ = nullptr;
  std::span<const double> biases_;
  // Bodies or rows of a program that follow each other in the machine, too: they are copied at once.
  struct Run {
    std::size_t in_node = 0, in_machine = 0, count = 0;
  };
  static std::vector<Run> runs_of(std::span<const std::int32_t> numbers);
  std::vector<std::vector<Run>> bodies_of_node_, rows_of_node_;
  struct PortEnd {
    const JointRows* joint = nullptr;
    std::size_t node = 0, first_row = 0;  // of the joint in the program of the node
    std::size_t port = 0;
    bool is_b = false;
  };
  std::vector<PortEnd> port_ends_;
  struct BodyPlace {
    std::size_t node = 0, place = 0;
  };
  std::vector<BodyPlace> place_of_body_;
};

template <class Visit>
void ComponentTree::visit_decisions(Visit&& visit) {
  for (const std::unique_ptr<ComponentNode>& node : nodes_) {
    const Program& program = node->plan().program;
    for (const Op& op : program.ops) {
      if (!Program::decides(op)) continue;
      visit(program, op, node->elimination().order_of(op),
            node->elimination().decisions()[static_cast<std::size_t>(op.decision)]);
    }
    node->note_decisions();
  }
}

}  // namespace gelenk::solve
