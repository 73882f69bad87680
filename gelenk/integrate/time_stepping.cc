#include "gelenk/integrate/time_stepping.h"

namespace gelenk::integrate {

TimeStepping::TimeStepping(Problem& problem) : Stepper(problem), jumps_(*problem.jumps()) {
  problem_.reserve(kFirstOwnState + JumpProblem::kStates, 1 + JumpProblem::kRates, Chart::exponential);
  jumps_.use_slots(kFirstOwnState, 1);
}

bool TimeStepping::begin(double time) {
  start_time_ = end_time_ = time;
  problem_.copy(kCurrentState, kStartState);
  return true;
}

bool TimeStepping::take(double end) {
  end_time_ = end;
  ++effort_.evaluations;
  if (!jumps_.take_step(kStartState, end, kEndState)) return false;
  jumps_.mean_rate(kStartState, kEndState, kMeanRate);
  return true;
}

void TimeStepping::interpolate(double time, int to) {
  const Term term{time - start_time_, kMeanRate};
  problem_.combine(kStartState, time, std::span(&term, 1), to);
}

}  // namespace gelenk::integrate
