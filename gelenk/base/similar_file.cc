#include "gelenk/base/similar_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "gelenk/base/text.h"

namespace gelenk {
namespace {

constexpr std::size_t kMostEntries = 1000;  // of a folder that are looked at

}  // namespace

std::string did_you_mean_file(const std::string& path) {
  const std::filesystem::path written(path);
  const std::filesystem::path folder = written.has_parent_path() ? written.parent_path() : std::filesystem::path(".");
  std::error_code problem;
  if (!std::filesystem::is_directory(folder, problem))
    return fmt::format("there is no folder {}", shown(folder.string()));
  // my_machine.yaml, of a machine that has the folder my_machine
  const std::filesystem::path inside = folder / written.stem() / written.filename();
  if (std::filesystem::is_regular_file(inside, problem) && is_printable(inside.string(), false)) {
    return fmt::format("did you mean '{}'?", inside.lexically_normal().string());
  }
  std::vector<std::string> names, others;  // with the same extension, and with another one
  for (std::filesystem::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    if (names.size() + others.size() == kMostEntries) break;
    const bool is_same = entry->path().extension() == written.extension();
    (is_same ? names : others).push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());  // folders have no order of their own
  std::sort(others.begin(), others.end());
  std::optional<std::string> near = nearest_name(written.filename().string(), names);
  if (!near) near = nearest_name(written.filename().string(), others);
  if (!near || !is_printable(*near, false)) return {};
  return fmt::format("did you mean '{}'?", written.has_parent_path() ? (folder / *near).string() : *near);
}

}  // namespace gelenk
