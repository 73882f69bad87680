#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/solve/component_plan.h"
#include "gelenk/solve/elimination.h"
#include "gelenk/solve/node_functions.h"
#include "gelenk/solve/node_rest.h"
#include "gelenk/solve/node_side.h"
#include "gelenk/solve/port_mobility.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {

// One component at work: it runs its program, and everything it knows of the components inside it comes through their
// functions, as what its owner knows of it comes through its own.
class ComponentNode {
 public:
  explicit ComponentNode(const NodePlan& plan);

  void set_child(std::size_t child, const NodeFunctions& functions) { children_[child].functions = functions; }
  // A component inside that this one calls.
  void set_called(std::size_t child, ComponentNode& node);
  NodeFunctions functions();

  // Masses of all bodies of the program, ghosts with what they are scaled with, and packed rows must stay where they
  // are until the next pose.
  void set_pose(std::span<const BodyMass> masses, const double* values) {
    pose_.masses = masses;
    pose_.values = values;
  }
  std::span<double> arms() { return pose_.arms; }

  // The right side and what is found for it.
  NodeSide& side() { return side_; }
  void use_own_arrays() { side_.use_own(plan_.program_bodies(), plan_.program.layout.row_numbers.size()); }
  // Loads on the ports of a child, part of the right side.
  std::span<double> loads_on(std::size_t child) { return children_[child].loads; }

  // Of a node that shows no ports and calls its components: it may sweep up at once, with them, its right side, which
  // is in place; Elimination::factor_and_sweep_up().
  NodeReport factor(const RankRule& rule, double* D, Pass pass = Pass::factor);
  void up(NodeLoad load, double* r);
  void down(NodeLoad load, const double* tau, double* a);
  // Up and down, of a node without children and ports.
  void sweep_alone(std::span<const double> f, std::span<const double> u, std::span<double> a,
                   std::span<double> lambda) {
    elimination_.sweep_up(f, u);
    elimination_.sweep_down(a, lambda);
  }
  // The second half of it, after factor() with f and u.
  void sweep_down_alone(std::span<double> a, std::span<double> lambda) { elimination_.sweep_down(a, lambda); }
  NodeResidual residual();
  void make_test_load(std::int32_t which, double* at_ports);
  void forget();

  // After factor() asked for another program: the joint, of the node.
  std::int32_t lost_joint() const { return lost_joint_; }
  // Decisions were changed from outside.
  void note_decisions() { ++decisions_; }

  const NodePlan& plan() const { return plan_; }
  Elimination& elimination() { return elimination_; }
  std::size_t memory() const;

 private:
  struct Child {
    NodeFunctions functions;
    const PlanChild* plan = nullptr;
    NodeReport report;
    std::vector<double> mobility, rates;  // of all its ports
    bool is_picked = false;               // not all its ports have joints here: ghosts have D and r of their own
    std::vector<double> ghost_mobility, ghost_rates;
    std::vector<double> loads;        // on its ports, of the right side
    std::vector<double> rest;         // the same of the rest
    std::vector<double> sent;         // wrenches, in all
    std::vector<double> tau, motion;  // of the sweep at hand
  };

  // A component that is called, and where its bodies are.
  struct Called {
    ComponentNode* node = nullptr;
    const GivenFront* border = nullptr;
    std::vector<double> wrenches;  // on its bodies

    // Nothing is loaded on it: it need not wait for its turn, nor its owner for what it finds.
    bool is_free() const { return border->loaded.empty(); }
  };
  Callee callee();
  NodeReport factor_called(const RankRule& rule, Pass pass);
  void up_called(NodeLoad load);
  void down_called(NodeLoad load, bool wants_multipliers);
  // Components that need not wait, side by side if that pays: before their turn, and after it.
  template <class Work>
  void for_each_free(Work&& work);
  void finish_down(NodeLoad load);
  // What joints do to bodies, from the inside out: those of components inside to the bodies they are on, too.
  void find_joint_forces();
  void send_wrenches();
  // wrenches: of its owner's joints on the bodies of the border, six for each body of the program; of a node that is
  // called.
  NodeResidual balance(std::span<const double> wrenches);
  void choose_test_motion(std::int32_t which);
  void fit_test_rows();

  template <class Work>
  void for_each_child(Work&& work);
  void prepare_down(Child& child, NodeLoad load);
  void send_down(Child& child, NodeLoad load, std::span<double> a);
  void rest_of_children(NodeResidual& report);

  const NodePlan& plan_;
  Elimination elimination_;
  PortMobility port_mobility_;
  std::vector<Child> children_;
  std::vector<Called> called_;
  // When called
  std::int32_t chosen_again_ = 0;
  NodeReport ahead_;
  bool is_factored_ahead_ = false, is_up_ahead_ = false, is_down_later_ = false;
  bool wants_multipliers_later_ = false;
  NodePose pose_;
  NodeSide side_;
  std::int32_t lost_joint_ = kNone;
  std::int64_t decisions_ = 0;    // number of the decisions about rank at hand
  std::vector<double> tau_;       // on the bodies of the program
  std::vector<double> received_;  // at the ports, in all
  NodeRest rest_;
  double change_ = 0.0;  // largest of the last correction
};

}  // namespace gelenk::solve
