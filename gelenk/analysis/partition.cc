#include "gelenk/analysis/partition.h"

#include <array>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/coordinates.h"
#include "gelenk/mechanics/dynamics.h"
#include "gelenk/system/compile.h"

namespace gelenk::analysis {
namespace {

constexpr std::array<std::pair<Partitioning, std::string_view>, 3> kNames{
    {{Partitioning::automatic, "auto"}, {Partitioning::model, "model"}, {Partitioning::none, "none"}}};

// One program for all is taken when it saves at least this part of the operations.
constexpr double kWorthDissolving = 0.2;
// With more assemblies than this the comparison itself would be noticed; one program is then taken unseen.
constexpr std::size_t kMostCompared = 200;

solve::Partition partition_of(const system::System& system) {
  solve::Partition partition;
  partition.owner.clear();
  for (const system::Component& component : system.components) partition.owner.push_back(component.owner);
  for (const system::Body& body : system.bodies) partition.component_of_body.push_back(body.component);
  return partition;
}

// What one evaluation takes: a factorization and a sweep.
double operations(const solve::Plan& plan) {
  const solve::ProgramCost cost = plan.cost();
  return cost.factor + cost.sweep;
}

}  // namespace

std::string_view partitioning_name(Partitioning partitioning) {
  return kNames[static_cast<std::size_t>(partitioning)].second;
}

std::optional<Partitioning> partitioning_of_name(std::string_view name) {
  for (const auto& [partitioning, known] : kNames) {
    if (known == name) return partitioning;
  }
  return std::nullopt;
}

std::shared_ptr<const solve::Plan> make_plan(const system::System& system, const system::Params& params,
                                             Partitioning partitioning) {
  const system::State state = system::drawn_state(system, params);
  const mechanics::Context context{system, params, state};
  mechanics::Workspace workspace(system);
  mechanics::update_bodies(context, workspace);
  // Drivers hold their coordinates where they are: their laws are not met yet.
  const mechanics::View<double> view = mechanics::view(context, workspace);
  for (std::size_t d = 0; d < system.drivers.size(); ++d) {
    const system::Coordinate& coordinate = system.coordinates[at(system.drivers[d].coordinate)];
    const system::Joint& joint = system.joints[at(coordinate.joint)];
    workspace.drivers[d].value =
        mechanics::coordinate_value<double>(*coordinate.type, view.frame(joint.frame_a), view.frame(joint.frame_b));
  }
  mechanics::update_joints(context, workspace);
  const auto plan = [&](solve::Partition partition) {
    return solve::make_plan(workspace.joints.layout, workspace.masses, workspace.joint_values,
                            {1e-6, std::move(partition), {}});
  };
  if (partitioning == Partitioning::model) return plan(partition_of(system));
  auto whole = plan({});
  if (system.components.size() == 1 || system.components.size() > kMostCompared) return whole;
  auto divided = plan(partition_of(system));
  return operations(*whole) < (1.0 - kWorthDissolving) * operations(*divided) ? whole : divided;
}

}  // namespace gelenk::analysis
