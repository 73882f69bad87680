#include "gelenk/math/dual.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace gelenk::dual_test {
namespace {

using D = Dual<2>;

// Central difference with h = 1e-6: h²/6 |f'''| + ε/h, with functions and third derivatives of size ten.
constexpr double kStep = 1e-6;
constexpr double kDifference = 1e-8;
constexpr double kRounding = 1e-14;

struct Case {
  const char* name;
  std::function<D(D, D)> dual;
  std::function<double(double, double)> plain;
};

using std::abs, std::acos, std::asin, std::atan, std::atan2, std::ceil, std::cos, std::cosh, std::exp, std::floor;
using std::hypot, std::log, std::log10, std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;

template <class Function>
Case make_case(const char* name, Function function) {
  return {name, function, function};
}

std::vector<Case> cases() {
  return {
      make_case("x + y", [](auto x, auto y) { return x + y; }),
      make_case("x - y", [](auto x, auto y) { return x - y; }),
      make_case("x * y", [](auto x, auto y) { return x * y; }),
      make_case("x / y", [](auto x, auto y) { return x / y; }),
      make_case("-x", [](auto x, auto) { return -x; }),
      make_case("+x", [](auto x, auto) { return +x; }),
      make_case("x + 2.0", [](auto x, auto) { return x + 2.0; }),
      make_case("2.0 + x", [](auto x, auto) { return 2.0 + x; }),
      make_case("x - 2.0", [](auto x, auto) { return x - 2.0; }),
      make_case("2.0 - x", [](auto x, auto) { return 2.0 - x; }),
      make_case("x * 3.0", [](auto x, auto) { return x * 3.0; }),
      make_case("3.0 * x", [](auto x, auto) { return 3.0 * x; }),
      make_case("x / 3.0", [](auto x, auto) { return x / 3.0; }),
      make_case("3.0 / x", [](auto x, auto) { return 3.0 / x; }),
      make_case("sin(x * y)", [](auto x, auto y) { return sin(x * y); }),
      make_case("cos(x * y)", [](auto x, auto y) { return cos(x * y); }),
      make_case("tan(x)", [](auto x, auto) { return tan(x); }),
      make_case("asin(x * 0.4)", [](auto x, auto) { return asin(x * 0.4); }),
      make_case("acos(x * 0.4)", [](auto x, auto) { return acos(x * 0.4); }),
      make_case("atan(x * y)", [](auto x, auto y) { return atan(x * y); }),
      make_case("sinh(x)", [](auto x, auto) { return sinh(x); }),
      make_case("cosh(x)", [](auto x, auto) { return cosh(x); }),
      make_case("tanh(x)", [](auto x, auto) { return tanh(x); }),
      make_case("exp(x - y)", [](auto x, auto y) { return exp(x - y); }),
      make_case("log(x)", [](auto x, auto) { return log(x); }),
      make_case("log10(x * y)", [](auto x, auto y) { return log10(x * y); }),
      make_case("sqrt(x + y)", [](auto x, auto y) { return sqrt(x + y); }),
      make_case("abs(x - y)", [](auto x, auto y) { return abs(x - y); }),
      make_case("pow(x, y)", [](auto x, auto y) { return pow(x, y); }),
      make_case("pow(x, 3.0)", [](auto x, auto) { return pow(x, 3.0); }),
      make_case("pow(2.0, y)", [](auto, auto y) { return pow(2.0, y); }),
      make_case("atan2(x, y)", [](auto x, auto y) { return atan2(x, y); }),
      make_case("hypot(x, y)", [](auto x, auto y) { return hypot(x, y); }),
      make_case("floor(x) * y", [](auto x, auto y) { return floor(x) * y; }),
      make_case("ceil(x) * y", [](auto x, auto y) { return ceil(x) * y; }),
  };
}

TEST(Dual, DerivativesAgreeWithDifferences) {
  for (const Case& c : cases()) {
    for (const auto& [x, y] : {std::pair{0.7, 1.3}, std::pair{1.9, 0.4}, std::pair{0.2, 2.6}}) {
      const D f = c.dual(D::variable(x, 0), D::variable(y, 1));
      EXPECT_NEAR(f.value, c.plain(x, y), kRounding * std::abs(f.value)) << c.name;
      const double by_x = (c.plain(x + kStep, y) - c.plain(x - kStep, y)) / (2.0 * kStep);
      const double by_y = (c.plain(x, y + kStep) - c.plain(x, y - kStep)) / (2.0 * kStep);
      EXPECT_NEAR(f.partials[0], by_x, kDifference * std::max(1.0, std::abs(by_x))) << c.name;
      EXPECT_NEAR(f.partials[1], by_y, kDifference * std::max(1.0, std::abs(by_y))) << c.name;
    }
  }
}

TEST(Dual, ClosedForms) {
  const D x = D::variable(0.5, 0);
  EXPECT_EQ(sin(x).partials[0], std::cos(0.5));
  EXPECT_EQ((x * x * x).partials[0], 0.75);
  EXPECT_NEAR(asin(D::variable(1.0 - 1e-12, 0)).partials[0], 1.0 / std::sqrt(2e-12), 1e-4 / std::sqrt(2e-12));
}

TEST(Dual, CompoundAssignment) {
  D x = D::variable(3.0, 0);
  x += x;    // 2x
  x *= x;    // 4x²
  x -= 1.0;  // 4x² - 1
  x /= 2.0;
  EXPECT_EQ(x.value, 17.5);
  EXPECT_EQ(x.partials[0], 12.0);
}

TEST(Dual, PowersAtAwkwardPoints) {
  EXPECT_EQ(pow(D::variable(-2.0, 0), 3.0).value, -8.0);
  EXPECT_EQ(pow(D::variable(-2.0, 0), 3.0).partials[0], 12.0);
  EXPECT_EQ(pow(D::variable(0.0, 0), 2.0).partials[0], 0.0);
  EXPECT_EQ(pow(D::variable(0.0, 0), 1.0).partials[0], 1.0);
  EXPECT_EQ(pow(D::variable(0.0, 0), 0.0).partials[0], 0.0);
  EXPECT_EQ(pow(D::variable(0.0, 0), D::variable(2.0, 1)).partials[1], 0.0);
}

TEST(Dual, KinksTakeOneSide) {
  EXPECT_EQ(abs(D::variable(0.0, 0)).partials[0], 0.0);
  EXPECT_EQ(abs(D::variable(-3.0, 0)).partials[0], -1.0);
  EXPECT_EQ(hypot(D::variable(0.0, 0), D::variable(0.0, 1)).partials[0], 0.0);
  EXPECT_EQ(atan2(D::variable(0.0, 0), D::variable(0.0, 1)).partials[0], 0.0);
  const D a = D::variable(2.0, 0), b = D::variable(2.0, 1);
  EXPECT_EQ(min(a, b).partials[0], 1.0);
  EXPECT_EQ(max(a, b).partials[0], 1.0);
  EXPECT_EQ(min(D::variable(3.0, 0), b).partials[1], 1.0);
  EXPECT_EQ(max(D::variable(3.0, 0), b).partials[0], 1.0);
}

// √x at 0 has an infinite slope; a variable that x does not depend on must not notice.
TEST(Dual, InfiniteSlopesStayWithTheirVariable) {
  const D root = sqrt(D::variable(0.0, 0));
  EXPECT_EQ(root.partials[0], INFINITY);
  EXPECT_EQ(root.partials[1], 0.0);
}

TEST(Dual, ComparesByValue) {
  const D a = D::variable(1.0, 0), b = D::variable(1.0, 1);
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(a <= 1.0);
  EXPECT_TRUE(a < 2.0);
  EXPECT_FALSE(a > b);
  EXPECT_FALSE(D(NAN) == D(NAN));
  EXPECT_FALSE(D(NAN) < a);
}

TEST(Dual, LargeAndSmallArgumentsOfTheAngle) {
  const D f = atan2(D::variable(1e200, 0), D::variable(1e200, 1));
  EXPECT_NEAR(f.partials[0] * 1e200, 0.5, kRounding);
  EXPECT_NEAR(f.partials[1] * 1e200, -0.5, kRounding);
}

}  // namespace
}  // namespace gelenk::dual_test
