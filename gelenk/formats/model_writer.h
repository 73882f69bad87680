#pragma once

#include <string>

#include "gelenk/model/model.h"

namespace gelenk::formats {

// The same machine in a form that fits one file: the root with its name, and everything it uses as plain assemblies.
// Files that were used lose what counts only at the root (`gravity`, `simulation` ...), and paths of meshes and
// pictures lead from the folder of the root.
model::Model self_contained(const model::Model& model);

// The model as one text, beginning with `gelenk: 1`. Read from the folder of the root under the same file name, it
// gives self_contained(model) again.
std::string write_model(const model::Model& model);

}  // namespace gelenk::formats
