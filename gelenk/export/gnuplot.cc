#include "gelenk/export/gnuplot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "gelenk/base/memory_guard.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/private_folder.h"
#include "gelenk/base/process.h"
#include "gelenk/base/text.h"

namespace gelenk::exporting {
namespace {

constexpr std::size_t kBins = 2000;  // more than a picture has pixels
constexpr int kPanelHeight = 320;    // pixels
constexpr int kLeastHeight = 480;
constexpr int kMostHeight = 10'000;
constexpr int kWidth = 960;
constexpr double kPixelsPerInch = 100.0;  // for formats that are measured in inches
constexpr double kTimeLimit = 120.0;      // s

// Between single quotes gnuplot takes everything as it is; a quote is written twice.
std::string gnuplot_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    result += c == '\'' ? std::string("''") : std::string(1, c);
  }
  return result + "'";
}

std::vector<std::string> units_of(const std::vector<Curve>& curves) {
  std::vector<std::string> units;
  for (const Curve& curve : curves) {
    if (std::find(units.begin(), units.end(), curve.unit) == units.end()) units.push_back(curve.unit);
  }
  return units;
}

std::string terminal(PictureFormat format, std::size_t panels) {
  const int height = std::min(
      std::max(kPanelHeight * static_cast<int>(std::min<std::size_t>(panels, 100)), kLeastHeight), kMostHeight);
  switch (format) {
    case PictureFormat::svg:
      return fmt::format("svg noenhanced size {},{} background rgb 'white'", kWidth, height);
    case PictureFormat::pdf:
      return fmt::format("pdfcairo noenhanced size {}in,{}in", kWidth / kPixelsPerInch, height / kPixelsPerInch);
    case PictureFormat::png:
      break;
  }
  return fmt::format("pngcairo noenhanced size {},{}", kWidth, height);
}

std::string data_block(std::size_t number, const Curve& curve) {
  const Curve points = thinned(curve, kBins);
  std::string text = fmt::format("$data{} << end_of_data\n", number);
  for (std::size_t i = 0; i < points.values.size(); ++i) {
    // An empty line breaks the curve.
    text += std::isfinite(points.values[i]) ? fmt::format("{} {}\n", points.times[i], points.values[i]) : "\n";
  }
  return text + "end_of_data\n";
}

// Colors that differ for most eyes and on paper.
constexpr std::array<std::string_view, 6> kColors{"#0060ad", "#d95319", "#1b8a3a", "#7e2f8e", "#a2142f", "#4d4d4d"};
constexpr double kWidestLine = 4.0,
                 kThinnestLine = 1.2;  // lines: of equal curves all are seen, the later ones on the wider ones

// What is never negative stands on zero: an axis below it would promise what cannot be.
std::string axis(const std::vector<Curve>& curves, const std::string& unit) {
  Limits values;
  for (const Curve& curve : curves) {
    if (curve.unit != unit) continue;
    for (const double value : curve.values) {
      if (std::isfinite(value)) values.include(value);
    }
  }
  const bool stands_on_zero = values.min >= 0.0 && values.max > 0.0 && values.min < 0.5 * values.max;
  return stands_on_zero ? "set yrange [0:*]\nset offsets 0, 0, graph 0.05, 0\n"
                        : "set autoscale y\nset offsets 0, 0, graph 0.05, graph 0.05\n";
}

std::string legend(const Curve& curve) {
  return curve.note.empty() ? curve.name : curve.name + " (" + curve.note + ")";
}

std::string panel(const std::vector<Curve>& curves, const std::string& unit) {
  std::string text = fmt::format("set ylabel {}\n", gnuplot_quoted("[" + unit + "]")) + axis(curves, unit);
  std::vector<std::size_t> shown_here;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (curves[i].unit == unit) shown_here.push_back(i);
  }
  std::string list;
  for (std::size_t k = 0; k < shown_here.size(); ++k) {
    const double later =
        shown_here.size() == 1 ? 1.0 : static_cast<double>(k) / static_cast<double>(shown_here.size() - 1);
    const double width = shown_here.size() == 1 ? 1.5 : kWidestLine - later * (kWidestLine - kThinnestLine);
    list += (list.empty() ? "" : ", ") + fmt::format("$data{} using 1:2 with lines lw {:.2g} lc rgb '{}' title {}",
                                                     shown_here[k], width, kColors[k % kColors.size()],
                                                     gnuplot_quoted(legend(curves[shown_here[k]])));
  }
  return text + "plot " + list + "\n";
}

}  // namespace

std::string gnuplot_script(const std::vector<Curve>& curves, const PictureOptions& options) {
  const std::vector<std::string> units = units_of(curves);
  std::string text = fmt::format("set encoding utf8\nset terminal {}\nset output {}\n",
                                 terminal(options.format, units.size()), gnuplot_quoted(options.file));
  for (std::size_t i = 0; i < curves.size(); ++i) text += data_block(i, curves[i]);
  Limits times;
  for (const Curve& curve : curves) {
    for (const double time : curve.times) times.include(time);
  }
  if (times.max > times.min) text += fmt::format("set xrange [{}:{}]\n", times.min, times.max);
  // The same margins for all panels, so that equal times stand above each other.
  text +=
      "set grid lt 1 lw 1 lc rgb '#d8d8d8'\nset key above left Left reverse horizontal\nset lmargin 12\nset rmargin "
      "4\n";
  if (options.has_frequencies) text += "set logscale x\n";
  const std::string label = options.has_frequencies ? "frequency [Hz]" : "time [" + options.time_unit + "]";
  text += fmt::format("set xlabel {}\n", gnuplot_quoted(label));
  // Above all panels, where no names of curves are.
  text += fmt::format("set multiplot layout {},1 title {}\n", units.size(), gnuplot_quoted(options.title));
  for (const std::string& unit : units) text += panel(curves, unit);
  return text + "unset multiplot\n";
}

namespace {

// gnuplot does not notice a disk that is full: the end of the file shows it.
bool is_whole_picture(std::string_view bytes, PictureFormat format) {
  const std::string_view end = bytes.substr(bytes.size() - std::min<std::size_t>(bytes.size(), 64));
  switch (format) {
    case PictureFormat::png:
      return end.find("IEND") != end.npos;
    case PictureFormat::svg:
      return end.find("</svg>") != end.npos;
    case PictureFormat::pdf:
      break;
  }
  return end.find("%%EOF") != end.npos;
}

}  // namespace

// Drawn beside and put in place when it is whole, so that a picture that stood there before is not lost.
std::string draw_picture(const std::vector<Curve>& curves, const PictureOptions& options, std::string& hint) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30;
  const PrivateFolder folder;
  if (folder.path().empty()) return "no temporary folder could be created: " + folder.error();
  PictureOptions drawn = options;
  drawn.file = folder.path() + "/picture";
  const ProgramResult result = run_program({"gnuplot", "-"}, gnuplot_script(curves, drawn), kTimeLimit);
  if (!result.is_started) {
    hint =
        "install gnuplot (Debian, Ubuntu: apt install gnuplot-nox), or leave out the picture for a plot in the "
        "terminal";
    return "gnuplot, which draws pictures, cannot be started: " + result.reason;
  }
  if (result.exit_code == 0) {
    const ReadResult picture = read_file(drawn.file, kMostBytes);
    if (picture.text && is_whole_picture(*picture.text, options.format)) {
      const std::string problem = write_file_atomically(options.file, *picture.text);
      return problem.empty() ? "" : fmt::format("'{}' cannot be written: {}", options.file, problem);
    }
    hint = fmt::format("is the disk of '{}' full?", folder.path());
    return fmt::format("gnuplot did not finish the picture '{}'", options.file);
  }
  const std::string said(trim(result.output));
  hint = memory_limit_hint();
  return fmt::format("gnuplot could not draw '{}'{}", options.file,
                     result.reason.empty() ? (said.empty() ? "" : ": " + shown(said)) : ": " + result.reason);
}

}  // namespace gelenk::exporting
