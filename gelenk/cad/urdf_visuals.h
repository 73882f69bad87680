#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/geometry/mesh.h"

namespace gelenk::cad {

// Where the files are that a robot description names.
class MeshFinder {
 public:
  // `packages`: folder of each package that was named by the user.
  MeshFinder(std::string folder, std::map<std::string, std::string> packages)
      : folder_(std::move(folder)), packages_(std::move(packages)) {}

  // "package://NAME/path", "file:///path" or a path beside the description. A package that nobody named is looked for
  // above and beside the description. Nothing: there is no such file.
  std::optional<std::string> find(const std::string& uri) const;

 private:
  std::string folder_;
  std::map<std::string, std::string> packages_;
};

// Triangles of a mesh file (STL, OBJ, COLLADA ...), in its own axes. Nothing, with the reason in `error`.
std::optional<geometry::TriangleMesh> read_mesh_file(const std::string& path, std::string& error);

}  // namespace gelenk::cad
