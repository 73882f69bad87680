#include "gelenk/system/time_laws.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gelenk::system {
namespace {

using expression::ExpressionNode;
using expression::Interval;
using expression::Op;

// What a formula may do beside its values at nine places: this part of its size in the cell ...
constexpr double kShare = 1.0 / 64.0;
// ... or this part of its size around. Far off its middle a bell curve changes by powers, and does nothing.
constexpr double kNegligible = 1e-6;
constexpr double kAround = 8.0;  // longest steps
constexpr int kDeepest = 14;     // halvings of an eighth of a cell
constexpr int kMostLooks = 1000;
constexpr int kFinestCell = -40;  // 2^n s; finer ones are rounding

// What a node of a formula is made of.
struct NodeFacts {
  bool varies = false;    // with time
  bool is_pure = true;    // with nothing else
  bool can_hide = false;  // something between the stages of a step, which no polynomial of low order can
};

NodeFacts facts_of(const Signal& signal, const ExpressionNode& node, bool is_held,
                   const std::vector<NodeFacts>& before) {
  NodeFacts facts;
  if (node.op == Op::symbol) {
    const Symbol::Kind kind = signal.symbols[static_cast<std::size_t>(node.index)].kind;
    facts.varies = kind == Symbol::Kind::time;
    facts.is_pure = facts.varies || kind == Symbol::Kind::constant;
    return facts;
  }
  int varying = 0;
  for (const std::int32_t operand : {node.a, node.b, node.c}) {
    if (operand < 0) continue;
    const NodeFacts& part = before[static_cast<std::size_t>(operand)];
    varying += part.varies ? 1 : 0;
    facts.is_pure = facts.is_pure && part.is_pure;
    facts.can_hide = facts.can_hide || part.can_hide;
  }
  facts.varies = varying > 0;
  const bool is_sum = node.op == Op::add || node.op == Op::subtract || node.op == Op::negate;
  const bool is_multiple = node.op == Op::multiply && varying < 2;
  const bool is_part = node.op == Op::divide && !before[static_cast<std::size_t>(node.b)].varies;
  const bool is_piece = is_table(node.op) && is_held;  // of a polynomial: steps end at its knots
  const bool is_choice = node.op == Op::choose || (is_held && only_kinks(node.op));
  const bool is_simple = is_sum || is_multiple || is_part || is_piece || is_choice;
  facts.can_hide = facts.can_hide || (facts.varies && !is_simple);
  // A number on each side; what it compares is looked at by itself.
  if (is_held && !only_kinks(node.op) && !is_table(node.op) && node.op != Op::mod) facts.can_hide = false;
  return facts;
}

// Value of a switch on the side in force; unlike value_on_side(), kinks are held, too.
double on_side(Op op, std::int32_t side, double a, double b) {
  if (op == Op::abs) return side == 0 ? std::abs(a) : side * a;
  if (only_kinks(op)) return side != 0 ? a : b;
  return value_on_side<double>(op, side, a, b);
}

Interval bounds_on_side(Op op, std::int32_t side, const Interval& a, const Interval& b) {
  if (op == Op::abs && side == 0) return {0.0, a.size()};
  if (op == Op::abs) return side > 0 ? a : Interval{-a.high, -a.low};
  if (only_kinks(op)) return side != 0 ? a : b;
  if (op == Op::mod) return {a.low - b.high * side, a.high - b.low * side};
  return {static_cast<double>(side), static_cast<double>(side)};
}

}  // namespace

TimeLaws::TimeLaws(const System& system, const Params& params) : system_(system), params_(params) {
  std::size_t most_nodes = 0;
  std::size_t most_symbols = 0;
  for (std::size_t s = 0; s < system.signals.size(); ++s) {
    const Signal& signal = system.signals[s];
    if (!signal.reads_time || !signal.moves_machine) continue;
    find_laws(static_cast<std::int32_t>(s));
    most_nodes = std::max(most_nodes, signal.formula.nodes().size());
    most_symbols = std::max(most_symbols, signal.symbols.size());
  }
  symbols_.resize(most_symbols);
  nodes_.resize(most_nodes);
  symbol_bounds_.resize(most_symbols);
  node_bounds_.resize(most_nodes);
}

// The largest formulas of time alone: those that no other one contains. What a switch compares is one by itself.
void TimeLaws::find_laws(std::int32_t number) {
  const Signal& signal = system_.signals[static_cast<std::size_t>(number)];
  const std::span<const ExpressionNode> nodes = signal.formula.nodes();
  std::vector<NodeFacts> facts;
  std::vector<bool> is_inside(nodes.size(), false);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool is_held = signal.switch_of_node[i] >= 0;
    facts.push_back(facts_of(signal, nodes[i], is_held, facts));
    const bool is_compared = is_held && !only_kinks(nodes[i].op) && !is_table(nodes[i].op) && nodes[i].op != Op::mod;
    if (!facts[i].is_pure || is_compared) continue;
    for (const std::int32_t operand : {nodes[i].a, nodes[i].b, nodes[i].c}) {
      if (operand >= 0) is_inside[static_cast<std::size_t>(operand)] = true;
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (facts[i].varies && facts[i].is_pure && facts[i].can_hide && !is_inside[i]) laws_.push_back({number, i});
  }
}

TimeLaws::Limit TimeLaws::longest_step(const State& state, double wanted, double longest) {
  sides_ = state.sides;
  Limit limit{wanted, -1};
  for (const Law& law : laws_) {
    const double step = step_of(law, state.time, limit.step, longest);
    if (step < limit.step) limit = {step, law.signal};
  }
  return limit;
}

double TimeLaws::step_of(const Law& law, double time, double wanted, double longest) {
  const double around = kAround * longest;
  const double size = bounds(law, {time - around, time + around}).size();
  const double floor = std::isfinite(size) ? kNegligible * size : 0.0;
  Cell cell = resolved_cell(law, time, wanted, floor);
  double step = std::min(wanted, cell.width());
  while (time + step > cell.end) {
    const Cell next = resolved_cell(law, cell.end, step, floor);
    if (next.width() < step) {
      // Up to the border, unless that is less than a step behind it may be
      if (cell.end - time >= next.width()) return cell.end - time;
      step = next.width();
    }
    cell = next;
  }
  return step;
}

// The largest resolved cell around the time that is no longer than what is wanted, or twice that.
TimeLaws::Cell TimeLaws::resolved_cell(const Law& law, double time, double wanted, double floor) {
  int level = static_cast<int>(std::ceil(std::log2(std::max(wanted, 1e-12))));
  for (;; --level) {
    const double width = std::ldexp(1.0, level);
    const double begin = std::floor(time / width) * width;
    const Cell cell{begin, begin + width};
    left_to_look_ = kMostLooks;
    if (level <= kFinestCell || is_resolved(law, cell, floor)) return cell;
  }
}

bool TimeLaws::is_resolved(const Law& law, const Cell& cell, double floor) {
  constexpr std::size_t kPlaces = 9;
  std::array<double, kPlaces> f{};
  std::array<Cell, kPlaces - 1> pieces;
  double size = 0.0;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const double at = cell.begin + cell.width() * static_cast<double>(i) / (kPlaces - 1.0);
    f[i] = value(law, at);
    if (!std::isfinite(f[i])) return true;  // the step itself will find out
    size = std::max(size, std::abs(f[i]));
    if (i > 0) pieces[i - 1].end = at;
    if (i + 1 < kPlaces) pieces[i].begin = at;
  }
  const double allowed = std::max(kShare * size, floor);
  // Every second place from its neighbors: a polynomial of fourth order through five places, at their middles.
  const auto middle = [&](double a, double b, double c, double d, double e, std::size_t i) {
    return std::abs(f[i] - (a * f[0] + b * f[2] + c * f[4] + d * f[6] + e * f[8]) / 128.0) <= allowed;
  };
  if (!middle(35, 140, -70, 28, -5, 1) || !middle(-5, 60, 90, -20, 3, 3) || !middle(3, -20, 90, 60, -5, 5) ||
      !middle(-5, 28, -70, 140, 35, 7)) {
    return false;
  }
  for (std::size_t i = 0; i + 1 < kPlaces; ++i) {
    const auto [low, high] = std::minmax(f[i], f[i + 1]);
    if (!stays_within(law, pieces[i], {low - allowed, high + allowed}, kDeepest)) return false;
  }
  return true;
}

bool TimeLaws::stays_within(const Law& law, const Cell& cell, const Interval& band, int depth) {
  const Interval found = bounds(law, cell);
  if (found.low >= band.low && found.high <= band.high) return true;
  if (depth == 0 || --left_to_look_ < 0) return true;
  const double middle = 0.5 * (cell.begin + cell.end);
  if (!band.contains(value(law, middle))) return false;
  return stays_within(law, {cell.begin, middle}, band, depth - 1) &&
         stays_within(law, {middle, cell.end}, band, depth - 1);
}

double TimeLaws::value(const Law& law, double time) {
  const auto s = static_cast<std::size_t>(law.signal);
  const Signal& signal = system_.signals[s];
  for (std::size_t i = 0; i < signal.symbols.size(); ++i) {
    symbols_[i] = signal.symbols[i].kind == Symbol::Kind::time ? time : params_.signals[s].constants[i];
  }
  const std::span<const ExpressionNode> nodes = signal.formula.nodes();
  for (std::size_t i = 0; i <= law.node; ++i) {
    const std::int32_t which = signal.switch_of_node[i];
    if (which < 0) {
      nodes_[i] = expression::apply<double>(signal.formula, nodes[i], symbols_, nodes_);
      continue;
    }
    const std::int32_t side = sides_[static_cast<std::size_t>(which)];
    const double a = nodes_[static_cast<std::size_t>(nodes[i].a)];
    if (is_table(nodes[i].op)) {
      const Table& table = *signal.formula.tables()[static_cast<std::size_t>(nodes[i].index)];
      nodes_[i] = nodes[i].op == Op::table ? table.value_on(side, a) : table.slope_on(side, a);
    } else {
      nodes_[i] = on_side(nodes[i].op, side, a, nodes[i].b >= 0 ? nodes_[static_cast<std::size_t>(nodes[i].b)] : 0.0);
    }
  }
  return nodes_[law.node];
}

Interval TimeLaws::bounds(const Law& law, const Cell& cell) {
  const auto s = static_cast<std::size_t>(law.signal);
  const Signal& signal = system_.signals[s];
  for (std::size_t i = 0; i < signal.symbols.size(); ++i) {
    const double constant = params_.signals[s].constants[i];
    symbol_bounds_[i] =
        signal.symbols[i].kind == Symbol::Kind::time ? Interval{cell.begin, cell.end} : Interval{constant, constant};
  }
  const std::span<const ExpressionNode> nodes = signal.formula.nodes();
  for (std::size_t i = 0; i <= law.node; ++i) {
    const std::int32_t which = signal.switch_of_node[i];
    if (which < 0) {
      node_bounds_[i] = expression::bound_node(signal.formula, nodes[i], symbol_bounds_, node_bounds_);
      continue;
    }
    const std::int32_t side = sides_[static_cast<std::size_t>(which)];
    const Interval a = node_bounds_[static_cast<std::size_t>(nodes[i].a)];
    if (is_table(nodes[i].op)) {
      const Table& table = *signal.formula.tables()[static_cast<std::size_t>(nodes[i].index)];
      node_bounds_[i] = expression::bound_piece(table, side, a, nodes[i].op == Op::table_derivative);
    } else {
      node_bounds_[i] = bounds_on_side(
          nodes[i].op, side, a, nodes[i].b >= 0 ? node_bounds_[static_cast<std::size_t>(nodes[i].b)] : Interval{});
    }
  }
  return node_bounds_[law.node];
}

}  // namespace gelenk::system
