#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/math/joint_rows.h"

namespace gelenk::analysis {

// A row between two bodies beside those of a machine, written as a row of its Jacobian: linear parts of the two bodies
// are opposite, as are the angular ones of a row without linear parts.
struct AddedRow {
  std::int32_t joint = -1;  // of the layout, with the same bodies; -1: of none
  RowBodies bodies;
  RowBlock block;
};

// The packed rows of joints together with added ones, which become turns and lines of their joints or joints of their
// own (joint_rows.h, equations 2 and 3). Their numbers follow those of all other rows.
struct PackedRows {
  JointRowLayout layout;
  std::vector<double> values;
};
PackedRows add_rows(const JointRowLayout& layout, std::span<const double> values, std::span<const AddedRow> added);

}  // namespace gelenk::analysis
