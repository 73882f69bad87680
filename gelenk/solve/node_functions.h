#pragma once

#include <cstddef>
#include <cstdint>

#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {

// Right sides of a component: the one at hand, and what a sweep left of it.
enum class NodeLoad : std::uint8_t { given, rest };

struct NodeReport {
  bool needs_other_program = false;  // a joint lost rank by itself; nothing else is valid
  std::int32_t chosen_again = 0;     // decisions about rank
  double smallest = 1.0;             // accepted pivot
};

// What a sweep leaves, the largest of all components inside.
struct NodeResidual {
  double forces = 0.0, inertial_forces = 0.0;  // in units of the bodies' own masses
  double rows = 0.0;                           // s_j |u_j - G_j a|, accepted rows
  double dropped = 0.0;                        // the same, dropped rows
  std::int32_t worst_dropped = -1;             // its number; -1: none, or of a component that does not say
  double change = 0.0, motion = 0.0;           // largest part of a: of the last correction, and in all
};

// All that an owner knows of a component. Numbers at ports: those of one port after the other, for a frame six, forces
// or accelerations first, then moments or angular ones, about the port's origin, world axes. Poses and right sides a
// component has by itself.
struct NodeFunctions {
  void* self = nullptr;
  // D at the pose at hand, row by row.
  NodeReport (*factor)(void* self, const RankRule& rule, double* D) = nullptr;
  // r of a right side.
  void (*up)(void* self, NodeLoad load, double* r) = nullptr;
  // Takes the wrenches τ at the ports, and gives the accelerations there. A rest corrects what is known, and says by
  // how much.
  void (*down)(void* self, NodeLoad load, const double* tau, double* a) = nullptr;
  // Null, or: the same will be asked for after others got theirs; this one can begin.
  void (*begin_down)(void* self, NodeLoad load, const double* tau) = nullptr;
  // Finds what is left of the right side, which is the rest from now on.
  NodeResidual (*residual)(void* self) = nullptr;
  // The right side at hand becomes one of some that are the same everywhere, and that all rows allow, to measure the
  // loss of digits; gives the motion at the ports for which it was made.
  void (*make_test_load)(void* self, std::int32_t which, double* a) = nullptr;
  // All decisions about rank are to be made anew.
  void (*forget)(void* self) = nullptr;
};

}  // namespace gelenk::solve
