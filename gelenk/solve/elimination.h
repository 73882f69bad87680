#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gelenk/solve/elimination_program.h"
#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/row_reflectors.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {

// Numbers of an elimination program: runs its operations. T: double, or a type with more digits as a reference.
//
//   M a = f + Gᵀλ,  G a = u
//
// factor() needs masses and rows of a pose, sweep_up() a right side, sweep_down() finds accelerations and, if wanted,
// multipliers. No allocation as long as no rank is lost that never was before.
template <class T>
class Elimination {
 public:
  // The program may still grow, as long as place() follows.
  explicit Elimination(const Program& program);

  // Room for all ops from `first` on.
  void place(std::size_t first = 0);

  // Masses and packed rows of a pose; the values must stay where they are until the next load().
  void load(std::span<const BodyMass> masses, const T* values);

  // Pivots of the decisions: rows in order, how many are accepted, and the smallest pivot when they were chosen.
  struct Decision {
    std::int32_t accepted = -1;  // -1: to be chosen
    T smallest{0};
  };
  std::span<Decision> decisions() { return decisions_; }
  std::span<const Decision> decisions() const { return decisions_; }
  std::span<std::int32_t> order_of(const Op& op) {
    return std::span(orders_).subspan(place_of(op).order, static_cast<std::size_t>(op.row_count));
  }
  std::span<const std::int32_t> order_of(const Op& op) const {
    return std::span(orders_).subspan(place_of(op).order, static_cast<std::size_t>(op.row_count));
  }

  // What a component publishes: D row by row, six for each of its bodies, and r. Both are read where they are, D by
  // factor(), r by sweep_up().
  void set_given(std::size_t component, const T* D, const T* r);

  enum class Outcome : std::uint8_t { good, joint_lost_rank, too_many_columns };
  struct Report {
    Outcome outcome = Outcome::good;
    std::int32_t where = kNone;  // joint, or op
    std::int32_t chosen_again = 0;
    T smallest{1};  // accepted pivot
  };
  // Runs all ops. On joint_lost_rank another program is needed, on too_many_columns more room for the op (its
  // spare_columns, then place()).
  Report factor(T tau);
  // Room for as many columns as the op turned out to need.
  void make_room(std::size_t op);
  // One op, its sources done; for planning.
  Outcome factor_op(std::size_t op, T tau, Report& report);

  // Right sides: f of each body, u of each row of the layout.
  void sweep_up(std::span<const T> f, std::span<const T> u);
  // a of each body; λ of each row of the layout unless empty. `tau`: wrenches on the bodies of the border, six for each
  // body of the program, or empty.
  void sweep_down(std::span<T> a, std::span<T> lambda, std::span<const T> tau = {});
  // What the owner does to a body of a given front: known after a sweep_down() with multipliers.
  const T* load_on(std::int32_t body) const { return &loads_[6 * static_cast<std::size_t>(body)]; }

  // D and r of bodies of the border, in this order.
  void publish_mobility(std::span<const std::int32_t> bodies, std::span<T> D) const;
  void publish_rates(std::span<const std::int32_t> bodies, std::span<T> r) const;

  // Inertia of a body with all that was condensed on it so far; for planning.
  Inertia<T>& inertia(std::size_t body) { return inertias_[body]; }

  std::size_t columns(std::size_t op) const { return static_cast<std::size_t>(columns_[op]); }
  std::size_t rank(std::size_t op) const { return static_cast<std::size_t>(ranks_[op]); }
  std::size_t memory() const;

 private:
  struct Place {
    std::size_t own = 0;                       // numbers of the op itself
    std::size_t W = 0, phi = 0, r = 0, y = 0;  // of its front
    std::size_t Ib = 0, pb = 0;
    std::size_t order = 0;
    std::int32_t columns = 0;     // of W at most
    std::int32_t columns_in = 0;  // that go in at most
  };
  // Parts of the own numbers of each kind.
  struct TreeParts;
  struct HingeParts;
  struct AttachParts;
  struct CloseParts;
  struct CompressParts;
  struct LoadParts;

  // What the frequent ops need, close together: time goes into moving data.
  enum class Shape : std::uint8_t { hinge, other_tree, front };
  struct Step {
    std::size_t own = 0;
    std::int32_t body = kNone;
    std::int32_t parent = kNone;
    std::int32_t first_value = 0;
    std::int32_t first_row = 0;
    Shape shape = Shape::front;
    bool is_b = false;
  };

  const Place& place_of(const Op& op) const { return places_[static_cast<std::size_t>(&op - program_.ops.data())]; }
  T* at(std::size_t offset) { return numbers_.data() + offset; }
  const T* at(std::size_t offset) const { return numbers_.data() + offset; }
  std::size_t take(std::size_t count) {
    const std::size_t first = used_;
    used_ += count;
    return first;
  }
  void place_op(std::size_t index);
  JointView<T> view(std::int32_t joint, bool is_b) const {
    const JointRows& rows = program_.layout.joints[static_cast<std::size_t>(joint)];
    return {&rows, values_ + rows.first_value, is_b};
  }
  const T* scales(std::int32_t joint) const {
    return scales_.data() + program_.layout.joints[static_cast<std::size_t>(joint)].first_row;
  }
  const T* rows_of(const T* by_row, std::int32_t joint) const {
    return by_row + program_.layout.joints[static_cast<std::size_t>(joint)].first_row;
  }
  bool joint_motion(const Op& op, T* v, T* S) const;

  static Shape shape_of(const Program& program, const Op& op);
  HingeParts& hinge(const Step& step) { return *reinterpret_cast<HingeParts*>(numbers_.data() + step.own); }
  JointView<T> view_of(const Step& step) const { return {&kHingeRows, values_ + step.first_value, step.is_b}; }
  bool factor_hinge(const Step& step);
  void up_hinge(const Step& step);
  void down_hinge(const Step& step, T* a, T* lambda);
  void hinge_reaction(const Step& step, const T* ours, T* lambda);

  Outcome factor_tree(const Op& op);
  void factor_start(const Op& op, std::size_t index);
  Outcome factor_attach(const Op& op, std::size_t index);
  Outcome factor_close(const Op& op, std::size_t index, T tau, Report& report);
  Outcome factor_compress(const Op& op, std::size_t index);
  void factor_finish(const Op& op);
  void attach_base(const Op& op, std::size_t index);
  void close_rows(const Op& op, RowReflectors<T>& rows, T* base_columns);
  void close_front(const Op& op, std::size_t index, const RowReflectors<T>& rows, const T* base_columns);
  RowReflectors<T> reflectors(const Op& op, std::size_t index);

  void joint_bias(const Op& op, T* c) const;
  void joint_reaction(const Op& op, const T* wrench, T* lambda) const;
  Outcome factor_given(const Op& op, std::size_t index);
  void factor_load(const Op& op, std::size_t index);
  void up_load(const Op& op, std::size_t index);
  void down_given(const Op& op, std::size_t index, T* a);
  void down_load(const Op& op, std::size_t index, bool wants_loads);
  // The published front of a body, and its place there.
  std::pair<std::size_t, std::size_t> published_place(std::int32_t body) const;

  void up_tree(const Op& op);
  void up_start(const Op& op, std::size_t index);
  void up_attach(const Op& op, std::size_t index);
  void up_close(const Op& op, std::size_t index);
  void up_compress(const Op& op);
  void up_finish(const Op& op);

  void down_tree(const Op& op, T* a, T* lambda);
  void down_start(const Op& op, std::size_t index, T* a);
  void down_attach(const Op& op, std::size_t index, T* a, T* lambda);
  void down_close(const Op& op, std::size_t index, const T* a, T* lambda);
  void close_reactions(const Op& op, std::size_t index, const T* z, T* lambda);
  void down_compress(const Op& op, std::size_t index);
  void down_finish(const Op& op);

  const Program& program_;
  std::vector<T> scales_;  // by row of the layout
  std::vector<Place> places_;
  std::vector<Step> steps_;
  std::vector<T> numbers_;
  std::size_t used_ = 0;
  // Of the numbers and orders after each op
  struct End {
    std::size_t numbers = 0, orders = 0;
  };
  std::vector<End> ends_;
  std::vector<std::int32_t> orders_;
  std::vector<Decision> decisions_;
  std::vector<std::int32_t> spare_;            // columns beyond the program's, of each op
  std::vector<std::int32_t> columns_, ranks_;  // of each op
  std::vector<Inertia<T>> inertias_;           // of each body with all that was condensed on it
  std::vector<T> bias_;                        // p of each body, six
  std::vector<T> loads_;                       // τ of each live body from later ops of its block, six
  struct Given {
    const T* D = nullptr;
    const T* r = nullptr;
  };
  std::vector<Given> given_;
  const T* u_ = nullptr;  // of the sweep at hand, by row of the layout
  const T* values_ = nullptr;
  // Scratch of one op
  std::vector<T> line_, block_, products_;
};

extern template class Elimination<double>;
extern template class Elimination<long double>;

}  // namespace gelenk::solve
