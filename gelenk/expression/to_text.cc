#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/expression/expression.h"
#include "gelenk/expression/operations.h"

namespace gelenk::expression {
namespace {

std::string constant_text(const ExpressionNode& node) {
  std::string text = format_number(node.value);
  if (node.is_hertz) return text + " Hz";
  if (node.dimension.is_none()) return text;
  const std::string unit = node.dimension.text();
  return text + (find_unit_symbol(unit) ? " " + unit : " (" + unit + ")");
}

Binding tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

// Writes with an explicit stack of things to come, not by recursion: a sum of thousands of terms is thousands deep.
class Writer {
 public:
  explicit Writer(const Expression& expression) : expression_(expression) {}

  std::string write() {
    if (expression_.nodes().empty()) return {};
    later(static_cast<std::int32_t>(expression_.nodes().size()) - 1, Binding::logical_or);
    while (!pending_.empty()) {
      if (text_.size() > kMaxWrittenBytes) return text_ + "...";
      const Pending next = std::move(pending_.back());
      pending_.pop_back();
      if (next.node < 0) {
        text_ += next.text;
      } else {
        write_node(expression_.nodes()[static_cast<std::size_t>(next.node)], next.binding);
      }
    }
    return std::move(text_);
  }

 private:
  // Either a piece of text (node < 0) or a node that must bind at least as tightly as given.
  struct Pending {
    std::int32_t node = -1;
    Binding binding = Binding::logical_or;
    std::string text;
  };

  void later(std::int32_t node, Binding at_least) { pending_.push_back({node, at_least, {}}); }
  void later(std::string text) { pending_.push_back({-1, Binding::primary, std::move(text)}); }

  static Binding binding_of(const ExpressionNode& node) {
    if (const std::optional<Operator> op = binary_operator(node.op)) return op->binding;
    if (node.op == Op::negate) return Binding::sign;
    if (node.op == Op::logical_not) return Binding::logical_not;
    if (node.op != Op::constant) return Binding::primary;
    if (std::signbit(node.value)) return Binding::sign;
    // A quantity as the base of a power needs parentheses: `5 m^2` is refused by the parser.
    return node.is_hertz || !node.dimension.is_none() ? Binding::power : Binding::primary;
  }

  // The stack is last in, first out: what comes last is put there first.
  void write_node(const ExpressionNode& node, Binding at_least) {
    if (binding_of(node) < at_least) {
      text_ += '(';
      later(")");
    }
    if (node.op == Op::constant) {
      text_ += constant_text(node);
    } else if (node.op == Op::symbol) {
      text_ += expression_.symbols()[static_cast<std::size_t>(node.index)].name;
    } else if (const std::optional<Operator> op = binary_operator(node.op)) {
      write_binary(node, *op);
    } else if (node.op == Op::negate || node.op == Op::logical_not) {
      text_ += node.op == Op::negate ? "-" : "not ";
      later(node.a, binding_of(node));
    } else {
      write_call(node);
    }
  }

  void write_binary(const ExpressionNode& node, const Operator& op) {
    if (op.binding == Binding::power) {  // to the right: a^b^c = a^(b^c), and a^-b needs no parentheses
      later(node.b, Binding::sign);
      later(std::string(op.text));
      later(node.a, Binding::primary);
      return;
    }
    const bool chains = op.binding != Binding::comparison;
    later(node.b, tighter(op.binding));
    later(" " + std::string(op.text) + " ");
    later(node.a, chains ? op.binding : tighter(op.binding));
  }

  void write_call(const ExpressionNode& node) {
    if (const Function* function = function_of(node.op)) {
      text_ += function->name;
    } else {
      text_ += node.op == Op::table ? "table#" : "table_derivative#";
      text_ += std::to_string(node.index);
    }
    text_ += '(';
    later(")");
    if (node.op == Op::min || node.op == Op::max) {
      write_repeated(node);
      return;
    }
    if (node.c >= 0) later_argument(node.c);
    if (node.b >= 0) later_argument(node.b);
    later(node.a, Binding::logical_or);
  }

  // min(min(a, b), c) is written as min(a, b, c), as it was read: nested calls would count as depth.
  void write_repeated(const ExpressionNode& node) {
    const ExpressionNode* left = &node;
    for (;;) {
      later_argument(left->b);
      const ExpressionNode& next = expression_.nodes()[static_cast<std::size_t>(left->a)];
      if (next.op != node.op) break;
      left = &next;
    }
    later(left->a, Binding::logical_or);
  }

  void later_argument(std::int32_t node) {
    later(node, Binding::logical_or);
    later(", ");
  }

  const Expression& expression_;
  std::string text_;
  std::vector<Pending> pending_;
};

}  // namespace

std::string to_text(const Expression& expression) { return Writer(expression).write(); }

}  // namespace gelenk::expression
