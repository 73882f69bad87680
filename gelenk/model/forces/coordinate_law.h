#pragma once

#include "gelenk/model/common_fields.h"
#include "gelenk/model/forces/actuator.h"

// Forces on a joint coordinate, an angle or a travel, whose value is a formula of `coordinate`, `rate` and of their own
// keys: ObjectType::law. Each key may be an expression of time and motion itself. Efforts are positive in the direction
// in which the coordinate grows.
namespace gelenk::model {

struct CoordinateLaw {};

inline constexpr Field kDrivesField{.key = "drives",
                                    .kind = FieldKind::reference,
                                    .doc = "the joint coordinate it acts on: `hinge.angle`, `rail.travel`",
                                    .required = true,
                                    .refers_to = Refers::coordinate};

// A key of a law on a coordinate, with its quantity on a travel and on an angle.
constexpr Field coordinate_key(std::string_view key, Quantity on_travel, Quantity on_angle, std::string_view doc) {
  return {.key = key, .kind = FieldKind::signal, .doc = doc, .on_travel = on_travel, .on_angle = on_angle};
}
constexpr Field needed(Field field) {
  field.required = true;
  return field;
}
constexpr Field with_default(Field field, std::string_view fallback) {
  field.fallback = fallback;
  return field;
}
constexpr Field not_negative(Field field) {
  field.range = kNotNegative;
  return field;
}
constexpr Field positive(Field field) {
  field.range = kPositive;
  return field;
}
// What the law reads where the key is left out and no number stands for that.
constexpr Field absent_as(Field field, double value) {
  field.absent = value;
  return field;
}

}  // namespace gelenk::model
