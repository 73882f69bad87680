#include "gelenk/results/model_files.h"

#include <hdf5.h>

#include <algorithm>

namespace gelenk::results {
namespace {

using hdf5::Handle;
using hdf5::Id;

constexpr const char* kGroup = "files";
constexpr const char* kName = "file";  // attribute
constexpr std::size_t kMostFiles = 100'000;
constexpr hsize_t kBytesInChunk = 1u << 20;
constexpr unsigned kDeflateLevel = 1;  // more takes longer and saves little: most bytes are coordinates

std::string path_of(std::size_t number) { return std::string("model/") + kGroup + "/" + std::to_string(number); }

// What the dataset would give; nothing: it is none of bytes.
std::optional<std::size_t> bytes_of(Id dataset) {
  if (dataset < 0) return std::nullopt;
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  hsize_t bytes = 0;
  if (H5Tget_class(type.get()) != H5T_INTEGER || H5Tget_size(type.get()) != 1 ||
      H5Sget_simple_extent_ndims(space.get()) != 1 || H5Sget_simple_extent_dims(space.get(), &bytes, nullptr) != 1) {
    return std::nullopt;
  }
  return bytes;
}

bool write_file(Id group, const std::string& number, const SourceText& file) {
  const hsize_t bytes = file.text.size();
  const hsize_t chunk = std::clamp<hsize_t>(bytes, 1, kBytesInChunk);
  const Handle space(H5Screate_simple(1, &bytes, nullptr), H5Sclose);
  const Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(create.get(), 1, &chunk);
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(create.get(), kDeflateLevel);
  H5Pset_fletcher32(create.get());
  Handle dataset(H5Dcreate2(group, number.c_str(), H5T_STD_U8LE, space.get(), H5P_DEFAULT, create.get(), H5P_DEFAULT),
                 H5Dclose);
  return dataset.is_open() &&
         H5Dwrite(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, file.text.data()) >= 0 &&
         hdf5::write_attribute(dataset.get(), kName, file.file) && dataset.reset();
}

}  // namespace

bool write_model_files(Id model, std::span<const SourceText> files) {
  if (files.empty()) return true;
  const Handle group(H5Gcreate2(model, kGroup, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!group.is_open()) return false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!write_file(group.get(), std::to_string(i), files[i])) return false;
  }
  return true;
}

std::vector<std::string> model_file_names(Id file) {
  std::vector<std::string> names;
  if (!hdf5::has_link(file, std::string("model/") + kGroup)) return names;
  std::size_t bytes = 0;
  while (names.size() < kMostFiles && hdf5::has_link(file, path_of(names.size()))) {
    const Handle dataset = hdf5::open_dataset(file, path_of(names.size()));
    std::string name;
    if (!hdf5::read_attribute(dataset.get(), kName, name)) break;
    const std::optional<std::size_t> own = bytes_of(dataset.get());
    if (own.value_or(0) > kMostModelFileBytes - bytes) break;
    bytes += own.value_or(0);
    names.push_back(std::move(name));
  }
  return names;
}

bool has_more_model_files(Id file, std::size_t count) {
  return hdf5::has_link(file, std::string("model/") + kGroup) && hdf5::has_link(file, path_of(count));
}

std::optional<std::string> read_model_file(Id file, std::size_t number) {
  const Handle dataset = hdf5::open_dataset(file, path_of(number));
  const std::optional<std::size_t> bytes = bytes_of(dataset.get());
  if (!bytes || *bytes > kMostModelFileBytes) return std::nullopt;
  std::string text(*bytes, '\0');
  const bool is_read = H5Dread(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0;
  return is_read ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace gelenk::results
