#include <fmt/format.h>

#include <algorithm>

#include "apps/gelenk/export_formats.h"
#include "gelenk/base/text.h"
#include "gelenk/export/stl.h"

namespace gelenk::app {
namespace {

// Meters times this are numbers in the unit.
std::optional<ExitCode> read_scale(const ExportRequest& request, double& scale, Console& console) {
  if (request.unit.empty()) return std::nullopt;
  const UnitParse parsed = parse_unit(request.unit);
  if (!parsed.unit || parsed.unit->dimension != quantity_info(Quantity::length).dimension) {
    return console.fail(ExitCode::usage_error,
                        fmt::format("--unit needs a unit of length, not {}", shown(request.unit)),
                        "for example --unit mm");
  }
  scale = 1.0 / parsed.unit->factor;
  return std::nullopt;
}

std::string unit_name(const ExportRequest& request) { return request.unit.empty() ? "m" : request.unit; }

void note_default_shapes(ShownMachine& shown, std::optional<std::size_t> only) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < shown.scene.parts.size(); ++i) {
    if (shown.scene.parts[i].has_default_shape && (!only || *only == i)) paths.push_back(shown.scene.parts[i].path);
  }
  if (paths.empty()) return;
  shown.notes.push_back(paths.size() == 1
                            ? fmt::format("'{}' has no shape: a plain one is used instead", paths.front())
                            : fmt::format("{} parts have no shape, '{}' is the first: plain ones are used instead",
                                          paths.size(), paths.front()));
}

std::optional<ExitCode> find_part(const ExportRequest& request, const ShownMachine& shown, std::size_t& part,
                                  Console& console) {
  std::vector<std::string> paths;
  for (const exporting::ScenePart& one : shown.scene.parts) paths.push_back(one.path);
  const auto found = std::find(paths.begin(), paths.end(), request.part);
  if (found == paths.end()) {
    return console.fail(ExitCode::usage_error, fmt::format("there is no part {}", gelenk::shown(request.part)),
                        did_you_mean(request.part, paths));
  }
  part = static_cast<std::size_t>(found - paths.begin());
  return std::nullopt;
}

}  // namespace

ExitCode export_stl(const ExportRequest& request, Console& console) {
  double scale = 1.0;
  if (const std::optional<ExitCode> failed = read_scale(request, scale, console)) return *failed;
  if (const std::optional<ExitCode> refused = refuse_export(request, request.output, console)) return *refused;
  ShownMachine shown;
  if (const std::optional<ExitCode> failed = show_machine(request.show, console, shown)) return *failed;
  std::optional<std::size_t> part;
  if (!request.part.empty()) {
    if (const std::optional<ExitCode> failed = find_part(request, shown, part.emplace(), console)) return *failed;
  }
  note_default_shapes(shown, part);
  const geometry::TriangleMesh mesh =
      part ? surface_of_part(shown.scene, *part) : surface_of_machine(shown.scene, shown.poses);
  const std::string name = part ? request.part : shown.scene.name;
  const std::string title = fmt::format("{} in {}", name, unit_name(request));
  return write_export(request, exporting::write_stl(mesh, scale, title),
                      fmt::format("{} triangles, in {}", mesh.triangles.size(), unit_name(request)),
                      {{"triangles", mesh.triangles.size()}}, shown.notes, console);
}

ExitCode export_stl_folder(const ExportRequest& request, Console& console) {
  double scale = 1.0;
  if (const std::optional<ExitCode> failed = read_scale(request, scale, console)) return *failed;
  ShownMachine shown;
  if (const std::optional<ExitCode> failed = show_machine(request.show, console, shown)) return *failed;
  note_default_shapes(shown, {});
  std::vector<ExportedFile> files;
  for (std::size_t i = 0; i < shown.scene.parts.size(); ++i) {
    const std::string& path = shown.scene.parts[i].path;
    files.push_back(
        {request.output + path + ".stl", exporting::write_stl(surface_of_part(shown.scene, i), scale,
                                                              fmt::format("{} in {}", path, unit_name(request)))});
  }
  if (const std::optional<ExitCode> failed = write_files(request, files, console)) return *failed;
  return report_export(
      request.output,
      fmt::format("{}, in {}, each in axes of its part", counted(files.size(), "STL file"), unit_name(request)),
      {{"files", files.size()}}, shown.notes, console);
}

}  // namespace gelenk::app
