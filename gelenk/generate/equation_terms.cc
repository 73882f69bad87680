#include "gelenk/generate/equation_terms.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "gelenk/symbolic/graph.h"

namespace gelenk::generate {
namespace {

using symbolic::Atom;
using symbolic::AtomPower;
using symbolic::Monomial;
using symbolic::Op;
using symbolic::Polynomial;

constexpr std::int64_t kFunctionRank = 65, kAngleRank = 68;
constexpr int kDeepestParentheses = 2;
constexpr std::size_t kMostSquared = 60;  // the search for squares is cubic
constexpr double kCoefficientRounding = 1e-12;

// What all products share, with its sign.
Monomial common_factors(const Monomial& a, const Monomial& b) {
  Monomial result;
  for (const AtomPower& factor : a) {
    const auto other =
        std::find_if(b.begin(), b.end(), [&factor](const AtomPower& f) { return f.atom == factor.atom; });
    if (other == b.end() || (other->power > 0) != (factor.power > 0)) continue;
    const auto [low, high] = std::minmax(factor.power, other->power);
    result.push_back({factor.atom, low > 0 ? low : high});
  }
  return result;
}

Monomial without(const Monomial& product, Monomial factors) {
  for (AtomPower& factor : factors) factor.power = -factor.power;
  return symbolic::times(product, factors);
}

double nearly_whole(double value) {
  return std::abs(value - std::round(value)) <= kCoefficientRounding * std::abs(value) ? std::round(value) : value;
}

template <class Terms>
std::vector<double> sizes_of(const Terms& terms) {
  std::vector<double> sizes;
  for (const auto& term : terms) sizes.push_back(std::abs(term.coefficient));
  return sizes;
}

// What all are whole multiples of: the smallest of them, or a whole number.
double common_size(const std::vector<double>& sizes) {
  const double smallest = *std::min_element(sizes.begin(), sizes.end());
  const auto is_whole = [](double value) { return nearly_whole(value) == std::round(value) && value < 1e9; };
  if (std::all_of(sizes.begin(), sizes.end(), [&](double size) { return is_whole(size / smallest); })) return smallest;
  std::int64_t divisor = 0;
  for (const double size : sizes) {
    if (!is_whole(size)) return 1.0;
    divisor = std::gcd(divisor, static_cast<std::int64_t>(size));
  }
  return static_cast<double>(divisor);
}

}  // namespace

bool operator==(const InnerSum& a, const InnerSum& b) { return a.power == b.power && a.pieces == b.pieces; }

bool operator==(const SumPiece& a, const SumPiece& b) {
  return a.coefficient == b.coefficient && a.factors == b.factors && a.sums == b.sums;
}

EquationTerms::Key EquationTerms::key_of(std::int32_t number) {
  const Atom& atom = polynomials_.atom(number);
  if (atom.op == Op::symbol) {
    const KnownSymbol& symbol = symbols_.of(atom.symbol);
    return {rank_of(symbol.role), static_cast<std::int64_t>(symbol.order)};
  }
  if (!polynomials_.is_angle_function(number)) return {kFunctionRank, number};
  Key result{kAngleRank, static_cast<std::int64_t>(atom.operands[0].size())};
  for (const auto& [unit, multiple] : atom.operands[0]) {
    for (const AtomPower& factor : unit) result.push_back(factor.atom);
    result.push_back(static_cast<std::int64_t>(multiple));
  }
  result.push_back(atom.op == Op::cos ? 1 : 0);
  return result;
}

const EquationTerms::Key& EquationTerms::key(std::int32_t atom) {
  const auto known = keys_.find(atom);
  return known != keys_.end() ? known->second : keys_.emplace(atom, key_of(atom)).first->second;
}

bool EquationTerms::is_moving(std::int32_t atom) { return key(atom).front() >= rank_of(SymbolRole::time); }

std::vector<EquationTerms::Term> EquationTerms::ordered(const Polynomial& sum, TermOrder order) {
  std::vector<Term> terms;
  for (const auto& [product, coefficient] : sum) {
    Term term{coefficient, product, {}, {}, order};
    for (const AtomPower& factor : product) {
      for (int i = 0; i < std::abs(factor.power); ++i) {
        term.order.push_back(key(factor.atom));
        if (is_moving(factor.atom)) term.moving_order.push_back(key(factor.atom));
      }
    }
    std::sort(term.order.begin(), term.order.end());
    std::sort(term.moving_order.begin(), term.moving_order.end());
    terms.push_back(std::move(term));
  }
  std::stable_sort(terms.begin(), terms.end(), [order](const Term& a, const Term& b) {
    if (order == TermOrder::by_motion) return std::tie(a.moving_order, a.order) < std::tie(b.moving_order, b.order);
    return std::tuple(!a.moving_order.empty(), a.order) < std::tuple(!b.moving_order.empty(), b.order);
  });
  return terms;
}

std::size_t EquationTerms::count_terms(const Polynomial& sum) {
  std::size_t count = sum.size();
  for (const auto& [product, coefficient] : sum) {
    for (const AtomPower& factor : product) {
      if (polynomials_.is_angle_function(factor.atom) || !counted_.insert(factor.atom).second) continue;
      for (const Polynomial& operand : polynomials_.atom(factor.atom).operands) count += count_terms(operand);
    }
  }
  return count;
}

std::vector<SumPiece> EquationTerms::pieces(const Polynomial& sum) {
  return arrange(ordered(sum, TermOrder::constants_first), 0);
}

std::vector<SumPiece> EquationTerms::length_pieces(const Polynomial& sum) {
  std::vector<SumPiece> result = arrange(ordered(sum, TermOrder::by_motion), 0);
  const auto positive =
      std::find_if(result.begin(), result.end(), [](const SumPiece& piece) { return piece.coefficient > 0.0; });
  if (positive != result.end()) std::rotate(result.begin(), positive, std::next(positive));
  return result;
}

// Squares of rates, rates, weights, the rest.
int EquationTerms::category(const Term& term) {
  int rates = 0;
  bool is_weight = false;
  for (const AtomPower& factor : term.product) {
    if (key(factor.atom).front() == rank_of(SymbolRole::rate)) rates += factor.power;
    if (key(factor.atom).front() == rank_of(SymbolRole::gravity)) is_weight = true;
  }
  if (rates > 0) return rates > 1 ? 0 : 1;
  return is_weight ? 2 : 3;
}

std::vector<SumPiece> EquationTerms::force_pieces(const Polynomial& sum) {
  std::map<int, std::vector<Term>> groups;
  for (Term& term : ordered(sum, TermOrder::constants_first)) groups[category(term)].push_back(std::move(term));
  std::vector<SumPiece> result;
  for (const auto& [category, terms] : groups) {
    std::vector<SumPiece> pieces = arrange(terms, 0);
    std::move(pieces.begin(), pieces.end(), std::back_inserter(result));
  }
  return result;
}

// The cheapest of: one term after the other, common factors taken out, groups that share a part.
std::vector<SumPiece> EquationTerms::arrange(const std::vector<Term>& terms, int depth) {
  std::vector<SumPiece> best;
  for (const Term& term : terms) best.push_back({term.coefficient, term.product, {}});
  if (terms.size() < 2 || depth >= kDeepestParentheses) return best;
  const auto offer = [&](std::vector<SumPiece> pieces) {
    if (cost(pieces) < cost(best)) best = std::move(pieces);
  };
  if (std::vector<SumPiece> with_squares = squares(terms, depth); !with_squares.empty()) offer(std::move(with_squares));
  offer({factored(terms, depth)});
  for (const Part part : {Part::moving, Part::constant, Part::inertia, Part::functions, Part::rates}) {
    for (const bool rest_factored : {false, true}) offer(partition(terms, part, rest_factored, depth));
  }
  return best;
}

std::vector<SumPiece> EquationTerms::partition(const std::vector<Term>& terms, Part part, bool rest_factored,
                                               int depth) {
  std::vector<std::pair<Monomial, std::vector<Term>>> groups;
  for (const Term& term : terms) {
    const Monomial shared = part_of(term.product, part);
    const auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& known) { return known.first == shared; });
    if (group == groups.end()) {
      groups.emplace_back(shared, std::vector{term});
    } else {
      group->second.push_back(term);
    }
  }
  std::vector<SumPiece> result;
  for (const auto& [shared, group] : groups) {
    if (groups.size() == 1 || (shared.empty() && !rest_factored)) {
      for (const Term& term : group) result.push_back({term.coefficient, term.product, {}});
    } else {
      result.push_back(factored(group, depth));
    }
  }
  if (depth + 1 < kDeepestParentheses) join_alike(result, terms[0].kind);
  return result;
}

// α x (a + b) + β y (a + b) = (α x + β y) (a + b), with what x and y share before it.
void EquationTerms::join_alike(std::vector<SumPiece>& pieces, TermOrder kind) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].sums.size() != 1) continue;
    std::vector<Term> factors;
    for (std::size_t k = i; k < pieces.size();) {
      if (pieces[k].sums != pieces[i].sums) {
        ++k;
        continue;
      }
      factors.push_back({pieces[k].coefficient, pieces[k].factors, {}, {}, kind});
      if (k == i) {
        ++k;
      } else {
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
    if (factors.size() < 2) continue;
    SumPiece both = factored(factors, kDeepestParentheses);
    both.sums.push_back(std::move(pieces[i].sums[0]));
    pieces[i] = std::move(both);
  }
}

// a² + 2 a b + b² + c² + x = (a + b)² + c² + x; nothing where no such square is found.
std::vector<SumPiece> EquationTerms::squares(const std::vector<Term>& terms, int depth) {
  if (terms.size() > kMostSquared) return {};
  std::vector<SumPiece> result;
  std::vector<Term> rest;
  for (const std::vector<Term>& group : mixed_groups(terms)) {
    Polynomial sum;
    for (const Term& term : group) symbolic::add_term(sum, term.product, term.coefficient);
    const std::optional<Polynomial> root = group.size() < 2 ? std::nullopt : symbolic::square_root(sum);
    if (root) {
      std::vector<Term> roots = ordered(*root, terms[0].kind);
      const double size = std::copysign(common_size(sizes_of(roots)), roots[0].coefficient);
      for (Term& term : roots) term.coefficient = nearly_whole(term.coefficient / size);
      result.push_back({nearly_whole(size * size), {}, {{arrange(roots, depth + 1), 2}}});
    } else {
      rest.insert(rest.end(), group.begin(), group.end());
    }
  }
  if (result.empty()) return {};
  if (rest.empty()) return result;
  std::vector<SumPiece> others = arrange(rest, depth);
  std::move(others.begin(), others.end(), std::back_inserter(result));
  return result;
}

// Squares together with the products of their roots; other terms alone.
std::vector<std::vector<EquationTerms::Term>> EquationTerms::mixed_groups(const std::vector<Term>& terms) {
  std::vector<std::pair<Monomial, std::size_t>> roots;  // and their groups
  std::vector<std::vector<Term>> groups;
  for (const Term& term : terms) {
    Monomial root = term.product;
    if (!std::all_of(root.begin(), root.end(), [](const AtomPower& f) { return f.power % 2 == 0; })) continue;
    for (AtomPower& factor : root) factor.power /= 2;
    roots.emplace_back(std::move(root), groups.size());
    groups.push_back({term});
  }
  for (const Term& term : terms) {
    bool is_placed = false;
    for (std::size_t i = 0; i < roots.size() && !is_placed; ++i) {
      is_placed = symbolic::times(roots[i].first, roots[i].first) == term.product;
      for (std::size_t k = i + 1; k < roots.size() && !is_placed; ++k) {
        if (symbolic::times(roots[i].first, roots[k].first) != term.product) continue;
        const std::size_t kept = std::min(roots[i].second, roots[k].second);
        const std::size_t moved = std::max(roots[i].second, roots[k].second);
        if (kept != moved) {
          groups[kept].insert(groups[kept].end(), groups[moved].begin(), groups[moved].end());
          groups[moved].clear();
          for (auto& [root, group] : roots) group = group == moved ? kept : group;
        }
        groups[kept].push_back(term);
        is_placed = true;
      }
    }
    if (!is_placed) groups.push_back({term});
  }
  return groups;
}

SumPiece EquationTerms::factored(const std::vector<Term>& terms, int depth) {
  if (terms.size() == 1) return {terms[0].coefficient, terms[0].product, {}};
  Monomial shared = terms[0].product;
  for (const Term& term : terms) shared = common_factors(shared, term.product);
  // (2 q1' q2' + q2'^2) stays together.
  const Monomial rates = part_of(terms[0].product, Part::rates);
  if (std::any_of(terms.begin(), terms.end(),
                  [&](const Term& term) { return part_of(term.product, Part::rates) != rates; })) {
    std::erase_if(shared, [this](const AtomPower& f) { return key(f.atom).front() == rank_of(SymbolRole::rate); });
  }
  double factor = common_size(sizes_of(terms));
  Polynomial rest_sum;
  for (const Term& term : terms) {
    symbolic::add_term(rest_sum, without(term.product, shared), nearly_whole(term.coefficient / factor));
  }
  std::vector<Term> rest = ordered(rest_sum, terms[0].kind);
  if (rest[0].coefficient < 0.0) {
    factor = -factor;
    for (Term& term : rest) term.coefficient = -term.coefficient;
  }
  std::vector<SumPiece> inside = arrange(rest, depth + 1);
  // c ((a + b)²) is c (a + b)².
  if (inside.size() == 1 && inside[0].coefficient == 1.0 && inside[0].factors.empty()) {
    return {factor, shared, std::move(inside[0].sums)};
  }
  return {factor, shared, {{std::move(inside)}}};
}

Monomial EquationTerms::part_of(const Monomial& product, Part part) {
  Monomial result;
  for (const AtomPower& factor : product) {
    const std::int64_t rank = key(factor.atom).front();
    const bool is_part = part == Part::moving      ? is_moving(factor.atom)
                         : part == Part::constant  ? !is_moving(factor.atom)
                         : part == Part::inertia   ? rank == rank_of(SymbolRole::inertia)
                         : part == Part::functions ? rank == kAngleRank || rank == kFunctionRank
                                                   : rank == rank_of(SymbolRole::rate);
    if (is_part) result.push_back(factor);
  }
  return result;
}

// What has to be read: symbols, functions, signs, parentheses.
int EquationTerms::cost(const SumPiece& piece) {
  constexpr int kSymbol = 2, kFunction = 4, kParentheses = 1, kInnerParentheses = 2;
  int sum = std::abs(piece.coefficient) == 1.0 ? 0 : kSymbol;
  for (const AtomPower& factor : piece.factors) {
    sum += polynomials_.atom(factor.atom).op == Op::symbol ? kSymbol : kFunction;
  }
  for (const InnerSum& inner : piece.sums) {
    const bool is_deep =
        std::any_of(inner.pieces.begin(), inner.pieces.end(), [](const SumPiece& own) { return !own.sums.empty(); });
    sum += kParentheses + (is_deep ? kInnerParentheses : 0) + cost(inner.pieces);
  }
  return sum;
}

int EquationTerms::cost(const std::vector<SumPiece>& pieces) {
  constexpr int kSign = 2;
  int sum = 0;
  for (const SumPiece& piece : pieces) sum += kSign + cost(piece);
  return sum;
}

bool EquationTerms::is_before(const std::vector<SumPiece>& pieces, std::int64_t rank) {
  return std::all_of(pieces.begin(), pieces.end(), [&](const SumPiece& piece) {
    return std::all_of(piece.sums.begin(), piece.sums.end(),
                       [&](const InnerSum& inner) { return is_before(inner.pieces, rank); }) &&
           std::all_of(piece.factors.begin(), piece.factors.end(),
                       [&](const AtomPower& factor) { return key(factor.atom).front() < rank; });
  });
}

}  // namespace gelenk::generate
