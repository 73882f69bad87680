// Outputs that are the rate of change of something.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "gelenk/model/expand/signals.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model::expanding {
namespace {

ChannelUse as(ChannelUse use, std::string_view quantity, Quantity measures) {
  use.quantity = std::string(quantity);
  use.measures = measures;
  use.dimension = quantity_info(measures).dimension;
  return use;
}

bool is_known_there(const Machine& machine, const ChannelUse& use) {
  for (const std::int32_t read : {use.index, use.relative_to}) {
    if (read < 0) continue;
    const FrameOnPart& frame = machine.read_frames[static_cast<std::size_t>(read)].frame;
    if (frame.port.is_set() || frame.is_node()) return false;
  }
  return true;
}

// The channel that is the rate of another one; nothing where none is.
std::optional<ChannelUse> rate_channel(const Machine& machine, const ChannelUse& use) {
  using Element = ChannelUse::Element;
  if (use.element == Element::joint) {
    const JointNode& joint = machine.joints[static_cast<std::size_t>(use.index)];
    for (const Coordinate& c : joint.type->coordinates) {
      if (c.name == use.quantity) return as(use, c.rate, c.rate_quantity());
    }
    return std::nullopt;
  }
  if (use.element != Element::part && use.element != Element::frame) return std::nullopt;
  if (use.pick == ChannelUse::Pick::magnitude) {
    const bool is_distance = use.element == Element::frame && use.relative_to >= 0 && use.quantity == "position";
    return is_distance ? std::optional(rate_of_distance(use)) : std::nullopt;
  }
  if (use.quantity == "position") return as(use, "velocity", Quantity::speed);
  if (use.element == Element::frame && !is_known_there(machine, use)) return std::nullopt;
  if (use.quantity == "velocity") return as(use, "acceleration", Quantity::acceleration);
  if (use.quantity == "angular_velocity") return as(use, "angular_acceleration", Quantity::angular_acceleration);
  return std::nullopt;
}

// Of a state, when it is bound already; null: it is not.
const Signal* known_rate(const Machine& machine, const ChannelUse& state) {
  const Signal& rate = machine.states[static_cast<std::size_t>(state.index)].rate;
  return rate.formula.is_empty() ? nullptr : &rate;
}

// Text of the sum, in which each slope and each rate stands for a signal.
void add_term(std::size_t number, bool has_rate, std::string& text) {
  text += fmt::format("{}slope{}", text.empty() ? "" : " + ", number);
  if (has_rate) text += fmt::format(" * rate{}", number);
}

}  // namespace

// Σ ∂f/∂s ds/dt over all that changes in it.
std::optional<Signal> Signals::derivative(const Signal& value) {
  Signal sum;
  sum.where = value.where;
  sum.dimension = value.dimension * Dimension(0, 0, -1);
  std::deque<Signal> slopes;
  std::vector<SymbolFound> found;
  std::string text;
  for (std::size_t s = 0; s < value.symbols.size(); ++s) {
    const SymbolUse& use = value.symbols[s];
    const bool is_time = use.kind == SymbolUse::Kind::time;
    if (use.kind == SymbolUse::Kind::constant) continue;
    expression::Expression slope = expression::differentiate(value.formula, s);
    if (slope.is_literal() && slope.nodes().front().value == 0.0) continue;
    SymbolFound rate;
    if (use.kind == SymbolUse::Kind::channel && use.channel.element == ChannelUse::Element::state) {
      rate.nested = known_rate(machine_, use.channel);
    } else if (use.kind == SymbolUse::Kind::channel) {
      if (std::optional<ChannelUse> channel = rate_channel(machine_, use.channel)) {
        rate.use.kind = SymbolUse::Kind::channel;
        rate.dimension = channel->dimension;
        rate.use.channel = *std::move(channel);
      }
    }
    if ((!is_time && rate.nested == nullptr && rate.use.kind != SymbolUse::Kind::channel) || slope.is_empty()) {
      diagnostics_.error(
          Code::unknown_channel, value.where,
          fmt::format("how fast '{}' changes is not known", value.formula.symbols()[s].name),
          "derivatives are known of positions, velocities, joint coordinates, distances, states and time");
      return std::nullopt;
    }
    Signal& factor = slopes.emplace_back(value);
    factor.formula = std::move(slope);
    found.emplace_back().nested = &factor;
    if (!is_time) found.push_back(std::move(rate));
    add_term(s, !is_time, text);
  }
  if (text.empty()) text = "0";
  sum.formula = expression::parse(text).expression.value_or(expression::Expression{});
  if (!put_in(sum, found)) return std::nullopt;
  return sum;
}

}  // namespace gelenk::model::expanding
