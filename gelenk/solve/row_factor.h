#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "gelenk/solve/pivot_set.h"
#include "gelenk/solve/row_system.h"

namespace gelenk::solve {

// A factorization of N = S G M⁻¹ Gᵀ S on chosen rows: dense or sparse, the same to the solver.
class RowFactor {
 public:
  virtual ~RowFactor() = default;

  // ALGORITHM 3 of the component method: factors N on the accepted rows without pivoting. False when that does not hold
  // anymore: an accepted pivot degraded, or a dropped row became independent.
  virtual bool factor_with(RowSystem& system, double tau, const PivotSet& pivots) = 0;

  // Chooses accepted and dropped rows anew; `pivots.smallest` is left to the factorization that follows.
  virtual void choose(RowSystem& system, double tau, PivotSet& pivots) = 0;

  // x := N_II⁻¹ x on the accepted rows of the last factor, zero on the dropped ones. One number per row.
  virtual void solve(std::span<double> x) = 0;

  // Smallest accepted pivot of the last factor_with().
  virtual double smallest_pivot() const = 0;
  virtual std::size_t size() const = 0;

 protected:
  // A cached pivot that shrank to this part of the smallest one of its set asks for a new choice.
  static constexpr double kDegraded = 0.05;
  // Hysteresis: a dropped row counts as independent again only above ten times the threshold that drops it.
  static constexpr double kRestored = 10.0;

  // What a pivot of a set must exceed. A set whose smallest pivot is hardly above tau² when chosen is not asked for
  // more than it had.
  static double smallest_allowed(double tau, const PivotSet& pivots) {
    return std::max(std::min(tau * tau, 0.5 * pivots.smallest), kDegraded * pivots.smallest);
  }
};

}  // namespace gelenk::solve
