#include "gelenk/generate/language.h"

#include <fmt/format.h>

#include "gelenk/expression/operations.h"

namespace gelenk::generate {
namespace {

using symbolic::Op;

// Truth is 1 and 0, as in the formulas of a model.
std::string truth(Language language, const std::string& condition) {
  switch (language) {
    case Language::c:
      return fmt::format("({} ? 1.0 : 0.0)", condition);
    case Language::python:
      return fmt::format("(1.0 if {} else 0.0)", condition);
    case Language::matlab:
      return fmt::format("double({})", condition);
  }
  return {};
}

std::string chosen(Language language, const std::string& condition, const std::string& a, const std::string& b) {
  switch (language) {
    case Language::c:
      return fmt::format("({} ? {} : {})", condition, a, b);
    case Language::python:
      return fmt::format("({} if {} else {})", a, condition, b);
    case Language::matlab:
      return fmt::format("choose({}, {}, {})", condition, a, b);
  }
  return {};
}

std::string_view joining(Language language, Op op) {
  if (language == Language::python) return op == Op::logical_and ? "and" : "or";
  return op == Op::logical_and ? "&&" : "||";
}

std::string_view unequal(Language language) { return language == Language::matlab ? "~=" : "!="; }

std::string call(Language language, std::string_view name, const std::string& a) {
  return fmt::format("{}{}({})", language == Language::python ? "math." : "", name, a);
}
std::string call(Language language, std::string_view name, const std::string& a, const std::string& b) {
  return fmt::format("{}{}({}, {})", language == Language::python ? "math." : "", name, a, b);
}

// fabs, atan2 ...
std::string_view function_name(Language language, Op op) {
  if (op == Op::abs && language != Language::matlab) return "fabs";
  return expression::function_of(op)->name;
}

std::string power(Language language, const std::string& a, const std::string& b) {
  return language == Language::matlab ? fmt::format("{}^{}", a, b) : call(language, "pow", a, b);
}

}  // namespace

std::string number_text(Language language, double value) {
  std::string text = fmt::format("{}", value);
  if (language != Language::matlab && text.find_first_of(".en") == std::string::npos) text += ".0";
  return value < 0.0 ? fmt::format("({})", text) : text;
}

std::string element_text(Language language, std::string_view array, std::size_t index) {
  if (language == Language::matlab) return fmt::format("{}({})", array, index + 1);
  return fmt::format("{}[{}]", array, index);
}

std::string operation_text(Language language, Op op, const std::string& a, const std::string& b, const std::string& c) {
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
      return fmt::format("{} {} {}", a, expression::binary_operator(op)->text, b);
    case Op::negate:
      return fmt::format("-{}", a);
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
      return truth(language, fmt::format("{} {} {}", a, expression::binary_operator(op)->text, b));
    case Op::not_equal:
      return truth(language, fmt::format("{} {} {}", a, unequal(language), b));
    case Op::logical_and:
    case Op::logical_or:
      return truth(language, fmt::format("{} {} 0.0 {} {} {} 0.0", a, unequal(language), joining(language, op), b,
                                         unequal(language)));
    case Op::logical_not:
      return truth(language, fmt::format("{} == 0.0", a));
    case Op::choose:
      return chosen(language, fmt::format("{} {} 0.0", a, unequal(language)), b, c);
    case Op::step:
      return chosen(language, fmt::format("{} < 0.0", a), "0.0", "1.0");
    case Op::sign:
      return fmt::format("{} - {}", truth(language, a + " > 0.0"), truth(language, a + " < 0.0"));
    case Op::min:
      return chosen(language, fmt::format("{} <= {}", a, b), a, b);
    case Op::max:
      return chosen(language, fmt::format("{} >= {}", a, b), a, b);
    case Op::mod:
      return fmt::format("{} - {} * {}", a, b, call(language, "floor", fmt::format("{} / {}", a, b)));
    case Op::power:
      return power(language, a, b);
    default:
      break;
  }
  const std::string_view name = function_name(language, op);
  return b.empty() ? call(language, name, a) : call(language, name, a, b);
}

std::string assignment_text(Language language, const std::string& name, const std::string& value, bool is_new) {
  switch (language) {
    case Language::c:
      return fmt::format("  {}{} = {};\n", is_new ? "const double " : "", name, value);
    case Language::python:
      return fmt::format("    {} = {}\n", name, value);
    case Language::matlab:
      return fmt::format("  {} = {};\n", name, value);
  }
  return {};
}

std::string comment_text(Language language, std::string_view text) {
  switch (language) {
    case Language::c:
      return fmt::format("/* {} */\n", text);
    case Language::python:
      return fmt::format("# {}\n", text);
    case Language::matlab:
      return fmt::format("% {}\n", text);
  }
  return {};
}

std::string quoted_text(Language language, std::string_view text) {
  const char quote = language == Language::matlab ? '\'' : '"';
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote || (c == '\\' && language != Language::matlab))
      result += language == Language::matlab ? quote : '\\';
    result += c;
  }
  return result + quote;
}

}  // namespace gelenk::generate
