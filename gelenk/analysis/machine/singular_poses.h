#pragma once

#include "gelenk/analysis/machine/dynamics.h"
#include "gelenk/integrate/integrator.h"

namespace gelenk::analysis {

// Singular poses between the ends of steps, see SingularWatch. Distances: smallest distance of an accepted row from the
// others, as a part of what it usually is.
class SingularPoses {
 public:
  SingularPoses(const system::System& system, const MachineSlots& slots, MachineDynamics& dynamics)
      : system_(system), slots_(slots), dynamics_(dynamics) {}

  // Not in machines with subsystems or with an owner: nobody sees all their rows.
  bool can_exist() const;
  double distance_at_base(int slot) const;
  // In the stages since this was last asked for.
  double take_distance_of_stages();
  double distance_inside_step(integrate::Integrator& integrator, double time);
  // Into the statistics.
  void note_passed_pose(integrate::Integrator& integrator, double time);

 private:
  const system::System& system_;
  const MachineSlots& slots_;
  MachineDynamics& dynamics_;
  solve::PivotSet pivots_;  // kept so that steps allocate nothing
};

}  // namespace gelenk::analysis
