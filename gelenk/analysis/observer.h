#pragma once

#include <span>
#include <vector>

#include "gelenk/analysis/machine/problem.h"
#include "gelenk/analysis/reaction_split.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/results/row_sink.h"

namespace gelenk::analysis {

// Computes everything that is recorded about a state that was projected.
class Observer {
 public:
  Observer(const system::System& system, const system::Params& params, ReactionSplit split);

  // What contacts do to the bodies, six each, in every row from now on; empty: nothing. It must stay alive.
  void set_loads(std::span<const double> loads) { loads_ = loads; }
  // Fills the row from a slot of the problem. False when a value that is wanted is not finite.
  bool fill(MachineProblem& problem, int slot, const results::Row& row);
  const mechanics::Energy& energy() const { return energy_; }
  const mechanics::Work& work() const { return work_; }
  const SubsystemStates::Report& sealed() const { return sealed_; }

 private:
  void fill_parts(const mechanics::Context& context, const mechanics::Workspace& workspace, const results::Row& row);
  void fill_joints(const mechanics::View<double>& now, const results::Row& row);
  void fill_forces(const mechanics::View<double>& now, std::span<const double> hard, const results::Row& row);

  const system::System& system_;
  const system::Params& params_;
  std::vector<double> compliance_;  // of the rows: how redundant ones share
  mechanics::Reactions reactions_;
  mechanics::Energy energy_;
  mechanics::Work work_;
  SubsystemStates::Report sealed_;
  void add_loads(Equations& equations);

  std::span<const double> loads_;
  std::vector<double> load_accelerations_, load_multipliers_, zero_rows_;
  std::vector<double> body_accelerations_, multipliers_;
  std::vector<double> part_accelerations_, joint_reactions_, driver_efforts_, coupling_efforts_;
};

}  // namespace gelenk::analysis
