#include "gelenk/export/run_digest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gelenk/export/recorded_run_test_support.h"
#include "gelenk/results/choose.h"

namespace gelenk::exporting::run_digest_test {
namespace {

using results::BlockId;

constexpr double kPi = std::numbers::pi;
constexpr double kRounding = 1e-12;
// Rows are at most 4π/4000 apart: what a peak between two of them loses, and the error of the trapezoidal rule, are of
// the order of the square of that, 1e-5.
constexpr double kSampling = 2e-5;
constexpr double kRowSpacing = 3.2e-3;  // largest, s
constexpr int kRows = 4000;

// One period; rows crowd at its beginning, so that a mean over rows would be something else.
std::vector<double> crowded_times() {
  std::vector<double> times;
  for (int i = 0; i <= kRows; ++i) times.push_back(2.0 * kPi * i * i / (1.0 * kRows * kRows));
  return times;
}

void set(std::span<double> row, std::size_t column, std::initializer_list<double> values) {
  if (row.empty()) return;  // a block that nobody wants
  for (const double value : values) row[column++] = value;
}

// crank turns about z and stays, arm.rod rests, slider slides; see small_machine() for the order of elements.
void fill_motion(const results::Row& row, double t) {
  for (const BlockId id : row.blocks()) {
    for (double& value : row[id]) value = 0.0;
  }
  set(row[BlockId::pose], 0, {1, 1, 1, std::cos(t / 2), 0, 0, std::sin(t / 2)});
  set(row[BlockId::pose], 7, {4, 5, 6, 1, 0, 0, 0});
  set(row[BlockId::pose], 14, {2 + 0.1 * std::sin(t), -3, 0, 1, 0, 0, 0});
  set(row[BlockId::twist], 0, {0, 0, 0, 0, 0, 1});
  set(row[BlockId::twist], 12, {0.1 * std::cos(t), 0, 0, 0, 0, 0});
  const double turn = 0.4 * std::sin(t);
  set(row[BlockId::coordinate], 0, {3 * t - 1, std::cos(turn / 2), std::sin(turn / 2), 0, 0, 0.2 * std::cos(t)});
  set(row[BlockId::rate], 0, {3, 0.4 * std::cos(t), 0, 0, -0.2 * std::sin(t)});
  set(row[BlockId::reaction], 0, {0, -60 * std::sin(t), 80 * std::sin(t), 0, 0, 1e-12});
  set(row[BlockId::reaction], 6, {7, 0, 0, 0, 2, 0});
  set(row[BlockId::effort], 0, {5 * std::sin(t), 15 * std::sin(t), 1, 2});
  set(row[BlockId::force], 0, {0.5, 0, 30, 0, 3, 4, 0, 0, 0, -8 * std::cos(t), 1});
  set(row[BlockId::output], 0, {0.1 * std::sin(t)});
  set(row[BlockId::energy], 0, {1, 2, 3});
}

constexpr const char* kModel = R"yaml(gelenk: 1
parts:
  crank: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
  slider: {shape: {mesh: {file: nowhere.stl}}}
joints:
  bearing: {type: revolute, between: [ground, crank], axis: z}
  rail: {type: prismatic, between: [crank, slider], axis: x}
drivers:
  motor: {drives: bearing.angle, rate: 3 rad/s}
)yaml";

class Digest : public testing::Test {
 protected:
  Digest() : folder_(std::string("digest_") + testing::UnitTest::GetInstance()->current_test_info()->name()) {}

  RunDigest digest(const FillRow& fill, const std::vector<double>& times, const results::Selection& selection = {}) {
    results::RunInfo info;
    info.resolved_model = kModel;
    reader_ = recorded(folder_.file("run.h5"), times, fill, info, selection);
    RunDigest result;
    EXPECT_EQ(digest_run(*reader_, result), "");
    return result;
  }

  results::TemporaryFolder folder_;
  std::unique_ptr<results::Reader> reader_;
};

TEST_F(Digest, WhatMovesAndHowFar) {
  const RunDigest found = digest(fill_motion, crowded_times());
  ASSERT_EQ(found.parts.size(), 3U);
  const PartMotion& crank = found.parts[0];
  EXPECT_EQ(crank.path, "crank");
  EXPECT_TRUE(crank.is_moving) << "it turns, although its origin stays";
  EXPECT_EQ(crank.distance.max.value, 0.0);
  EXPECT_NEAR(crank.turn.max.value, kPi, kRowSpacing) << "a corner, not a smooth peak";
  EXPECT_NEAR(crank.turn.max.time, kPi, kRowSpacing);
  EXPECT_NEAR(crank.turn.end, 0.0, kRounding) << "q and -q are the same orientation";
  EXPECT_EQ(crank.angular_speed.max.value, 1.0);
  EXPECT_FALSE(found.parts[1].is_moving);
  const PartMotion& slider = found.parts[2];
  EXPECT_TRUE(slider.is_moving);
  EXPECT_NEAR(slider.distance.max.value, 0.1, kSampling);
  EXPECT_NEAR(slider.extent[0].min, 1.9, kSampling);
  EXPECT_NEAR(slider.extent[0].max, 2.1, kSampling);
  EXPECT_EQ(slider.extent[1].min, -3.0);
  EXPECT_EQ(slider.speed.max.value, 0.1);
  EXPECT_EQ(slider.speed.max.time, 0.0);
}

TEST_F(Digest, JointCoordinates) {
  const RunDigest found = digest(fill_motion, crowded_times());
  ASSERT_EQ(found.coordinates.size(), 3U);
  const CoordinateMotion& angle = found.coordinates[0];
  EXPECT_EQ(angle.name, "bearing.angle");
  EXPECT_EQ(angle.value.summary.min.value, -1.0);
  EXPECT_NEAR(angle.value.summary.range(), 6.0 * kPi, kRounding * 100);
  EXPECT_EQ(angle.rate.name, "bearing.rate");
  EXPECT_EQ(angle.rate.summary.peak.value, 3.0);
  const CoordinateMotion& ball = found.coordinates[1];
  EXPECT_EQ(ball.name, "ball.orientation");
  EXPECT_TRUE(ball.is_orientation);
  EXPECT_NEAR(ball.value.summary.max.value, 0.4, kSampling);
  EXPECT_NEAR(ball.rate.summary.max.value, 0.4, kRounding);
  const CoordinateMotion& travel = found.coordinates[2];
  EXPECT_EQ(travel.name, "rail.travel");
  EXPECT_NEAR(travel.value.summary.range(), 0.4, kSampling);
  EXPECT_NEAR(travel.rate.summary.peak.value, -0.2, kSampling) << "the first of two equal peaks";
  EXPECT_EQ(travel.rate.quantity, Quantity::speed);
}

TEST_F(Digest, EffortsAreOverTime) {
  const RunDigest found = digest(fill_motion, crowded_times());
  ASSERT_EQ(found.efforts.size(), 3U);
  const EffortDigest& motor = found.efforts[0];
  EXPECT_EQ(motor.path, "motor");
  EXPECT_EQ(motor.drives, "bearing.angle");
  EXPECT_FALSE(motor.is_actuator);
  EXPECT_EQ(motor.effort.quantity, Quantity::torque);
  // ∫ sin² dt over a period is half of it.
  EXPECT_NEAR(motor.effort.summary.rms, 5.0 / std::numbers::sqrt2, kSampling);
  EXPECT_NEAR(motor.effort.summary.peak.value, 5.0, kSampling);
  EXPECT_NEAR(motor.effort.summary.peak.time, kPi / 2.0, kRowSpacing);
  EXPECT_NEAR(motor.power.summary.mean, 0.0, kSampling);
  EXPECT_EQ(found.efforts[1].effort.quantity, Quantity::force);
  EXPECT_EQ(found.efforts[1].power.summary.mean, 2.0);
  EXPECT_EQ(found.efforts[2].path, "servo");
  EXPECT_TRUE(found.efforts[2].is_actuator);
  EXPECT_EQ(found.efforts[2].effort.summary.peak.value, -8.0);
}

TEST_F(Digest, LoadsHaveTimeDirectionAndPart) {
  const RunDigest found = digest(fill_motion, crowded_times());
  ASSERT_EQ(found.loads.size(), 4U);
  const JointLoad& bearing = found.loads[0];
  EXPECT_EQ(bearing.names.second, "crank");
  EXPECT_EQ(bearing.names.first, "ground");
  EXPECT_EQ(bearing.names.type, "revolute");
  EXPECT_NEAR(bearing.force.magnitude.peak.value, 100.0, 100 * kSampling);
  EXPECT_NEAR(bearing.force.magnitude.peak.time, kPi / 2.0, kRowSpacing);
  EXPECT_NEAR(bearing.force.magnitude.rms, 100.0 / std::numbers::sqrt2, 100 * kSampling);
  EXPECT_NEAR(bearing.force.direction[1], -0.6, kRounding);
  EXPECT_NEAR(bearing.force.direction[2], 0.8, kRounding);
  EXPECT_TRUE(bearing.moment.is_rounding);
  EXPECT_FALSE(found.loads[1].moment.is_rounding);
  EXPECT_EQ(found.loads[1].names.second, "") << "the model does not know this joint";
  EXPECT_EQ(found.loads[2].names.second, "slider") << "its mesh is not there, the joint is";
}

TEST_F(Digest, ForcesOutputsEnergiesAndCharts) {
  const RunDigest found = digest(fill_motion, crowded_times());
  std::vector<std::string> names;
  for (const ChannelDigest& force : found.forces) names.push_back(force.name);
  EXPECT_EQ(names, (std::vector<std::string>{"spring.length", "spring.speed", "spring.force", "mount.force.magnitude",
                                             "mount.moment.magnitude"}));
  EXPECT_EQ(found.forces[3].summary.max.value, 5.0);
  ASSERT_EQ(found.outputs.size(), 1U);
  EXPECT_NEAR(found.outputs[0].summary.rms, 0.1 / std::numbers::sqrt2, kSampling);
  ASSERT_GE(found.energies.size(), 3U);
  EXPECT_EQ(found.energies[2].summary.end, 3.0);
  ASSERT_EQ(found.charts.size(), 4U);
  EXPECT_EQ(found.charts[0].curve.name, "stroke");
  EXPECT_EQ(found.charts[1].curve.name, "motor.torque");
  EXPECT_LE(found.charts[0].curve.values.size(), 600U);
  EXPECT_EQ(limits_of(found.charts[0].curve.values).max, found.outputs[0].summary.max.value) << "peaks survive";
}

TEST_F(Digest, AnOutputThatIsADriversTorqueIsDrawnOnce) {
  const RunDigest found = digest(
      [](const results::Row& row, double t) {
        fill_motion(row, t);
        row[BlockId::output][0] = row[BlockId::effort][2];
      },
      crowded_times());
  EXPECT_EQ(found.charts.size(), 4U) << "a length and a force are not the same, even with the same numbers";
}

TEST_F(Digest, WhatWasNotRecordedIsEmpty) {
  results::Selection selection;
  selection.patterns = {"slider.velocity.*", "rail.speed", "motor.*"};
  const RunDigest found = digest(fill_motion, crowded_times(), selection);
  ASSERT_EQ(found.parts.size(), 1U);
  EXPECT_TRUE(found.parts[0].distance.is_empty());
  EXPECT_TRUE(found.parts[0].is_moving);
  EXPECT_TRUE(found.parts[0].extent[0].is_empty);
  ASSERT_EQ(found.coordinates.size(), 1U);
  EXPECT_EQ(found.coordinates[0].name, "rail.travel");
  EXPECT_TRUE(found.coordinates[0].value.summary.is_empty());
  EXPECT_NEAR(found.coordinates[0].rate.summary.peak.value, -0.2, kSampling);
  EXPECT_TRUE(found.loads.empty());
  EXPECT_EQ(found.names.joints.size(), 2U);
  EXPECT_EQ(found.efforts.size(), 1U);
}

TEST_F(Digest, RowsThatWereNotFilledAreGaps) {
  const RunDigest found = digest([](const results::Row&, double) {}, {0.0, 1.0});
  EXPECT_TRUE(found.outputs[0].summary.is_empty());
  EXPECT_EQ(found.outputs[0].summary.gaps, 2U);
  EXPECT_TRUE(found.loads[0].force.magnitude.is_empty());
  EXPECT_TRUE(found.charts.empty());
}

TEST_F(Digest, ARunWithoutRows) {
  const RunDigest found = digest(fill_motion, {});
  EXPECT_EQ(found.row_count, 0U);
  EXPECT_TRUE(found.outputs[0].summary.is_empty());
  EXPECT_FALSE(found.parts[0].is_moving);
}

}  // namespace
}  // namespace gelenk::exporting::run_digest_test
