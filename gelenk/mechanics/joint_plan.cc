#include "gelenk/mechanics/joint_plan.h"

#include <algorithm>
#include <optional>
#include <span>

#include "gelenk/base/index.h"

namespace gelenk::mechanics {
namespace {

using model::Primitive;
using system::Row;

// Rows of a joint that have a kernel together.
struct ShapedRows {
  std::size_t shape;
  std::size_t count;
};

// The shape of the primitives at these rows, which follow each other from `first` on; at least that of the first one,
// if it has a shape by itself.
std::optional<ShapedRows> shaped_rows(const system::System& system, std::size_t first) {
  std::vector<Primitive> primitives;
  const std::int32_t joint = system.rows[first].joint;
  for (std::size_t i = first; i < system.rows.size();) {
    const Row& row = system.rows[i];
    if (!row.primitive || row.joint != joint) break;
    primitives.push_back(*row.primitive);
    i += at(model::row_count(*row.primitive));
  }
  for (std::size_t count = primitives.size(); count > 0; count = count > 1 ? 1 : 0) {
    for (std::size_t s = 0; s < kJointShapes.size(); ++s) {
      const JointShape& shape = kJointShapes[s];
      if (!std::equal(primitives.begin(), primitives.begin() + static_cast<std::ptrdiff_t>(count),
                      shape.primitives.begin(), shape.primitives.begin() + static_cast<std::ptrdiff_t>(shape.count)))
        continue;
      std::size_t rows = 0;
      for (std::size_t i = 0; i < count; ++i) rows += at(model::row_count(primitives[i]));
      return ShapedRows{s, rows};
    }
  }
  return std::nullopt;
}

class Planner {
 public:
  Planner(const system::System& system, const Ports& ports) : system_(system), ports_(ports) {
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

  // Number of rows that the kernel of a shape computes.
  std::size_t add_task(const JointRows& joint, std::int32_t first) {
    const std::optional<ShapedRows> shaped = shaped_rows(system_, at(first));
    if (!shaped) return 0;
    const Row& leader = system_.rows[at(first)];
    JointTask task{joint.a, joint.b, own_frame(leader.frame_a), own_frame(leader.frame_b), first, joint.first_value, 0};
    task.line_value = static_cast<std::int32_t>(row_place(joint, std::size_t{3} * joint.points + joint.turns));
    plan_.tasks[shaped->shape].push_back(task);
    return shaped->count;
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
                              own_frame(joint.frame_a), own_frame(joint.frame_b), c.type->axis == 2, c.curve});
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
  JointPlan plan_;
};

}  // namespace

JointPlan make_joint_plan(const system::System& system, const Ports& ports) { return Planner(system, ports).run(); }

}  // namespace gelenk::mechanics
