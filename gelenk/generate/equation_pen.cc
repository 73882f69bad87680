#include "gelenk/generate/equation_pen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "gelenk/base/text.h"

namespace gelenk::generate {
namespace {

constexpr double kNearlyWhole = 1e-12;
constexpr int kWrittenDigits = 10;
constexpr std::size_t kUnbrokenWidth = 24;  // of what is in parentheses
constexpr std::string_view kLatexWord = "\\mathit";

std::string latex_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\textbackslash{}";
    } else if (c == '~' || c == '^') {
      result += fmt::format("\\{}{{}}", c);
    } else {
      if (std::string_view("_#%&${}").find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
  }
  return result;
}

bool is_nearly(double a, double b) { return std::abs(a - b) <= kNearlyWhole * std::abs(b); }

// p / q of a small q, where a person would write it so.
std::optional<std::pair<int, int>> simple_fraction(double value) {
  if (value >= 1e6) return std::nullopt;
  if (is_nearly(value, std::round(value))) return std::pair(static_cast<int>(std::round(value)), 1);
  for (const int q : {2, 3, 4, 6, 8, 12}) {
    if (!is_nearly(q * value, std::round(q * value))) continue;
    // 1.5, but 1/2 and 4/3.
    if (value > 1.0 && q % 3 != 0) return std::nullopt;
    return std::pair(static_cast<int>(std::round(q * value)), q);
  }
  return std::nullopt;
}

std::optional<std::pair<int, int>> fraction_of_pi(double value) {
  for (const int q : {1, 2, 3, 4, 6, 30, 180}) {
    const double p = q * value / std::numbers::pi;
    if (p > 0.5 && p < 12.5 && is_nearly(p, std::round(p))) return std::pair(static_cast<int>(std::round(p)), q);
  }
  return std::nullopt;
}

std::string_view greek_command(std::string_view base) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kGreek{
      {{"w", "\\omega"}, {"lambda", "\\lambda"}, {"pi", "\\pi"}, {"alpha", "\\alpha"}, {"beta", "\\beta"}}};
  for (const auto& [word, command] : kGreek) {
    if (word == base) return command;
  }
  return {};
}

std::string latex_function(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kSame{"sin",  "cos", "tan", "sinh", "cosh",
                                                         "tanh", "exp", "min", "max"};
  if (std::find(kSame.begin(), kSame.end(), name) != kSame.end()) return fmt::format("\\{}", name);
  if (name == "asin" || name == "acos" || name == "atan") return fmt::format("\\arc{}", name.substr(1));
  return name == "log" ? "\\ln" : fmt::format("\\operatorname{{{}}}", name);
}

std::string latex_base(const std::string& base) {
  if (const std::string_view greek = greek_command(base); !greek.empty()) return std::string(greek);
  return base.size() == 1 ? base : fmt::format("{}{{{}}}", kLatexWord, latex_escaped(base));
}

std::string latex_index(const std::string& index) {
  if (index.empty()) return {};
  return index.size() == 1 ? "_" + index : fmt::format("_{{{}}}", latex_escaped(index));
}

// Length of a command of LaTeX at the beginning of the text, and how wide it is.
std::pair<std::size_t, std::size_t> command_width(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
  if (end == 1) return {2, text.substr(0, 2) == "\\_" ? 1 : 0};
  const std::string_view word = text.substr(1, end - 1);
  for (const std::string_view function : {"sin", "cos", "tan", "exp", "min", "max", "tanh"}) {
    if (word == function) return {end, word.size()};
  }
  for (const std::string_view invisible :
       {"dot", "ddot", "frac", "tfrac", "mathit", "mathrm", "text", "operatorname"}) {
    if (word == invisible) return {end, 0};
  }
  return {end, 1};
}

}  // namespace

std::string EquationPen::name(const ShortName& name) const {
  if (!is_latex_) return name.base + name.index + std::string(static_cast<std::size_t>(name.primes), '\'');
  std::string base = latex_base(name.base);
  if (name.primes == 1) base = fmt::format("\\dot{{{}}}", base);
  if (name.primes == 2) base = fmt::format("\\ddot{{{}}}", base);
  return base + latex_index(name.index);
}

std::string EquationPen::entry(std::string_view base, std::size_t row, std::size_t column) const {
  const char* const between = row < 10 && column < 10 ? "" : is_latex_ ? "," : "_";
  return name({std::string(base), fmt::format("{}{}{}", row, between, column), 0});
}

std::string EquationPen::numbered(std::string_view base, std::size_t number) const {
  return name({std::string(base), std::to_string(number), 0});
}

std::string EquationPen::decimal(double value, int digits) const {
  std::string text = format_rounded(value, digits);
  const std::size_t e = text.find('e');
  if (!is_latex_ || e == std::string::npos) return text;
  const std::string exponent = std::to_string(std::stoi(text.substr(e + 1)));
  return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), exponent);
}

std::string EquationPen::number(double value) const {
  const std::string size = ratio(coefficient(std::abs(value)));
  return (value < 0.0 ? "-" : "") + (size.empty() ? "1" : size);
}

CoefficientText EquationPen::coefficient(double size) const {
  if (const auto simple = simple_fraction(size)) {
    return {simple->first == 1 ? "" : std::to_string(simple->first),
            simple->second == 1 ? "" : std::to_string(simple->second)};
  }
  if (const auto part = fraction_of_pi(size)) {
    const std::string pi = name({"pi", "", 0});
    return {part->first == 1 ? pi : fmt::format("{} {}", part->first, pi),
            part->second == 1 ? "" : std::to_string(part->second)};
  }
  return {decimal(size, kWrittenDigits), ""};
}

std::string EquationPen::power(const std::string& base, int exponent) const {
  if (exponent == 1) return base;
  return is_latex_ && exponent > 9 ? fmt::format("{}^{{{}}}", base, exponent) : fmt::format("{}^{}", base, exponent);
}

std::string EquationPen::call(std::string_view function, std::string operands, int exponent) const {
  const bool is_braced = is_latex_ && function == "sqrt";
  if (is_braced || width(operands) <= kUnbrokenWidth) operands = in_one_line(std::move(operands));
  if (!is_latex_) return power(fmt::format("{}({})", function, operands), exponent);
  if (function == "sqrt") return power(fmt::format("\\sqrt{{{}}}", operands), exponent);
  if (function == "abs") return power(fmt::format("|{}|", operands), exponent);
  // \sin^2(q), but \max(q, 0)^2
  if (function == "sin" || function == "cos") {
    return fmt::format("\\{}({})", power(std::string(function), exponent), operands);
  }
  return power(fmt::format("{}({})", latex_function(function), operands), exponent);
}

std::string EquationPen::parentheses(const std::string& text) const {
  return "(" + (width(text) <= kUnbrokenWidth ? in_one_line(text) : text) + ")";
}

std::string EquationPen::fraction(const std::string& above, const std::string& below, bool is_product) const {
  if (is_latex_) return fmt::format("\\frac{{{}}}{{{}}}", in_one_line(above), in_one_line(below));
  return fmt::format("{} / {}", above, is_product ? parentheses(below) : below);
}

// 1/2, 5 pi/3
std::string EquationPen::ratio(const CoefficientText& number) const {
  if (number.below.empty()) return number.above;
  const std::string above = number.above.empty() ? "1" : number.above;
  return is_latex_ ? fraction(above, number.below, false) : fmt::format("{}/{}", above, number.below);
}

std::string EquationPen::product(const std::string& a, const std::string& b) const {
  if (a.empty() || b.empty()) return a + b;
  const std::size_t last = a.rfind(' ');
  const bool has_word = b.starts_with(kLatexWord) ||
                        std::string_view(a).substr(last == std::string::npos ? 0 : last + 1).starts_with(kLatexWord);
  return a + (has_word ? " \\, " : " ") + b;
}

std::string EquationPen::relation(std::string_view sign) const {
  if (!is_latex_) return fmt::format(" {} ", sign);
  if (sign == "<=") return " \\le ";
  if (sign == ">=") return " \\ge ";
  if (sign == "!=") return " \\ne ";
  if (sign == "==") return " = ";
  if (sign == "and") return " \\land ";
  if (sign == "or") return " \\lor ";
  return fmt::format(" {} ", sign);
}

std::string EquationPen::unit(std::string_view unit) const {
  if (unit == "1" || unit.empty()) return {};
  if (unit == "SI") return is_latex_ ? "\\ \\text{(SI)}" : " (SI)";
  if (!is_latex_) return fmt::format(" {}", unit);
  std::string text;
  for (const char c : unit) text += c == '*' ? std::string("\\,") : std::string(1, c);
  return fmt::format("\\,\\mathrm{{{}}}", text);
}

std::string EquationPen::unit_in_parentheses(std::string_view unit) const {
  if (unit == "1" || unit.empty()) return {};
  if (!is_latex_) return fmt::format(" ({})", unit);
  return unit == "SI" ? this->unit(unit) : fmt::format("\\ ({})", this->unit(unit).substr(2));
}

std::string EquationPen::words(std::string_view text) const {
  return is_latex_ ? fmt::format("\\text{{{}}}", latex_escaped(text)) : std::string(text);
}

std::string EquationPen::quoted(std::string_view name) const {
  return is_latex_ ? fmt::format("\\text{{``{}''}}", latex_escaped(name)) : fmt::format("\"{}\"", name);
}

std::size_t EquationPen::width(std::string_view text) const {
  if (!is_latex_) return text.size();
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\\') {
      const auto [length, seen] = command_width(text.substr(i));
      i += length;
      width += seen;
      continue;
    }
    if (text[i] != '{' && text[i] != '}' && text[i] != '_' && text[i] != '^') ++width;
    ++i;
  }
  return width;
}

// Where a line ends best that may be `width` wide: not near its beginning, at the outermost sign, and late.
std::size_t EquationPen::end_of_line(std::string_view text, std::size_t width) const {
  std::size_t best = std::string_view::npos, parentheses = 0;
  std::pair<bool, std::size_t> best_flaws;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++parentheses;
    if (text[i] == ')' && parentheses > 0) --parentheses;
    if (text[i] != kLineMayEnd) continue;
    const std::size_t so_far = this->width(text.substr(0, i));
    if (so_far > width) return best == std::string_view::npos ? i : best;
    // Between operands rather than within one.
    const bool is_comma = i > 0 && text[i - 1] == ',';
    const std::pair flaws(so_far < width / 3, 2 * parentheses + (is_comma ? 0 : 1));
    if (best != std::string_view::npos && best_flaws < flaws) continue;
    best = i;
    best_flaws = flaws;
  }
  return best;
}

std::string in_one_line(std::string formula) {
  std::replace(formula.begin(), formula.end(), kLineMayEnd, ' ');
  return formula;
}

std::vector<std::string> EquationPen::lines_of(const std::string& formula, std::size_t width,
                                               std::size_t indent) const {
  std::vector<std::string> lines;
  std::string_view rest = formula;
  while (this->width(rest) > width) {
    const std::size_t end = end_of_line(rest, width);
    if (end == std::string_view::npos) break;
    lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (lines.size() == 1) width -= indent;
  }
  lines.emplace_back(rest);
  for (std::string& line : lines) std::replace(line.begin(), line.end(), kLineMayEnd, ' ');
  return lines;
}

}  // namespace gelenk::generate
