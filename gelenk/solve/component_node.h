#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gelenk/solve/component_plan.h"
#include "gelenk/solve/elimination.h"
#include "gelenk/solve/node_functions.h"
#include "gelenk/solve/port_mobility.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {

// One component at work: it runs its program, and everything it knows of the components inside it comes through their
// functions, as what its owner knows of it comes through its own.
class ComponentNode {
 public:
  explicit ComponentNode(const NodePlan& plan);

  void set_child(std::size_t child, const NodeFunctions& functions) { children_[child].functions = functions; }
  NodeFunctions functions();

  // The pose: masses of the own bodies, packed rows; they must stay where they are until the next one. Arms of the
  // ports, three each.
  void set_pose(std::span<const BodyMass> masses, const double* values) {
    masses_ = masses;
    values_ = values;
  }
  std::span<double> arms() { return arms_; }

  // The right side: six for each body of the program (those of ghosts are not read), by row of the program, centripetal
  // accelerations of the ports (three each), and loads on the ports of children. a and λ are found. These are arrays of
  // its own, or of somebody else.
  struct Arrays {
    std::span<const double> f, u;
    std::span<double> a, lambda;
  };
  void set_arrays(const Arrays& arrays) { arrays_ = arrays; }
  void use_own_arrays();
  std::span<double> own_f() { return f_; }
  std::span<double> own_u() { return u_; }
  std::span<const double> a() const { return arrays_.a; }
  std::span<const double> lambda() const { return arrays_.lambda; }
  std::span<double> port_biases() { return biases_; }
  std::span<double> loads_on(std::size_t child) { return children_[child].loads; }
  // Otherwise λ is found only if children or corrections need it.
  void set_wants_multipliers(bool wants) { wants_multipliers_ = wants; }

  // ahead: f and u of the sweep to come, of a node without children and ports; it goes up at once.
  struct Ahead {
    std::span<const double> f, u;
    bool is_lean = false;  // Elimination::factor_and_sweep_up()
  };
  NodeReport factor(const RankRule& rule, double* D, const Ahead* ahead = nullptr);
  void up(NodeLoad load, double* r);
  void down(NodeLoad load, const double* tau, double* a);
  // Both of a node without children and ports, on these arrays.
  void sweep_alone(const Arrays& arrays) {
    elimination_.sweep_up(arrays.f, arrays.u);
    elimination_.sweep_down(arrays.a, arrays.lambda);
  }
  // The second half of it, after factor() with f and u.
  void sweep_down_alone(std::span<double> a, std::span<double> lambda) { elimination_.sweep_down(a, lambda); }
  NodeResidual residual();
  void make_test_load(std::int32_t which, double* at_ports);
  void forget();

  // After factor() asked for another program: the joint, of the node.
  std::int32_t lost_joint() const { return lost_joint_; }
  // Decisions were changed from outside.
  void note_decisions() { has_dropped_ = false; }

  const NodePlan& plan() const { return plan_; }
  Elimination& elimination() { return elimination_; }
  const Elimination& elimination() const { return elimination_; }
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

  template <class Work>
  void for_each_child(Work&& work);
  void make_room_for_corrections();
  template <class Visit>
  void visit_joints(Visit&& visit) const;
  void prepare_down(Child& child, NodeLoad load);
  void send_down(Child& child, NodeLoad load, std::span<double> a);
  void force_residual(NodeResidual& report);
  void row_residual(NodeResidual& report);
  void note_dropped();

  const NodePlan& plan_;
  Elimination elimination_;
  PortMobility port_mobility_;
  std::vector<Child> children_;
  std::span<const BodyMass> masses_;
  const double* values_ = nullptr;
  std::vector<BodyMass> own_masses_;  // with the references of the ghosts behind them
  std::vector<double> arms_, biases_;
  Arrays arrays_;
  bool wants_multipliers_ = true;
  std::int32_t lost_joint_ = kNone;
  std::vector<double> f_, u_, a_, lambda_;
  std::vector<double> tau_;       // on the bodies of the program
  std::vector<double> received_;  // at the ports, in all
  std::vector<double> rest_f_, rest_u_, more_a_, more_lambda_;
  std::vector<char> is_dropped_;  // by row of the program
  bool has_dropped_ = false;      // is_dropped_ is known
  std::vector<double> product_;   // rows of one joint
  double change_ = 0.0;
};

}  // namespace gelenk::solve
