#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gelenk/formats/imported.h"

namespace gelenk::formats {

struct ImportedFile {
  std::string path;  // relative to the folder of the model
  std::string content;
  bool is_users = false;  // written once, then the user's own
};

struct ImportedWriting {
  std::string name;  // of the model and its files
  std::string up = "z";
  std::optional<std::size_t> ground;  // the child of the root that stands on the ground
};

// Model files: NAME.cad.yaml, which is generated, with a folder NAME.cad of one file for each sub-assembly and one
// picture (glb) for each part; and NAME.yaml on top of it, the user's own. Parts of a sub-assembly are held together.
// Frames have their names: name_frames().
std::vector<ImportedFile> write_imported(const ImportedModel& model, const ImportedWriting& writing);

// The name of the joint that holds the child to the ground.
std::string ground_joint_name(const ImportedModel& model, std::size_t child);

}  // namespace gelenk::formats
