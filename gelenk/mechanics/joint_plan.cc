#include "gelenk/mechanics/joint_plan.h"

#include <algorithm>
#include <optional>
#include <span>

#include "gelenk/base/index.h"

namespace gelenk::mechanics {
namespace {

using system::Row;
using system::RowKind;

// The rows that joints of a shape have, in the order of their numbers.
struct RowPattern {
  RowKind kind;
  int axis_a, axis_b;
};

std::vector<RowPattern> pattern_of(const JointShape& shape) {
  std::vector<RowPattern> pattern;
  if (shape.has_point) {
    for (int k = 0; k < 3; ++k) pattern.push_back({RowKind::world_axis, k, 0});
  }
  for (int k = 0; k < shape.turns; ++k) {
    pattern.push_back(shape.turns == 3 ? RowPattern{RowKind::dot, k, (k + 1) % 3} : RowPattern{RowKind::dot, 2, k});
  }
  for (int k = 0; k < shape.lines; ++k) pattern.push_back({RowKind::frame_axis, shape.lines == 1 ? 2 : k, 0});
  if (shape.is_distance) pattern.push_back({RowKind::distance, 0, 0});
  return pattern;
}

// Rows without laws on the frames of the first, with numbers that follow each other from `first` on: how many.
std::size_t plain_rows(const system::System& system, std::size_t first) {
  const Row& leader = system.rows[first];
  std::size_t count = 0;
  while (first + count < system.rows.size()) {
    const Row& row = system.rows[first + count];
    if (row.driver >= 0 || row.joint != leader.joint || row.frame_a != leader.frame_a || row.frame_b != leader.frame_b)
      break;
    ++count;
  }
  return count;
}

bool matches(std::span<const Row> rows, const std::vector<RowPattern>& pattern) {
  return std::equal(rows.begin(), rows.end(), pattern.begin(), pattern.end(), [](const Row& row, const RowPattern& p) {
    return row.kind == p.kind && row.axis_a == p.axis_a && row.axis_b == p.axis_b;
  });
}

class Planner {
 public:
  Planner(const system::System& system, const Ports& ports) : system_(system), ports_(ports) {
    for (const JointShape& shape : kJointShapes) patterns_.push_back(pattern_of(shape));
    plan_.layout = make_joint_row_layout(system, ports);
  }

  JointPlan run() {
    for (const JointRows& joint : plan_.layout.joints) {
      add_rows(joint);
      add_ground_places(joint);
    }
    for (std::vector<JointTask>& tasks : plan_.tasks) {
      std::stable_sort(tasks.begin(), tasks.end(),
                       [](const JointTask& one, const JointTask& other) { return later(one) < later(other); });
      while (tasks.size() % JointPlan::kTaskMultiple != 0) {
        const JointTask last = tasks.back();
        tasks.push_back(last);
      }
    }
    add_block_ends();
    add_angles();
    return std::move(plan_);
  }

 private:
  void add_rows(const JointRows& joint) {
    const std::span<const std::int32_t> rows = plan_.layout.rows_of(joint);
    const std::int32_t first = *std::min_element(rows.begin(), rows.end());
    const std::size_t shaped = add_task(joint, first);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] < first + static_cast<std::int32_t>(shaped)) continue;
      plan_.single_rows.push_back({rows[i], static_cast<std::int32_t>(row_place(joint, i)), row_form(joint, i)});
    }
  }

  // Number of rows that the kernel of a shape computes; the point alone if the rest has no shape.
  std::size_t add_task(const JointRows& joint, std::int32_t first) {
    std::size_t count = std::min(plain_rows(system_, at(first)), joint.row_count());
    std::optional<std::size_t> shape = find_shape(first, count);
    if (!shape && joint.points == 1 && count > 3) {
      count = 3;
      shape = find_shape(first, count);
    }
    if (!shape || kJointShapes[*shape].has_point != (joint.points == 1)) return 0;
    const Row& leader = system_.rows[at(first)];
    JointTask task{joint.a, joint.b, own_frame(leader.frame_a), own_frame(leader.frame_b), first, joint.first_value, 0};
    task.line_value = static_cast<std::int32_t>(row_place(joint, std::size_t{3} * joint.points + joint.turns));
    plan_.tasks[*shape].push_back(task);
    return count;
  }

  std::optional<std::size_t> find_shape(std::int32_t first, std::size_t count) const {
    for (std::size_t s = 0; s < patterns_.size(); ++s) {
      if (matches(std::span(system_.rows).subspan(at(first), count), patterns_[s])) return s;
    }
    return std::nullopt;
  }

  static std::int32_t later(const JointTask& task) { return std::max(task.body_a, task.body_b); }

  void add_block_ends() {
    JointPlan::TaskCounts ends{};
    // One block at least: joints may be between two places on the ground.
    for (std::size_t first = 0; first == 0 || first < system_.bodies.size() + ports_.size();
         first += JointPlan::kBlock) {
      const auto behind = static_cast<std::int32_t>(first + JointPlan::kBlock);
      for (std::size_t s = 0; s < ends.size(); ++s) {
        const std::vector<JointTask>& tasks = plan_.tasks[s];
        // The last task of a pair is the one with the latest body.
        while (ends[s] < tasks.size() && later(tasks[ends[s] + JointPlan::kTaskMultiple - 1]) < behind) {
          ends[s] += JointPlan::kTaskMultiple;
        }
      }
      plan_.block_ends.push_back(ends);
    }
  }

  // A port is its own frame.
  std::int32_t own_frame(std::int32_t frame) const { return ports_.at_frame(frame) < 0 ? frame : -1; }

  void add_angles() {
    for (const system::Coordinate& c : system_.coordinates) {
      if (c.tracked < 0) continue;
      const system::Joint& joint = system_.joints[at(c.joint)];
      plan_.angles.push_back({c.tracked, ports_.carrier(system_, joint.frame_a), ports_.carrier(system_, joint.frame_b),
                              own_frame(joint.frame_a), own_frame(joint.frame_b), c.type->axis == 2});
    }
  }

  void add_ground_places(const JointRows& joint) {
    for (const bool is_b : {false, true}) {
      if ((is_b ? joint.b : joint.a) != system::kGround) continue;
      if (joint.points == 1) plan_.ground_places.push_back(joint.first_value + (is_b ? 3 : 0));
      for (std::size_t i = 0; i < joint.row_count(); ++i) {
        if (row_form(joint, i) != RowForm::line) continue;
        plan_.ground_places.push_back(static_cast<std::int32_t>(row_place(joint, i)) + (is_b ? 6 : 3));
      }
    }
  }

  const system::System& system_;
  const Ports& ports_;
  std::vector<std::vector<RowPattern>> patterns_;
  JointPlan plan_;
};

}  // namespace

JointPlan make_joint_plan(const system::System& system, const Ports& ports) { return Planner(system, ports).run(); }

}  // namespace gelenk::mechanics
