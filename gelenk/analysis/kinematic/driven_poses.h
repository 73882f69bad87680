#pragma once

#include <span>
#include <vector>

#include "gelenk/analysis/equations.h"
#include "gelenk/solve/pivot_set.h"

// Machines that drivers lead from pose to pose: position, velocity and acceleration follow from the joints alone.
namespace gelenk::analysis {

// World axes; m, m/s, m/s².
struct PointMotion {
  Vector3 position, velocity, acceleration;
};

// Where drivers are at a time, the rest of the machine is there as well, on the branch that it came from. Motions that
// no driver decides take the least way, in the mass metric.
class DrivenPoses {
 public:
  // Drivers prescribe positions; none of the rows holds a velocity alone. `smallest_step`, s: where the machine cannot
  // follow for so short a time, it cannot go on.
  DrivenPoses(const system::System& system, const system::Params& params, double rank_tolerance, double smallest_step);

  // From a pose that is closed at its time. False: it is not.
  bool start(const system::State& state);
  // To an earlier or later time, in steps as short as the way needs. False: the machine cannot follow; it is then as
  // far as it could go.
  bool lead_to(double time);

  double time() const { return here_.state.time; }
  const system::State& state() const { return here_.state; }
  double coordinate(std::int32_t index) { return view().coordinate(index); }
  double rate(std::int32_t index) { return view().rate(index); }
  // Of a place on a part, in its axes.
  PointMotion point(std::size_t part, const Vector3& p_P);
  // Motions that nothing prescribes.
  std::size_t undetermined() const { return undetermined_; }

  // To come back to.
  struct Place {
    system::State state;
    std::vector<double> accelerations;  // six per body
    solve::PivotSet pivots;
  };
  const Place& place() const { return here_; }
  void go_back(const Place& place);

 private:
  bool try_step(double time);
  bool settle(Place& place);
  bool meets_laws(const system::State& state);
  mechanics::View<double> view() { return mechanics::view({system_, params_, here_.state}, equations_.workspace()); }

  const system::System& system_;
  const system::Params& params_;
  const double smallest_step_;
  Equations equations_;
  Place here_, next_;
  FactorPose factor_pose_;
  std::size_t undetermined_ = 0;
  std::vector<double> way_, velocity_, multipliers_;
};

// A state of one machine for another one, with its parameters, that has the same parts and joints but other drivers.
system::State state_for(const system::System& other, const system::Params& params, const system::System& system,
                        const system::State& state);

}  // namespace gelenk::analysis
