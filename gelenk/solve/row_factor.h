#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "gelenk/solve/pivot_set.h"
#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/row_system.h"

namespace gelenk::solve {

// A factorization of N = S G M⁻¹ Gᵀ S on chosen rows: dense or sparse, the same to the solver.
class RowFactor {
 public:
  virtual ~RowFactor() = default;

  // ALGORITHM 3 of the component method: factors N on the accepted rows without pivoting, if they still hold.
  enum class Kept { good, degraded, row_restored };  // an accepted pivot degraded, a dropped row became independent
  virtual Kept factor_with(RowSystem& system, const RankRule& rule, const PivotSet& pivots) = 0;

  // Chooses accepted and dropped rows anew; `pivots.smallest` is left to the factorization that follows.
  virtual void choose(RowSystem& system, const RankRule& rule, PivotSet& pivots) = 0;

  // x := N_II⁻¹ x on the accepted rows of the last factor, zero on the dropped ones. One number per row.
  virtual void solve(std::span<double> x) = 0;

  // Smallest accepted pivot of the last factor_with().
  virtual double smallest_pivot() const = 0;
  virtual std::size_t size() const = 0;

 protected:
  // Pivots of N are squares of distances.
  static double smallest_allowed(const RankRule& rule, const PivotSet& pivots) {
    const double distance = rule.smallest_pivot(std::sqrt(pivots.smallest));
    return distance * distance;
  }
  static double restored(const RankRule& rule) { return rule.restored() * rule.restored(); }
};

}  // namespace gelenk::solve
