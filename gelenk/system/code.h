#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/base/source.h"
#include "gelenk/math/pose.h"

// Forces and states of an assembly that are written in C (section `code:` of a model). The machine knows what they read
// and where they act; what they compute is a function from elsewhere.
namespace gelenk::system {

// Numbers of a frame's motion: axes row by row, origin, velocity, angular velocity.
inline constexpr std::size_t kCodeMotion = 18;

// What code sees and answers, in the order of its section, in world axes as its maker wrote them.
struct CodeCall {
  double time = 0.0;
  std::span<const double> parameters, motions, states, inputs;
  std::span<double> wrenches;  // on each frame: force, moment about its origin
  std::span<double> rates, outputs;
};

enum class CodeOutcome : std::uint8_t {
  good,
  no_answer,      // here; a shorter step may help
  broken_numbers  // some are not finite
};
using CodeFunction = std::function<CodeOutcome(const CodeCall& call)>;

struct NativeCode {
  std::string path;  // "code", "motor.code"; empty: the only one of a sealed component
  SourceRange where;
  std::vector<std::int32_t> frames;
  std::vector<std::int32_t> inputs;  // signals
  std::size_t parameter_count = 0, state_count = 0, output_count = 0;
  std::int32_t first_state = -1;  // in State::extra
  CodeFunction function = {};     // empty: the model is not run here
};

struct CodeParams {
  std::vector<double> parameters;
  std::vector<double> start;  // of the states
  // Of the assembly that it belongs to: a mirror image does what its original does in a mirrored world.
  Matrix3 mirror = Matrix3::Identity();
  Matrix3 world_mirror = Matrix3::Identity();
};

}  // namespace gelenk::system
