#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/base/units.h"
#include "gelenk/model/machine.h"
#include "gelenk/results/block_id.h"

// What a run records, and where: wide blocks of doubles in the order of the machine's elements, so that whoever fills a
// row needs no names; and the names of all channels with their place in the blocks.
namespace gelenk::results {

// One block holds one kind of quantity of all elements. A family of elements adds its blocks where the layout is made
// (layout.cc), and the observer fills them by their names; nothing else knows which blocks there are.
struct Block {
  BlockId id;                      // its name is that of the dataset
  std::string_view columns;        // what they are, for people: "x y z qw qx qy qz"
  std::size_t full_width = 0;      // doubles of one row for all elements of the machine
  std::size_t width = 0;           // doubles of one row that are recorded; 0: the block is not written
  std::vector<std::size_t> shape;  // of a recorded row: {3, 7}
  std::vector<std::size_t> kept;   // columns of the full row that are recorded; empty when all are

  bool is_recorded() const { return width > 0; }
};

// A named quantity of one element. Vectors have the components x, y, z and, derived when read, magnitude.
struct Channel {
  std::string name;  // "crank.position"
  BlockId block;
  std::size_t column = 0;  // the first, in a recorded row
  model::Channel::Shape shape = model::Channel::Shape::scalar;
  Quantity quantity = Quantity::any;
  std::string unit;        // SI: "m"
  std::string shown_unit;  // in which people want to see it; empty: that of its quantity

  // ".x", ".y", ".z" for a vector; one empty text for a scalar.
  std::vector<std::string_view> components() const;
};

// Columns that belong together for people who look an element up by its path: "crank", "pose", 7 columns.
struct Slice {
  std::string path;
  std::string quantity;  // empty for an output, which is its own quantity
  BlockId block;
  std::size_t column = 0;
  std::size_t count = 1;
};

// What to record: blocks, and of those only the elements of which a channel fits one of the patterns (`piston.*`,
// `*.angle`, `crank.position.x`); without patterns all elements.
struct Selection {
  std::vector<BlockId> blocks;  // empty: all
  std::vector<std::string> patterns;
};

struct Layout {
  std::string model_name;
  std::vector<Block> blocks;      // in the order of the families, those that are not recorded included
  std::vector<Channel> channels;  // recorded ones, block by block
  std::vector<Slice> slices;
  std::vector<std::pair<Quantity, std::string>> display;  // units for people
  // Where the values of an element begin in the full row of its block; one entry more than there are elements.
  std::vector<std::size_t> coordinate_offsets, rate_offsets;  // of joint j
  std::vector<std::size_t> force_offsets;                     // of force f

  // An empty one when the machine has no such block.
  const Block& block(BlockId id) const;
  std::vector<BlockId> ids() const;  // of all blocks
  // Whether anybody will read what is put into this block.
  bool wants(BlockId id) const { return block(id).is_recorded(); }
  std::size_t row_width() const;  // recorded doubles of a row, without the time
};

Layout make_layout(const model::Machine& machine, const Selection& selection = {});

}  // namespace gelenk::results
