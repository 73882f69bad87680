#pragma once

#include <span>

#include "gelenk/analysis/machine/slots.h"
#include "gelenk/integrate/problem.h"

namespace gelenk::analysis {

// A machine as one vector of numbers: per body x y z and the quaternion w x y z, then velocities, then extra states.
class MachineFlat final : public integrate::FlatProblem {
 public:
  MachineFlat(const system::System& system, const system::Params& params, double tolerance, MachineSlots& slots)
      : system_(system), params_(params), tolerance_(tolerance), slots_(slots) {}

  std::size_t dimension() const override;
  void get_state(int state, std::span<double> values) const override;
  void set_state_values(int state, double time, std::span<const double> values) override;
  void get_rate(int rate, std::span<double> values) const override;
  void set_rate(int rate, std::span<const double> values) override;
  void weights(int state, std::span<double> values) override;

 private:
  const system::System& system_;
  const system::Params& params_;
  double tolerance_;
  MachineSlots& slots_;
};

}  // namespace gelenk::analysis
