#include "gelenk/mechanics/row_derivatives.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/rows.h"

namespace gelenk::mechanics {
namespace {

// Derivatives by the displacement and the small turn of one body; world axes.
constexpr std::size_t kPositions = 6;
using RowDual = Dual<kPositions>;

// A frame and its arm from the center of mass of its body, seeded if that body moves.
struct SeededFrame {
  Motion<RowDual> motion;  // without velocities, which Jacobians do not read
  Vec3<RowDual> arm;
};

SeededFrame seeded(const FrameMotion& frame, bool moves) {
  SeededFrame result{cast<RowDual>(frame), frame.arm.cast<RowDual>()};
  result.motion.v.setZero();
  result.motion.w.setZero();
  if (!moves) return result;
  for (int k = 0; k < 3; ++k) {
    const std::size_t turn = at(3 + k);
    result.motion.p(k).partials[at(k)] = 1.0;
    const Vector3 axis = Vector3::Unit(k);
    const Vector3 arm = axis.cross(frame.arm);
    for (int i = 0; i < 3; ++i) {
      result.arm(i).partials[turn] = arm(i);
      result.motion.p(i).partials[turn] = arm(i);
    }
    for (int column = 0; column < 3; ++column) {
      const Vector3 turned = axis.cross(frame.R.col(column));
      for (int i = 0; i < 3; ++i) result.motion.R(i, column).partials[turn] = turned(i);
    }
  }
  return result;
}

// The same with velocities: that of the origin changes when the arm turns.
SeededFrame seeded_with_velocity(const FrameMotion& frame, bool moves) {
  SeededFrame result = seeded(frame, moves);
  result.motion.v = frame.v.cast<RowDual>();
  result.motion.w = frame.w.cast<RowDual>();
  if (!moves) return result;
  for (int k = 0; k < 3; ++k) {
    const Vector3 change = frame.w.cross(Vector3::Unit(k).cross(frame.arm));
    for (int i = 0; i < 3; ++i) result.motion.v(i).partials[at(3 + k)] = change(i);
  }
  return result;
}

void add(const Vec3<RowDual>& force, const Vec3<RowDual>& moment, double multiplier, ForceBlock& block) {
  for (std::size_t k = 0; k < kPositions; ++k) {
    for (int i = 0; i < 3; ++i) {
      block.values[12 * at(i) + k] += multiplier * force(i).partials[k];
      block.values[12 * at(3 + i) + k] += multiplier * moment(i).partials[k];
    }
  }
}

}  // namespace

std::size_t append_joint_derivatives(const Context& context, const Workspace& workspace, std::size_t first,
                                     std::span<const double> multipliers, std::vector<ForceBlock>& blocks) {
  const std::vector<system::Row>& rows = context.system.rows;
  const system::Row& leader = rows[first];
  std::size_t end = first;
  while (end < rows.size() && rows[end].frame_a == leader.frame_a && rows[end].frame_b == leader.frame_b) ++end;
  const std::int32_t a = workspace.ports.carrier(context.system, leader.frame_a);
  const std::int32_t b = workspace.ports.carrier(context.system, leader.frame_b);
  for (const std::int32_t by_body : {a, b}) {
    if (by_body == system::kGround || (by_body == b && a == b)) continue;
    const SeededFrame A = seeded(workspace.frames[at(leader.frame_a)], a == by_body);
    const SeededFrame B = seeded(workspace.frames[at(leader.frame_b)], b == by_body);
    ForceBlock on_a{a, by_body, {}}, on_b{b, by_body, {}};
    for (std::size_t i = first; i < end; ++i) {
      Prescribed<RowDual> prescribed;
      if (rows[i].driver >= 0) prescribed.value = RowDual(workspace.drivers[at(rows[i].driver)].value);
      const RowJacobian<RowDual> J =
          row_jacobian<RowDual>(rows[i], A.motion, B.motion, context.params.held(rows[i], i), prescribed);
      add(J.a_linear, J.a_angular + A.arm.cross(J.a_linear), multipliers[i], on_a);
      add(J.b_linear, J.b_angular + B.arm.cross(J.b_linear), multipliers[i], on_b);
    }
    if (a != system::kGround) blocks.push_back(on_a);
    if (b != system::kGround) blocks.push_back(on_b);
  }
  return end;
}

RowBlock rate_derivatives(const Context& context, const Workspace& workspace, std::size_t number) {
  const system::Row& row = context.system.rows[number];
  const std::int32_t a = workspace.ports.carrier(context.system, row.frame_a);
  const std::int32_t b = workspace.ports.carrier(context.system, row.frame_b);
  RowBlock result;
  for (const bool is_b : {false, true}) {
    const std::int32_t body = is_b ? b : a;
    if (body == system::kGround || (is_b && a == b)) continue;
    const SeededFrame A = seeded_with_velocity(workspace.frames[at(row.frame_a)], a == body);
    const SeededFrame B = seeded_with_velocity(workspace.frames[at(row.frame_b)], b == body);
    const RowJacobian<RowDual> J = row_jacobian<RowDual>(row, A.motion, B.motion, context.params.held(row, number), {});
    const RowDual rate = row_rate<RowDual>(J, A.motion, B.motion);
    std::copy(rate.partials.begin(), rate.partials.end(), (is_b ? result.b : result.a).begin());
  }
  return result;
}

}  // namespace gelenk::mechanics
