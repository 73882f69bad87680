#include <fmt/format.h>

#include "apps/gelenk/export_formats.h"
#include "gelenk/base/text.h"
#include "gelenk/export/gltf.h"

namespace gelenk::app {

ExitCode export_gltf(const ExportRequest& request, Console& console) {
  if (const std::optional<ExitCode> refused = refuse_export(request, request.output, console)) return *refused;
  ShownMachine shown;
  if (const std::optional<ExitCode> failed = show_machine(request.show, console, shown)) return *failed;
  if (request.frames_per_second && (!shown.run || request.show.time)) {
    return console.fail(ExitCode::usage_error, "--fps needs a run, and cannot be combined with --time");
  }
  exporting::SceneMotion motion;
  const bool is_moving = shown.run && !request.show.time;
  if (is_moving) {
    const std::string error = shown.recorded->read_motion(request.frames_per_second, motion);
    if (!error.empty()) return console.fail(ExitCode::file_error, error);
  }
  std::string bytes;
  const exporting::GltfOptions options{.is_binary = request.output.ends_with(".glb"),
                                       .has_symbols = request.has_symbols};
  const std::string error = write_gltf(shown.scene, shown.poses, is_moving ? &motion : nullptr, options, bytes);
  if (!error.empty()) return console.fail(ExitCode::file_error, error);
  const std::size_t rows = motion.times.size();
  std::string text = counted(shown.scene.parts.size(), "part");
  if (rows > 1) {
    text += fmt::format(", {} over {} s", counted(rows, "pose"),
                        format_rounded(motion.times.back() - motion.times.front()));
  }
  return write_export(request, bytes, text, {{"parts", shown.scene.parts.size()}, {"poses", is_moving ? rows : 1}},
                      shown.notes, console);
}

ExitCode export_scene(const ExportRequest& request, Console& console) {
  if (const std::optional<ExitCode> refused = refuse_export(request, request.output, console)) return *refused;
  ShowRequest show = request.show;
  show.has_free_motions = true;
  ShownMachine shown;
  if (const std::optional<ExitCode> failed = show_machine(show, console, shown)) return *failed;
  return write_export(request, scene_json(shown.scene), counted(shown.scene.parts.size(), "part"),
                      {{"parts", shown.scene.parts.size()}}, shown.notes, console);
}

}  // namespace gelenk::app
