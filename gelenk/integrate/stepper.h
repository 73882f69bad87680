#pragma once

#include <cstdint>
#include <span>

#include "gelenk/integrate/problem.h"
#include "gelenk/integrate/tableau.h"

namespace gelenk::integrate {

// One step of an explicit Runge-Kutta method, tried with different lengths from the same start. Owns the numbers of the
// slots; decides nothing.
class Stepper {
 public:
  static constexpr int kCurrentState = 0;
  static constexpr int kOutputState = 1;
  static constexpr int kStartState = 2;
  static constexpr int kEndState = 3;  // of the step tried last, not projected
  static constexpr int kStageState = 4;
  static constexpr int kProbeState = 5;
  static constexpr int kStates = 6;

  // Reserves the slots of the problem, which must outlive the stepper.
  Stepper(Problem& problem, const Tableau& tableau);

  const Tableau& tableau() const { return tableau_; }
  double start_time() const { return start_time_; }
  double end_time() const { return end_time_; }

  // The current state becomes the start of a step; evaluates its rate, which all tries share.
  bool begin(double time);
  // All stages and the state at exactly `end`. False: a stage could not be evaluated.
  bool take(double end);
  // Estimated error of the step in units of the tolerance; infinity when it is not a number.
  double error() const;
  // Dense output of the step: the state at `time`, not projected. Good slightly beyond the end, too.
  void interpolate(double time, int to);

  // For the choice of a first step, after begin(): weighted norm of the rate at the start (1/s), and of its change over
  // an Euler step divided by the length of that step (1/s²; infinity: its end could not be evaluated).
  double rate_norm() const;
  double rate_change_norm(double length);

  // Evaluations since the last call.
  std::int64_t take_evaluation_count();

 private:
  bool evaluate(int state, int rate);
  double norm(int to, std::span<const Term> terms) const;

  Problem& problem_;
  const Tableau& tableau_;
  double start_time_ = 0.0;
  double end_time_ = 0.0;
  std::int64_t evaluations_ = 0;
};

}  // namespace gelenk::integrate
