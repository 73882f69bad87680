#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/source.h"
#include "gelenk/formats/model_loader.h"

namespace gelenk::formats {

// One edit of a model by path:
//   add    joints.hinge   type=revolute between="[ground, crank]" axis=z
//   set    joints.hinge   axis=y start.angle="30 deg"      (an empty value takes the key away)
//   set    parameters.speed="900 rpm"
//   remove parts.rod                                        (or a key: joints.hinge.start)
//   rename parts.rod      connecting_rod
// A path begins with a key of the model file, with `definitions.NAME`, or with the bare name of an element when only
// one has it; `crank.pin` is the frame of a part.
struct EditCommand {
  enum class Kind : std::uint8_t { add, set, remove, rename };
  Kind kind = Kind::set;
  std::string path;
  // Key and value in the flow form of YAML. Keys may have dots; an empty key is the thing at `path` itself.
  std::vector<std::pair<std::string, std::string>> key_values;
  std::string new_name;  // of rename
};

// Reads a command as the words of a command line: {"set", "crank_pin", "axis=y"}. Reports what is wrong with it.
std::optional<EditCommand> parse_edit_command(std::span<const std::string> words, Diagnostics& diagnostics);

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
