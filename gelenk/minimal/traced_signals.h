#pragma once

#include <vector>

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/minimal/traced_motions.h"

namespace gelenk::minimal {

// Laws, channels and forces as formulas. What they read that has no formula is thrown as NotKnown.
class TracedSignals {
 public:
  TracedSignals(const system::System& system, const system::Params& params, const TracedMotions& motions,
                TracedMachine& machine, Parameters& parameters);

  Traced signal(std::int32_t index) const;
  mechanics::ForceResult<Traced> force(std::int32_t index) const;

 private:
  Traced channel(const system::ChannelRef& ref) const;
  Traced symbol(const system::Signal& signal, std::size_t number, double value) const;
  Traced operation(const expression::Expression& formula, const expression::ExpressionNode& node,
                   const std::vector<Traced>& results) const;
  Motion<Traced> read_motion(const system::ChannelRef& ref) const;
  Motion<Traced> read_frame(std::int32_t number) const;
  Traced kinetic_energy(std::int32_t part) const;
  Traced potential_energy(std::int32_t part) const;
  Traced power_of_force(std::int32_t index) const;
  void evaluate_kernel(std::int32_t index, const mechanics::ForceInput<Traced>& in,
                       mechanics::ForceResult<Traced>& out) const;

  const system::System& system_;
  const system::Params& params_;
  const TracedMotions& motions_;
  TracedMachine& machine_;
  Parameters& parameters_;
};

}  // namespace gelenk::minimal
