#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/model/model.h"
#include "gelenk/results/reader.h"
#include "gelenk/results/run_info.h"

// Meshes and pictures of the model travel with the results, so that a run looks the same wherever its file is opened.
namespace gelenk::app {

// Those that can be read. `note`: which are left out because the results would become too large, or empty.
std::vector<results::SourceText> files_for_results(const model::Model& model, std::string& note);

// Files of a run, by the paths that its model leads to when it is read as `model_file`. The reader has to outlive it.
using StoredFiles = std::function<std::optional<std::string>(const std::string& path)>;
StoredFiles stored_files(const results::Reader& reader, const std::string& model_file);

}  // namespace gelenk::app
