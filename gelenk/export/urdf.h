#pragma once

#include <string>
#include <vector>

#include "gelenk/export/scene.h"
#include "gelenk/model/machine.h"

namespace gelenk::exporting {

struct UrdfMesh {
  std::string file;   // beside the description: "robot_meshes/crank.stl"
  std::string bytes;  // STL
};

struct Urdf {
  std::string text;
  std::vector<UrdfMesh> meshes;
  std::size_t link_count = 0, joint_count = 0, cut_count = 0;
  std::vector<std::string> notes;  // what the format cannot say; also in a comment of the text
};

// A robot description of the tree part of a machine (machine_tree.h). Joints that would close a loop are cut, and
// named. Links have the axes of their parts, and their origins, too, unless a hinge is elsewhere. All joint coordinates
// are those of the machine; a joint that the format does not have becomes `floating`, standing as at the start.
Urdf make_urdf(const Scene& scene, const model::Machine& machine, const std::string& mesh_folder);

}  // namespace gelenk::exporting
