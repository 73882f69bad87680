#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/generate/equation_pen.h"
#include "gelenk/generate/equation_symbols.h"
#include "gelenk/symbolic/polynomial.h"

namespace gelenk::generate {

struct SumPiece;

// Where symbols of a role come among the factors of a product.
constexpr std::int64_t rank_of(SymbolRole role) { return 10 * static_cast<std::int64_t>(role); }

// A sum in parentheses, to a power.
struct InnerSum {
  std::vector<SumPiece> pieces;
  int power = 1;
};

// A part of a sum: coefficient, factors, sums in parentheses.
struct SumPiece {
  double coefficient = 1.0;
  symbolic::Monomial factors;
  std::vector<InnerSum> sums;
};
bool operator==(const InnerSum& a, const InnerSum& b);
bool operator==(const SumPiece& a, const SumPiece& b);

// Orders the terms of polynomials as people write them, takes common factors out and writes them down.
class EquationTerms {
 public:
  EquationTerms(symbolic::Polynomials& polynomials, const EquationSymbols& symbols, EquationPen pen)
      : polynomials_(polynomials), symbols_(symbols), pen_(pen) {}

  // With what is constant first in each term, and between terms.
  std::vector<SumPiece> pieces(const symbolic::Polynomial& sum);
  // For geometry: in the order of the coordinates, a positive term first.
  std::vector<SumPiece> length_pieces(const symbolic::Polynomial& sum);
  // For the right side of an equation of motion: what has rates, weights, the rest.
  std::vector<SumPiece> force_pieces(const symbolic::Polynomial& sum);
  // "0" for none.
  std::string text(const std::vector<SumPiece>& pieces);
  // The sum times a factor, with the sign that joins it to what comes before: " + (a + b) q1''". Empty for 0.
  std::string times(const std::vector<SumPiece>& pieces, const std::string& factor, bool is_first);

  // Functions that were too long to stay where they are: name and formula, in the order in which they are needed.
  const std::vector<std::pair<std::string, std::string>>& abbreviations() const { return abbreviations_; }
  // Terms of the sum and of functions that were not counted before.
  std::size_t count_terms(const symbolic::Polynomial& sum);

 private:
  // Compared number by number: the role of an atom, its place there.
  using Key = std::vector<std::int64_t>;
  enum class TermOrder : std::uint8_t { constants_first, by_motion };
  struct Term {
    double coefficient = 0.0;
    symbolic::Monomial product;
    std::vector<Key> order, moving_order;
    TermOrder kind = TermOrder::constants_first;
  };
  enum class Part : std::uint8_t { moving, constant, inertia, functions, rates };
  struct SignedText {
    bool is_negative = false;
    std::string text;
  };
  struct Factors {
    std::string constant, moving, rates, below;
    bool is_below_product = false;
  };

  const Key& key(std::int32_t atom);
  Key key_of(std::int32_t atom);
  bool is_moving(std::int32_t atom);
  std::vector<Term> ordered(const symbolic::Polynomial& sum, TermOrder order);
  int category(const Term& term);
  std::vector<SumPiece> arrange(const std::vector<Term>& terms, int depth);
  // `rest_factored`: also what has nothing of that part.
  std::vector<SumPiece> partition(const std::vector<Term>& terms, Part part, bool rest_factored, int depth);
  std::vector<SumPiece> squares(const std::vector<Term>& terms, int depth);
  std::vector<std::vector<Term>> mixed_groups(const std::vector<Term>& terms);
  SumPiece factored(const std::vector<Term>& terms, int depth);
  symbolic::Monomial part_of(const symbolic::Monomial& product, Part part);
  int cost(const std::vector<SumPiece>& pieces);
  int cost(const SumPiece& piece);

  void join_alike(std::vector<SumPiece>& pieces, TermOrder kind);
  // Whether nothing in the sum comes as late in a product as this.
  bool is_before(const std::vector<SumPiece>& pieces, std::int64_t rank);
  SignedText piece_text(const SumPiece& piece, const std::string& factor = "");
  Factors factor_texts(const symbolic::Monomial& factors);
  std::string atom_text(std::int32_t number, int exponent);
  std::string function_text(const symbolic::Atom& atom, int exponent);
  std::string angle_text(const symbolic::Polynomial& angle);
  std::string operand_text(const symbolic::Polynomial& operand);
  std::string condition_text(const symbolic::Polynomial& condition);
  std::string comparison_text(const symbolic::Atom& atom);
  std::string abbreviated(std::int32_t number, std::string_view base, std::string formula);

  symbolic::Polynomials& polynomials_;
  const EquationSymbols& symbols_;
  EquationPen pen_;
  std::map<std::int32_t, Key> keys_;
  std::set<std::int32_t> counted_;
  std::map<std::int32_t, std::string> names_;  // of atoms that have one
  std::map<std::string, std::size_t, std::less<>> numbered_;
  std::vector<std::pair<std::string, std::string>> abbreviations_;
};

}  // namespace gelenk::generate
