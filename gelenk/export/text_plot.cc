#include "gelenk/export/text_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gelenk/base/text.h"

namespace gelenk::exporting {
namespace {

constexpr int kDotsAcross = 2;  // of one Braille character
constexpr int kDotsDown = 4;

// Dots in characters of U+2800 ... U+28FF.
class Canvas {
 public:
  Canvas(int columns, int lines)
      : columns_(columns), lines_(lines), cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(lines)) {}

  int width() const { return columns_ * kDotsAcross; }
  int height() const { return lines_ * kDotsDown; }

  void dot(int x, int y) {
    if (x < 0 || y < 0 || x >= width() || y >= height()) return;
    // Bit numbers of Unicode: the first three lines column by column, the fourth was added later.
    constexpr std::array<std::array<std::uint8_t, kDotsAcross>, kDotsDown> kBits{{{0, 3}, {1, 4}, {2, 5}, {6, 7}}};
    const auto row = static_cast<std::size_t>(y % kDotsDown);
    const auto column = static_cast<std::size_t>(x % kDotsAcross);
    std::uint8_t& cell = cells_[place_of(y / kDotsDown, x / kDotsAcross)];
    cell = static_cast<std::uint8_t>(cell | (1u << kBits[row][column]));
  }

  // Bresenham's line, ends included.
  void line(int x0, int y0, int x1, int y1) {
    const int dx = std::abs(x1 - x0);
    const int dy = -std::abs(y1 - y0);
    const int step_x = x0 < x1 ? 1 : -1;
    const int step_y = y0 < y1 ? 1 : -1;
    for (int error = dx + dy;;) {
      dot(x0, y0);
      if (x0 == x1 && y0 == y1) return;
      const int doubled = 2 * error;
      if (doubled >= dy) {
        error += dy;
        x0 += step_x;
      }
      if (doubled <= dx) {
        error += dx;
        y0 += step_y;
      }
    }
  }

  std::string text_line(int line) const {
    std::string text;
    for (int c = 0; c < columns_; ++c) {
      const std::uint8_t bits = cells_[place_of(line, c)];
      if (bits == 0) {
        text += ' ';
        continue;
      }
      // U+2800 + bits in UTF-8
      text += '\xE2';
      text += static_cast<char>(0xA0 | (bits >> 6));
      text += static_cast<char>(0x80 | (bits & 0x3F));
    }
    return text.erase(text.find_last_not_of(' ') + 1);
  }

 private:
  std::size_t place_of(int line, int column) const {
    return static_cast<std::size_t>(line) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
  }

  int columns_;
  int lines_;
  std::vector<std::uint8_t> cells_;
};

// Room around a curve that does not move; a range that rounding alone has made counts as none.
Limits widened(Limits limits) {
  constexpr double kRelativeRounding = 1e-12;
  const double size = std::max(std::abs(limits.min), std::abs(limits.max));
  if (limits.max - limits.min > kRelativeRounding * size) return limits;
  const double room = size > 0.0 ? 0.05 * size : 1.0;
  return {limits.min - room, limits.max + room, false};
}

// Digits at which numbers that far apart still look different.
int digits_for(const Limits& limits) {
  constexpr int kUsual = 4;
  constexpr int kMost = 15;
  const double size = std::max(std::abs(limits.min), std::abs(limits.max));
  const int needed = static_cast<int>(std::ceil(std::log10(size / (limits.max - limits.min)))) + 2;
  return std::clamp(needed, kUsual, kMost);
}

void draw(const Curve& curve, const Limits& across, const Limits& up, Canvas& canvas) {
  // From the middle of the first to the middle of the last dot.
  const auto place = [](double value, const Limits& limits, int dots) {
    return static_cast<int>(std::lround((value - limits.min) / (limits.max - limits.min) * (dots - 1)));
  };
  bool has_last = false;
  int last_x = 0;
  int last_y = 0;
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    if (!std::isfinite(curve.values[i]) || !std::isfinite(curve.times[i])) {
      has_last = false;
      continue;
    }
    const int x = place(curve.times[i], across, canvas.width());
    const int y = canvas.height() - 1 - place(curve.values[i], up, canvas.height());
    if (has_last) {
      canvas.line(last_x, last_y, x, y);
    } else {
      canvas.dot(x, y);
    }
    has_last = true;
    last_x = x;
    last_y = y;
  }
}

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

}  // namespace

std::string text_plot(const Curve& curve, const TextPlotOptions& options) {
  std::string text = curve.name + " [" + curve.unit + "]" + (curve.note.empty() ? "" : ": " + curve.note) + "\n";
  const Limits found = limits_of(curve.values);
  const Limits found_times = limits_of(curve.times);
  if (found.is_empty || found_times.is_empty) return text + "  nothing to draw\n";
  const Limits up = widened(found);
  const Limits across = widened(found_times);

  const int digits = digits_for(up);
  // Between -30 and 30.00001 is zero: a small part of what is drawn is nothing that could be seen.
  constexpr double kRoundingOfMiddle = 1e-4;
  const double middle = up.min + 0.5 * (up.max - up.min);
  const bool is_zero = std::abs(middle) <= kRoundingOfMiddle * (up.max - up.min);
  const std::array<std::string, 3> labels{
      format_rounded(up.max, digits), format_rounded(is_zero ? 0.0 : middle, digits), format_rounded(up.min, digits)};
  std::size_t label_width = 0;
  for (const std::string& label : labels) label_width = std::max(label_width, label.size());
  constexpr int kLeastColumns = 16;
  constexpr int kMostColumns = 1000;
  const int lines = std::clamp(options.height, 2, 100);
  const int columns = std::clamp(options.width - static_cast<int>(label_width) - 4, kLeastColumns, kMostColumns);
  Canvas canvas(columns, lines);
  draw(curve, across, up, canvas);
  for (int line = 0; line < lines; ++line) {
    const std::string label = line == 0 ? labels[0] : line == lines - 1 ? labels[2] : "";
    const bool is_middle = lines % 2 == 1 && line == lines / 2;
    text += "  " + right_aligned(is_middle ? labels[1] : label, label_width);
    text += (is_middle || !label.empty() ? " ┤" : " │") + canvas.text_line(line) + "\n";
  }
  std::string axis;
  for (int c = 0; c < columns; ++c) axis += "─";
  const std::string left = format_rounded(across.min, digits_for(across));
  const std::string right = format_rounded(across.max, digits_for(across)) + " " + options.time_unit;
  const std::string indent(label_width + 3, ' ');
  text += indent + "└" + axis + "\n" + indent + " " + left;
  return text + right_aligned(right, static_cast<std::size_t>(columns) - std::min<std::size_t>(left.size(), 15)) + "\n";
}

}  // namespace gelenk::exporting
