#include "gelenk/geometry/color.h"

namespace gelenk::geometry {

std::optional<Color> color_from_text(std::string_view text) {
  if (text.size() != 7 || text.front() != '#') return std::nullopt;
  Color color{};
  for (std::size_t i = 0; i < 3; ++i) {
    int value = 0;
    for (const char digit : text.substr(1 + 2 * i, 2)) {
      const std::size_t known = std::string_view("0123456789abcdef0123456789ABCDEF").find(digit);
      if (known == std::string_view::npos) return std::nullopt;
      value = 16 * value + static_cast<int>(known % 16);
    }
    color[i] = value / 255.0;
  }
  return color;
}

}  // namespace gelenk::geometry
