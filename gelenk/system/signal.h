#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gelenk/expression/evaluate.h"
#include "gelenk/expression/expression.h"
#include "gelenk/model/machine.h"

// Values that change with time and state, made ready for evaluation: every symbol knows what it reads, every jump or
// kink is a switch whose side is kept in the State, so that nothing jumps in the middle of a step.
namespace gelenk::system {

// What must be known before a channel can be computed.
enum class Level : std::uint8_t { position, velocity, force, acceleration };

// A recorded quantity, resolved to numbers.
struct ChannelRef {
  enum class Kind : std::uint8_t {
    part_position,
    part_orientation,
    part_velocity,
    part_angular_velocity,
    part_acceleration,
    part_angular_acceleration,
    part_kinetic_energy,
    part_potential_energy,  // of its weight
    joint_coordinate,
    joint_rate,
    joint_orientation,
    joint_angular_velocity,
    joint_reaction_force,
    joint_reaction_moment,
    driver_effort,
    driver_power,
    coupling_effort,
    force_channel,
    hard_channel,     // of a hard force: what it does is found after all that is smooth
    contact_channel,  // of a contact; `coordinate` is its place among those of one contact
    force_power,      // of its forces and torques on what they act on
    force_energy,     // that it stores
    sealed_signal,
    state,           // that is integrated; `coordinate` is its place in State::extra
    code_state,      // of code in C; `coordinate` is its place in State::extra
    code_output,     // only outputs may read it; `component` is its number
    frame_position,  // in world axes, or relative to another frame in the axes of that one
    frame_orientation,
    frame_velocity,
    frame_angular_velocity,
    frame_acceleration,
    frame_angular_acceleration,
    frame_angle,          // about z of the other frame
    frame_distance_rate,  // of the distance to the other frame
    node_rate,            // velocity of a node along its axis `component`
  };
  Kind kind = Kind::part_position;
  std::int32_t element = -1;  // part, joint, driver, force, code, node, System::read_frames
  // Of a frame: another of System::read_frames; -1: the world. Of a reaction: the one that it is about and in; -1: its
  // own
  std::int32_t relative_to = -1;
  // System::coordinates, of a joint; number of the channel, of a force; of all signals that sealed components report;
  // of a power: how many forces it is of, one after the other
  std::int32_t coordinate = -1;
  model::ChannelUse::Pick pick = model::ChannelUse::Pick::scalar;
  std::int32_t component = 0;
  std::array<double, 3> weights{1.0, 0.0, 0.0};
};
Level level_of(ChannelRef::Kind kind);
// Whether it is read from a force, and with it what the force reads.
constexpr bool is_of_force(ChannelRef::Kind kind) {
  using Kind = ChannelRef::Kind;
  return kind == Kind::force_channel || kind == Kind::force_power || kind == Kind::force_energy;
}

// A node of an expression where its value or a derivative of it jumps. Its side in force is a whole number:
// 1 and 0 for a condition that holds or not, -1, 0, 1 for a sign, the whole part for floor, ceil and mod, the piece of
// a table over a linear function of time. Tables over other arguments are not held: they have their true value.
struct Switch {
  std::int32_t signal = -1;
  std::int32_t node = -1;
  bool is_linear_in_time = false;  // its arguments are slope * time + offset: the times of its jumps are known before
};

struct Symbol {
  enum class Kind : std::uint8_t { constant, time, channel, input };
  Kind kind = Kind::constant;
  std::int32_t input = -1;  // of Params::inputs
  ChannelRef channel;
};

struct Signal {
  expression::Expression formula;
  std::vector<Symbol> symbols;               // one for each of formula.symbols()
  std::vector<std::int32_t> switch_of_node;  // number of the switch of each node, -1: none
  SourceRange where;
  Level level = Level::position;  // highest of its channels
  bool reads_channels = false;
  bool reads_inputs = false;
  bool reads_time = false;
  bool moves_machine = false;  // false: an output, which is only read
};

// The numbers of a signal that depend on parameters.
struct SignalParams {
  std::vector<double> constants;  // one for each symbol; those that are not constant are zero
  double factor = 1.0;
};

// abs, min and max only kink: they are watched, so that steps end there, but have their true value on either side.
// Held, they would hand a negative number to the root in sqrt(max(x, 0)) when a stage looks beyond the border.
constexpr bool only_kinks(expression::Op op) {
  return op == expression::Op::abs || op == expression::Op::min || op == expression::Op::max;
}

constexpr bool is_table(expression::Op op) {
  return op == expression::Op::table || op == expression::Op::table_derivative;
}

// Value of a switching node on the side in force: no comparison is made, so nothing jumps.
template <class T>
T value_on_side(expression::Op op, std::int32_t side, const T& a, const T& b) {
  using expression::Op;
  switch (op) {
    case Op::mod:
      return a - b * static_cast<double>(side);
    default:
      return T(static_cast<double>(side));
  }
}

// The side on which the arguments are, and by how much they may still move before it changes (negative: it has).
std::int32_t side_of(expression::Op op, double a, double b);
double slack_of(expression::Op op, std::int32_t side, double a, double b);
// The side across the border that was passed.
std::int32_t other_side(expression::Op op, std::int32_t side, double a, double b);
bool is_switch(expression::Op op);

// Value of the formula with all switches held at `sides`. symbols: one value per symbol. No allocation.
template <class T>
T evaluate_on_sides(const Signal& signal, std::span<const T> symbols, std::span<const std::int32_t> sides,
                    std::span<T> scratch) {
  const std::span<const expression::ExpressionNode> nodes = signal.formula.nodes();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::int32_t which = signal.switch_of_node[i];
    if (which < 0 || only_kinks(nodes[i].op)) {
      scratch[i] = expression::apply<T>(signal.formula, nodes[i], symbols, scratch);
      continue;
    }
    const T zero(0.0);
    const T& a = scratch[static_cast<std::size_t>(nodes[i].a)];
    if (is_table(nodes[i].op)) {
      const Table& table = *signal.formula.tables()[static_cast<std::size_t>(nodes[i].index)];
      const std::int32_t piece = sides[static_cast<std::size_t>(which)];
      scratch[i] = nodes[i].op == expression::Op::table ? expression::table_value_on(table, piece, a)
                                                        : expression::table_slope_on(table, piece, a);
      continue;
    }
    const T& b = nodes[i].b >= 0 ? scratch[static_cast<std::size_t>(nodes[i].b)] : zero;
    scratch[i] = value_on_side<T>(nodes[i].op, sides[static_cast<std::size_t>(which)], a, b);
  }
  return nodes.empty() ? T(0.0) : scratch[nodes.size() - 1];
}

// Finds the switches of a signal whose symbols are bound, and appends them.
void find_switches(Signal& signal, std::int32_t signal_number, std::vector<Switch>& switches);
// Those whose times are not known before.
std::vector<std::int32_t> switches_of_state(std::span<const Switch> switches);
// Of the last signal: keeps the switches whose times are known. The others have their true side wherever they are read.
void release_switches(Signal& signal, std::vector<Switch>& switches);

// First time strictly after `time` at which a switch that is linear in time, or a knot of a table over such an
// argument, is passed; infinity when there is none.
double next_discontinuity(const Signal& signal, const SignalParams& params, double time);
// Sides of the switches that are linear in time, as they are at `time`, which should not be one of their jumps.
void set_time_sides(const Signal& signal, const SignalParams& params, std::span<const Switch> switches, double time,
                    std::span<std::int32_t> sides);

}  // namespace gelenk::system
