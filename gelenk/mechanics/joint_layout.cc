#include "gelenk/mechanics/joint_layout.h"

#include <algorithm>

#include "gelenk/base/index.h"

namespace gelenk::mechanics {
namespace {

using system::RowKind;

// Rows of one JointRows, in the order of their numbers.
using Group = std::vector<std::int32_t>;

// Rows by joint. A row between other bodies than its joint's, or of no joint, is a group of its own, behind all joints.
std::vector<Group> group_rows(const system::System& system) {
  std::vector<Group> groups(system.joints.size());
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const std::int32_t joint = system.rows[i].joint;
    const RowBodies& bodies = system.row_bodies[i];
    bool is_own = joint < 0;
    if (!is_own) {
      const system::Joint& of = system.joints[at(joint)];
      is_own = bodies.a != system.frames[at(of.frame_a)].body || bodies.b != system.frames[at(of.frame_b)].body;
    }
    if (is_own) {
      groups.push_back({static_cast<std::int32_t>(i)});
    } else {
      groups[at(joint)].push_back(static_cast<std::int32_t>(i));
    }
  }
  return groups;
}

// Place in the group of the first of three rows that make a point; its size if there is none.
std::size_t find_point(const system::System& system, const Group& group) {
  const auto is_part = [&](std::size_t place, std::uint8_t axis, const system::Row& leader) {
    const system::Row& row = system.rows[at(group[place])];
    return row.kind == RowKind::world_axis && row.axis_a == axis && row.frame_a == leader.frame_a &&
           row.frame_b == leader.frame_b;
  };
  for (std::size_t i = 0; i + 2 < group.size(); ++i) {
    const system::Row& leader = system.rows[at(group[i])];
    if (is_part(i, 0, leader) && is_part(i + 1, 1, leader) && is_part(i + 2, 2, leader)) return i;
  }
  return group.size();
}

RowForm form_of(RowKind kind) {
  switch (kind) {
    case RowKind::dot:
    case RowKind::angle_at_a:
    case RowKind::angle_at_b:
      return RowForm::turn;
    case RowKind::world_axis:  // without the two others of a point
    case RowKind::frame_axis:
    case RowKind::distance:
    case RowKind::rim_gap:
    case RowKind::rim_slip:
    case RowKind::blade_slip:
      return RowForm::line;
  }
  return RowForm::line;
}

}  // namespace

JointRowLayout make_joint_row_layout(const system::System& system, const Ports& ports) {
  JointRowLayout layout;
  layout.row_numbers.reserve(system.rows.size());
  for (const Group& group : group_rows(system)) {
    if (group.empty()) continue;
    const system::Row& leader = system.rows[at(group.front())];
    JointRows joint;
    joint.a = ports.carrier(system, leader.frame_a);
    joint.b = ports.carrier(system, leader.frame_b);
    joint.first_row = static_cast<std::int32_t>(layout.row_numbers.size());
    joint.first_value = static_cast<std::int32_t>(layout.value_count);
    const std::size_t point = find_point(system, group);
    if (point < group.size()) {
      joint.points = 1;
      for (std::size_t k = 0; k < 3; ++k) layout.row_numbers.push_back(group[point + k]);
    }
    for (const RowForm form : {RowForm::turn, RowForm::line}) {
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (i >= point && i < point + 3) continue;
        if (form_of(system.rows[at(group[i])].kind) != form) continue;
        layout.row_numbers.push_back(group[i]);
        ++(form == RowForm::turn ? joint.turns : joint.lines);
      }
    }
    layout.value_count += joint.value_count();
    layout.joints.push_back(joint);
  }
  return layout;
}

}  // namespace gelenk::mechanics
