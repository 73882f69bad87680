#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/math/constraint_blocks.h"

// Constraint rows of whole joints, packed: what rows of a joint have in common is stored once. Bodies have six
// unknowns, acceleration (or velocity, or displacement) a of the center of mass and α of the rotation, world axes. Rows
// say how body b moves against body a:
//
//   point, three rows:  a_b + α_b × s_b - (a_a + α_a × s_a) = u, along x, y, z of the world                (1)
//   turn:               n · (α_b - α_a) = u                                                                (2)
//   line:               l · (a_b - a_a) + m_b · α_b + m_a · α_a = u                                        (3)
//
// with s the arms from the centers of mass to the joint's point. Forces between two bodies cancel, hence a and b have
// opposite linear parts; their moments about any point cancel too, hence m_a + m_b = -v × l with one v for all lines
// of a joint. The ground is body -1; its arms and moments are zero and never read.
namespace gelenk {

// Mass of a body at its center of mass, world axes.
struct BodyMass {
  double mass = 0.0;
  std::array<double, 6> inertia{};    // xx xy xz yy yz zz
  double mean_inverse_inertia = 0.0;  // of the three principal ones, for the scaling of rows
};

// The rows of one joint, its drivers among them: points, then turns, then lines.
struct JointRows {
  std::int32_t a = -1;
  std::int32_t b = -1;
  std::uint8_t points = 0;  // 0 or 1
  std::uint8_t turns = 0;
  std::uint8_t lines = 0;
  std::int32_t first_row = 0;    // in JointRowLayout::row_numbers
  std::int32_t first_value = 0;  // of the packed numbers

  std::size_t row_count() const { return std::size_t{3} * points + turns + lines; }
  // s_a, s_b if there is a point; n of each turn; l, m_a, m_b of each line
  std::size_t value_count() const { return std::size_t{6} * points + std::size_t{3} * turns + std::size_t{9} * lines; }
};

struct JointRowLayout {
  std::vector<JointRows> joints;
  std::vector<std::int32_t> row_numbers;  // of the machine, one for each row of each joint
  std::size_t value_count = 0;

  std::span<const std::int32_t> rows_of(const JointRows& joint) const {
    return std::span(row_numbers).subspan(static_cast<std::size_t>(joint.first_row), joint.row_count());
  }
};

}  // namespace gelenk
