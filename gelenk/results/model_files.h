#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/results/hdf5_handle.h"
#include "gelenk/results/run_info.h"

// Meshes and pictures of the model, kept in its results: group model/files, one dataset of bytes for each.
namespace gelenk::results {

// Into the group `model`, which is open. False when that fails.
bool write_model_files(hdf5::Id model, std::span<const SourceText> files);
// Their names, in the order in which they were written; none in files of older versions.
std::vector<std::string> model_file_names(hdf5::Id file);
// Nothing when its bytes are damaged.
std::optional<std::string> read_model_file(hdf5::Id file, std::size_t number);

}  // namespace gelenk::results
