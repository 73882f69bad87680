#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/base/units.h"
#include "gelenk/model/machine.h"

// What a run records, and where: wide blocks of doubles in the order of the machine's elements, so that whoever fills a
// row needs no names; and the names of all channels with their place in the blocks.
namespace gelenk::results {

// One block holds one kind of quantity of all elements. Vectors are in the axes that docs/conventions.md names; SI.
// These are the blocks that a run writes; files may have others, which readers find in their index. A new one is a line
// here, a line of the table in layout.cc with what adds its elements, and a line where the observer fills it.
enum class BlockId : std::uint8_t {
  pose,          // parts × 7: position of the origin x y z, quaternion w x y z; world
  twist,         // parts × 6: velocity of the origin, angular velocity; world axes
  acceleration,  // parts × 6: acceleration of the origin, angular acceleration; world axes
  coordinate,    // joint coordinates, one joint after the other; an orientation takes 4
  rate,          // their rates; an angular velocity takes 3
  reaction,      // joints × 6: force, moment on the second part, in axes of the first frame
  effort,        // drivers × 2: torque or force, power
  force,         // the channels of the forces' types, one force after the other; vectors take 3
  output,        // the model's outputs
  energy,        // kinetic; potential: gravity and all springs; their sum; works of forces, drivers and impacts so far
  state,         // states of assemblies and forces: numbers that are integrated
};
inline constexpr std::size_t kBlockCount = static_cast<std::size_t>(BlockId::state) + 1;
inline constexpr std::array<BlockId, kBlockCount> kAllBlocks = [] {
  std::array<BlockId, kBlockCount> all{};
  for (std::size_t i = 0; i < kBlockCount; ++i) all[i] = static_cast<BlockId>(i);
  return all;
}();
constexpr std::size_t index_of(BlockId block) { return static_cast<std::size_t>(block); }

// Name of the dataset: "parts/pose".
std::string_view block_name(BlockId block);
// What its columns are, for people: "x y z qw qx qy qz".
std::string_view block_columns(BlockId block);

struct Block {
  std::size_t full_width = 0;      // doubles of one row for all elements of the machine
  std::size_t width = 0;           // doubles of one row that are recorded; 0: the block is not written
  std::vector<std::size_t> shape;  // of a recorded row: {3, 7}
  std::vector<std::size_t> kept;   // columns of the full row that are recorded; empty when all are

  bool is_recorded() const { return width > 0; }
};

// A named quantity of one element. Vectors have the components x, y, z and, derived when read, magnitude.
struct Channel {
  std::string name;  // "crank.position"
  BlockId block = BlockId::pose;
  std::size_t column = 0;  // the first, in a recorded row
  model::Channel::Shape shape = model::Channel::Shape::scalar;
  Quantity quantity = Quantity::any;
  std::string unit;        // SI: "m"
  std::string shown_unit;  // in which people want to see it; empty: that of its quantity

  // ".x", ".y", ".z" for a vector; one empty text for a scalar.
  std::vector<std::string_view> components() const;
};

// Columns that belong together for who looks an element up by its path: "crank", "pose", 7 columns.
struct Slice {
  std::string path;
  std::string quantity;  // empty for an output, which is its own quantity
  BlockId block = BlockId::pose;
  std::size_t column = 0;
  std::size_t count = 1;
};

constexpr std::array<bool, kBlockCount> all_blocks() {
  std::array<bool, kBlockCount> all{};
  all.fill(true);
  return all;
}

// What to record: blocks, and of those only the elements of which a channel fits one of the patterns (`piston.*`,
// `*.angle`, `crank.position.x`); without patterns all elements.
struct Selection {
  std::array<bool, kBlockCount> blocks = all_blocks();
  std::vector<std::string> patterns;
};

struct Layout {
  std::string model_name;
  std::array<Block, kBlockCount> blocks;
  std::vector<Channel> channels;  // recorded ones, block by block
  std::vector<Slice> slices;
  std::vector<std::pair<Quantity, std::string>> display;  // units for people
  // Where the values of an element begin in the full row of its block; one entry more than there are elements.
  std::vector<std::size_t> coordinate_offsets, rate_offsets;  // of joint j
  std::vector<std::size_t> force_offsets;                     // of force f

  const Block& block(BlockId id) const { return blocks[index_of(id)]; }
  // Whether anybody will read what is put into this block.
  bool wants(BlockId id) const { return block(id).is_recorded(); }
  std::size_t row_width() const;  // recorded doubles of a row, without the time
};

Layout make_layout(const model::Machine& machine, const Selection& selection = {});

}  // namespace gelenk::results
