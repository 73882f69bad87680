#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/system/law_way.h"

namespace gelenk::system {

// Formulas of the motion (of positions, velocities and states, with or without time), and whether a step has jumped
// over something that one of them does: a magnet a millimeter wide, passed in a step of a meter. Polynomials of third
// degree hide nothing that the step does not see. What a switch compares is looked at by SwitchDips.
class MotionLaws {
 public:
  MotionLaws(const System& system, const Params& params);

  std::span<const LawArgument> arguments() const { return track_.arguments(); }

  // The signal whose formula does something on the way that its values at nine places do not show; -1: none. `longest`:
  // the longest step of the run, in such steps; a formula counts beside what it does in a few. `parts`: of the step,
  // each of which must show what the formula does. `sides`: those of the step.
  std::int32_t hidden(const ArgumentWay& way, double longest, int parts, std::span<const std::int32_t> sides);
  // The signal whose formula does something on the way of which its values at the ends show nothing; -1: none.
  std::int32_t between_ends(const ArgumentWay& way, std::span<const std::int32_t> sides);

 private:
  double size_around(double longest);

  LawTrack track_;
  std::vector<LawTrack::Law> laws_;
};

}  // namespace gelenk::system
