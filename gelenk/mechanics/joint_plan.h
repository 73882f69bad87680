#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelenk/mechanics/joint_layout.h"
#include "gelenk/model/primitives.h"

// How the packed rows of all joints are computed: joints of the same shape one after the other, by a kernel made for
// that shape, several at once; what fits no shape (rows of drivers) row by row.
namespace gelenk::mechanics {

// Joints with a kernel of their own: what their primitives hold, in the order of their rows.
struct JointShape {
  std::array<model::Primitive, 2> primitives{};
  std::size_t count = 0;

  explicit constexpr JointShape(model::Primitive only) : primitives{only}, count(1) {}
  constexpr JointShape(model::Primitive first, model::Primitive second) : primitives{first, second}, count(2) {}

  constexpr bool has(model::Primitive primitive) const {
    return primitives[0] == primitive || (count == 2 && primitives[1] == primitive);
  }
  constexpr std::size_t rows_of(system::RowKind kind) const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (const model::PrimitiveRow& row : model::type_of(primitives[i]).rows) sum += row.kind == kind ? 1 : 0;
    }
    return sum;
  }
  constexpr bool has_point() const { return has(model::Primitive::point); }
  constexpr bool is_distance() const { return has(model::Primitive::distance); }
  constexpr std::size_t turns() const { return rows_of(system::RowKind::dot); }
  constexpr std::size_t lines() const { return rows_of(system::RowKind::frame_axis); }
};

inline constexpr std::array kJointShapes{
    JointShape{model::Primitive::point, model::Primitive::parallel_axes},     // revolute
    JointShape{model::Primitive::point},                                      // spherical
    JointShape{model::Primitive::point, model::Primitive::crossed_axes},      // universal
    JointShape{model::Primitive::point, model::Primitive::same_axes},         // fixed
    JointShape{model::Primitive::parallel_axes, model::Primitive::on_axis},   // cylindrical
    JointShape{model::Primitive::same_axes, model::Primitive::on_axis},       // prismatic
    JointShape{model::Primitive::parallel_axes, model::Primitive::on_plane},  // planar
    JointShape{model::Primitive::distance},
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
  std::int32_t curve = -1;                  // or a travel along it
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
