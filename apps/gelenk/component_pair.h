#pragma once

#include <string>

#include "apps/gelenk/trial_bed.h"

namespace gelenk::app {

// Two of the same component, driven from two threads at once, each in its own way: every number must be as when one of
// them is alone. That finds what they share by mistake, with high probability and not for certain.
struct PairOutcome {
  int walks = 0;        // of both together, compared bit for bit
  std::string failure;  // a sentence part, when it is not as it must be
};
PairOutcome try_pair(TrialBed& bed);

}  // namespace gelenk::app
