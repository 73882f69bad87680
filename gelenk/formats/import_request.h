#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/base/json.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/formats/imported_choices.h"

namespace gelenk::formats {

// What the program gelenk-cad is asked for, as JSON on its input.
struct ImportRequest {
  std::string file;
  std::string folder;  // where the model goes
  std::string name;    // of the model
  std::string up = "z";
  std::string ground;                                         // a part or sub-assembly; "none"; empty: propose one
  bool infers_joints = true;                                  // false: none at all
  bool ignores_joints = false;                                // of the file: surfaces say all
  std::string joints_file;                                    // of joints that the user says; empty: none
  bool updates = false;                                       // goes on from the import that is in the folder
  std::string links_folder;                                   // where linked files may be; empty: that of the file
  std::vector<std::pair<std::string, std::string>> packages;  // name and folder, for package:// of robot descriptions
  std::vector<MaterialChoice> materials;
  std::vector<MassChoice> masses;
  std::size_t memory_limit = 0;  // bytes; 0: none
};
// The member "options" of a report: what the user said, for an update to remember. And what it was.
void write_options(JsonWriter& json, const ImportRequest& request);
void read_options(const JsonValue& report, ImportRequest& request);

std::string write_request(const ImportRequest& request);
std::optional<ImportRequest> read_request(std::string_view text, std::string& error);

}  // namespace gelenk::formats
