#include "gelenk/base/private_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace gelenk {

PrivateFolder::PrivateFolder() {
  std::error_code problem;
  const std::filesystem::path all = std::filesystem::temp_directory_path(problem);
  std::string name = (all / "gelenk-XXXXXX").string();
  if (problem) {
    error_ = problem.message();
  } else if (::mkdtemp(name.data()) == nullptr) {
    error_ = std::system_category().message(errno);
  } else {
    path_ = name;
  }
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace gelenk
