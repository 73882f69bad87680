#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/results/hdf5_handle.h"
#include "gelenk/results/run_info.h"

// Meshes and pictures of the model, kept in its results: group model/files, one dataset of bytes for each.
namespace gelenk::results {

// Of all of them together. Each run has its own copy.
inline constexpr std::size_t kMostModelFileBytes = std::size_t{64} << 20;

// Into the group `model`, which is open. False when that fails.
bool write_model_files(hdf5::Id model, std::span<const SourceText> files);
// Their names, in the order in which they were written, as far as all before have no more bytes than they may; none in
// files of older versions.
std::vector<std::string> model_file_names(hdf5::Id file);
// Whether there are more than these.
bool has_more_model_files(hdf5::Id file, std::size_t count);
// Nothing when its bytes are damaged.
std::optional<std::string> read_model_file(hdf5::Id file, std::size_t number);

}  // namespace gelenk::results
