#pragma once

#include <span>
#include <vector>

#include "gelenk/analysis/machine/problem.h"

// Inverse dynamics: what drivers must do for a motion that they prescribe.
namespace gelenk::analysis {

class DriveEfforts {
 public:
  DriveEfforts(const system::System& system, const system::Params& params, double rank_tolerance);

  // In a state on the joints and drivers. False: something is not finite there.
  bool evaluate(const system::State& state);

  // Of the drivers, two each: effort on its coordinate (N m or N), power (W).
  std::span<const double> efforts() const { return efforts_; }
  // Of the bodies, six each.
  std::span<const double> accelerations() const { return accelerations_; }
  // Whether a driver's effort follows from the motion; else it is shared with others, with least multipliers.
  bool is_unique(std::size_t driver);
  // Motions that neither joints nor drivers decide.
  std::size_t free_motions() const { return free_motions_; }

 private:
  const system::System& system_;
  const system::Params& params_;
  MachineProblem problem_;
  std::vector<double> accelerations_, multipliers_, efforts_;
  std::vector<char> unique_rows_;
  std::size_t free_motions_ = 0;
};

// A driver that prescribes q + q̇ (t - time) + q̈ (t - time)²/2, whose numbers can be changed.
struct InstantDrive {
  model::JointId joint;
  std::size_t coordinate = 0;
};
// Adds it, or puts it in the place of the driver of this coordinate. Returns its number.
std::size_t add_instant_drive(const InstantDrive& drive, model::Machine& machine);
struct InstantMotion {
  double time = 0.0, value = 0.0, rate = 0.0, acceleration = 0.0;
};
void set_instant_motion(const system::System& system, std::size_t driver, const InstantMotion& motion,
                        system::Params& params);

}  // namespace gelenk::analysis
