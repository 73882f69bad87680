#pragma once

#include <string>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/source.h"
#include "gelenk/formats/edit_command.h"
#include "gelenk/formats/model_loader.h"

namespace gelenk::formats {

struct ChangedFile {
  std::string path;
  std::string old_text;
  std::string new_text;
};

struct EditResult {
  bool ok = false;
  std::vector<ChangedFile> files;  // empty when the edit changes nothing
  SourceMap sources;               // what the ranges of the diagnostics mean
};

// Works the edit out in memory: the text changes only where the element stands and where it is referred to. The new
// texts are then loaded and expanded; an edit that brings errors which were not there before is refused with them.
EditResult plan_edit(const std::string& path, const EditCommand& command, const LoadOptions& options,
                     Diagnostics& diagnostics);

// The same, and writes the files: all of them or, when one cannot be written, none.
EditResult edit_model(const std::string& path, const EditCommand& command, const LoadOptions& options,
                      Diagnostics& diagnostics);

}  // namespace gelenk::formats
