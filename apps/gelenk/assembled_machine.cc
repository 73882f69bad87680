#include "apps/gelenk/assembled_machine.h"

#include <utility>

#include "gelenk/analysis/simulate.h"
#include "gelenk/system/compile.h"

namespace gelenk::app {

std::vector<Pose> AssembledMachine::part_poses() const {
  std::vector<Pose> poses;
  for (std::size_t part = 0; part < system.parts.size(); ++part) {
    poses.push_back(analysis::part_pose(system, params, assembly.state, part));
  }
  return poses;
}

std::optional<AssembledMachine> assemble_machine(ModelInput& input) {
  const model::Machine& machine = *input.machine;
  std::optional<system::System> system = system::compile(machine, {}, input.diagnostics);
  if (!system) return std::nullopt;
  system::Params params = system::make_params(*system, machine);
  std::optional<analysis::Assembly> assembly =
      machine.sealed.empty()
          ? analysis::assemble(*system, params, machine, 0.0, input.diagnostics)
          : input.sealed->assemble(*system, params, machine, {.rank_tolerance = analysis::run_rank_tolerance({})},
                                   input.diagnostics);
  if (!assembly) return std::nullopt;
  return AssembledMachine{*std::move(system), std::move(params), *std::move(assembly)};
}

}  // namespace gelenk::app
