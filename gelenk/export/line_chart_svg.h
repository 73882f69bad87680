#pragma once

#include <string>
#include <vector>

#include "gelenk/export/curve.h"

namespace gelenk::exporting {

struct LineChartOptions {
  int width = 460;  // user units; the picture scales to the room it gets
  int height = 170;
  std::string time_unit = "s";
};

// Multiples of 1, 2 or 5 times a power of ten inside of the limits, at most `most` + 1 of them.
struct Ticks {
  double step = 1.0;
  std::vector<double> values;
};
Ticks nice_ticks(const Limits& limits, int most);
// With as many decimals as the step needs.
std::string tick_text(double value, double step);

// A curve over time as an <svg> element that stands alone inside of HTML: grid, ticks, name and unit. Gaps stay gaps.
std::string line_chart_svg(const Curve& curve, const LineChartOptions& options);

}  // namespace gelenk::exporting
