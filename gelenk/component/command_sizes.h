#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gelenk/component/host.h"

// How many numbers each command takes and gives: one table for those who ask and for those who answer.
namespace gelenk::component {

// How many numbers a command takes: a fixed number, that or none, or any multiple of a group.
struct Intake {
  std::size_t count = 0;
  std::size_t group = 0;
  bool may_be_left_out = false;

  bool fits(std::size_t given) const {
    if (group > 0) return given % group == 0;
    return given == count || (may_be_left_out && given == 0);
  }
};

// One row for each gelenk_code.
struct CommandRow {
  gelenk_code code;
  Intake (*in)(const ComponentSizes& sizes);
  std::size_t (*out)(const ComponentSizes& sizes);
  bool may_be_infinite = false;
  std::size_t (*mobility_at)(const ComponentSizes& sizes) = nullptr;  // where D is in the answer, if it is
};

std::span<const CommandRow> command_rows();
// Null: no such code.
const CommandRow* find_row(std::uint32_t code);
// Whether the buffers of a command are as long as its code says. An answer that is not wanted needs none.
bool has_right_sizes(const CommandRow& row, const gelenk_command& command, const ComponentSizes& sizes);

}  // namespace gelenk::component
