#include <fmt/format.h>

#include <filesystem>

#include "apps/gelenk/export_formats.h"
#include "gelenk/export/urdf.h"

namespace gelenk::app {

// The meshes first: a description that is there is complete.
ExitCode export_urdf(const ExportRequest& request, Console& console) {
  if (const std::optional<ExitCode> refused = refuse_export(request, request.output, console)) return *refused;
  ShownMachine shown;
  if (const std::optional<ExitCode> failed = show_machine(request.show, console, shown)) return *failed;
  const std::filesystem::path output(request.output);
  const std::string folder = output.stem().string() + "_meshes";
  const exporting::Urdf urdf = exporting::make_urdf(shown.scene, shown.machine(), folder);
  std::vector<ExportedFile> files;
  for (const exporting::UrdfMesh& mesh : urdf.meshes) {
    files.push_back({(output.parent_path() / mesh.file).string(), mesh.bytes});
  }
  if (const std::optional<ExitCode> failed = write_files(request, files, console)) return *failed;
  shown.notes.insert(shown.notes.end(), urdf.notes.begin(), urdf.notes.end());
  std::string text = fmt::format("{}, {}", counted(urdf.link_count, "link"), counted(urdf.joint_count, "joint"));
  if (urdf.cut_count > 0) text += fmt::format(", {} cut", counted(urdf.cut_count, "loop"));
  if (!files.empty()) text += fmt::format("; {} in {}/", counted(files.size(), "mesh file"), folder);
  const ExportFacts facts{
      {"links", urdf.link_count}, {"joints", urdf.joint_count}, {"cutLoops", urdf.cut_count}, {"meshes", files.size()}};
  return write_export(request, urdf.text, text, facts, shown.notes, console);
}

}  // namespace gelenk::app
