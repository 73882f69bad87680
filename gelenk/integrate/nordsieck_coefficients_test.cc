#include "gelenk/integrate/nordsieck_coefficients.h"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

namespace gelenk::integrate::nordsieck_coefficients_test {
namespace {

// Products of up to 13 differences, each with a few roundings.
constexpr double kRounding = 1e-12;
// Divided differences of high order, by which the tests find e, lose digits.
constexpr double kDifferences = 1e-9;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

Distances equal_steps() {
  Distances xi{};
  for (int i = 1; i <= kMaxNodes; ++i) xi[index(i)] = i;
  return xi;
}

// Lengths that change by up to four times; two of them are zero, as they are before a start.
constexpr std::array<double, kMaxNodes + 2> kLengths{1.0, 0.7, 2.1, 1.3, 0.6, 0.0, 1.1, 0.8,
                                                     0.3, 1.2, 1.6, 0.4, 0.0, 0.9, 1.5, 0.7};

// Nodes of the step whose number, counted back, is `step`, in units of its own length.
Distances uneven_steps(int step = 0) {
  Distances xi{};
  for (int i = 1; i <= kMaxNodes && step + i - 1 < static_cast<int>(kLengths.size()); ++i) {
    xi[index(i)] = xi[index(i - 1)] + kLengths[index(step + i - 1)] / kLengths[index(step)];
  }
  return xi;
}

double value(const Powers& p, double x) {
  double sum = 0.0;
  for (std::size_t j = p.size(); j-- > 0;) sum = sum * x + p[j];
  return sum;
}

double slope(const Powers& p, double x) {
  double sum = 0.0;
  for (std::size_t j = p.size(); j-- > 1;) sum = sum * x + static_cast<double>(j) * p[j];
  return sum;
}

// xᵈ at the end of the step, in x = 0: its coefficients are those of a Nordsieck array.
Powers monomial(int degree) {
  Powers p{};
  p[index(degree)] = 1.0;
  return p;
}

// f[nodes] of the values (BDF) or slopes (Adams) of y, where equal nodes follow each other at most twice.
double divided_difference(const Powers& y, bool of_slopes, std::span<const double> nodes) {
  Powers f = y;
  if (of_slopes) {
    for (std::size_t j = 1; j < f.size(); ++j) f[j - 1] = static_cast<double>(j) * y[j];
    f.back() = 0.0;
  }
  if (nodes.size() == 1) return value(f, nodes[0]);
  if (nodes.size() == 2 && nodes[0] == nodes[1]) return slope(f, nodes[0]);
  return (divided_difference(f, false, nodes.subspan(1)) -
          divided_difference(f, false, nodes.first(nodes.size() - 1))) /
         (nodes.back() - nodes.front());
}

// e of a step of the method at the motion y with exact numbers at all nodes; x of the nodes in the step's own unit.
double correction(Multistep method, int order, const Powers& y, const Distances& xi) {
  std::vector<double> nodes{0.0};
  const int count = method == Multistep::bdf ? order + 1 : order;
  double product = 1.0;
  for (int i = 1; i <= count; ++i) {
    nodes.push_back(-xi[index(i)]);
    product *= xi[index(i)];
  }
  const double difference = divided_difference(y, method == Multistep::adams, nodes);
  if (method == Multistep::bdf) return difference * product;
  return difference * product / correction_polynomial(method, order, xi)[1];
}

struct Case {
  Multistep method;
  int order;
};

std::vector<Case> all_orders() {
  std::vector<Case> cases;
  for (int q = 1; q <= kMaxAdamsOrder; ++q) cases.push_back({Multistep::adams, q});
  for (int q = 1; q <= kMaxBdfOrder; ++q) cases.push_back({Multistep::bdf, q});
  return cases;
}

// Adams-Moulton with equal steps: y_n = y_{n-1} + h Σ γ*ᵢ ∇ⁱ f_n with Σ_{k≤m} γ*_k / (m + 1 - k) = 0, γ*₀ = 1. The sum
// of the first q is the factor of f_n, γ*_q that of the error; the predictor is wrong by the sum of q + 1 of them.
TEST(NordsieckCoefficients, AdamsMoultonWithEqualSteps) {
  std::vector<double> gamma{1.0};
  double sum = 0.0;
  for (int q = 1; q <= kMaxAdamsOrder; ++q) {
    sum += gamma.back();
    double next = 0.0;
    for (int k = 0; k < q; ++k) next -= gamma[index(k)] / (q + 1 - k);
    gamma.push_back(next);
    EXPECT_NEAR(1.0 / correction_polynomial(Multistep::adams, q, equal_steps())[1], sum, kRounding) << q;
    EXPECT_NEAR(error_per_correction(Multistep::adams, q, equal_steps()), -next / sum, kRounding) << q;
  }
  EXPECT_NEAR(sum, 4777223.0 / 17418240.0, kRounding);  // Hairer, Nørsett, Wanner, Solving ODEs I, III.1
}

// BDF with equal steps: Σ ∇ʲ y / j = h f, so that the slope at the end is 1 + 1/2 + … + 1/q, and the error
// h^(q+1) y^(q+1) / (q + 1) over that.
TEST(NordsieckCoefficients, BdfWithEqualSteps) {
  double sum = 0.0;
  for (int q = 1; q <= kMaxBdfOrder; ++q) {
    sum += 1.0 / q;
    EXPECT_NEAR(correction_polynomial(Multistep::bdf, q, equal_steps())[1], sum, kRounding);
    EXPECT_NEAR(error_per_correction(Multistep::bdf, q, equal_steps()), 1.0 / ((q + 1) * sum), kRounding);
  }
}

TEST(NordsieckCoefficients, CorrectionLeavesOldNumbersAlone) {
  const Distances xi = uneven_steps();
  for (const auto& [method, q] : all_orders()) {
    const Powers lambda = correction_polynomial(method, q, xi);
    EXPECT_EQ(lambda[0], 1.0);
    EXPECT_NEAR(value(lambda, -1.0), 0.0, kRounding) << q;
    // Slopes at far nodes are small differences of large numbers.
    for (int i = 1; i < q; ++i) {
      const double x = -xi[index(i)];
      const double size = value(lambda, xi[index(i)]);
      EXPECT_NEAR(method == Multistep::bdf ? value(lambda, x) : slope(lambda, x), 0.0, kRounding * size) << q;
    }
  }
}

// y = x^(q+1): the difference between y and what the method makes of exact numbers is the leading term of its error.
TEST(NordsieckCoefficients, ErrorIsExactForTheNextPower) {
  const Distances xi = uneven_steps();
  for (const auto& [method, q] : all_orders()) {
    const Powers y = monomial(q + 1);
    const double e = correction(method, q, y, xi);
    double truth = 0.0;
    if (method == Multistep::adams) {
      // y' - p' = (q+1) Π (x + ξᵢ) x over the nodes 1 … q-1, of which the integral over the step by Gauss' formula of
      // two points in 200 parts is left.
      constexpr int kParts = 200;
      const double shift = 0.5 / std::sqrt(3.0);
      for (int part = 0; part < kParts; ++part) {
        for (const double point : {part + 0.5 - shift, part + 0.5 + shift}) {
          const double x = -1.0 + point / kParts;
          double product = (q + 1) * x;
          for (int i = 1; i < q; ++i) product *= x + xi[index(i)];
          truth += 0.5 * product / kParts;
        }
      }
    } else {
      // π, through q + 1 nodes, is wrong by Π ξᵢ at the end; p = π + e Λ has the slope of y there but for what is left.
      double predicted = 1.0, inverses = 0.0;
      for (int i = 1; i <= q + 1; ++i) {
        predicted *= xi[index(i)];
        inverses += 1.0 / xi[index(i)];
      }
      EXPECT_NEAR(e / predicted, 1.0, kRounding) << q;
      const double slope_at_end = correction_polynomial(method, q, xi)[1];
      truth = predicted * (inverses - slope_at_end) / slope_at_end;
    }
    constexpr double kQuadrature = 1e-7;
    EXPECT_NEAR(error_per_correction(method, q, xi) * std::abs(e) / std::abs(truth), 1.0, kQuadrature) << q;
  }
}

// The estimates for the orders below and above are those that these orders would make themselves.
TEST(NordsieckCoefficients, NeighborsAreEstimatedAsByThemselves) {
  const Distances xi = uneven_steps();
  const Distances before = uneven_steps(1);
  const double ratio = kLengths[1] / kLengths[0];
  for (const auto& [method, q] : all_orders()) {
    if (q > 1) {
      const double own = error_per_correction(method, q - 1, xi) * correction(method, q - 1, monomial(q), xi);
      EXPECT_NEAR(lower_error_per_power(method, q, xi) / std::abs(own), 1.0, kDifferences) << q;
    }
    const int most = method == Multistep::bdf ? kMaxBdfOrder : kMaxAdamsOrder;
    if (q == most) continue;
    // x^(q+2) around the end of the step before, in its unit: y(x) = (ratio x' - 1)^(q+2).
    Powers y_before{};
    double binomial = 1.0;
    for (int j = 0; j <= q + 2; ++j) {
      y_before[index(j)] = binomial * std::pow(ratio, j) * ((q + 2 - j) % 2 == 0 ? 1.0 : -1.0);
      binomial *= static_cast<double>(q + 2 - j) / (j + 1);
    }
    const double factor = derivative_per_correction(method, q, before) / derivative_per_correction(method, q, xi) *
                          std::pow(1.0 / ratio, q + 1);
    const Powers y = monomial(q + 2);
    const double change = correction(method, q, y, xi) - factor * correction(method, q, y_before, before);
    const double own = error_per_correction(method, q + 1, xi) * correction(method, q + 1, y, xi);
    EXPECT_NEAR(higher_error_per_change(method, q, xi) * std::abs(change / own), 1.0, kDifferences) << q;
  }
}

// After a rise the polynomial of y = x^(q+1) is y itself; after a fall it has no power q any more and still fits.
TEST(NordsieckCoefficients, OrdersChangeAsIfNodesWereAdded) {
  const Distances xi = uneven_steps();
  for (const auto& [method, q] : all_orders()) {
    const int most = method == Multistep::bdf ? kMaxBdfOrder : kMaxAdamsOrder;
    const bool values = method == Multistep::bdf;
    if (q < most) {
      const Powers y = monomial(q + 1);
      const Powers rise = raising_polynomial(method, q, xi);
      const double e = correction(method, q, y, xi);
      EXPECT_NEAR(e * rise[index(q + 1)], 1.0, kDifferences) << q;
      // p = y - e·rise has order q and fits all that it must.
      Powers p = y;
      for (std::size_t j = 0; j < p.size(); ++j) p[j] -= e * rise[j];
      EXPECT_NEAR(p[index(q + 1)], 0.0, kDifferences);
      EXPECT_EQ(p[0], 0.0);
      for (int i = values ? 1 : 0; i <= (values ? q : q - 1); ++i) {
        const double x = -xi[index(i)];
        const double misfit = values ? value(p, x) - value(y, x) : slope(p, x) - slope(y, x);
        EXPECT_NEAR(misfit / std::pow(xi[index(q)] + 1.0, q + 1), 0.0, kRounding) << q;
      }
    }
    if (q == 1) continue;
    const Powers fall = lowering_polynomial(method, q, xi);
    EXPECT_NEAR(fall[index(q)], -1.0, kRounding) << q;
    EXPECT_EQ(fall[0], 0.0);
    for (int i = values ? 1 : 0; i <= (values ? q - 1 : q - 2); ++i) {
      const double x = -xi[index(i)];
      const double misfit = values ? value(fall, x) : slope(fall, x);
      EXPECT_NEAR(misfit / std::pow(xi[index(q)] + 1.0, q), 0.0, kRounding) << q;
    }
  }
}

}  // namespace
}  // namespace gelenk::integrate::nordsieck_coefficients_test
