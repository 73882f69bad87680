#include "gelenk/base/system_error.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "gelenk/base/text.h"

namespace gelenk {

std::string error_text(int error) { return std::system_category().message(error); }

std::string creation_error_text(const std::string& path, int error) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  std::error_code problem;
  if (error == ENOENT && !folder.empty() && !std::filesystem::exists(folder, problem)) {
    return "there is no folder " + shown(folder);
  }
  if (error == ENOTDIR && !folder.empty()) return shown(folder) + " is not a folder";
  if (error == EACCES && ::access(folder.empty() ? "." : folder.c_str(), W_OK) != 0) {
    return "you may not write in " + (folder.empty() ? "this folder" : "the folder " + shown(folder));
  }
  return error_text(error);
}

}  // namespace gelenk
