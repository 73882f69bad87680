#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gelenk/expression/expression.h"

// Formulas that share what they have in common: every operation on the same operands is there once. They arise when a
// kernel that is templated on its scalar runs with Traced instead of double.
namespace gelenk::symbolic {

using expression::Op;

// A place in the graph. Operands come before what is made of them.
using Id = std::int32_t;

struct Node {
  Op op = Op::constant;
  Id a = -1, b = -1, c = -1;
  std::int32_t symbol = -1;  // of a symbol; of a table its number
  double value = 0.0;        // of a constant
  friend bool operator==(const Node&, const Node&) = default;
};

struct Symbol {
  // What is known before a run, or what changes in it.
  enum class Kind : std::uint8_t { parameter, variable };
  std::string name;
  Kind kind = Kind::variable;
  double value = 0.0;  // of a parameter
};

// Thrown where formulas grow beyond what can be written and compiled.
struct TooManyOperations {};
inline constexpr std::size_t kMostNodes = 1'000'000;

class Graph {
 public:
  Id constant(double value);
  Id symbol(std::string name, Symbol::Kind kind, double value = 0.0);
  // The operation, or what it comes to. All but the last two rules are exact, but for the sign of zeros and for what is
  // infinite:
  //   operations on constants; x + 0, x · 1, x · 0, x / 1, x - x, x / x, --x; 2 x = x + x; a - b and b - a share;
  //   signs go outwards; operands of sums and products are sorted
  //   c₁ (c₂ x) = (c₁ c₂) x,  x / c = (1/c) x for a constant c
  Id make(Op op, Id a, Id b = -1, Id c = -1);

  const Node& node(Id id) const { return nodes_[static_cast<std::size_t>(id)]; }
  const Symbol& symbol_at(std::int32_t number) const { return symbols_[static_cast<std::size_t>(number)]; }
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Symbol> symbols() const { return symbols_; }
  bool is_constant(Id id) const { return node(id).op == Op::constant; }
  bool is(Id id, double value) const { return is_constant(id) && node(id).value == value; }
  // Operations that were asked for, whatever they came to.
  std::size_t asked() const { return asked_; }

  // The constant, or what has been named so: numbers of an element that its kernel uses become parameters.
  Id number(double value);
  void name_numbers(std::vector<std::pair<double, Id>> names) { names_ = std::move(names); }

  // A kernel asked for the value of a formula, to branch on it: what it left is not the whole truth.
  void note_question() { was_asked_for_value_ = true; }
  bool take_question() { return std::exchange(was_asked_for_value_, false); }

 private:
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  Id put(const Node& node);
  Id apply(Op op, Id a, Id b = -1, Id c = -1) { return put({op, a, b, c}); }
  Id negate(Id a);
  Id add(Id a, Id b);
  Id subtract(Id a, Id b);
  Id multiply(Id a, Id b);
  Id divide(Id a, Id b);
  Id choose(Id condition, Id a, Id b);

  std::vector<Node> nodes_;
  std::vector<Symbol> symbols_;
  std::unordered_map<Node, Id, Hash> known_;
  std::vector<std::pair<double, Id>> names_;
  std::size_t asked_ = 0;
  bool was_asked_for_value_ = false;
};

// Values of all nodes for these values of the symbols.
std::vector<double> evaluate(const Graph& graph, std::span<const double> symbols);

// Which nodes the results stand on, themselves included.
std::vector<bool> needed(const Graph& graph, std::span<const Id> results);

// Which nodes are known as soon as the parameters are: they need to be computed only once.
std::vector<bool> known_before(const Graph& graph);

struct OperationCount {
  std::size_t sums = 0, products = 0, quotients = 0, functions = 0;  // signs are not counted
  std::size_t total() const { return sums + products + quotients + functions; }
};
// Of the nodes that the results need: those that are known before, or the others.
OperationCount count_operations(const Graph& graph, std::span<const Id> results, bool before);

// The derivatives of the results by a symbol, as new nodes of the graph. Jumps have the derivative zero.
std::vector<Id> differentiate(Graph& graph, std::span<const Id> results, Id symbol);

}  // namespace gelenk::symbolic
