#include "gelenk/symbolic/polynomial.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/expression/operations.h"
#include "gelenk/symbolic/polynomial_angles.h"

namespace gelenk::symbolic::polynomial_test {
namespace {

// Sums of terms that were combined in another order differ by rounding.
constexpr double kTolerance = 1e-12;

struct Formulas {
  Graph graph;
  Id a = symbol("a"), b = symbol("b"), p = symbol("p"), q = symbol("q"), r = symbol("r");

  Id symbol(const char* name) { return graph.symbol(name, Symbol::Kind::variable); }
  Id number(double value) { return graph.constant(value); }
  Id sum(Id x, Id y) { return graph.make(Op::add, x, y); }
  Id less(Id x, Id y) { return graph.make(Op::subtract, x, y); }
  Id times(Id x, Id y) { return graph.make(Op::multiply, x, y); }
  Id over(Id x, Id y) { return graph.make(Op::divide, x, y); }
  Id square(Id x) { return times(x, x); }
  Id sin(Id x) { return graph.make(Op::sin, x); }
  Id cos(Id x) { return graph.make(Op::cos, x); }
  Id root(Id x) { return graph.make(Op::sqrt, x); }
};

// Terms and their factors in the order of their texts: "2 a q^2 sin(p)^-1".
class Text {
 public:
  Text(const Graph& graph, const Polynomials& polynomials) : graph_(graph), polynomials_(polynomials) {}

  std::string of(const Polynomial& polynomial) const {
    std::map<std::string, double> terms;
    for (const auto& [product, coefficient] : polynomial) terms[of_product(product)] = coefficient;
    std::string text;
    for (const auto& [product, coefficient] : terms) {
      text += coefficient < 0.0 ? (text.empty() ? "-" : " - ") : text.empty() ? "" : " + ";
      const double size = std::abs(coefficient);
      if (size != 1.0 || product.empty()) text += format_number(size) + (product.empty() ? "" : " ");
      text += product;
    }
    return text.empty() ? "0" : text;
  }

 private:
  std::string of_product(const Monomial& product) const {
    std::set<std::string> factors;
    for (const AtomPower& factor : product) {
      const std::string power = factor.power == 1 ? "" : fmt::format("^{}", factor.power);
      factors.insert(of_atom(polynomials_.atom(factor.atom)) + power);
    }
    return fmt::format("{}", fmt::join(factors, " "));
  }
  std::string of_atom(const Atom& atom) const {
    if (atom.op == Op::symbol) return graph_.symbol_at(graph_.node(atom.symbol).symbol).name;
    std::string operands;
    for (const Polynomial& operand : atom.operands) operands += (operands.empty() ? "" : ", ") + of(operand);
    const expression::Function* const function = expression::function_of(atom.op);
    return fmt::format("{}({})", function == nullptr ? "" : function->name, operands);
  }

  const Graph& graph_;
  const Polynomials& polynomials_;
};

std::string normal(const Formulas& formulas, Id id) {
  Polynomials polynomials(formulas.graph);
  const std::optional<Polynomial> form = polynomials.normal_form(id);
  return form ? Text(formulas.graph, polynomials).of(*form) : "too long";
}

std::string brief(const Formulas& formulas, Id id) {
  Polynomials polynomials(formulas.graph);
  const std::optional<Polynomial> form = polynomials.normal_form(id);
  return form ? Text(formulas.graph, polynomials).of(polynomials.shortened(*form)) : "too long";
}

TEST(Polynomial, CollectsLikeTerms) {
  Formulas f;
  EXPECT_EQ(normal(f, f.sum(f.times(f.a, f.b), f.times(f.b, f.sum(f.a, f.a)))), "3 a b");
  EXPECT_EQ(normal(f, f.less(f.square(f.sum(f.a, f.b)), f.square(f.less(f.a, f.b)))), "4 a b");
  EXPECT_EQ(normal(f, f.less(f.times(f.a, f.b), f.times(f.b, f.a))), "0");
}

TEST(Polynomial, DropsWhatIsLeftOfTermsThatCancel) {
  Formulas f;
  const Id tenths = f.sum(f.times(f.number(0.1), f.a), f.times(f.number(0.2), f.a));
  EXPECT_EQ(normal(f, f.less(f.sum(tenths, f.b), f.times(f.number(0.3), f.a))), "b");
}

TEST(Polynomial, KeepsSmallTermsBesideLargeOnes) {
  Formulas f;
  EXPECT_EQ(normal(f, f.sum(f.times(f.number(1e9), f.a), f.times(f.number(1e-9), f.b))), "1e+09 a + 1e-09 b");
}

TEST(Polynomial, DividesByProductsAndSums) {
  Formulas f;
  EXPECT_EQ(normal(f, f.over(f.times(f.a, f.q), f.times(f.a, f.b))), "b^-1 q");
  EXPECT_EQ(normal(f, f.over(f.sum(f.a, f.b), f.sum(f.a, f.b))), "1");
  const Id sum = f.sum(f.times(f.a, f.b), f.times(f.number(3.0), f.a));
  EXPECT_EQ(normal(f, f.over(f.q, sum)), "(3 + b)^-1 a^-1 q");
  EXPECT_EQ(normal(f, f.over(f.number(1.0), f.over(f.q, sum))), "a b q^-1 + 3 a q^-1");
  EXPECT_EQ(normal(f, f.over(f.q, f.square(f.sum(f.a, f.b)))), "(a + b)^-2 q");
}

TEST(Polynomial, SquaresOfRootsAndMagnitudesAreOpened) {
  Formulas f;
  const Id distance = f.root(f.sum(f.square(f.a), f.square(f.b)));
  EXPECT_EQ(normal(f, f.square(distance)), "a^2 + b^2");
  EXPECT_EQ(normal(f, f.root(f.times(f.number(4.0), f.square(f.a)))), "2 abs(a)");
  EXPECT_EQ(normal(f, f.over(f.a, f.times(f.square(distance), distance))), "a sqrt(a^2 + b^2)^-3");
}

TEST(Polynomial, EqualAnglesAreOneForm) {
  Formulas f;
  EXPECT_EQ(normal(f, f.sum(f.square(f.sin(f.q)), f.square(f.cos(f.q)))), "1");
  EXPECT_EQ(normal(f, f.cos(f.less(f.q, f.p))), "cos(p - q)");
  EXPECT_EQ(normal(f, f.sin(f.less(f.q, f.p))), "-sin(p - q)");
  const Id both = f.sum(f.times(f.sin(f.p), f.cos(f.q)), f.times(f.cos(f.p), f.sin(f.q)));
  EXPECT_EQ(normal(f, both), "sin(p + q)");
  EXPECT_EQ(normal(f, f.less(both, f.sin(f.sum(f.q, f.p)))), "0");
  EXPECT_EQ(normal(f, f.less(f.sin(f.sum(f.q, f.q)), f.times(f.number(2.0), f.times(f.sin(f.q), f.cos(f.q))))), "0");
  EXPECT_EQ(normal(f, f.over(f.sin(f.q), f.sin(f.q))), "1");
}

TEST(Polynomial, SumsOfAnglesWhereTheyAreShorter) {
  Formulas f;
  const Id sp = f.sin(f.p), cp = f.cos(f.p), sq = f.sin(f.q), cq = f.cos(f.q);
  EXPECT_EQ(brief(f, f.sum(f.times(sp, cq), f.times(cp, sq))), "sin(p + q)");
  EXPECT_EQ(brief(f, f.less(f.times(sp, cq), f.times(cp, sq))), "sin(p - q)");
  EXPECT_EQ(brief(f, f.less(f.times(cp, cq), f.times(sp, sq))), "cos(p + q)");
  EXPECT_EQ(brief(f, f.sum(f.times(cp, cq), f.times(sp, sq))), "cos(p - q)");
  EXPECT_EQ(brief(f, f.times(cp, cq)), "cos(p) cos(q)");
  EXPECT_EQ(brief(f, f.times(sp, cp)), "cos(p) sin(p)");
  EXPECT_EQ(brief(f, f.sum(f.times(f.number(2.0), f.times(cp, cq)), f.times(sp, sq))),
            "2 cos(p) cos(q) + sin(p) sin(q)");
}

TEST(Polynomial, AnglesFromTheFormulasStayAsTheyAre) {
  Formulas f;
  const Id fast = f.sum(f.q, f.q);
  EXPECT_EQ(brief(f, f.sin(fast)), "sin(2 q)");
  EXPECT_EQ(brief(f, f.times(f.sin(f.q), f.sum(f.cos(f.q), f.cos(f.q)))), "2 cos(q) sin(q)");
  EXPECT_EQ(brief(f, f.times(f.a, f.sin(f.sum(f.q, f.times(f.number(0.3), f.r))))), "a sin((0.3 r) + q)");
  EXPECT_EQ(brief(f, f.sin(f.times(f.a, f.b))), "sin(a b)");
}

TEST(Polynomial, SquaresAreThoseThatGiveFewerTerms) {
  Formulas f;
  const Id ss = f.square(f.sin(f.q)), cc = f.square(f.cos(f.q));
  EXPECT_EQ(brief(f, f.less(f.number(1.0), ss)), "cos(q)^2");
  EXPECT_EQ(brief(f, f.sum(f.times(f.a, f.less(f.b, f.times(f.b, cc))), f.times(f.a, cc))),
            "a b sin(q)^2 + a cos(q)^2");
  EXPECT_EQ(brief(f, f.sum(f.number(1.0), cc)), "1 + cos(q)^2");
  EXPECT_EQ(brief(f, f.times(ss, f.square(f.cos(f.p)))), "cos(p)^2 sin(q)^2");
  EXPECT_EQ(brief(f, f.times(f.sin(f.p), f.times(f.sin(f.q), f.cos(f.r)))), "cos(r) sin(p) sin(q)");
}

TEST(Polynomial, GivesUpOnLongFormulas) {
  Formulas f;
  Id product = f.sum(f.a, f.b);
  for (int i = 0; i < 12; ++i) product = f.times(product, f.sum(f.symbol("x"), f.symbol("y")));
  EXPECT_EQ(normal(f, product), "too long");
  EXPECT_EQ(normal(f, f.over(f.a, f.less(f.square(f.sum(f.a, f.b)), f.square(f.sum(f.b, f.a))))), "too long");
}

// Formulas at random, of few operations on what there is.
class RandomFormulas {
 public:
  explicit RandomFormulas(unsigned seed) : random_(seed), known_{f_.a, f_.b, f_.p, f_.q, f_.r} {}

  Id make(int operations) {
    for (int i = 0; i < operations; ++i) known_.push_back(next());
    return known_.back();
  }
  Formulas& formulas() { return f_; }
  std::vector<double> values() {
    std::vector<double> result;
    for (std::size_t i = 0; i < f_.graph.symbols().size(); ++i) {
      result.push_back(std::uniform_real_distribution<double>(0.3, 1.7)(random_));
    }
    return result;
  }

 private:
  Id next() {
    switch (below(10)) {
      case 0:
      case 1:
        return f_.sum(any(), any());
      case 2:
        return f_.less(any(), any());
      case 3:
      case 4:
      case 5:
        return f_.times(any(), any());
      case 6:
        return f_.sin(angle());
      case 7:
        return f_.cos(angle());
      case 8:
        return f_.over(any(), f_.sum(f_.number(4.0), f_.cos(angle())));
      default:
        return f_.root(f_.sum(f_.number(2.0), f_.sin(angle())));
    }
  }
  Id angle() {
    const Id angles[] = {f_.p, f_.q, f_.r};
    const Id first = angles[below(3)], second = angles[below(3)];
    return below(3) == 0 ? f_.less(first, f_.sum(second, second)) : below(2) == 0 ? f_.sum(first, second) : first;
  }
  Id any() { return known_[below(known_.size())]; }
  std::size_t below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }

  std::mt19937 random_;
  Formulas f_;
  std::vector<Id> known_;
};

TEST(Polynomial, TheValueStays) {
  std::size_t given_up = 0;
  constexpr unsigned kSeeds = 400;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    RandomFormulas random(seed);
    const Id before = random.make(12);
    Graph& graph = random.formulas().graph;
    Polynomials polynomials(graph);
    const std::optional<Polynomial> form = polynomials.normal_form(before);
    if (!form) {
      ++given_up;
      continue;
    }
    const Id normal = put_back(graph, polynomials, *form);
    const Polynomial shorter = polynomials.shortened(*form);
    EXPECT_LE(shorter.size(), form->size());
    const Id brief = put_back(graph, polynomials, shorter);
    for (int point = 0; point < 3; ++point) {
      const std::vector<double> values = evaluate(graph, random.values());
      const auto value = [&](Id id) { return values[static_cast<std::size_t>(id)]; };
      double size = 1.0 + std::abs(value(before));
      for (const auto& [product, coefficient] : *form) size += std::abs(coefficient);
      EXPECT_NEAR(value(normal), value(before), kTolerance * size) << "seed " << seed;
      EXPECT_NEAR(value(brief), value(before), kTolerance * size) << "seed " << seed;
    }
  }
  EXPECT_LT(given_up, kSeeds / 10);
}

// The same sum at random angles.
double value(const std::vector<AngleTerm>& terms, const std::vector<double>& angles) {
  double sum = 0.0;
  for (const AngleTerm& term : terms) {
    double product = term.coefficient;
    for (const AngleFunction& function : term.factors) {
      double angle = 0.0;
      for (std::size_t i = 0; i < angles.size(); ++i) angle += function.angle[i] * angles[i];
      product *= function.is_sine ? std::sin(angle) : std::cos(angle);
    }
    sum += product;
  }
  return sum;
}

TEST(PolynomialAngles, ShortSumsHaveTheSameValue) {
  std::mt19937 random(7);
  const auto below = [&random](int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); };
  for (int round = 0; round < 300; ++round) {
    std::map<AngleFunction, double> sum;
    const int count = 1 + below(12);
    for (int i = 0; i < count; ++i) {
      AngleFunction function{below(2) == 0, {below(3), below(5) - 2, below(3) - 1}};
      const double sign = turn_to_positive(function);
      if (function.angle == AngleSum{0, 0, 0}) continue;
      sum[function] = sign * (1 + below(2)) / 4.0;
    }
    std::vector<AngleTerm> terms{{0.25, {}}};
    for (const auto& [function, coefficient] : sum) terms.push_back({coefficient, {function}});
    const std::vector<AngleTerm> shorter = shortened(terms, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    EXPECT_LE(shorter.size(), terms.size());
    const std::vector<double> angles{0.3 + 0.1 * below(20), 1.1 - 0.1 * below(20), 0.7 * below(5)};
    EXPECT_NEAR(value(shorter, angles), value(terms, angles), kTolerance);
  }
}

}  // namespace
}  // namespace gelenk::symbolic::polynomial_test
