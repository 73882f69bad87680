#include "apps/gelenk/seal_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gelenk/base/platform.h"

namespace gelenk::app {

std::string map_text(const component::Manifest& manifest,
                     const std::vector<std::pair<std::string, std::string>>& elements) {
  std::size_t width = 0;
  for (const auto& [number, path] : elements) width = std::max(width, number.size());
  std::string text =
      fmt::format("# What messages of the sealed component '{}', version {}, mean. For its maker: keep it.\n",
                  manifest.about.name, manifest.about.version);
  for (const auto& [number, path] : elements) {
    text += fmt::format("{:<{}}  {}\n", number, width, path.empty() ? "(the component itself)" : path);
  }
  return text;
}

std::string write_map(const std::string& path, const std::string& text) {
  namespace fs = std::filesystem;
  std::error_code problem;
  if (fs::exists(path, problem)) {
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write, problem);
    if (problem) return problem.message();
  }
  return write_private_file_atomically(path, text);
}

}  // namespace gelenk::app
