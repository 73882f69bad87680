#include "gelenk/symbolic/polynomial.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace gelenk::symbolic {
namespace {

// What is left of terms that cancel.
constexpr double kTermRounding = 1e-14;
constexpr double kSquareRounding = 1e-14;
constexpr int kLargestExponent = 16;
// sin 2u is known by its half, sin 314 t is not.
constexpr double kLargestMultiple = 8.0;

// A formula has too many terms, or divides by zero.
struct NoPolynomial {};

Polynomial constant_polynomial(double value) {
  Polynomial result;
  add_term(result, {}, value);
  return result;
}

std::optional<double> as_number(const Polynomial& a) {
  if (a.empty()) return 0.0;
  if (a.size() > 1 || !a.begin()->first.empty()) return std::nullopt;
  return a.begin()->second;
}

void scale_terms(Polynomial& a, double factor) {
  for (auto& [product, coefficient] : a) coefficient *= factor;
}

bool begins_negative(const Polynomial& a) { return !a.empty() && a.begin()->second < 0.0; }

Monomial inverse_of(Monomial product) {
  for (AtomPower& factor : product) factor.power = -factor.power;
  return product;
}

// The atoms that all terms share, to their lowest power; what is negative in one of them is shared.
Monomial shared_factors(const Polynomial& a) {
  std::map<std::int32_t, std::pair<std::int32_t, std::size_t>> lowest;  // power, number of terms
  for (const auto& [product, coefficient] : a) {
    for (const AtomPower& factor : product) {
      const auto [place, is_new] = lowest.try_emplace(factor.atom, factor.power, 0);
      place->second.first = std::min(place->second.first, factor.power);
      ++place->second.second;
    }
  }
  Monomial result;
  for (const auto& [atom, found] : lowest) {
    const std::int32_t power = found.second < a.size() ? std::min(found.first, 0) : found.first;
    if (power != 0) result.push_back({atom, power});
  }
  return result;
}

bool is_multiple(const Monomial& product, double coefficient) {
  return !product.empty() && std::abs(coefficient) <= kLargestMultiple && coefficient == std::round(coefficient);
}

}  // namespace

void add_term(Polynomial& sum, const Monomial& product, double coefficient) {
  if (coefficient == 0.0) return;
  const auto [place, is_new] = sum.try_emplace(product, coefficient);
  if (is_new) return;
  const double larger = std::max(std::abs(place->second), std::abs(coefficient));
  place->second += coefficient;
  if (std::abs(place->second) <= kTermRounding * larger) sum.erase(place);
}

Monomial times(const Monomial& a, const Monomial& b) {
  Monomial result;
  result.reserve(a.size() + b.size());
  auto i = a.begin(), k = b.begin();
  while (i != a.end() || k != b.end()) {
    if (k == b.end() || (i != a.end() && i->atom < k->atom)) {
      result.push_back(*i++);
    } else if (i == a.end() || k->atom < i->atom) {
      result.push_back(*k++);
    } else {
      if (i->power + k->power != 0) result.push_back({i->atom, i->power + k->power});
      ++i, ++k;
    }
  }
  return result;
}

std::optional<Polynomial> square_root(const Polynomial& square) {
  std::vector<std::pair<Monomial, double>> roots;
  for (const auto& [product, coefficient] : square) {
    Monomial half = product;
    const bool is_even = std::all_of(half.begin(), half.end(), [](const AtomPower& f) { return f.power % 2 == 0; });
    if (!is_even || coefficient < 0.0) continue;
    for (AtomPower& factor : half) factor.power /= 2;
    roots.emplace_back(std::move(half), std::sqrt(coefficient));
  }
  if (square.size() != roots.size() * (roots.size() + 1) / 2) return std::nullopt;
  const auto mixed = [&](std::size_t i, std::size_t k) {
    const auto term = square.find(times(roots[i].first, roots[k].first));
    return term == square.end() ? 0.0 : term->second;
  };
  Polynomial result;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (i > 0 && mixed(0, i) < 0.0) roots[i].second = -roots[i].second;
    for (std::size_t k = 0; k < i; ++k) {
      const double expected = 2.0 * roots[i].second * roots[k].second;
      if (std::abs(mixed(k, i) - expected) > kSquareRounding * std::abs(expected)) return std::nullopt;
    }
    result.emplace(roots[i].first, roots[i].second);
  }
  return result;
}

Polynomials::Polynomials(const Graph& graph, PolynomialLimits limits) : graph_(graph), limits_(limits) {
  for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
    if (graph.nodes()[i].op == Op::symbol) number_of({.op = Op::symbol, .symbol = static_cast<Id>(i), .operands = {}});
  }
}

std::int32_t Polynomials::number_of(Atom atom) {
  const auto [place, is_new] = numbers_.try_emplace(atom, static_cast<std::int32_t>(atoms_.size()));
  if (is_new) atoms_.push_back(std::move(atom));
  return place->second;
}

Polynomial Polynomials::of_atom(Atom atom) { return {{Monomial{{number_of(std::move(atom)), 1}}, 1.0}}; }

void Polynomials::spend(std::size_t work) {
  spent_ += work;
  if (spent_ > limits_.work) throw NoPolynomial{};
}

std::optional<Polynomial> Polynomials::normal_form(Id id) {
  forms_.resize(graph_.nodes().size());
  const std::vector<bool> is_needed = needed(graph_, std::span(&id, 1));
  try {
    for (std::size_t i = 0; i < is_needed.size(); ++i) {
      if (!is_needed[i] || forms_[i]) continue;
      Polynomial form = of_node(graph_.nodes()[i], static_cast<Id>(i));
      if (form.size() > limits_.terms) throw NoPolynomial{};
      forms_[i] = std::move(form);
    }
  } catch (const NoPolynomial&) {
    return std::nullopt;
  }
  return of(id);
}

Polynomial Polynomials::of_node(const Node& node, Id id) {
  switch (node.op) {
    case Op::constant:
      return constant_polynomial(node.value);
    case Op::symbol:
      return of_atom({.op = Op::symbol, .symbol = id, .operands = {}});
    case Op::add:
    case Op::subtract: {
      Polynomial sum = of(node.a);
      add(sum, of(node.b), node.op == Op::add ? 1.0 : -1.0);
      return sum;
    }
    case Op::negate: {
      Polynomial result = of(node.a);
      scale_terms(result, -1.0);
      return result;
    }
    case Op::multiply:
      return product(of(node.a), of(node.b));
    case Op::divide:
      return product(of(node.a), inverse(of(node.b)));
    case Op::sin:
    case Op::cos:
      return angle_function(node.op, angle_of(of(node.a)));
    case Op::sqrt:
      return root(of(node.a));
    case Op::hypot: {
      Polynomial sum = power(of(node.a), 2);
      add(sum, power(of(node.b), 2), 1.0);
      return root(sum);
    }
    case Op::abs:
      return magnitude(of(node.a));
    case Op::power:
      if (std::optional<Polynomial> result = simple_power(of(node.a), of(node.b))) return *std::move(result);
      break;
    default:
      break;
  }
  Atom atom{.op = node.op, .table = node.symbol, .operands = {}};
  for (const Id operand : {node.a, node.b, node.c}) {
    if (operand >= 0) atom.operands.push_back(of(operand));
  }
  return of_atom(std::move(atom));
}

void Polynomials::add(Polynomial& sum, const Polynomial& other, double factor) {
  spend(other.size());
  for (const auto& [product, coefficient] : other) add_term(sum, product, factor * coefficient);
}

Polynomial Polynomials::product(const Polynomial& a, const Polynomial& b) {
  spend(a.size() * b.size());
  Polynomial result;
  for (const auto& [first, alpha] : a) {
    for (const auto& [second, beta] : b) add_product(result, alpha * beta, times(first, second));
    if (result.size() > limits_.terms) throw NoPolynomial{};
  }
  return result;
}

// Takes two sines or cosines of a product to sums of angles, until one is left.
void Polynomials::add_product(Polynomial& sum, double coefficient, Monomial product) {
  if (opened(sum, coefficient, product)) return;
  std::vector<std::int32_t> functions;
  for (AtomPower& factor : product) {
    if (factor.power < 1 || !is_angle_function(factor.atom)) continue;
    while (factor.power > 0 && functions.size() < 2) {
      functions.push_back(factor.atom);
      --factor.power;
    }
  }
  if (functions.size() < 2) {
    if (functions.size() == 1) {
      for (AtomPower& factor : product) factor.power += factor.atom == functions[0] ? 1 : 0;
    }
    add_term(sum, product, coefficient);
    return;
  }
  std::erase_if(product, [](const AtomPower& factor) { return factor.power == 0; });
  const Atom f = atom(functions[0]), g = atom(functions[1]);
  add_angles(sum, coefficient, product, f, g);
}

// 2 cos a cos b = cos(a - b) + cos(a + b),  2 sin a sin b = cos(a - b) - cos(a + b),
// 2 sin a cos b = sin(a - b) + sin(a + b)
void Polynomials::add_angles(Polynomial& sum, double coefficient, const Monomial& rest, const Atom& f, const Atom& g) {
  const bool is_sine = f.op == Op::sin, is_other_sine = g.op == Op::sin;
  const Polynomial& a = is_other_sine && !is_sine ? g.operands[0] : f.operands[0];
  const Polynomial& b = is_other_sine && !is_sine ? f.operands[0] : g.operands[0];
  const Op op = is_sine == is_other_sine ? Op::cos : Op::sin;
  for (const double sign : {-1.0, 1.0}) {
    Polynomial angle = a;
    add(angle, b, sign);
    const double half = is_sine && is_other_sine ? -0.5 * sign : 0.5;
    for (const auto& [product, value] : angle_function(op, angle)) {
      add_product(sum, coefficient * half * value, times(rest, product));
    }
  }
}

// √a √a = a, |a| |a| = a²; a sum in a numerator is multiplied out.
bool Polynomials::opened(Polynomial& sum, double coefficient, const Monomial& product) {
  for (std::size_t i = 0; i < product.size(); ++i) {
    const auto [number, power] = product[i];
    const Op op = atom(number).op;
    const bool is_open = (op == Op::add && power > 0) || ((op == Op::sqrt || op == Op::abs) && power > 1);
    if (!is_open) continue;
    Monomial rest = product;
    const Polynomial operand = atom(number).operands[0];
    const int kept = op == Op::add ? 0 : power % 2;
    rest[i].power = kept;
    if (kept == 0) rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    const Polynomial factor = this->power(operand, op == Op::sqrt ? power / 2 : power - kept);
    spend(factor.size());
    for (const auto& [other, value] : factor) add_product(sum, coefficient * value, times(rest, other));
    return true;
  }
  return false;
}

Polynomial Polynomials::inverse(const Polynomial& a) {
  if (a.empty()) throw NoPolynomial{};
  if (a.size() > 1) return inverse_sum(a);
  Polynomial result;
  add_product(result, 1.0 / a.begin()->second, inverse_of(a.begin()->first));
  return result;
}

// 1 / (α m (a + b + ...)) = (1/α) m⁻¹ (a + b + ...)⁻¹
Polynomial Polynomials::inverse_sum(const Polynomial& sum) {
  const Monomial shared = inverse_of(shared_factors(sum));
  Polynomial bare;
  for (const auto& [product, coefficient] : sum) add_product(bare, coefficient, times(product, shared));
  if (bare.size() < 2) throw NoPolynomial{};
  const double first = bare.begin()->second;
  const bool is_even = std::all_of(bare.begin(), bare.end(),
                                   [first](const auto& term) { return std::abs(term.second) == std::abs(first); });
  const double factor = is_even ? first : first < 0.0 ? -1.0 : 1.0;
  for (auto& [product, coefficient] : bare) coefficient /= factor;
  Polynomial result;
  add_product(result, 1.0 / factor, times(shared, {divisor(std::move(bare))}));
  return result;
}

// Distances stay distances: r⁻², not (x² + y²)⁻¹. Squares stay squares.
AtomPower Polynomials::divisor(Polynomial sum) {
  const auto distance = numbers_.find({.op = Op::sqrt, .operands = {sum}});
  if (distance != numbers_.end()) return {distance->second, -2};
  if (std::optional<Polynomial> exact = square_root(sum)) {
    return {number_of({.op = Op::add, .operands = {*std::move(exact)}}), -2};
  }
  return {number_of({.op = Op::add, .operands = {std::move(sum)}}), -1};
}

Polynomial Polynomials::power(const Polynomial& a, int exponent) {
  if (exponent < 0) return power(inverse(a), -exponent);
  Polynomial result = constant_polynomial(1.0);
  for (int i = 0; i < exponent; ++i) result = product(result, a);
  return result;
}

// Whole powers and those of roots.
std::optional<Polynomial> Polynomials::simple_power(const Polynomial& a, const Polynomial& exponent) {
  const std::optional<double> n = as_number(exponent);
  if (!n || std::abs(*n) > kLargestExponent) return std::nullopt;
  if (*n == std::round(*n)) return power(a, static_cast<int>(*n));
  if (2.0 * *n == std::round(2.0 * *n)) return power(root(a), static_cast<int>(2.0 * *n));
  return std::nullopt;
}

Polynomial Polynomials::root(const Polynomial& a) {
  const std::optional<double> value = as_number(a);
  if (value && *value >= 0.0) return constant_polynomial(std::sqrt(*value));
  if (std::optional<Polynomial> exact = square_root(a)) return magnitude(*std::move(exact));
  return of_atom({.op = Op::sqrt, .operands = {a}});
}

Polynomial Polynomials::magnitude(Polynomial a) {
  if (const std::optional<double> value = as_number(a)) return constant_polynomial(std::abs(*value));
  const double factor = a.size() == 1 ? a.begin()->second : begins_negative(a) ? -1.0 : 1.0;
  for (auto& [product, coefficient] : a) coefficient /= factor;
  Polynomial result = of_atom({.op = Op::abs, .operands = {std::move(a)}});
  scale_terms(result, std::abs(factor));
  return result;
}

// What a sine or cosine is of, in whole multiples; a term with another coefficient is an angle itself.
Polynomial Polynomials::angle_of(const Polynomial& argument) {
  Polynomial angle;
  for (const auto& [product, coefficient] : argument) {
    if (is_multiple(product, coefficient)) {
      add_term(angle, product, coefficient);
      continue;
    }
    Atom own{.op = Op::multiply, .operands = {{{product, std::abs(coefficient)}}}};
    add_term(angle, {{number_of(std::move(own)), 1}}, coefficient < 0.0 ? -1.0 : 1.0);
  }
  Polynomial positive = angle;
  if (begins_negative(positive)) scale_terms(positive, -1.0);
  known_angles_.insert(std::move(positive));
  return angle;
}

Polynomial Polynomials::angle_function(Op op, Polynomial angle) {
  if (angle.empty()) return constant_polynomial(op == Op::cos ? 1.0 : 0.0);
  const bool is_negative = begins_negative(angle);
  if (is_negative) scale_terms(angle, -1.0);
  Polynomial result = of_atom({.op = op, .operands = {std::move(angle)}});
  if (is_negative && op == Op::sin) scale_terms(result, -1.0);
  return result;
}

}  // namespace gelenk::symbolic
