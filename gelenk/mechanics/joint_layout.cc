#include "gelenk/mechanics/joint_layout.h"

#include <algorithm>

#include "gelenk/base/index.h"

namespace gelenk::mechanics {
namespace {

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
    for (const RowForm form : {RowForm::point, RowForm::turn, RowForm::line}) {
      for (const std::int32_t row : group) {
        if (system.rows[at(row)].form() != form) continue;
        layout.row_numbers.push_back(row);
        if (form == RowForm::point) joint.points = 1;
        if (form == RowForm::turn) ++joint.turns;
        if (form == RowForm::line) ++joint.lines;
      }
    }
    layout.value_count += joint.value_count();
    layout.joints.push_back(joint);
  }
  return layout;
}

}  // namespace gelenk::mechanics
