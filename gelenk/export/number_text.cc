#include "gelenk/export/number_text.h"

#include <fmt/format.h>

#include <cmath>

#include "gelenk/base/text.h"

namespace gelenk::exporting {

std::string number_text(double value, int digits) {
  constexpr double kLargest = 1e7;
  const double size = std::abs(value);
  const bool is_whole = size >= std::pow(10.0, digits - 1) && size < kLargest;
  return is_whole ? fmt::format("{:.0f}", value) : format_rounded(value, digits);
}

}  // namespace gelenk::exporting
