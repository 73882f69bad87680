#include "gelenk/expression/expression.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "gelenk/expression/operations.h"

namespace gelenk::expression {
namespace {

// Gives equal subexpressions the same number, whichever expression they stand in. Two expressions are equal when their
// results get the same number; sharing, order of nodes and unused nodes do not matter, and the cost stays linear even
// where the written-out trees would be huge.
class Numbering {
 public:
  int number_of_result(const Expression& expression) {
    std::vector<int> numbers;
    for (const ExpressionNode& node : expression.nodes()) {
      const auto operand = [&](std::int32_t i) { return i < 0 ? -1 : numbers[static_cast<std::size_t>(i)]; };
      int meaning = -1;
      if (node.op == Op::symbol)
        meaning = symbol_number(expression.symbols()[static_cast<std::size_t>(node.index)].name);
      if (node.op == Op::table || node.op == Op::table_derivative) {
        meaning = table_number(*expression.tables()[static_cast<std::size_t>(node.index)]);
      }
      if (node.op == Op::constant) meaning = constant_number(node);
      const Key key{node.op, operand(node.a), operand(node.b), operand(node.c), meaning};
      numbers.push_back(keys_.try_emplace(key, static_cast<int>(keys_.size())).first->second);
    }
    return numbers.empty() ? -1 : numbers.back();
  }

 private:
  using Key = std::tuple<Op, int, int, int, int>;
  using ConstantKey = std::pair<std::uint64_t, std::string>;

  int symbol_number(const std::string& name) {
    return symbols_.try_emplace(name, static_cast<int>(symbols_.size())).first->second;
  }
  int constant_number(const ExpressionNode& node) {
    // Adding zero makes one of the two zeros.
    ConstantKey key{std::bit_cast<std::uint64_t>(node.value + 0.0),
                    node.dimension.text() + (node.is_hertz ? "Hz" : "")};
    return constants_.try_emplace(std::move(key), static_cast<int>(constants_.size())).first->second;
  }
  int table_number(const Table& table) {
    const auto it = std::find_if(tables_.begin(), tables_.end(),
                                 [&](const Table* known) { return known == &table || *known == table; });
    const auto number = static_cast<int>(it - tables_.begin());
    if (it == tables_.end()) tables_.push_back(&table);
    return number;
  }

  std::map<Key, int> keys_;
  std::map<std::string, int> symbols_;
  std::map<ConstantKey, int> constants_;
  std::vector<const Table*> tables_;
};

}  // namespace

Expression Expression::constant(double value, const Dimension& dimension, bool is_hertz) {
  auto data = std::make_shared<Data>();
  ExpressionNode node;
  node.value = value;
  node.dimension = dimension;
  node.is_hertz = is_hertz;
  data->nodes.push_back(node);
  return Expression(std::move(data));
}

Expression Expression::symbol(std::string name) {
  auto data = std::make_shared<Data>();
  ExpressionNode node;
  node.op = Op::symbol;
  node.index = 0;
  data->nodes.push_back(node);
  data->symbols.push_back({std::move(name), {}});
  return Expression(std::move(data));
}

Expression Expression::table(std::shared_ptr<const Table> table, const Expression& argument) {
  auto data = argument.data_ ? std::make_shared<Data>(*argument.data_) : std::make_shared<Data>();
  if (data->nodes.empty()) data->nodes.emplace_back();
  ExpressionNode node;
  node.op = Op::table;
  node.a = static_cast<std::int32_t>(data->nodes.size()) - 1;
  node.index = static_cast<std::int32_t>(data->tables.size());
  node.span = data->nodes.back().span;
  data->nodes.push_back(node);
  data->tables.push_back(std::move(table));
  return Expression(std::move(data));
}

Expression Expression::reduced(const Expression& argument, double first, double period, const Dimension& dimension) {
  auto data = argument.data_ ? std::make_shared<Data>(*argument.data_) : std::make_shared<Data>();
  if (data->nodes.empty()) data->nodes.emplace_back();
  const TextSpan span = data->nodes.back().span;
  const auto append = [&](Op op, std::int32_t a, std::int32_t b, double value) {
    ExpressionNode node;
    node.op = op;
    node.a = a;
    node.b = b;
    node.value = value;
    if (op == Op::constant) node.dimension = dimension;
    node.span = span;
    data->nodes.push_back(node);
    return static_cast<std::int32_t>(data->nodes.size()) - 1;
  };
  const auto whole = static_cast<std::int32_t>(data->nodes.size()) - 1;
  const std::int32_t start = append(Op::constant, -1, -1, first);
  const std::int32_t size = append(Op::constant, -1, -1, period);
  const std::int32_t from_start = append(Op::subtract, whole, start, 0.0);
  append(Op::add, append(Op::mod, from_start, size, 0.0), start, 0.0);
  return Expression(std::move(data));
}

bool Expression::is_literal() const { return nodes().size() == 1 && nodes().front().op == Op::constant; }

std::span<const ExpressionNode> Expression::nodes() const {
  return data_ ? std::span<const ExpressionNode>(data_->nodes) : std::span<const ExpressionNode>();
}

std::span<const Symbol> Expression::symbols() const {
  return data_ ? std::span<const Symbol>(data_->symbols) : std::span<const Symbol>();
}

std::span<const std::shared_ptr<const Table>> Expression::tables() const {
  return data_ ? std::span<const std::shared_ptr<const Table>>(data_->tables)
               : std::span<const std::shared_ptr<const Table>>();
}

bool operator==(const Expression& a, const Expression& b) {
  if (a.data_ == b.data_) return true;
  Numbering numbering;
  return numbering.number_of_result(a) == numbering.number_of_result(b);
}

bool is_reserved_word(std::string_view name) {
  return name == "pi" || name == "and" || name == "or" || name == "not" || find_function(name) != nullptr;
}

std::string unknown_name_hint(std::string_view name) {
  if (!find_unit_symbol(name)) return {};
  return "put a unit of several symbols in parentheses, as in 120 (rad/s)";
}

}  // namespace gelenk::expression
