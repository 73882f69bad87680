#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/expression/bounds.h"
#include "gelenk/system/law_formula.h"
#include "gelenk/system/system.h"

namespace gelenk::system {

// Formulas of time alone, inside of forces, drivers and inputs, and how long a step may be so that none of them does
// something inside of it that no stage sees: a pulse of a millisecond in a step of a second. Jumps and kinks whose time
// is known are not looked for, as steps end there (next_discontinuity): switches are held on the sides in force.
//
// Time is cut into cells k·2^n ... (k+1)·2^n. In a cell that is *resolved* the formula follows its values at nine
// places; that nothing hides between them is proven by bounds of the formula, as far as these become narrow. A step may
// be as long as the smallest such cell that it touches. What a call returns depends on its arguments alone.
class TimeLaws {
 public:
  TimeLaws(const System& system, const Params& params);

  std::size_t size() const { return laws_.size(); }

  struct Limit {
    double step = 0.0;         // s, at most the wanted one
    std::int32_t signal = -1;  // whose formula asks for it; -1: none does
  };
  // For a step from the time of the state on. `longest`: the longest step of the run; a formula counts beside what it
  // does in a few of them.
  Limit longest_step(const State& state, double wanted, double longest);
  // The signal whose formula does something within the step from the state on of which its values at the ends of the
  // step show nothing; -1: none.
  std::int32_t between_ends(const State& state, double length);

 private:
  struct Cell {
    double begin = 0.0, end = 0.0;
    double width() const { return end - begin; }
  };
  // A formula of time, as LawShape looks at it.
  class Path;

  void find_laws(std::int32_t signal);
  double step_of(const LawFormula& law, double time, double wanted, double longest);
  Cell resolved_cell(const LawFormula& law, double time, double wanted, double floor);
  double value(const LawFormula& law, double time);
  expression::Interval bounds(const LawFormula& law, const Cell& cell);

  const System& system_;
  const Params& params_;
  std::vector<LawFormula> laws_;
  std::vector<bool> is_compared_;  // by a switch: no force
  LawEvaluator evaluator_;
  // Of the formula that is looked at
  std::vector<double> symbols_;
  std::vector<expression::Interval> symbol_bounds_;
};

}  // namespace gelenk::system
