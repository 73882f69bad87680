#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/expression/bounds.h"
#include "gelenk/system/law_formula.h"
#include "gelenk/system/system.h"

namespace gelenk::system {

// Formulas of the motion (of positions, velocities and states, with or without time), and whether a step has jumped
// over something that one of them does: a magnet a millimeter wide, passed in a step of a meter. Where the machine goes
// is known only after the step: the way of all that a formula reads is taken as the parabola through three states of
// it. Polynomials of third degree hide nothing that the step does not see. What a switch compares is not looked at:
// events are searched for by themselves.
class MotionLaws {
 public:
  MotionLaws(const System& system, const Params& params);

  // What the formulas read: symbols of a signal that vary.
  struct Argument {
    std::int32_t signal = -1;
    std::int32_t symbol = -1;
  };
  std::span<const Argument> arguments() const { return arguments_; }

  // The arguments at the start, in the middle and at the end of a step.
  struct Way {
    std::span<const double> start, middle, end;
    double longest = 1.0;  // the longest step of the run, in such steps; a formula counts beside what it does in a few
    int parts = 1;         // of the step, each of which must show what the formula does
  };
  // The signal whose formula does something on the way that its values at nine places do not show; -1: none. `sides`:
  // those of the step.
  std::int32_t hidden(const Way& way, std::span<const std::int32_t> sides);

 private:
  struct Law {
    LawFormula formula;
    std::size_t first = 0, count = 0;  // of arguments_
  };
  // A formula along the way, 0 at the start, 1 at the end, as LawShape looks at it.
  class Path;

  void find_law(std::int32_t signal);
  double size_around(const Law& law, const Way& way);

  const System& system_;
  const Params& params_;
  std::vector<Law> laws_;
  std::vector<Argument> arguments_;
  LawEvaluator evaluator_;
  // Of the formula that is looked at
  std::vector<double> symbols_;
  std::vector<expression::Interval> symbol_bounds_;
};

}  // namespace gelenk::system
