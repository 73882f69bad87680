#pragma once

#include <string>
#include <vector>

#include "gelenk/model/model.h"

namespace gelenk::formats {

// The same machine in a form that fits one file: the root with its name, and everything it uses as plain assemblies.
// Files that were used lose what counts only at the root (`gravity`, `simulation` ...), and paths of meshes and
// pictures lead from the folder of the root.
model::Model self_contained(const model::Model& model);

// The model as one text, beginning with `gelenk: 1`. Read from the folder of the root under the same file name, it
// gives self_contained(model) again.
std::string write_model(const model::Model& model);

// A file that says what parts look like: a mesh, or a picture from an import.
struct ShapeFile {
  std::string name;  // as write_model() writes it
  std::string path;  // from the working directory
};
// Those that a model names, each once, in the order in which they are written.
std::vector<ShapeFile> shape_files(const model::Model& model);

}  // namespace gelenk::formats
