#include "gelenk/system/signal.h"

#include <algorithm>
#include <cmath>

namespace gelenk::system {
namespace {

using expression::ExpressionNode;
using expression::Op;

constexpr double kNever = std::numeric_limits<double>::infinity();

// slope * time + offset
struct LinearForm {
  bool is_linear = false;
  double slope = 0.0;
  double offset = 0.0;

  bool is_constant() const { return is_linear && slope == 0.0; }
  double at(double time) const { return slope * time + offset; }
  // When the form passes `level`; never when it stands still.
  double passes(double level) const { return slope == 0.0 ? kNever : (level - offset) / slope; }
};

LinearForm difference(const LinearForm& a, const LinearForm& b) {
  return {a.is_linear && b.is_linear, a.slope - b.slope, a.offset - b.offset};
}

LinearForm operation(const Signal& signal, const ExpressionNode& node, const std::vector<LinearForm>& done) {
  const auto operand = [&](std::int32_t i) { return i < 0 ? LinearForm{true} : done[static_cast<std::size_t>(i)]; };
  const LinearForm a = operand(node.a);
  const LinearForm b = operand(node.b);
  const LinearForm c = operand(node.c);
  switch (node.op) {
    case Op::add:
      return {a.is_linear && b.is_linear, a.slope + b.slope, a.offset + b.offset};
    case Op::subtract:
      return difference(a, b);
    case Op::negate:
      return {a.is_linear, -a.slope, -a.offset};
    case Op::multiply:
      if (a.is_constant()) return {b.is_linear, a.offset * b.slope, a.offset * b.offset};
      if (b.is_constant()) return {a.is_linear, b.offset * a.slope, b.offset * a.offset};
      return {};
    case Op::divide:
      if (b.is_constant()) return {a.is_linear, a.slope / b.offset, a.offset / b.offset};
      return {};
    default:
      break;
  }
  // Any other operation on constants is a constant.
  if (node.op == Op::symbol || !a.is_constant() || !b.is_constant() || !c.is_constant()) return {};
  std::vector<double> values;
  values.reserve(done.size() + 1);
  for (const LinearForm& form : done) values.push_back(form.offset);
  return {true, 0.0, expression::apply<double>(signal.formula, node, {}, values)};
}

// What each node is as a function of time. Without `params` constants count as 1: enough to know which are linear.
std::vector<LinearForm> linear_forms(const Signal& signal, const SignalParams* params) {
  std::vector<LinearForm> forms;
  const std::span<const ExpressionNode> nodes = signal.formula.nodes();
  forms.reserve(nodes.size());
  for (const ExpressionNode& node : nodes) {
    if (node.op == Op::symbol) {
      const auto index = static_cast<std::size_t>(node.index);
      const Symbol& symbol = signal.symbols[index];
      if (symbol.kind == Symbol::Kind::time) {
        forms.push_back({true, 1.0, 0.0});
      } else if (symbol.kind == Symbol::Kind::constant) {
        forms.push_back({true, 0.0, params != nullptr ? params->constants[index] : 1.0});
      } else {
        forms.push_back({});
      }
    } else {
      forms.push_back(operation(signal, node, forms));
    }
  }
  return forms;
}

// Which nodes change with time or state.
std::vector<bool> changing_nodes(const Signal& signal) {
  std::vector<bool> changing;
  for (const ExpressionNode& node : signal.formula.nodes()) {
    const auto of = [&](std::int32_t i) { return i >= 0 && changing[static_cast<std::size_t>(i)]; };
    changing.push_back(node.op == Op::symbol
                           ? signal.symbols[static_cast<std::size_t>(node.index)].kind != Symbol::Kind::constant
                           : of(node.a) || of(node.b) || of(node.c));
  }
  return changing;
}

// The quantity whose sign, or whole part, decides.
LinearForm deciding_form(const ExpressionNode& node, const std::vector<LinearForm>& forms) {
  const LinearForm a = forms[static_cast<std::size_t>(node.a)];
  const LinearForm b = node.b >= 0 ? forms[static_cast<std::size_t>(node.b)] : LinearForm{true};
  switch (node.op) {
    case Op::mod:
      return b.is_constant() ? LinearForm{a.is_linear, a.slope / b.offset, a.offset / b.offset} : LinearForm{};
    case Op::floor:
    case Op::ceil:
    case Op::step:
    case Op::sign:
    case Op::abs:
    case Op::table:
    case Op::table_derivative:
      return a;
    default:
      return difference(a, b);
  }
}

const Table& table_of(const Signal& signal, const ExpressionNode& node) {
  return *signal.formula.tables()[static_cast<std::size_t>(node.index)];
}

bool has_whole_parts(Op op) { return op == Op::floor || op == Op::ceil || op == Op::mod; }

// First time after `time` at which the form passes a whole number.
double next_whole(const LinearForm& form, double time) {
  if (form.slope == 0.0) return kNever;
  const double direction = form.slope > 0.0 ? 1.0 : -1.0;
  double level = std::round(form.at(time)) - direction;
  // A few tries get past rounding; more cannot be needed as each is a whole number further on.
  for (int i = 0; i < 4; ++i, level += direction) {
    const double when = form.passes(level);
    if (when > time) return when;
  }
  return kNever;
}

}  // namespace

Level level_of(ChannelRef::Kind kind) {
  using Channel = ChannelRef::Kind;
  switch (kind) {
    case Channel::part_position:
    case Channel::part_orientation:
    case Channel::joint_coordinate:
    case Channel::joint_orientation:
    case Channel::code_state:
    case Channel::state:
    case Channel::frame_position:
    case Channel::frame_orientation:
    case Channel::frame_angle:
    case Channel::part_potential_energy:
      return Level::position;
    case Channel::part_velocity:
    case Channel::part_angular_velocity:
    case Channel::joint_rate:
    case Channel::joint_angular_velocity:
    case Channel::sealed_signal:
    case Channel::frame_velocity:
    case Channel::frame_angular_velocity:
    case Channel::frame_distance_rate:
    case Channel::node_rate:
    case Channel::part_kinetic_energy:
      return Level::velocity;
    case Channel::force_channel:
    case Channel::force_power:
    case Channel::force_energy:
    case Channel::code_output:
      return Level::force;
    case Channel::part_acceleration:
    case Channel::part_angular_acceleration:
    case Channel::joint_reaction_force:
    case Channel::joint_reaction_moment:
    case Channel::driver_effort:
    case Channel::driver_power:
    case Channel::coupling_effort:
    case Channel::hard_channel:
    case Channel::contact_channel:
    case Channel::frame_acceleration:
    case Channel::frame_angular_acceleration:
      break;
  }
  return Level::acceleration;
}

bool is_switch(Op op) {
  switch (op) {
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::step:
    case Op::sign:
    case Op::abs:
    case Op::min:
    case Op::max:
    case Op::floor:
    case Op::ceil:
    case Op::mod:
      return true;
    default:
      return false;
  }
}

std::int32_t side_of(Op op, double a, double b) {
  const auto whole = [](double x) { return static_cast<std::int32_t>(std::clamp(x, -2e9, 2e9)); };
  switch (op) {
    case Op::less:
      return a < b ? 1 : 0;
    case Op::less_equal:
    case Op::min:
      return a <= b ? 1 : 0;
    case Op::greater:
      return a > b ? 1 : 0;
    case Op::greater_equal:
    case Op::max:
      return a >= b ? 1 : 0;
    case Op::step:
      return a < 0.0 ? 0 : 1;
    case Op::sign:
    case Op::abs:
      return a > 0.0 ? 1 : a < 0.0 ? -1 : 0;
    case Op::floor:
      return whole(std::floor(a));
    case Op::ceil:
      return whole(std::ceil(a));
    case Op::mod:
      return whole(std::floor(a / b));
    default:
      return 0;
  }
}

double slack_of(Op op, std::int32_t side, double a, double b) {
  const auto s = static_cast<double>(side);
  switch (op) {
    case Op::less:
    case Op::less_equal:
    case Op::min:
      return side != 0 ? b - a : a - b;
    case Op::greater:
    case Op::greater_equal:
    case Op::max:
      return side != 0 ? a - b : b - a;
    case Op::step:
      return side != 0 ? a : -a;
    case Op::sign:
    case Op::abs:
      return side == 0 ? -std::abs(a) : s * a;
    case Op::floor:
      return std::min(a - s, s + 1.0 - a);
    case Op::ceil:
      return std::min(a - (s - 1.0), s - a);
    case Op::mod:
      return std::min(a / b - s, s + 1.0 - a / b);
    default:
      return 0.0;
  }
}

std::int32_t other_side(Op op, std::int32_t side, double a, double b) {
  const auto s = static_cast<double>(side);
  switch (op) {
    case Op::sign:
    case Op::abs:
      return side == 0 ? (a < 0.0 ? -1 : 1) : -side;
    case Op::floor:
      return side + (a > s + 0.5 ? 1 : -1);
    case Op::ceil:
      return side + (a > s - 0.5 ? 1 : -1);
    case Op::mod:
      return side + (a / b > s + 0.5 ? 1 : -1);
    default:
      return side != 0 ? 0 : 1;
  }
}

void find_switches(Signal& signal, std::int32_t signal_number, std::vector<Switch>& switches) {
  const std::span<const ExpressionNode> nodes = signal.formula.nodes();
  signal.switch_of_node.assign(nodes.size(), -1);
  const std::vector<LinearForm> forms = linear_forms(signal, nullptr);
  const std::vector<bool> changing = changing_nodes(signal);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const ExpressionNode& node = nodes[i];
    const bool is_linear_in_time = (is_switch(node.op) || is_table(node.op)) && deciding_form(node, forms).is_linear;
    if (!changing[i] || !(is_switch(node.op) || is_linear_in_time)) continue;
    signal.switch_of_node[i] = static_cast<std::int32_t>(switches.size());
    switches.push_back({signal_number, static_cast<std::int32_t>(i), is_linear_in_time});
  }
}

std::vector<std::int32_t> switches_of_state(std::span<const Switch> switches) {
  std::vector<std::int32_t> result;
  for (std::size_t i = 0; i < switches.size(); ++i) {
    if (!switches[i].is_linear_in_time) result.push_back(static_cast<std::int32_t>(i));
  }
  return result;
}

void release_switches(Signal& signal, std::vector<Switch>& switches) {
  const auto own = std::find_if(signal.switch_of_node.begin(), signal.switch_of_node.end(),
                                [](std::int32_t which) { return which >= 0; });
  if (own == signal.switch_of_node.end()) return;
  auto kept = static_cast<std::size_t>(*own);
  for (std::int32_t& which : signal.switch_of_node) {
    if (which < 0) continue;
    const Switch one = switches[static_cast<std::size_t>(which)];
    which = -1;
    if (!one.is_linear_in_time) continue;
    which = static_cast<std::int32_t>(kept);
    switches[kept++] = one;
  }
  switches.resize(kept);
}

double next_discontinuity(const Signal& signal, const SignalParams& params, double time) {
  if (!signal.reads_time) return kNever;
  const std::vector<LinearForm> forms = linear_forms(signal, &params);
  const std::span<const ExpressionNode> nodes = signal.formula.nodes();
  double first = kNever;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const ExpressionNode& node = nodes[i];
    // Outputs have no switches: no step need end where they jump.
    if (signal.switch_of_node[i] < 0) continue;
    const LinearForm form = deciding_form(node, forms);
    if (!form.is_linear) continue;
    if (is_table(node.op)) {
      for (const double knot : table_of(signal, node).x()) {
        const double when = form.passes(knot);
        if (when > time) first = std::min(first, when);
      }
      continue;
    }
    const double when = has_whole_parts(node.op) ? next_whole(form, time) : form.passes(0.0);
    if (when > time) first = std::min(first, when);
  }
  return first;
}

void set_time_sides(const Signal& signal, const SignalParams& params, std::span<const Switch> switches, double time,
                    std::span<std::int32_t> sides) {
  if (!signal.reads_time) return;
  std::vector<LinearForm> forms;
  const std::span<const ExpressionNode> nodes = signal.formula.nodes();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::int32_t which = signal.switch_of_node[i];
    if (which < 0 || !switches[static_cast<std::size_t>(which)].is_linear_in_time) continue;
    if (forms.empty()) forms = linear_forms(signal, &params);
    const ExpressionNode& node = nodes[i];
    const double a = forms[static_cast<std::size_t>(node.a)].at(time);
    const double b = node.b >= 0 ? forms[static_cast<std::size_t>(node.b)].at(time) : 0.0;
    sides[static_cast<std::size_t>(which)] =
        is_table(node.op) ? table_of(signal, node).piece_at(a) : side_of(node.op, a, b);
  }
}

}  // namespace gelenk::system
