#include "gelenk/symbolic/polynomial_angles.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace gelenk::symbolic {
namespace {

// Coefficients are halved and doubled here, which is exact; those of equal terms differ by what they were made of.
constexpr double kAngleRounding = 1e-12;
// Beyond these a sum stays as it is, or is not tried in products: the search is quadratic, products grow like 2ⁿ.
constexpr std::size_t kMostMergedTerms = 64;
constexpr std::size_t kMostProductAngles = 4;
constexpr int kMostProductMultiple = 4;

using AngleTerms = std::vector<AngleTerm>;

bool is_near(double a, double b) { return std::abs(a - b) <= kAngleRounding * std::max(std::abs(a), std::abs(b)); }

int multiples(const AngleSum& angle) {
  int sum = 0;
  for (const int factor : angle) sum += std::abs(factor);
  return sum;
}

int multiples(const AngleTerm& term) {
  int sum = 0;
  for (const AngleFunction& function : term.factors) sum += multiples(function.angle);
  return sum;
}

// (u + sign v) / 2, if it is whole.
std::optional<AngleSum> half_sum(const AngleSum& u, const AngleSum& v, int sign) {
  AngleSum half(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const int sum = u[i] + sign * v[i];
    if (sum % 2 != 0) return std::nullopt;
    half[i] = sum / 2;
  }
  return half;
}

bool is_zero_angle(const AngleSum& angle) { return multiples(angle) == 0; }

void put_factor(AngleTerm& term, AngleFunction function) {
  term.coefficient *= turn_to_positive(function);
  if (is_zero_angle(function.angle)) {
    if (function.is_sine) term.coefficient = 0.0;
    return;
  }
  term.factors.insert(std::upper_bound(term.factors.begin(), term.factors.end(), function), function);
}

// What two products do not share.
struct Difference {
  std::vector<AngleFunction> common, only_a, only_b;
};
Difference difference_of(const AngleTerm& a, const AngleTerm& b) {
  Difference result;
  std::set_intersection(a.factors.begin(), a.factors.end(), b.factors.begin(), b.factors.end(),
                        std::back_inserter(result.common));
  std::set_difference(a.factors.begin(), a.factors.end(), b.factors.begin(), b.factors.end(),
                      std::back_inserter(result.only_a));
  std::set_difference(b.factors.begin(), b.factors.end(), a.factors.begin(), a.factors.end(),
                      std::back_inserter(result.only_b));
  return result;
}

// α X cos u ± α X cos v, α X sin u ± α X sin v as one product; a missing factor is cos 0.
std::optional<AngleTerm> one_product(const AngleTerm& a, const AngleTerm& b) {
  if (!is_near(std::abs(a.coefficient), std::abs(b.coefficient))) return std::nullopt;
  Difference parts = difference_of(a, b);
  if (parts.only_a.size() > 1 || parts.only_b.size() > 1) return std::nullopt;
  if (parts.only_a.empty() && parts.only_b.empty()) return std::nullopt;
  const AngleFunction none{false,
                           AngleSum((parts.only_a.empty() ? parts.only_b : parts.only_a).front().angle.size(), 0)};
  const AngleFunction& f = parts.only_a.empty() ? none : parts.only_a.front();
  const AngleFunction& g = parts.only_b.empty() ? none : parts.only_b.front();
  if (f.is_sine != g.is_sine) return std::nullopt;
  std::optional<AngleSum> sum = half_sum(f.angle, g.angle, 1), difference = half_sum(f.angle, g.angle, -1);
  if (!sum || !difference) return std::nullopt;
  const bool is_sum = a.coefficient * b.coefficient > 0.0;
  AngleTerm result{2.0 * a.coefficient, std::move(parts.common)};
  if (!f.is_sine && !is_sum) result.coefficient = -result.coefficient;
  put_factor(result, {f.is_sine == is_sum, *std::move(sum)});
  put_factor(result, {!is_sum, *std::move(difference)});
  return result;
}

void collect_alike(AngleTerms& terms) {
  std::map<std::vector<AngleFunction>, double> sums;
  for (const AngleTerm& term : terms) {
    double& sum = sums[term.factors];
    const double larger = std::max(std::abs(sum), std::abs(term.coefficient));
    sum += term.coefficient;
    if (std::abs(sum) <= kAngleRounding * larger) sum = 0.0;
  }
  terms.clear();
  for (auto& [factors, coefficient] : sums) {
    if (coefficient != 0.0) terms.push_back({coefficient, factors});
  }
}

// Joins two terms as long as there are any, first those whose product is simplest.
void join_terms(AngleTerms& terms) {
  for (;;) {
    std::optional<AngleTerm> best;
    std::size_t best_i = 0, best_k = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      for (std::size_t k = i + 1; k < terms.size(); ++k) {
        std::optional<AngleTerm> joined = one_product(terms[i], terms[k]);
        if (!joined || (best && multiples(*joined) >= multiples(*best))) continue;
        best = std::move(joined);
        best_i = i;
        best_k = k;
      }
    }
    if (!best) return;
    terms[best_i] = *std::move(best);
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(best_k));
    collect_alike(terms);
  }
}

// sin 2u = 2 sin u cos u
AngleTerms with_halves(AngleTerms terms) {
  for (AngleTerm& term : terms) {
    const std::vector<AngleFunction> factors = std::exchange(term.factors, {});
    for (const AngleFunction& function : factors) {
      const std::optional<AngleSum> half =
          function.is_sine ? half_sum(function.angle, AngleSum(function.angle.size(), 0), 1) : std::nullopt;
      if (!half) {
        put_factor(term, function);
        continue;
      }
      term.coefficient *= 2.0;
      put_factor(term, {true, *half});
      put_factor(term, {false, *half});
    }
  }
  collect_alike(terms);
  return terms;
}

bool is_whole(double value) { return is_near(value, std::round(value)); }

// What a reader minds, the worst first: terms, angles that the formulas did not have, fractions.
using Burden = std::tuple<std::size_t, std::size_t, std::size_t, double, std::size_t, int>;
Burden burden(const AngleTerms& terms, const std::set<AngleSum>& known) {
  std::size_t foreign = 0, fractions = 0, factors = 0;
  int angles = 0;
  double size = 0.0;
  for (const AngleTerm& term : terms) {
    if (!is_whole(term.coefficient)) ++fractions;
    size += std::abs(term.coefficient);
    factors += term.factors.size();
    angles += multiples(term);
    for (const AngleFunction& function : term.factors) {
      if (!known.contains(function.angle)) ++foreign;
    }
  }
  // Sums of sizes that differ by rounding are equal.
  constexpr double kSteps = 1e9;
  return {terms.size(), foreign, fractions, std::round(size * kSteps) / kSteps, factors, angles};
}

class Choice {
 public:
  Choice(AngleTerms terms, const std::set<AngleSum>& known) : known_(known), best_(std::move(terms)) {}

  void offer(AngleTerms terms) {
    if (burden(terms, known_) < burden(best_, known_)) best_ = std::move(terms);
  }
  const AngleTerms& best() const { return best_; }

 private:
  const std::set<AngleSum>& known_;
  AngleTerms best_;
};

// α X + β X cos 2u = (α + β) X - 2 β X sin² u = (α - β) X + 2 β X cos² u
void offer_squares(Choice& choice) {
  for (std::size_t i = 0; i < choice.best().size(); ++i) {
    for (std::size_t k = 0; k < choice.best().size(); ++k) {
      if (i == k) continue;
      const AngleTerms terms = choice.best();
      const Difference parts = difference_of(terms[i], terms[k]);
      if (!parts.only_a.empty() || parts.only_b.size() != 1 || parts.only_b.front().is_sine) continue;
      const AngleSum& angle = parts.only_b.front().angle;
      const std::optional<AngleSum> half = half_sum(angle, AngleSum(angle.size(), 0), 1);
      if (!half) continue;
      for (const bool is_sine : {false, true}) {
        const double beta = (is_sine ? -1.0 : 1.0) * terms[k].coefficient;
        AngleTerms other = terms;
        other[i].coefficient -= beta;
        other[k] = {2.0 * beta, parts.common};
        put_factor(other[k], {is_sine, *half});
        put_factor(other[k], {is_sine, *half});
        choice.offer(std::move(other));
      }
    }
  }
}

// Powers of sine and cosine for each angle, and their coefficients.
struct Powers {
  int sine = 0, cosine = 0;
  friend auto operator<=>(const Powers&, const Powers&) = default;
};
using PowerProduct = std::vector<Powers>;
using PowerSum = std::map<PowerProduct, double>;

void add_power(PowerSum& sum, const PowerProduct& product, double coefficient) {
  const auto [place, is_new] = sum.try_emplace(product, coefficient);
  if (is_new) return;
  const double larger = std::max(std::abs(place->second), std::abs(coefficient));
  place->second += coefficient;
  if (std::abs(place->second) <= kAngleRounding * larger) sum.erase(place);
}

void add_times(PowerSum& sum, const PowerSum& factors, std::size_t angle, bool is_sine, double coefficient) {
  for (const auto& [product_before, value] : factors) {
    PowerProduct product = product_before;
    ++(is_sine ? product[angle].sine : product[angle].cosine);
    add_power(sum, product, coefficient * value);
  }
}

// sin and cos of a sum of angles, one angle after the other.
PowerSum expanded(const AngleFunction& function) {
  PowerSum sine, cosine{{PowerProduct(function.angle.size()), 1.0}};
  for (std::size_t i = 0; i < function.angle.size(); ++i) {
    const double sign = function.angle[i] < 0 ? -1.0 : 1.0;
    for (int n = 0; n < std::abs(function.angle[i]); ++n) {
      PowerSum next_sine, next_cosine;
      add_times(next_sine, sine, i, false, 1.0);
      add_times(next_sine, cosine, i, true, sign);
      add_times(next_cosine, cosine, i, false, 1.0);
      add_times(next_cosine, sine, i, true, -sign);
      sine = std::move(next_sine);
      cosine = std::move(next_cosine);
    }
  }
  return function.is_sine ? sine : cosine;
}

// s² = 1 - c² or c² = 1 - s², until one of the two is left at most once.
PowerSum without_squares(const PowerSum& sum, std::size_t angle, bool of_sine) {
  PowerSum result;
  std::vector<std::pair<PowerProduct, double>> pending(sum.begin(), sum.end());
  while (!pending.empty()) {
    auto [product, coefficient] = std::move(pending.back());
    pending.pop_back();
    int& leaves = of_sine ? product[angle].sine : product[angle].cosine;
    int& comes = of_sine ? product[angle].cosine : product[angle].sine;
    if (leaves < 2) {
      add_power(result, product, coefficient);
      continue;
    }
    leaves -= 2;
    pending.emplace_back(product, coefficient);
    comes += 2;
    pending.emplace_back(product, -coefficient);
  }
  return result;
}

// α X - α X s² = α X c², and the same with sine and cosine exchanged.
bool join_squares(PowerSum& sum) {
  for (const auto& [product, coefficient] : sum) {
    for (std::size_t i = 0; i < product.size(); ++i) {
      for (const bool is_sine : {true, false}) {
        PowerProduct with_square = product, joined = product;
        (is_sine ? with_square[i].sine : with_square[i].cosine) += 2;
        (is_sine ? joined[i].cosine : joined[i].sine) += 2;
        const auto other = sum.find(with_square);
        if (other == sum.end() || !is_near(other->second, -coefficient)) continue;
        const double value = coefficient;
        const PowerProduct first = product;
        sum.erase(other);
        sum.erase(first);
        add_power(sum, joined, value);
        return true;
      }
    }
  }
  return false;
}

AngleTerms as_terms(const PowerSum& sum, std::size_t angles) {
  AngleTerms terms;
  for (const auto& [product, coefficient] : sum) {
    AngleTerm term{coefficient, {}};
    for (std::size_t i = 0; i < angles; ++i) {
      AngleSum angle(angles, 0);
      angle[i] = 1;
      for (int n = 0; n < product[i].sine; ++n) put_factor(term, {true, angle});
      for (int n = 0; n < product[i].cosine; ++n) put_factor(term, {false, angle});
    }
    terms.push_back(std::move(term));
  }
  return terms;
}

// In powers of sines and cosines of the angles themselves; each angle keeps squares of its sine or of its cosine.
void offer_products(const AngleTerms& terms, Choice& choice) {
  std::size_t angles = 0;
  PowerSum sum;
  for (const AngleTerm& term : terms) {
    if (term.factors.empty()) continue;
    const AngleSum& angle = term.factors.front().angle;
    angles = angle.size();
    if (std::any_of(angle.begin(), angle.end(), [](int k) { return std::abs(k) > kMostProductMultiple; })) return;
  }
  if (angles == 0 || angles > kMostProductAngles) return;
  for (const AngleTerm& term : terms) {
    if (term.factors.empty()) {
      add_power(sum, PowerProduct(angles), term.coefficient);
      continue;
    }
    for (const auto& [product, value] : expanded(term.factors.front())) {
      add_power(sum, product, term.coefficient * value);
    }
  }
  for (unsigned kept = 0; kept < 1U << angles; ++kept) {
    PowerSum chosen = sum;
    for (std::size_t i = 0; i < angles; ++i) chosen = without_squares(chosen, i, (kept >> i & 1U) == 0);
    while (join_squares(chosen)) continue;
    choice.offer(as_terms(chosen, angles));
  }
}

}  // namespace

double turn_to_positive(AngleFunction& function) {
  const auto first = std::find_if(function.angle.begin(), function.angle.end(), [](int k) { return k != 0; });
  if (first == function.angle.end() || *first > 0) return 1.0;
  for (int& factor : function.angle) factor = -factor;
  return function.is_sine ? -1.0 : 1.0;
}

std::vector<AngleTerm> shortened(const std::vector<AngleTerm>& terms, const std::set<AngleSum>& known) {
  if (terms.size() > kMostMergedTerms) return terms;
  Choice choice(terms, known);
  AngleTerms joined = terms;
  join_terms(joined);
  choice.offer(joined);
  choice.offer(with_halves(std::move(joined)));
  offer_squares(choice);
  offer_products(terms, choice);
  return choice.best();
}

}  // namespace gelenk::symbolic
