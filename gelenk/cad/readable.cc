#include "gelenk/cad/readable.h"

#include <set>
#include <string_view>

#include "gelenk/base/platform.h"
#include "gelenk/cad/file_ending.h"
#include "gelenk/cad/urdf_reader.h"
#include "gelenk/cad/urdf_visuals.h"

namespace gelenk::cad {
namespace {

using Paths = std::set<std::string>;

void add_folder(const std::string& folder, Paths& paths) {
  paths.insert(folder);
  if (const std::optional<std::string> real = real_path(folder)) paths.insert(*real);
}

void add_folder_of(const std::string& file, Paths& paths) {
  paths.insert(folder_of(file));
  if (const std::optional<std::string> real = real_path(file)) paths.insert(folder_of(*real));
}

// Only the names are looked for, without understanding anything else of the file.
void add_meshes(const std::string& text, const MeshFinder& finder, Paths& paths) {
  constexpr std::string_view kName = "filename=";
  constexpr std::size_t kMost = 10'000;
  std::size_t count = 0;
  for (std::size_t at = text.find(kName); at != std::string::npos && count < kMost; at = text.find(kName, at + 1)) {
    ++count;
    const std::size_t quote = at + kName.size();
    if (quote >= text.size() || (text[quote] != '"' && text[quote] != '\'')) continue;
    const std::size_t end = text.find(text[quote], quote + 1);
    if (end == std::string::npos) return;
    const std::optional<std::string> mesh = finder.find(text.substr(quote + 1, end - quote - 1));
    if (!mesh) continue;
    // Numbers of such a mesh are in another file beside it.
    paths.insert(has_ending(*mesh, ".gltf") ? folder_of(*mesh) : *mesh);
  }
}

void add_sources(const formats::StepNode& node, Paths& paths) {
  if (node.shape && !node.shape->source.empty()) add_folder_of(node.shape->source, paths);
  for (const formats::StepNode& child : node.children) add_sources(child, paths);
}

}  // namespace

std::vector<std::string> readable_for(const formats::ImportRequest& request) {
  Paths paths;
  add_folder_of(request.file, paths);
  if (!request.joints_file.empty()) paths.insert(request.joints_file);
  if (!request.links_folder.empty()) add_folder(request.links_folder, paths);
  for (const auto& [name, folder] : request.packages) paths.insert(folder);
  if (is_urdf_file(request.file)) {
    const ReadResult file = read_file(request.file, kMostUrdfBytes);
    const MeshFinder finder(folder_of(request.file), {request.packages.begin(), request.packages.end()});
    if (file.text) add_meshes(*file.text, finder, paths);
  }
  return {paths.begin(), paths.end()};
}

std::vector<std::string> readable_for(const formats::StepRequest& request) {
  Paths paths;
  add_sources(request.root, paths);
  return {paths.begin(), paths.end()};
}

}  // namespace gelenk::cad
