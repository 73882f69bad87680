#include "gelenk/math/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace gelenk::table_test {
namespace {

constexpr Interpolation kAll[] = {Interpolation::linear, Interpolation::cubic, Interpolation::akima};
// A cubic piece evaluated from its left end: a few roundings of numbers of size one.
constexpr double kRounding = 1e-13;

Table table(std::vector<double> x, std::vector<double> y, Interpolation interpolation) {
  std::string error;
  std::optional<Table> result = Table::make(std::move(x), std::move(y), interpolation, &error);
  EXPECT_TRUE(result.has_value()) << error;
  return result.value();
}

std::string error_of(std::vector<double> x, std::vector<double> y, Interpolation interpolation = Interpolation::cubic) {
  std::string error;
  EXPECT_FALSE(Table::make(x, y, interpolation, nullptr).has_value());
  EXPECT_FALSE(Table::make(std::move(x), std::move(y), interpolation, &error).has_value());
  return error;
}

Table random_table(Interpolation interpolation, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.1, 1.0);
  std::vector<double> x, y;
  double at = -1.0;
  for (int i = 0; i < 12; ++i) {
    x.push_back(at += uniform(random));
    y.push_back(2.0 * uniform(random) - 1.0);
  }
  return table(x, y, interpolation);
}

TEST(Table, RefusesWhatIsNoTable) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of({0, 1}, {0}), "the table has 2 x values but 1 y values");
  EXPECT_EQ(error_of({}, {}), "the table needs at least 2 points, but has 0");
  EXPECT_EQ(error_of({1}, {1}), "the table needs at least 2 points, but has 1");
  EXPECT_EQ(error_of({0, 1, 1}, {0, 1, 2}), "the x values of the table must increase, but point 3 has 1 after 1");
  EXPECT_EQ(error_of({0, 1}, {0, nan}), "point 2 of the table is not a finite number");
  EXPECT_EQ(error_of({-INFINITY, 1}, {0, 1}), "point 1 of the table is not a finite number");
  for (const Interpolation interpolation : kAll) {
    EXPECT_EQ(error_of({0, 1e-300}, {-1e300, 1e300}, interpolation), "the table is too steep: its slopes overflow");
  }
}

TEST(Table, PassesThroughItsPointsAndHoldsTheEnds) {
  for (const Interpolation interpolation : kAll) {
    const Table t = random_table(interpolation, 7);
    for (std::size_t i = 0; i < t.x().size(); ++i) EXPECT_EQ(t.value(t.x()[i]), t.y()[i]);
    EXPECT_EQ(t.value(t.x().front() - 5.0), t.y().front());
    EXPECT_EQ(t.value(t.x().back() + 5.0), t.y().back());
    EXPECT_EQ(t.slope(t.x().front() - 1e-9), 0.0);
    EXPECT_EQ(t.slope(t.x().back() + 1e-9), 0.0);
    EXPECT_EQ(t.value(INFINITY), t.y().back());
    EXPECT_EQ(t.value(-INFINITY), t.y().front());
    EXPECT_TRUE(std::isnan(t.value(NAN)));
    EXPECT_TRUE(std::isnan(t.slope(NAN)));
  }
}

TEST(Table, TwoPointsAreAStraightLine) {
  for (const Interpolation interpolation : kAll) {
    const Table t = table({1.0, 3.0}, {2.0, -4.0}, interpolation);
    EXPECT_NEAR(t.value(1.5), 0.5, kRounding);
    EXPECT_NEAR(t.slope(1.0), -3.0, kRounding);
    EXPECT_NEAR(t.slope(3.0), -3.0, kRounding);
  }
}

TEST(Table, StraightLinesStayStraight) {
  for (const Interpolation interpolation : kAll) {
    const Table t = table({0, 1, 3, 4, 4.5}, {1, 3, 7, 9, 10}, interpolation);
    for (double x = 0.0; x <= 4.5; x += 0.1) {
      EXPECT_NEAR(t.value(x), 1.0 + 2.0 * x, kRounding);
      EXPECT_NEAR(t.slope(x), 2.0, kRounding);
    }
  }
}

TEST(Table, SlopeAndCurvatureAreDerivatives) {
  // Central difference with h: error h²/6 |f'''| plus rounding ε/h; f''' stays below about 1e3 here.
  constexpr double kStep = 1e-5;
  constexpr double kTolerance = 1e-6;
  for (const Interpolation interpolation : kAll) {
    const Table t = random_table(interpolation, 21);
    for (std::size_t i = 0; i + 1 < t.x().size(); ++i) {
      for (const double fraction : {0.1, 0.37, 0.5, 0.9}) {
        const double x = t.x()[i] + fraction * (t.x()[i + 1] - t.x()[i]);
        EXPECT_NEAR(t.slope(x), (t.value(x + kStep) - t.value(x - kStep)) / (2.0 * kStep), kTolerance);
        EXPECT_NEAR(t.curvature(x), (t.slope(x + kStep) - t.slope(x - kStep)) / (2.0 * kStep), kTolerance);
      }
    }
  }
}

// Slope from the left of point i, by the value of the piece there.
double left_limit(const Table& t, std::size_t i, double (Table::*function)(double) const) {
  return (t.*function)(std::nextafter(t.x()[i], -INFINITY));
}

TEST(Table, CubicIsSmoothAndNaturalAtItsEnds) {
  constexpr double kTolerance = 1e-11;  // one unit in the last place of x times derivatives of size 1e3, and rounding
  const Table t = random_table(Interpolation::cubic, 5);
  for (std::size_t i = 1; i + 1 < t.x().size(); ++i) {
    EXPECT_NEAR(t.slope(t.x()[i]), left_limit(t, i, &Table::slope), kTolerance);
    EXPECT_NEAR(t.curvature(t.x()[i]), left_limit(t, i, &Table::curvature), kTolerance);
  }
  EXPECT_NEAR(t.curvature(t.x().front()), 0.0, kTolerance);
  EXPECT_NEAR(t.curvature(t.x().back()), 0.0, kTolerance);
}

// Three points 0, 1, 0 at distance 1: 4 M_1 = 6 (-1 - 1), so M_1 = -3 and the spline is 1.5 x - 0.5 x³ up to the
// middle.
TEST(Table, CubicOfThreePointsInClosedForm) {
  const Table t = table({0, 1, 2}, {0, 1, 0}, Interpolation::cubic);
  for (double x = 0.0; x <= 1.0; x += 0.125) {
    EXPECT_NEAR(t.value(x), 1.5 * x - 0.5 * x * x * x, kRounding);
    EXPECT_NEAR(t.value(2.0 - x), 1.5 * x - 0.5 * x * x * x, kRounding);
  }
}

TEST(Table, AkimaReproducesAParabola) {
  const Table t = table({0, 1, 2, 3, 4, 5}, {0, 1, 4, 9, 16, 25}, Interpolation::akima);
  for (double x = 0.0; x <= 5.0; x += 0.2) EXPECT_NEAR(t.value(x), x * x, 1e-12);
}

// A closed curve: unequal intervals, and two of them alone; slope and curvature pass from the last point to the first.
TEST(Table, PeriodicSplineClosesSmoothly) {
  for (const std::vector<double>& x :
       {std::vector<double>{0.0, 0.7, 1.5, 2.0, 3.0}, std::vector<double>{0.0, 1.3, 3.0}}) {
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = std::sin(2.0 * x[i]) + x[i];
    y.back() = y.front();
    const Table t = table(x, y, Interpolation::periodic);
    const auto last = static_cast<std::int32_t>(x.size()) - 1;
    EXPECT_NEAR(t.slope_on(1, x.front()), t.slope_on(last, x.back()), 1e-12);
    EXPECT_NEAR(t.curvature_on(1, x.front()), t.curvature_on(last, x.back()), 1e-12);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(t.value(x[i]), y[i], kRounding);
    for (std::size_t i = 1; i + 1 < x.size(); ++i) {
      const auto piece = static_cast<std::int32_t>(i);
      EXPECT_NEAR(t.slope_on(piece, x[i]), t.slope_on(piece + 1, x[i]), 1e-12);
      EXPECT_NEAR(t.curvature_on(piece, x[i]), t.curvature_on(piece + 1, x[i]), 1e-12);
    }
  }
}

TEST(Table, PeriodicSplineEndsAsItBegins) {
  std::string error;
  EXPECT_FALSE(Table::make({0, 1, 2}, {0, 1, 0.5}, Interpolation::periodic, &error));
  EXPECT_NE(error.find("from 0 to 0.5"), std::string::npos) << error;
}

// Beside a step the secants are equal pairwise: flat parts stay exactly flat, where a spline would ring.
TEST(Table, AkimaDoesNotRing) {
  const Table t = table({0, 1, 2, 3, 4, 5, 6, 7}, {0, 0, 0, 0, 1, 1, 1, 1}, Interpolation::akima);
  for (const double x : {0.5, 1.5, 2.5}) EXPECT_EQ(t.value(x), 0.0);
  for (const double x : {4.5, 5.5, 6.5}) EXPECT_EQ(t.value(x), 1.0);
  EXPECT_NEAR(t.value(3.5), 0.5, kRounding);
}

// At a corner between two straight lines the weights vanish on both sides: the mean of the slopes (Akima 1970).
TEST(Table, AkimaTakesTheMeanWhereTheWeightsVanish) {
  const Table t = table({0, 1, 2, 3, 4}, {0, 0, 0, 1, 2}, Interpolation::akima);
  EXPECT_EQ(t.slope(2.0), 0.5);
}

// Slopes worked out by hand from Akima's formula: secants 1, 3, -2, 0, with -3, -1 before and 2, 4 behind by
// extrapolation.
TEST(Table, AkimaSlopesByHand) {
  const Table t = table({0, 1, 2, 3, 4}, {0, 1, 4, 2, 2}, Interpolation::akima);
  EXPECT_NEAR(t.slope(0.0), (2.0 * -1.0 + 2.0 * 1.0) / 4.0, kRounding);
  EXPECT_NEAR(t.slope(1.0), (5.0 * 1.0 + 2.0 * 3.0) / 7.0, kRounding);
  EXPECT_NEAR(t.slope(2.0), (2.0 * 3.0 + 2.0 * -2.0) / 4.0, kRounding);
  EXPECT_NEAR(t.slope(3.0), (2.0 * -2.0 + 5.0 * 0.0) / 7.0, kRounding);
}

TEST(Table, EqualityIsThePointsAndTheirMeaning) {
  Table a = table({0, 1, 2}, {0, 1, 0}, Interpolation::cubic);
  Table b = table({0, 1, 2}, {0, 1, 0}, Interpolation::cubic);
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a == table({0, 1, 2}, {0, 1, 0}, Interpolation::linear));
  EXPECT_FALSE(a == table({0, 1, 2}, {0, 1, 1}, Interpolation::cubic));
  b.value_dimension = Dimension(0, 1, 0);
  EXPECT_FALSE(a == b);
}

}  // namespace
}  // namespace gelenk::table_test
