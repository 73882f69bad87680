#include "gelenk/expression/operations.h"

#include <algorithm>

namespace gelenk::expression {
namespace {

constexpr Function kFunctions[] = {
    {"sin", Op::sin, 1, 1},     {"cos", Op::cos, 1, 1},         {"tan", Op::tan, 1, 1},
    {"asin", Op::asin, 1, 1},   {"acos", Op::acos, 1, 1},       {"atan", Op::atan, 1, 1},
    {"atan2", Op::atan2, 2, 2}, {"sinh", Op::sinh, 1, 1},       {"cosh", Op::cosh, 1, 1},
    {"tanh", Op::tanh, 1, 1},   {"exp", Op::exp, 1, 1},         {"log", Op::log, 1, 1},
    {"log10", Op::log10, 1, 1}, {"sqrt", Op::sqrt, 1, 1},       {"abs", Op::abs, 1, 1},
    {"sign", Op::sign, 1, 1},   {"floor", Op::floor, 1, 1},     {"ceil", Op::ceil, 1, 1},
    {"mod", Op::mod, 2, 2},     {"hypot", Op::hypot, 2, 2},     {"step", Op::step, 1, 1},
    {"if", Op::choose, 3, 3},   {"min", Op::min, 2, kAnyCount}, {"max", Op::max, 2, kAnyCount},
};

}  // namespace

std::span<const Function> functions() { return kFunctions; }

const Function* find_function(std::string_view name) {
  const auto* it = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                [&](const Function& function) { return function.name == name; });
  return it == std::end(kFunctions) ? nullptr : it;
}

const Function* function_of(Op op) {
  const auto* it = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                [&](const Function& function) { return function.op == op; });
  return it == std::end(kFunctions) ? nullptr : it;
}

std::optional<Operator> binary_operator(Op op) {
  switch (op) {
    case Op::add:
      return Operator{"+", Binding::sum};
    case Op::subtract:
      return Operator{"-", Binding::sum};
    case Op::multiply:
      return Operator{"*", Binding::product};
    case Op::divide:
      return Operator{"/", Binding::product};
    case Op::power:
      return Operator{"^", Binding::power};
    case Op::less:
      return Operator{"<", Binding::comparison};
    case Op::less_equal:
      return Operator{"<=", Binding::comparison};
    case Op::greater:
      return Operator{">", Binding::comparison};
    case Op::greater_equal:
      return Operator{">=", Binding::comparison};
    case Op::equal:
      return Operator{"==", Binding::comparison};
    case Op::not_equal:
      return Operator{"!=", Binding::comparison};
    case Op::logical_and:
      return Operator{"and", Binding::logical_and};
    case Op::logical_or:
      return Operator{"or", Binding::logical_or};
    default:
      return std::nullopt;
  }
}

int operand_count(Op op) {
  if (binary_operator(op)) return 2;
  switch (op) {
    case Op::constant:
    case Op::symbol:
      return 0;
    case Op::negate:
    case Op::logical_not:
    case Op::table:
    case Op::table_derivative:
      return 1;
    default:
      return static_cast<int>(function_of(op)->min_arguments);
  }
}

}  // namespace gelenk::expression
