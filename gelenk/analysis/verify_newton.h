#pragma once

#include <limits>
#include <vector>

#include "gelenk/analysis/recorded_rows.h"
#include "gelenk/analysis/verify_findings.h"

namespace gelenk::analysis {

// Newton's and Euler's equations of every part: what acts on it, joints as recorded and forces computed again, against
// mass times recorded acceleration. Welded parts have their own equations, as the reactions of fixed joints are
// recorded, too.
class NewtonCheck {
 public:
  // `tolerance`: allowed difference as a part of the sum of all that acts on the part.
  NewtonCheck(const system::System& system, const system::Params& params, double tolerance);

  // Whether all was recorded that is needed.
  static bool is_possible(const RecordedRows& rows, const RecordedState& recorded);
  // The workspace has everything up to the forces. `largest_reaction`: of the whole run, N or N m.
  void check(const mechanics::Context& context, mechanics::Workspace& workspace, const RecordedRows& rows,
             double largest_reaction, Findings& findings);

 private:
  struct Balance {
    Vector3 center = Vector3::Zero();  // of mass, world axes, from the origin of the body; moments are about it
    Vector3 place = Vector3::Zero();   // the same in the world
    Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
    double force_size = 0.0, moment_size = 0.0;  // sums of magnitudes

    void add(const Vector3& at, const Vector3& f, const Vector3& m);
    // Of recorded places: two of them, and the two that an arm is between.
    double rounding() const { return 4.0 * std::numeric_limits<double>::epsilon() * place.norm(); }
  };
  void add(std::int32_t frame, const mechanics::Workspace& workspace, const Vector3& force, const Vector3& moment);
  void add_inertia(const mechanics::Context& context, const mechanics::Workspace& workspace, const RecordedRows& rows);
  void add_joints(const mechanics::Context& context, const mechanics::Workspace& workspace, const RecordedRows& rows);
  void add_drivers(const mechanics::Context& context, const mechanics::Workspace& workspace, const RecordedRows& rows);
  void add_couplings(const mechanics::Context& context, const mechanics::Workspace& workspace,
                     const RecordedRows& rows);

  const system::System& system_;
  const system::Params& params_;
  double tolerance_;
  std::vector<Balance> parts_;
};

}  // namespace gelenk::analysis
