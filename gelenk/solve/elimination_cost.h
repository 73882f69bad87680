#pragma once

#include <cstddef>

#include "gelenk/solve/elimination_planner.h"
#include "gelenk/solve/elimination_program.h"

// Operations of single ops, counted by formula: n columns, k accepted rows. Rows and kinematics are not in it.
namespace gelenk::solve {

ProgramCost tree_cost(const Op& op);
ProgramCost attach_cost(const Op& op, std::size_t columns);
ProgramCost close_cost(const Op& op, std::size_t columns, std::size_t rank);
// `shown`: the op of what is taken along; columns of the front that takes it.
ProgramCost carry_cost(const Op& op, const Op& shown, std::size_t columns);
ProgramCost compress_cost(const Op& op, std::size_t columns, std::size_t rank);
// slots_in: of the sources together
ProgramCost join_cost(const Op& op, const Network& network, std::size_t slots_in);

}  // namespace gelenk::solve
