#include "gelenk/export/machine_raster.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gelenk/export/scene_shapes.h"

namespace gelenk::exporting::machine_raster_test {
namespace {

using geometry::PictureView;

constexpr int kWidth = 100, kHeight = 80;
constexpr Color kRed{1.0, 0.0, 0.0}, kBlue{0.0, 0.0, 1.0};

ScenePart cube(const Vector3& size, const Color& color) {
  ScenePart part;
  part.color = color;
  part.shapes.push_back(box({}, size));
  return part;
}

// From the front, 10 px for each meter: x to the right, z up, y away from the eye.
PictureView front() {
  return {geometry::viewing_axes(-Vector3::UnitY(), Vector3::UnitZ()), Vector3::Zero(), 10.0, kWidth, kHeight};
}

Color color_at(const Pixels& pixels, int x, int y) {
  const std::size_t at = 3 * static_cast<std::size_t>(y * pixels.width + x);
  return {pixels.rgb[at] / 255.0, pixels.rgb[at + 1] / 255.0, pixels.rgb[at + 2] / 255.0};
}

bool is_white(const Color& color) { return color == Color{1.0, 1.0, 1.0}; }
bool is_only_red(const Color& color) { return color[0] > 0.3 && color[1] == 0.0 && color[2] == 0.0; }
bool is_only_blue(const Color& color) { return color[2] > 0.3 && color[0] == 0.0 && color[1] == 0.0; }

Pose at(double x, double y, double z) { return {Matrix3::Identity(), {x, y, z}}; }

TEST(MachineRaster, ABoxFromTheFrontIsARectangleOfItsColor) {
  Scene scene;
  scene.parts.push_back(cube({6.0, 2.0, 4.0}, kRed));
  const std::vector<Pose> poses{at(1.0, 0.0, 0.5)};
  const Pixels pixels = draw_machine(scene, poses, front());
  ASSERT_EQ(pixels.rgb.size(), 3U * kWidth * kHeight);
  // x from -2 to 4 m and z from -1.5 to 2.5 m: px 30 to 90 across, 15 to 55 down.
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const bool is_inside = x > 30 && x < 89 && y > 15 && y < 54;
      const bool is_outside = x < 29 || x > 90 || y < 14 || y > 55;
      const Color color = color_at(pixels, x, y);
      ASSERT_TRUE(!is_inside || is_only_red(color)) << x << " " << y;
      ASSERT_TRUE(!is_outside || is_white(color)) << x << " " << y;
    }
  }
}

TEST(MachineRaster, NearPartsCoverFarOnesWhateverTheirOrder) {
  Scene scene;
  scene.parts.push_back(cube({4.0, 1.0, 4.0}, kBlue));
  scene.parts.push_back(cube({2.0, 1.0, 2.0}, kRed));
  const std::vector<Pose> red_in_front{at(0.0, 3.0, 0.0), at(0.0, -3.0, 0.0)};
  const Pixels pixels = draw_machine(scene, red_in_front, front());
  EXPECT_TRUE(is_only_red(color_at(pixels, 50, 40)));
  EXPECT_TRUE(is_only_blue(color_at(pixels, 65, 40)));
  const std::vector<Pose> blue_in_front{at(0.0, -3.0, 0.0), at(0.0, 3.0, 0.0)};
  EXPECT_TRUE(is_only_blue(color_at(draw_machine(scene, blue_in_front, front()), 50, 40)));
}

TEST(MachineRaster, TheGridLiesUnderTheMachine) {
  Scene scene;
  scene.up = Vector3::UnitZ();
  scene.parts.push_back(cube({2.0, 2.0, 2.0}, kRed));
  const std::vector<std::vector<Pose>> poses{{at(0.0, 0.0, 3.0)}, {at(0.0, 0.0, 1.0)}};
  const geometry::Bounds extent = floor_extent(scene, poses);
  EXPECT_DOUBLE_EQ(extent.lower.z(), 0.0);
  EXPECT_DOUBLE_EQ(extent.upper.z(), 4.0);
  // From above, x to the right and y up: lines at 0, 2 and 4 m, and no more beyond.
  const PictureView above{Matrix3::Identity(), Vector3::Zero(), 10.0, kWidth, kHeight};
  const Pixels pixels = draw_machine(scene, poses.front(), above, FloorGrid{extent, 2.0});
  const auto color = [&](double x, double y) {
    return color_at(pixels, kWidth / 2 + static_cast<int>(10.0 * x), kHeight / 2 - static_cast<int>(10.0 * y));
  };
  EXPECT_FALSE(is_white(color(2.0, 1.0)));
  EXPECT_FALSE(is_white(color(1.5, 2.0)));
  EXPECT_TRUE(is_white(color(3.0, 1.0)));
  EXPECT_TRUE(is_only_red(color(0.0, 0.5))) << "in front of the floor";
  EXPECT_TRUE(is_white(color(4.9, 2.0))) << "the grid ends";
  // From the side it is not drawn at all.
  EXPECT_EQ(draw_machine(scene, poses.front(), front(), FloorGrid{extent, 2.0}).rgb,
            draw_machine(scene, poses.front(), front()).rgb);
}

TEST(MachineRaster, WhatFacesTheLightIsBrighter) {
  Scene scene;
  scene.up = Vector3::UnitZ();
  scene.parts.push_back(cube({2.0, 2.0, 2.0}, kRed));
  const std::vector<std::vector<Pose>> poses{{Pose{}}};
  const PictureView view = machine_views(scene, poses, kWidth, kHeight).front();
  const Pixels pixels = draw_machine(scene, poses.front(), view);
  const auto red_of = [&](const Vector3& point_W) {
    const Vector3 point = view(point_W);
    return color_at(pixels, static_cast<int>(point.x()), static_cast<int>(point.y()))[0];
  };
  EXPECT_GT(red_of({0.0, 0.0, 1.0}), red_of({0.0, -1.0, 0.0}) + 0.02) << "top and front";
  EXPECT_GT(red_of({0.0, -1.0, 0.0}), red_of({1.0, 0.0, 0.0}) + 0.02) << "front and right side";
}

TEST(MachineRaster, ViewsHoldTheMachineAndFollowOneThatDrivesAway) {
  Scene scene;
  scene.parts.push_back(cube({2.0, 2.0, 2.0}, kRed));
  scene.ground_shapes.push_back(box({}, {1000.0, 1000.0, 0.1}));  // a road does not make the car small
  const std::vector<std::vector<Pose>> near{{at(0.0, 0.0, 0.0)}, {at(0.5, 0.0, 0.0)}};
  const std::vector<PictureView> same = machine_views(scene, near, kWidth, kHeight);
  EXPECT_EQ(same[0].target, same[1].target);
  for (const double corner : {-1.0, 1.0}) {
    const Vector3 point = same[0](Vector3(corner, corner, corner));
    EXPECT_TRUE(point.x() > 0.0 && point.x() < kWidth && point.y() > 0.0 && point.y() < kHeight);
  }
  EXPECT_GT(same[0].scale, 10.0) << "px/m: the cubes fill the picture";
  const std::vector<std::vector<Pose>> far{{at(0.0, 0.0, 0.0)}, {at(100.0, 0.0, 0.0)}};
  const std::vector<PictureView> followed = machine_views(scene, far, kWidth, kHeight);
  EXPECT_EQ(followed[0].scale, followed[1].scale);
  EXPECT_NEAR((followed[1].target - followed[0].target - Vector3(100.0, 0.0, 0.0)).norm(), 0.0, 1e-9);
}

TEST(MachineRaster, PosesBeyondAllNumbersAreLeftOut) {
  Scene scene;
  scene.parts.push_back(cube({2.0, 2.0, 2.0}, kRed));
  for (const double place : {std::nan(""), 1e300, std::numeric_limits<double>::max()}) {
    const std::vector<std::vector<Pose>> poses{{at(place, -place, 0.0)}, {at(0.0, 0.0, 0.0)}};
    const std::vector<PictureView> views = machine_views(scene, poses, kWidth, kHeight);
    EXPECT_TRUE(is_white(color_at(draw_machine(scene, poses.front(), views.front()), 5, 5))) << place;
  }
}

}  // namespace
}  // namespace gelenk::exporting::machine_raster_test
