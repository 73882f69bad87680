#include "gelenk/component/container.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "gelenk/base/hash.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"

namespace gelenk::component {
namespace {

constexpr std::size_t kMostFileBytes = std::size_t{512} << 20;
constexpr std::string_view kBinaries = "binaries/";
constexpr std::string_view kLibraryEnding = ".so";
// Of FMI 3.0, section 2.5.1.
constexpr std::array<std::string_view, 6> kFolders{kBinaries,    "documentation/", "extra/",
                                                   "resources/", "sources/",       "terminalsAndIcons/"};
constexpr std::string_view kModelDescription = "modelDescription.xml";

// "x86_64-linux" of "binaries/x86_64-linux/part.so"; empty for files elsewhere, and for files right in binaries/.
std::string_view platform_of(std::string_view path) {
  if (!path.starts_with(kBinaries)) return {};
  path.remove_prefix(kBinaries.size());
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

bool has_place(std::string_view path) {
  if (path.starts_with(kBinaries)) return !platform_of(path).empty();
  const auto holds = [&](std::string_view folder) { return path.starts_with(folder); };
  return path == kModelDescription || std::any_of(kFolders.begin(), kFolders.end(), holds);
}

OpenResult failed(OpenProblem problem, std::string error) { return {std::nullopt, problem, std::move(error)}; }

// What is wrong with the platforms, or nothing: each has binaries, and all binaries have their platform.
std::string platform_problem(const Manifest& manifest) {
  std::set<std::string_view> missing(manifest.platforms.begin(), manifest.platforms.end());
  const std::set<std::string_view> listed = missing;
  for (const FileRecord& file : manifest.files) {
    const std::string_view platform = platform_of(file.path);
    if (platform.empty()) continue;
    if (!listed.contains(platform)) return fmt::format("the manifest does not list the platform of '{}'", file.path);
    missing.erase(platform);
  }
  if (missing.empty()) return {};
  return fmt::format("the manifest lists the platform {}, but there are no binaries for it", *missing.begin());
}

// Moves the files of the archive into the order of the manifest. What does not agree, or nothing.
std::string take_files(std::map<std::string, std::string, std::less<>>& found, Container& container) {
  for (const FileRecord& record : container.manifest.files) {
    if (!has_place(record.path)) return fmt::format("the file '{}' does not belong in a component", record.path);
    const auto file = found.find(record.path);
    if (file == found.end()) return fmt::format("the file '{}' is missing", record.path);
    if (file->second.size() != record.size) {
      return fmt::format("the file '{}' has {} bytes instead of {}", record.path, file->second.size(), record.size);
    }
    if (sha256(file->second) != record.sha256) return fmt::format("the file '{}' has been changed", record.path);
    container.files.push_back({record.path, std::move(file->second)});
    found.erase(file);
  }
  if (found.empty()) return {};
  return fmt::format("the file '{}' is not in the manifest", found.begin()->first);
}

// Takes a file out, or nothing.
std::optional<std::string> taken(std::map<std::string, std::string, std::less<>>& files, std::string_view path) {
  const auto found = files.find(path);
  if (found == files.end()) return std::nullopt;
  std::string bytes = std::move(found->second);
  files.erase(found);
  return bytes;
}

std::string first_difference(const Manifest& a, const Manifest& b) {
  if (a.abi != b.abi) {
    return fmt::format("its binaries use interface {}.{}, those already here {}.{}", b.abi.major, b.abi.minor,
                       a.abi.major, a.abi.minor);
  }
  if (a.about.name != b.about.name) return fmt::format("it is '{}', this is '{}'", b.about.name, a.about.name);
  if (a.about.version != b.about.version) {
    return fmt::format("it is version {}, this is version {}", b.about.version, a.about.version);
  }
  if (a.about != b.about) return "its texts (about) differ";
  if (a.ports != b.ports) return "its ports differ";
  if (a.parameters != b.parameters) return "its parameters differ";
  if (a.outputs != b.outputs) return "its outputs differ";
  return {};
}

std::map<std::string_view, std::string_view> without_binaries(std::span<const ZipEntry> files) {
  std::map<std::string_view, std::string_view> result;
  for (const ZipEntry& file : files) {
    if (platform_of(file.path).empty()) result.emplace(file.path, file.bytes);
  }
  return result;
}

// Records of all files, and the platforms that they are for.
void describe_files(Manifest& manifest, std::span<const ZipEntry> files) {
  manifest.files.clear();
  std::set<std::string> platforms;
  for (const ZipEntry& file : files) {
    manifest.files.push_back({file.path, file.bytes.size(), sha256(file.bytes)});
    if (const std::string_view platform = platform_of(file.path); !platform.empty()) platforms.emplace(platform);
  }
  manifest.platforms.assign(platforms.begin(), platforms.end());
}

}  // namespace

const std::string* Container::find(std::string_view path) const {
  const auto found = std::find_if(files.begin(), files.end(), [&](const ZipEntry& file) { return file.path == path; });
  return found == files.end() ? nullptr : &found->bytes;
}

OpenResult read_container(std::string_view bytes, const ZipLimits& limits) {
  if (!looks_like_zip(bytes)) return failed(OpenProblem::not_component, "it is not a ZIP archive");
  std::string error;
  std::optional<std::vector<ZipEntry>> entries = read_zip(bytes, error, limits);
  if (!entries) return failed(OpenProblem::damaged, error);
  std::map<std::string, std::string, std::less<>> files;
  for (ZipEntry& entry : *entries) files.emplace(std::move(entry.path), std::move(entry.bytes));

  Container container;
  std::optional<std::string> manifest = taken(files, kManifestPath);
  if (!manifest) {
    return failed(OpenProblem::not_component, fmt::format("it is a ZIP archive without '{}'", kManifestPath));
  }
  container.manifest_bytes = std::move(*manifest);
  // The signature first: only then is it worth while to say what else the manifest has.
  if (const std::optional<std::string> text = taken(files, kSignaturePath)) {
    container.signature = read_signature(*text, error);
    if (!container.signature) return failed(OpenProblem::damaged, error);
    if (!fits(*container.signature, container.manifest_bytes)) {
      return failed(OpenProblem::damaged, "its manifest was changed after it was signed");
    }
  }
  ManifestResult read = read_manifest(container.manifest_bytes);
  if (!read.manifest) {
    return failed(read.is_newer ? OpenProblem::newer : OpenProblem::damaged,
                  fmt::format("manifest.json: {}", read.error));
  }
  container.manifest = std::move(*read.manifest);
  error = take_files(files, container);
  if (error.empty()) error = platform_problem(container.manifest);
  if (!error.empty()) return failed(OpenProblem::damaged, error);
  return {std::move(container), OpenProblem::none, {}};
}

OpenResult open_container(const std::string& path, const ZipLimits& limits) {
  const ReadResult file = read_file(path, kMostFileBytes);
  if (!file.text) {
    return failed(OpenProblem::unreadable, fmt::format("the file '{}' cannot be read: {}", path, file.reason));
  }
  OpenResult result = read_container(*file.text, limits);
  switch (result.problem) {
    case OpenProblem::none:
    case OpenProblem::unreadable:
      break;
    case OpenProblem::not_component:
      result.error = fmt::format("'{}' is not a sealed component: {}", path, result.error);
      break;
    case OpenProblem::newer:
      result.error = fmt::format("'{}' was made by a newer Gelenk: {}", path, result.error);
      break;
    case OpenProblem::damaged:
      result.error = fmt::format("'{}' is damaged: {}", path, result.error);
      break;
  }
  return result;
}

std::vector<const ZipEntry*> binaries_for(const Container& container, std::string_view platform, std::string& error) {
  error.clear();
  std::vector<const ZipEntry*> result;
  for (const ZipEntry& file : container.files) {
    if (platform_of(file.path) == platform && !platform.empty()) result.push_back(&file);
  }
  if (result.empty()) {
    const std::vector<std::string>& present = container.manifest.platforms;
    error = fmt::format("'{}' has no binaries for {}; it has {}", container.manifest.about.name, platform,
                        present.empty() ? "no platform at all" : join(present, ", "));
  }
  return result;
}

// Names of files are plain.
std::string library_path(std::string_view platform, std::string_view component) {
  std::string name;
  for (const char c : component) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_plain || c == '_' || c == '-') {
      name += c;
    } else if (!name.ends_with('_')) {
      name += '_';
    }
  }
  return fmt::format("{}{}/{}{}", kBinaries, platform, name, kLibraryEnding);
}

std::string code_path(std::string_view library) {
  if (library.ends_with(kLibraryEnding)) library.remove_suffix(kLibraryEnding.size());
  return fmt::format("{}-code{}", library, kLibraryEnding);
}

bool has_code(const Container& container) {
  return std::any_of(container.files.begin(), container.files.end(), [&](const ZipEntry& file) {
    return file.path.starts_with(kBinaries) && container.find(code_path(file.path)) != nullptr;
  });
}

Libraries libraries_for(const Container& container, std::string_view platform, std::string& error) {
  const std::vector<const ZipEntry*> binaries = binaries_for(container, platform, error);
  if (binaries.empty()) return {};
  for (const ZipEntry* const library : binaries) {
    const std::string* const code = container.find(code_path(library->path));
    if (code != nullptr) return {&library->bytes, code};
  }
  return {&binaries.front()->bytes, nullptr};
}

std::string add_platforms(ContainerDraft& draft, const Container& other) {
  if (other.manifest.format.minor > kManifestFormat.minor || draft.manifest.format.minor > kManifestFormat.minor) {
    return "one of the two was made by a newer Gelenk; combine them with that version";
  }
  if (std::string difference = first_difference(draft.manifest, other.manifest); !difference.empty()) {
    return "the other file is not the same component: " + difference;
  }
  if (without_binaries(draft.files) != without_binaries(other.files)) {
    return "the other file is not the same component: files other than the binaries differ";
  }
  std::set<std::string_view> present;
  for (const ZipEntry& file : draft.files) present.insert(platform_of(file.path));
  std::vector<ZipEntry> added;
  for (const ZipEntry& file : other.files) {
    const std::string_view platform = platform_of(file.path);
    if (platform.empty()) continue;
    if (present.contains(platform)) return fmt::format("both files have binaries for {}", platform);
    added.push_back(file);
  }
  if (added.empty()) return "the other file has no binaries";
  draft.files.insert(draft.files.end(), added.begin(), added.end());
  return {};
}

std::optional<std::string> make_container(const ContainerDraft& draft, const SecretKey* key, std::string& error) {
  Manifest manifest = draft.manifest;
  describe_files(manifest, draft.files);
  std::vector<ZipEntry> entries;
  entries.reserve(draft.files.size() + 2);
  entries.push_back({std::string(kManifestPath), write_manifest(manifest)});
  if (key != nullptr) {
    const Signature signature = sign_manifest(*key, entries.front().bytes);
    entries.push_back({std::string(kSignaturePath), write_signature(signature)});
  }
  entries.insert(entries.end(), draft.files.begin(), draft.files.end());
  std::optional<std::string> bytes = make_zip(entries, error);
  if (!bytes) return std::nullopt;
  // Every rule of the reader is a rule of the writer.
  error = read_container(*bytes).error;
  if (!error.empty()) return std::nullopt;
  return bytes;
}

std::string write_container(const std::string& path, const ContainerDraft& draft, const SecretKey* key) {
  std::string error;
  const std::optional<std::string> bytes = make_container(draft, key, error);
  if (!bytes) return fmt::format("the component cannot be written: {}", error);
  const std::string reason = write_file_atomically(path, *bytes);
  return reason.empty() ? reason : fmt::format("the file '{}' cannot be written: {}", path, reason);
}

}  // namespace gelenk::component
