#include "gelenk/export/run_away.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "gelenk/export/recorded_run_test_support.h"

namespace gelenk::exporting::run_away_test {
namespace {

using results::BlockId;

// Speed of the slider, which is the third part, at a time; everything else rests.
using Speed = std::function<double(double time)>;

std::optional<RunAway> run_away(const Speed& speed, std::size_t column, results::Verdict verdict,
                                std::vector<results::Certificate::Departure> departures = {}) {
  results::TemporaryFolder folder(std::string("run_away_") +
                                  testing::UnitTest::GetInstance()->current_test_info()->name());
  const auto reader = recorded(folder.file("run.h5"), {0.0, 1.0, 2.0, 3.0}, [&](const results::Row& row, double time) {
    for (const BlockId id : row.blocks()) {
      for (double& value : row[id]) value = 0.0;
    }
    row[BlockId::twist][12 + column] = speed(time);
  });
  results::Certificate certificate;
  certificate.verdict = verdict;
  certificate.departures = std::move(departures);
  certificate.step = 0.01;
  certificate.machine_size = 2.0;  // m: more than 200 m/s are more than the machine in a step
  std::optional<RunAway> found;
  EXPECT_EQ(find_run_away(*reader, certificate, found), "");
  return found;
}

constexpr std::size_t kAlongX = 0, kAboutZ = 5;

TEST(RunAway, BeginsWhereAPartPassesTheMachineInOneStep) {
  const auto found = run_away([](double t) { return 0.1 * std::pow(50.0, t); }, kAlongX, results::Verdict::do_not_use);
  ASSERT_TRUE(found);  // 0.1, 5, 250, 12500 m/s
  EXPECT_EQ(found->row, 2U);
  EXPECT_EQ(found->time, 2.0);
  EXPECT_EQ(found->part, "slider");
}

TEST(RunAway, BeginsWhereAPartTurnsAroundInOneStep) {
  const Speed speed = [](double t) { return 627.0 + 2.0 * t; };  // from 628.3 rad/s on, a turn in a step
  EXPECT_FALSE(run_away(speed, kAboutZ, results::Verdict::do_not_use)) << "it was as fast at the start";
  const auto found = run_away([&](double t) { return t * speed(t); }, kAboutZ, results::Verdict::do_not_use);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->row, 1U);
}

TEST(RunAway, IsNotLookedForInRunsThatAreGood) {
  const Speed speed = [](double t) { return 1e9 * t; };
  EXPECT_FALSE(run_away(speed, kAlongX, results::Verdict::good));
  EXPECT_TRUE(run_away(speed, kAlongX, results::Verdict::look_at));
}

TEST(RunAway, PartsThatFallOffAreOnlyFast) {
  const Speed speed = [](double t) { return 1e9 * t; };
  EXPECT_FALSE(run_away(speed, kAlongX, results::Verdict::look_at, {{"'lid'", 19.6, 0.5}}));
  EXPECT_TRUE(run_away(speed, kAlongX, results::Verdict::look_at, {{"'lid'", 4.9, 0.5}})) << "that far is not why";
}

// A run that chose its steps and failed with them.
std::optional<RunAway> collapse(const Speed& speed, std::size_t column, double smallest_step) {
  results::TemporaryFolder folder(std::string("run_away_") +
                                  testing::UnitTest::GetInstance()->current_test_info()->name());
  const auto reader = recorded(
      folder.file("run.h5"), {0.0, 1.0, 2.0, 2.5},
      [&](const results::Row& row, double time) {
        for (const BlockId id : row.blocks()) {
          for (double& value : row[id]) value = 0.0;
        }
        row[BlockId::twist][12 + column] = speed(time);
      },
      {}, {}, results::RunStatus::failed);
  results::Certificate certificate;
  certificate.verdict = results::Verdict::do_not_use;
  certificate.smallest_step = smallest_step;
  certificate.machine_size = 2.0;
  std::optional<RunAway> found;
  EXPECT_EQ(find_run_away(*reader, certificate, found), "");
  return found;
}

TEST(RunAway, StepsThatCollapsedLeaveALastRowThatMeansNothing) {
  const Speed jump = [](double t) { return t < 2.5 ? 1.0 + t : 1e3; };
  const auto found = collapse(jump, kAlongX, 1e-12);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->row, 3U);
  EXPECT_EQ(found->time, 2.5);
  EXPECT_TRUE(collapse(jump, kAboutZ, 1e-12));
  EXPECT_FALSE(collapse(jump, kAlongX, 1e-3)) << "the steps did not collapse";
  EXPECT_FALSE(collapse([](double t) { return 10.0 * t; }, kAlongX, 1e-12)) << "the steps followed it";
}

TEST(RunAway, WhatIsNotANumberIsTooFast) {
  const auto found =
      run_away([](double t) { return t > 2.5 ? std::nan("") : 1.0; }, kAlongX, results::Verdict::do_not_use);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->row, 3U);
}

}  // namespace
}  // namespace gelenk::exporting::run_away_test
