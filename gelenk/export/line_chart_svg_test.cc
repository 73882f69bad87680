#include "gelenk/export/line_chart_svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gelenk/base/text.h"

namespace gelenk::exporting::line_chart_svg_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> labels(double min, double max, int most) {
  std::vector<std::string> texts;
  const Ticks ticks = nice_ticks({min, max, false}, most);
  for (const double tick : ticks.values) texts.push_back(tick_text(tick, ticks.step));
  return texts;
}

TEST(NiceTicks, AreMultiplesOfOneTwoOrFive) {
  EXPECT_THAT(labels(0.0, 1.0, 5), ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels(-57.0, 130.0, 5), ElementsAre("-50", "0", "50", "100"));
  EXPECT_THAT(labels(0.0, 0.3, 3), ElementsAre("0.0", "0.1", "0.2", "0.3"));
  EXPECT_THAT(labels(1999.5, 2000.5, 4), ElementsAre("1999.5", "2000.0", "2000.5"));
  EXPECT_THAT(labels(0.0009, 0.0011, 5), ElementsAre("0.0009", "0.00095", "0.001", "0.00105", "0.0011"));
  EXPECT_THAT(labels(0.0, 3e7, 3), ElementsAre("0", "1e+07", "2e+07", "3e+07"));
  EXPECT_THAT(labels(-2e-9, 2e-9, 4), ElementsAre("-2e-09", "-1e-09", "0", "1e-09", "2e-09"));
}

TEST(NiceTicks, OfEveryRangeAreFewAndInside) {
  for (double range = 1e-12; range < 1e12; range *= 1.37) {
    const Limits limits{-0.3 * range, 0.7 * range, false};
    const Ticks ticks = nice_ticks(limits, 5);
    ASSERT_GE(ticks.values.size(), 2U) << range;
    ASSERT_LE(ticks.values.size(), 6U) << range;
    ASSERT_GE(ticks.values.front(), limits.min - 1e-6 * range);
    ASSERT_LE(ticks.values.back(), limits.max + 1e-6 * range);
  }
  EXPECT_TRUE(nice_ticks({1.0, 1.0, false}, 5).values.empty());
  EXPECT_TRUE(nice_ticks({-1e308, 1e308, false}, 5).values.empty());
}

// All "x,y" pairs of the picture's lines.
std::vector<std::pair<double, double>> points_of(const std::string& svg) {
  std::vector<std::pair<double, double>> points;
  constexpr std::string_view kBegin = "points=\"";
  for (std::size_t at = svg.find(kBegin); at != std::string::npos; at = svg.find(kBegin, at + 1)) {
    const std::size_t begin = at + kBegin.size();
    for (const std::string& pair : split(svg.substr(begin, svg.find('"', begin) - begin), ' ')) {
      const std::vector<std::string> numbers = split(pair, ',');
      points.emplace_back(parse_number(numbers.at(0)).value(), parse_number(numbers.at(1)).value());
    }
  }
  return points;
}

TEST(LineChartSvg, HigherValuesStandHigherAndLaterOnesToTheRight) {
  const Curve curve{"a", "mm", {0.0, 1.0, 2.0, 3.0}, {0.0, 10.0, -10.0, 5.0}};
  const auto points = points_of(line_chart_svg(curve, {.width = 400, .height = 200}));
  ASSERT_EQ(points.size(), 4U);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_LT(points[i - 1].first, points[i].first);
    EXPECT_EQ(points[i - 1].second > points[i].second, curve.values[i - 1] < curve.values[i]);
  }
  // Equal steps of value are equal steps in the picture, to the one decimal that is written.
  constexpr double kDecimal = 0.2;
  EXPECT_NEAR(points[2].second - points[0].second, points[0].second - points[1].second, kDecimal);
  for (const auto& [x, y] : points) {
    EXPECT_TRUE(x >= 0.0 && x <= 400.0 && y >= 0.0 && y <= 200.0) << x << " " << y;
  }
}

TEST(LineChartSvg, GapsBreakTheLine) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string svg = line_chart_svg({"a", "m", {0, 1, 2, 3, 4}, {1, 2, nan, 2, 1}}, {});
  std::size_t lines = 0;
  for (std::size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1)) ++lines;
  EXPECT_EQ(lines, 2U);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(LineChartSvg, ConstantEmptyAndNamelessCurvesAreDrawn) {
  EXPECT_THAT(line_chart_svg({"a", "m", {0, 1}, {5, 5}}, {}), HasSubstr("<polyline"));
  EXPECT_THAT(line_chart_svg({"a", "m", {0}, {0}}, {}), HasSubstr("<polyline"));
  EXPECT_THAT(line_chart_svg({"a", "m", {}, {}}, {}), HasSubstr("no numbers to draw"));
  EXPECT_THAT(line_chart_svg({"a", "m", {0, 1}, {-1e308, 1e308}}, {}), HasSubstr("no numbers to draw"));
  EXPECT_THAT(line_chart_svg({"<b>&\"", "m", {0, 1}, {0, 1}}, {}), HasSubstr("&lt;b&gt;&amp;&quot; [m]"));
}

}  // namespace
}  // namespace gelenk::exporting::line_chart_svg_test
