#include "gelenk/minimal/traced_signals.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <limits>
#include <type_traits>
#include <variant>

#include "gelenk/base/index.h"
#include "gelenk/base/units.h"
#include "gelenk/mechanics/coordinates.h"
#include "gelenk/mechanics/forces/all.h"
#include "gelenk/mechanics/gravity.h"
#include "gelenk/mechanics/relative_motion.h"
#include "gelenk/minimal/traced_kernels.h"

namespace gelenk::minimal {
namespace {

using model::ChannelUse;
using system::ChannelRef;

// The numbers that a field writes into the data of an element: found by what changes when it writes others.
template <class Data, class Write>
std::vector<double*> numbers_in(Data& data, const Write& write) {
  Data one = data, same = data, other = data;
  write(one, 1.0);
  write(same, 1.0);
  write(other, 2.0);
  const auto differ = [](const Data& a, const Data& b, std::size_t place) {
    const auto* const bytes_of_a = reinterpret_cast<const unsigned char*>(&a) + place;
    const auto* const bytes_of_b = reinterpret_cast<const unsigned char*>(&b) + place;
    return std::memcmp(bytes_of_a, bytes_of_b, sizeof(double)) != 0;
  };
  std::vector<double*> numbers;
  for (std::size_t place = 0; place + sizeof(double) <= sizeof(Data); place += sizeof(double)) {
    if (!differ(one, other, place) || differ(one, same, place)) continue;
    numbers.push_back(reinterpret_cast<double*>(reinterpret_cast<unsigned char*>(&data) + place));
  }
  return numbers;
}

// Numbers of an element as parameters. A kernel sees each of them a little off, so that it is known again and differs
// from every constant of the kernel.
class NumberNames {
 public:
  NumberNames(const system::Force& force, Parameters& parameters, symbolic::Graph& graph)
      : force_(force), parameters_(parameters), graph_(graph) {}

  template <class Data>
  Data give(const Data& data) {
    Data result = data;
    if constexpr (!std::is_empty_v<Data>) {
      for (const model::Field& field : force_.type->fields) {
        if (field.store != nullptr) {
          name(field, numbers_in(result, [&](Data& to, double value) { field.store(&to, value); }));
        }
        if (field.store_vector != nullptr) {
          name(field, numbers_in(result, [&](Data& to, double value) {
                 field.store_vector(&to, std::array{value, value, value});
               }));
        }
      }
    }
    graph_.name_numbers(std::move(names_));
    return result;
  }

 private:
  void name(const model::Field& field, const std::vector<double*>& numbers) {
    static constexpr std::string_view kAxes = "xyz";
    for (std::size_t i = 0; i < numbers.size() && i < kAxes.size(); ++i) {
      const std::string axis = numbers.size() == 1 ? "" : fmt::format(".{}", kAxes[i]);
      const Traced parameter = parameters_(fmt::format("{}.{}{}", force_.path, field.key, axis),
                                           quantity_info(field.quantity).si_symbol, *numbers[i]);
      if (parameter.is_number()) continue;
      for (int bump = ++bumps_; bump > 0; --bump) {
        *numbers[i] = std::nextafter(*numbers[i], std::numeric_limits<double>::infinity());
      }
      names_.emplace_back(*numbers[i], parameter.in(graph_));
    }
  }

  const system::Force& force_;
  Parameters& parameters_;
  symbolic::Graph& graph_;
  std::vector<std::pair<double, Id>> names_;
  int bumps_ = 0;
};

}  // namespace

TracedSignals::TracedSignals(const system::System& system, const system::Params& params, const TracedMotions& motions,
                             TracedMachine& machine, Parameters& parameters)
    : system_(system), params_(params), motions_(motions), machine_(machine), parameters_(parameters) {}

Traced TracedSignals::signal(std::int32_t index) const {
  const system::Signal& signal = system_.signals[at(index)];
  const system::SignalParams& numbers = params_.signals[at(index)];
  std::vector<Traced> symbols;
  for (std::size_t s = 0; s < signal.symbols.size(); ++s) symbols.push_back(symbol(signal, s, numbers.constants[s]));
  std::vector<Traced> results;
  for (const expression::ExpressionNode& node : signal.formula.nodes()) {
    results.push_back(node.op == Op::symbol ? symbols[at(node.index)] : operation(signal.formula, node, results));
  }
  return results.empty() ? Traced(0.0) : results.back() * Traced(numbers.factor);
}

Traced TracedSignals::symbol(const system::Signal& signal, std::size_t number, double value) const {
  const system::Symbol& symbol = signal.symbols[number];
  // Without the names of what was put into the formula, which end in slashes: what is the same number is one.
  const std::string& path = signal.formula.symbols()[number].name;
  const std::string name = path.substr(path.rfind('/') + 1);
  switch (symbol.kind) {
    case system::Symbol::Kind::constant:
      return parameters_(name, "SI", value);
    case system::Symbol::Kind::time:
      return {machine_.graph, machine_.time};
    case system::Symbol::Kind::channel:
      return channel(symbol.channel);
    case system::Symbol::Kind::input:
      return parameters_(name, "SI", params_.inputs[at(symbol.input)]);
  }
  return {0.0};
}

Traced TracedSignals::operation(const expression::Expression& formula, const expression::ExpressionNode& node,
                                const std::vector<Traced>& results) const {
  if (node.op == Op::constant) return {node.value};
  const Traced& a = results[at(node.a)];
  if (node.op == Op::table) return look_up(machine_.graph, *formula.tables()[at(node.index)], a);
  if (node.op == Op::table_derivative) throw NotKnown{"the slope of a table"};
  const auto id = [&](std::int32_t operand) {
    if (operand < 0) return Id{-1};
    const Traced& value = results[at(operand)];
    return value.is_number() ? machine_.graph.constant(value.number()) : value.in(machine_.graph);
  };
  return {machine_.graph, machine_.graph.make(node.op, id(node.a), id(node.b), id(node.c))};
}

Motion<Traced> TracedSignals::read_frame(std::int32_t number) const {
  return motions_.frame(system_.read_frames[at(number)]);
}

Motion<Traced> TracedSignals::read_motion(const ChannelRef& ref) const {
  const Motion<Traced> A = read_frame(ref.element);
  if (ref.relative_to < 0) return A;
  const Motion<Traced> B = read_frame(ref.relative_to);
  return mechanics::seen_from<Traced>(A, B, A.p - B.p);
}

Traced TracedSignals::channel(const ChannelRef& ref) const {
  using Kind = ChannelRef::Kind;
  const auto picked = [&ref](const Vec3<Traced>& v) -> Traced {
    if (ref.pick == ChannelUse::Pick::magnitude) return sqrt(v.dot(v));
    return v.x() * Traced(ref.weights[0]) + v.y() * Traced(ref.weights[1]) + v.z() * Traced(ref.weights[2]);
  };
  const auto joint_frames = [&](std::int32_t joint) {
    const system::Joint& own = system_.joints[at(joint)];
    return std::array{motions_.frame(own.frame_a), motions_.frame(own.frame_b)};
  };
  switch (ref.kind) {
    case Kind::part_position:
      return picked(motions_.part(ref.element).p);
    case Kind::part_velocity:
      return picked(motions_.part(ref.element).v);
    case Kind::part_angular_velocity:
      return picked(motions_.part(ref.element).w);
    case Kind::joint_coordinate:
      return motions_.coordinate(ref.coordinate) * Traced(ref.weights[0]);
    case Kind::joint_rate:
      return motions_.rate(ref.coordinate) * Traced(ref.weights[0]);
    case Kind::joint_angular_velocity: {
      const auto [A, B] = joint_frames(ref.element);
      return picked(A.R.transpose() * Vec3<Traced>(B.w - A.w));
    }
    case Kind::force_channel: {
      const mechanics::ForceResult<Traced> result = force(ref.element);
      const std::size_t first = at(ref.coordinate);
      if (ref.pick == ChannelUse::Pick::scalar) return result.channels[first] * Traced(ref.weights[0]);
      return picked({result.channels[first], result.channels[first + 1], result.channels[first + 2]});
    }
    case Kind::force_energy:
      return force(ref.element).potential;
    case Kind::state:
      for (std::size_t s = 0; s < system_.states.size(); ++s) {
        if (system_.states[s].place == ref.coordinate) return {machine_.graph, machine_.s[s]};
      }
      throw NotKnown{"a state that is not integrated by a formula"};
    case Kind::frame_position:
      return picked(read_motion(ref).p);
    case Kind::frame_velocity:
      return picked(read_motion(ref).v);
    case Kind::frame_angular_velocity:
      return picked(read_motion(ref).w);
    case Kind::frame_angle:
      return mechanics::turn_about_z<Traced>(read_motion(ref).R) * Traced(ref.weights[0]);
    case Kind::frame_distance_rate:
      return mechanics::distance_rate<Traced>(read_motion(ref));
    case Kind::part_orientation:
    case Kind::joint_orientation:
    case Kind::frame_orientation:
      throw NotKnown{"an orientation as a quaternion"};
    case Kind::part_acceleration:
    case Kind::part_angular_acceleration:
    case Kind::frame_acceleration:
    case Kind::frame_angular_acceleration:
      throw NotKnown{"an acceleration"};
    case Kind::joint_reaction_force:
    case Kind::joint_reaction_moment:
      throw NotKnown{"a reaction, which minimal coordinates do without"};
    case Kind::driver_effort:
    case Kind::driver_power:
    case Kind::coupling_effort:
      throw NotKnown{"what a driver or coupling does"};
    case Kind::hard_channel:
    case Kind::contact_channel:
      throw NotKnown{"what a contact or a hard force does"};
    case Kind::part_kinetic_energy:
      return kinetic_energy(ref.element);
    case Kind::part_potential_energy:
      return potential_energy(ref.element);
    case Kind::force_power: {
      Traced power = power_of_force(ref.element);
      for (std::int32_t section = 1; section < ref.coordinate; ++section)
        power += power_of_force(ref.element + section);
      return power;
    }
    case Kind::sealed_signal:
    case Kind::code_state:
    case Kind::code_output:
      throw NotKnown{"code or a sealed component"};
    case Kind::node_rate:
      throw NotKnown{"a node"};
  }
  throw NotKnown{"a channel without a formula"};
}

Traced TracedSignals::kinetic_energy(std::int32_t part) const {
  if (system_.parts[at(part)].body == system::kGround) return {0.0};
  const std::string& name = system_.parts[at(part)].path;
  const system::PartParams& own = params_.parts[at(part)];
  const Motion<Traced> B = motions_.body(system_.parts[at(part)].body);
  const Vec3<Traced> arm = B.R * own.center.cast<Traced>();
  const Vec3<Traced> v = B.v + B.w.cross(arm);
  const Vec3<Traced> w = B.R.transpose() * B.w;
  const Vec3<Traced> spin = own.inertia.cast<Traced>() * w;
  return (v.dot(v) * parameters_(name + ".mass", "kg", own.mass) + w.dot(spin)) * Traced(0.5);
}

Traced TracedSignals::potential_energy(std::int32_t part) const {
  const system::PartParams& own = params_.parts[at(part)];
  const std::int32_t carrier = system_.parts[at(part)].body;
  if (carrier == system::kGround) return {mechanics::gravity_potential(params_.gravity, own.mass, own.center)};
  const Motion<Traced> B = motions_.body(carrier);
  const Vec3<Traced> center = B.p + B.R * own.center.cast<Traced>();
  return mechanics::gravity_potential_of<Traced>(params_.gravity, own.mass, center);
}

Traced TracedSignals::power_of_force(std::int32_t index) const {
  const mechanics::ForceResult<Traced> result = force(index);
  const std::int32_t coordinate = system_.forces[at(index)].coordinate;
  if (coordinate >= 0) return result.effort * motions_.rate(coordinate);
  Traced power(0.0);
  const auto add = [&](std::int32_t frame, const mechanics::Wrench<Traced>& wrench) {
    if (frame < 0) return;
    const Motion<Traced> F = motions_.frame(frame);
    power += wrench.force.dot(F.v) + wrench.moment.dot(F.w);
  };
  add(result.frame_a, result.on_a);
  add(result.frame_b, result.on_b);
  return power;
}

void TracedSignals::evaluate_kernel(std::int32_t index, const mechanics::ForceInput<Traced>& in,
                                    mechanics::ForceResult<Traced>& out) const {
  const system::Force& force = system_.forces[at(index)];
  symbolic::Graph& graph = machine_.graph;
  NumberNames names(force, parameters_, graph);
  std::visit([&](const auto& data) { mechanics::evaluate(names.give(data), in, out); }, params_.forces[at(index)]);
  graph.name_numbers({});
  if (graph.take_question()) {
    throw NotKnown{fmt::format("a {}, whose formula changes with its value", force.type->name)};
  }
}

mechanics::ForceResult<Traced> TracedSignals::force(std::int32_t index) const {
  const system::Force& force = system_.forces[at(index)];
  mechanics::ForceInput<Traced> in;
  mechanics::ForceResult<Traced> out;
  if (force.value >= 0) in.value = signal(force.value);
  if (force.coordinate >= 0) {
    in.coordinate = motions_.coordinate(force.coordinate);
    in.rate = motions_.rate(force.coordinate);
    evaluate_kernel(index, in, out);
    return out;
  }
  out.frame_a = force.frame_a;
  out.frame_b = force.frame_b;
  in.has_a = force.frame_a >= 0;
  if (in.has_a) in.a = motions_.frame(force.frame_a);
  in.b = motions_.frame(force.frame_b);
  const Vector3& direction = params_.force_directions[at(index)];
  if (!direction.isZero(0.0)) {
    in.direction = motions_.frame(force.axes).R * parameters_.direction(force.path + ".direction", direction);
  }
  evaluate_kernel(index, in, out);
  return out;
}

}  // namespace gelenk::minimal
