#include "gelenk/solve/ops/hinge.h"

#include <cstddef>

#include "gelenk/base/index.h"

namespace gelenk::solve {

// What went from hand to hand, from the factors: the same numbers again.
void find_handed_inertias(OpData& data) {
  for (const Step& step : data.steps) {
    if (!step.hands_over) continue;
    double v[3];
    hinge_shift(data.view_of(step), v);
    condense_hinge(data, step, v, data.inertias[at(step.body)], data.inertias[at(step.parent)]);
  }
  data.is_lean = false;
}

void find_handed_loads(OpData& data) {
  for (const Step& step : data.steps) {
    if (step.hands_over) up_hinge(data, step);
  }
}

}  // namespace gelenk::solve
