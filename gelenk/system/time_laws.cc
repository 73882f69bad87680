#include "gelenk/system/time_laws.h"

#include <algorithm>
#include <cmath>

namespace gelenk::system {
namespace {

using expression::ExpressionNode;
using expression::Interval;
using expression::Op;

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

}  // namespace

class TimeLaws::Path {
 public:
  Path(TimeLaws& laws, const LawFormula& law) : laws_(laws), law_(law) {}
  double value(double time) { return laws_.value(law_, time); }
  Interval bounds(double from, double to) { return laws_.bounds(law_, {from, to}); }

 private:
  TimeLaws& laws_;
  const LawFormula& law_;
};

TimeLaws::TimeLaws(const System& system, const Params& params) : system_(system), params_(params), evaluator_(system) {
  std::size_t most_symbols = 0;
  for (std::size_t s = 0; s < system.signals.size(); ++s) {
    const Signal& signal = system.signals[s];
    if (!signal.reads_time || !signal.moves_machine) continue;
    find_laws(static_cast<std::int32_t>(s));
    most_symbols = std::max(most_symbols, signal.symbols.size());
  }
  symbols_.resize(most_symbols);
  symbol_bounds_.resize(most_symbols);
}

// The largest formulas of time alone: those that no other one contains. What a switch compares is one by itself.
void TimeLaws::find_laws(std::int32_t number) {
  const Signal& signal = system_.signals[static_cast<std::size_t>(number)];
  const std::span<const ExpressionNode> nodes = signal.formula.nodes();
  std::vector<NodeFacts> facts;
  std::vector<bool> is_inside(nodes.size(), false), is_operand(nodes.size(), false);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool is_held = signal.switch_of_node[i] >= 0;
    facts.push_back(facts_of(signal, nodes[i], is_held, facts));
    const bool is_compared = is_held && !only_kinks(nodes[i].op) && !is_table(nodes[i].op) && nodes[i].op != Op::mod;
    if (!facts[i].is_pure && !is_compared) continue;
    for (const std::int32_t operand : {nodes[i].a, nodes[i].b, nodes[i].c}) {
      if (operand >= 0) (is_compared ? is_operand : is_inside)[static_cast<std::size_t>(operand)] = true;
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!facts[i].varies || !facts[i].is_pure || !facts[i].can_hide || is_inside[i]) continue;
    laws_.push_back({number, i});
    is_compared_.push_back(is_operand[i]);
  }
}

TimeLaws::Limit TimeLaws::longest_step(const State& state, double wanted, double longest) {
  evaluator_.set_sides(state.sides);
  Limit limit{wanted, -1};
  for (const LawFormula& law : laws_) {
    const double step = step_of(law, state.time, limit.step, longest);
    if (step < limit.step) limit = {step, law.signal};
  }
  return limit;
}

std::int32_t TimeLaws::between_ends(const State& state, double length) {
  evaluator_.set_sides(state.sides);
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    if (is_compared_[i]) continue;
    const auto at_place = [&](double place) { return value(laws_[i], state.time + place * length); };
    const double size = size_between_ends(at_place);
    const double around = kHiddenAround * length;
    if (!(size > 0.0)) continue;
    if (size > kHiddenNegligible * bounds(laws_[i], {state.time - around, state.time + around}).size())
      return laws_[i].signal;
  }
  return -1;
}

double TimeLaws::step_of(const LawFormula& law, double time, double wanted, double longest) {
  const double around = kHiddenAround * longest;
  const double size = bounds(law, {time - around, time + around}).size();
  const double floor = std::isfinite(size) ? kHiddenNegligible * size : 0.0;
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
TimeLaws::Cell TimeLaws::resolved_cell(const LawFormula& law, double time, double wanted, double floor) {
  int level = static_cast<int>(std::ceil(std::log2(std::max(wanted, 1e-12))));
  for (;; --level) {
    const double width = std::ldexp(1.0, level);
    const double begin = std::floor(time / width) * width;
    const Cell cell{begin, begin + width};
    Path path(*this, law);
    if (level <= kFinestCell || LawShape<Path>(path, kMostLooks).is_resolved(cell.begin, cell.end, floor)) return cell;
  }
}

double TimeLaws::value(const LawFormula& law, double time) {
  const auto s = static_cast<std::size_t>(law.signal);
  const Signal& signal = system_.signals[s];
  for (std::size_t i = 0; i < signal.symbols.size(); ++i) {
    symbols_[i] = signal.symbols[i].kind == Symbol::Kind::time ? time : params_.signals[s].constants[i];
  }
  return evaluator_.value(law, symbols_);
}

Interval TimeLaws::bounds(const LawFormula& law, const Cell& cell) {
  const auto s = static_cast<std::size_t>(law.signal);
  const Signal& signal = system_.signals[s];
  for (std::size_t i = 0; i < signal.symbols.size(); ++i) {
    const double constant = params_.signals[s].constants[i];
    symbol_bounds_[i] =
        signal.symbols[i].kind == Symbol::Kind::time ? Interval{cell.begin, cell.end} : Interval{constant, constant};
  }
  return evaluator_.bounds(law, symbol_bounds_);
}

}  // namespace gelenk::system
