#pragma once

#include <string>
#include <vector>

#include "gelenk/cad/import_memory.h"
#include "gelenk/cad/step_reader.h"
#include "gelenk/formats/import_request.h"
#include "gelenk/formats/imported_writer.h"

namespace gelenk::cad {

struct ImportResult {
  std::vector<formats::ImportedFile> files;
  std::string error;              // empty: it is done
  bool is_users_mistake = false;  // the file is fine, but not what was said about it
};

// Reads the file and makes the model. The last of the files is NAME.cad/import.json, a report for programs, and the
// memory that the next import can go on from.
ImportResult import_file(const formats::ImportRequest& request, const Progress& progress,
                         const ImportMemory* memory = nullptr);

}  // namespace gelenk::cad
