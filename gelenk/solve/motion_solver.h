#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/math/constraint_blocks.h"
#include "gelenk/math/joint_rows.h"
#include "gelenk/solve/pivot_set.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {

class CoupledSolver;

struct SweepReport {
  double residual = 0.0;  // max s_j |u_j - G_j a| over the accepted rows; s: row scales
  int corrections = 0;
  double dropped_residual = 0.0;  // the same over the dropped rows, which are watched, not enforced
  std::int32_t worst_dropped = -1;
};

// Masses and rows of a pose: as whole joints, or row by row. A solver reads one of the two.
struct PoseBlocks {
  std::span<const BodyMass> masses;
  std::span<const double> joints;  // packed values of a JointRowLayout
  std::span<const BodyInverseMass> inverse_masses;
  std::span<const RowBlock> rows;
  std::span<const double> port_arms = {};         // from the center of mass to each port between components, three each
  std::span<const CouplingBlock> couplings = {};  // rows behind those of the joints
  std::span<const CouplingShaft> shafts = {};     // of these rows, on shafts of components from elsewhere
};

// Solves, for one pose and many right sides (elimination.md (1.1)),
//
//   M a = f + Gᵀλ,   G a = u                                                                              (1)
//
// with rows that may be redundant, always or at a single pose: some are accepted, λ is zero on the others, and a and
// Gᵀλ do not depend on which these are. Accelerations, both projections (f = 0) and impulses are such right sides.
// Bodies have six unknowns, linear first, world axes at the center of mass.
class MotionSolver {
  friend CoupledSolver;  // whose redundancy is that of the solver inside, and its own

 public:
  virtual ~MotionSolver() = default;
  MotionSolver(const MotionSolver&) = delete;
  MotionSolver& operator=(const MotionSolver&) = delete;

  // Which half of PoseBlocks it reads.
  virtual bool takes_joints() const = 0;

  // Factors with the cached pivots if they hold, else chooses new ones.
  virtual PivotChange factor(const PoseBlocks& blocks, const RankRule& rule, PivotSet& pivots) = 0;
  // Blocks of (almost) the same pose. Afterwards (1) holds with these, whatever is kept of the factorization.
  virtual PivotChange refresh(const PoseBlocks& blocks, PivotSet& pivots) = 0;
  // Whether the result after refresh() also depends on the pose of factor().
  virtual bool remembers_pose() const = 0;

  // Solves (1) on the accepted rows. f and a: 6 per body, u and λ: per row; λ may be empty when it is not wanted. Where
  // components touch by ports, f may have loads on these behind those on the bodies, and port_biases are their
  // accelerations when those of the bodies are zero (three each); nothing: both are zero.
  virtual SweepReport solve(std::span<const double> f, std::span<const double> u, std::span<double> a,
                            std::span<double> lambda, std::span<const double> port_biases) = 0;
  SweepReport solve(std::span<const double> f, std::span<const double> u, std::span<double> a,
                    std::span<double> lambda) {
    return solve(f, u, a, lambda, {});
  }
  // The same with r = M⁻¹ f given; r and a may be the same.
  virtual SweepReport project(std::span<const double> r, std::span<const double> u, std::span<double> a,
                              std::span<double> lambda) = 0;

  // Shares forces among redundant rows as joints that give way a little would: of all λ with this Gᵀλ, the one with the
  // least Σ c_j λ_j², c_j > 0 the compliances of the rows; only their ratios count. Without them c_j = s_j⁻². Rows that
  // count as redundant only within tau change Gᵀλ by that much. Does nothing when no row was dropped.
  void share(std::span<double> lambda, std::span<const double> compliance = {});

  // Forces that hold each other in balance, as scaled multipliers μ = S⁻¹λ: a unit on one of the dropped rows, and what
  // answers it on the accepted ones. Entries that are rounding are zero.
  void balanced_forces(std::int32_t dropped_row, std::span<double> mu);
  // The same with a force on every dropped row, of sizes that have nothing to do with each other: it is zero only where
  // all of them are. One solve shows which rows are unique.
  void all_balanced_forces(std::span<double> mu);

  // Marks with 1 the rows whose λ is unique, with 0 those that share() had to decide. Allocates.
  void determinate_rows(std::vector<char>& is_determinate);

  virtual std::size_t row_count() const = 0;
  virtual std::size_t rank() const = 0;
  virtual std::span<const std::int32_t> dropped_rows() const = 0;
  virtual std::span<const double> row_scales() const = 0;
  // Solutions are corrected by what they leave of (1).
  virtual bool is_corrected() const = 0;
  // Square of the smallest distance of an accepted row from the others, in units of scaled rows.
  virtual double smallest_pivot() const = 0;

 protected:
  MotionSolver() = default;
  MotionSolver(MotionSolver&&) noexcept = default;
  MotionSolver& operator=(MotionSolver&&) noexcept = default;

  // Multipliers of scaled rows, μ = S⁻¹λ; N = S G M⁻¹ Gᵀ S; accepted rows I, dropped rows J.
  // μ_I -= N_II⁻¹ (N μ)_I: completes μ_J to forces that hold each other in balance.
  virtual void complete_redundancy(std::span<double> mu) = 0;
  // gradient_J := μ_J - N_JI N_II⁻¹ μ_I, accepted rows zero.
  virtual void redundancy_gradient(std::span<const double> mu, std::span<double> gradient) = 0;
  virtual double rank_tolerance() const = 0;

 private:
  void clear_rounding(std::span<double> mu) const;

  std::vector<double> shared_, direction_, step_, gradient_, weighted_;  // scaled multipliers of share()
};

}  // namespace gelenk::solve
