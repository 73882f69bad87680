#include "gelenk/export/scene_motion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gelenk/export/recorded_run_test_support.h"

namespace gelenk::exporting::scene_motion_test {
namespace {

using results::BlockId;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kClose = 1e-12;
const std::vector<std::string> kParts{"crank", "arm.rod", "slider"};

// The crank turns about z at `rate`, the rod moves along x at 1 m/s, the slider stands.
FillRow turning(double rate) {
  return [rate](const results::Row& row, double time) {
    const std::span<double> pose = row[BlockId::pose];
    std::fill(pose.begin(), pose.end(), 0.0);
    pose[3] = std::cos(0.5 * rate * time);
    pose[6] = std::sin(0.5 * rate * time);
    pose[7] = time;
    pose[10] = 1.0;
    pose[17] = 1.0;
  };
}

class Motion : public testing::Test {
 protected:
  Motion() : folder_(std::string("motion_") + testing::UnitTest::GetInstance()->current_test_info()->name()) {}

  void record(double step, std::size_t rows, double rate, const results::Selection& selection = {}) {
    std::vector<double> times;
    for (std::size_t i = 0; i < rows; ++i) times.push_back(step * static_cast<double>(i));
    reader_ = recorded(folder_.file("run.h5"), times, turning(rate), {}, selection);
  }
  SceneMotion motion(std::optional<double> frames_per_second = {}) const {
    SceneMotion result;
    EXPECT_EQ(RecordedPoses(*reader_, kParts, {}).read_motion(frames_per_second, result), "");
    return result;
  }

  results::TemporaryFolder folder_;
  std::unique_ptr<results::Reader> reader_;
};

TEST_F(Motion, RowsAreThinnedToSixtyASecond) {
  record(1e-3, 1001, 1.0);
  const SceneMotion all = motion();
  EXPECT_LE(all.times.size(), 61U);
  EXPECT_GE(all.times.size(), 50U);
  EXPECT_EQ(all.times.front(), 0.0);
  EXPECT_EQ(all.times.back(), 1.0) << "the last row is always there";
  for (std::size_t i = 1; i + 1 < all.times.size(); ++i) EXPECT_GE(all.times[i] - all.times[i - 1], 1.0 / 60.0 - 1e-9);
  EXPECT_EQ(all.pose(3, 1)[0], all.times[3]);
  EXPECT_EQ(all.pose(3, 2)[3], 1.0);
}

TEST_F(Motion, AFastWheelKeepsItsRows) {
  record(1e-3, 201, 500.0);  // half a radian in a row
  const SceneMotion all = motion();
  for (std::size_t i = 1; i < all.times.size(); ++i) {
    EXPECT_LE(500.0 * (all.times[i] - all.times[i - 1]), 1.6) << "no more than a quarter turn";
  }
}

TEST_F(Motion, FramesASecondAreOnTheWayBetweenRows) {
  record(0.1, 11, 2.0);
  const SceneMotion film = motion(25.0);
  ASSERT_EQ(film.times.size(), 26U);
  for (std::size_t i = 0; i < film.times.size(); ++i) {
    EXPECT_NEAR(film.times[i], static_cast<double>(i) / 25.0, kClose);
    EXPECT_NEAR(film.pose(i, 1)[0], film.times[i], kClose);
    EXPECT_NEAR(film.pose(i, 0)[6], std::sin(film.times[i]), kClose) << "rotations at an even rate";
  }
  EXPECT_EQ(motion(0.4).times.back(), 1.0) << "the end is there, though it is between two pictures";
}

TEST_F(Motion, OnePoseBetweenRows) {
  record(0.1, 11, 2.0);
  const RecordedPoses poses(*reader_, kParts, {});
  std::vector<Pose> at;
  ASSERT_EQ(poses.read_pose(0.73, at), "");
  EXPECT_NEAR(at[1].position.x(), 0.73, kClose);
  EXPECT_NEAR(at[0].rotation(1, 0), std::sin(2.0 * 0.73), kClose);
  ASSERT_EQ(poses.read_pose(1.0, at), "");
  EXPECT_NEAR(at[1].position.x(), 1.0, kClose);
  EXPECT_THAT(poses.read_pose(1.5, at), HasSubstr("from 0 s to 1 s"));
  EXPECT_THAT(poses.read_pose(-0.1, at), HasSubstr("not in the run"));
}

TEST_F(Motion, WhatWasNotRecordedStands) {
  results::Selection selection;
  selection.patterns = {"arm.rod.*"};
  record(0.1, 3, 1.0, selection);
  const Pose up{Matrix3::Identity(), {0, 0, 5}};
  const RecordedPoses poses(*reader_, kParts, {up, up, up});
  EXPECT_THAT(poses.missing(), ElementsAre(0, 2));
  SceneMotion all;
  ASSERT_EQ(poses.read_motion({}, all), "");
  EXPECT_EQ(all.pose(2, 0)[2], 5.0);
  EXPECT_EQ(all.pose(2, 0)[3], 1.0);
}

}  // namespace
}  // namespace gelenk::exporting::scene_motion_test
