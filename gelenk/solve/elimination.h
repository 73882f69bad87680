#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gelenk/solve/elimination_program.h"
#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/row_cholesky.h"
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
  // A program without ops may grow, as long as place() follows.
  explicit Elimination(const Program& program);
  ~Elimination();

  // Room for all ops from `first` on.
  void place(std::size_t first = 0);

  // Masses and packed rows of a pose; they must stay as and where they are until the next load().
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
  // Runs all ops. On joint_lost_rank another program is needed, on too_many_columns make_room() for the op.
  Report factor(const RankRule& rule);
  // factor() and sweep_up(), an op after the other while its numbers are at hand: large machines spend their time on
  // the way to the memory. The same bits. is_lean: probably there will be no other right side, and no multipliers are
  // wanted; along chains of hinges what is condensed on a body is then not stored, and found again if it is needed
  // after all.
  Report factor_and_sweep_up(const RankRule& rule, std::span<const T> f, std::span<const T> u, bool is_lean = false);
  // Room for as many columns as the op turned out to need, and for what follows from it.
  void make_room(std::size_t op);
  // One op, its sources done; for planning.
  Outcome factor_op(std::size_t op, const RankRule& rule, Report& report);

  // Right sides: f of each body, u of each row of the layout. They must stay where they are until sweep_down().
  void sweep_up(std::span<const T> f, std::span<const T> u);
  // a of each body but those of given fronts, which others know; λ of each row of the layout unless empty. `tau`:
  // wrenches on the bodies of the border, six for each body of the program, or empty. wants_loads: load_on() will be
  // asked for; then λ must be given.
  void sweep_down(std::span<T> a, std::span<T> lambda, std::span<const T> tau = {}, bool wants_loads = false);
  // What the owner does to a body of a given front.
  const T* load_on(std::int32_t body) const { return &loads_[6 * static_cast<std::size_t>(body)]; }

  // Where a body of the border is in what is published: the same for all factorizations. Bodies of different fronts do
  // not move each other.
  struct Published {
    std::size_t front;
    std::size_t place;
    bool is_network;  // D is there; else W, and D = W Wᵀ
  };
  Published published(std::int32_t body) const;
  // W at a body, six numbers a column.
  struct Columns {
    const T* first;
    std::size_t stride;
    std::size_t count;
  };
  Columns columns_at(const Published& body) const;
  // Of two bodies of one mobility front, row by row.
  void copy_mobility(const Published& body, const Published& other, T* D) const;
  const T* rates_at(const Published& body) const;

  // Inertia of a body with all that was condensed on it so far; for planning.
  Inertia<T>& inertia(std::size_t body) { return inertias_[body]; }

  std::size_t columns(std::size_t op) const { return static_cast<std::size_t>(columns_[op]); }
  std::size_t rank(std::size_t op) const { return static_cast<std::size_t>(ranks_[op]); }
  std::size_t memory() const;

 private:
  struct Place {
    std::uint32_t own = 0;                       // numbers of the op itself
    std::uint32_t W = 0, phi = 0, r = 0, y = 0;  // of its front
    std::uint32_t Ib = 0, pb = 0;                // on its base; of Ib only the lower half is read
    std::uint32_t order = 0;
    std::uint32_t sides = 0;      // join: two for each row; close of one hinge: in hinge_closings_
    std::int32_t columns = 0;     // of W at most
    std::int32_t columns_in = 0;  // that go in at most
    std::uint32_t duals = 0;      // attach: numbers kept of the joint
    bool is_hinge = false;        // attach: by a hinge
    bool is_alone = false;        // attach: the attached body is the only live one, and its W is J L⁻ᵀ itself
    bool is_bare = false;         // attach: nothing hangs on the attached body
    bool is_carrying = false;     // given, take: something hangs on one of the bodies
  };
  // Parts of the own numbers of each kind.
  struct TreeParts;
  struct HingeParts;
  struct AttachParts;
  struct CloseParts;
  struct CompressParts;
  struct LoadParts;
  struct CutParts;
  struct JoinParts;
  // One side of a row that a join closes.
  struct RowSide {
    enum class Kind : std::uint8_t { nothing, row, units, new_body, base } kind = Kind::nothing;
    std::uint8_t source = 0;
    bool is_leaving = false;
    std::int32_t slot = 0;
    std::uint32_t row = 0;  // E of units and base, V of the new body: six numbers among those of the op
  };

  // One hinge between two fronts on the ground, the most frequent closure.
  struct HingeClosing {
    struct Side {
      std::uint32_t W = 0, r = 0;  // of the body in its front
      std::uint32_t height = 0;    // of W
      std::int32_t source = kNone;
      bool is_second = false;
    };
    std::int32_t first_value = 0, first_row = 0;
    Side sides[2];  // of the joint: a and b
  };

  // What the frequent ops need, close together: time goes into moving data. hinge_attach: a bare body joins a front
  // without base by a hinge; hinge_close: nothing but one hinge between two fronts on the ground.
  enum class Shape : std::uint8_t { hinge, other_tree, hinge_attach, hinge_close, other_front };
  struct Step {
    std::uint32_t own = 0;
    std::int32_t body = kNone;
    std::int32_t parent = kNone;
    std::int32_t first_value = 0;
    std::int32_t first_row = 0;
    Shape shape = Shape::other_front;
    bool is_b : 1 = false;
    // The first to be condensed on its parent, whose own inertia and load are put there before
    bool is_first : 1 = false;
    // A hinge that is the only one to be condensed on the body of the next op, also a hinge; and that one
    bool hands_over : 1 = false;
    bool is_handed : 1 = false;
  };
  // What is condensed on a body whose op comes next.
  struct Hand {
    Inertia<T> I;
    T p[6];
  };

  const Place& place_of(const Op& op) const { return places_[static_cast<std::size_t>(&op - program_.ops.data())]; }
  const Step& step_of(const Op& op) const { return steps_[static_cast<std::size_t>(&op - program_.ops.data())]; }
  T* at(std::size_t offset) { return numbers_.data() + offset; }
  const T* at(std::size_t offset) const { return numbers_.data() + offset; }
  std::uint32_t take(std::size_t count) {
    const std::size_t first = used_;
    used_ += count;
    return static_cast<std::uint32_t>(first);
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
  bool joint_motion(const Op& op, T* v, T* S, T* duals) const;

  bool closes_one_hinge(const Op& op) const;
  HingeClosing hinge_closing(const Op& op) const;
  void find_first_ops();
  void find_carriers();
  void find_handed();
  void put_own_inertia(std::size_t body, Inertia<T>& I) {
    put_bare_inertia(body, I);
    I.A[3] = I.A[5] = I.A[0];
    I.A[1] = I.A[2] = I.A[4] = T(0);
    for (T& x : I.B) x = T(0);
  }
  // All that with_inertia() reads of a body on which nothing hangs.
  void put_bare_inertia(std::size_t body, Inertia<T>& I) {
    I.A[0] = T(masses_[body].mass);
    for (std::size_t i = 0; i < 6; ++i) I.C[i] = T(masses_[body].inertia[i]);
  }
  // attach: to the base itself, so that Φ_k = X
  static bool is_on_base(const Op& op) { return op.parent_place == kNone && !op.is_free; }
  void put_own_load(std::size_t body, T* p) {
    for (std::size_t i = 0; i < 6; ++i) p[i] = -f_[6 * body + i];
  }
  Shape shape_of(const Op& op) const;
  HingeParts& hinge(const Step& step) { return *reinterpret_cast<HingeParts*>(numbers_.data() + step.own); }
  JointView<T> view_of(const Step& step) const { return {&kHingeRows, values_ + step.first_value, step.is_b}; }
  void condense_hinge(const Step& step, const T* v, const Inertia<T>& I, Inertia<T>& onto);
  void lift_hinge(const Step& step, const T* d, const Inertia<T>& I, const T* p, T* wrench);
  void load_parent(const Step& step, const T* v, const T* wrench, T* p);
  template <bool sweeps_up, bool is_lean>
  bool factor_hinge(const Step& step, Hand& hand);
  void up_hinge(const Step& step);
  void find_handed_inertias();
  void find_handed_loads();
  // inner: motion of p, none for the ground
  void down_hinge(const Step& step, const T* inner, T* ours);
  void hinge_reaction(const Step& step, const T* ours, T* lambda);

  Outcome factor_shape(const Op& op, std::size_t index, const RankRule& rule, Report& report);
  Outcome factor_tree(const Op& op);
  void factor_start(const Op& op, std::size_t index);
  template <bool is_plain>
  Outcome factor_attach(const Op& op, std::size_t index);
  template <bool is_one_hinge>
  Outcome factor_close(const Op& op, std::size_t index, const RankRule& rule, Report& report);
  Outcome factor_compress(const Op& op, std::size_t index);
  void factor_finish(const Op& op);
  void attach_front(const Op& op, std::size_t index, std::size_t before);
  void attach_base(const Op& op, std::size_t index);
  void put_base_motion(const Op& op, const AttachParts& parts);
  template <class Body, class Size>
  void couple_base(const Op& op, const AttachParts& parts, const Body& I, const T* before, T* base_inertia, Size n);
  template <bool is_plain>
  AttachParts attach_parts(const Place& place);
  template <bool is_one_hinge>
  CloseParts close_parts(const Op& op, const Place& place);
  template <bool is_one_hinge>
  RowReflectors<T> reflectors(const Op& op, std::size_t index);
  template <bool is_one_hinge, class Kernel>
  decltype(auto) with_reflectors(const Op& op, std::size_t index, Kernel&& kernel);
  template <class Rows>
  void close_rows(const Op& op, const Rows& rows, T* base_columns);
  template <class Rows>
  void close_hinge_rows(const Op& op, const HingeClosing& closing, const Rows& rows);
  template <class Rows>
  void close_front(const Op& op, std::size_t index, const Rows& rows);
  template <class Rows>
  void close_base(const Op& op, std::size_t index, const Rows& rows, const T* base_columns);

  void joint_bias(const Op& op, const T* duals, T* c) const;
  void joint_reaction(const Op& op, const T* duals, const T* wrench, T* lambda) const;
  // Calls kernel(I) with the inertia of the attached body.
  template <class Kernel>
  GELENK_ALWAYS_INLINE void with_inertia(bool is_bare, std::int32_t body, Kernel&& kernel) {
    const Inertia<T>& I = inertias_[static_cast<std::size_t>(body)];
    if (is_bare) {
      kernel(BareInertia<T>{I.A[0], I.C});
    } else {
      kernel(I);
    }
  }
  std::size_t root_of_mobility(std::span<const std::int32_t> bodies, const T* D, T* scaled, T* W) const;
  Outcome factor_given(const Op& op, std::size_t index);
  void factor_load(const Op& op, std::size_t index);
  void up_load(const Op& op, std::size_t index);
  void down_given(const Op& op, std::size_t index, T* a);
  void down_load(const Op& op, std::size_t index, bool wants_loads);

  // Mobility fronts
  void place_network(std::size_t index);
  void factor_network(const Op& op, std::size_t index, const RankRule& rule, Report& report);
  void up_network(const Op& op, std::size_t index);
  void down_network(const Op& op, std::size_t index, T* a, T* lambda);
  void push_network(std::size_t front, std::span<const T> tau);
  JoinParts join_parts(const Op& op, std::size_t index);
  RowCholesky<T> row_factor(const Op& op, std::size_t index);
  std::size_t place_sides(const Op& op, std::size_t index);
  void load_sides(const Op& op, const JoinParts& parts);
  void see_new_body(const Op& op, const JoinParts& parts);
  template <class Visit>
  void visit_new_slots(const Op& op, const JoinParts& parts, Visit&& visit) const;
  void gather_joint(const Op& op, const JoinParts& parts, std::size_t first_row, std::size_t count,
                    const std::size_t* slots, T* units, T* lines) const;
  void gather_rows(const Op& op, const JoinParts& parts, T* N, T* scratch);
  void factor_join(const Op& op, std::size_t index, const RankRule& rule, Report& report);
  void join_mobility(const Op& op, std::size_t index, const JoinParts& parts, const RowCholesky<T>& rows);
  void join_base(const Op& op, std::size_t index, const JoinParts& parts, const RowCholesky<T>& rows);
  void row_of_base(const Op& op, const JoinParts& parts, std::size_t row, T* out) const;
  void up_join(const Op& op, std::size_t index);
  void down_join(const Op& op, std::size_t index, T* a, T* lambda);
  void hand_down_forces(const Op& op, std::size_t index, const JoinParts& parts, const T* by_row);
  void factor_entry(const Op& op, std::size_t index);
  void up_entry(const Op& op, std::size_t index);
  void down_entry(const Op& op, std::size_t index, T* a);

  // Ops from first to end - 1, down the other way round.
  template <bool sweeps_up, bool is_lean>
  Report factor_range(std::size_t first, std::size_t end, const RankRule& rule, Hand& hand);
  // Only factors, or sweeps up, too, or does both and leaves little behind.
  enum class Pass : std::uint8_t { factor, both, lean };
  Report pass_range(std::size_t first, std::size_t end, const RankRule& rule, Pass pass, Hand& hand);
  Report factor_pass(const RankRule& rule, Pass pass);
  void begin_sweep(std::span<const T> f, std::span<const T> u);
  void up_range(std::size_t first, std::size_t end);
  void down_range(std::size_t first, std::size_t end, T* a, T* lambda);

  Report factor_cut_chain(const RankRule& rule, Pass pass);
  void up_cut_chain();
  void down_cut_chain(T* a, T* lambda);
  Report factor_inner(const RankRule& rule, Pass pass, Hand& hand);
  void place_cut();
  bool carry_tip(std::size_t index, T* P);
  bool has_tip_faded();
  void factor_cut();
  void tip_motion();
  void up_cut();
  void down_cut(T* a, T* wrench);
  void load_path(const T* wrench, bool wants_reactions);

  void up_op(std::size_t index);
  void up_tree(const Op& op);
  void up_start(const Op& op, std::size_t index);
  // is_plain, is_one_hinge: hinge_attach and hinge_close, compiled without what they do not have.
  template <bool is_plain>
  void up_attach(const Op& op, std::size_t index);
  void up_attach_front(const Op& op, std::size_t index);
  template <class Size>
  void up_attach_base(const Op& op, const AttachParts& parts, const T* wrench, const T* before, T* pb, Size n);
  template <class Find>
  void close_gaps(const Op& op, Find&& r_at, T* e);
  void close_hinge_gaps(const HingeClosing& closing, T* e);
  template <bool is_one_hinge>
  void up_close(const Op& op, std::size_t index);
  void up_compress(const Op& op);
  void up_finish(const Op& op);

  void down_tree(const Op& op, const T* inner, T* ours);
  void tree_reaction(const Op& op, const T* ours, T* lambda);
  void down_tree_op(std::size_t index, const T* inner, T* a, T* lambda);
  void tree_op_reaction(std::size_t index, const T* a, T* lambda);
  void down_front_op(std::size_t index, T* a, T* lambda);
  void down_start(const Op& op, std::size_t index, T* a);
  template <bool is_plain>
  void down_attach(const Op& op, std::size_t index, T* a, T* lambda);
  void attach_reaction(const Op& op, std::size_t index, const T* ours, T* lambda);
  template <bool is_one_hinge>
  void down_close(const Op& op, std::size_t index, const T* a, T* lambda);
  void close_reactions(const Op& op, std::size_t index, const T* z, T* lambda);
  void down_compress(const Op& op, std::size_t index);
  void down_finish(const Op& op);

  const Program& program_;
  bool is_growing_ = false;
  bool is_lean_ = false;   // what was handed over is not stored
  std::vector<T> scales_;  // by row of the layout
  std::vector<Place> places_;
  std::vector<Step> steps_;
  std::vector<T> numbers_;
  std::size_t used_ = 0;
  // Of the numbers, orders, sides and closed hinges after each op, while the program grows
  struct End {
    std::size_t numbers = 0, orders = 0, sides = 0, hinges = 0;
  };
  std::vector<End> ends_;
  std::vector<std::int32_t> orders_;
  std::vector<RowSide> sides_;
  std::vector<HingeClosing> hinge_closings_;
  std::vector<Decision> decisions_;
  std::vector<std::int32_t> spare_;            // columns beyond the program's, of each op
  std::vector<std::int32_t> columns_, ranks_;  // of each op
  std::vector<std::int32_t> loaded_;           // bodies that have their own inertia and load before all ops
  std::vector<Inertia<T>> inertias_;           // of each body with all that was condensed on it
  std::vector<T> bias_;                        // p of each body, six
  std::vector<T> loads_;                       // τ of each live body from later ops of its block, six
  struct Given {
    const T* D = nullptr;
    const T* r = nullptr;
  };
  std::vector<Given> given_;
  std::unique_ptr<CutParts> cut_;
  const T* f_ = nullptr;  // of the sweep at hand, six for each body
  const T* u_ = nullptr;  // and by row of the layout
  const BodyMass* masses_ = nullptr;
  const T* values_ = nullptr;
  // Scratch of one op
  std::vector<T> line_, block_, products_, network_;
};

extern template class Elimination<double>;
extern template class Elimination<long double>;

}  // namespace gelenk::solve
