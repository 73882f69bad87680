#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/math/joint_rows.h"
#include "gelenk/solve/elimination_program.h"

// Bodies as vertices, joints as edges, the ground as the root.
namespace gelenk::solve {

// A set of joints that hold each other in loops, or a single one that no loop passes. It hangs on one vertex, its base:
// all ways from its other bodies to the ground lead through it.
struct Block {
  std::int32_t base = -1;  // body, -1: the ground
  std::int32_t root = -1;  // a body that nothing connects with the ground moves freely from it; no joints then
  std::vector<std::int32_t> joints;
  std::vector<std::int32_t> borders;  // bodies that are touched from outside
  std::vector<std::int32_t> given;    // fronts of other components

  std::size_t edge_count() const { return joints.size() + borders.size() + given.size() + (root < 0 ? 0 : 1); }
};

struct BlockTree {
  std::vector<Block> blocks;        // outer ones first: a block comes before the one its base belongs to
  std::vector<std::int32_t> idle;   // joints within one body, or of the ground with itself
  std::vector<std::int32_t> level;  // of each body: joints on the shortest way to its root
};

// Biconnected components of the joint graph. What is not connected with the ground moves freely from one of its bodies:
// the one with most joints when that is a hub, else one at an end.
// What is touched from outside counts as connected with the anchor (none: the ground): bodies of the border one by one.
// So do those of a given front with the ground, together. The bodies of a component that is called are connected with
// each other, and with what it is on, or with the ground when it has no anchor.
struct GraphBorders {
  std::span<const std::int32_t> borders = {};
  std::span<const GivenFront> given = {};
  std::int32_t anchor = kNone;
  std::span<const std::int32_t> roots = {};  // of groups without ground, where one is in them
};
BlockTree make_block_tree(std::size_t body_count, std::span<const JointRows> joints, const GraphBorders& borders = {});

}  // namespace gelenk::solve
