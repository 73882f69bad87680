#pragma once

#include <map>
#include <optional>
#include <string>

#include "gelenk/cad/progress.h"
#include "gelenk/formats/imported.h"

namespace gelenk::cad {

inline constexpr std::size_t kMostUrdfBytes = std::size_t{64} << 20;

struct UrdfOptions {
  std::map<std::string, std::string> packages;  // folder of each, for package://NAME/...
  bool has_fixed_base = true;                   // the first link stands still, and needs no mass
};

// Reads a robot description (URDF). Links that are fixed to each other become one part, drawn where all coordinates are
// zero; the base is the first child of the root. What moves and has no mass gets one, with a note. Nothing, with a
// sentence in `error`, when it cannot be read.
std::optional<formats::ImportedModel> read_urdf(const std::string& path, const UrdfOptions& options,
                                                const Progress& progress, std::string& error);

}  // namespace gelenk::cad
