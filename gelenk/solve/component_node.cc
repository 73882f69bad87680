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
      children_(plan.children.size()),
      own_masses_(plan.references.empty() ? 0 : plan.own_count()),
      arms_(3 * plan.ports.size(), 0.0),
      biases_(3 * plan.ports.size(), 0.0),
      tau_(plan.ports.empty() ? 0 : 6 * plan.program_bodies(), 0.0),
      received_(6 * plan.ports.size(), 0.0) {
  own_masses_.insert(own_masses_.end(), plan.references.begin(), plan.references.end());
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

// Components know nothing of each other: in which order they work, and at what time, makes no difference.
template <class Work>
void ComponentNode::for_each_child(Work&& work) {
  if (plan_.is_parallel) {
    for_each_part(children_.size(), [&](std::size_t c) { work(children_[c]); });
  } else {
    for (Child& child : children_) work(child);
  }
}

void ComponentNode::use_own_arrays() {
  const std::size_t rows = plan_.program.layout.row_numbers.size();
  f_.resize(6 * plan_.program_bodies());
  a_.resize(f_.size());
  u_.resize(rows);
  lambda_.resize(rows);
  arrays_ = {f_, u_, a_, lambda_};
}

void ComponentNode::make_room_for_corrections() {
  const std::size_t rows = plan_.program.layout.row_numbers.size();
  for (std::vector<double>* by_row : {&rest_u_, &more_lambda_}) by_row->resize(rows);
  for (std::vector<double>* by_body : {&rest_f_, &more_a_}) by_body->resize(6 * plan_.program_bodies());
}

NodeReport ComponentNode::factor(const RankRule& rule, double* D, const Ahead* ahead) {
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
  if (!own_masses_.empty()) std::copy(masses_.begin(), masses_.end(), own_masses_.begin());
  OpReport own;
  do {
    elimination_.load(own_masses_.empty() ? masses_ : own_masses_, values_);
    own = ahead == nullptr ? elimination_.factor(rule)
                           : elimination_.factor_and_sweep_up(rule, ahead->f, ahead->u, ahead->is_lean);
    if (own.outcome == OpOutcome::too_many_columns) elimination_.make_room(at(own.where));
  } while (own.outcome == OpOutcome::too_many_columns);
  lost_joint_ = own.outcome == OpOutcome::joint_lost_rank ? own.where : kNone;
  report.needs_other_program = lost_joint_ != kNone;
  report.chosen_again += own.chosen_again;
  report.smallest = std::min(report.smallest, own.smallest);
  if (own.chosen_again > 0) has_dropped_ = false;
  if (!plan_.ports.empty() && !report.needs_other_program) {
    port_mobility_.publish(elimination_.data(), arms_, {D, 36 * plan_.ports.size() * plan_.ports.size()});
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
  if (load == NodeLoad::given) {
    elimination_.sweep_up(arrays_.f, arrays_.u);
  } else {
    elimination_.sweep_up(rest_f_, rest_u_);
  }
  if (plan_.ports.empty()) return;
  port_mobility_.publish_rates(elimination_.data(), arms_, {r, 6 * plan_.ports.size()});
  if (load == NodeLoad::rest) return;
  for (std::size_t p = 0; p < plan_.ports.size(); ++p) {
    for (std::size_t i = 0; i < 3; ++i) r[6 * p + i] += biases_[3 * p + i];
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
  if (!plan_.ports.empty()) port_mobility_.put_wrenches(wrenches, arms_, tau_);
  const std::span<double> a = is_given ? arrays_.a : std::span(more_a_);
  // The wrenches on ghosts come with the multipliers.
  const bool wants_loads = !children_.empty();
  const bool wants_multipliers = wants_multipliers_ || wants_loads || !is_given;
  const std::span<double> lambda = !wants_multipliers ? std::span<double>{} : is_given ? arrays_.lambda : more_lambda_;
  elimination_.sweep_down(a, lambda, tau_, wants_loads);
  for (Child& child : children_) prepare_down(child, load);
  for_each_child([&](Child& child) { send_down(child, load, a); });
  if (!plan_.ports.empty()) {
    const std::span<double> motions{at_ports, received_.size()};
    port_mobility_.put_motions(a, arms_, motions);
    for (std::size_t p = 0; is_given && p < plan_.ports.size(); ++p) {
      // A ghost has its own already.
      if (at(plan_.ports[p].body) >= plan_.own_count()) continue;
      for (std::size_t i = 0; i < 3; ++i) motions[6 * p + i] += biases_[3 * p + i];
    }
  }
  if (is_given) {
    std::copy(wrenches.begin(), wrenches.end(), received_.begin());
    change_ = 0.0;
    return;
  }
  add(wrenches, received_);
  add(more_a_, arrays_.a);
  add(more_lambda_, arrays_.lambda);
  change_ = 0.0;
  for (std::size_t i = 0; i < 6 * plan_.own_count(); ++i) change_ = std::max(change_, std::abs(more_a_[i]));
}

template <class Visit>
void ComponentNode::visit_joints(Visit&& visit) const {
  for (const JointRows& joint : plan_.program.layout.joints) {
    const double* const values = values_ + joint.first_value;
    visit(joint, JointView{&joint, values, false}, JointView{&joint, values, true});
  }
}

// rest_f_ := f - M a + Gᵀλ + Xᵀτ, on ghosts the loads and λ less what was sent.
void ComponentNode::force_residual(NodeResidual& report) {
  std::copy(arrays_.f.begin(), arrays_.f.end(), rest_f_.begin());
  std::fill(rest_f_.begin() + static_cast<std::ptrdiff_t>(6 * plan_.own_count()), rest_f_.end(), 0.0);
  visit_joints([&](const JointRows& joint, const JointView& side_a, const JointView& side_b) {
    const double* const lambda = &arrays_.lambda[at(joint.first_row)];
    if (joint.a >= 0) add_row_wrench(side_a, lambda, &rest_f_[6 * at(joint.a)]);
    if (joint.b >= 0) add_row_wrench(side_b, lambda, &rest_f_[6 * at(joint.b)]);
  });
  for (std::size_t p = 0; p < plan_.ports.size(); ++p) {
    add_shifted_wrench(&arms_[3 * p], &received_[6 * p], &rest_f_[6 * at(plan_.ports[p].body)]);
  }
  const auto scale = [](const BodyMass& m, std::size_t i) {
    return i < 3 ? 1.0 / std::sqrt(m.mass) : std::sqrt(m.mean_inverse_inertia);
  };
  for (std::size_t b = 0; b < plan_.own_count(); ++b) {
    const BodyMass& m = masses_[b];
    const double* const a = &arrays_.a[6 * b];
    double inertial[6] = {m.mass * a[0], m.mass * a[1], m.mass * a[2]};
    multiply_symmetric3(m.inertia.data(), a + 3, inertial + 3);
    for (std::size_t i = 0; i < 6; ++i) {
      double& rest = rest_f_[6 * b + i];
      rest -= inertial[i];
      report.inertial_forces = std::max(report.inertial_forces, std::abs(inertial[i]) * scale(m, i));
      report.forces = std::max(report.forces, std::abs(rest) * scale(m, i));
      report.motion = std::max(report.motion, std::abs(a[i]));
    }
  }
  for (Child& child : children_) {
    for (std::size_t i = 0; i < child.rest.size(); ++i) child.rest[i] = child.loads[i] - child.sent[i];
    for (const PlanChild::Port& port : child.plan->ports) {
      if (port.ghost == kNone) continue;
      const BodyMass& m = plan_.references[at(port.ghost) - plan_.own_count()];
      for (std::size_t i = 0; i < 6; ++i) {
        double& rest = child.rest[at(port.first) + i];
        rest += rest_f_[6 * at(port.ghost) + i];
        report.forces = std::max(report.forces, std::abs(rest) * scale(m, i));
      }
    }
  }
}

// rest_u_ := u - G a on the accepted rows, zero on the dropped ones.
void ComponentNode::row_residual(NodeResidual& report) {
  if (!has_dropped_) note_dropped();
  std::copy(arrays_.u.begin(), arrays_.u.end(), rest_u_.begin());
  visit_joints([&](const JointRows& joint, const JointView& side_a, const JointView& side_b) {
    product_.assign(joint.row_count(), 0.0);
    double* const out = product_.data();
    if (joint.a >= 0) add_row_products(side_a, &arrays_.a[6 * at(joint.a)], out);
    if (joint.b >= 0) add_row_products(side_b, &arrays_.a[6 * at(joint.b)], out);
    for (std::size_t i = 0; i < joint.row_count(); ++i) {
      const std::size_t row = at(joint.first_row) + i;
      const double rest = rest_u_[row] - out[i];
      const double scaled = std::abs(plan_.program.row_scales[row] * rest);
      if (is_dropped_[row] != 0) {
        rest_u_[row] = 0.0;
        if (report.worst_dropped >= 0 && !(scaled > report.dropped)) continue;
        report.dropped = scaled;
        report.worst_dropped = plan_.program.layout.row_numbers[row];
      } else {
        rest_u_[row] = rest;
        report.rows = std::max(report.rows, scaled);
      }
    }
  });
}

NodeResidual ComponentNode::residual() {
  make_room_for_corrections();
  NodeResidual report;
  for (Child& child : children_) take_largest(child.functions.residual(child.functions.self), report);
  NodeResidual own;
  force_residual(own);
  row_residual(own);
  own.change = change_;
  take_largest(own, report);
  return report;
}

void ComponentNode::make_test_load(std::int32_t which, double* at_ports) {
  use_own_arrays();
  FixedNumbers numbers(which);
  for (std::size_t b = 0; b < plan_.own_count(); ++b) {
    const BodyMass& m = masses_[b];
    for (std::size_t i = 0; i < 6; ++i) {
      f_[6 * b + i] = numbers.next() * (i < 3 ? m.mass : 1.0 / m.mean_inverse_inertia);
    }
    for (std::size_t i = 0; i < 6; ++i) a_[6 * b + i] = numbers.next();
  }
  std::fill(biases_.begin(), biases_.end(), 0.0);
  for (Child& child : children_) {
    std::fill(child.loads.begin(), child.loads.end(), 0.0);
    child.functions.make_test_load(child.functions.self, which, child.motion.data());
    for (const PlanChild::Port& port : child.plan->ports) {
      if (port.ghost != kNone) std::copy_n(&child.motion[at(port.first)], 6, &a_[6 * at(port.ghost)]);
    }
  }
  std::fill(u_.begin(), u_.end(), 0.0);
  visit_joints([&](const JointRows& joint, const JointView& side_a, const JointView& side_b) {
    double* const u = &u_[at(joint.first_row)];
    if (joint.a >= 0) add_row_products(side_a, &a_[6 * at(joint.a)], u);
    if (joint.b >= 0) add_row_products(side_b, &a_[6 * at(joint.b)], u);
  });
  if (!plan_.ports.empty()) port_mobility_.put_motions(a_, arms_, {at_ports, received_.size()});
}

void ComponentNode::forget() {
  for (const Op& op : plan_.program.ops) {
    if (!Program::decides(op)) continue;
    elimination_.decisions()[at(op.decision)] = {};
    const std::span<std::int32_t> order = elimination_.order_of(op);
    std::iota(order.begin(), order.end(), 0);
  }
  has_dropped_ = false;
  for (const Child& child : children_) child.functions.forget(child.functions.self);
}

void ComponentNode::note_dropped() {
  const Program& program = plan_.program;
  is_dropped_.assign(program.layout.row_numbers.size(), 0);
  const auto drop = [&](const JointRows& joint, std::size_t row) { is_dropped_[at(joint.first_row) + row] = 1; };
  for (const Op& op : program.ops) {
    if (!Program::decides(op)) continue;
    const auto accepted = at(elimination_.decisions()[at(op.decision)].accepted);
    for (const std::int32_t place : elimination_.order_of(op).subspan(accepted)) {
      std::size_t row = at(place);
      for (const Closing& closing : program.closing_of(op)) {
        const JointRows& joint = program.layout.joints[at(closing.joint)];
        if (row < joint.row_count()) {
          drop(joint, row);
          break;
        }
        row -= joint.row_count();
      }
    }
  }
  for (const std::int32_t j : program.idle) {
    const JointRows& joint = program.layout.joints[at(j)];
    for (std::size_t row = 0; row < joint.row_count(); ++row) drop(joint, row);
  }
  has_dropped_ = true;
}

std::size_t ComponentNode::memory() const {
  std::size_t total = elimination_.memory() + own_masses_.size() * sizeof(BodyMass);
  for (const std::vector<double>* numbers :
       {&arms_, &biases_, &f_, &u_, &a_, &lambda_, &tau_, &received_, &rest_f_, &rest_u_, &more_a_, &more_lambda_}) {
    total += numbers->size() * sizeof(double);
  }
  for (const Child& child : children_) {
    total += (child.mobility.size() + child.ghost_mobility.size() + child.ghost_rates.size() + 6 * child.plan->size) *
             sizeof(double);
  }
  return total;
}

}  // namespace gelenk::solve
