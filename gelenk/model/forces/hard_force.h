#pragma once

#include "gelenk/model/common_fields.h"
#include "gelenk/model/forces/coordinate_law.h"

// Hard forces: on a joint coordinate, or on the difference of two, with a set in the place of a formula. Within it they
// exert whatever keeps their law: a stop is not passed, what sticks does not creep. `method: moreau` finds them,
// docs/theory/contact.md, section 4.
namespace gelenk::model {

// What they act on is coordinate - ratio × relative_to.
struct HardForce {
  double ratio = 1.0;
};

inline constexpr Field kRelativeToField{
    .key = "relative_to",
    .kind = FieldKind::reference,
    .doc =
        "a second coordinate of the same kind: the law is one of `drives` - `ratio` × `relative_to`, and acts on both",
    .refers_to = Refers::coordinate,
    .also_called = "from input other between"};
inline constexpr Field kRatioField{.key = "ratio",
                                   .kind = FieldKind::number,
                                   .quantity = Quantity::number,
                                   .doc = "of the second coordinate; negative where the two turn against each other",
                                   .fallback = "1",
                                   .store = kNumberInto<&HardForce::ratio>,
                                   .also_called = "gear_ratio"};

// A constant number of a law, with its quantity on a travel and on an angle.
constexpr Field hard_number(std::string_view key, Quantity on_travel, Quantity on_angle, std::string_view doc,
                            void (*store)(void*, double)) {
  return {
      .key = key, .kind = FieldKind::number, .doc = doc, .store = store, .on_travel = on_travel, .on_angle = on_angle};
}
constexpr Field restitution_field(void (*store)(void*, double)) {
  return {.key = "restitution",
          .kind = FieldKind::number,
          .quantity = Quantity::number,
          .doc = "Newton's coefficient: speed of departure per speed of approach",
          .fallback = "0",
          .range = {0.0, 1.0},
          .store = store,
          .also_called = "bounce e coefficient_of_restitution"};
}
inline constexpr std::array<std::string_view, 2> kFreeWays{"forward", "backward"};
inline constexpr Field kFreeField{.key = "free",
                                  .kind = FieldKind::choice,
                                  .doc = "the direction in which it lets the coordinate go",
                                  .fallback = "forward",
                                  .choices = kFreeWays,
                                  .also_called = "direction allows"};

inline constexpr std::array kHardChannels{
    Channel{"torque", Quantity::torque, Channel::Shape::scalar, false,
            "on `drives`, positive in the direction of increasing angle; mean over a step"},
    Channel{"force", Quantity::force, Channel::Shape::scalar, false,
            "on `drives`, positive in the direction of increasing travel; mean over a step"},
    Channel{"power", Quantity::power, Channel::Shape::scalar, false, "what it puts in; mean over a step"},
    Channel{"mode", Quantity::number, Channel::Shape::scalar, false, "0: it is free, 1: it holds, 2: it slides"},
};

}  // namespace gelenk::model
