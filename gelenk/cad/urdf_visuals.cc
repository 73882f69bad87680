#include "gelenk/cad/urdf_visuals.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <filesystem>

namespace gelenk::cad {
namespace {

constexpr std::string_view kPackage = "package://", kFile = "file://";

std::optional<std::string> existing(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) ? std::optional(path.string()) : std::nullopt;
}

}  // namespace

std::optional<std::string> MeshFinder::find(const std::string& uri) const {
  if (uri.starts_with(kFile)) return existing(uri.substr(kFile.size()));
  if (!uri.starts_with(kPackage)) return existing(std::filesystem::path(folder_) / uri);
  const std::string inside = uri.substr(kPackage.size());
  const std::size_t slash = inside.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const std::string package = inside.substr(0, slash), rest = inside.substr(slash + 1);
  if (const auto named = packages_.find(package); named != packages_.end()) {
    return existing(std::filesystem::path(named->second) / rest);
  }
  std::error_code ignored;
  for (std::filesystem::path above = std::filesystem::absolute(folder_, ignored).lexically_normal();;) {
    if (above.filename() == package) {
      if (std::optional<std::string> found = existing(above / rest)) return found;
    }
    if (std::optional<std::string> found = existing(above / package / rest)) return found;
    if (above == above.parent_path()) return std::nullopt;
    above = above.parent_path();
  }
}

std::optional<geometry::TriangleMesh> read_mesh_file(const std::string& path, std::string& error) {
  Assimp::Importer importer;
  // Robot descriptions mean the coordinates as they stand in the file.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene* const scene =
      importer.ReadFile(path, aiProcess_Triangulate | aiProcess_PreTransformVertices | aiProcess_JoinIdenticalVertices);
  if (scene == nullptr) {
    error = importer.GetErrorString();
    return std::nullopt;
  }
  geometry::TriangleMesh result;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& mesh = *scene->mMeshes[m];
    const auto first = static_cast<std::uint32_t>(result.vertices.size());
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      result.vertices.emplace_back(mesh.mVertices[v].x, mesh.mVertices[v].y, mesh.mVertices[v].z);
    }
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices != 3) continue;  // points and lines
      result.triangles.push_back({first + face.mIndices[0], first + face.mIndices[1], first + face.mIndices[2]});
    }
  }
  return result;
}

}  // namespace gelenk::cad
