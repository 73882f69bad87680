#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/formats/imported_choices.h"

namespace gelenk::formats {

// What the program gelenk-cad is asked for, as JSON on its input.
struct ImportRequest {
  std::string file;
  std::string folder;  // where the model goes
  std::string name;    // of the model
  std::string up = "z";
  std::string ground;  // a part or sub-assembly; "none"; empty: propose one
  bool infers_joints = true;
  std::vector<std::pair<std::string, std::string>> packages;  // name and folder, for package:// of robot descriptions
  std::vector<MaterialChoice> materials;
  std::vector<MassChoice> masses;
  std::size_t memory_limit = 0;  // bytes; 0: none
};
std::string write_request(const ImportRequest& request);
std::optional<ImportRequest> read_request(std::string_view text, std::string& error);

}  // namespace gelenk::formats
