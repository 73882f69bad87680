#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/solve/elimination_program.h"

namespace gelenk::solve {

struct OpData;

// How the fronts of a block are kept: by the root W of their mobility, or by the mobility D itself.
enum class FrontForm : std::uint8_t { cheapest, root, mobility };

struct PlanOptions {
  double tau = 1e-6;                // rank tolerance
  std::vector<std::int32_t> freed;  // joints to be taken as rows
  // Bodies that are touched from outside: their fronts are published.
  std::vector<std::int32_t> borders = {};
  // What other components publish, with D of each at the pose of planning: row by row, six for each of its bodies. The
  // masses of these bodies are only what they are scaled with.
  std::vector<GivenFront> given = {};
  std::vector<const double*> given_mobility = {};
  // By given front: of components that are called, at the pose of planning.
  std::vector<OpData*> called = {};
  // The program is called by its owner: see Program.
  bool is_called = false;
  std::int32_t anchor = kNone;
  bool is_seated = false;
  std::vector<std::int32_t> loaded = {};
  std::vector<std::int32_t> roots = {};  // make_block_tree()
  FrontForm form = FrontForm::cheapest;
};

// Plans the elimination for a machine at a pose: which joints are passed by their free motion, which close loops, in
// which order. The pose only decides what is cheap; the program is right for every pose. The same input gives the same
// program.
Program plan_elimination(const JointRowLayout& layout, std::span<const BodyMass> masses, std::span<const double> values,
                         const PlanOptions& options = {});

// Operations (multiplications and additions) of one factorization and one sweep with the ranks that were planned.
struct ProgramCost {
  double factor = 0.0;
  double sweep = 0.0;

  ProgramCost& operator+=(const ProgramCost& other) {
    factor += other.factor;
    sweep += other.sweep;
    return *this;
  }
};
ProgramCost cost_of(const Program& program);
// To leave one program and enter another, in a factorization or in a sweep, counts as so many in the owner's cost:
// about as long as it takes, 1600 instructions for both, and ways to the memory.
inline constexpr double kCallOperations = 500.0;

}  // namespace gelenk::solve
