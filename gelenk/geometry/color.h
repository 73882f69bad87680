#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace gelenk::geometry {

// Red, green, blue from 0 to 1, sRGB.
using Color = std::array<double, 3>;

// From "#rrggbb"; nothing from any other text.
std::optional<Color> color_from_text(std::string_view text);

}  // namespace gelenk::geometry
