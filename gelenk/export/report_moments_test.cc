#include "gelenk/export/report_moments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gelenk/export/machine_picture.h"
#include "gelenk/export/machine_raster.h"
#include "gelenk/export/recorded_run_test_support.h"
#include "gelenk/export/scene_shapes.h"

namespace gelenk::exporting::report_moments_test {
namespace {

using testing::HasSubstr;

Summary peak_of(double value, double time) {
  Summary summary;
  summary.count = 2;
  summary.max = summary.peak = {value, time};
  return summary;
}

class Moments : public testing::Test {
 protected:
  Moments() : folder_(std::string("moments_") + testing::UnitTest::GetInstance()->current_test_info()->name()) {
    reader_ = recorded(folder_.file("run.h5"), {0.0, 1.0}, [](const results::Row&, double) {});
    digest_.row_count = 2;
    digest_.end_time = 1.0;
  }

  std::vector<ReportMoment> moments() const { return report_moments(digest_, ReportWords(*reader_, true)); }

  results::TemporaryFolder folder_;
  std::unique_ptr<results::Reader> reader_;
  RunDigest digest_;
};

TEST_F(Moments, TheWorstIsTheLargestForceThenTheLargestEffortThenTheFastestPart) {
  EXPECT_EQ(moments().size(), 1U) << "nothing happens";
  digest_.parts.emplace_back().path = "arm";
  digest_.parts.back().speed = peak_of(3.0, 0.25);
  EXPECT_EQ(moments().at(1).time, 0.25);
  EXPECT_THAT(moments().at(1).caption, HasSubstr("arm is fastest, 3 m/s"));
  digest_.efforts.emplace_back().path = "motor";
  digest_.efforts.back().effort = {"motor.torque", "N*m", Quantity::torque, peak_of(20.0, 0.5)};
  EXPECT_THAT(moments().at(1).caption, HasSubstr("motor has its largest effort, 20 N·m"));
  for (const double force : {10.0, 900.0, 40.0}) {
    digest_.loads.emplace_back().path = "joint" + std::to_string(digest_.loads.size());
    digest_.loads.back().force.magnitude = peak_of(force, 0.001 * force);
  }
  EXPECT_EQ(moments().at(1).time, 0.9);
  EXPECT_EQ(moments().at(1).load, 1U);
  EXPECT_THAT(moments().at(1).caption, HasSubstr("At 0.9 s: the largest force on a joint, 900 N in joint1"));
  digest_.loads[1].force.is_rounding = true;
  EXPECT_EQ(moments().at(1).load, 2U);
}

TEST_F(Moments, OneMomentIsShownOnce) {
  digest_.parts.emplace_back().speed = peak_of(3.0, 0.0);
  ASSERT_EQ(moments().size(), 1U);
  EXPECT_EQ(moments().front().name, "worst");
  digest_.row_count = 0;
  EXPECT_TRUE(moments().empty());
}

TEST(MachinePicture, HasAxesARulerAndTheLoad) {
  Scene scene;
  scene.parts.emplace_back().shapes.push_back(box({}, {2.0, 2.0, 2.0}));
  const std::vector<std::vector<Pose>> poses{{Pose{}}};
  const geometry::PictureView view = machine_views(scene, poses, kMachinePictureWidth, kMachinePictureHeight).front();
  MachinePictureOptions options{"a <cube>", {"mm", 1e-3, 0.0}, {}};
  const std::string plain = machine_picture(scene, poses.front(), view, options);
  EXPECT_THAT(plain, testing::StartsWith(std::string(kMachinePictureMark)));
  EXPECT_THAT(plain, HasSubstr("<title>a &lt;cube&gt;</title>"));
  EXPECT_THAT(plain, HasSubstr("data:image/png;base64,iVBOR"));
  EXPECT_THAT(plain, HasSubstr(">1000 mm</text>")) << "of 5 m across, at most a fifth";
  for (const char* axis : {">x</text>", ">y</text>", ">z</text>"}) EXPECT_THAT(plain, HasSubstr(axis));
  EXPECT_EQ(plain, machine_picture(scene, poses.front(), view, options)) << "bit for bit";
  EXPECT_THAT(plain, testing::Not(HasSubstr("<circle")));
  options.load = LoadMark{view.target, view.axes.row(0).transpose()};
  // From the middle of the picture, 90 px to the right.
  EXPECT_THAT(machine_picture(scene, poses.front(), view, options), HasSubstr("M450.0,240.0"));
}

}  // namespace
}  // namespace gelenk::exporting::report_moments_test
