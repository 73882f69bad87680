#pragma once

#include <string>

#include "gelenk/results/synthetic_machine_test_support.h"

// What files and answers hold of runs that results::fill_invented() made, worked out without them.
namespace gelenk::view {

template <class Number>
void append_number(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

inline void append_row(std::string& bytes, results::BlockId block, const results::Layout& layout, double time) {
  for (std::size_t column = 0; column < layout.block(block).width; ++column) {
    append_number(bytes, static_cast<float>(results::invented(block, column, time)));
  }
}

}  // namespace gelenk::view
