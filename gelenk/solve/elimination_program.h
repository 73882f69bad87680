#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/math/joint_rows.h"

// The order in which the accelerations of a machine are found, made once: a linear array of operations, run forward to
// factor and to sweep up, backward to sweep down. Theory, symbols and equation numbers: docs/theory/elimination.md.
namespace gelenk::solve {

inline constexpr std::int32_t kNone = -1;

enum class OpKind : std::uint8_t {
  tree,      // a body and all that hangs on it becomes an inertia of its inner body
  start,     // a body without an inner one becomes a front
  attach,    // a body joins a front by the free motion of one joint
  close,     // rows between bodies of one or two fronts
  compress,  // a front that moves in fewer ways than it has columns
  finish,    // a front without live bodies becomes an inertia of its base
  given,     // a front that another component publishes
  load,      // what hangs on a body of a given front, which brings no inertia of its own
  join,      // a body joins a mobility front, or two of these become one; rows are closed at once
  take,      // a mobility front that another component publishes
  square,    // a front becomes a mobility front
  call,      // a component inside the machine runs its own program; its anchor brings an inertia
  carry,     // a front takes along the bodies that a component shows relative to one of its own
};

// A front: live bodies B over a base body 0 (none: the ground),
//   a_B = W y + Φ a_0 + r,  energy ½|y|² + ½ a_0ᵀ I_b a_0 + p_b·a_0                     elimination.md (4.1)
struct Op {
  OpKind kind = OpKind::tree;
  bool is_free = false;                     // tree, attach: not by a joint, but with all six motions
  bool is_b = false;                        // tree, attach: the body is body b of the joint
  std::int32_t body = kNone;                // tree, start, attach: k; load: the loaded one
  std::int32_t parent = kNone;              // tree: p, kNone for the ground
  std::int32_t joint = kNone;               // tree, attach
  std::int32_t base = kNone;                // of the front
  std::int32_t source[2] = {kNone, kNone};  // ops whose fronts go in
  std::int32_t parent_place = kNone;        // attach: of p among the live bodies of the source; kNone: base or ground
  std::int32_t free_count = 0;              // tree, attach: f
  // In Program::live and Program::kept: the live bodies after the op, and their places among those that went in (those
  // of the first source, of the second source, then the attached body). Of mobility fronts only bodies of the border,
  // and the first slot of each instead of its place.
  std::int32_t first_live = 0, live_count = 0;
  std::int32_t first_closing = 0, closing_count = 0;  // close, join: joints, in Program::closing
  std::int32_t row_count = 0;                         // close, join
  std::int32_t decision = kNone;                      // close, join
  std::int32_t component = kNone;                     // given, call: which one
  std::int32_t front = kNone;                         // given: which one of a component that is called
  std::int32_t planned_rank = 0;                      // close, compress: at the pose of planning
  std::int32_t most_columns = kNone;                  // close, compress: room for these; kNone: for all that go in
  std::int32_t network = kNone;                       // join, take, square: in Program::networks
};

// A mobility front: numbers w seen of its live bodies over a base body 0, each in a slot of its own,
//   w = D μ + Φ a_0 + r,  μ the forces against them                                               elimination.md (9.1)
// A body is seen by its six accelerations, or by one side of each scaled row that is still to be closed when these are
// fewer. A body of the border is always seen by its accelerations. Closed rows leave their slots to what comes next.
struct Network {
  std::int32_t slots = 0;                             // after the op
  std::int32_t capacity = 0;                          // of the front as long as it has one source
  std::int32_t units = kNone;                         // join: first slot of the six accelerations of the new body
  std::int32_t first_pending = 0, pending_count = 0;  // join: rows of the new body, in Program::pending
  std::int32_t seen = 0, staying = 0;                 // join: all that is seen of the new body, and what stays
  // In Program::picks. Two sources: slots of each that stay, now in this sequence. Else: slots without meaning.
  std::int32_t first_pick = 0, pick_count[2] = {0, 0};
};

// Rows of a joint that the new body brings and that stay open.
struct Pending {
  std::int32_t joint = kNone;
  std::int32_t slot = 0;  // of the first one
};

// A joint whose rows an op closes, and where its bodies are: among the live ones that go in, or for a join in a slot.
struct Closing {
  static constexpr std::int32_t kGround = -1;
  static constexpr std::int32_t kBase = -2;
  static constexpr std::int32_t kNew = -3;  // join: the new body

  // Side of a joint that a join closes.
  struct Slot {
    std::int32_t slot = 0;    // in its source
    bool is_second = false;   // source
    bool has_units = false;   // six accelerations from there on, else the rows of this side
    bool is_leaving = false;  // the body has no joints to come
  };
  static std::int32_t pack(const Slot& s) {
    return 8 * s.slot + (s.is_leaving ? 4 : 0) + (s.is_second ? 2 : 0) + (s.has_units ? 1 : 0);
  }
  static Slot unpack(std::int32_t place) { return {place / 8, (place & 2) != 0, (place & 1) != 0, (place & 4) != 0}; }

  std::int32_t joint = kNone;
  std::int32_t place_a = kGround;
  std::int32_t place_b = kGround;
};

// Bodies of another component that this one sees: where they are is known, not what they are.
struct GivenFront {
  std::vector<std::int32_t> bodies;

  // A component inside the machine is called when all that only hangs on it is condensed: components.md (9).
  bool is_called = false;
  std::int32_t anchor = kNone;  // the body that the others are shown relative to; none: the ground
  // It is none of them, but what the component is on: a body of this program, or of another component in it.
  bool is_seated = false;
  std::vector<std::int32_t> inside;    // each of the bodies in the program of the component
  std::vector<std::int32_t> loaded{};  // bodies whose loads it takes in, in the order of its Program::loaded
  struct Front {
    std::int32_t op = kNone;  // in the program of the component
    std::vector<std::int32_t> bodies;
  };
  std::vector<Front> fronts{};
};

// A long chain, cut at one joint so that two threads can work on it: the part at the ground (ops from 0 to inner_end),
// what is beyond the joint (up to the op of the joint), the joint itself. The two parts have nothing in common.
struct ChainCut {
  std::int32_t inner_end = 0;
  std::int32_t joint_op = kNone;   // its parent is the number behind the last body, which collects what is beyond
  std::int32_t tip = kNone;        // inner body of the joint
  std::vector<std::int32_t> path;  // ops from the tip to the ground

  bool is_set() const { return joint_op != kNone; }
};

struct Program {
  std::size_t body_count = 0;
  JointRowLayout layout;
  std::vector<Op> ops;
  std::vector<std::int32_t> live, kept;
  std::vector<Closing> closing;
  std::vector<Network> networks;
  std::vector<Pending> pending;
  std::vector<std::int32_t> picks;
  std::vector<double> row_scales;      // s_j by row of the layout, frozen when planned
  std::vector<double> reference_mass;  // of each body: what its linear and angular motion are scaled with, two each
  std::vector<std::int32_t> idle;      // joints within one body or on the ground only: nothing can move them
  std::vector<std::int32_t> freed;     // joints that are taken as rows because they lose rank by themselves
  std::size_t decision_count = 0;
  std::vector<GivenFront> given;
  ChainCut cut;
  std::vector<std::int32_t> published;  // ops whose fronts have live bodies at the end: those of the border
  // Of a component that is called by its owner: the body that its fronts are relative to (none: the ground), and those
  // on which the owner loads what hangs there.
  bool is_called = false;
  std::int32_t anchor = kNone;
  bool is_seated = false;  // the anchor is a body of its owners, which has no inertia here
  std::vector<std::int32_t> loaded;

  std::span<const std::int32_t> live_of(const Op& op) const {
    return std::span(live).subspan(static_cast<std::size_t>(op.first_live), static_cast<std::size_t>(op.live_count));
  }
  std::span<const std::int32_t> kept_of(const Op& op) const {
    return std::span(kept).subspan(static_cast<std::size_t>(op.first_live), static_cast<std::size_t>(op.live_count));
  }
  std::span<const Closing> closing_of(const Op& op) const {
    return std::span(closing).subspan(static_cast<std::size_t>(op.first_closing),
                                      static_cast<std::size_t>(op.closing_count));
  }
  static bool is_network(const Op& op) { return op.network != kNone; }
  const Network& network_of(const Op& op) const { return networks[static_cast<std::size_t>(op.network)]; }
  std::span<const Pending> pending_of(const Network& n) const {
    return std::span(pending).subspan(static_cast<std::size_t>(n.first_pending),
                                      static_cast<std::size_t>(n.pending_count));
  }
  std::span<const std::int32_t> picks_of(const Network& n, std::size_t source) const {
    const std::int32_t first = n.first_pick + (source == 0 ? 0 : n.pick_count[0]);
    return std::span(picks).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n.pick_count[source]));
  }
  // Decisions about rank.
  static bool decides(const Op& op) { return op.decision != kNone; }
  static bool is_front(const Op& op) {
    return op.kind != OpKind::tree && op.kind != OpKind::finish && op.kind != OpKind::call;
  }
};

}  // namespace gelenk::solve
