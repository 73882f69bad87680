#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/solve/elimination_planner.h"
#include "gelenk/solve/elimination_program.h"

namespace gelenk::solve {

// Which component owns each body, and which component owns each component; the first one is the machine itself.
struct Partition {
  std::vector<std::int32_t> component_of_body;
  std::vector<std::int32_t> owner{kNone};

  bool is_whole() const { return owner.size() == 1; }
};

// A component as the solver sees it: a program over its own bodies and the bodies of other components that touch it.
struct NodePlan {
  std::vector<std::int32_t> bodies;  // of the machine: own ones first
  std::size_t own_count = 0;
  std::vector<std::int32_t> joints;      // of the machine
  std::vector<std::int32_t> border;      // bodies of the program that are touched from outside
  std::vector<std::int32_t> components;  // nodes whose fronts are given, in the order of Program::given
  std::vector<BodyMass> references;      // of the bodies of other components, for scaling only
  Program program;                       // packed values of joints stay where they are in the machine's
};

// Programs of all components, the owners last, together with the pose they were planned at, so that they can be planned
// again when a joint loses rank by itself. Several solvers may share one.
struct Plan {
  std::vector<BodyMass> masses;
  std::vector<double> values;
  double tau = 1e-6;
  Partition partition;
  std::vector<std::int32_t> freed;  // joints that are taken as rows
  FrontForm form = FrontForm::cheapest;
  std::vector<NodePlan> nodes;

  // Of the whole machine; row scales by row of the layout.
  const JointRowLayout& layout() const { return partition.is_whole() ? nodes[0].program.layout : machine_layout; }
  const std::vector<double>& row_scales() const {
    return partition.is_whole() ? nodes[0].program.row_scales : machine_row_scales;
  }
  ProgramCost cost() const;

  // Empty when one program has them all.
  JointRowLayout machine_layout;
  std::vector<double> machine_row_scales;
};

struct PlanRequest {
  double tau = 1e-6;
  Partition partition = {};  // empty: whole
  std::vector<std::int32_t> freed = {};
  FrontForm form = FrontForm::cheapest;
};
std::shared_ptr<const Plan> make_plan(JointRowLayout layout, std::span<const BodyMass> masses,
                                      std::span<const double> values, PlanRequest request = {});

}  // namespace gelenk::solve
