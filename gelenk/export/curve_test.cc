#include "gelenk/export/curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gelenk::exporting::curve_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Curve sine(std::size_t count) {
  Curve curve{"a", "m", {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    curve.times.push_back(1e-3 * static_cast<double>(i));
    curve.values.push_back(std::sin(0.37 * static_cast<double>(i)));
  }
  return curve;
}

TEST(Thinned, KeepsEndsAndExtremesInOrder) {
  Curve curve = sine(100'000);
  curve.values[51'234] = 7.0;  // a peak of one sample must stay
  curve.values[77'777] = -9.0;
  const Curve thin = thinned(curve, 500);
  EXPECT_LE(thin.values.size(), 2000U);
  EXPECT_EQ(limits_of(thin.values).max, 7.0);
  EXPECT_EQ(limits_of(thin.values).min, -9.0);
  EXPECT_EQ(thin.times.front(), curve.times.front());
  EXPECT_EQ(thin.times.back(), curve.times.back());
  for (std::size_t i = 1; i < thin.times.size(); ++i) ASSERT_LT(thin.times[i - 1], thin.times[i]);
}

TEST(Thinned, ShortCurvesStay) {
  const Curve curve = sine(100);
  EXPECT_EQ(thinned(curve, 500).values, curve.values);
}

TEST(Thinned, GapsHideNoExtremes) {
  Curve curve = sine(10'000);
  for (std::size_t i = 0; i < curve.values.size(); i += 3) curve.values[i] = kNan;
  curve.values[5000] = 4.0;
  EXPECT_EQ(limits_of(thinned(curve, 50).values).max, 4.0);
}

TEST(LimitsOf, OnlyFiniteNumbersCount) {
  const std::vector<double> values{kNan, 2.0, std::numeric_limits<double>::infinity(), -1.0};
  const Limits limits = limits_of(values);
  EXPECT_EQ(limits.min, -1.0);
  EXPECT_EQ(limits.max, 2.0);
  EXPECT_TRUE(limits_of(std::vector<double>{kNan}).is_empty);
}

}  // namespace
}  // namespace gelenk::exporting::curve_test
