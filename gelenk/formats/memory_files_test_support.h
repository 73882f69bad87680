#pragma once

#include <map>
#include <string>

#include "gelenk/formats/model_loader.h"

namespace gelenk::formats {

// Files of a model that exist only in a test.
using MemoryFiles = std::map<std::string, std::string>;

inline LoadOptions reading_from(const MemoryFiles& files) {
  LoadOptions options;
  options.allow_outside = true;  // folders that do not exist contain nothing
  options.read = [&files](const std::string& path, std::size_t) -> ReadResult {
    const auto it = files.find(path);
    if (it == files.end()) return {std::nullopt, Code::file_not_found, "No such file or directory"};
    return {it->second, Code::none, ""};
  };
  return options;
}

}  // namespace gelenk::formats
