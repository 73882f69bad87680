#pragma once

#include <span>

#include "gelenk/mechanics/joint_plan.h"
#include "gelenk/mechanics/motion.h"

namespace gelenk::mechanics {

// What the kernels of joint shapes read.
struct JointKernelInput {
  const JointPlan& plan;
  std::span<const Motion<double>> bodies;
  const system::Params& params;
};

// Which tasks of each shape.
struct JointTaskRange {
  JointPlan::TaskCounts first{};
  JointPlan::TaskCounts end{};
};
inline JointTaskRange all_tasks(const JointPlan& plan) {
  JointTaskRange range;
  for (std::size_t s = 0; s < range.end.size(); ++s) range.end[s] = plan.tasks[s].size();
  return range;
}

// For joints that have a shape (JointPlan::tasks). Arms and moments on the ground are not yet zero.

// Packed numbers.
void shaped_values(const JointKernelInput& in, std::span<double> values);
// Packed numbers, and u of the rows by their numbers.
void shaped_values_and_biases(const JointKernelInput& in, const JointTaskRange& range, std::span<double> values,
                              std::span<double> biases);
// g of the rows by their numbers.
void shaped_residuals(const JointKernelInput& in, std::span<double> residuals);

}  // namespace gelenk::mechanics
