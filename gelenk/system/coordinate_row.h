#pragma once

#include <cstdint>

#include "gelenk/system/system.h"

namespace gelenk::system {

// The row that prescribes an angle or a travel: its value is that of the driver with this number.
inline Row coordinate_row(const Coordinate& c, const Joint& joint, std::int32_t driver) {
  Row row{
      RowKind::frame_axis, static_cast<std::uint8_t>(c.type->axis), 0, joint.frame_a, joint.frame_b, c.joint, driver};
  if (c.type->motion == model::Coordinate::Motion::rotation) {
    row.kind = c.type->axis == 2 ? RowKind::angle_at_a : RowKind::angle_at_b;
  }
  if (c.type->is_on_curve) row.kind = RowKind::curve_travel;
  row.curve = c.curve;
  return row;
}

}  // namespace gelenk::system
