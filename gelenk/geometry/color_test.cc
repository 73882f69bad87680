#include "gelenk/geometry/color.h"

#include <gmock/gmock.h>

namespace gelenk::geometry::color_test {
namespace {

using testing::Optional;

TEST(ColorText, TwoDigitsForEachComponent) {
  EXPECT_THAT(color_from_text("#336699"), Optional(Color{0.2, 0.4, 0.6}));
  EXPECT_THAT(color_from_text("#FF00ff"), Optional(Color{1.0, 0.0, 1.0}));
}

TEST(ColorText, AnythingElseIsNotAColor) {
  for (const char* text : {"", "#", "336699", "#33669", "#3366990", "#33669g", "red", "#-12345"}) {
    EXPECT_EQ(color_from_text(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace gelenk::geometry::color_test
