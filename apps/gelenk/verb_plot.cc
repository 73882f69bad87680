#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "apps/gelenk/results_input.h"
#include "gelenk/base/json.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/shell_word.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/export/gnuplot.h"
#include "gelenk/export/quantity_scales.h"
#include "gelenk/export/run_away.h"
#include "gelenk/export/text_plot.h"

namespace gelenk::app {
namespace {

using exporting::Curve;
using exporting::PictureFormat;
using Channels = std::vector<results::ChannelSource>;

constexpr std::size_t kMostCurves = 64;
constexpr std::size_t kMostListed = 40;
constexpr int kUsualWidth = 80;
constexpr int kMostWidth = 120;  // wider plots are no easier to read
constexpr int kPlotHeight = 9;   // odd, so that the middle has a number

struct PlotRequest {
  ResultsRequest run;
  std::string png, svg, pdf;
  bool si_units = false;
  bool is_forced = false;
  bool has_all_rows = false;
};

struct Picture {
  PictureFormat format;
  std::string file;
};

std::vector<Picture> wanted_pictures(const PlotRequest& request) {
  std::vector<Picture> pictures;
  if (!request.png.empty()) pictures.push_back({PictureFormat::png, request.png});
  if (!request.svg.empty()) pictures.push_back({PictureFormat::svg, request.svg});
  if (!request.pdf.empty()) pictures.push_back({PictureFormat::pdf, request.pdf});
  return pictures;
}

// Vectors once, not three times.
std::string plottable_text(const results::Reader& reader, const std::string& file) {
  std::vector<std::string> names;
  for (const results::ChannelSource& channel : all_channels(reader)) {
    std::string name = channel.name;
    const bool is_component = name.size() > 2 && name[name.size() - 2] == '.';
    if (is_component) name.resize(name.size() - 2);
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  std::string text = "The model has no outputs; choose what to plot:\n";
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i) text += "  " + names[i] + "\n";
  if (names.size() > kMostListed) {
    text += fmt::format("  ... and {} more: gelenk info {} --channels\n", names.size() - kMostListed, shell_word(file));
  }
  return text;
}

ShownUnit unit_of(const PlotRequest& request, const results::Reader& reader, const results::ChannelSource& channel) {
  return request.si_units ? si_unit(channel) : display_unit(reader, channel);
}

// Makes curves zero that are only rounding beside all else in the run.
class RoundingOfRun {
 public:
  explicit RoundingOfRun(const results::Reader& reader) : reader_(reader) {}

  // SI. Returns what went wrong.
  std::string flatten(Curve& curve, Quantity quantity) {
    // The whole run is read only for a curve that could be rounding of loads up to 1e9 N.
    constexpr double kCouldBeRounding = 1e-3;
    const exporting::Limits limits = exporting::limits_of(curve.values);
    const double size = std::max(std::abs(limits.min), std::abs(limits.max));
    if (size == 0.0 || size > kCouldBeRounding) return {};
    if (!is_known_) {
      if (std::string error = exporting::read_scales(reader_, scales_); !error.empty()) return error;
      is_known_ = true;
    }
    exporting::flatten_rounding(curve, scales_.rounding(quantity));
    return {};
  }

 private:
  const results::Reader& reader_;
  exporting::QuantityScales scales_;
  bool is_known_ = false;
};

std::string read_curves(const PlotRequest& request, const results::Reader& reader, const Channels& channels,
                        std::vector<Curve>& curves) {
  std::vector<double> times;
  if (std::string error = reader.read_times(times); !error.empty()) return error;
  const ShownUnit time_unit = unit_of(request, reader, *reader.find("time"));
  for (double& time : times) time = time_unit.shown(time);
  RoundingOfRun rounding(reader);
  for (const results::ChannelSource& channel : channels) {
    const ShownUnit unit = unit_of(request, reader, channel);
    Curve curve{channel.name, unit.symbol, times, {}, {}};
    if (std::string error = reader.read_channel(channel, curve.values); !error.empty()) return error;
    if (std::string error = rounding.flatten(curve, channel.quantity); !error.empty()) return error;
    for (double& value : curve.values) value = unit.shown(value);
    curves.push_back(std::move(curve));
  }
  return {};
}

std::string curves_json(const PlotRequest& request, const std::vector<Curve>& curves,
                        const std::vector<std::string>& damage) {
  JsonWriter json;
  json.begin_object().member("ok", true).member("file", request.run.file);
  write_damage(json, damage);
  json.key("pictures").begin_array();
  for (const Picture& picture : wanted_pictures(request)) json.value(picture.file);
  json.end_array().key("curves").begin_array();
  for (const Curve& curve : curves) {
    const exporting::Limits limits = exporting::limits_of(curve.values);
    json.begin_object().member("name", curve.name).member("unit", curve.unit).member("points", curve.values.size());
    json.member("min", limits.min).member("max", limits.max).member("note", curve.note).end_object();
  }
  return json.end_array().end_object().take();
}

ExitCode draw(const PlotRequest& request, const std::vector<Curve>& curves, const std::string& title,
              const std::string& time_unit, Console& console) {
  for (const Picture& picture : wanted_pictures(request)) {
    const std::string refusal = output_refusal(picture.file, request.run.file, request.is_forced);
    if (!refusal.empty()) return console.fail(ExitCode::file_error, refusal, "choose another name, or add --force");
    std::string hint;
    const std::string error = draw_picture(curves, {picture.format, picture.file, title, time_unit}, hint);
    if (!error.empty()) return console.fail(ExitCode::file_error, error, hint);
    console.message(fmt::format("{} written\n", picture.file));
  }
  return ExitCode::ok;
}

void print_plots(const std::vector<Curve>& curves, const std::string& time_unit, Console& console) {
  exporting::TextPlotOptions options;
  options.width = std::min(terminal_width(kStdout).value_or(kUsualWidth), kMostWidth);
  options.height = kPlotHeight;
  options.time_unit = time_unit;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    console.out((i == 0 ? "" : "\n") + exporting::text_plot(curves[i], options));
  }
}

// As in reports: beside numbers that mean nothing, all others would be a flat line.
void leave_out_what_runs_away(results::Reader& reader, const Console& console) {
  std::string error;
  const std::optional<results::Certificate> certificate = results::certificate_from_json(reader.certificate(), error);
  std::optional<exporting::RunAway> away;
  if (!certificate || !exporting::find_run_away(reader, *certificate, away).empty() || !away || away->row == 0) return;
  console.message(fmt::format("note: {} (--all)\n", exporting::left_out_text(*away, reader.row_count())));
  reader.keep_first_rows(away->row);
}

ExitCode plot_run(const PlotRequest& request, Console& console) {
  const std::unique_ptr<results::Reader> reader = open_run(request.run.file, console);
  if (!reader) return ExitCode::file_error;
  results::Choice choice = results::choose_channels(*reader, request.run.channels);
  if (!choice.error.empty()) {
    if (choice.hint.empty())
      choice.hint = fmt::format("gelenk info {} --channels lists them", shell_word(request.run.file));
    return console.fail(ExitCode::usage_error, choice.error, choice.hint);
  }
  if (request.run.channels.empty()) choice.channels = results::output_channels(*reader);
  if (choice.channels.empty()) {
    if (console.json) return console.fail(ExitCode::usage_error, "the model has no outputs", "name channels to plot");
    console.out(plottable_text(*reader, request.run.file));
    return ExitCode::ok;
  }
  if (choice.channels.size() > kMostCurves) {
    return console.fail(
        ExitCode::usage_error,
        fmt::format("that would be {} curves; at most {} can be plotted at once", choice.channels.size(), kMostCurves),
        "name fewer channels");
  }
  const std::string note = unclosed_note(*reader);
  if (!note.empty()) console.message(fmt::format("note: {}\n", note));
  const std::vector<std::string> damage = warn_of_damage(*reader, console);
  if (!request.has_all_rows) leave_out_what_runs_away(*reader, console);
  std::vector<Curve> curves;
  const std::string error = read_curves(request, *reader, choice.channels, curves);
  if (!error.empty()) return console.fail(ExitCode::file_error, error);
  const std::string time_unit = unit_of(request, *reader, *reader->find("time")).symbol;
  const ExitCode code = draw(request, curves, reader->header().model_name, time_unit, console);
  if (code != ExitCode::ok) return code;
  if (console.json) {
    console.out(curves_json(request, curves, damage));
  } else if (wanted_pictures(request).empty()) {
    print_plots(curves, time_unit, console);
  }
  return ExitCode::ok;
}

}  // namespace

Action describe_plot(Options& options) {
  const auto request = std::make_shared<PlotRequest>();
  add_results_arguments(options, request->run);
  const auto add_picture = [&](const char* name, const char* doc, std::string& target) {
    options.values.push_back({.names = name, .value_name = "FILE", .doc = doc, .target = &target});
  };
  add_picture("--png", "write a PNG file, with gnuplot", request->png);
  add_picture("--svg", "write an SVG file, with gnuplot", request->svg);
  add_picture("--pdf", "write a PDF file, with gnuplot", request->pdf);
  options.flags.push_back({"--si", "SI units instead of those of `display:` in the model", &request->si_units});
  options.flags.push_back(
      {"--all", "of a run that ran away: also the rows from there on, which mean nothing", &request->has_all_rows});
  options.flags.push_back({"--force", "replace an existing file", &request->is_forced});
  options.details =
      "Without channels, the outputs of the model are plotted; without a picture file, in the terminal. Examples:\n"
      "  gelenk plot crank_slider.h5\n"
      "  gelenk plot crank_slider.h5 piston.position.x crank_pin.reaction.force.magnitude --png crank.png\n";
  return [request](Console& console) { return plot_run(*request, console); };
}

}  // namespace gelenk::app
