#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/model/machine.h"

namespace gelenk::model {

// A part turns about an axis of the world through its center of mass, or that center moves along it.
struct PartMotion {
  PartId part;
  Coordinate::Motion motion = Coordinate::Motion::rotation;
  int axis = 0;  // 0 x, 1 y, 2 z
};

// One independent way to move: the twist of every part, velocity of its origin and angular velocity, world axes. What
// names it moves with rate 1, while all that names other motions of these parts rests.
struct FreeMotion {
  std::optional<CoordinateUse> coordinate;    // of a joint
  std::optional<PartMotion> part;             // where no coordinate does it: parts float, or turn in ball joints
  std::vector<PartId> parts;                  // that take part
  std::vector<std::array<double, 6>> twists;  // of each of them
};

// A joint whose directions others hold as well.
struct HeldTwice {
  JointId joint;
  std::size_t rows = 0;  // of its rows that depend on others
};

// How the machine can be expected to move, from its joints in the pose as drawn. Joints that are drawn open count as if
// they were closed where the second part is; the simulation looks again in the assembled pose.
struct MobilityReport {
  std::size_t rows = 0;            // constraint rows of all joints
  std::size_t rank = 0;            // independent ones
  std::size_t free_motions = 0;    // 6 per part less the rank; those that drivers prescribe included
  std::size_t velocity_rows = 0;   // rows among them that hold velocities alone: no slip
  std::size_t slipless = 0;        // what these take from the motions but not from the positions, see below
  std::size_t driven_motions = 0;  // of these, prescribed by drivers
  bool is_counted_only = false;    // some group of parts is too large for the dense analysis: its rank is a guess
  std::vector<CoordinateUse> independent;  // joint coordinates that span the free motions of joined parts
  std::vector<PartId> loose_parts;         // held by no joint at all: 6 free motions each
  std::vector<FreeMotion> motions;         // one for each free motion, but those that were only counted
  std::vector<HeldTwice> held_twice;
  std::vector<std::size_t> couplings_held_twice;  // of Machine::couplings: others hold what they hold

  std::size_t redundant() const { return rows - rank; }
  // Coordinates that say where everything is. A machine that does not slip has fewer motions at any moment.
  std::size_t position_freedoms() const { return free_motions + slipless; }
};

// In the pose in which the parts of the machine are drawn.
MobilityReport expected_mobility(const Machine& machine);
// In another pose: X_WP of each part.
MobilityReport expected_mobility(const Machine& machine, std::span<const Pose> poses);

// World pose of a joint frame as drawn.
Pose drawn_frame(const Machine& machine, const FrameOnPart& frame);

// The joint frame in which the axis of a coordinate is fixed: the first, but for turns about another axis than z (the
// second axis of a universal joint).
const FrameOnPart& axis_carrier(const JointNode& joint, std::size_t coordinate);
// The axis itself in the world; along a curve, its tangent.
Vector3 drawn_axis(const Machine& machine, const CoordinateUse& use);

// How far a joint is open as drawn.
JointGap drawn_gap(const Machine& machine, const JointNode& joint);

}  // namespace gelenk::model
