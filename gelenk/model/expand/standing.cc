#include "gelenk/model/expand/standing.h"

namespace gelenk::model::expanding {

void place_assemblies(Instances& instances, const Standing& standing, Places& places, Machine& machine) {
  for (Instance& instance : instances) {
    AssemblyNode& node = machine.assemblies[instance.id.index()];
    if (instance.owner == nullptr) {
      node.X_WA = standing.X_WA;
      node.mirror = standing.mirror;
      node.world_mirror = standing.world_mirror;
      node.is_mirrored = node.mirror.determinant() < 0.0;
    }
    if (instance.owner == nullptr || !places.drawn_pose(instance)) continue;
    const AssemblyNode& owner = machine.assemblies[instance.owner->id.index()];
    const Matrix3& S = instance.plan->mirror;
    node.X_WA = owner.X_WA * mirrored(pose_in_owner(instance), owner.mirror);
    node.mirror = owner.mirror * S;
    node.is_mirrored = node.mirror.determinant() < 0.0;
    // R_WO H S Hᵀ R_WOᵀ is this mirror in world axes.
    const Matrix3 to_world = owner.X_WA.rotation * owner.mirror;
    node.world_mirror = to_world * S * to_world.transpose() * owner.world_mirror;
  }
  for (SealedNode& sealed : machine.sealed) {
    const AssemblyNode& node = machine.assemblies[sealed.assembly.index()];
    sealed.standing = {node.X_WA, node.mirror, node.world_mirror};
  }
}

}  // namespace gelenk::model::expanding
