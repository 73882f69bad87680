#pragma once

#include <span>
#include <string>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/formats/model_loader.h"

// A model with everything it reads, to be taken elsewhere.
namespace gelenk::formats {

struct BundledFile {
  std::string path;  // from the folder of the model, without dots
  std::string content;
};

// The model itself first, then what it uses: model files without their comments, meshes and sealed components as they
// are. They are read anew from there, to be sure. Whatever would not be found from the folder of the model alone is an
// error with its place.
std::vector<BundledFile> bundle_model(const LoadedModel& loaded, Diagnostics& diagnostics);

// The file that a path written in one of them means; null: it is not among them.
const BundledFile* find_bundled(std::span<const BundledFile> files, const std::string& path);

}  // namespace gelenk::formats
