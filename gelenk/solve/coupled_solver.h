#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/solve/coupling_factor.h"
#include "gelenk/solve/coupling_islands.h"
#include "gelenk/solve/motion_solver.h"

namespace gelenk::solve {

// Components from elsewhere beside which couplings act: they take part in every sweep, with right sides and shafts of
// their own. A shaft is a port with one coordinate; sweeps do not see it.
class CoupledComponents {
 public:
  virtual std::size_t shaft_count() const = 0;
  // Nothing acts inside in the sweeps that come next.
  virtual void clear_right_sides() = 0;
  // One for each shaft, in the sweeps that come next.
  virtual void put_shaft_loads(std::span<const double> loads) = 0;
  // Of the last sweep.
  virtual void shaft_motions(std::span<double> motions) const = 0;
  // What a unit load on each shaft alone does to it: of the last factorization.
  virtual void shaft_mobilities(std::span<double> mobilities) const = 0;

 protected:
  ~CoupledComponents() = default;
};

// Rows that touch more bodies than the two of a joint (gears, racks, belts), put on top of a solver that knows the
// joints, equations.md (12.3):
//
//   M a = f + Gᵀλ + Jᵀμ,   G a = u,   J a = w.
//
// With a₀ the motion without couplings and A = P Jᵀ what a unit of each of them does, both found by the solver inside,
//
//   (J A) μ = w - J a₀,   a = a₀ + A μ,   λ = λ₀ + Λ μ.
//
// J A is symmetric, and singular where couplings hold the same motion twice or joints hold it already: rows are
// accepted and dropped by the rule of all others, on rows scaled by the inertia of their bodies. A factorization costs
// one sweep for each group of couplings (coupling_islands.h): one for each coupling where joints connect all bodies,
// two for a row of gears on the ground. Rows of couplings are numbered behind those of the joints.
//
// Components from elsewhere must learn what couplings do to them: beside such, a sweep with f + Jᵀμ is the last. J
// has columns of their shafts, too.
class CoupledSolver final : public MotionSolver {
 public:
  // `rows`: of the joints. `others`: null where there are none; after factor() their right sides are to be put again.
  CoupledSolver(std::unique_ptr<MotionSolver> joints, std::size_t body_count, std::span<const RowBodies> rows,
                std::size_t coupling_count, CoupledComponents* others = nullptr);

  bool takes_joints() const override { return joints_->takes_joints(); }
  bool remembers_pose() const override { return joints_->remembers_pose(); }
  PivotChange factor(const PoseBlocks& blocks, const RankRule& rule, PivotSet& pivots) override;
  PivotChange refresh(const PoseBlocks& blocks, PivotSet& pivots) override;
  using MotionSolver::solve;
  SweepReport solve(std::span<const double> f, std::span<const double> u, std::span<double> a, std::span<double> lambda,
                    std::span<const double> port_biases) override;
  SweepReport project(std::span<const double> r, std::span<const double> u, std::span<double> a,
                      std::span<double> lambda) override;

  std::size_t row_count() const override { return first_ + count(); }
  std::size_t rank() const override { return joints_->rank() + factor_.rank(); }
  std::span<const std::int32_t> dropped_rows() const override { return held_.dropped; }
  std::span<const double> row_scales() const override { return scales_; }
  bool is_corrected() const override { return joints_->is_corrected(); }
  double smallest_pivot() const override;

 private:
  void complete_redundancy(std::span<double> mu) override;
  void redundancy_gradient(std::span<const double> mu, std::span<double> gradient) override;
  double rank_tolerance() const override { return joints_->rank_tolerance(); }

  std::size_t count() const { return islands_.coupling_count; }
  void take_pivots(const PivotSet& pivots);
  void give_pivots(PivotSet& pivots);
  PivotChange factor_couplings(const RankRule& rule);
  void scale_rows();
  void respond();
  void fill_products();
  std::span<const double> response_to(std::size_t coupling) const {
    return std::span(responses_).subspan(islands_.group[coupling] * stride(), stride());
  }
  double product(const CouplingBlock& block, std::size_t other) const;
  void subtract_rates(std::span<const double> a, std::span<const double> shafts, std::span<double> rates) const;
  void solve_couplings(std::span<double> x);
  void add_responses(std::span<const double> mu, std::span<double> a, std::span<double> lambda);
  SweepReport couple(SweepReport report, std::span<const double> w, std::span<double> a, std::span<double> lambda);
  SweepReport solve_beside_others(std::span<const double> f, std::span<const double> u, std::span<double> a,
                                  std::span<double> lambda, std::span<const double> port_biases);
  void find_gaps(std::span<const double> w, std::span<const double> a);
  void report_gaps(SweepReport& report) const;
  void put_shaft_loads(std::span<const double> mu);
  void release_shafts();
  std::size_t stride() const { return motion_size_ + shaft_loads_.size(); }

  std::unique_ptr<MotionSolver> joints_;
  CoupledComponents* others_ = nullptr;
  std::size_t motion_size_;  // six for each body
  std::size_t first_;        // row of the couplings: that of the joints come before
  PoseBlocks blocks_;
  PivotSet joint_pivots_;  // those inside held_
  PivotSet held_;          // as given out last
  CouplingIslands islands_;
  CouplingFactor factor_;  // of the scaled J A
  double smallest_when_chosen_ = 0.0;
  double smallest_ = 1.0;
  bool is_laid_out_ = false, is_chosen_ = false;
  std::vector<double> scales_;  // of all rows
  // A, with what shafts do behind the bodies, and Λ, one group of couplings after the other.
  std::vector<double> responses_, reactions_;
  // Kept so that steps allocate nothing.
  std::vector<double> force_, zeros_, left_, change_, ordered_;
  std::vector<double> shaft_loads_, shaft_motions_, sum_;
};

}  // namespace gelenk::solve
