#include "gelenk/solve/component_node.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "gelenk/base/index.h"
#include "gelenk/base/parallel.h"
#include "gelenk/solve/mobility_kernels.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {
namespace {

// Numbers between -1 and 1 that are the same everywhere.
class FixedNumbers {
 public:
  explicit FixedNumbers(std::int32_t which) : state_(static_cast<std::uint64_t>(which) + 1) {}
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / static_cast<double>(std::uint64_t{1} << 52) - 1.0;
  }

 private:
  std::uint64_t state_;
};

void add(std::span<const double> summand, std::span<double> sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += summand[i];
}

void take_largest(const NodeResidual& other, NodeResidual& all) {
  all.forces = std::max(all.forces, other.forces);
  all.inertial_forces = std::max(all.inertial_forces, other.inertial_forces);
  all.rows = std::max(all.rows, other.rows);
  all.change = std::max(all.change, other.change);
  all.motion = std::max(all.motion, other.motion);
  if (other.dropped > all.dropped || (all.worst_dropped < 0 && other.worst_dropped >= 0)) {
    all.dropped = other.dropped;
    all.worst_dropped = other.worst_dropped;
  }
}

ComponentNode& node(void* self) { return *static_cast<ComponentNode*>(self); }

}  // namespace

ComponentNode::ComponentNode(const NodePlan& plan)
    : plan_(plan),
      elimination_(plan.program),
      port_mobility_(plan),
      children_(plan.is_anchored ? 0 : plan.children.size()),
      tau_(plan.shown_ports().empty() ? 0 : 6 * plan.program_bodies(), 0.0),
      received_(6 * plan.shown_ports().size(), 0.0),
      rest_(plan) {
  pose_.arms.assign(3 * plan.shown_ports().size(), 0.0);
  side_.port_biases.assign(3 * plan.shown_ports().size(), 0.0);
  for (std::size_t c = 0; c < children_.size(); ++c) {
    Child& child = children_[c];
    child.plan = &plan.children[c];
    const std::size_t size = child.plan->size;
    const std::size_t ghosts = 6 * ghost_count(*child.plan);
    child.is_picked = ghosts != size;
    child.mobility.assign(size * size, 0.0);
    if (child.is_picked) {
      child.ghost_mobility.assign(ghosts * ghosts, 0.0);
      child.ghost_rates.assign(ghosts, 0.0);
    }
    for (std::vector<double>* numbers :
         {&child.rates, &child.loads, &child.rest, &child.sent, &child.tau, &child.motion}) {
      numbers->assign(size, 0.0);
    }
    if (child.plan->given == kNone) continue;
    elimination_.set_given(at(child.plan->given), (child.is_picked ? child.ghost_mobility : child.mobility).data(),
                           (child.is_picked ? child.ghost_rates : child.rates).data());
  }
}

NodeFunctions ComponentNode::functions() {
  NodeFunctions functions;
  functions.self = this;
  functions.factor = [](void* self, const RankRule& rule, double* D) { return node(self).factor(rule, D); };
  functions.up = [](void* self, NodeLoad load, double* r) { node(self).up(load, r); };
  functions.down = [](void* self, NodeLoad load, const double* tau, double* a) { node(self).down(load, tau, a); };
  functions.residual = [](void* self) { return node(self).residual(); };
  functions.forget = [](void* self) { node(self).forget(); };
  functions.make_test_load = [](void* self, std::int32_t which, double* a) { node(self).make_test_load(which, a); };
  return functions;
}

void ComponentNode::set_called(std::size_t child, ComponentNode& called) {
  Called& one = called_.emplace_back();
  one.node = &called;
  one.border = &plan_.program.given[at(plan_.children[child].given)];
  one.wrenches.assign(6 * called.plan().program_bodies(), 0.0);
  elimination_.set_callee(at(plan_.children[child].given), called.callee());
}

Callee ComponentNode::callee() {
  Callee callee;
  callee.self = this;
  callee.inside = &elimination_.data();
  callee.factor = [](void* self, const RankRule& rule, Pass pass, OpReport& report) {
    const NodeReport inside = node(self).factor_called(rule, pass);
    report.smallest = std::min(report.smallest, inside.smallest);
    return !inside.needs_other_program;
  };
  callee.up = [](void* self, NodeLoad load) { node(self).up_called(load); };
  callee.motion = [](void* self, NodeLoad load) {
    ComponentNode& called = node(self);
    return (load == NodeLoad::given ? called.side_.a : called.rest_.a()).data();
  };
  callee.down = [](void* self, NodeLoad load, bool wants_multipliers) {
    ComponentNode& called = node(self);
    called.wants_multipliers_later_ = wants_multipliers;
    if (!called.is_down_later_) called.down_called(load, wants_multipliers);
  };
  return callee;
}

NodeReport ComponentNode::factor_called(const RankRule& rule, Pass pass) {
  const NodeReport report = is_factored_ahead_ ? ahead_ : factor(rule, nullptr, pass);
  is_factored_ahead_ = false;
  chosen_again_ += report.chosen_again;
  return report;
}

void ComponentNode::up_called(NodeLoad load) {
  if (!is_up_ahead_) up(load, nullptr);
  is_up_ahead_ = false;
}

void ComponentNode::down_called(NodeLoad load, bool wants_multipliers) {
  const bool is_given = load == NodeLoad::given;
  const std::span<double> lambda = !wants_multipliers ? std::span<double>{} : is_given ? side_.lambda : rest_.lambda();
  elimination_.set_load(load);
  elimination_.sweep_down_called(is_given ? side_.a : rest_.a(), lambda, wants_multipliers);
  finish_down(load);
  change_ = is_given ? 0.0 : rest_.correct(side_);
}

template <class Work>
void ComponentNode::for_each_free(Work&& work) {
  if (!plan_.is_parallel) return;
  for_each_part(called_.size(), [&](std::size_t c) {
    if (called_[c].is_free()) work(*called_[c].node);
  });
}

// What was left for later, and where the bodies of these components are.
void ComponentNode::finish_down(NodeLoad load) {
  if (!plan_.is_parallel) return;
  for_each_free([&](ComponentNode& called) { called.down_called(load, called.wants_multipliers_later_); });
  const std::span<double> a = load == NodeLoad::given ? side_.a : rest_.a();
  for (const Called& called : called_) {
    if (!called.is_free()) continue;
    const std::span<const double> inside = load == NodeLoad::given ? called.node->side_.a : called.node->rest_.a();
    for (std::size_t i = 0; i < called.border->bodies.size(); ++i) {
      std::copy_n(&inside[6 * at(called.border->inside[i])], 6, &a[6 * at(called.border->bodies[i])]);
    }
  }
}

// Components know nothing of each other: in which order they work, and at what time, makes no difference.
template <class Work>
void ComponentNode::for_each_child(Work&& work) {
  if (plan_.is_parallel) {
    for_each_part(children_.size(), [&](std::size_t c) { work(children_[c]); });
  } else {
    for (Child& child : children_) work(child);
  }
}

NodeReport ComponentNode::factor(const RankRule& rule, double* D, Pass pass) {
  for_each_child([&](Child& child) {
    child.report = child.functions.factor(child.functions.self, rule, child.mobility.data());
    if (child.report.needs_other_program || !child.is_picked) return;
    pick_mobility(*child.plan, child.mobility, child.ghost_mobility);
  });
  NodeReport report;
  for (const Child& child : children_) {
    report.chosen_again += child.report.chosen_again;
    report.smallest = std::min(report.smallest, child.report.smallest);
    report.needs_other_program = report.needs_other_program || child.report.needs_other_program;
  }
  if (report.needs_other_program) return report;
  OpReport own;
  for (const Called& called : called_) called.node->chosen_again_ = 0;
  for_each_free([&](ComponentNode& called) {
    called.ahead_ = called.factor(rule, nullptr, pass);
    called.is_factored_ahead_ = called.is_down_later_ = true;
  });
  do {
    elimination_.load(pose_.masses, pose_.values);
    own = pass == Pass::factor ? elimination_.factor(rule)
                               : elimination_.factor_and_sweep_up(rule, side_.f, side_.u, pass == Pass::lean);
    // What was decided on the way counts, though the next time around it is known.
    report.chosen_again += own.chosen_again;
    if (own.outcome == OpOutcome::too_many_columns) elimination_.make_room(at(own.where));
  } while (own.outcome == OpOutcome::too_many_columns);
  lost_joint_ = own.outcome == OpOutcome::joint_lost_rank ? own.where : kNone;
  report.needs_other_program = own.outcome == OpOutcome::joint_lost_rank;
  for (const Called& called : called_) report.chosen_again += called.node->chosen_again_;
  report.smallest = std::min(report.smallest, own.smallest);
  if (report.chosen_again > 0) ++decisions_;
  if (!plan_.shown_ports().empty() && !report.needs_other_program) {
    port_mobility_.publish(elimination_.data(), pose_.arms,
                           {D, 36 * plan_.shown_ports().size() * plan_.shown_ports().size()});
  }
  return report;
}

void ComponentNode::up(NodeLoad load, double* r) {
  for_each_child([&](Child& child) {
    child.functions.up(child.functions.self, load, child.rates.data());
    // Loads on a port push it by themselves, whether it has joints or not.
    const std::vector<double>& pushed = load == NodeLoad::given ? child.loads : child.rest;
    if (std::any_of(pushed.begin(), pushed.end(), [](double x) { return x != 0.0; })) {
      const std::size_t size = child.plan->size;
      for (std::size_t i = 0; i < size; ++i) child.rates[i] += dot(size, &child.mobility[i * size], pushed.data());
    }
    if (child.is_picked) pick_rates(*child.plan, child.rates, child.ghost_rates);
  });
  for_each_free([&](ComponentNode& called) {
    called.up(load, nullptr);
    called.is_up_ahead_ = true;
  });
  elimination_.set_load(load);
  if (load == NodeLoad::given) {
    elimination_.sweep_up(side_.f, side_.u);
  } else {
    elimination_.sweep_up(rest_.f(), rest_.u());
  }
  if (plan_.shown_ports().empty()) return;
  port_mobility_.publish_rates(elimination_.data(), pose_.arms, {r, 6 * plan_.shown_ports().size()});
  if (load == NodeLoad::rest) return;
  for (std::size_t p = 0; p < plan_.shown_ports().size(); ++p) {
    for (std::size_t i = 0; i < 3; ++i) r[6 * p + i] += side_.port_biases[3 * p + i];
  }
}

void ComponentNode::prepare_down(Child& child, NodeLoad load) {
  std::copy(load == NodeLoad::given ? child.loads.begin() : child.rest.begin(),
            load == NodeLoad::given ? child.loads.end() : child.rest.end(), child.tau.begin());
  for (const PlanChild::Port& port : child.plan->ports) {
    if (port.ghost != kNone)
      add({elimination_.load_on(port.ghost), 6}, std::span(child.tau).subspan(at(port.first), 6));
  }
  if (child.functions.begin_down != nullptr) child.functions.begin_down(child.functions.self, load, child.tau.data());
}

void ComponentNode::send_down(Child& child, NodeLoad load, std::span<double> a) {
  child.functions.down(child.functions.self, load, child.tau.data(), child.motion.data());
  if (load == NodeLoad::given) {
    child.sent = child.tau;
  } else {
    add(child.tau, child.sent);
  }
  for (const PlanChild::Port& port : child.plan->ports) {
    if (port.ghost != kNone) std::copy_n(&child.motion[at(port.first)], 6, &a[6 * at(port.ghost)]);
  }
}

void ComponentNode::down(NodeLoad load, const double* tau, double* at_ports) {
  const bool is_given = load == NodeLoad::given;
  const std::span<const double> wrenches{tau, received_.size()};
  if (!plan_.shown_ports().empty()) port_mobility_.put_wrenches(wrenches, pose_.arms, tau_);
  const std::span<double> a = is_given ? side_.a : rest_.a();
  // The wrenches on ghosts come with the multipliers. A node without rows still passes on what others need.
  const bool wants_multipliers = side_.wants_multipliers || !children_.empty() || !is_given;
  const bool wants_loads = !children_.empty() || (wants_multipliers && !called_.empty());
  const std::span<double> lambda = !wants_multipliers ? std::span<double>{} : is_given ? side_.lambda : rest_.lambda();
  elimination_.set_load(load);
  elimination_.sweep_down(a, lambda, tau_, wants_loads);
  finish_down(load);
  for (Child& child : children_) prepare_down(child, load);
  for_each_child([&](Child& child) { send_down(child, load, a); });
  if (!plan_.shown_ports().empty()) {
    const std::span<double> motions{at_ports, received_.size()};
    port_mobility_.put_motions(a, pose_.arms, motions);
    for (std::size_t p = 0; is_given && p < plan_.shown_ports().size(); ++p) {
      // A ghost has its own already.
      if (at(plan_.ports[p].body) >= plan_.own_count()) continue;
      for (std::size_t i = 0; i < 3; ++i) motions[6 * p + i] += side_.port_biases[3 * p + i];
    }
  }
  if (is_given) {
    std::copy(wrenches.begin(), wrenches.end(), received_.begin());
    change_ = 0.0;
    return;
  }
  add(wrenches, received_);
  change_ = rest_.correct(side_);
}

// What loads and λ do to the ports of children, less what was sent down to them.
void ComponentNode::rest_of_children(NodeResidual& report) {
  for (Child& child : children_) {
    for (std::size_t i = 0; i < child.rest.size(); ++i) child.rest[i] = child.loads[i] - child.sent[i];
    for (const PlanChild::Port& port : child.plan->ports) {
      if (port.ghost == kNone) continue;
      const BodyMass& m = plan_.references[at(port.ghost) - plan_.own_count()];
      for (std::size_t i = 0; i < 6; ++i) {
        double& rest = child.rest[at(port.first) + i];
        rest += rest_.f()[6 * at(port.ghost) + i];
        report.forces = std::max(report.forces, std::abs(rest) * force_scale(m, i));
      }
    }
  }
}

// What the own joints do to the bodies of components that are called is theirs to balance.
void ComponentNode::send_wrenches() {
  for (Called& called : called_) {
    const GivenFront& border = *called.border;
    for (std::size_t i = 0; i < border.bodies.size(); ++i) {
      std::copy_n(&rest_.f()[6 * at(border.bodies[i])], 6, &called.wrenches[6 * at(border.inside[i])]);
    }
  }
}

void ComponentNode::find_joint_forces() {
  rest_.make_room();
  rest_.find_joint_forces(pose_, side_);
  for (const Called& called : called_) {
    called.node->find_joint_forces();
    if (!called.border->is_seated) continue;
    const std::size_t seat = 6 * at(called.node->plan().program.anchor);
    rest_.add_force(called.border->anchor, called.node->rest_.f().subspan(seat).first<6>());
  }
}

NodeResidual ComponentNode::residual() {
  find_joint_forces();
  return balance({});
}

NodeResidual ComponentNode::balance(std::span<const double> wrenches) {
  NodeResidual report;
  for (Child& child : children_) take_largest(child.functions.residual(child.functions.self), report);
  NodeResidual own;
  rest_.find_forces(pose_, side_, received_, wrenches, own);
  send_wrenches();
  for (const Called& called : called_) take_largest(called.node->balance(called.wrenches), report);
  rest_of_children(own);
  rest_.find_rows(pose_, side_, elimination_, decisions_, own);
  own.change = change_;
  take_largest(own, report);
  return report;
}

void ComponentNode::make_test_load(std::int32_t which, double* at_ports) {
  choose_test_motion(which);
  fit_test_rows();
  if (!plan_.shown_ports().empty()) port_mobility_.put_motions(side_.own_a, pose_.arms, {at_ports, received_.size()});
}

// Components before their owners, which see how these move.
void ComponentNode::choose_test_motion(std::int32_t which) {
  use_own_arrays();
  FixedNumbers numbers(which);
  for (std::size_t b = 0; b < plan_.own_count(); ++b) {
    const BodyMass& m = pose_.masses[b];
    for (std::size_t i = 0; i < 6; ++i) {
      side_.own_f[6 * b + i] = numbers.next() * (i < 3 ? m.mass : 1.0 / m.mean_inverse_inertia);
    }
    for (std::size_t i = 0; i < 6; ++i) side_.own_a[6 * b + i] = numbers.next();
  }
  std::fill(side_.port_biases.begin(), side_.port_biases.end(), 0.0);
  for (Child& child : children_) {
    std::fill(child.loads.begin(), child.loads.end(), 0.0);
    child.functions.make_test_load(child.functions.self, which, child.motion.data());
    for (const PlanChild::Port& port : child.plan->ports) {
      if (port.ghost != kNone) std::copy_n(&child.motion[at(port.first)], 6, &side_.own_a[6 * at(port.ghost)]);
    }
  }
  for (const Called& called : called_) {
    called.node->choose_test_motion(which);
    for (std::size_t i = 0; i < called.border->bodies.size(); ++i) {
      std::copy_n(&called.node->side_.own_a[6 * at(called.border->inside[i])], 6,
                  &side_.own_a[6 * at(called.border->bodies[i])]);
    }
  }
}

// Owners before their components, which see how what they are on moves.
void ComponentNode::fit_test_rows() {
  for (const Called& called : called_) {
    if (called.border->is_seated) {
      std::copy_n(&side_.own_a[6 * at(called.border->anchor)], 6,
                  &called.node->side_.own_a[6 * at(called.node->plan().program.anchor)]);
    }
    called.node->fit_test_rows();
  }
  std::fill(side_.own_u.begin(), side_.own_u.end(), 0.0);
  visit_joints(plan_.program, pose_.values,
               [&](const JointRows& joint, const JointView& side_a, const JointView& side_b) {
                 double* const u = &side_.own_u[at(joint.first_row)];
                 if (joint.a >= 0) add_row_products(side_a, &side_.own_a[6 * at(joint.a)], u);
                 if (joint.b >= 0) add_row_products(side_b, &side_.own_a[6 * at(joint.b)], u);
               });
}

void ComponentNode::forget() {
  for (const Op& op : plan_.program.ops) {
    if (!Program::decides(op)) continue;
    elimination_.decisions()[at(op.decision)] = {};
    const std::span<std::int32_t> order = elimination_.order_of(op);
    std::iota(order.begin(), order.end(), 0);
  }
  ++decisions_;
  for (const Child& child : children_) child.functions.forget(child.functions.self);
  for (const Called& called : called_) called.node->forget();
}

std::size_t ComponentNode::memory() const {
  std::size_t total = elimination_.memory() + rest_.memory();
  for (const std::vector<double>* numbers : {&pose_.arms, &side_.port_biases, &side_.own_f, &side_.own_u, &side_.own_a,
                                             &side_.own_lambda, &tau_, &received_}) {
    total += numbers->size() * sizeof(double);
  }
  for (const Called& called : called_) total += called.wrenches.size() * sizeof(double);
  for (const Child& child : children_) {
    total += (child.mobility.size() + child.ghost_mobility.size() + child.ghost_rates.size() + 6 * child.plan->size) *
             sizeof(double);
  }
  return total;
}

}  // namespace gelenk::solve
