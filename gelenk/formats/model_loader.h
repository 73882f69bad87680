#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/source.h"
#include "gelenk/formats/yaml_reader.h"
#include "gelenk/model/model.h"

namespace gelenk::formats {

struct LoadOptions {
  TextLimits limits;
  bool allow_outside = false;  // `use:` may leave the folder of the model
  // Where files come from; replaced in tests.
  std::function<ReadResult(const std::string& path, std::size_t max_bytes)> read = read_file;
  // The one name of a file that may be reached by several; replaced where the system must not be asked.
  std::function<std::optional<std::string>(const std::string& path)> real_path = gelenk::real_path;
  // What can be known of a sealed component, as a model with parameters and ports only.
  std::function<ReadResult(const std::string& path)> read_sealed = {};
};

struct LoadedModel {
  SourceMap sources;
  model::Model model;
  bool is_read = false;  // false: not even the root file could be read as a document
};

// Reads a model file and all that it uses. `use:` and `modify:` are resolved here, on documents, so that every value
// keeps the place where it was written; what remains are definitions with unique names.
LoadedModel load_model(const std::string& path, const LoadOptions& options, Diagnostics& diagnostics);

}  // namespace gelenk::formats
