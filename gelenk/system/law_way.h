#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/expression/bounds.h"
#include "gelenk/system/law_formula.h"
#include "gelenk/system/system.h"

// Formulas along a step that was taken. Where the machine goes is known only after the step: the way of all that a
// formula reads is taken as the parabola through three states of it.
namespace gelenk::system {

// What a formula reads and what varies: a symbol of a signal.
struct LawArgument {
  std::int32_t signal = -1;
  std::int32_t symbol = -1;
};

// Values of all arguments at the start, in the middle and at the end of a step.
struct ArgumentWay {
  std::span<const double> start, middle, end;
};

// One formula after the other along a way: places are 0 at the start and 1 at the end. Allocates nothing after add().
class LawTrack {
 public:
  LawTrack(const System& system, const Params& params);

  // A formula and its arguments among all.
  struct Law {
    LawFormula formula;
    std::size_t first = 0, count = 0;
  };
  // Whether a parabola goes through all that the signal reads.
  static bool has_way(const Signal& signal);
  Law add(const LawFormula& formula);
  std::span<const LawArgument> arguments() const { return arguments_; }

  // From now on values and bounds are those of this formula, along this way and on these sides.
  void follow(const Law& law, const ArgumentWay& way, std::span<const std::int32_t> sides);
  double value(double place);
  expression::Interval bounds(double from, double to);
  // Where all arguments are free to go by this many lengths of the way.
  expression::Interval bounds_around(double lengths);
  // Of the nodes before, after value() and bounds().
  const LawEvaluator& evaluator() const { return evaluator_; }

 private:
  std::size_t symbol(std::size_t argument) const { return static_cast<std::size_t>(arguments_[argument].symbol); }

  const System& system_;
  const Params& params_;
  LawEvaluator evaluator_;
  std::vector<LawArgument> arguments_;
  Law law_;
  ArgumentWay way_;
  std::vector<double> symbols_;
  std::vector<expression::Interval> symbol_bounds_;
};

}  // namespace gelenk::system
