#pragma once

#include "gelenk/model/common_fields.h"

// What has mass or marks a place: parts, frames, shapes, materials.
namespace gelenk::model {

extern const ObjectType kPartType;
extern const ObjectType kFrameType;
extern const ObjectType kGroundType;
extern const ObjectType kMaterialType;
extern const ObjectType kPlacementType;    // {position, orientation, relative_to}
extern const ObjectType kOrientationType;  // one of several forms
extern const Family kShapeFamily;          // box, cylinder, ...

extern const ObjectType kBoxType;
extern const ObjectType kCylinderType;
extern const ObjectType kTubeType;
extern const ObjectType kSphereType;
extern const ObjectType kCapsuleType;
extern const ObjectType kConeType;
extern const ObjectType kMeshType;
extern const ObjectType kExtrusionType;
// Whether the key of a shape names a file that it is made of.
bool names_mesh_file(const ObjectType* type, const Field& field);

// What every part records, in world axes.
std::span<const Channel> part_channels();
// What formulas may read of every part, but nothing records.
std::span<const Channel> part_energies();
// Of any named frame, in world axes; of one frame relative to another, in the axes of that one.
std::span<const Channel> frame_channels();
std::span<const Channel> relative_channels();
// The angle by which a frame is turned about z of another.
extern const Channel kAngleChannel;

}  // namespace gelenk::model
