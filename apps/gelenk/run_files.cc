#include "apps/gelenk/run_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

#include "gelenk/base/name_list.h"
#include "gelenk/base/platform.h"
#include "gelenk/formats/model_writer.h"
#include "gelenk/geometry/mesh_reader.h"
#include "gelenk/results/model_files.h"

namespace gelenk::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNamed = 3;

std::string normal(const fs::path& path) { return path.lexically_normal().generic_string(); }

}  // namespace

std::vector<results::SourceText> files_for_results(const model::Model& model, std::string& note) {
  std::vector<results::SourceText> files;
  std::vector<std::string> left_out;
  std::size_t bytes = 0;
  for (const formats::ShapeFile& file : formats::shape_files(model)) {
    ReadResult read = read_file(file.path, geometry::kMaxMeshBytes);
    if (!read.text) continue;  // whoever shows the model says so
    if (read.text->size() > results::kMostModelFileBytes - bytes) {
      left_out.push_back(file.name);
      continue;
    }
    bytes += read.text->size();
    files.push_back({file.name, *std::move(read.text)});
  }
  note.clear();
  if (!left_out.empty()) {
    note = fmt::format("{} {} not in the results file, where all meshes and pictures together may have {} MB: keep {}",
                       list_names(left_out, kMostNamed), left_out.size() == 1 ? "is" : "are",
                       results::kMostModelFileBytes >> 20U, left_out.size() == 1 ? "the file" : "the files");
  }
  return files;
}

StoredFiles stored_files(const results::Reader& reader, const std::string& model_file) {
  std::map<std::string, std::size_t> numbers;
  const fs::path folder = fs::path(model_file).parent_path();
  const std::vector<std::string>& names = reader.header().files;
  for (std::size_t i = 0; i < names.size(); ++i) numbers.try_emplace(normal(folder / names[i]), i);
  return [&reader, numbers = std::move(numbers)](const std::string& path) -> std::optional<std::string> {
    const auto found = numbers.find(normal(path));
    return found == numbers.end() ? std::nullopt : reader.read_file(found->second);
  };
}

}  // namespace gelenk::app
