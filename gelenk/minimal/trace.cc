#include <fmt/format.h>

#include <functional>

#include "gelenk/base/index.h"
#include "gelenk/base/units.h"
#include "gelenk/mechanics/coordinates.h"
#include "gelenk/mechanics/gravity.h"
#include "gelenk/minimal/traced_kernels.h"
#include "gelenk/minimal/traced_machine.h"
#include "gelenk/minimal/traced_signals.h"

namespace gelenk::minimal {
namespace {

using mechanics::Prescribed;
using mechanics::RowJacobian;
using symbolic::Symbol;

class Tracer {
 public:
  Tracer(const system::System& system, const system::Params& params, TracedMachine& machine, Diagnostics& diagnostics)
      : system_(system),
        params_(params),
        machine_(machine),
        diagnostics_(diagnostics),
        parameters_(machine),
        motions_(system, params, machine, parameters_),
        signals_(system, params, motions_, machine, parameters_) {}

  void run() {
    refuse_elements();
    trace_motion();
    trace_states();
    trace_rows();
    trace_outputs();
    if (machine_.rows.empty()) solve();
    drop_unused_parameters();
  }

 private:
  symbolic::Graph& graph() { return machine_.graph; }

  // Traces one element; what it needs that is not known is its error.
  void attempt(const std::string& path, const char* kind, const SourceRange& where, const std::function<void()>& work) {
    try {
      work();
      if (graph().take_question()) throw NotKnown{"a formula that changes with its value"};
    } catch (const NotKnown& unknown) {
      refuse(path, kind, where, unknown.what);
    }
  }
  void refuse(const std::string& path, const char* kind, const SourceRange& where, const std::string& what) {
    const ElementScope element(diagnostics_, path, kind);
    diagnostics_.error(Code::no_equations, where, fmt::format("it needs {}: its equations cannot be written", what),
                       "`gelenk run` simulates it");
  }

  void refuse_elements() {
    for (const system::SealedComponent& sealed : system_.sealed) {
      refuse(sealed.path, "assembly", sealed.where, "a sealed component");
    }
    for (const system::NativeCode& code : system_.codes) refuse(code.path, "code", code.where, "code in C");
    for (const system::Contact& contact : system_.contacts) refuse(contact.path, "contact", contact.where, "contacts");
    for (const system::HardLaw& law : system_.hard_laws) {
      const system::Force& force = system_.forces[at(law.force)];
      refuse(force.path, "force", force.where, "a hard force");
    }
    for (const system::Node& node : system_.nodes) refuse(node.path, "node", node.where, "a point without mass");
  }

  void trace_motion() {
    const TreeKernel<Traced>& kernel = motions_.kernel();
    for (const Traced& entry : kernel.mass_matrix()) machine_.mass.push_back(entry.in(graph()));
    std::vector<Traced> force = kernel.bias();
    for (Traced& entry : force) entry = -entry;
    add_weights(force);
    for (std::size_t f = 0; f < system_.forces.size(); ++f) {
      const system::Force& element = system_.forces[f];
      attempt(element.path, "force", element.where, [&] { add_force(static_cast<std::int32_t>(f), force); });
    }
    for (const Traced& entry : force) machine_.force.push_back(entry.in(graph()));
    position_rates();
  }

  // Gravity that is not the same everywhere.
  void add_weights(std::vector<Traced>& force) {
    const auto* const point = std::get_if<model::PointGravity>(&params_.gravity);
    if (point == nullptr) return;
    using std::sqrt;
    const Traced strength = parameters_("gravity.strength", "m^3/s^2", point->strength);
    const Vec3<Traced> center = parameters_.vector("gravity.center", "m", point->center);
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      const auto body = static_cast<std::int32_t>(b);
      const Vec3<Traced> r = motions_.body(body).p - center;
      const Traced square = r.dot(r);
      const Traced mass = parameters_(system_.lead_part(b).path + ".mass", "kg", params_.bodies[b].mass);
      motions_.project_on_body(body, Vec3<Traced>(r * (-strength * mass / (square * sqrt(square)))), force);
    }
  }

  void add_force(std::int32_t index, std::vector<Traced>& force) {
    const std::int32_t coordinate = system_.forces[at(index)].coordinate;
    const mechanics::ForceResult<Traced> result = signals_.force(index);
    if (coordinate >= 0) {
      add_effort(coordinate, result.effort, force);
      return;
    }
    if (result.frame_a >= 0) motions_.project(result.frame_a, result.on_a, force);
    if (result.frame_b >= 0) motions_.project(result.frame_b, result.on_b, force);
  }

  void add_effort(std::int32_t coordinate, const Traced& effort, std::span<Traced> force) {
    const std::int32_t link = machine_.tree.link_of_coordinate[at(coordinate)];
    if (link >= 0) {
      force[at(machine_.tree.links[at(link)].rate)] += effort;
      return;
    }
    const system::Coordinate& c = system_.coordinates[at(coordinate)];
    const system::Joint& joint = system_.joints[at(c.joint)];
    const RowJacobian<Traced> J = mechanics::coordinate_jacobian<Traced>(
        *c.type, motions_.frame(joint.frame_a), motions_.frame(joint.frame_b), params_.curve(c.curve));
    motions_.project(joint.frame_a, {J.a_linear * effort, J.a_angular * effort}, force);
    motions_.project(joint.frame_b, {J.b_linear * effort, J.b_angular * effort}, force);
  }

  // ẋ: of an orientation q̇ = q (0, ω) / 2.
  void position_rates() {
    for (const Link& link : machine_.tree.links) {
      if (link.kind == Link::Kind::fixed) continue;
      const auto v = [&](int k) { return Traced(graph(), machine_.v[at(link.rate + k)]); };
      if (link.kind != Link::Kind::ball) {
        machine_.position_rates.push_back(v(0).in(graph()));
        continue;
      }
      const auto q = [&](int k) { return Traced(graph(), machine_.x[at(link.position + k)]); };
      const Traced half(0.5);
      for (const Traced& rate :
           {half * -(q(1) * v(0) + q(2) * v(1) + q(3) * v(2)), half * (q(0) * v(0) + q(2) * v(2) - q(3) * v(1)),
            half * (q(0) * v(1) + q(3) * v(0) - q(1) * v(2)), half * (q(0) * v(2) + q(1) * v(1) - q(2) * v(0))}) {
        machine_.position_rates.push_back(rate.in(graph()));
      }
    }
  }

  void add_row(const std::string& name, const Traced& value, const std::vector<Traced>& columns, const Traced& rate,
               const Traced& bias) {
    machine_.rows.push_back(name);
    machine_.row_values.push_back(value.in(graph()));
    for (const Traced& column : columns) machine_.row_matrix.push_back(column.in(graph()));
    machine_.row_rates.push_back(rate.in(graph()));
    machine_.row_biases.push_back(bias.in(graph()));
  }

  void trace_rows() {
    for (const std::int32_t number : machine_.tree.cut_joints) {
      const system::Joint& joint = system_.joints[at(number)];
      attempt(joint.path, "joint", joint.where, [&] {
        for (std::int32_t r = 0; r < joint.row_count; ++r) add_joint_row(joint, joint.first_row + r);
      });
    }
    for (std::size_t c = 0; c < system_.couplings.size(); ++c) {
      const system::Coupling& coupling = system_.couplings[c];
      attempt(coupling.path, "joint", coupling.where, [&] { add_coupling(c); });
    }
    for (const system::Driver& driver : system_.drivers) {
      attempt(driver.path, "driver", driver.where, [&] { add_driver(driver); });
    }
  }

  void add_joint_row(const system::Joint& joint, std::int32_t number) {
    const system::Row& row = system_.rows[at(number)];
    if (row.curve >= 0) throw NotKnown{"a curve"};
    const Motion<Traced> A = motions_.frame(row.frame_a), B = motions_.frame(row.frame_b);
    const double length = params_.row_constants[at(number)];
    const Prescribed<Traced> none;
    if (row.kind == system::RowKind::distance) return add_distance(joint, row, A, B, length);
    const Traced value = row.is_of_velocity() ? Traced(0.0) : mechanics::row_value<Traced>(row, A, B, length, none);
    const RowJacobian<Traced> J = mechanics::row_jacobian<Traced>(row, A, B, length, none);
    std::vector<Traced> columns(machine_.v.size(), Traced(0.0));
    motions_.project(row.frame_a, {J.a_linear, J.a_angular}, columns);
    motions_.project(row.frame_b, {J.b_linear, J.b_angular}, columns);
    // u of equation (3) of rows.h for the accelerations of the frames themselves
    const Vec3<Traced> zero = Vec3<Traced>::Zero();
    const Traced u = mechanics::row_bias<Traced>(row, A, B, zero, zero, length, none);
    const TracedMotions::Bias a = motions_.frame_bias(row.frame_a), b = motions_.frame_bias(row.frame_b);
    const Traced known =
        J.a_linear.dot(a.linear) + J.a_angular.dot(a.angular) + J.b_linear.dot(b.linear) + J.b_angular.dot(b.angular);
    add_row(joint.path, value, columns, Traced(0.0), u - known);
  }

  // W·W = L², with L as a parameter. W: from the first origin to the second.
  void add_distance(const system::Joint& joint, const system::Row& row, const Motion<Traced>& A,
                    const Motion<Traced>& B, double length) {
    const Traced L = parameters_(joint.path + ".length", "m", length);
    const Vec3<Traced> W = B.p - A.p, rate = B.v - A.v;
    std::vector<Traced> columns(machine_.v.size(), Traced(0.0));
    motions_.project(row.frame_b, {W, Vec3<Traced>::Zero()}, columns);
    motions_.project(row.frame_a, {-W, Vec3<Traced>::Zero()}, columns);
    const Vec3<Traced> bias = motions_.frame_bias(row.frame_b).linear - motions_.frame_bias(row.frame_a).linear;
    add_row(joint.path, (W.dot(W) - L * L) * Traced(0.5), columns, Traced(0.0), -(rate.dot(rate) + W.dot(bias)));
  }

  std::int32_t link_of(std::int32_t coordinate) const {
    const std::int32_t link = machine_.tree.link_of_coordinate[at(coordinate)];
    if (link < 0) throw NotKnown{"the coordinate of a joint that closes a loop"};
    return link;
  }

  void add_coupling(std::size_t number) {
    const system::Coupling& coupling = system_.couplings[number];
    if (coupling.has_shafts) throw NotKnown{"a coupling with a shaft"};
    if (coupling.law >= 0) return add_law(coupling);
    Traced value = -parameters_(coupling.path + ".constant", "SI", params_.coupling_constants[number]);
    std::vector<Traced> columns(machine_.v.size(), Traced(0.0));
    for (std::int32_t t = coupling.first_term; t < coupling.first_term + coupling.term_count; ++t) {
      const Link& link = machine_.tree.links[at(link_of(system_.coupling_terms[at(t)].coordinate))];
      const Traced factor = parameters_(fmt::format("{}.factor_{}", coupling.path, t - coupling.first_term + 1), "SI",
                                        params_.coupling_factors[at(t)]);
      value += factor * Traced(graph(), machine_.x[at(link.position)]);
      columns[at(link.rate)] += factor;
    }
    add_row(coupling.path, value, columns, Traced(0.0), Traced(0.0));
  }

  // A formula of coordinates that is zero.
  void add_law(const system::Coupling& coupling) {
    const Traced value(graph(), signals_.signal(coupling.law).in(graph()));
    std::vector<Traced> columns(machine_.v.size(), Traced(0.0));
    for (const Link& link : machine_.tree.links) {
      if (link.rate_count() != 1) continue;
      const std::array of{value.in(graph())};
      columns[at(link.rate)] = Traced(graph(), differentiate(graph(), of, machine_.x[at(link.position)])[0]);
    }
    add_row(coupling.path, value, columns, Traced(0.0), -along_motion(along_motion(value)));
  }

  void add_driver(const system::Driver& driver) {
    const Link& link = machine_.tree.links[at(link_of(driver.coordinate))];
    const Traced law(graph(), signals_.signal(driver.law).in(graph()));
    Traced place = law, rate = law, acceleration = law;
    using Level = model::DriverNode::Level;
    if (driver.level == Level::position) {
      rate = along_motion(place);
      acceleration = along_motion(rate);
    } else {
      place = followed(driver, 0);
      if (driver.level == Level::acceleration) rate = followed(driver, 1);
      if (driver.level == Level::rate) acceleration = along_motion(rate);
    }
    std::vector<Traced> columns(machine_.v.size(), Traced(0.0));
    columns[at(link.rate)] = Traced(1.0);
    add_row(driver.path, Traced(graph(), machine_.x[at(link.position)]) - place, columns, -rate, acceleration);
  }

  // Place, or rate, of what a driver that prescribes a rate or an acceleration has come to.
  Traced followed(const system::Driver& driver, std::int32_t order) {
    for (std::size_t s = 0; s < machine_.states.size(); ++s) {
      if (machine_.state_places[s] == driver.extra + order) return {graph(), machine_.s[s]};
    }
    throw NotKnown{"a driver without a state"};
  }

  // d/dt of what depends on time, positions and states.
  Traced along_motion(const Traced& value) {
    if (value.is_number()) return {0.0};
    const std::array of{value.in(graph())};
    Traced sum(graph(), differentiate(graph(), of, machine_.time)[0]);
    const auto add = [&](const std::vector<Id>& variables, const std::vector<Id>& rates) {
      if (variables.size() != rates.size()) throw NotKnown{"a state without a formula"};
      for (std::size_t i = 0; i < variables.size(); ++i) {
        const Traced slope(graph(), differentiate(graph(), of, variables[i])[0]);
        if (!slope.is(0.0)) sum += slope * Traced(graph(), rates[i]);
      }
    };
    add(machine_.x, machine_.position_rates);
    add(machine_.s, machine_.state_rates);
    return sum;
  }

  void trace_states() {
    for (const system::IntegratedState& state : system_.states) {
      attempt(state.path, "state", state.where,
              [&] { machine_.state_rates.push_back(signals_.signal(state.rate).in(graph())); });
    }
    for (const system::Driver& driver : system_.drivers) {
      if (driver.extra < 0) continue;
      attempt(driver.path, "driver", driver.where, [&] {
        const Id law = signals_.signal(driver.law).in(graph());
        if (driver.level == model::DriverNode::Level::acceleration) {
          machine_.state_rates.push_back(machine_.s[machine_.state_rates.size() + 1]);
        }
        machine_.state_rates.push_back(law);
      });
    }
  }

  void trace_outputs() {
    for (std::size_t o = 0; o < system_.outputs.size(); ++o) {
      const system::Output& output = system_.outputs[o];
      try {
        const Id value = signals_.signal(output.value).in(graph());
        if (graph().take_question()) throw NotKnown{"a formula that changes with its value"};
        machine_.output_values.push_back(value);
        machine_.outputs.push_back({output.path, "SI", 0.0});
      } catch (const NotKnown& unknown) {
        machine_.left_out.push_back(fmt::format("{} (it reads {})", output.path, unknown.what));
      }
    }
  }

  // M = Lᵀ D L from the leaves to the ground: what is zero in M because of the tree stays so.
  void solve() {
    const std::size_t n = machine_.v.size();
    const auto entry = [n](std::size_t i, std::size_t k) { return i * n + k; };
    std::vector<Traced> M;
    for (const Id id : machine_.mass) M.emplace_back(graph(), id);
    std::vector<Traced> a;
    for (const Id id : machine_.force) a.emplace_back(graph(), id);
    std::vector<Traced> inverse(n);
    for (std::size_t k = n; k-- > 0;) {
      inverse[k] = Traced(1.0) / M[entry(k, k)];
      for (std::size_t i = k; i-- > 0;) {
        const Traced factor = M[entry(k, i)] * inverse[k];
        if (factor.is(0.0)) continue;
        for (std::size_t j = 0; j <= i; ++j) M[entry(i, j)] -= factor * M[entry(k, j)];
        M[entry(k, i)] = factor;
      }
    }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t i = 0; i < k; ++i) a[i] -= M[entry(k, i)] * a[k];
    }
    for (std::size_t k = 0; k < n; ++k) {
      a[k] *= inverse[k];
      for (std::size_t i = 0; i < k; ++i) a[k] -= M[entry(k, i)] * a[i];
    }
    for (const Traced& value : a) machine_.accelerations.push_back(value.in(graph()));
  }

  void drop_unused_parameters() {
    std::vector<Id> results;
    for (const std::vector<Id>* part :
         {&machine_.position_rates, &machine_.mass, &machine_.force, &machine_.state_rates, &machine_.row_values,
          &machine_.row_matrix, &machine_.row_rates, &machine_.row_biases, &machine_.output_values}) {
      results.insert(results.end(), part->begin(), part->end());
    }
    const std::vector<bool> is_needed = needed(graph(), results);
    std::vector<NamedNumber> parameters;
    std::vector<Id> p;
    for (std::size_t i = 0; i < machine_.p.size(); ++i) {
      if (!is_needed[at(machine_.p[i])]) continue;
      parameters.push_back(machine_.parameters[i]);
      p.push_back(machine_.p[i]);
    }
    machine_.parameters = std::move(parameters);
    machine_.p = std::move(p);
  }

  const system::System& system_;
  const system::Params& params_;
  TracedMachine& machine_;
  Diagnostics& diagnostics_;
  Parameters parameters_;
  TracedMotions motions_;
  TracedSignals signals_;
};

// "hinge.angle", "hip.orientation.q0", "ball.center_of_mass.x". Results have channels for part origins and for angular
// velocities in world axes: what is something else has another name.
void name_coordinates(const system::System& system, const Link& link, TracedMachine& machine) {
  static constexpr std::string_view kAxes = "xyz";
  if (link.kind == Link::Kind::fixed) return;
  const bool is_free = link.coordinate < 0;
  std::string body;
  if (is_free) {
    for (const Link* next = &link; body.empty(); ++next) {
      if (next->body >= 0) body = system.lead_part(at(next->body)).path;
    }
  }
  const std::string base = is_free ? body : system.joints[at(link.joint)].path;
  if (link.kind == Link::Kind::ball) {
    for (int k = 0; k < 4; ++k) machine.positions.push_back({fmt::format("{}.orientation.q{}", base, k), "1", 0.0});
    for (const char axis : kAxes)
      machine.rates.push_back({fmt::format("{}.body_angular_velocity.{}", base, axis), "rad/s"});
    return;
  }
  if (is_free) {
    const char axis = kAxes[at(link.axis)];
    machine.positions.push_back({fmt::format("{}.center_of_mass.{}", base, axis), "m"});
    machine.rates.push_back({fmt::format("{}.center_of_mass_velocity.{}", base, axis), "m/s"});
    return;
  }
  const model::Coordinate& type = *system.coordinates[at(link.coordinate)].type;
  machine.positions.push_back(
      {fmt::format("{}.{}", base, type.name), std::string(quantity_info(type.quantity()).si_symbol)});
  machine.rates.push_back(
      {fmt::format("{}.{}", base, type.rate), std::string(quantity_info(type.rate_quantity()).si_symbol)});
}

void make_symbols(symbolic::Graph& graph, const std::vector<NamedNumber>& numbers, std::vector<Id>& ids) {
  for (const NamedNumber& number : numbers) ids.push_back(graph.symbol(number.name, Symbol::Kind::variable));
}

}  // namespace

void trace(const system::System& system, const system::Params& params, const system::State& state,
           TracedMachine& machine, Diagnostics& diagnostics) {
  machine.tree = plan_tree(system, params);
  for (const Link& link : machine.tree.links) name_coordinates(system, link, machine);
  const TreeState start = read_tree_state(machine.tree, system, params, state);
  for (std::size_t i = 0; i < start.positions.size(); ++i) machine.positions[i].value = start.positions[i];
  for (std::size_t i = 0; i < start.rates.size(); ++i) machine.rates[i].value = start.rates[i];
  for (std::size_t s = 0; s < system.states.size(); ++s) {
    machine.states.push_back({system.states[s].path, "SI", state.extra[at(system.states[s].place)]});
    machine.state_places.push_back(system.states[s].place);
  }
  for (const system::Driver& driver : system.drivers) {
    if (driver.extra < 0) continue;
    static constexpr std::string_view kOrders[] = {"place", "rate"};
    const int orders = driver.level == model::DriverNode::Level::acceleration ? 2 : 1;
    for (int order = 0; order < orders; ++order) {
      machine.states.push_back(
          {fmt::format("{}.{}", driver.path, kOrders[order]), "SI", state.extra[at(driver.extra + order)]});
      machine.state_places.push_back(driver.extra + order);
    }
  }
  machine.time = machine.graph.symbol("time", Symbol::Kind::variable);
  make_symbols(machine.graph, machine.positions, machine.x);
  make_symbols(machine.graph, machine.rates, machine.v);
  make_symbols(machine.graph, machine.states, machine.s);
  try {
    Tracer(system, params, machine, diagnostics).run();
  } catch (const symbolic::TooManyOperations&) {
    diagnostics.error(
        Code::no_equations, system.parts.front().where,
        fmt::format("its equations have more than {} operations: a tree of {} coordinates, one behind the other",
                    symbolic::kMostNodes, machine.rates.size()),
        "`gelenk run` simulates it");
  }
}

}  // namespace gelenk::minimal
