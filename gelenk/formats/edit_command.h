#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/document.h"

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

// A value as it is given on a command line. Lists, maps and quoted texts are read as YAML; anything else is text as it
// stands, so that `value==max(a, b)` needs no second pair of quotes. Nothing at all is null.
std::optional<Node> read_given_value(std::string_view given, Diagnostics& diagnostics);

}  // namespace gelenk::formats
