#include "gelenk/generate/equation_steps.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "gelenk/expression/operations.h"

namespace gelenk::generate {
namespace {

using symbolic::Id;
using symbolic::Node;
using symbolic::Op;

constexpr std::size_t kLongestStep = 60;

std::size_t node_place(Id id) { return static_cast<std::size_t>(id); }

// The graph writes 2 x as x + x.
bool is_double(const Node& node) { return node.op == Op::add && node.a == node.b; }

// How often each node is read by needed ones, or is a result.
std::vector<int> count_uses(const symbolic::Graph& graph, const std::vector<bool>& is_needed,
                            std::span<const Id> results) {
  std::vector<int> uses(is_needed.size(), 0);
  for (const Id result : results) ++uses[node_place(result)];
  for (std::size_t i = 0; i < is_needed.size(); ++i) {
    if (!is_needed[i]) continue;
    const Node& node = graph.nodes()[i];
    if (node.a >= 0) ++uses[node_place(node.a)];
    if (node.b >= 0 && node.b != node.a) ++uses[node_place(node.b)];
    if (node.c >= 0) ++uses[node_place(node.c)];
  }
  return uses;
}

}  // namespace

EquationSteps::EquationSteps(const symbolic::Graph& graph, std::span<const Id> results, const EquationSymbols& symbols,
                             EquationPen pen)
    : graph_(graph), symbols_(symbols), pen_(pen), texts_(graph.nodes().size()), is_known_(known_before(graph)) {
  const std::vector<bool> is_needed = needed(graph, results);
  const std::vector<int> uses = count_uses(graph, is_needed, results);
  for (const bool before : {true, false}) {
    auto& steps = before ? constant_ : moving_;
    for (std::size_t i = 0; i < is_needed.size(); ++i) {
      if (!is_needed[i] || is_known_[i] != before) continue;
      const Node& node = graph.nodes()[i];
      texts_[i] = write(node);
      const bool is_plain = node.op == Op::symbol || node.op == Op::constant || node.op == Op::negate;
      const bool is_result = std::find(results.begin(), results.end(), static_cast<Id>(i)) != results.end();
      if (is_plain || (uses[i] < 2 && (is_result || pen_.width(texts_[i].text) <= kLongestStep))) continue;
      const std::string name = pen_.numbered("t", constant_.size() + moving_.size() + 1);
      steps.emplace_back(name, std::move(texts_[i].text));
      texts_[i] = {name, Tightness::primary};
    }
  }
}

std::string EquationSteps::operand(Id id, Tightness at_least) const {
  const Written& written = texts_[node_place(id)];
  return written.tightness < at_least ? pen_.parentheses(written.text) : written.text;
}

EquationSteps::Written EquationSteps::symbol_or_number(const Node& node) const {
  if (node.op == Op::constant) {
    return {pen_.number(node.value), node.value < 0.0 ? Tightness::sum : Tightness::product};
  }
  const auto own = static_cast<Id>(&node - graph_.nodes().data());
  return {pen_.name(symbols_.of(own).name), Tightness::primary};
}

// a + (b + c) needs no parentheses, a + -1 is a - 1.
EquationSteps::Written EquationSteps::sum(const Node& node) const {
  const std::string first = operand(node.a, Tightness::sum);
  const std::string& second = texts_[node_place(node.b)].text;
  if (!second.starts_with('-')) return {first + kLineMayEnd + "+ " + second, Tightness::sum};
  if (graph_.is_constant(node.b)) return {first + kLineMayEnd + "- " + second.substr(1), Tightness::sum};
  return {first + kLineMayEnd + "+ " + pen_.parentheses(second), Tightness::sum};
}

// Factors of factors side by side: the number, what is constant, the rest; equal ones as powers.
EquationSteps::Written EquationSteps::product(const Node& node) const {
  Factors factors;
  add_factors(node.a, factors);
  if (node.op == Op::add) {
    factors.size *= 2.0;
  } else {
    add_factors(node.b, factors);
  }
  std::stable_partition(factors.powers.begin(), factors.powers.end(),
                        [this](const auto& factor) { return is_known_[node_place(factor.first)]; });
  std::string text = factors.size == 1.0 ? "" : pen_.number(factors.size);
  for (const auto& [id, power] : factors.powers) {
    text = pen_.product(
        text, power == 1 ? operand(id, Tightness::product) : pen_.power(operand(id, Tightness::primary), power));
  }
  return {std::move(text), Tightness::product};
}

void EquationSteps::add_factors(Id id, Factors& factors) const {
  const Node& node = graph_.node(id);
  const bool is_step = texts_[node_place(id)].tightness == Tightness::primary;
  if (node.op == Op::constant) {
    factors.size *= node.value;
  } else if (node.op == Op::multiply && !is_step) {
    add_factors(node.a, factors);
    add_factors(node.b, factors);
  } else if (is_double(node) && !is_step) {
    factors.size *= 2.0;
    add_factors(node.a, factors);
  } else {
    const auto known = std::find_if(factors.powers.begin(), factors.powers.end(),
                                    [id](const auto& factor) { return factor.first == id; });
    if (known == factors.powers.end()) {
      factors.powers.emplace_back(id, 1);
    } else {
      ++known->second;
    }
  }
}

EquationSteps::Written EquationSteps::quotient(const Node& node) const {
  if (pen_.is_latex()) {
    return {pen_.fraction(texts_[node_place(node.a)].text, texts_[node_place(node.b)].text, false), Tightness::product};
  }
  return {operand(node.a, Tightness::product) + " / " + operand(node.b, Tightness::primary), Tightness::quotient};
}

EquationSteps::Written EquationSteps::write(const Node& node) const {
  switch (node.op) {
    case Op::constant:
    case Op::symbol:
      return symbol_or_number(node);
    case Op::add:
      return is_double(node) ? product(node) : sum(node);
    case Op::subtract:
      return {operand(node.a, Tightness::sum) + kLineMayEnd + "- " + operand(node.b, Tightness::quotient),
              Tightness::sum};
    case Op::negate:
      return {"-" + operand(node.a, Tightness::quotient), Tightness::sum};
    case Op::multiply:
      return product(node);
    case Op::divide:
      return quotient(node);
    case Op::power: {
      const std::string exponent = in_one_line(texts_[node_place(node.b)].text);
      const std::string raised = pen_.is_latex() ? "{" + exponent + "}" : pen_.parentheses(exponent);
      return {operand(node.a, Tightness::primary) + "^" + raised, Tightness::product};
    }
    default:
      break;
  }
  if (const std::optional<expression::Operator> sign = expression::binary_operator(node.op)) {
    return {operand(node.a, Tightness::sum) + pen_.relation(sign->text) + operand(node.b, Tightness::sum),
            Tightness::comparison};
  }
  std::string list;
  for (const Id id : {node.a, node.b, node.c}) {
    if (id >= 0) list += (list.empty() ? "" : "," + std::string(1, kLineMayEnd)) + texts_[node_place(id)].text;
  }
  const expression::Function* const function = expression::function_of(node.op);
  const std::string name = function != nullptr          ? std::string(function->name)
                           : node.op == Op::logical_not ? "not"
                                                        : "table";
  return {pen_.call(name, std::move(list)), Tightness::primary};
}

}  // namespace gelenk::generate
