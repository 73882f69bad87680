#include "gelenk/symbolic/graph.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "gelenk/symbolic/traced.h"

namespace gelenk::symbolic::graph_test {
namespace {

// Some formula of three numbers, the same for every scalar: operations drawn one after the other on what is there.
template <class T>
T random_formula(std::uint32_t seed, const std::array<T, 3>& x) {
  using std::abs;
  using std::atan2;
  using std::cos;
  using std::sin;
  using std::sqrt;
  std::mt19937 dice(seed);
  std::vector<T> values{x[0], x[1], x[2], T(0.0), T(1.0), T(-1.0), T(2.0), T(0.75)};
  const auto any = [&]() -> const T& { return values[dice() % values.size()]; };
  for (int i = 0; i < 40; ++i) {
    const T a = any(), b = any();
    switch (dice() % 9) {
      case 0:
        values.push_back(a + b);
        break;
      case 1:
        values.push_back(a - b);
        break;
      case 2:
      case 3:
        values.push_back(a * b * T(0.5));
        break;
      case 4:
        values.push_back(a / (T(2.0) + b * b));
        break;
      case 5:
        values.push_back(sin(a));
        break;
      case 6:
        values.push_back(cos(-b));
        break;
      case 7:
        values.push_back(sqrt(T(1.0) + a * a));
        break;
      default:
        values.push_back(atan2(a, T(3.0) + b * b));
    }
  }
  T sum(0.0);
  for (std::size_t i = values.size() - 8; i < values.size(); ++i) sum += values[i];
  return sum;
}

struct Formula {
  Graph graph;
  std::array<Id, 3> x{};
  Id result = -1;

  explicit Formula(std::uint32_t seed) {
    std::array<Traced, 3> traced;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = graph.symbol("x", i == 0 ? Symbol::Kind::parameter : Symbol::Kind::variable);
      traced[i] = Traced(graph, x[i]);
    }
    result = random_formula(seed, traced).in(graph);
  }
};

constexpr std::array kPlaces{0.7, -1.3, 0.4};

TEST(Graph, HasTheValueOfWhatWasTraced) {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    const Formula formula(seed);
    const double expected = random_formula<double>(seed, kPlaces);
    const double value = evaluate(formula.graph, kPlaces)[static_cast<std::size_t>(formula.result)];
    EXPECT_NEAR(value, expected, 1e-12 * (1.0 + std::abs(expected))) << seed;
  }
}

TEST(Graph, DerivativesAreThoseOfDualNumbers) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    Formula formula(seed);
    std::array<Dual<3>, 3> x;
    for (std::size_t i = 0; i < 3; ++i) x[i] = Dual<3>::variable(kPlaces[i], i);
    const Dual<3> expected = random_formula(seed, x);
    for (std::size_t i = 0; i < 3; ++i) {
      const Id derivative = differentiate(formula.graph, std::array{formula.result}, formula.x[i])[0];
      const double value = evaluate(formula.graph, kPlaces)[static_cast<std::size_t>(derivative)];
      EXPECT_NEAR(value, expected.partials[i], 1e-11 * (1.0 + std::abs(expected.partials[i]))) << seed;
    }
  }
}

TEST(Graph, SharesWhatIsTheSame) {
  Graph graph;
  const Traced a(graph, graph.symbol("a", Symbol::Kind::variable));
  const Traced b(graph, graph.symbol("b", Symbol::Kind::variable));
  const auto id = [&](const Traced& x) { return x.in(graph); };
  EXPECT_EQ(id(a * b), id(b * a));
  EXPECT_EQ(id(a - b), id(-(b - a)));
  EXPECT_EQ(id((-a) * b), id(-(a * b)));
  EXPECT_EQ(id(Traced(2.0) * (Traced(3.0) * a)), id(Traced(6.0) * a));
  EXPECT_EQ(id(sin(-a)), id(-sin(a)));
  EXPECT_TRUE((a - a).is(0.0));
  EXPECT_TRUE((a * Traced(0.0)).is(0.0));
  EXPECT_EQ(id(a + Traced(0.0)), id(a));
  EXPECT_EQ(id(a / a), graph.constant(1.0));
}

TEST(Graph, NumbersOfAnElementBecomeParameters) {
  Graph graph;
  const Id stiffness = graph.symbol("spring.stiffness", Symbol::Kind::parameter, 300.0);
  const Traced x(graph, graph.symbol("x", Symbol::Kind::variable));
  graph.name_numbers({{300.0, stiffness}});
  const Id named = (x * 300.0).in(graph);
  const Id negative = (x * -300.0).in(graph);
  graph.name_numbers({});
  EXPECT_EQ(named, (x * Traced(graph, stiffness)).in(graph));
  EXPECT_EQ(negative, (-(x * Traced(graph, stiffness))).in(graph));
  EXPECT_NE((x * 300.0).in(graph), named);
}

// A kernel that branches is found out.
TEST(Graph, RemembersThatAValueWasAsked) {
  Graph graph;
  const Traced x(graph, graph.symbol("x", Symbol::Kind::variable));
  EXPECT_FALSE(Traced(1.0) < Traced(0.0));
  EXPECT_FALSE(graph.take_question());
  EXPECT_FALSE(x < Traced(1.0));
  EXPECT_TRUE(graph.take_question());
  EXPECT_FALSE(graph.take_question());
  EXPECT_TRUE(std::isnan(value_of(x)));
}

TEST(Graph, CountsWhatIsComputedOnce) {
  Graph graph;
  const Traced p(graph, graph.symbol("p", Symbol::Kind::parameter, 2.0));
  const Traced x(graph, graph.symbol("x", Symbol::Kind::variable));
  const std::array results{((p * p + Traced(1.0)) * sin(x)).in(graph)};
  const OperationCount once = count_operations(graph, results, true);
  const OperationCount each = count_operations(graph, results, false);
  EXPECT_EQ(once.total(), 2U);
  EXPECT_EQ(each.products, 1U);
  EXPECT_EQ(each.functions, 1U);
  EXPECT_EQ(each.total(), 2U);
}

}  // namespace
}  // namespace gelenk::symbolic::graph_test
