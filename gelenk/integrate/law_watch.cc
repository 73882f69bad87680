#include "gelenk/integrate/law_watch.h"

#include <span>

namespace gelenk::integrate {

LawWatch::LawWatch(WatchedLaws* laws, Stepper& stepper)
    : laws_(laws), stepper_(stepper), count_(laws == nullptr ? 0 : laws->argument_count()), numbers_(3 * count_) {}

std::int32_t LawWatch::hidden(double longest, int parts) {
  const bool sees_ends_only = stepper_.sees_ends_only();
  if (laws_ == nullptr || (count_ == 0 && !sees_ends_only)) return -1;
  const double begin = stepper_.start_time();
  const double length = stepper_.end_time() - begin;
  const std::span<double> numbers(numbers_);
  const WatchedLaws::Way way{numbers.first(count_), numbers.subspan(count_, count_), numbers.last(count_)};
  if (count_ > 0) {
    laws_->arguments(Stepper::kStartState, numbers.first(count_));
    stepper_.interpolate(begin + 0.5 * length, Stepper::kProbeState);
    laws_->arguments(Stepper::kProbeState, numbers.subspan(count_, count_));
    laws_->arguments(Stepper::kEndState, numbers.last(count_));
    const std::int32_t hidden = laws_->hidden(Stepper::kStartState, way, longest / length, parts);
    if (hidden >= 0) return hidden;
  }
  return sees_ends_only ? laws_->between_ends(Stepper::kStartState, way, length) : -1;
}

}  // namespace gelenk::integrate
