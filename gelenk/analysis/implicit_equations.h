#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/math/sparse_lu.h"
#include "gelenk/mechanics/force_derivatives.h"
#include "gelenk/mechanics/row_derivatives.h"

namespace gelenk::analysis {

// The linear equations of implicit methods (docs/theory/equations.md, 9.4),
//
//   (M + c C + k K) x - Gᵀ l = f,   G x = u,                                       (1)
//   C = -∂F/∂v,   K = ∂(M a - F - Gᵀλ)/∂q,
//
// F all applied forces, gravity and gyroscopic moments, with exact derivatives of every element. Rows are those that
// carry the rank. One sparse LU of the whole; the pattern follows the elements and is kept.
class ImplicitEquations {
 public:
  ImplicitEquations(const system::System& system, const system::Params& params);

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
  };
  // C and K at a point, for the two products below.
  void linearize(const Point& point);
  // Also linearizes. False: the matrix is singular or not finite.
  bool factor(const Point& point, double velocity_gain, double position_gain);
  // Solves (1) in place: six per body f -> x, one per accepted row, in their order, u -> l.
  void solve(std::span<double> bodies, std::span<double> rows);

  // out -= K q, out -= C v; six per body each.
  void subtract_stiffness(std::span<const double> q, std::span<double> out) const { subtract(q, 0, out); }
  void subtract_damping(std::span<const double> v, std::span<double> out) const { subtract(v, 6, out); }

 private:
  void add_inertia(const Point& point);
  void set_pattern(const Point& point);
  void subtract(std::span<const double> motion, std::size_t first_column, std::span<double> out) const;

  const system::System& system_;
  const system::Params& params_;
  mechanics::ForceDerivatives force_derivatives_;
  std::vector<mechanics::ForceBlock> blocks_;  // of F + Gᵀλ - M a
  // What the pattern was made for.
  std::vector<std::int32_t> pattern_pairs_, pattern_rows_;
  std::vector<std::int32_t> pairs_;  // bodies of each block, in turn
  std::vector<double> values_, unknowns_;
  SparseLu lu_;
};

}  // namespace gelenk::analysis
