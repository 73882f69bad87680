#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/analysis/implicit_couplings.h"
#include "gelenk/analysis/rate_rows.h"
#include "gelenk/analysis/subsystem_equations.h"
#include "gelenk/base/index.h"
#include "gelenk/math/sparse_lu.h"
#include "gelenk/math/vector.h"
#include "gelenk/mechanics/code_derivatives.h"
#include "gelenk/mechanics/force_derivatives.h"
#include "gelenk/mechanics/row_derivatives.h"
#include "gelenk/mechanics/state_derivatives.h"
#include "gelenk/solve/implicit_tree.h"

namespace gelenk::analysis {

// The linear equations of implicit methods (equations.md (9.4)),
//
//   (M + c C + k K) x - Gᵀ l = f,   G x = u,                                       (1)
//   C = -∂F/∂v,   K = ∂(M a - F - Gᵀλ)/∂q,
//
// F all applied forces, gravity and gyroscopic moments, with exact derivatives of every element. Rows are those that
// carry the rank. Rows of velocities in a stage demand (G + k/c H) x = u with H = ∂(G v)/∂q, equations.md (9.7); at a
// state G x = u, like all others. A machine that is divided is solved component by component
// (docs/theory/components.md), another one by one sparse LU of the whole. Patterns follow the elements and are kept.
class ImplicitEquations {
 public:
  // `ports`: of all workspaces. `plan`: of the machine, or none when only linearize() is asked for. `subsystems`: those
  // of the machine.
  ImplicitEquations(const system::System& system, const system::Params& params, const mechanics::Ports& ports,
                    const std::shared_ptr<const solve::Plan>& plan, SubsystemEquations* subsystems = nullptr);

  // Where the derivatives are taken: a state that the workspace has loaded, with forces.
  struct Point {
    const system::State& state;
    mechanics::Workspace& workspace;
    std::span<const double> accelerations;  // a, six per body
    std::span<const double> multipliers;    // λ, one per row; zero for rows that are not accepted
    std::span<const std::int32_t> accepted;
    // Rotation vectors θ from the base of the step, three per body, or empty: positions are unknown as exp(θ + δ), and
    // the body turns by T(θ) δ.
    std::span<const double> turns;
    // Loads of an owner elsewhere on the ports, six each; empty: there is none.
    std::span<const double> outside = {};
    subsystem::Newton::At at = subsystem::Newton::At::state;  // for those of subsystems
  };
  // C and K at a point, for the two products below.
  void linearize(const Point& point);
  // Also linearizes. False: the matrix is singular or not finite.
  bool factor(const Point& point, double velocity_gain, double position_gain);
  // Solves (1) in place: six per body, and loads on the ports behind them, f -> x of the bodies; one per accepted row,
  // in their order, u -> l.
  void solve(std::span<double> forces, std::span<double> rows);

  // out -= K q, out -= C v; q and v six per body, out on the ports, too. `port_motions`: those of ports of sealed
  // components, as they show them (put_port_motions()).
  void subtract_stiffness(std::span<const double> q, std::span<const double> port_motions, std::span<double> out);
  void subtract_damping(std::span<const double> v, std::span<const double> port_motions, std::span<double> out);
  // Of the ports of own bodies, kNewtonMotions each: their motion with q, what its turn makes of their velocity, their
  // motion with v.
  void put_port_motions(std::span<const double> q, std::span<const double> v, std::span<double> motions) const;

  // For an owner elsewhere: the right side alone; he asks functions() for the rest, and the solution is collected.
  void set_right_side(std::span<const double> forces, std::span<const double> rows) {
    tree_->set_right_side(forces, rows);
  }
  void collect(std::span<double> forces, std::span<double> rows) const { tree_->collect(forces, rows); }
  solve::ImplicitFunctions functions() { return tree_->functions(); }
  // The same as factor(), and D at the mounts.
  bool factor_for_owner(const Point& point, double velocity_gain, double position_gain, double* D);

  // Bodies or ports on which rows act.
  std::span<const RowBodies> row_ends() const { return row_ends_; }

  // Its states have the matrix of the last point.
  mechanics::CodeDerivatives& code() { return code_derivatives_; }

  // States of the machine, with N of the last matrix: forces += E N r, on bodies and ports.
  void add_state_forces(std::span<const double> r, std::span<double> forces);
  // r -> N (r + gain B δ) for a change of the motion by q and v, six per body; that of ports of sealed components is
  // not known here and left out: it comes with the next iteration.
  void solve_states(double gain, std::span<const double> q, std::span<const double> v, std::span<double> r);
  // What an unknown turn is in truth: T(θ) of the last matrix.
  Vector3 true_turn(std::size_t body, const Vector3& turn) const {
    return turns_.empty() ? turn : Vector3(turns_[body] * turn);
  }

 private:
  struct Gains {
    double velocity = 0.0, position = 0.0;
  };

  void divide(const std::shared_ptr<const solve::Plan>& plan);
  std::int32_t home_of(std::span<const std::int32_t> ends, const solve::Plan& plan) const;
  std::int32_t component_of(std::int32_t end, const solve::Plan& plan) const;
  std::int32_t body_of(std::int32_t end) const;
  bool is_sealed(std::size_t port) const { return ports_.list[port].body < 0; }
  void add_port_stiffness(const Point& point);
  bool divide_states(const solve::Plan& plan, const solve::ImplicitTree& tree, bool must_divide);
  bool add_states(double gain);
  Matrix3 inertia_of(const Point& point, std::size_t body) const;
  std::span<mechanics::ForceBlock> blocks_on_bodies();
  void set_pattern(const Point& point);
  bool factor_whole(const Point& point, const Gains& gains);
  void load_components(const Point& point, const Gains& gains);
  void map_ports(const Gains& gains);
  void turn_rows(const Point& point);
  bool prepare(const Point& point, const Gains& gains);
  void solve_joints(std::span<double> forces, std::span<double> rows);
  std::array<double, 6> row_by_body(std::int32_t end, std::array<double, 6> G, const std::array<double, 6>* H) const;
  void move_with_ports(std::span<const double> motion, std::span<const double> port_motions, std::size_t which);
  Vector3 turning_of(std::size_t port, std::span<const double> q) const;
  void subtract(std::size_t first_column, std::span<double> out) const;

  const system::System& system_;
  const system::Params& params_;
  const mechanics::Ports& ports_;
  SubsystemEquations* subsystems_ = nullptr;
  mechanics::ForceDerivatives force_derivatives_;
  mechanics::CodeDerivatives code_derivatives_;
  mechanics::StateDerivatives state_derivatives_;
  std::vector<RowBodies> row_ends_;
  // Which component has the elements; all the same when there is one LU.
  std::vector<std::int32_t> home_of_body_, home_of_force_, home_of_row_;
  std::vector<std::int32_t> home_of_code_;    // empty: all are in the first
  std::vector<std::int32_t> home_of_states_;  // of each group
  std::vector<std::size_t> block_of_body_;    // in the list of its home
  // Of F + Gᵀλ - M a, on bodies and ports, one list for each home; it begins with its bodies.
  std::vector<std::vector<mechanics::ForceBlock>> blocks_;
  std::vector<double> port_arms_, port_loads_;
  std::vector<Matrix3> port_turning_;  // what a small turn of the body does to the velocity of a port
  std::vector<Matrix3> turns_;         // T of each body; empty: 1
  std::vector<double> motions_;        // of bodies and ports
  std::vector<double> displacements_, velocities_, states_;
  // One LU: what the pattern was made for.
  std::vector<std::int32_t> pattern_pairs_, pattern_rows_;
  std::vector<std::int32_t> pairs_;  // bodies of each block, in turn
  std::vector<mechanics::ForceBlock> shifted_;
  std::vector<double> values_, unknowns_;
  SparseLu lu_;
  // Component by component. Forces may read what their component does not see: these derivatives are left out.
  bool has_unseen_ = false;
  std::unique_ptr<solve::ImplicitTree> tree_;
  std::vector<solve::ImplicitBlock> matrix_;
  std::vector<RowBlock> turned_rows_;
  RateRows rate_rows_;
  ImplicitCouplings couplings_;
  std::vector<double> shaft_loads_;
  std::vector<solve::ImplicitNode::PortMap> port_maps_;
};

}  // namespace gelenk::analysis
