#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gelenk/base/index.h"
#include "gelenk/solve/elimination_program.h"
#include "gelenk/solve/ops/op_data.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {

// Walks an elimination program: its numbers are an OpData, its ops are the free functions of the folder ops.
//
//   M a = f + Gᵀλ,  G a = u                                                                        elimination.md (1.1)
//
// factor() needs masses and rows of a pose, sweep_up() a right side, sweep_down() finds accelerations and, if wanted,
// multipliers. No allocation as long as no rank is lost that never was before.
class Elimination {
 public:
  // A program without ops may grow, as long as place() follows.
  explicit Elimination(const Program& program);

  // Room for all ops from `first` on.
  void place(std::size_t first = 0);

  // Masses and packed rows of a pose; they must stay as and where they are until the next load().
  void load(std::span<const BodyMass> masses, const double* values);

  // Pivots of the decisions: rows in order, how many are accepted, and the smallest pivot when they were chosen.
  std::span<Decision> decisions() { return data_.decisions; }
  std::span<std::int32_t> order_of(const Op& op) {
    return std::span(data_.orders).subspan(place_of(op).order, at(op.row_count));
  }
  std::span<const std::int32_t> order_of(const Op& op) const {
    return std::span(data_.orders).subspan(place_of(op).order, at(op.row_count));
  }

  // What a component publishes: D row by row, six for each of its bodies, and r. Both are read where they are, D by
  // factor(), r by sweep_up().
  void set_given(std::size_t component, const double* D, const double* r);

  // A component that is called; before place().
  void set_callee(std::size_t component, const Callee& callee);
  // Which right side components that are called take, before a sweep up and before one down.
  void set_load(NodeLoad load) { data_.load = load; }

  // Runs all ops. On joint_lost_rank another program is needed, on too_many_columns make_room() for the op.
  OpReport factor(const RankRule& rule);
  // factor() and sweep_up(), an op after the other while its numbers are at hand: large machines spend their time on
  // the way to the memory. The same bits. is_lean: probably there will be no other right side, and no multipliers are
  // wanted; along chains of hinges what is condensed on a body is then not stored, and found again if it is needed
  // after all.
  OpReport factor_and_sweep_up(const RankRule& rule, std::span<const double> f, std::span<const double> u,
                               bool is_lean = false);
  // Room for as many columns as the op turned out to need, and for what follows from it.
  void make_room(std::size_t op);
  // One op, its sources done; for planning.
  OpOutcome factor_op(std::size_t op, const RankRule& rule, OpReport& report);

  // Right sides: f of each body, u of each row of the layout. They must stay where they are until sweep_down().
  void sweep_up(std::span<const double> f, std::span<const double> u);
  // a of each body but those of given fronts, which others know; λ of each row of the layout unless empty. `tau`:
  // wrenches on the bodies of the border, six for each body of the program, or empty. wants_loads: load_on() will be
  // asked for; then λ must be given.
  void sweep_down(std::span<double> a, std::span<double> lambda, std::span<const double> tau = {},
                  bool wants_loads = false);
  // The same of a program that is called: y of published fronts and the wrenches on their bodies are in place, as is a
  // of the anchor.
  void sweep_down_called(std::span<double> a, std::span<double> lambda, bool wants_loads);
  // What the owner does to a body of a given front.
  const double* load_on(std::int32_t body) const { return &data_.loads[6 * at(body)]; }

  // Inertia of a body with all that was condensed on it so far; for planning.
  Inertia& inertia(std::size_t body) { return data_.inertias[body]; }

  std::size_t columns(std::size_t op) const { return data_.columns(op); }
  std::size_t rank(std::size_t op) const { return data_.rank(op); }
  // For what reads it: published.h.
  const OpData& data() const { return data_; }
  OpData& data() { return data_; }
  std::size_t memory() const;

 private:
  const Place& place_of(const Op& op) const {
    return data_.places[static_cast<std::size_t>(&op - data_.program.ops.data())];
  }

  OpReport factor_pass(const RankRule& rule, Pass pass);
  OpReport pass_range(std::size_t first, std::size_t end, const RankRule& rule, Pass pass, Hand& hand);
  // Ops from first to end - 1, down the other way round.
  template <bool sweeps_up, bool is_lean>
  OpReport factor_range(std::size_t first, std::size_t end, const RankRule& rule, Hand& hand);
  void begin_sweep(std::span<const double> f, std::span<const double> u);
  // Where multipliers go; null: none are found.
  double* begin_down(std::span<double> lambda, bool wants_loads);
  void down_all(double* a, double* lambda);
  void up_range(std::size_t first, std::size_t end);
  void down_range(std::size_t first, std::size_t end, double* a, double* lambda);

  OpOutcome factor_shape(std::size_t index, const RankRule& rule, OpReport& report);
  void up_op(std::size_t index);
  void down_tree_op(std::size_t index, const double* inner, double* a, double* lambda);
  void tree_op_reaction(std::size_t index, const double* a, double* lambda);
  void down_front_op(std::size_t index, double* a, double* lambda);

  // A chain that is cut at one joint (ChainCut)
  OpReport factor_cut_chain(const RankRule& rule, Pass pass);
  OpReport factor_inner(const RankRule& rule, Pass pass, Hand& hand);
  void up_cut_chain();
  void down_cut_chain(double* a, double* lambda);

  OpData data_;
  double no_rows_ = 0.0;
};

}  // namespace gelenk::solve
