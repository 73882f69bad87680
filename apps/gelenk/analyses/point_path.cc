#include "apps/gelenk/analyses/point_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "apps/gelenk/analyses/text_file.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/export/markup.h"

namespace gelenk::app {
namespace {

constexpr double kWidth = 640.0, kMargin = 40.0;  // of a picture

std::string ending_of(const std::string& file) { return std::filesystem::path(file).extension().string(); }

std::optional<model::FrameOnPart> find_point(const model::Machine& machine, const std::string& name,
                                             std::string& hint) {
  std::vector<std::string> names;
  for (const model::NamedFrame& frame : machine.frames) {
    if (frame.path == name) return frame.frame;
    names.push_back(frame.path);
  }
  for (std::size_t p = 0; p < machine.parts.size(); ++p) {
    if (machine.parts[p].path == name) return model::FrameOnPart{model::PartId(p), Pose{}};
    names.push_back(machine.parts[p].path);
  }
  hint = did_you_mean(name, names);
  if (hint.empty()) hint = "a point is a part, or a frame of one: coupler.tip";
  return std::nullopt;
}

std::string table_of(const PointPath& path, const std::string& swept, std::string_view unit) {
  std::string text = fmt::format("{} [{}]", swept, unit);
  for (const std::string_view kind : {"position", "velocity", "acceleration"}) {
    for (const char axis : {'x', 'y', 'z'}) {
      text += fmt::format(",{}.{}.{} [{}]", path.point, kind, axis,
                          kind == "position" ? "m" : (kind == "velocity" ? "m/s" : "m/s^2"));
    }
  }
  text += '\n';
  for (const PointPath::Pose& pose : path.poses) {
    text += format_number(pose.swept);
    for (const Vector3& v : {pose.p, pose.v, pose.a}) {
      for (int i = 0; i < 3; ++i) text += ',' + format_number(v[i]);
    }
    text += '\n';
  }
  return text;
}

// The plane in which most of it can be seen, as a person looks at it: x to the right of y, z up.
std::array<int, 2> plane_of(const PointPath& path) {
  Vector3 low = path.poses.front().p, high = low;
  for (const PointPath::Pose& pose : path.poses) {
    low = low.cwiseMin(pose.p);
    high = high.cwiseMax(pose.p);
  }
  const Vector3 size = high - low;
  if (size.z() <= std::min(size.x(), size.y())) return {0, 1};
  return size.y() <= size.x() ? std::array<int, 2>{0, 2} : std::array<int, 2>{1, 2};
}

std::string picture_of(const PointPath& path, const Display& display) {
  const auto [right, up] = plane_of(path);
  double low_x = path.poses.front().p[right], high_x = low_x, low_y = path.poses.front().p[up], high_y = low_y;
  for (const PointPath::Pose& pose : path.poses) {
    low_x = std::min(low_x, pose.p[right]);
    high_x = std::max(high_x, pose.p[right]);
    low_y = std::min(low_y, pose.p[up]);
    high_y = std::max(high_y, pose.p[up]);
  }
  const double size = std::max({high_x - low_x, high_y - low_y, 1e-12});
  const double scale = (kWidth - 2.0 * kMargin) / size;
  const double height = std::max(scale * (high_y - low_y), 20.0) + 2.0 * kMargin + 30.0;
  const auto x_of = [&](const PointPath::Pose& pose) { return kMargin + scale * (pose.p[right] - low_x); };
  const auto y_of = [&](const PointPath::Pose& pose) { return kMargin + 30.0 + scale * (high_y - pose.p[up]); };
  std::string points;
  for (const PointPath::Pose& pose : path.poses) points += fmt::format("{:.3f},{:.3f} ", x_of(pose), y_of(pose));
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" font-family=\"sans-serif\" "
      "font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kWidth, height);
  text += fmt::format("<text x=\"{:.0f}\" y=\"22\">path of {} in the plane {}{}: {} wide, {} high</text>\n", kMargin,
                      exporting::html_escaped(path.point), "xyz"[right], "xyz"[up],
                      shown_quantity(display, high_x - low_x, Quantity::length, 4),
                      shown_quantity(display, high_y - low_y, Quantity::length, 4));
  text += fmt::format("<polyline fill=\"none\" stroke=\"#1f5fbf\" stroke-width=\"1.5\" points=\"{}\"/>\n", points);
  text +=
      fmt::format("<circle cx=\"{:.3f}\" cy=\"{:.3f}\" r=\"4\" fill=\"#c03020\"><title>first pose</title></circle>\n",
                  x_of(path.poses.front()), y_of(path.poses.front()));
  return text + "</svg>\n";
}

// A polyline in space, in meters.
std::string drawing_of(const PointPath& path) {
  std::string text = "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n";
  text += "0\nPOLYLINE\n8\npath\n66\n1\n10\n0\n20\n0\n30\n0\n70\n8\n";
  for (const PointPath::Pose& pose : path.poses) {
    text += fmt::format("0\nVERTEX\n8\npath\n10\n{}\n20\n{}\n30\n{}\n70\n32\n", format_number(pose.p.x()),
                        format_number(pose.p.y()), format_number(pose.p.z()));
  }
  return text + "0\nSEQEND\n8\npath\n0\nENDSEC\n0\nEOF\n";
}

}  // namespace

std::optional<std::vector<PointPath>> read_paths(const std::vector<std::string>& texts, bool is_forced,
                                                 const model::Machine& machine, Console& console, ExitCode& code) {
  std::vector<PointPath> paths;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      code = console.fail(ExitCode::usage_error, fmt::format("--path needs POINT=FILE, not {}", shown(text)),
                          "for example: --path coupler.tip=tip.svg");
      return std::nullopt;
    }
    PointPath path{text.substr(0, equals), text.substr(equals + 1), {}, {}};
    const std::string ending = ending_of(path.file);
    if (ending != ".csv" && ending != ".svg" && ending != ".dxf") {
      code = console.fail(ExitCode::usage_error, fmt::format("--path: no curve is written to {}", shown(path.file)),
                          "the name of the file ends in .csv, .svg or .dxf");
      return std::nullopt;
    }
    std::string hint;
    const std::optional<model::FrameOnPart> frame = find_point(machine, path.point, hint);
    if (!frame) {
      code = console.fail(ExitCode::usage_error, fmt::format("--path: there is no point '{}'", path.point), hint);
      return std::nullopt;
    }
    if (!frame->part.is_set()) {
      code =
          console.fail(ExitCode::usage_error, fmt::format("--path: '{}' is on the ground and stays there", path.point));
      return std::nullopt;
    }
    if (const std::optional<ExitCode> refused = refuse_existing(path.file, is_forced, console)) {
      code = *refused;
      return std::nullopt;
    }
    path.frame = *frame;
    paths.push_back(std::move(path));
  }
  return paths;
}

void note_pose(analysis::DrivenPoses& poses, double swept, PointPath& path) {
  const analysis::PointMotion motion = poses.point(path.frame.part.index(), path.frame.X_PF.position);
  path.poses.push_back({swept, motion.position, motion.velocity, motion.acceleration});
}

std::string text_of(const PointPath& path, const std::string& swept, std::string_view unit, const Display& display) {
  const std::string ending = ending_of(path.file);
  if (ending == ".csv") return table_of(path, swept, unit);
  return ending == ".svg" ? picture_of(path, display) : drawing_of(path);
}

}  // namespace gelenk::app
