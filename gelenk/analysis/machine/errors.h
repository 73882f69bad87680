#pragma once

#include <span>
#include <vector>

#include "gelenk/analysis/machine/dynamics.h"
#include "gelenk/analysis/subsystem_states.h"
#include "gelenk/integrate/problem.h"

namespace gelenk::analysis {

// How large the error of a step is, equations.md (9.2).
class MachineErrors {
 public:
  MachineErrors(const system::System& system, const system::Params& params, double tolerance, MachineSlots& slots,
                MachineDynamics& dynamics, SubsystemStates& subsystems)
      : system_(system),
        params_(params),
        tolerance_(tolerance),
        slots_(slots),
        dynamics_(dynamics),
        subsystems_(subsystems),
        no_motion_(system.row_count(), 0.0) {}

  integrate::Norm norm(int from, int to, std::span<const integrate::Term> error);

 private:
  // Of the offset of the slots: how many numbers, their squares in norms_.
  integrate::Norm weighted_norm(const system::State& state);
  integrate::Norm sum_norms(integrate::Norm norm);
  integrate::Norm norm_along_constraints(int from, int to, const integrate::Norm& norm);

  const system::System& system_;
  const system::Params& params_;
  double tolerance_;
  MachineSlots& slots_;
  MachineDynamics& dynamics_;
  SubsystemStates& subsystems_;
  std::vector<double> norms_;      // by component
  std::vector<double> no_motion_;  // zero for each row
};

}  // namespace gelenk::analysis
