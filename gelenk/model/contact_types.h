#pragma once

#include "gelenk/model/common_fields.h"

// What touches: surfaces of parts and of the ground, and which of them meet.
namespace gelenk::model {

extern const ObjectType kContourType;
extern const ObjectType kPlaneContourType;
extern const ObjectType kContactType;

inline constexpr Field kContoursField{.key = "contours",
                                      .kind = FieldKind::section,
                                      .doc = "surfaces that touch others, see `contacts`",
                                      .object = &kContourType,
                                      .also_called = "collision collisions colliders"};
inline constexpr Field kContactsField{.key = "contacts",
                                      .kind = FieldKind::section,
                                      .doc =
                                          "which contours touch, with friction and restitution; runs with "
                                          "`method: moreau`",
                                      .object = &kContactType,
                                      .also_called = "collisions impacts"};

}  // namespace gelenk::model
