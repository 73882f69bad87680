#pragma once

#include <string>
#include <vector>

#include "gelenk/export/curve.h"

namespace gelenk::exporting {

enum class PictureFormat { png, svg, pdf };

struct PictureOptions {
  PictureFormat format = PictureFormat::png;
  std::string file;
  std::string title;
  std::string time_unit = "s";
  bool has_frequencies = false;  // in Hz on a logarithmic axis, instead of times
};

// The commands that make gnuplot draw the curves: one panel for each unit, one above the other. The data is inside, so
// that no other file is needed.
std::string gnuplot_script(const std::vector<Curve>& curves, const PictureOptions& options);

// Starts gnuplot. Returns what went wrong and in `hint` what to do about it.
std::string draw_picture(const std::vector<Curve>& curves, const PictureOptions& options, std::string& hint);

}  // namespace gelenk::exporting
