#include "gelenk/cad/freecad_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/text.h"

namespace gelenk::cad {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFreecadFiles = 1000;

// Without dots and symbolic links, as far as the path exists.
fs::path plain_path(const fs::path& path) {
  std::error_code ignored;
  const fs::path absolute = fs::absolute(path, ignored);
  const fs::path found = fs::weakly_canonical(absolute, ignored);
  const fs::path plain = ignored ? absolute.lexically_normal() : found;
  return plain.has_filename() ? plain : plain.parent_path();
}

// FreeCAD stores a path with the separators of the system where it was saved.
std::string with_slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

}  // namespace

std::optional<FreecadFiles> FreecadFiles::open(const std::string& path, const std::string& folder, std::string& error) {
  std::optional<FreecadDocument> root = FreecadDocument::read(path, 0, error);
  if (!root) return std::nullopt;
  const fs::path whole = plain_path(path);
  FreecadFiles files(plain_path(folder.empty() ? whole.parent_path() : fs::path(folder)));
  files.documents_.push_back(std::make_unique<FreecadDocument>(*std::move(root)));
  files.folders_.push_back(whole.parent_path());
  files.known_[whole] = {0, ""};
  return files;
}

bool FreecadFiles::is_inside(const fs::path& path) const {
  const auto [end_of_folder, ignored] = std::mismatch(folder_.begin(), folder_.end(), path.begin(), path.end());
  return end_of_folder == folder_.end();
}

std::optional<fs::path> FreecadFiles::find(const fs::path& beside, const std::string& named,
                                           std::string& problem) const {
  const fs::path stored = with_slashes(named);
  const fs::path as_stored = plain_path(stored.is_absolute() ? stored : beside / stored);
  if (is_inside(as_stored) && is_file(as_stored)) return as_stored;
  // The path of another computer, or of a folder that was moved.
  const fs::path moved = plain_path(beside / stored.filename());
  if (is_inside(moved) && is_file(moved)) return moved;
  problem = fmt::format("is in another file, {}, ", shown(named));
  problem += is_inside(as_stored)
                 ? "which is missing: put it beside this one"
                 : "which is outside the folder of this one: --links FOLDER names a folder that holds both";
  return std::nullopt;
}

const FreecadDocument* FreecadFiles::document(const fs::path& path, std::string& problem) {
  const auto [entry, is_new] = known_.try_emplace(path);
  Known& known = entry->second;
  if (is_new && documents_.size() >= kMostFreecadFiles) {
    known.problem = fmt::format("is in file {}, and more than {} files are not read", shown(path.filename().string()),
                                kMostFreecadFiles);
  } else if (is_new) {
    std::string error;
    if (std::optional<FreecadDocument> read = FreecadDocument::read(path.string(), documents_.size(), error)) {
      known.number = documents_.size();
      documents_.push_back(std::make_unique<FreecadDocument>(*std::move(read)));
      folders_.push_back(path.parent_path());
    } else {
      known.problem = "is in another file: " + error;
    }
  }
  problem = known.problem;
  return known.number ? documents_[*known.number].get() : nullptr;
}

FreecadFiles::Target FreecadFiles::target(const FreecadObject& object, const FreecadProperty& link) {
  if (link.links.empty()) return {nullptr, "does not link to a single part"};
  Target result;
  const FreecadDocument* home = documents_[object.file].get();
  if (!link.file.empty()) {
    const std::optional<fs::path> path = find(folders_[object.file], link.file, result.problem);
    home = path ? document(*path, result.problem) : nullptr;
    if (home == nullptr) return result;
  }
  result.object = home->find(link.links.front());
  if (result.object == nullptr) {
    result.problem = link.file.empty() ? "does not link to a single part"
                                       : fmt::format("is in another file, {}, which has no object {}", shown(link.file),
                                                     shown(link.links.front()));
  }
  return result;
}

}  // namespace gelenk::cad
