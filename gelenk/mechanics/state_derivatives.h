#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/mechanics/force_derivatives.h"

namespace gelenk::mechanics {

// States, of System::states, on which the motion depends: forces and rates of drivers read them, or other such states
// do. The rest keeps books of it, as the integrals of running outputs do.
std::vector<std::int32_t> states_of_motion(const system::System& system);

// Exact derivatives of states x with rates ẋ = f(x, motion), and of forces F by them (equations.md (9.8)
// and (9.9)):
//
//   A = ∂f/∂x,   B = ∂f/∂motion,   E = ∂F/∂x.
//
// An implicit method has x = known + g ẋ, so that a change δ of the motion changes the states by δx = g N B δ with
// N = (1 - g A)⁻¹, and the forces by E δx: blocks g E N B between bodies, as springs have them. States that read each
// other are a group, with a small dense N of its own. Numbers of states are found by their places in State::extra.
class StateDerivatives {
 public:
  // `ports`: those of all workspaces.
  StateDerivatives(const system::System& system, const Ports& ports);

  std::size_t group_count() const { return groups_.size(); }
  // Bodies and ports that the forces of a group push, and those whose motion its rates read.
  const std::vector<std::int32_t>& pushed(std::size_t group) const { return groups_[group].pushed; }
  const std::vector<std::int32_t>& read(std::size_t group) const { return groups_[group].read; }

  // A, B and E at the state of the context. Needs positions and velocities in the workspace.
  void evaluate(const Context& context, const Workspace& workspace);
  // The fastest that states of this group alone do: size of the largest eigenvalue of A, 1/s, and the state of most
  // weight in it, of System::states. -1: nothing happens.
  struct Fastest {
    double rate = 0.0;
    std::int32_t state = -1;
  };
  Fastest fastest(std::size_t group) const;
  // N for this gain. False: it cannot be solved.
  bool factor(double gain);
  // Appends the blocks g E N B of a group.
  void append_blocks(std::size_t group, std::vector<ForceBlock>& blocks) const;

  // r -> N r.
  void solve(std::span<double> r) const;
  // out += E x: six per body and port, moments about centers of mass and origins of ports.
  void add_forces(std::span<const double> x, std::span<double> out) const;
  // out += A x.
  void add_rates_of_states(std::span<const double> x, std::span<double> out) const;
  // out += factor B δ; motions of bodies and ports, six each: displacements with small turns, and velocities.
  void add_rates(double factor, std::span<const double> displacements, std::span<const double> velocities,
                 std::span<double> out) const;

 private:
  struct Group {
    std::vector<std::int32_t> states;  // of System::states
    std::vector<std::int32_t> places;  // their places in State::extra
    std::vector<std::int32_t> forces;  // that read them
    std::vector<std::int32_t> pushed, read;
    std::vector<double> A, N;  // n × n, by row
    std::vector<double> B;     // for each of `read`: n × 12, by row
    std::vector<double> E;     // for each of `pushed`: 6 × n, by row
  };

  void evaluate_rates(const Context& context, const Workspace& workspace, Group& group);
  void evaluate_forces(const Context& context, const Workspace& workspace, Group& group);
  void add_wrench(const Context& context, const Workspace& workspace, std::int32_t frame, const Wrench<Dual<1>>& wrench,
                  std::size_t state, Group& group);

  std::vector<Group> groups_;
  double gain_ = 0.0;
  std::vector<double> matrix_;  // 1 - g A of a group
  Scratch<Dual<1>> state_scratch_;
  Scratch<Dual<12>> body_scratch_;
};

}  // namespace gelenk::mechanics
