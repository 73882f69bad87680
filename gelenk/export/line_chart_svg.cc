#include "gelenk/export/line_chart_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gelenk/base/text.h"
#include "gelenk/export/markup.h"

namespace gelenk::exporting {
namespace {

constexpr int kMostTicksUp = 5;
constexpr int kMostTicksAcross = 8;
constexpr double kLeft = 52.0, kRight = 14.0, kTop = 20.0, kBottom = 24.0;  // margins
constexpr double kRoom = 0.05;                                              // above and below the curve

// A range that rounding alone has made counts as none; a curve that stays where it is gets room around it.
Limits widened(Limits limits, double room) {
  constexpr double kRelativeRounding = 1e-9;
  const double size = std::max(std::abs(limits.min), std::abs(limits.max));
  const double range = limits.max - limits.min;
  if (range > kRelativeRounding * size) return {limits.min - room * range, limits.max + room * range, false};
  const double half = size > 0.0 ? 0.1 * size : 1.0;
  return {limits.min - half, limits.max + half, false};
}

struct Scale {
  Limits limits;
  double begin, end;  // places of the limits in the picture

  double operator()(double value) const {
    return begin + (value - limits.min) / (limits.max - limits.min) * (end - begin);
  }
};

std::string polylines(const Curve& curve, const Scale& x, const Scale& y) {
  std::string text;
  std::string points;
  const auto close = [&] {
    if (!points.empty()) text += fmt::format("<polyline points=\"{}\"/>", points);
    points.clear();
  };
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    if (!std::isfinite(curve.values[i]) || !std::isfinite(curve.times[i])) {
      close();
      continue;
    }
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x(curve.times[i]), y(curve.values[i]));
  }
  close();
  return text;
}

// Lines and texts are collected apart: each kind has its looks in one place.
struct Drawing {
  std::string lines, texts;

  void line(double x1, double y1, double x2, double y2, bool is_zero) {
    lines += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>", x1, y1, x2, y2,
                         is_zero ? " stroke=\"#888\"" : "");
  }
  void text(double x, double y, std::string_view anchor, const std::string& content) {
    texts += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor, content);
  }
};

void draw_time_axis(const Scale& x, const Scale& y, const LineChartOptions& options, Drawing& drawing) {
  constexpr double kBelow = 15.0;
  constexpr double kLabelRoom = 26.0;  // half of a long label
  const Ticks ticks = nice_ticks(x.limits, kMostTicksAcross);
  for (const double tick : ticks.values) {
    const bool is_last = tick == ticks.values.back();
    const std::string label = tick_text(tick, ticks.step) + (is_last ? " " + html_escaped(options.time_unit) : "");
    const bool is_at_border = x(tick) > options.width - kLabelRoom;
    drawing.line(x(tick), y.begin, x(tick), y.end, false);
    drawing.text(is_at_border ? options.width - 1.0 : x(tick), y.begin + kBelow, is_at_border ? "end" : "middle",
                 label);
  }
}

void draw_value_axis(const Scale& x, const Scale& y, Drawing& drawing) {
  constexpr double kBeside = 6.0;
  constexpr double kHalfLetter = 4.0;
  const Ticks ticks = nice_ticks(y.limits, kMostTicksUp);
  for (const double tick : ticks.values) {
    drawing.line(x.begin, y(tick), x.end, y(tick), tick == 0.0);
    drawing.text(x.begin - kBeside, y(tick) + kHalfLetter, "end", tick_text(tick, ticks.step));
  }
}

}  // namespace

Ticks nice_ticks(const Limits& limits, int most) {
  const double range = limits.max - limits.min;
  Ticks ticks;
  if (!(range > 0.0) || !std::isfinite(range) || most < 1) return ticks;
  const double power = std::pow(10.0, std::floor(std::log10(range / most)));
  ticks.step = 10.0 * power;
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (range / (digit * power) > most) continue;
    ticks.step = digit * power;
    break;
  }
  if (!(ticks.step > 0.0)) return ticks;
  // The limits themselves are ticks although 0.3 / 0.1 is less than 3.
  constexpr double kRounding = 1e-9;
  const double first = std::ceil(limits.min / ticks.step - kRounding);
  const double last = std::floor(limits.max / ticks.step + kRounding);
  for (int i = 0; i <= most && first + i <= last; ++i) {
    const double multiple = first + i;
    ticks.values.push_back(multiple == 0.0 ? 0.0 : multiple * ticks.step);
  }
  return ticks;
}

std::string tick_text(double value, double step) {
  constexpr double kSmall = 1e-4, kLarge = 1e6;
  constexpr double kAlmost = 1e-6;  // log10(0.1) is not quite -1
  const double size = std::max(std::abs(value), step);
  if (step < kSmall || size >= kLarge) {
    const double places = std::floor(std::log10(size) + kAlmost) - std::floor(std::log10(step) + kAlmost);
    const int digits = static_cast<int>(std::clamp(places, 0.0, 15.0)) + 1;
    return format_rounded(value, digits);
  }
  const int decimals = static_cast<int>(std::max(0.0, -std::floor(std::log10(step) + kAlmost)));
  return fmt::format("{:.{}f}", value, decimals);
}

std::string line_chart_svg(const Curve& curve, const LineChartOptions& options) {
  constexpr double kTitleLine = 12.0;
  const std::string unit = curve.unit.empty() ? std::string() : " [" + curve.unit + "]";
  const std::string title = html_escaped(curve.name + unit + (curve.note.empty() ? "" : ": " + curve.note));
  std::string text =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
                  options.width, options.height, title);
  Drawing drawing;
  drawing.text(kLeft, kTitleLine, "start", "<tspan font-weight=\"bold\">" + title + "</tspan>");
  const Limits found = limits_of(curve.values);
  const Limits times = limits_of(curve.times);
  std::string curves;
  const bool is_drawable = std::isfinite(2.0 * (found.max - found.min)) && std::isfinite(times.max - times.min);
  if (found.is_empty || times.is_empty || !is_drawable) {
    drawing.text(kLeft, 0.5 * options.height, "start", "no numbers to draw");
  } else {
    const Scale x{widened(times, 0.0), kLeft, options.width - kRight};
    const Scale y{widened(found, kRoom), options.height - kBottom, kTop};
    draw_time_axis(x, y, options, drawing);
    draw_value_axis(x, y, drawing);
    curves = polylines(curve, x, y);
  }
  text += "<g stroke=\"#ddd\">" + drawing.lines + "</g>";
  text += "<g font-family=\"sans-serif\" font-size=\"11\" fill=\"#333\">" + drawing.texts + "</g>";
  text += "<g fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"1.4\" stroke-linejoin=\"round\">" + curves + "</g>";
  return text + "</svg>";
}

}  // namespace gelenk::exporting
