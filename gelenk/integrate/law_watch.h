#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelenk/integrate/stepper.h"
#include "gelenk/integrate/watched_laws.h"

namespace gelenk::integrate {

// Looks back at a step: has it jumped over something that a law of the motion does?
class LawWatch {
 public:
  LawWatch(WatchedLaws* laws, Stepper& stepper);

  // The law that does something in the step taken last which the step does not see; -1: none. `longest`: the longest
  // step, s; `parts`: a law counts when it hides something in one of so many parts of the step.
  std::int32_t hidden(double longest, int parts);

 private:
  WatchedLaws* laws_;  // null: there are none
  Stepper& stepper_;
  std::size_t count_;
  std::vector<double> numbers_;  // what laws read: at the start, in the middle, at the end
};

}  // namespace gelenk::integrate
