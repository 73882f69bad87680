#include "gelenk/export/text_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gelenk/base/text.h"

namespace gelenk::exporting::text_plot_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// Characters on a terminal: bytes that do not continue a character of UTF-8.
std::size_t columns_of(const std::string& line) {
  std::size_t count = 0;
  for (const char c : line) count += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u ? 1 : 0;
  return count;
}

Curve ramp(double from, double to) {
  Curve curve{"ramp", "mm", {}, {}};
  for (int i = 0; i <= 100; ++i) {
    curve.times.push_back(0.01 * i);
    curve.values.push_back(from + (to - from) * 0.01 * i);
  }
  return curve;
}

TEST(TextPlot, ARampRunsFromCornerToCorner) {
  const std::vector<std::string> lines = split(text_plot(ramp(-5.0, 5.0), {.width = 40, .height = 5}), '\n');
  ASSERT_EQ(lines.size(), 1U + 5 + 2 + 1);
  EXPECT_EQ(lines[0], "ramp [mm]");
  EXPECT_THAT(lines[1], StartsWith("   5 ┤"));
  EXPECT_THAT(lines[3], StartsWith("   0 ┤"));
  EXPECT_THAT(lines[5], StartsWith("  -5 ┤"));
  // The top line has something at its right end only, the bottom line at its left end only.
  EXPECT_EQ(columns_of(lines[1]), columns_of(lines[6]));
  EXPECT_LT(columns_of(lines[5]), columns_of(lines[6]) / 2);
  EXPECT_THAT(lines[6], HasSubstr("└─"));
  EXPECT_THAT(lines[7], EndsWith("1 s"));
}

TEST(TextPlot, NoLineIsWiderThanAsked) {
  for (const int width : {40, 80, 121}) {
    const std::string text = text_plot(ramp(-1e-7, 12345.678), {.width = width, .height = 9});
    for (const std::string& line : split(text, '\n')) {
      EXPECT_LE(columns_of(line), static_cast<std::size_t>(width)) << line;
    }
  }
}

TEST(TextPlot, NumbersAtTheAxisDiffer) {
  const std::string text = text_plot(ramp(1000.0001, 1000.0002), {.width = 60, .height = 5});
  EXPECT_THAT(text, HasSubstr("1000.0002"));
  EXPECT_THAT(text, HasSubstr("1000.0001"));
}

TEST(TextPlot, ConstantsAndGapsAndNothing) {
  EXPECT_THAT(text_plot(ramp(2.0, 2.0), {}), HasSubstr("2.1 ┤"));
  EXPECT_THAT(text_plot(ramp(0.0, 0.0), {}), HasSubstr("1 ┤"));
  Curve gaps = ramp(0.0, 1.0);
  gaps.values[50] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(text_plot(gaps, {}), HasSubstr("1 ┤"));
  EXPECT_THAT(text_plot(Curve{"a", "m", {}, {}}, {}), HasSubstr("nothing to draw"));
  EXPECT_THAT(text_plot(Curve{"a", "m", {0.0}, {3.0}}, {.height = 9}), HasSubstr("3 ┤"));
}

}  // namespace
}  // namespace gelenk::exporting::text_plot_test
