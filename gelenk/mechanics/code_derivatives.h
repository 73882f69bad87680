#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/mechanics/code.h"
#include "gelenk/mechanics/force_derivatives.h"

namespace gelenk::mechanics {

// Derivatives of forces and states that are written in C, by central differences: nobody knows their formulas. That is
// good enough for the matrices of implicit methods, whose iterations end at the same motion with any of them. How the
// states follow the motion, and the forces the states, is left out. A machine without code has none of it.
class CodeDerivatives {
 public:
  // `ports`: those of all workspaces.
  CodeDerivatives(const system::System& system, const Ports& ports);

  // Those that carry the frames of one of System::codes.
  const std::vector<std::int32_t>& bodies(std::size_t which) const { return bodies_[which]; }

  // Appends the blocks of its wrenches by the motion of these bodies and ports; what its inputs read of others is left
  // out. Needs the motion of the bodies in the workspace, and leaves it as it was. Where the code has no answer, a
  // column is zero.
  void append_blocks(std::size_t which, const Context& context, Workspace& workspace, std::vector<ForceBlock>& blocks);

  // The same for all of them, each among the blocks with the number of its home (none given: the first), and the
  // matrices of their states.
  void evaluate(const Context& context, Workspace& workspace, std::span<const std::int32_t> homes,
                std::span<std::vector<ForceBlock>> blocks);

  // Keeps A = ∂ẋ/∂x of the states x of each code, all else held: what one of them does to another is left out.
  void find_state_matrices(const Context& context, Workspace& workspace);
  // r -> (1 - gain A)⁻¹ r of one of them, with the A that was kept; r stays where that cannot be solved.
  void solve_states(std::size_t which, double gain, std::span<double> r) const;

 private:
  bool find_wrenches(std::size_t which, const Context& context, Workspace& workspace, std::vector<double>& wrenches);
  void find_state_matrix(std::size_t which, const Context& context, Workspace& workspace);

  std::vector<std::vector<std::int32_t>> bodies_;  // of each code
  CodeWork work_;
  std::vector<double> plus_, minus_;  // wrenches on the bodies of the frames, six each
  std::vector<double> states_;
  std::vector<std::vector<double>> state_matrices_;  // of each code, by row
};

}  // namespace gelenk::mechanics
