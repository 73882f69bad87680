#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/math/column_kernels.h"
#include "gelenk/math/constraint_blocks.h"  // BodyInverseMass, RowBodies, RowBlock: shared with the layers that make them

namespace gelenk::solve {

// G, M⁻¹ and the row scales S of a machine, and what a solver does with them. Multipliers here are those of scaled
// rows, μ = S⁻¹λ, and N = S G M⁻¹ Gᵀ S.
class RowSystem {
 public:
  struct Slot {
    std::int32_t row;
    bool is_second;  // side b of the row
  };

  // The rows at a body: its slots, and two blocks stored column by column (column_kernels.h), six columns with one row
  // for each slot: X = s_j G_j and Y = X M⁻¹. N is the sum of X Yᵀ over bodies.
  struct BodyRows {
    std::size_t first_slot;
    std::size_t count;
    std::size_t stride;
    std::size_t first_value;
  };

  RowSystem(std::size_t body_count, std::vector<RowBodies> rows);

  // From now on the slots of each body come in ascending order of the places of their rows.
  void sort_slots(std::span<const std::int32_t> place_of_row);

  // Copies the blocks; scales and the blocks of N stay.
  void load(std::span<const BodyInverseMass> bodies, std::span<const RowBlock> rows);

  // Scales s_j = (G_j D_ref G_jᵀ)^(-1/2) of the loaded blocks, D_ref = diag(1/m, 1/J̄) of the two bodies of the row, and
  // the blocks of N. A row that moves nothing gets s_j = 0.
  void rescale();

  // e_j := s_j (u_j - G_j a); without u: e_j := -s_j G_j a.
  void scaled_residual(std::span<const double> u, std::span<const double> a, std::span<double> e) const;

  // e_j := s_j (u_j - G_j r), and max s_j (|u_j| + |G_j| |r|): what residuals are compared with.
  double right_side(std::span<const double> u, std::span<const double> r, std::span<double> e) const;

  // a += M⁻¹ Gᵀ S μ.
  void add_motion(std::span<const double> mu, std::span<double> a);

  // response := -N μ.
  void respond(std::span<const double> mu, std::span<double> response);

  // wᵀ M⁻¹ w of w = Gᵀ S μ; `force` (may be empty) takes w.
  double mobility(std::span<const double> mu, std::span<double> force);
  double mobility_of_force(std::span<const double> force) const;

  // motion := M⁻¹ force, 6 per body.
  void move(std::span<const double> force, std::span<double> motion) const;

  std::size_t body_count() const { return bodies_.size(); }
  std::size_t row_count() const { return rows_.size(); }
  std::span<const double> scales() const { return scales_; }
  std::span<const RowBodies> rows() const { return rows_; }
  const BodyRows& rows_at(std::size_t body) const { return body_rows_[body]; }
  std::span<const Slot> slots_of(std::size_t body) const {
    return std::span(slots_).subspan(body_rows_[body].first_slot, body_rows_[body].count);
  }
  // X and Y of a body from its slot `from` on.
  ConstBlock scaled_rows(std::size_t body, std::size_t from) const {
    return {&scaled_[body_rows_[body].first_value + from], body_rows_[body].stride};
  }
  ConstBlock moved_rows(std::size_t body, std::size_t from) const {
    return {&moved_[body_rows_[body].first_value + from], body_rows_[body].stride};
  }

  // Calls sink(i, j, value) for every contribution to N of two rows at one body, each pair once.
  template <class Sink>
  void add_products(Sink&& sink);

 private:
  void collect_forces(std::span<const double> mu);
  void fill_body_blocks(std::size_t body);

  std::vector<RowBodies> rows_;
  std::vector<BodyInverseMass> bodies_;
  std::vector<RowBlock> blocks_;
  std::vector<std::size_t> folded_;  // rows with both ends on one body: one block, the sum of both
  std::vector<double> scales_;
  std::vector<BodyRows> body_rows_;
  std::vector<Slot> slots_;
  std::vector<double> scaled_;
  std::vector<double> moved_;
  std::vector<double> forces_;   // 6 per body
  std::vector<double> motions_;  // 6 per body
  std::vector<double> product_;
};

template <class Sink>
void RowSystem::add_products(Sink&& sink) {
  for (std::size_t body = 0; body < bodies_.size(); ++body) {
    const std::span<const Slot> slots = slots_of(body);
    for (std::size_t first = 0; first < slots.size(); first += kRowStep) {
      const std::size_t columns = std::min(kRowStep, slots.size() - first);
      const std::size_t rows = slots.size() - first;
      multiply_transposed(scaled_rows(body, first), moved_rows(body, first), rows, columns, 6, product_.data());
      for (std::size_t j = 0; j < columns; ++j) {
        const double* column = &product_[j * round_up_to_step(rows)];
        for (std::size_t i = j; i < rows; ++i) sink(slots[first + i].row, slots[first + j].row, column[i]);
      }
    }
  }
}

}  // namespace gelenk::solve
