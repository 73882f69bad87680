#include "gelenk/formats/model_bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/formats/yaml_writer.h"
#include "gelenk/geometry/mesh_reader.h"
#include "gelenk/model/part_types.h"

namespace gelenk::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSealedBytes = std::size_t{512} << 20;
constexpr const char* kHint = "move it there, and name it by its path from the file it is written in";

class Bundler {
 public:
  Bundler(const LoadedModel& loaded, Diagnostics& diagnostics) : loaded_(loaded), diagnostics_(diagnostics) {
    root_ = loaded.model.folders.empty() ? fs::path(".") : fs::path(loaded.model.folders.front());
  }

  std::vector<BundledFile> run() {
    // Other sources are what was given on the command line.
    for (std::size_t i = 0; i < loaded_.model.folders.size(); ++i) add_source(static_cast<std::int32_t>(i));
    for (const model::Definition& definition : loaded_.model.definitions) add_meshes(definition.object);
    if (!diagnostics_.has_errors()) check();
    return std::move(files_);
  }

 private:
  // Only texts are compared: where they are unpacked there are no links. Empty: not below the folder of the model.
  std::string from_root(const std::string& path) const {
    const std::string relative =
        fs::path(path).lexically_normal().lexically_relative(root_.lexically_normal()).generic_string();
    return relative == ".." || relative.starts_with("../") ? std::string() : relative;
  }

  void refuse(const std::string& path, const SourceRange& where) {
    diagnostics_.error(Code::cannot_be_sealed, where, fmt::format("'{}' is outside the folder of the model", path),
                       kHint);
  }

  bool is_known(const std::string& path) const { return find_bundled(files_, path) != nullptr; }

  void add_source(std::int32_t number) {
    const SourceFile& source = loaded_.sources.file(number);
    const std::string path = from_root(source.path());
    if (path.empty()) return refuse(source.path(), {});
    if (is_known(path)) return;
    if (path.ends_with(".gkc")) return add_bytes(source.path(), path, kMostSealedBytes, {});
    Diagnostics earlier;  // before
    const std::optional<Node> document = parse_yaml(loaded_.sources, number, {}, earlier);
    if (document) files_.push_back({path, write_yaml(*document)});
  }

  void add_bytes(const std::string& file, const std::string& path, std::size_t most, const SourceRange& where) {
    ReadResult read = read_file(file, most);
    if (read.text) {
      files_.push_back({path, *std::move(read.text)});
    } else {
      diagnostics_.error(read.code, where, fmt::format("cannot read '{}': {}", file, read.reason));
    }
  }

  void add_meshes(const model::Object& object) {
    for (const model::Property& property : object.properties) {
      const bool is_file = model::names_mesh_file(object.type, *property.field);
      if (const auto* written = is_file ? property.value.get<std::string>() : nullptr) {
        add_mesh(*written, property.value.range);
      }
      if (const auto* nested = property.value.get<model::Value::Objects>()) {
        for (const model::Object& inner : *nested) add_meshes(inner);
      }
    }
  }

  void add_mesh(const std::string& written, const SourceRange& where) {
    const std::string file = loaded_.model.resolve_path(written, where);
    const std::string path = written.starts_with('/') ? std::string() : from_root(file);
    if (path.empty()) return refuse(written, where);
    if (!is_known(path)) add_bytes(file, path, geometry::kMaxMeshBytes, where);
  }

  // That the model reads the same when there is nothing but these files.
  void check() {
    LoadOptions options;
    options.allow_outside = true;  // nothing is there
    options.read = [&](const std::string& path, std::size_t) -> ReadResult {
      const BundledFile* file = find_bundled(files_, path);
      if (file == nullptr) return {std::nullopt, Code::file_not_found, "it is outside the folder of the model"};
      return {file->content, Code::none, ""};
    };
    options.read_sealed = [&](const std::string& path) -> ReadResult {
      for (std::size_t i = 0; i < loaded_.model.folders.size(); ++i) {
        const SourceFile& source = loaded_.sources.file(static_cast<std::int32_t>(i));
        if (from_root(source.path()) == fs::path(path).lexically_normal().generic_string()) {
          return {source.text(), Code::none, ""};
        }
      }
      return {std::nullopt, Code::file_not_found, "it is outside the folder of the model"};
    };
    options.real_path = [](const std::string& path) { return fs::path(path).lexically_normal().generic_string(); };
    Diagnostics problems;
    const LoadedModel again = load_model(files_.front().path, options, problems);
    for (const Diagnostic& problem : problems.all()) {
      if (problem.severity != Severity::error) continue;
      diagnostics_.error(Code::cannot_be_sealed, {},
                         fmt::format("from the folder of the model alone, {}", problem.message), kHint);
      return;
    }
    if (!same(again.model, loaded_.model)) {
      diagnostics_.error(Code::cannot_be_sealed, {}, "the model changes when only files of its folder are read", kHint);
    }
  }

  const LoadedModel& loaded_;
  Diagnostics& diagnostics_;
  fs::path root_;
  std::vector<BundledFile> files_;
};

}  // namespace

std::vector<BundledFile> bundle_model(const LoadedModel& loaded, Diagnostics& diagnostics) {
  return Bundler(loaded, diagnostics).run();
}

const BundledFile* find_bundled(std::span<const BundledFile> files, const std::string& path) {
  const std::string plain = fs::path(path).lexically_normal().generic_string();
  const auto found = std::find_if(files.begin(), files.end(), [&](const BundledFile& f) { return f.path == plain; });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace gelenk::formats
