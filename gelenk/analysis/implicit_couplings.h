#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/math/constraint_blocks.h"
#include "gelenk/math/vector.h"

namespace gelenk::analysis {

// Those of the accepted rows, in their order, that are of joints; couplings follow from `first_coupling` on.
std::span<const std::int32_t> rows_of_joints(std::span<const std::int32_t> accepted, std::size_t first_coupling);

// Couplings on top of the equations of an implicit method, as solve::CoupledSolver puts them on top of accelerations:
//
//   A x - Gᵀ l - Jᵀ m = f,   G x = u,   J' x = w,
//
// J' being J by the unknowns of the bodies, whose turns may be those of a chart. With x₀ the solution without couplings
// and X = what a unit of each of them does, (J' X) m = w - J' x₀. Kept couplings are those that carry the rank.
class ImplicitCouplings {
 public:
  // `turns`: T of each body, with which J' is J; empty: 1.
  void set(std::span<const CouplingBlock> blocks, std::span<const Matrix3> turns,
           std::span<const std::int32_t> accepted, std::size_t first_coupling);

  std::size_t count() const { return kept_.size(); }
  bool is_empty() const { return kept_.empty(); }

  // Calls solve(forces, rows) of the equations without couplings for each of them; sizes as it takes them. False: the
  // couplings have no solution.
  template <class Solve>
  bool factor(std::size_t force_count, std::size_t row_count, Solve&& solve);
  // x and l without couplings become those with them; w -> m.
  void complete(std::span<double> x, std::span<double> l, std::span<double> w);

 private:
  void put_load(std::size_t number, std::span<double> forces) const;
  void put_rates(std::span<const double> x, std::span<double> rates) const;  // J' x
  bool invert();

  std::vector<CouplingBlock> blocks_, by_unknowns_;  // their rows count kept_
  std::vector<std::int32_t> kept_;
  std::vector<double> motions_, loads_;  // X, and the l that goes with it, one coupling after the other
  std::size_t motion_size_ = 0, load_size_ = 0;
  std::vector<double> products_, inverse_, rates_, multipliers_;
};

template <class Solve>
bool ImplicitCouplings::factor(std::size_t force_count, std::size_t row_count, Solve&& solve) {
  motion_size_ = force_count;
  load_size_ = row_count;
  motions_.assign(count() * force_count, 0.0);
  loads_.assign(count() * row_count, 0.0);
  products_.assign(count() * count(), 0.0);
  rates_.resize(count());
  for (std::size_t k = 0; k < count(); ++k) {
    const std::span<double> motion = std::span(motions_).subspan(k * force_count, force_count);
    put_load(k, motion);
    solve(motion, std::span(loads_).subspan(k * row_count, row_count));
    put_rates(motion, rates_);
    for (std::size_t i = 0; i < count(); ++i) products_[i * count() + k] = rates_[i];
  }
  return invert();
}

}  // namespace gelenk::analysis
