#include "gelenk/solve/component_plan.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/solve/called_borders.h"
#include "gelenk/solve/elimination.h"
#include "gelenk/solve/port_mobility.h"

namespace gelenk::solve {
namespace {

// Operations of a component that take much longer (about 20 µs) than to start a thread on it.
constexpr double kWorthThread = 40e3;

class TreePlanner {
 public:
  explicit TreePlanner(Plan& plan)
      : plan_(plan),
        owner_(plan.partition.owner),
        children_(owner_.size()),
        depth_(owner_.size(), 0),
        node_of_(owner_.size(), kNone),
        ports_(owner_.size()),
        touched_(owner_.size()) {
    for (std::size_t c = 1; c < owner_.size(); ++c) {
      children_[at(owner_[c])].push_back(static_cast<std::int32_t>(c));
      depth_[c] = depth_[at(owner_[c])] + 1;
    }
    foreign_of_port_.assign(plan.partition.ports.size(), kNone);
    foreign_of_.assign(owner_.size(), kNone);
    for (std::size_t f = 0; f < plan.foreign.size(); ++f) {
      foreign_of_[at(plan.foreign[f].component)] = static_cast<std::int32_t>(f);
      for (const std::int32_t port : plan.foreign[f].ports) foreign_of_port_[at(port)] = static_cast<std::int32_t>(f);
    }
  }

  void plan() {
    assign_joints();
    assign_ports();
    plan_.nodes.reserve(owner_.size());  // programs stay where they are
    plan_.home_of_joint.assign(plan_.machine_layout.joints.size(), 0);
    for (std::size_t c = 0; c < joints_.size(); ++c) {
      for (const std::int32_t j : joints_[c]) plan_.home_of_joint[at(j)] = static_cast<std::int32_t>(c);
    }
    if (plan_.is_anchored()) {
      values_ = plan_.values;
      move_rows_to_bodies(plan_, plan_.port_arms, values_);
      borders_ = called_borders(plan_, children_, joints_);
    }
    // Owners come before what they own in a partition: backwards, they come last.
    for (std::size_t c = owner_.size(); c-- > 0;) {
      if (foreign_of_[c] == kNone) plan_component(static_cast<std::int32_t>(c));
    }
    if (plan_.is_whole()) {
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
  bool is_port(std::int32_t end) const { return at(end) >= plan_.masses.size(); }
  std::int32_t port_of(std::int32_t end) const { return end - static_cast<std::int32_t>(plan_.masses.size()); }

  std::int32_t component_of_port(std::size_t port) const {
    const std::int32_t body = plan_.ports[port].body;
    return body == kNone ? plan_.foreign[at(foreign_of_port_[port])].component
                         : plan_.partition.component_of_body[at(body)];
  }
  std::int32_t component_of(std::int32_t end) const {
    if (end < 0) return kNone;
    return is_port(end) ? component_of_port(at(port_of(end))) : plan_.partition.component_of_body[at(end)];
  }

  // Of a joint between two components, either of which may be the ground. A component from elsewhere takes nothing in:
  // joints of its ports with each other or with the ground are its owner's.
  std::int32_t home_of(std::int32_t a, std::int32_t b) const {
    if (a == kNone && b == kNone) return 0;
    const std::int32_t home = a == kNone || b == kNone ? std::max(a, b) : plan_.partition.common_owner(a, b);
    return foreign_of_[at(home)] == kNone ? home : owner_[at(home)];
  }

  // Every joint belongs to the lowest component that contains both ends; where it is written does not count.
  void assign_joints() {
    plan_.ports = plan_.partition.ports;
    const std::size_t bodies = plan_.masses.size();
    joints_.assign(owner_.size(), {});
    std::vector<std::int32_t> made_home(bodies, kNone);  // of the port that a body needs
    std::vector<char> is_made(bodies, 0);
    for (std::size_t j = 0; j < plan_.machine_layout.joints.size(); ++j) {
      const JointRows& joint = plan_.machine_layout.joints[j];
      const std::int32_t home = home_of(component_of(joint.a), component_of(joint.b));
      joints_[at(home)].push_back(static_cast<std::int32_t>(j));
      for (const std::int32_t end : {joint.a, joint.b}) {
        if (end < 0 || is_port(end) || component_of(end) == home) continue;
        std::int32_t& outermost = made_home[at(end)];
        if (is_made[at(end)] == 0 || depth_[at(home)] < depth_[at(outermost)]) outermost = home;
        is_made[at(end)] = 1;
      }
    }
    made_port_.assign(bodies, kNone);
    for (std::size_t b = 0; b < bodies; ++b) {
      if (is_made[b] == 0) continue;
      made_port_[b] = static_cast<std::int32_t>(plan_.ports.size());
      plan_.ports.push_back({static_cast<std::int32_t>(b), made_home[b]});
    }
    for (std::size_t c = 0; c < owner_.size(); ++c) {
      for (const std::int32_t j : joints_[c]) {
        const JointRows& joint = plan_.machine_layout.joints[at(j)];
        for (const std::int32_t end : {joint.a, joint.b}) {
          const std::optional<std::int32_t> port = seen_port(end, static_cast<std::int32_t>(c));
          if (port) touched_[c].push_back(*port);
        }
      }
      std::sort(touched_[c].begin(), touched_[c].end());
    }
  }

  // The port by which a joint of a component sees its end; nothing: a body of its own.
  std::optional<std::int32_t> seen_port(std::int32_t end, std::int32_t home) const {
    if (end < 0) return std::nullopt;
    if (is_port(end)) return port_of(end);
    if (component_of(end) == home) return std::nullopt;
    return made_port_[at(end)];
  }

  // A port belongs to the border of every component between its body and its home.
  void assign_ports() {
    for (std::size_t p = 0; p < plan_.ports.size(); ++p) {
      for (std::int32_t c = component_of_port(p); c != plan_.ports[p].home; c = owner_[at(c)]) {
        ports_[at(c)].push_back(static_cast<std::int32_t>(p));
      }
    }
  }

  // Whether the program of a component has a body for a port: only for joints, its own or those of its owners.
  bool needs_ghost(std::int32_t component, std::int32_t port) const {
    const std::vector<std::int32_t>& touched = touched_[at(component)];
    const std::vector<std::int32_t>& border = ports_[at(component)];
    return std::binary_search(touched.begin(), touched.end(), port) ||
           std::binary_search(border.begin(), border.end(), port);
  }

  // What the ghosts of ports are scaled with.
  BodyMass reference_of(std::size_t port) const {
    BodyMass mass = plan_.ports[port].body == kNone ? mass_behind(plan_, static_cast<std::int32_t>(port))
                                                    : plan_.masses[at(plan_.ports[port].body)];
    mass.mass = rounded_reference(mass.mass);
    mass.mean_inverse_inertia = rounded_reference(mass.mean_inverse_inertia);
    mass.inertia.fill(0.0);
    return mass;
  }

  void add_child(std::int32_t component, NodePlan& node, PlanChild child, std::span<const std::int32_t> ports,
                 std::span<const double> D, PlanOptions& options) {
    GivenFront front;
    for (const std::int32_t number : ports) {
      PlanChild::Port& port = child.ports.emplace_back();
      port.number = number;
      port.first = static_cast<std::int32_t>(child.size);
      port.is_home = plan_.ports[at(number)].home == component;
      child.size += at(plan_.ports[at(number)].width);
      if (!needs_ghost(component, number)) continue;
      port.ghost = static_cast<std::int32_t>(node.program_bodies());
      node.references.push_back(reference_of(at(number)));
      front.bodies.push_back(port.ghost);
      ghost_[at(number)] = port.ghost;
    }
    if (!front.bodies.empty()) {
      child.given = static_cast<std::int32_t>(options.given.size());
      const std::size_t size = 6 * front.bodies.size();
      pick_mobility(child, D, given_mobility_.emplace_back(size * size));
      options.given.push_back(std::move(front));
    }
    node.children.push_back(std::move(child));
  }

  void add_children(std::int32_t component, NodePlan& node, PlanOptions& options) {
    given_mobility_.clear();
    ghost_.assign(plan_.ports.size(), kNone);
    for (const std::int32_t child : children_[at(component)]) {
      PlanChild plan;
      plan.node = node_of_[at(child)];
      plan.foreign = foreign_of_[at(child)];
      if (plan.foreign == kNone) {
        add_child(component, node, plan, ports_[at(child)], mobility_[at(plan.node)], options);
      } else {
        const ForeignComponent& foreign = plan_.foreign[at(plan.foreign)];
        add_child(component, node, plan, foreign.ports, foreign.mobility, options);
      }
    }
    for (const std::vector<double>& D : given_mobility_) options.given_mobility.push_back(D.data());
  }

  void add_ports(std::int32_t component, NodePlan& node) const {
    for (const std::int32_t number : ports_[at(component)]) {
      PlanPort& port = node.ports.emplace_back();
      port.number = number;
      port.body = ghost_[at(number)] != kNone ? ghost_[at(number)] : local_[at(plan_.ports[at(number)].body)];
      const auto known = std::find(node.border.begin(), node.border.end(), port.body);
      if (known == node.border.end()) node.border.push_back(port.body);
    }
  }

  JointRowLayout layout_of(std::int32_t component, NodePlan& node, PlanOptions& options) const {
    JointRowLayout layout;
    layout.value_count = plan_.machine_layout.value_count;
    for (const std::int32_t j : joints_[at(component)]) {
      JointRows joint = plan_.machine_layout.joints[at(j)];
      const std::span<const std::int32_t> rows = plan_.machine_layout.rows_of(joint);
      joint.first_row = static_cast<std::int32_t>(layout.row_numbers.size());
      layout.row_numbers.insert(layout.row_numbers.end(), rows.begin(), rows.end());
      for (std::int32_t* const end : {&joint.a, &joint.b}) {
        if (*end < 0) continue;
        if (plan_.is_anchored()) {
          *end = local_[at(is_port(*end) ? plan_.ports[at(port_of(*end))].body : *end)];
          continue;
        }
        const std::optional<std::int32_t> port = seen_port(*end, component);
        *end = port ? ghost_[at(*port)] : local_[at(*end)];
      }
      if (std::find(plan_.freed.begin(), plan_.freed.end(), j) != plan_.freed.end()) {
        options.freed.push_back(static_cast<std::int32_t>(layout.joints.size()));
      }
      layout.joints.push_back(joint);
      node.joints.push_back(j);
    }
    return layout;
  }

  void plan_component(std::int32_t component) {
    NodePlan node;
    local_.assign(plan_.masses.size(), kNone);
    std::vector<BodyMass> masses;
    for (std::size_t b = 0; b < plan_.masses.size(); ++b) {
      if (plan_.partition.component_of_body[b] != component) continue;
      local_[b] = static_cast<std::int32_t>(node.bodies.size());
      node.bodies.push_back(static_cast<std::int32_t>(b));
      masses.push_back(plan_.masses[b]);
    }
    PlanOptions options;
    options.tau = plan_.tau;
    options.form = plan_.form;
    if (plan_.is_anchored()) {
      add_ghosts(component, node);
      for (const std::int32_t child : children_[at(component)]) add_called_child(child, node, options);
      put_border(component, node, options);
      ghost_ = carriers();
    } else {
      add_children(component, node, options);
    }
    add_ports(component, node);
    if (!plan_.is_anchored()) options.borders = node.border;
    masses.insert(masses.end(), node.references.begin(), node.references.end());
    const JointRowLayout layout = layout_of(component, node, options);
    node.program = plan_elimination(layout, masses, plan_.is_anchored() ? values_ : plan_.values, options);
    count_operations(node);
    node_of_[at(component)] = static_cast<std::int32_t>(plan_.nodes.size());
    plan_.nodes.push_back(std::move(node));
    if (plan_.is_anchored()) {
      factor_planned(component, std::move(masses), options);
    } else {
      publish(masses, options);
    }
  }

  // A component that its owner calls, as it is at the pose of planning.
  void factor_planned(std::int32_t component, std::vector<BodyMass> masses, const PlanOptions& options) {
    Planned& planned = planned_.emplace_back();
    if (component == 0) return;
    planned.masses = std::move(masses);
    planned.elimination = std::make_unique<Elimination>(plan_.nodes.back().program);
    if (borders_[at(component)].bodies.empty() && !borders_[at(component)].is_seated) return;
    for (std::size_t g = 0; g < options.called.size(); ++g) {
      planned.elimination->set_callee(g, {nullptr, options.called[g]});
    }
    planned.elimination->load(planned.masses, values_.data());
    planned.elimination->factor(plan_.tau);
  }

  // Bodies of others that a program sees: what the component is on, and those of components inside with joints of their
  // owners.
  void add_ghosts(std::int32_t component, NodePlan& node) {
    const auto add = [&](std::int32_t body) {
      local_[at(body)] = static_cast<std::int32_t>(node.program_bodies());
      node.references.push_back(plan_.masses[at(body)]);
    };
    if (borders_[at(component)].is_seated) add(borders_[at(component)].anchor);
    for (const std::int32_t child : children_[at(component)]) {
      for (const std::int32_t body : borders_[at(child)].bodies) add(body);
    }
  }

  // Its ports are only where elements act.
  void add_called_child(std::int32_t child, NodePlan& node, PlanOptions& options) {
    PlanChild& plan = node.children.emplace_back();
    plan.node = node_of_[at(child)];
    for (const std::int32_t number : ports_[at(child)]) {
      PlanChild::Port& port = plan.ports.emplace_back();
      port.number = number;
      port.first = static_cast<std::int32_t>(plan.size);
      port.is_home = plan_.ports[at(number)].home == owner_[at(child)];
      plan.size += at(plan_.ports[at(number)].width);
    }
    const CalledBorder& border = borders_[at(child)];
    const NodePlan& inside = plan_.nodes[at(plan.node)];
    const std::vector<std::int32_t>& place_inside = places_[at(plan.node)];
    GivenFront front;
    front.is_called = true;
    front.is_seated = border.is_seated;
    if (border.anchor != kNone) front.anchor = local_[at(border.anchor)];
    std::vector<std::int32_t> ghost_of(inside.program.body_count, kNone);
    for (std::size_t i = 0; i < border.bodies.size(); ++i) {
      const std::int32_t ghost = local_[at(border.bodies[i])];
      front.bodies.push_back(ghost);
      front.inside.push_back(place_inside[i]);
      ghost_of[at(place_inside[i])] = ghost;
    }
    for (const std::int32_t body : inside.program.loaded) front.loaded.push_back(ghost_of[at(body)]);
    for (const std::int32_t op : inside.program.published) {
      GivenFront::Front& shown = front.fronts.emplace_back();
      shown.op = op;
      for (const std::int32_t body : inside.program.live_of(inside.program.ops[at(op)])) {
        shown.bodies.push_back(ghost_of[at(body)]);
      }
    }
    plan.given = static_cast<std::int32_t>(options.given.size());
    options.given.push_back(std::move(front));
    options.given_mobility.push_back(nullptr);
    options.called.push_back(&planned_[at(plan.node)].elimination->data());
  }

  // What the owner of a component sees of it.
  void put_border(std::int32_t component, NodePlan& node, PlanOptions& options) {
    node.is_anchored = true;
    const CalledBorder& border = borders_[at(component)];
    options.is_called = component != 0;
    options.borders.clear();
    options.is_seated = border.is_seated;
    if (border.anchor != kNone) options.anchor = local_[at(border.anchor)];
    for (const std::int32_t root : border.roots) options.roots.push_back(local_[at(root)]);
    std::vector<std::int32_t>& places = places_.emplace_back();
    for (std::size_t i = 0; i < border.bodies.size(); ++i) {
      const std::int32_t place = local_[at(border.bodies[i])];
      places.push_back(place);
      if (border.bodies[i] == border.anchor) continue;
      if (border.is_live[i] != 0) options.borders.push_back(place);
      if (border.is_loaded[i] != 0) options.loaded.push_back(place);
    }
  }

  void count_operations(NodePlan& node) const {
    const ProgramCost cost = cost_of(node.program);
    node.operations = cost.factor + cost.sweep;
    std::size_t large = 0;
    for (const PlanChild& child : node.children) {
      if (child.node == kNone) continue;
      const double inside = plan_.nodes[at(child.node)].operations;
      node.operations += inside;
      if (inside > kWorthThread) ++large;
    }
    node.is_parallel = large > 1;
  }

  // By port: the body that carries it, as the component at hand numbers them.
  std::vector<std::int32_t> carriers() const {
    std::vector<std::int32_t> result;
    for (const Port& port : plan_.ports) result.push_back(local_[at(port.body)]);
    return result;
  }

  // D of the component at the pose of planning.
  void publish(std::span<const BodyMass> masses, const PlanOptions& options) {
    const NodePlan& node = plan_.nodes.back();
    std::vector<double>& D = mobility_.emplace_back(36 * node.ports.size() * node.ports.size(), 0.0);
    if (node.ports.empty()) return;
    Elimination elimination(node.program);
    for (std::size_t g = 0; g < options.given_mobility.size(); ++g) {
      elimination.set_given(g, options.given_mobility[g], nullptr);
    }
    elimination.load(masses, plan_.values.data());
    elimination.factor(plan_.tau);
    std::vector<double> arms(3 * node.ports.size(), 0.0);
    put_arms(node, plan_.port_arms, arms);
    PortMobility(node).publish(elimination.data(), arms, D);
  }

  Plan& plan_;
  const std::vector<std::int32_t>& owner_;
  std::vector<std::vector<std::int32_t>> children_;
  std::vector<int> depth_;
  std::vector<std::int32_t> node_of_;               // by component
  std::vector<std::vector<std::int32_t>> ports_;    // of the border of each component
  std::vector<std::vector<std::int32_t>> touched_;  // by component: ports with joints of it
  std::vector<std::int32_t> foreign_of_;            // by component
  std::vector<std::int32_t> foreign_of_port_;       // by port of the partition
  std::vector<std::vector<std::int32_t>> joints_;   // by component
  std::vector<std::int32_t> made_port_;             // by body
  std::vector<std::vector<double>> mobility_;       // by node
  // Of components that are called
  struct Planned {
    std::vector<BodyMass> masses;
    std::unique_ptr<Elimination> elimination;
  };
  std::vector<double> values_;                     // rows at bodies
  std::vector<CalledBorder> borders_;              // by component
  std::deque<Planned> planned_;                    // by node
  std::vector<std::vector<std::int32_t>> places_;  // by node: of the bodies at its border
  // Of the component at hand
  std::vector<std::int32_t> local_;  // by body of the machine
  std::vector<std::int32_t> ghost_;  // by port
  std::vector<std::vector<double>> given_mobility_;
};

}  // namespace

double rounded_reference(double value) { return std::pow(4.0, std::round(std::log2(value) / 2.0)); }

ProgramCost Plan::cost() const {
  ProgramCost total;
  for (const NodePlan& node : nodes) total += cost_of(node.program);
  return total;
}

std::size_t Plan::port_size() const {
  std::size_t size = 0;
  for (const Port& port : partition.ports) size += at(port.width);
  return size;
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
  plan->port_arms = std::move(request.port_arms);
  plan->foreign = std::move(request.foreign);
  const bool has_outside = std::any_of(plan->partition.ports.begin(), plan->partition.ports.end(),
                                       [](const Port& port) { return port.home == kNone || port.body == kNone; });
  plan->borders = has_outside || !plan->foreign.empty() ? BorderForm::mobility : request.borders;
  TreePlanner(*plan).plan();
  return plan;
}

}  // namespace gelenk::solve
