#include "gelenk/analysis/rank_change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gelenk/analysis/certify.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/mechanics/joint_layout.h"
#include "tests/support/run_text.h"

// Rows that become dependent and independent again, by the names of their joints.
namespace gelenk::rank_change_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A parallelogram, drawn upright and driven evenly by a quarter of a turn per second. It lies flat after one second,
// where the two rows that close its plane say the same.
const std::string kParallelogram = R"yaml(
gravity: none
parts:
  left: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {top: [0, 1, 0]}}
  right: {at: [1, 0, 0], mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {top: [0, 1, 0]}}
  beam: {at: [0, 1, 0], mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {end: [1, 0, 0]}}
ground: {frames: {foot: [1, 0, 0]}}
joints:
  left_foot: {type: revolute, between: [ground, left], axis: z}
  left_top: {type: revolute, between: [left.top, beam], axis: z}
  right_top: {type: revolute, between: [right.top, beam.end], axis: z}
  right_foot: {type: revolute, between: [ground.foot, right], axis: z}
drivers:
  motor: {drives: left_foot.angle, position: "=-90 deg * time / (1 s)"}
)yaml";

solve::PivotSet pivots_without(std::vector<std::int32_t> dropped, std::size_t rows) {
  solve::PivotSet pivots;
  pivots.rank = static_cast<std::int32_t>(rows - dropped.size());
  pivots.dropped = std::move(dropped);
  return pivots;
}

class RankChangeTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(model_.is_ready()) << model_.messages();
    layout_ = mechanics::make_joint_row_layout(*model_.system);
  }
  const system::System& system() const { return *model_.system; }
  std::int32_t row_of(const std::string& joint, std::int32_t which) const {
    return system().joints[test::index_of_path(system().joints, joint)].first_row + which;
  }
  auto change(const solve::PivotSet& before, const solve::PivotSet& after) const {
    return analysis::find_rank_change(system(), layout_, 0.5, before, after);
  }

  test::Assembled model_ = test::assemble_text(kParallelogram);
  JointRowLayout layout_;
};

TEST_F(RankChangeTest, NamesWhoLosesAndWhoRegains) {
  const std::size_t rows = system().rows.size();
  const solve::PivotSet before = pivots_without({row_of("left_top", 2)}, rows);
  const solve::PivotSet after = pivots_without({row_of("right_top", 1), row_of("right_foot", 2)}, rows);
  const auto found = change(before, after);
  ASSERT_TRUE(found);
  EXPECT_THAT(analysis::element_paths(system(), found->lost), ElementsAre("right_top", "right_foot"));
  EXPECT_THAT(analysis::element_paths(system(), found->regained), ElementsAre("left_top"));
  EXPECT_EQ(analysis::rank_change_text(system(), *found),
            "rows of 'right_top', 'right_foot' are no longer independent; rows of 'left_top' are independent again (20 "
            "independent rows, now 19)");
}

TEST_F(RankChangeTest, AnExchangeOfRowsIsNone) {
  const std::size_t rows = system().rows.size();
  EXPECT_FALSE(change(pivots_without({row_of("left_top", 2)}, rows), pivots_without({row_of("left_top", 1)}, rows)));
  EXPECT_FALSE(change({}, pivots_without({3}, rows))) << "nobody had chosen rows before";
}

TEST_F(RankChangeTest, DriversHaveRowsToo) {
  const std::size_t rows = system().rows.size();
  const auto found = change(pivots_without({}, rows), pivots_without({static_cast<std::int32_t>(rows) - 1}, rows));
  ASSERT_TRUE(found);
  EXPECT_THAT(analysis::element_paths(system(), found->lost), ElementsAre("motor"));
}

TEST_F(RankChangeTest, AJointInItsOwnSingularPose) {
  const std::size_t rows = system().rows.size();
  solve::PivotSet before = pivots_without({}, rows);
  solve::PivotSet after = before;
  before.freed = {0};
  after.freed = {0, 2};
  const auto found = change(before, after);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_rank_change());
  const std::string name = system().joints[2].path;
  EXPECT_EQ(analysis::rank_change_text(system(), *found),
            "joint '" + name + "' is near its own singular pose (gimbal lock): its rows are solved with the loop");
}

TEST_F(RankChangeTest, ThroughTheFlatPoseAndOut) {
  analysis::RunOptions options;
  options.method = integrate::Method::rk4;
  options.step = 0.01;  // a step ends on the flat pose
  options.duration = 1.5;
  options.output_every = 0.5;
  const analysis::RunResult result =
      analysis::simulate(system(), model_.params, *model_.assembly, options, nullptr, {});
  EXPECT_EQ(result.status, results::RunStatus::done);
  const std::vector<analysis::RankChange>& history = result.statistics.rank_history;
  ASSERT_EQ(history.size(), 2u);
  EXPECT_NEAR(history[0].time, 1.0, 1e-9);
  EXPECT_NEAR(history[1].time, 1.01, 1e-9);
  EXPECT_EQ(history[0].before - history[0].after, 1);
  EXPECT_EQ(history[1].after, history[0].before);
  EXPECT_FALSE(history[0].lost.empty());
  EXPECT_EQ(history[1].regained, history[0].lost);
  ASSERT_EQ(result.events.size(), 2u);
  EXPECT_EQ(result.events[0].element, analysis::element_path(system(), history[0].lost.front()));
  EXPECT_THAT(result.events[0].text, HasSubstr("no longer independent"));
  EXPECT_THAT(result.events[1].text, HasSubstr("independent again"));

  const results::Certificate certificate =
      analysis::certify({model_.machine(), system(), model_.params, *model_.assembly, options, result, "", "", "", ""});
  ASSERT_EQ(certificate.rank_changes.size(), 2u);
  EXPECT_EQ(certificate.rank_changes[0].lost, analysis::element_paths(system(), history[0].lost));
  EXPECT_THAT(certificate.rank_changes[0].locked, IsEmpty());
}

}  // namespace
}  // namespace gelenk::rank_change_test
