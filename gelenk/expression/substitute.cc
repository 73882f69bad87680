#include "gelenk/expression/expression.h"

namespace gelenk::expression {
namespace {

class Substitution {
 public:
  Substitution(const Expression& expression, std::span<const Expression* const> formulas, std::string_view everywhere)
      : expression_(expression), formulas_(formulas), everywhere_(everywhere) {}

  Expression run() {
    const std::span<const Symbol> symbols = expression_.symbols();
    std::vector<std::int32_t> places(symbols.size(), -1);  // of the symbols, or of the formulas' results
    for (std::size_t s = 0; s < symbols.size(); ++s) {
      if (formulas_[s] == nullptr) places[s] = place_of(symbols[s]);
    }
    for (std::size_t s = 0; s < symbols.size(); ++s) {
      if (formulas_[s] != nullptr) places[s] = insert(*formulas_[s], symbols[s]);
    }
    std::vector<std::int32_t> moved;
    const std::int32_t first_table = add_tables(expression_);
    for (const ExpressionNode& node : expression_.nodes()) {
      const bool is_replaced = node.op == Op::symbol && formulas_[static_cast<std::size_t>(node.index)] != nullptr;
      moved.push_back(is_replaced ? places[static_cast<std::size_t>(node.index)]
                                  : push(node, moved, places, first_table));
    }
    // The result is the last node.
    data_->nodes.resize(static_cast<std::size_t>(moved.back()) + 1);
    return Expression(std::move(data_));
  }

 private:
  std::int32_t place_of(const Symbol& symbol) {
    const auto place = static_cast<std::int32_t>(data_->symbols.size());
    if (symbol.name == everywhere_) {
      if (shared_ >= 0) return shared_;
      shared_ = place;
    }
    data_->symbols.push_back(symbol);
    return place;
  }

  std::int32_t add_tables(const Expression& from) {
    const auto first = static_cast<std::int32_t>(data_->tables.size());
    data_->tables.insert(data_->tables.end(), from.tables().begin(), from.tables().end());
    return first;
  }

  std::int32_t push(ExpressionNode node, const std::vector<std::int32_t>& moved,
                    const std::vector<std::int32_t>& places, std::int32_t first_table) {
    for (std::int32_t* const operand : {&node.a, &node.b, &node.c}) {
      if (*operand >= 0) *operand = moved[static_cast<std::size_t>(*operand)];
    }
    if (node.op == Op::symbol) node.index = places[static_cast<std::size_t>(node.index)];
    if (node.op == Op::table || node.op == Op::table_derivative) node.index += first_table;
    data_->nodes.push_back(node);
    return static_cast<std::int32_t>(data_->nodes.size()) - 1;
  }

  // The node of its result. For messages all of it stands where the symbol is written.
  std::int32_t insert(const Expression& formula, const Symbol& replaced) {
    std::vector<std::int32_t> places;
    for (const Symbol& symbol : formula.symbols()) {
      const bool is_shared = symbol.name == everywhere_;
      places.push_back(place_of({is_shared ? symbol.name : replaced.name + "/" + symbol.name, replaced.span}));
    }
    std::vector<std::int32_t> moved;
    const std::int32_t first_table = add_tables(formula);
    for (ExpressionNode node : formula.nodes()) {
      node.span = replaced.span;
      moved.push_back(push(node, moved, places, first_table));
    }
    return moved.back();
  }

  const Expression& expression_;
  std::span<const Expression* const> formulas_;
  std::string_view everywhere_;
  std::int32_t shared_ = -1;
  std::shared_ptr<Expression::Data> data_ = std::make_shared<Expression::Data>();
};

}  // namespace

Expression substitute(const Expression& expression, std::span<const Expression* const> formulas,
                      std::string_view everywhere) {
  return expression.is_empty() ? expression : Substitution(expression, formulas, everywhere).run();
}

}  // namespace gelenk::expression
