#pragma once

#include <cstdint>

#include "gelenk/analysis/machine/problem.h"
#include "gelenk/base/bytes.h"
#include "gelenk/integrate/integrator.h"

namespace gelenk::analysis {

// Looks for singular poses that a step passes between its ends, so that they are reported whatever the method and
// wherever its steps end. There the smallest distance of a row from the others has a minimum, which is zero.
class SingularWatch {
 public:
  // After an accepted step; what is found is noted in the statistics of the problem. Leaves no trace in the motion.
  void look(MachineProblem& problem, integrate::Integrator& integrator);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  bool may_have_passed(double distance, double distance_of_stages) const;
  bool search(MachineProblem& problem, integrate::Integrator& integrator, double end) const;

  // At the ends of the last two steps; negative: there was none.
  double last_ = -1.0, before_ = -1.0;
  double last_time_ = 0.0;
  std::int32_t last_rank_ = -1;
  bool was_falling_ = false;  // the last step was searched, and the distance became smaller at its end
};

}  // namespace gelenk::analysis
