#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <memory>

#include "apps/gelenk/export_formats.h"
#include "apps/gelenk/option_number.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

struct ExportFormat {
  std::string_view ending;
  std::string_view doc;
  std::string_view options;  // that mean something for it, beside those for all
  ExportFunction write;
};

// A new format is its function and one line here.
constexpr ExportFormat kFormats[] = {
    {".csv", "table of the channels of a run", "CHANNEL --display", export_csv},
    {".html", "the viewer with its data: one file for any browser, without a network", "--start --set", export_page},
    {".png", "picture, by Chromium", "--start --set --time --view --size", export_picture},
    {".mp4", "video of a run, by Chromium", "--fps --speed --view --size", export_video},
    {".glb", "glTF 2.0, binary: a pose, or the motion of a run", "--start --set --time --fps --symbols", export_gltf},
    {".gltf", "glTF 2.0 as text", "--start --set --time --fps --symbols", export_gltf},
    {".urdf", "robot description: the tree of links, loops cut and named", "--start --set", export_urdf},
    {".step", "STEP, AP214: a pose with its tree and exact surfaces", "--start --set --time", export_step},
    {".stp", "the same", "--start --set --time", export_step},
    {".stl", "triangles of the machine in a pose, or of one part in its own axes", "--start --set --time --part --unit",
     export_stl},
    {"/", "a folder: an STL file for each part, in its own axes", "--set --unit", export_stl_folder},
    {".scene.json", "data for Gelenk viewers", "--start --set", export_scene},
};

const ExportFormat* find_format(const std::string& output) {
  for (const ExportFormat& format : kFormats) {
    if (output.ends_with(format.ending) && output.size() > format.ending.size()) return &format;
  }
  return nullptr;
}

std::string known_endings() {
  std::vector<std::string> names;
  for (const ExportFormat& format : kFormats) names.emplace_back(format.ending);
  return join(names, ", ");
}

struct ExportArguments {
  ExportRequest request;
  std::string time, frames_per_second, speed;
};

// Something that was asked for and means nothing here; empty when there is none.
std::string_view first_foreign_option(const ExportArguments& arguments, const ExportFormat& format) {
  const ExportRequest& request = arguments.request;
  const std::pair<std::string_view, bool> given[] = {{"CHANNEL", !request.channels.empty()},
                                                     {"--display", request.display_units},
                                                     {"--set", !request.show.model.settings.empty()},
                                                     {"--start", !request.show.starts.empty()},
                                                     {"--time", !arguments.time.empty()},
                                                     {"--fps", !arguments.frames_per_second.empty()},
                                                     {"--speed", !arguments.speed.empty()},
                                                     {"--view", !request.view.empty()},
                                                     {"--size", !request.size.empty()},
                                                     {"--symbols", request.has_symbols},
                                                     {"--part", !request.part.empty()},
                                                     {"--unit", !request.unit.empty()}};
  for (const auto& [name, is_given] : given) {
    if (is_given && format.options.find(name) == std::string_view::npos) return name;
  }
  return {};
}

// What others do with such files, or what there is.
std::string hint_for_ending(const std::string& file) {
  const auto ends = [&](std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return file.ends_with(ending); });
  };
  if (ends({".svg", ".pdf"})) return "plots are written by 'gelenk plot RUN --svg FILE' and --pdf FILE";
  if (ends({".md"})) return "a report is written by 'gelenk report RUN -o FILE.md'";
  if (ends({".xlsx", ".xls", ".ods", ".txt", ".tsv", ".mat", ".npz", ".parquet"})) {
    return "tables are written as .csv, which spreadsheets and MATLAB read; the .h5 file itself is HDF5";
  }
  if (ends({".jpg", ".jpeg", ".gif", ".webp"})) return "pictures are written as .png, videos as .mp4";
  if (ends({".avi", ".mov", ".mkv", ".webm"})) return "videos are written as .mp4";
  if (ends({".obj", ".3mf", ".fbx", ".ply"})) return "shapes are written as .stl, .glb or .step";
  return fmt::format("the extension selects the format: {}", known_endings());
}

ExitCode export_file(ExportArguments& arguments, Console& console) {
  ExportRequest& request = arguments.request;
  const ExportFormat* format = request.is_to_stdout() ? kFormats : find_format(request.output);
  if (format == nullptr) {
    return console.fail(ExitCode::usage_error, fmt::format("{} has an unknown file extension", shown(request.output)),
                        hint_for_ending(request.output));
  }
  if (const std::string_view foreign = first_foreign_option(arguments, *format); !foreign.empty()) {
    const std::string file = request.is_to_stdout() ? "a table" : shown(request.output);
    return console.fail(ExitCode::usage_error, fmt::format("{} does not apply to {}", foreign, file),
                        "gelenk export --help shows what goes together");
  }
  std::optional<ExitCode> failed;
  std::optional<double>& time = request.show.time;
  std::optional<double>& rate = request.frames_per_second;
  if (!read_option("--time", arguments.time, Quantity::time, time, console, failed, OptionRange::any) ||
      !read_option("--fps", arguments.frames_per_second, Quantity::number, rate, console, failed) ||
      !read_option("--speed", arguments.speed, Quantity::number, request.speed, console, failed)) {
    return *failed;
  }
  return format->write(request, console);
}

}  // namespace

Action describe_export(Options& options) {
  const auto arguments = std::make_shared<ExportArguments>();
  ExportRequest& request = arguments->request;
  add_shown_file(options, request.show);
  options.arguments.push_back({.name = "CHANNEL",
                               .doc = "for a table: channel, vector or element, or a pattern: '*.angle'",
                               .list = &request.channels,
                               .is_required = false,
                               .completion = Completion::channels});
  const auto value = [&](std::string names, std::string name, std::string doc, std::string& target) {
    options.values.push_back(
        {.names = std::move(names), .value_name = std::move(name), .doc = std::move(doc), .target = &target});
  };
  value("-o", "FILE", "output file; its extension selects the format. By default, a table to stdout", request.output);
  value("--time", "T", "the pose of a run at this time, instead of its motion", arguments->time);
  value("--fps", "N", "frames per second of a motion; by default the rows of the run, at most 60",
        arguments->frames_per_second);
  value("--speed", "X", "for a video: 0.5 is half as fast as real time", arguments->speed);
  value("--view", "NAME", "for a picture or video: iso, front, back, left, right, top, bottom", request.view);
  value("--size", "WxH", "for a picture or video, in pixels; default 1280x720", request.size);
  value("--part", "PATH", "only this part", request.part);
  value("--unit", "UNIT", "length unit of an STL file; default m", request.unit);
  add_pose_options(options, request.show);
  options.flags.push_back({"--symbols", "also show joints, as small shapes", &request.has_symbols});
  options.flags.push_back({"--display", "units as in `display:` of the model instead of SI", &request.display_units});
  options.flags.push_back({"--force", "replace an existing file", &request.is_forced});
  options.details = "endings:\n";
  for (const ExportFormat& format : kFormats) {
    options.details += fmt::format("  {:<13} {}\n", format.ending, format.doc);
  }
  options.details +=
      "examples:\n"
      "  gelenk export crank_slider.h5 -o all.csv\n"
      "  gelenk export crank_slider.h5 piston.position '*.angle' --display -o some.csv\n"
      "  gelenk export crank_slider.h5 -o motion.glb\n"
      "  gelenk export crank_slider.h5 -o crank_slider.html\n"
      "  gelenk export crank_slider.h5 --view front --size 640x480 --speed 0.1 -o slow.mp4\n"
      "  gelenk export crank_slider.yaml --unit mm -o parts/\n"
      "  gelenk export crank_slider.yaml --start main_bearing.angle=\"90 deg\" -o pose.glb\n";
  return [arguments](Console& console) { return export_file(*arguments, console); };
}

}  // namespace gelenk::app
