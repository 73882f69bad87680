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

  // Those that carry its frames.
  const std::vector<std::int32_t>& bodies() const { return bodies_; }

  // Appends the blocks of its wrenches by the motion of these bodies and ports; what its inputs read of others is left
  // out. Needs the motion of the bodies in the workspace, and leaves it as it was. Where the code has no answer, a
  // column is zero.
  void append_blocks(const Context& context, Workspace& workspace, std::vector<ForceBlock>& blocks);

  // Keeps A = ∂ẋ/∂x of its states x, all else held.
  void find_state_matrix(const Context& context, Workspace& workspace);
  // r -> (1 - gain A)⁻¹ r, with the A that was kept; r stays where that cannot be solved.
  void solve_states(double gain, std::span<double> r) const;

 private:
  bool find_wrenches(const Context& context, Workspace& workspace, std::vector<double>& wrenches);

  std::vector<std::int32_t> bodies_;
  CodeWork work_;
  std::vector<double> plus_, minus_;  // wrenches on the bodies of the frames, six each
  std::vector<double> states_;
  std::vector<double> state_matrix_;  // by row
};

}  // namespace gelenk::mechanics
