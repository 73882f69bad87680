#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Of joints that hold the angle between an axis of the first frame and one of the second.
inline constexpr std::array kAxisOnEachFields{
    Field{.key = "axis",
          .kind = FieldKind::direction,
          .doc = "axis that is fixed in the first frame, in its axes, or in those of `at` where that is given",
          .required = true},
    Field{.key = "second_axis",
          .kind = FieldKind::direction,
          .doc = "axis that is fixed in the second frame, in its axes, or in those of `at` where that is given",
          .required = true},
};

}  // namespace gelenk::model
