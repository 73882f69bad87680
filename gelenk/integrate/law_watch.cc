#include "gelenk/integrate/law_watch.h"

#include <span>

namespace gelenk::integrate {

LawWatch::LawWatch(Problem& problem, Stepper& stepper)
    : problem_(problem), stepper_(stepper), count_(problem.law_argument_count()), numbers_(3 * count_) {}

std::int32_t LawWatch::hidden(double longest, int parts) {
  if (count_ == 0) return -1;
  const double begin = stepper_.start_time();
  const double length = stepper_.end_time() - begin;
  const std::span<double> numbers(numbers_);
  problem_.law_arguments(Stepper::kStartState, numbers.first(count_));
  stepper_.interpolate(begin + 0.5 * length, Stepper::kProbeState);
  problem_.law_arguments(Stepper::kProbeState, numbers.subspan(count_, count_));
  problem_.law_arguments(Stepper::kEndState, numbers.last(count_));
  return problem_.hidden_law(Stepper::kStartState, {numbers.first(count_), numbers.subspan(count_, count_),
                                                    numbers.last(count_), longest / length, parts});
}

}  // namespace gelenk::integrate
