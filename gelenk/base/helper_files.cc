#include "gelenk/base/helper_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "gelenk/base/platform.h"

namespace gelenk {

std::vector<std::string> installed_places(std::string_view name) {
  const std::optional<std::string> own = executable_path();
  if (!own) return {};
  const std::filesystem::path folder = std::filesystem::path(*own).parent_path();
  return {(folder / name).string(), (folder.parent_path() / "libexec" / name).string()};
}

std::string looked_for(std::string_view name) {
  const std::vector<std::string> places = installed_places(name);
  // Without /proc nobody knows where the program lies.
  if (places.empty()) return "the system does not report where this program is";
  return fmt::format("neither '{}' nor '{}' exists", places[0], places[1]);
}

MissingHelper missing_helper(const HelperFile& helper) {
  return {fmt::format("{}, which {}, is missing: {}", helper.name, helper.purpose, looked_for(helper.name)),
          fmt::format("{}; 'gelenk doctor' shows what else is missing", kMissingHelperCure)};
}

}  // namespace gelenk
