#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gelenk/system/system.h"

// The machine as a tree: every body hangs on one other by a joint, or floats; joints that would close a loop are cut
// and stay as rows. The coordinates of the joints in the tree say where everything is.
namespace gelenk::minimal {

// What a joint is made of: a turn about, or a slide along, an axis of the frame before it, or a free orientation. A
// joint with several coordinates is a row of them, in the order of its coordinates (z after x: first along x, then
// about z), with bodies without mass between.
struct Link {
  enum class Kind : std::uint8_t { turn, slide, ball, fixed };
  std::int32_t parent = -1;  // link; -1: the ground
  Kind kind = Kind::fixed;
  int axis = 2;                // 0 x, 1 y, 2 z
  double sign = 1.0;           // -1: the joint is passed from its second frame to its first
  std::int32_t body = -1;      // whose mass it carries; -1: none
  std::int32_t position = -1;  // first of its positions: one; of a ball four, a unit quaternion
  std::int32_t rate = -1;   // first of its rates: one; of a ball three, its angular velocity against the frame before
                            // it, in the axes of the frame after it
  std::int32_t joint = -1;  // of System::joints; -1: the body floats
  std::int32_t coordinate = -1;  // of System::coordinates; -1: of a body that floats
  // Where the link begins, from the frame of its parent. The frame of a link is behind its motion; the last one of a
  // joint is the joint's frame on the body, that of a body that floats is the body's own.
  Pose from_parent;

  int position_count() const { return kind == Kind::ball ? 4 : kind == Kind::fixed ? 0 : 1; }
  int rate_count() const { return kind == Kind::ball ? 3 : kind == Kind::fixed ? 0 : 1; }
};

struct Tree {
  std::vector<Link> links;                       // parents first
  std::vector<std::int32_t> link_of_body;        // that carries it
  std::vector<Pose> body_in_link;                // where the body's frame is in that of its link
  std::vector<std::int32_t> cut_joints;          // of System::joints
  std::vector<std::int32_t> link_of_coordinate;  // of System::coordinates; -1: of a cut joint
  std::int32_t positions = 0, rates = 0;
};

// What is 0, 1 or -1 but for rounding is made so: formulas are shorter where it is. `length`: of the machine.
Pose snapped(Pose pose, double length);

// Bodies are reached from the ground, one joint after the other: a driven one first, then those with few coordinates,
// then those near the ground.
Tree plan_tree(const system::System& system, const system::Params& params);

// Positions and rates in a state, of a machine whose joints are closed.
struct TreeState {
  std::vector<double> positions, rates;
};
TreeState read_tree_state(const Tree& tree, const system::System& system, const system::Params& params,
                          const system::State& state);

}  // namespace gelenk::minimal
