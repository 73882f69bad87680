#pragma once

#include <span>
#include <string>

#include "gelenk/export/scene.h"
#include "gelenk/export/scene_motion.h"

namespace gelenk::exporting {

struct GltfOptions {
  bool is_binary = true;  // .glb; else .gltf with the numbers inside as text
  bool has_symbols = false;
  std::string generator = "gelenk";
};

// A scene as a file of glTF 2.0: one node for each assembly and part, with the path as its name; shapes are nodes below
// their parts, equal ones share their numbers. One node above all turns `up` of the machine to y, which is up there.
// The parts stand at X_WP; with a motion the file has one animation, which begins at 0 s, with tracks for the parts
// that move. Returns what went wrong, or nothing.
std::string write_gltf(const Scene& scene, std::span<const Pose> poses, const SceneMotion* motion,
                       const GltfOptions& options, std::string& file);

}  // namespace gelenk::exporting
