#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Where a force or torque of given size acts.
inline constexpr std::array kLoadFields{
    Field{.key = "applied_to",
          .kind = FieldKind::reference,
          .doc = "the frame it acts on, without a reaction on another part. Either this or `between`",
          .refers_to = Refers::frame},
    kBetweenField,
    Field{.key = "axes_of",
          .kind = FieldKind::reference,
          .doc = "frame whose axes the direction is given in; by default, the frame it acts on, or the first of "
                 "`between`",
          .refers_to = Refers::frame},
};

}  // namespace gelenk::model
