#pragma once

#include <string>

#include "gelenk/export/curve.h"

namespace gelenk::exporting {

struct TextPlotOptions {
  int width = 80;  // of everything, in characters
  int height = 8;  // of the curve, in lines
  std::string time_unit = "s";
};

// A small picture of one curve made of Braille characters, with numbers at its axes:
//   piston.position.x [mm]
//     200 ┤⠤⡀      ...
//     100 ┼
//         └────────
//         0      1 s
std::string text_plot(const Curve& curve, const TextPlotOptions& options);

}  // namespace gelenk::exporting
