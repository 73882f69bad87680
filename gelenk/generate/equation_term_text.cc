#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "gelenk/expression/operations.h"
#include "gelenk/generate/equation_terms.h"

// How terms are written; equation_terms.cc decides in which order.
namespace gelenk::generate {
namespace {

using symbolic::Atom;
using symbolic::AtomPower;
using symbolic::Monomial;
using symbolic::Op;
using symbolic::Polynomial;

// What is longer gets a name.
constexpr std::size_t kLongestFunction = 11;

std::string or_one(const std::string& product) { return product.empty() ? "1" : product; }

}  // namespace

std::string EquationTerms::text(const std::vector<SumPiece>& pieces) {
  std::string text;
  for (const SumPiece& piece : pieces) {
    const SignedText term = piece_text(piece);
    if (text.empty()) {
      text = (term.is_negative ? "-" : "") + term.text;
    } else {
      text += kLineMayEnd + std::string(term.is_negative ? "- " : "+ ") + term.text;
    }
  }
  return text.empty() ? "0" : text;
}

std::string EquationTerms::times(const std::vector<SumPiece>& pieces, const std::string& factor, bool is_first) {
  if (pieces.empty()) return {};
  const SignedText product = pieces.size() == 1
                                 ? piece_text(pieces[0], factor)
                                 : SignedText{false, pen_.product(pen_.parentheses(text(pieces)), factor)};
  if (is_first) return (product.is_negative ? "-" : "") + product.text;
  return kLineMayEnd + std::string(product.is_negative ? "- " : "+ ") + product.text;
}

EquationTerms::SignedText EquationTerms::piece_text(const SumPiece& piece, const std::string& factor) {
  const Factors factors = factor_texts(piece.factors);
  const CoefficientText number = pen_.coefficient(std::abs(piece.coefficient));
  std::string constant = factors.constant, moving = factors.moving, rates = factors.rates, sums;
  for (const InnerSum& inner : piece.sums) {
    const std::string sum = pen_.power(pen_.parentheses(text(inner.pieces)), inner.power);
    std::string& group = is_before(inner.pieces, rank_of(SymbolRole::time))   ? constant
                         : is_before(inner.pieces, rank_of(SymbolRole::rate)) ? moving
                                                                              : rates;
    group = pen_.product(group, sum);
    sums = pen_.product(sums, sum);
  }
  const std::string product = pen_.product(pen_.product(constant, moving), pen_.product(rates, factor));
  const bool is_negative = piece.coefficient < 0.0;
  if (factors.below.empty()) {
    return {is_negative, or_one(pen_.product(pen_.ratio(number), product))};
  }
  const bool is_product = factors.is_below_product || !number.below.empty();
  const std::string below = pen_.product(number.below, factors.below);
  if (pen_.is_latex()) {  // sums beside the fraction, so that lines may end in them
    const std::string plain = pen_.product(pen_.product(factors.constant, factors.moving), factors.rates);
    const std::string fraction = pen_.fraction(or_one(pen_.product(number.above, plain)), below, is_product);
    return {is_negative, pen_.product(fraction, pen_.product(sums, factor))};
  }
  return {is_negative, pen_.fraction(or_one(pen_.product(number.above, product)), below, is_product)};
}

EquationTerms::Factors EquationTerms::factor_texts(const Monomial& factors) {
  Monomial sorted = factors;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [this](const AtomPower& a, const AtomPower& b) { return key(a.atom) < key(b.atom); });
  Factors result;
  const auto below = std::count_if(sorted.begin(), sorted.end(), [](const AtomPower& f) { return f.power < 0; });
  for (const AtomPower& factor : sorted) {
    std::string text = atom_text(factor.atom, std::abs(factor.power));
    const bool is_bare_sum = polynomials_.atom(factor.atom).op == Op::add && below == 1 && factor.power == -1;
    if (is_bare_sum && pen_.is_latex() && text.starts_with('(')) text = text.substr(1, text.size() - 2);
    const bool is_rate = key(factor.atom).front() == rank_of(SymbolRole::rate);
    std::string& above = is_rate ? result.rates : is_moving(factor.atom) ? result.moving : result.constant;
    std::string& side = factor.power < 0 ? result.below : above;
    side = pen_.product(side, text);
  }
  result.is_below_product = below > 1;
  return result;
}

std::string EquationTerms::atom_text(std::int32_t number, int exponent) {
  const Atom& atom = polynomials_.atom(number);
  if (atom.op == Op::symbol) return pen_.power(pen_.name(symbols_.of(atom.symbol).name), exponent);
  if (polynomials_.is_angle_function(number)) {
    return pen_.call(atom.op == Op::sin ? "sin" : "cos", angle_text(atom.operands[0]), exponent);
  }
  const auto known = names_.find(number);
  if (known != names_.end()) return pen_.power(known->second, exponent);
  const std::string formula = function_text(atom, 1);
  if (pen_.width(formula) > kLongestFunction) {
    const std::string_view base = atom.op == Op::sqrt && !symbols_.is_taken("r") ? "r" : "u";
    return pen_.power(abbreviated(number, base, atom.op == Op::add ? formula.substr(1, formula.size() - 2) : formula),
                      exponent);
  }
  return exponent == 1 ? formula : function_text(atom, exponent);
}

std::string EquationTerms::abbreviated(std::int32_t number, std::string_view base, std::string formula) {
  const std::string name = pen_.numbered(base, ++numbered_[std::string(base)]);
  names_.emplace(number, name);
  abbreviations_.emplace_back(name, std::move(formula));
  return name;
}

std::string EquationTerms::function_text(const Atom& atom, int exponent) {
  std::vector<std::string> operands;
  for (const Polynomial& operand : atom.operands) {
    const bool is_condition = atom.op == Op::choose && operands.empty();
    operands.push_back(is_condition ? condition_text(operand) : operand_text(operand));
  }
  if (atom.op == Op::add) return pen_.power(pen_.parentheses(operands[0]), exponent);
  if (atom.op == Op::power) {
    const std::string power = pen_.is_latex() ? "{" + in_one_line(operands[1]) + "}" : pen_.parentheses(operands[1]);
    const std::string text = pen_.parentheses(operands[0]) + "^" + power;
    return exponent == 1 ? text : pen_.power(pen_.parentheses(text), exponent);
  }
  if (expression::binary_operator(atom.op)) return pen_.power(pen_.parentheses(comparison_text(atom)), exponent);
  std::string list;
  for (const std::string& operand : operands) list += (list.empty() ? "" : "," + std::string(1, kLineMayEnd)) + operand;
  const expression::Function* const function = expression::function_of(atom.op);
  const std::string name = function != nullptr          ? std::string(function->name)
                           : atom.op == Op::logical_not ? "not"
                                                        : "table";
  return pen_.call(name, std::move(list), exponent);
}

// A sum of angles: 0.3 t of the atom for it stands there itself.
std::string EquationTerms::angle_text(const Polynomial& angle) {
  Polynomial sum;
  for (const auto& [product, multiple] : angle) {
    const bool is_single = product.size() == 1 && product[0].power == 1;
    const Atom& atom = polynomials_.atom(product.empty() ? 0 : product[0].atom);
    if (!is_single || atom.op != Op::multiply) {
      symbolic::add_term(sum, product, multiple);
      continue;
    }
    for (const auto& [inner, coefficient] : atom.operands[0]) symbolic::add_term(sum, inner, multiple * coefficient);
  }
  std::vector<SumPiece> pieces;
  for (const Term& term : ordered(sum, TermOrder::by_motion)) pieces.push_back({term.coefficient, term.product, {}});
  const auto positive =
      std::find_if(pieces.begin(), pieces.end(), [](const SumPiece& piece) { return piece.coefficient > 0.0; });
  if (positive != pieces.end()) std::rotate(pieces.begin(), positive, std::next(positive));
  return text(pieces);
}

std::string EquationTerms::comparison_text(const Atom& atom) {
  const std::optional<expression::Operator> sign = expression::binary_operator(atom.op);
  return operand_text(atom.operands[0]) + pen_.relation(sign->text) + operand_text(atom.operands[1]);
}

// Of if(x < 0, a, b): without parentheses or a name.
std::string EquationTerms::condition_text(const Polynomial& condition) {
  const bool is_atom = condition.size() == 1 && condition.begin()->second == 1.0 &&
                       condition.begin()->first.size() == 1 && condition.begin()->first[0].power == 1;
  if (is_atom) {
    const Atom& atom = polynomials_.atom(condition.begin()->first[0].atom);
    if (atom.op != Op::power && expression::binary_operator(atom.op)) return comparison_text(atom);
  }
  return operand_text(condition);
}

std::string EquationTerms::operand_text(const Polynomial& operand) {
  return text(pieces(polynomials_.shortened(operand)));
}

}  // namespace gelenk::generate
