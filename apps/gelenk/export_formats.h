#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/gelenk/shown_machine.h"
#include "gelenk/base/new_file.h"

// What `gelenk export` writes: one function for each ending.
namespace gelenk::app {

struct ExportRequest {
  ShowRequest show;
  std::vector<std::string> channels;
  std::string output;  // empty or "-": to stdout
  std::string part;    // path
  std::string unit;    // of lengths
  std::string view;    // of a picture: "front"
  std::string size;    // of a picture: "1280x720"
  std::optional<double> frames_per_second;
  std::optional<double> speed;  // of a video: seconds of the run in one of the video
  bool display_units = false;
  bool has_symbols = false;
  bool is_forced = false;

  bool is_to_stdout() const { return output.empty() || output == "-"; }
};

using ExportFunction = ExitCode (*)(const ExportRequest&, Console&);
ExitCode export_csv(const ExportRequest& request, Console& console);
ExitCode export_gltf(const ExportRequest& request, Console& console);
ExitCode export_step(const ExportRequest& request, Console& console);
ExitCode export_scene(const ExportRequest& request, Console& console);
ExitCode export_urdf(const ExportRequest& request, Console& console);
ExitCode export_page(const ExportRequest& request, Console& console);
ExitCode export_picture(const ExportRequest& request, Console& console);
ExitCode export_video(const ExportRequest& request, Console& console);
ExitCode export_stl(const ExportRequest& request, Console& console);
ExitCode export_stl_folder(const ExportRequest& request, Console& console);

// Numbers that are reported about what was written: {"parts", 12}.
using ExportFacts = std::vector<std::pair<std::string_view, std::size_t>>;

// What happens to files that were not there when the export began, and are now.
Existing existing_of(const ExportRequest& request);
// Whether the output may be written; says why not.
std::optional<ExitCode> refuse_export(const ExportRequest& request, const std::string& output, Console& console);
struct ExportedFile {
  std::string path;
  std::string bytes;
};
// Writes files that go along with others, each in one step, and makes their folders. Files that exist are refused
// before anything is written.
std::optional<ExitCode> write_files(const ExportRequest& request, const std::vector<ExportedFile>& files,
                                    Console& console);
// Writes the file in one step and reports it; `text` is what comes after its name.
ExitCode write_export(const ExportRequest& request, const std::string& bytes, const std::string& text,
                      const ExportFacts& facts, const std::vector<std::string>& notes, Console& console);
// Reports what was written.
ExitCode report_export(const std::string& output, const std::string& text, const ExportFacts& facts,
                       const std::vector<std::string>& notes, Console& console);

}  // namespace gelenk::app
