#pragma once

#include <cstddef>

#include "gelenk/solve/ops/op_data.h"

namespace gelenk::solve {

// Room for the numbers of all ops from `first` on, and what follows from the program alone.
void place_ops(OpData& data, std::size_t first = 0);
// Room for as many columns as the op turned out to need, and for what follows from it.
void make_room(OpData& data, std::size_t op);

}  // namespace gelenk::solve
