#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/solve/motion_solver.h"
#include "gelenk/solve/pivot_set.h"
#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/row_system.h"

namespace gelenk::solve {

class RowFactor;

enum class Storage { automatic, dense, sparse };

struct FlatOptions {
  Storage storage = Storage::automatic;
  // automatic: dense up to so many rows. There both take the same time within a tenth, and dense pivots are the best
  // ones; sparse is ahead from here on even when everything is connected to everything (measured, ADR 0011).
  std::size_t largest_dense = 24;
};

// The monolithic reference solver: all bodies and all rows of a machine at once,
//
//   M a = f + Gᵀλ,   G a = u,   r = M⁻¹ f,                                    (1)
//   N μ = S (u - G r),   N = S G M⁻¹ Gᵀ S,   λ = S μ,   a = r + M⁻¹ Gᵀ λ      (2)
//
// with S the diagonal of row scales that makes rows of forces and of moments comparable. Rows may be redundant, always
// or at a single pose: N is factored on rows that carry its rank, λ is zero on the others, and a and Gᵀλ do not depend
// on which these are. The same sweep serves accelerations, both projections (r = 0) and impulses.
//
// The layer sees blocks: six columns per body, linear first, world axes at the center of mass.
// Without allocation after the first factor() and sweep(), as long as the pivots hold.
class FlatSolver final : public MotionSolver {
 public:
  // Pivots below the square of this are rounding noise, because N squares the condition of G.
  static constexpr double kSmallestRankTolerance = 3e-7;

  FlatSolver(std::size_t body_count, std::vector<RowBodies> rows, FlatOptions options = {});
  ~FlatSolver() override;
  FlatSolver(FlatSolver&&) noexcept;
  FlatSolver& operator=(FlatSolver&&) noexcept;

  // Factors N with the cached pivots if they hold, else chooses new ones. The tolerance is not below
  // kSmallestRankTolerance.
  PivotChange factor(std::span<const BodyInverseMass> bodies, std::span<const RowBlock> rows, const RankRule& rule,
                     PivotSet& pivots);

  // New blocks at (almost) the same pose: keeps factors and scales, and replaces M⁻¹ and G in residuals and in M⁻¹Gᵀλ.
  void set_blocks(std::span<const BodyInverseMass> bodies, std::span<const RowBlock> rows);

  // Solves (1) on the accepted rows with corrections on the true residual, at most four, while it falls and lets expect
  // an error of more than 1e-13 of the right side. `a`: 6 per body, `lambda`: per row; `r` and `a` may be the same.
  SweepReport sweep(std::span<const double> r, std::span<const double> u, std::span<double> a,
                    std::span<double> lambda);

  bool takes_joints() const override { return false; }
  bool remembers_pose() const override { return true; }
  PivotChange factor(const PoseBlocks& blocks, const RankRule& rule, PivotSet& pivots) override {
    return factor(blocks.inverse_masses, blocks.rows, rule, pivots);
  }
  PivotChange refresh(const PoseBlocks& blocks, PivotSet& pivots) override;
  using MotionSolver::solve;
  SweepReport solve(std::span<const double> f, std::span<const double> u, std::span<double> a, std::span<double> lambda,
                    std::span<const double> port_biases) override;
  SweepReport project(std::span<const double> r, std::span<const double> u, std::span<double> a,
                      std::span<double> lambda) override;

  std::size_t body_count() const { return system_.body_count(); }
  std::size_t row_count() const override { return system_.row_count(); }
  std::size_t rank() const override { return pivots_.accepted.size(); }
  std::span<const std::int32_t> accepted_rows() const { return pivots_.accepted; }
  std::span<const std::int32_t> dropped_rows() const override { return pivots_.dropped; }
  std::span<const double> row_scales() const override { return system_.scales(); }
  bool is_corrected() const override { return true; }
  double smallest_pivot() const override;  // of the last factor(), in units of scaled rows
  bool is_sparse() const { return is_sparse_; }

  // Stored numbers of the factor; they are allocated by the first factor().
  std::size_t factor_size() const;
  // A lower bound of factor_size() for these rows, without making a solver: all rows at one body are coupled with each
  // other, so a body that carries many joints fills a dense block. Ask before a machine with such a hub is solved.
  static double least_factor_size(std::size_t body_count, std::span<const RowBodies> rows);

 private:
  bool is_complete(const PivotSet& pivots);
  double accepted_residual() const;
  void watch_dropped(std::span<const double> u, std::span<const double> a, SweepReport& report);
  void complete_redundancy(std::span<double> mu) override;
  void redundancy_gradient(std::span<const double> mu, std::span<double> gradient) override;
  double rank_tolerance() const override { return tau_; }

  RowSystem system_;
  std::unique_ptr<RowFactor> factor_;
  bool is_sparse_ = false;
  double tau_ = kSmallestRankTolerance;
  PivotSet pivots_;  // of the last factor()
  std::vector<double> residual_;
  std::vector<double> multiplier_;  // μ of (2), per row
  std::vector<double> motion_;      // 6 per body
  std::vector<char> is_listed_;
  std::vector<double> free_motion_;  // 6 per body
  std::vector<double> unasked_;      // multipliers nobody wants
};

}  // namespace gelenk::solve
