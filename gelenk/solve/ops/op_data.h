#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gelenk/math/joint_rows.h"
#include "gelenk/solve/elimination_program.h"
#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/node_functions.h"
#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/spatial.h"

// All numbers of an elimination program, as plain data: the kernels of the ops, free functions in the other files of
// this folder, read and write them. Six-vectors are linear first, world axes, at the centers of mass. Symbols and
// equation numbers: docs/theory/elimination.md.
namespace gelenk::solve {

// On the way through the ops: they only factor, or sweep up, too, or do both and leave little behind, or only sweep up.
enum class Pass : std::uint8_t { factor, both, lean, up };

enum class OpOutcome : std::uint8_t { good, joint_lost_rank, too_many_columns };

struct OpReport {
  OpOutcome outcome = OpOutcome::good;
  std::int32_t where = kNone;  // joint, or op
  std::int32_t chosen_again = 0;
  double smallest = 1.0;  // accepted pivot
};

// Pivots of an op that decides about rank; its rows in order are OpData::orders.
struct Decision {
  std::int32_t accepted = -1;  // -1: to be chosen
  double smallest = 0.0;       // pivot when they were chosen
};

// Where the numbers of an op are in OpData::numbers, and their sizes.
struct Place {
  std::uint32_t own = 0;                       // numbers of the op itself: the Parts of its kind
  std::uint32_t W = 0, phi = 0, r = 0, y = 0;  // of its front
  std::uint32_t Ib = 0, pb = 0;                // on its base; of Ib only the lower half is read
  std::uint32_t order = 0;
  std::uint32_t sides = 0;      // join: two for each row; close of one hinge: in hinge_closings
  std::int32_t columns = 0;     // of W at most
  std::int32_t columns_in = 0;  // that go in at most
  std::uint32_t duals = 0;      // attach: numbers kept of the joint
  bool is_hinge = false;        // attach: by a hinge
  bool is_alone = false;        // attach: the attached body is the only live one, and its W is J L⁻ᵀ itself
  bool is_bare = false;         // attach: nothing hangs on the attached body
  bool is_carrying = false;     // given, take: something hangs on one of the bodies
};

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

// hinge_attach: a bare body joins a front without base by a hinge; hinge_close: nothing but one hinge between two
// fronts on the ground.
enum class Shape : std::uint8_t { hinge, other_tree, hinge_attach, hinge_close, other_front };

// What the frequent ops need, close together: time goes into moving data.
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
  Inertia I;
  double p[6];
};

// What another component publishes of a given front: D row by row, six rows for each of its bodies, and r.
struct Given {
  const double* D = nullptr;
  const double* r = nullptr;
};

struct OpData;

// A component inside the machine, run in the order of its owner's program. What it finds is read where it is.
struct Callee {
  void* self = nullptr;
  OpData* inside = nullptr;
  // False: a joint inside lost rank. It sweeps up, too, if its owner does. Null: it is factored already, for planning.
  bool (*factor)(void* self, const RankRule& rule, Pass pass, OpReport& report) = nullptr;
  void (*up)(void* self, NodeLoad load) = nullptr;
  // a of the bodies of its program; that of the anchor is known before.
  double* (*motion)(void* self, NodeLoad load) = nullptr;
  void (*down)(void* self, NodeLoad load, bool wants_multipliers) = nullptr;
};

// Of a chain that is cut at one joint (ChainCut): the tip, inner body of the joint.
struct ChainTip {
  double phi[36];  // Φ: what unit wrenches at the tip do to the body at hand, row by row
  double D[36];
  double W[36];  // D = W Wᵀ, columns of six
  double L[36];
  double b[6];
  double e[6];
  std::size_t columns = 0;
  std::size_t carried_to = 0;          // so many ops of the path lie where the wrenches have not faded
  std::vector<std::uint32_t> touched;  // those of them whose joints they move
  std::vector<double> carried;         // P of these, rows of six
};

struct OpData {
  explicit OpData(const Program& of) : program(of) {}

  const Program& program;
  bool is_growing = false;  // ops are added and taken back

  // What follows from the program alone: place.h.
  std::vector<Place> places;
  std::vector<Step> steps;
  std::vector<RowSide> sides;
  std::vector<HingeClosing> hinge_closings;
  std::vector<std::int32_t> loaded;  // bodies that have their own inertia and load before all ops
  std::vector<std::int32_t> spare;   // columns beyond the program's, of each op
  std::size_t used = 0;              // numbers
  // Of the numbers, orders, sides and closed hinges after each op, while the program grows
  struct End {
    std::size_t numbers = 0, orders = 0, sides = 0, hinges = 0;
  };
  std::vector<End> ends;
  std::vector<double> scales;  // by row of the layout

  // The pose
  const BodyMass* masses = nullptr;
  const double* values = nullptr;
  std::vector<Given> given;
  std::vector<Callee> callees;
  // Of its factorization
  std::vector<double> numbers;
  std::vector<Inertia> inertias;            // of each body with all that was condensed on it
  std::vector<std::int32_t> column_counts;  // of each op
  std::vector<std::int32_t> ranks;
  std::vector<std::int32_t> orders;
  std::vector<Decision> decisions;
  std::unique_ptr<ChainTip> tip;
  bool is_lean = false;  // inertias and loads that were handed over are not stored

  // The right side, and its sweep
  const double* f = nullptr;  // six for each body
  const double* u = nullptr;  // by row of the layout
  std::vector<double> bias;   // p of each body, six
  std::vector<double> loads;  // τ of each live body from later ops of its block, six

  // Of a program that is called: what its owner loads on Program::loaded, and its wrenches on the bodies of published
  // fronts, six for each body.
  std::vector<Inertia> handed_inertias;
  std::vector<double> handed_loads, handed_wrenches;
  NodeLoad load = NodeLoad::given;  // of the sweep at hand
  Pass pass = Pass::factor;         // at hand, or the last one

  std::vector<double> line, block, products, network;  // scratch of one op

  double* at(std::size_t offset) { return numbers.data() + offset; }
  const double* at(std::size_t offset) const { return numbers.data() + offset; }
  std::size_t columns(std::size_t op) const { return static_cast<std::size_t>(column_counts[op]); }
  std::size_t rank(std::size_t op) const { return static_cast<std::size_t>(ranks[op]); }

  const JointRows& joint(std::int32_t number) const { return program.layout.joints[static_cast<std::size_t>(number)]; }
  JointView view(std::int32_t number, bool is_b) const {
    const JointRows& rows = joint(number);
    return {&rows, values + rows.first_value, is_b};
  }
  JointView view_of(const Step& hinge) const { return {&kHingeRows, values + hinge.first_value, hinge.is_b}; }
  const double* scales_of(std::int32_t number) const { return scales.data() + joint(number).first_row; }
  const double* u_of(std::int32_t number) const { return u + joint(number).first_row; }
};

// All that with_inertia() reads of a body on which nothing hangs.
inline void put_bare_inertia(const OpData& data, std::size_t body, Inertia& I) {
  I.A[0] = data.masses[body].mass;
  for (std::size_t i = 0; i < 6; ++i) I.C[i] = data.masses[body].inertia[i];
}

inline void put_own_inertia(const OpData& data, std::size_t body, Inertia& I) {
  put_bare_inertia(data, body, I);
  I.A[3] = I.A[5] = I.A[0];
  I.A[1] = I.A[2] = I.A[4] = 0.0;
  for (double& x : I.B) x = 0.0;
}

// p = -f, to begin with
inline void put_own_load(const OpData& data, std::size_t body, double* p) {
  for (std::size_t i = 0; i < 6; ++i) p[i] = -data.f[6 * body + i];
}

// Calls kernel(I) with the inertia of an attached body.
template <class Kernel>
GELENK_ALWAYS_INLINE void with_inertia(const OpData& data, bool is_bare, std::int32_t body, Kernel&& kernel) {
  const Inertia& I = data.inertias[static_cast<std::size_t>(body)];
  if (is_bare) {
    kernel(BareInertia{I.A[0], I.C});
  } else {
    kernel(I);
  }
}

}  // namespace gelenk::solve
