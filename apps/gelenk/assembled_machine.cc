#include "apps/gelenk/assembled_machine.h"

#include <utility>

#include "gelenk/analysis/simulate.h"
#include "gelenk/system/compile.h"

namespace gelenk::app {

namespace {

std::vector<Pose> poses_at(const system::System& system, const system::Params& params, const system::State& state) {
  std::vector<Pose> poses;
  for (std::size_t part = 0; part < system.parts.size(); ++part) {
    poses.push_back(analysis::part_pose(system, params, state, part));
  }
  return poses;
}

}  // namespace

std::vector<Pose> AssembledMachine::part_poses() const { return poses_at(system, params, assembly.state); }

std::optional<AssembledMachine> assemble_machine(ModelInput& input, std::vector<Pose>* given_up) {
  const model::Machine& machine = *input.machine;
  std::optional<system::System> system = system::compile(machine, {}, input.diagnostics);
  if (!system) return std::nullopt;
  system::Params params = system::make_params(*system, machine);
  std::optional<system::State> last;
  std::optional<analysis::Assembly> assembly =
      machine.sealed.empty()
          ? analysis::assemble(*system, params, machine, 0.0, input.diagnostics, &last)
          : input.sealed->assemble(*system, params, machine, {.rank_tolerance = analysis::run_rank_tolerance({})},
                                   input.diagnostics);
  if (!assembly) {
    if (last && given_up != nullptr) *given_up = poses_at(*system, params, *last);
    return std::nullopt;
  }
  return AssembledMachine{*std::move(system), std::move(params), *std::move(assembly)};
}

}  // namespace gelenk::app
