#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "gelenk/symbolic/polynomial.h"
#include "gelenk/symbolic/polynomial_angles.h"

namespace gelenk::symbolic {
namespace {

// The terms of a polynomial that have the same factors but for sines and cosines.
class AngleGroup {
 public:
  explicit AngleGroup(const Polynomials& polynomials) : polynomials_(polynomials) {}

  void add(double coefficient, std::optional<std::int32_t> function) {
    if (function) {
      for (const auto& [unit, multiple] : angle(*function)) units_.try_emplace(unit, 0);
    }
    terms_.emplace_back(coefficient, function);
  }

  std::vector<AngleTerm> terms() {
    std::size_t count = 0;
    for (auto& [unit, place] : units_) place = count++;
    std::vector<AngleTerm> result;
    for (const auto& [coefficient, function] : terms_) {
      AngleTerm term{coefficient, {}};
      if (function) {
        AngleFunction factor{polynomials_.atom(*function).op == Op::sin, *sum_of(angle(*function))};
        term.coefficient *= turn_to_positive(factor);
        term.factors.push_back(std::move(factor));
      }
      result.push_back(std::move(term));
    }
    return result;
  }

  // Nothing where the angle has other units.
  std::optional<AngleSum> sum_of(const Polynomial& angle) const {
    AngleSum sum(units_.size(), 0);
    for (const auto& [unit, multiple] : angle) {
      const auto place = units_.find(unit);
      if (place == units_.end()) return std::nullopt;
      sum[place->second] = static_cast<int>(multiple);
    }
    return sum;
  }

  Polynomial angle_of(const AngleSum& sum) const {
    Polynomial result;
    for (const auto& [unit, place] : units_) add_term(result, unit, sum[place]);
    return result;
  }

  // Those of the angles that have units of the group only.
  std::set<AngleSum> sums_of(const std::set<Polynomial>& angles) const {
    std::set<AngleSum> result;
    for (const Polynomial& angle : angles) {
      std::optional<AngleSum> sum = sum_of(angle);
      if (!sum) continue;
      AngleFunction function{false, *std::move(sum)};
      turn_to_positive(function);
      result.insert(std::move(function.angle));
    }
    return result;
  }

 private:
  const Polynomial& angle(std::int32_t function) const { return polynomials_.atom(function).operands[0]; }

  const Polynomials& polynomials_;
  std::map<Monomial, std::size_t> units_;
  std::vector<std::pair<double, std::optional<std::int32_t>>> terms_;
};

}  // namespace

Polynomial Polynomials::shortened(const Polynomial& normal_form) {
  std::map<Monomial, AngleGroup> groups;
  for (const auto& [product, coefficient] : normal_form) {
    Monomial rest = product;
    std::optional<std::int32_t> function;
    const auto place = std::find_if(rest.begin(), rest.end(), [this](const AtomPower& factor) {
      return factor.power == 1 && is_angle_function(factor.atom);
    });
    if (place != rest.end()) {
      function = place->atom;
      rest.erase(place);
    }
    groups.try_emplace(std::move(rest), *this).first->second.add(coefficient, function);
  }
  Polynomial result;
  for (auto& [rest, group] : groups) {
    const std::vector<AngleTerm> terms = group.terms();
    for (const AngleTerm& term : symbolic::shortened(terms, group.sums_of(known_angles_))) {
      double coefficient = term.coefficient;
      Monomial product = rest;
      for (const AngleFunction& function : term.factors) {
        const Polynomial factor = angle_function(function.is_sine ? Op::sin : Op::cos, group.angle_of(function.angle));
        coefficient *= factor.begin()->second;
        product = times(product, factor.begin()->first);
      }
      add_term(result, product, coefficient);
    }
  }
  return result;
}

namespace {

class PutBack {
 public:
  PutBack(Graph& graph, const Polynomials& polynomials) : graph_(graph), polynomials_(polynomials) {}

  Id of(const Polynomial& polynomial) {
    Id sum = graph_.constant(0.0);
    for (const auto& [product, coefficient] : polynomial) {
      Id above = graph_.constant(coefficient), below = graph_.constant(1.0);
      for (const AtomPower& factor : product) {
        Id& side = factor.power > 0 ? above : below;
        const Id atom = of_atom(polynomials_.atom(factor.atom));
        for (int i = 0; i < std::abs(factor.power); ++i) side = graph_.make(Op::multiply, side, atom);
      }
      sum = graph_.make(Op::add, sum, graph_.make(Op::divide, above, below));
    }
    return sum;
  }

 private:
  Id of_atom(const Atom& atom) {
    if (atom.op == Op::symbol) return atom.symbol;
    if (atom.op == Op::add || atom.op == Op::multiply) return of(atom.operands[0]);
    Id operands[] = {-1, -1, -1};
    for (std::size_t i = 0; i < atom.operands.size(); ++i) operands[i] = of(atom.operands[i]);
    return graph_.make(atom.op, operands[0], operands[1], operands[2]);
  }

  Graph& graph_;
  const Polynomials& polynomials_;
};

}  // namespace

Id put_back(Graph& graph, const Polynomials& polynomials, const Polynomial& polynomial) {
  return PutBack(graph, polynomials).of(polynomial);
}

}  // namespace gelenk::symbolic
