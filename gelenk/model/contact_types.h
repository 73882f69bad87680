#pragma once

#include "gelenk/model/common_fields.h"

// What touches: surfaces of parts and of the ground, and which of them meet.
namespace gelenk::model {

extern const ObjectType kContourType;
extern const ObjectType kPlaneContourType;
extern const ObjectType kContactType;

// What a contact records, means over a step. A vector in world axes.
inline constexpr std::array kContactChannels{
    Channel{"force", Quantity::force, Channel::Shape::vector, false,
            "on the second of `between`, or on what is named in `with`"},
    Channel{"normal_force", Quantity::force, Channel::Shape::scalar, false,
            "sum of the forces across the surfaces at all points"},
    Channel{"friction_force", Quantity::force, Channel::Shape::scalar, false,
            "sum of the sizes of the forces along the surfaces at all points"},
    Channel{"points", Quantity::number, Channel::Shape::scalar, false, "how many carry something"},
};
inline constexpr std::size_t kContactNumbers = 6;  // all of them, one after the other

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
