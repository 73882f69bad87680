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
};

// A front: live bodies B over a base body 0 (none: the ground),
//   a_B = W y + Φ a_0 + r,  energy ½|y|² + ½ a_0ᵀ I_b a_0 + p_b·a_0                                          (6)
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
  // of the first source, of the second source, then the attached body).
  std::int32_t first_live = 0, live_count = 0;
  std::int32_t first_closing = 0, closing_count = 0;  // close: joints, in Program::closing
  std::int32_t row_count = 0;                         // close
  std::int32_t decision = kNone;                      // close
  std::int32_t component = kNone;                     // given: which one
  std::int32_t planned_rank = 0;                      // close, compress: at the pose of planning
  std::int32_t spare_columns = 0;  // close, compress: columns beyond those planned, after rank losses
};

// A joint whose rows an op closes, and where its bodies are among the live ones that go in.
struct Closing {
  static constexpr std::int32_t kGround = -1;
  static constexpr std::int32_t kBase = -2;
  std::int32_t joint = kNone;
  std::int32_t place_a = kGround;
  std::int32_t place_b = kGround;
};

// Bodies of another component that this one sees: where they are is known, not what they are.
struct GivenFront {
  std::vector<std::int32_t> bodies;
};

struct Program {
  std::size_t body_count = 0;
  JointRowLayout layout;
  std::vector<Op> ops;
  std::vector<std::int32_t> live, kept;
  std::vector<Closing> closing;
  std::vector<double> row_scales;      // s_j by row of the layout, frozen when planned
  std::vector<double> reference_mass;  // of each body: what its linear and angular motion are scaled with, two each
  std::vector<std::int32_t> idle;      // joints within one body or on the ground only: nothing can move them
  std::vector<std::int32_t> freed;     // joints that are taken as rows because they lose rank by themselves
  std::size_t decision_count = 0;
  std::vector<GivenFront> given;
  std::vector<std::int32_t> published;  // ops whose fronts have live bodies at the end: those of the border

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
  static bool is_front(const Op& op) { return op.kind != OpKind::tree && op.kind != OpKind::finish; }
};

}  // namespace gelenk::solve
