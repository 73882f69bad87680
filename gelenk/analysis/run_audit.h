#pragma once

#include <vector>

#include "gelenk/analysis/shared_reactions.h"
#include "gelenk/base/bytes.h"
#include "gelenk/mechanics/quantities.h"

namespace gelenk::analysis {

// What is noted for the certificate of a run: at the end of every step how well the energy is balanced and how far
// joints went beyond their limits, whether or not a row is recorded there; at every row which reactions are unique. A
// value, so that a continued run can go on with it.
struct RunAudit {
  std::uint64_t rows = 0;  // recorded
  mechanics::Energy start_energy;
  double energy_turnover = 0.0;   // J, what the balance is compared with
  double energy_imbalance = 0.0;  // J, largest |total - total at the start - work|
  double imbalance_time = 0.0;    // s
  struct Worst {
    double excess = 0.0;  // beyond the limit; 0: never
    double value = 0.0, limit = 0.0, time = 0.0;
  };
  std::vector<Worst> limits;           // one for each of Params::limits
  std::vector<double> largest_states;  // |value|, one for each of System::states
  SharingAudit sharing;                // of the reactions

  void save(ByteWriter& out) const;
  void load(ByteReader& in, std::size_t state_count);
};

// The state at the start. The turnover begins with an energy that is next to nothing for this machine, so that the
// rounding of a machine at rest is not compared with itself.
RunAudit start_audit(const mechanics::Context& context, const mechanics::Energy& energy);
// What sealed components have taken from the machine since the start, in all and as the sum of the sizes, because one
// may take what another gives; and what their own books lack, J.
struct SealedEnergy {
  double received = 0.0, exchanged = 0.0, error = 0.0;
};
// Needs positions and velocities in the workspace. Allocates nothing.
void audit_state(const mechanics::Context& context, mechanics::Workspace& workspace, const mechanics::Energy& energy,
                 const mechanics::Work& work, const SealedEnergy& sealed, RunAudit& audit);

}  // namespace gelenk::analysis
