#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Functions of frames, and of a joint and a frame. What they return follows from the motion, not from other numbers: a
// call is one symbol of the expression, named as it is written: `relative(rod.tip, ground.pivot).position.x`.
namespace gelenk::expression {

struct MeasureFunction {
  std::string_view name;
  std::string_view call;  // how it is written, for messages
};

inline constexpr std::size_t kMeasuredFrames = 2;

std::span<const MeasureFunction> measure_functions();
const MeasureFunction* find_measure(std::string_view name);

// The pieces of such a symbol.
struct Measure {
  struct Frame {
    std::string_view path;
    std::size_t begin = 0;  // in the name of the symbol
  };
  std::string_view function;
  std::vector<Frame> frames;
  std::string_view quantity;  // what follows the parentheses, without the first dot: "position.x"; may be empty
};

// Nothing for a name without parentheses. The pieces are parts of `symbol`.
std::optional<Measure> split_measure(std::string_view symbol);

}  // namespace gelenk::expression
