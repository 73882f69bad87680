#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "gelenk/symbolic/graph.h"

// Formulas as sums of products, to compare, to shorten and to print them.
namespace gelenk::symbolic {

struct AtomPower {
  std::int32_t atom = 0;
  std::int32_t power = 1;
  friend auto operator<=>(const AtomPower&, const AtomPower&) = default;
};

// A product of different atoms, in the order of their numbers; the empty one is 1.
using Monomial = std::vector<AtomPower>;

// A sum of coefficients times products; the empty one is 0.
using Polynomial = std::map<Monomial, double>;

// Terms that cancel but for rounding vanish.
void add_term(Polynomial& sum, const Monomial& product, double coefficient);
Monomial times(const Monomial& a, const Monomial& b);
// a + b for a² + 2 a b + b²; nothing for what is not a square of such a sum.
std::optional<Polynomial> square_root(const Polynomial& square);

// What a product is made of: a symbol; a function of operands; as Op::add a sum, which has negative powers only; as
// Op::multiply a term whose multiples are an angle, such as the 0.3 t of sin(q + 0.3 t).
struct Atom {
  Op op = Op::symbol;
  Id symbol = -1;           // node of the graph
  std::int32_t table = -1;  // of Op::table
  std::vector<Polynomial> operands;
  friend auto operator<=>(const Atom&, const Atom&) = default;
};

struct PolynomialLimits {
  std::size_t terms = 2000;    // of one formula
  std::size_t work = 500'000;  // products of terms, for all formulas
};

// Normal forms of the formulas of one graph. Products of sines and cosines become sums of those of sums of angles, so
// that a term has at most one sine or cosine in its numerator, and what is equal by sin² + cos² = 1 and the addition
// theorems is the same polynomial. Terms that cancel but for rounding vanish. The value stays the same where the
// formula has a real one: √a √a is a.
class Polynomials {
 public:
  explicit Polynomials(const Graph& graph, PolynomialLimits limits = {});

  // Nothing when the formula is too long.
  std::optional<Polynomial> normal_form(Id id);
  // The same value in fewer terms where products of sines and cosines are shorter than sums. For readers: it is not a
  // normal form.
  Polynomial shortened(const Polynomial& normal_form);

  const Atom& atom(std::int32_t number) const { return atoms_[static_cast<std::size_t>(number)]; }
  bool is_angle_function(std::int32_t number) const { return atom(number).op == Op::sin || atom(number).op == Op::cos; }

 private:
  std::int32_t number_of(Atom atom);
  Polynomial of_node(const Node& node, Id id);
  Polynomial of_atom(Atom atom);
  Polynomial of(Id id) const { return *forms_[static_cast<std::size_t>(id)]; }

  void add(Polynomial& sum, const Polynomial& other, double factor);
  Polynomial product(const Polynomial& a, const Polynomial& b);
  void add_product(Polynomial& sum, double coefficient, Monomial product);
  bool opened(Polynomial& sum, double coefficient, const Monomial& product);
  void add_angles(Polynomial& sum, double coefficient, const Monomial& rest, const Atom& f, const Atom& g);
  Polynomial inverse(const Polynomial& a);
  Polynomial inverse_sum(const Polynomial& sum);
  AtomPower divisor(Polynomial sum);
  Polynomial power(const Polynomial& a, int exponent);
  std::optional<Polynomial> simple_power(const Polynomial& a, const Polynomial& exponent);
  Polynomial root(const Polynomial& a);
  Polynomial magnitude(Polynomial a);
  Polynomial angle_function(Op op, Polynomial angle);
  Polynomial angle_of(const Polynomial& argument);
  void spend(std::size_t work);

  const Graph& graph_;
  PolynomialLimits limits_;
  std::size_t spent_ = 0;
  std::deque<Atom> atoms_;  // they stay where they are
  std::map<Atom, std::int32_t> numbers_;
  std::set<Polynomial> known_angles_;  // of sines and cosines in the graph
  std::vector<std::optional<Polynomial>> forms_;
};

// The polynomial as nodes of the graph.
Id put_back(Graph& graph, const Polynomials& polynomials, const Polynomial& polynomial);

}  // namespace gelenk::symbolic
