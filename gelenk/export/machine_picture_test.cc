#include "gelenk/export/machine_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gelenk::exporting::machine_picture_test {
namespace {

using testing::HasSubstr;
using testing::Not;

// One pixel for a meter, x to the right and y up; nothing but the arrow is in it.
std::string picture(const Vector3& point, const Vector3& direction) {
  const geometry::PictureView view{Matrix3::Identity(), Vector3::Zero(), 1.0, 720.0, 480.0};
  MachinePictureOptions options;
  options.load = LoadMark{point, direction};
  return machine_picture(Scene{}, {}, view, options);
}

TEST(MachinePicture, AnArrowPointsAwayFromWhereTheLoadActs) {
  const std::string text = picture(Vector3::Zero(), Vector3::UnitX());
  EXPECT_THAT(text, HasSubstr("M360.0,240.0 L436.0,240.0"));  // the tip has 14 of the 90 pixels
}

TEST(MachinePicture, AnArrowStaysInThePicture) {
  const std::string text = picture({0.0, 230.0, 0.0}, Vector3::UnitY());  // 10 pixels below the upper edge
  EXPECT_THAT(text, Not(HasSubstr(",-")));
  EXPECT_THAT(text, HasSubstr("M360.0,100.0 L360.0,31.0"));  // up, onto the ring of 7 pixels around the place
}

}  // namespace
}  // namespace gelenk::exporting::machine_picture_test
