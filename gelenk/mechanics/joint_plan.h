#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelenk/mechanics/joint_layout.h"

// How the packed rows of all joints are computed: joints of the same shape one after the other, by a kernel made for
// that shape, several at once; what fits no shape (rows of drivers) row by row.
namespace gelenk::mechanics {

// Rows of a joint without its drivers, as its primitives write them (gelenk/system/compile.cc), d_A · d_B for turns:
//   one turn: z_A · x_B;  two: z_A · x_B, z_A · y_B;  three: x_A · y_B, y_A · z_B, z_A · x_B
//   one line: along z_A;  two: along x_A, y_A;  or a distance
struct JointShape {
  bool has_point = false;
  std::uint8_t turns = 0;
  std::uint8_t lines = 0;
  bool is_distance = false;

  bool operator==(const JointShape&) const = default;
};

inline constexpr std::array kJointShapes{
    JointShape{.has_point = true, .turns = 2},  // revolute
    JointShape{.has_point = true},              // spherical
    JointShape{.has_point = true, .turns = 1},  // universal
    JointShape{.has_point = true, .turns = 3},  // fixed
    JointShape{.turns = 2, .lines = 2},         // cylindrical
    JointShape{.turns = 3, .lines = 2},         // prismatic
    JointShape{.turns = 2, .lines = 1},         // planar
    JointShape{.is_distance = true},
};

// One joint for the kernel of its shape.
struct JointTask {
  std::int32_t body_a = -1;
  std::int32_t body_b = -1;
  std::int32_t frame_a = -1;  // on the body; -1: the body is a port, and its own frame
  std::int32_t frame_b = -1;
  std::int32_t first_row = 0;   // of the machine; the others follow it
  std::int32_t value = 0;       // place of the point and the turns among the packed numbers
  std::int32_t line_value = 0;  // place of the lines, behind the turns of drivers
};

// One row by itself.
struct SingleRow {
  std::int32_t row = 0;
  std::int32_t value = 0;
  RowForm form = RowForm::turn;
};

// A coordinate whose turns are counted, with all that finds its axes close together.
struct TrackedAngle {
  std::int32_t place = 0;  // in State::extra
  std::int32_t body_a = system::kGround, body_b = system::kGround;
  std::int32_t frame_a = -1, frame_b = -1;  // -1: the body is a port, and its own frame
  bool is_about_z = true;                   // of frame A, else about x of frame B
};

struct JointPlan {
  // Kernels take two joints at once. The last joint of a shape is repeated when it would be alone.
  static constexpr std::size_t kTaskMultiple = 2;
  // So many bodies with their joints stay in the nearest cache.
  static constexpr std::size_t kBlock = 64;
  using TaskCounts = std::array<std::size_t, kJointShapes.size()>;  // by shape

  JointRowLayout layout;
  std::array<std::vector<JointTask>, kJointShapes.size()> tasks;  // by shape, in the order of the later of two bodies
  std::vector<TaskCounts> block_ends;  // how many tasks, in whole pairs, need no body behind each block of bodies
  std::vector<SingleRow> single_rows;
  std::vector<TrackedAngle> angles;
  std::vector<std::int32_t> ground_places;  // of arms and moments (three numbers each) on the ground, which are zero
};

JointPlan make_joint_plan(const system::System& system, const Ports& ports = {});

}  // namespace gelenk::mechanics
