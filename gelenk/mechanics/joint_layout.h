#pragma once

#include "gelenk/math/joint_rows.h"
#include "gelenk/mechanics/ports.h"
#include "gelenk/system/system.h"

namespace gelenk::mechanics {

using system::RowForm;

// The rows of a machine in packed form, joint by joint in the order of their numbers. Rows of a joint and of its
// drivers are together, the three rows of coinciding origins as a point; points, turns and lines each in the order of
// their numbers.
JointRowLayout make_joint_row_layout(const system::System& system, const Ports& ports = {});

// Form of each row of one joint, in the order of JointRowLayout::rows_of().
inline RowForm row_form(const JointRows& joint, std::size_t index) {
  const std::size_t turns = std::size_t{3} * joint.points;
  if (index < turns) return RowForm::point;
  return index < turns + joint.turns ? RowForm::turn : RowForm::line;
}
// Place of the numbers of row `index` of a joint; for rows of a point, those of the point.
inline std::size_t row_place(const JointRows& joint, std::size_t index) {
  const auto first = static_cast<std::size_t>(joint.first_value);
  const std::size_t point_rows = std::size_t{3} * joint.points;
  if (index < point_rows) return first;
  const std::size_t turns = first + std::size_t{6} * joint.points;
  if (index < point_rows + joint.turns) return turns + 3 * (index - point_rows);
  return turns + std::size_t{3} * joint.turns + 9 * (index - point_rows - joint.turns);
}

}  // namespace gelenk::mechanics
