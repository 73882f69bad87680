#include "gelenk/export/run_comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gelenk/export/recorded_run_test_support.h"

namespace gelenk::exporting::run_comparison_test {
namespace {

using results::BlockId;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kRounding = 1e-12;

std::vector<double> grid(double begin, double step, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(begin + step * i);
  return times;
}

// Everything zero but the output `stroke`.
FillRow stroke(const std::function<double(double)>& law) {
  return [law](const results::Row& row, double time) {
    for (const BlockId id : row.blocks()) {
      for (double& value : row[id]) value = 0.0;
    }
    row[BlockId::output][0] = law(time);
  };
}

class Comparison : public testing::Test {
 protected:
  Comparison() : folder_(std::string("compare_") + testing::UnitTest::GetInstance()->current_test_info()->name()) {}

  std::unique_ptr<results::Reader> run(const std::string& name, const std::vector<double>& times, const FillRow& fill,
                                       const results::Selection& selection = {}) {
    return recorded(folder_.file(name), times, fill, {}, selection);
  }

  results::TemporaryFolder folder_;
};

TEST_F(Comparison, TheSameIsIdentical) {
  const auto a = run("a.h5", grid(0.0, 0.1, 101), stroke([](double t) { return std::sin(t); }));
  const auto b = run("b.h5", grid(0.0, 0.1, 101), stroke([](double t) { return std::sin(t); }));
  const RunComparison found = compare_runs(*a, *b, {"stroke", "crank.position.magnitude"});
  EXPECT_EQ(found.error, "");
  EXPECT_TRUE(found.is_identical());
  EXPECT_EQ(found.compared_rows, 101U);
  EXPECT_EQ(found.changes.size(), 2U);
}

TEST_F(Comparison, FindsTheLargestDifferenceAndItsTime) {
  const auto a = run("a.h5", grid(0.0, 0.5, 21), stroke([](double t) { return t; }));
  const auto b = run("b.h5", grid(0.0, 0.5, 21), stroke([](double t) { return t == 3.5 ? t - 2.0 : t + 0.25; }));
  const RunComparison found = compare_runs(*a, *b, {"stroke"});
  ASSERT_EQ(found.changes.size(), 1U);
  const ChannelChange& change = found.changes[0];
  EXPECT_FALSE(found.is_identical());
  EXPECT_FALSE(found.is_interpolated);
  EXPECT_DOUBLE_EQ(change.largest_difference, 2.0);
  EXPECT_EQ(change.at_time, 3.5);
  EXPECT_DOUBLE_EQ(change.range, 10.0);
  EXPECT_DOUBLE_EQ(change.relative_difference(), 0.2);
  EXPECT_EQ(change.peak_a, 10.0);
  EXPECT_EQ(change.peak_b, 10.25);
  EXPECT_EQ(change.end_b, 10.25);
  EXPECT_EQ(change.unit, "m");
}

TEST_F(Comparison, OtherTimesAreInterpolated) {
  // A straight line is the same between its rows, a parabola t² misses by (step/2)² in the middle of them.
  const auto a = run("a.h5", grid(0.0, 0.25, 41), stroke([](double t) { return t * t; }));
  const auto line = run("line.h5", grid(0.0, 1.0, 11), stroke([](double t) { return 3.0 * t; }));
  const auto fine = run("fine.h5", grid(0.0, 0.25, 41), stroke([](double t) { return 3.0 * t; }));
  const RunComparison same = compare_runs(*fine, *line, {"stroke"});
  EXPECT_TRUE(same.is_interpolated);
  EXPECT_NEAR(same.changes[0].largest_difference, 0.0, kRounding);
  const auto coarse = run("coarse.h5", grid(0.0, 1.0, 11), stroke([](double t) { return t * t; }));
  const RunComparison found = compare_runs(*a, *coarse, {"stroke"});
  EXPECT_TRUE(found.is_interpolated);
  EXPECT_NEAR(found.changes[0].largest_difference, 0.25, kRounding);
  // The other way round all times of A are times of B, and nothing is interpolated.
  const RunComparison back = compare_runs(*coarse, *a, {"stroke"});
  EXPECT_FALSE(back.is_interpolated);
  EXPECT_FALSE(back.has_same_times);
  EXPECT_EQ(back.changes[0].largest_difference, 0.0);
  EXPECT_FALSE(back.is_identical());
}

TEST_F(Comparison, TimesThatDifferByRoundingAreTheSame) {
  std::vector<double> shaken = grid(0.0, 0.1, 50);
  for (std::size_t i = 0; i < shaken.size(); ++i) shaken[i] *= i % 2 == 0 ? 1.0 + 1e-15 : 1.0 - 1e-15;
  const auto a = run("a.h5", grid(0.0, 0.1, 50), stroke([](double) { return 1.0; }));
  const auto b = run("b.h5", shaken, stroke([](double) { return 1.0; }));
  const RunComparison found = compare_runs(*a, *b, {"stroke"});
  EXPECT_FALSE(found.is_interpolated);
  EXPECT_EQ(found.compared_rows, 50U);
}

TEST_F(Comparison, OnlyTheCommonTimeCounts) {
  const auto a = run("a.h5", grid(0.0, 0.1, 101), stroke([](double t) { return t > 5.05 ? 100.0 : 1.0; }));
  const auto b = run("b.h5", grid(2.0, 0.1, 31), stroke([](double) { return 1.0; }));
  const RunComparison found = compare_runs(*a, *b, {"stroke"});
  EXPECT_NEAR(found.common_begin, 2.0, kRounding);
  EXPECT_NEAR(found.common_end, 5.0, kRounding);
  EXPECT_NEAR(found.time_a.max, 10.0, kRounding);
  EXPECT_NEAR(found.time_b.min, 2.0, kRounding);
  EXPECT_EQ(found.changes[0].largest_difference, 0.0);
  EXPECT_EQ(found.changes[0].peak_a, 100.0);
  const auto later = run("later.h5", grid(20.0, 0.1, 5), stroke([](double) { return 1.0; }));
  EXPECT_EQ(compare_runs(*a, *later, {"stroke"}).compared_rows, 0U);
  const auto empty = run("empty.h5", {}, stroke([](double) { return 1.0; }));
  EXPECT_EQ(compare_runs(*a, *empty, {"stroke"}).compared_rows, 0U);
  EXPECT_EQ(compare_runs(*empty, *a, {"stroke"}).compared_rows, 0U);
}

TEST_F(Comparison, LongRunsAreReadInPieces) {
  // More rows than fit into one piece, in both files, with other times.
  constexpr int kCount = 60'000;
  const auto a = run("a.h5", grid(0.0, 1e-3, kCount), stroke([](double t) { return t; }));
  const auto b = run("b.h5", grid(0.0, 0.7e-3, kCount), stroke([](double t) { return t > 40.0 ? t + 1.0 : t; }));
  const RunComparison found = compare_runs(*a, *b, {"stroke", "arm.rod.position.x"});
  EXPECT_NEAR(found.changes[0].largest_difference, 1.0, 1e-9);
  EXPECT_GT(found.changes[0].at_time, 40.0);
  EXPECT_EQ(found.changes[1].largest_difference, 0.0);
  EXPECT_NEAR(found.common_end, 0.7e-3 * (kCount - 1), 1e-3);
}

TEST_F(Comparison, MissingChannelsAreNamed) {
  results::Selection selection;
  selection.patterns = {"stroke", "crank.position.x"};
  const auto a = run("a.h5", grid(0.0, 0.1, 3), stroke([](double t) { return t; }));
  const auto b = run("b.h5", grid(0.0, 0.1, 3), stroke([](double t) { return t; }), selection);
  const RunComparison found = compare_runs(*a, *b, {"stroke", "motor.torque", "crank.position.x"});
  EXPECT_EQ(found.only_in_a, std::vector<std::string>{"motor.torque"});
  EXPECT_EQ(compare_runs(*b, *a, {"motor.torque"}).only_in_b, std::vector<std::string>{"motor.torque"});
  EXPECT_EQ(found.changes.size(), 2U);
  EXPECT_FALSE(found.is_identical());
}

TEST_F(Comparison, AGapInOneRunIsADifference) {
  const auto a = run("a.h5", grid(0.0, 1.0, 4), stroke([](double t) { return t == 2.0 ? kNan : t; }));
  const auto b = run("b.h5", grid(0.0, 1.0, 4), stroke([](double t) { return t; }));
  const RunComparison found = compare_runs(*a, *b, {"stroke"});
  EXPECT_TRUE(std::isinf(found.changes[0].largest_difference));
  EXPECT_EQ(found.changes[0].at_time, 2.0);
  EXPECT_FALSE(within_tolerance(found.changes, {.relative = 1.0, .absolute = 1e9})[0]);
  const auto c = run("c.h5", grid(0.0, 1.0, 4), stroke([](double t) { return t == 2.0 ? kNan : t; }));
  EXPECT_TRUE(compare_runs(*a, *c, {"stroke"}).is_identical());
}

TEST(WithinTolerance, FromBothSides) {
  ChannelChange change{.name = "x", .unit = "m"};
  change.range = 10.0;
  change.peak_a = 10.0;
  change.largest_difference = 0.01;
  const auto is_within = [&](double relative, double absolute) {
    return static_cast<bool>(within_tolerance({change}, {.relative = relative, .absolute = absolute})[0]);
  };
  EXPECT_TRUE(is_within(1.001e-3, 0.0));
  EXPECT_FALSE(is_within(0.999e-3, 0.0));
  EXPECT_TRUE(is_within(0.0, 0.01001));
  EXPECT_FALSE(is_within(0.0, 0.00999));
}

TEST(WithinTolerance, RoundingBesideOthersOfItsKindIsNoDifference) {
  ChannelChange large{.name = "x", .unit = "m"};
  large.peak_a = large.range = 2.0;
  ChannelChange noise{.name = "z", .unit = "m"};
  noise.largest_difference = noise.range = noise.peak_b = 1e-13;
  EXPECT_TRUE(within_tolerance({large, noise}, {})[1]);
  EXPECT_FALSE(within_tolerance({noise}, {})[0]) << "alone it is all there is";
  noise.unit = "rad";
  EXPECT_FALSE(within_tolerance({large, noise}, {})[1]);
}

}  // namespace
}  // namespace gelenk::exporting::run_comparison_test
