#include "gelenk/export/time_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace gelenk::exporting::time_statistics_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kRounding = 1e-12;

// Times that crowd at the beginning: a mean over rows would be wrong by far.
double crowded_time(int i, int count) {
  const double s = static_cast<double>(i) / count;
  return s * s * s;
}

TEST(TimeStatistics, MeanAndRmsOfARampAreThoseOverTime) {
  // x = 3 t - 1 on [0, 1]: mean ½, mean of squares ∫ (3t - 1)² dt = 1. The trapezoidal rule is exact for the mean; for
  // the squares it errs by Σ Δt³/12 · x²'' = Σ 1.5 Δt³.
  constexpr int kCount = 4000;
  TimeStatistics statistics;
  double bound = 0.0;
  for (int i = 0; i <= kCount; ++i) {
    const double time = crowded_time(i, kCount);
    statistics.add(time, 3.0 * time - 1.0);
    if (i > 0) bound += 1.5 * std::pow(time - crowded_time(i - 1, kCount), 3);
  }
  const Summary summary = statistics.summary();
  EXPECT_NEAR(summary.mean, 0.5, kRounding);
  EXPECT_NEAR(summary.rms * summary.rms, 1.0 + bound, kRounding);
  EXPECT_EQ(summary.min.value, -1.0);
  EXPECT_EQ(summary.min.time, 0.0);
  EXPECT_EQ(summary.peak.value, 2.0);
  EXPECT_EQ(summary.peak.time, 1.0);
  EXPECT_EQ(summary.start, -1.0);
  EXPECT_EQ(summary.end, 2.0);
}

TEST(TimeStatistics, SineOverWholePeriodsHasRmsOneOverRootTwo) {
  // On an equidistant grid over whole periods the trapezoidal rule is exact for trigonometric polynomials.
  constexpr int kCount = 360;
  TimeStatistics statistics;
  for (int i = 0; i <= kCount; ++i) {
    statistics.add(0.01 * i, -5.0 * std::sin(2.0 * std::numbers::pi * 3.0 * i / kCount));
  }
  const Summary summary = statistics.summary();
  EXPECT_NEAR(summary.mean, 0.0, kRounding);
  EXPECT_NEAR(summary.rms, 5.0 / std::numbers::sqrt2, kRounding);
  // Six extremes are the same but for rounding: the first one is reported, which is the lower one here.
  EXPECT_NEAR(summary.peak.value, -5.0, kRounding);
  EXPECT_DOUBLE_EQ(summary.peak.time, 0.3);
  EXPECT_DOUBLE_EQ(summary.max.time, 0.9);
}

TEST(TimeStatistics, SlowGrowthStillMovesTheTimeOfThePeak) {
  TimeStatistics statistics;
  constexpr int kCount = 100'000;
  // Each row differs by less than what counts as the same; all together by a thousandth.
  for (int i = 0; i <= kCount; ++i) statistics.add(i, 1.0 + 1e-8 * i / 10.0);
  const Summary summary = statistics.summary();
  EXPECT_EQ(summary.max.value, 1.0 + 1e-8 * kCount / 10.0);
  EXPECT_NEAR(summary.max.time, kCount, 2.0);
}

TEST(TimeStatistics, AJumpTakesNoTime) {
  TimeStatistics statistics;
  statistics.add(0.0, 1.0);
  statistics.add(1.0, 1.0);
  statistics.add(1.0, 5.0);
  statistics.add(3.0, 5.0);
  EXPECT_DOUBLE_EQ(statistics.summary().mean, (1.0 + 2.0 * 5.0) / 3.0);
}

TEST(TimeStatistics, GapsAreCountedAndLeftOut) {
  TimeStatistics statistics;
  statistics.add(0.0, 2.0);
  statistics.add(1.0, 2.0);
  statistics.add(2.0, kNan);
  statistics.add(3.0, 4.0);
  statistics.add(4.0, 4.0);
  const Summary summary = statistics.summary();
  EXPECT_EQ(summary.gaps, 1U);
  EXPECT_EQ(summary.count, 4U);
  EXPECT_DOUBLE_EQ(summary.mean, 3.0) << "one second each";

  TimeStatistics nothing;
  nothing.add(0.0, kNan);
  EXPECT_TRUE(nothing.summary().is_empty());
}

TEST(TimeStatistics, TimeThatGoesBackCountsNothing) {
  TimeStatistics statistics;
  for (const double time : {0.0, 1.0, -5.0, -4.0}) statistics.add(time, 2.0);
  EXPECT_DOUBLE_EQ(statistics.summary().mean, 2.0);
  EXPECT_DOUBLE_EQ(statistics.summary().rms, 2.0);
}

TEST(TimeStatistics, OneRowIsItsOwnMean) {
  TimeStatistics statistics;
  statistics.add(7.0, -3.0);
  const Summary summary = statistics.summary();
  EXPECT_EQ(summary.mean, -3.0);
  EXPECT_EQ(summary.rms, 3.0);
  EXPECT_EQ(summary.peak.value, -3.0);
  EXPECT_EQ(summary.peak.time, 7.0);
}

TEST(VectorStatistics, KeepsTheVectorOfThePeak) {
  VectorStatistics statistics;
  statistics.add(0.0, {1.0, 0.0, 0.0});
  statistics.add(1.0, {0.0, -3.0, 4.0});
  statistics.add(2.0, {0.0, 3.0, 4.0});
  statistics.add(3.0, {kNan, 30.0, 4.0});
  EXPECT_EQ(statistics.summary().peak.value, 5.0);
  EXPECT_EQ(statistics.summary().peak.time, 1.0);
  EXPECT_EQ(statistics.at_peak(), (VectorStatistics::Components{0.0, -3.0, 4.0}));
  EXPECT_EQ(statistics.summary().gaps, 1U);
}

}  // namespace
}  // namespace gelenk::exporting::time_statistics_test
