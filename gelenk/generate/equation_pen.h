#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/generate/equation_symbols.h"
#include "gelenk/generate/equation_text.h"

namespace gelenk::generate {

// Stands for the space before a sign where a line may end.
inline constexpr char kLineMayEnd = '\x1f';

std::string in_one_line(std::string formula);

// A coefficient without its sign: 3/4 is "3" over "4"; what is 1 is empty.
struct CoefficientText {
  std::string above, below;
};

// How names, numbers and operations look in a notation.
class EquationPen {
 public:
  explicit EquationPen(Notation notation) : is_latex_(notation == Notation::latex) {}

  bool is_latex() const { return is_latex_; }
  std::string name(const ShortName& name) const;
  // "M" with the indices 1, 2, counted from 1.
  std::string entry(std::string_view base, std::size_t row, std::size_t column) const;
  std::string numbered(std::string_view base, std::size_t number) const;
  std::string number(double value) const;
  std::string decimal(double value, int digits) const;
  CoefficientText coefficient(double size) const;
  // Empty for 1.
  std::string ratio(const CoefficientText& number) const;
  std::string power(const std::string& base, int exponent) const;
  // `function`: sin, sqrt or a word. To a power: \sin^2(q), sqrt(x)^3
  std::string call(std::string_view function, std::string operands, int exponent = 1) const;
  // `is_product`: `below` has several factors.
  std::string fraction(const std::string& above, const std::string& below, bool is_product) const;
  std::string parentheses(const std::string& text) const;
  // Two factors; one may be empty.
  std::string product(const std::string& a, const std::string& b) const;
  std::string relation(std::string_view sign) const;
  // " kg m^2" behind a number, nothing for "1".
  std::string unit(std::string_view unit) const;
  std::string unit_in_parentheses(std::string_view unit) const;
  std::string words(std::string_view text) const;
  // A formula in a text.
  std::string inline_formula(const std::string& formula) const { return is_latex_ ? "$" + formula + "$" : formula; }
  // A full name in quotes.
  std::string quoted(std::string_view name) const;
  // Characters of a formula as they will be seen.
  std::size_t width(std::string_view formula) const;
  // A formula in lines of a width that is good to read, the next ones narrower by `indent`.
  std::vector<std::string> lines_of(const std::string& formula, std::size_t width, std::size_t indent) const;

 private:
  std::size_t end_of_line(std::string_view text, std::size_t width) const;

  bool is_latex_;
};

}  // namespace gelenk::generate
