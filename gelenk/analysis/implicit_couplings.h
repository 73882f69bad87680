#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gelenk/analysis/subsystem_shafts.h"
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
// Shafts of subsystems are unknowns behind all others: loads that become motions.
class ImplicitCouplings {
 public:
  // `beside`: null where there are no subsystems.
  explicit ImplicitCouplings(SubsystemShafts* beside) : beside_(beside) {}

  // `turns`: T of each body, with which J' is J; empty: 1.
  void set(std::span<const CouplingBlock> blocks, std::span<const CouplingShaft> shafts, std::span<const Matrix3> turns,
           std::span<const std::int32_t> accepted, std::size_t first_coupling);

  std::size_t count() const { return kept_.size(); }
  bool is_empty() const { return kept_.empty(); }

  // Calls solve(forces, rows) of the equations without couplings for each of them; sizes as it takes them. False: the
  // couplings have no solution.
  template <class Solve>
  bool factor(std::size_t force_count, std::size_t row_count, Solve&& solve);
  // f -> x, u and w -> l and m.
  template <class Solve>
  void solve(std::span<double> x, std::span<double> rows, Solve&& solve);

 private:
  template <class Solve>
  bool find_responses(std::size_t force_count, std::size_t row_count, Solve&& solve);
  // Subsystems take part in all that is solved with right sides of their own: these must be there, so what couplings do
  // is found with the first of them after factor(). Subsystems end with the loads of a last solution, in which
  // couplings are loads. x has no numbers where the couplings have no solution.
  template <class Solve>
  void solve_beside(std::span<double> x, std::span<double> l, std::span<double> w, Solve&& solve);
  // x and l without couplings become those with them; w -> m.
  void complete(std::span<double> x, std::span<double> l, std::span<double> w);
  // m for x without couplings; w -> m.
  void find_multipliers(std::span<const double> x, std::span<double> w);
  // forces += Jᵀ m
  void add_loads(std::span<const double> m, std::span<double> forces) const;
  void put_load(std::size_t number, double size, std::span<double> forces) const;
  void put_rates(std::span<const double> x, std::span<double> rates) const;  // J' x
  bool invert();

  std::vector<CouplingBlock> blocks_, by_unknowns_;  // their rows count kept_
  std::vector<CouplingShaft> shafts_;                // likewise
  std::size_t first_shaft_ = 0;                      // its place among the unknowns
  std::vector<std::int32_t> kept_;
  std::vector<double> motions_, loads_;  // X, and the l that goes with it, one coupling after the other
  std::size_t motion_size_ = 0, load_size_ = 0;
  std::vector<double> products_, inverse_, rates_, multipliers_;
  SubsystemShafts* beside_ = nullptr;
  bool is_due_ = false;  // X beside subsystems
  std::vector<double> all_, all_rows_, base_;
};

template <class Solve>
bool ImplicitCouplings::factor(std::size_t force_count, std::size_t row_count, Solve&& solve) {
  first_shaft_ = force_count;
  is_due_ = beside_ != nullptr;
  return is_empty() || is_due_ || find_responses(force_count, row_count, solve);
}

template <class Solve>
void ImplicitCouplings::solve(std::span<double> x, std::span<double> rows, Solve&& solve) {
  const std::span<double> l = rows.first(rows.size() - count());
  const std::span<double> w = rows.last(count());
  if (!is_empty() && beside_ != nullptr) {
    solve_beside(x, l, w, solve);
    return;
  }
  solve(x, l);
  if (!is_empty()) complete(x, l, w);
}

template <class Solve>
bool ImplicitCouplings::find_responses(std::size_t force_count, std::size_t row_count, Solve&& solve) {
  motion_size_ = force_count;
  load_size_ = row_count;
  motions_.assign(count() * force_count, 0.0);
  loads_.assign(count() * row_count, 0.0);
  products_.assign(count() * count(), 0.0);
  rates_.resize(count());
  for (std::size_t k = 0; k < count(); ++k) {
    const std::span<double> motion = std::span(motions_).subspan(k * force_count, force_count);
    put_load(k, 1.0, motion);
    solve(motion, std::span(loads_).subspan(k * row_count, row_count));
    put_rates(motion, rates_);
    for (std::size_t i = 0; i < count(); ++i) products_[i * count() + k] = rates_[i];
  }
  return invert();
}

template <class Solve>
void ImplicitCouplings::solve_beside(std::span<double> x, std::span<double> l, std::span<double> w, Solve&& solve) {
  const std::size_t shafts = beside_->shaft_count();
  const auto solve_all = [&](std::span<double> to, std::span<double> rows) {
    beside_->put_shaft_loads(to.last(shafts));
    solve(to.first(to.size() - shafts), rows);
    beside_->newton_motions(to.last(shafts));
  };
  const auto put = [&] {
    all_.assign(x.begin(), x.end());
    all_.resize(x.size() + shafts, 0.0);
    all_rows_.assign(l.begin(), l.end());
  };
  if (is_due_) {
    base_.assign(x.size() + shafts, 0.0);
    all_rows_.assign(l.size(), 0.0);
    solve_all(base_, all_rows_);
    is_due_ = false;
    const auto without_base = [&](std::span<double> to, std::span<double> rows) {
      solve_all(to, rows);
      for (std::size_t i = 0; i < to.size(); ++i) to[i] -= base_[i];
    };
    if (!find_responses(base_.size(), l.size(), without_base)) {
      std::fill(x.begin(), x.end(), std::numeric_limits<double>::quiet_NaN());
      return;
    }
  }
  put();
  solve_all(all_, all_rows_);
  find_multipliers(all_, w);
  put();
  add_loads(w, all_);
  solve_all(all_, all_rows_);
  std::copy_n(all_.begin(), x.size(), x.begin());
  std::copy(all_rows_.begin(), all_rows_.end(), l.begin());
  base_.assign(shafts, 0.0);
  beside_->put_shaft_loads(base_);
}

}  // namespace gelenk::analysis
