#pragma once

#include <optional>
#include <vector>

#include "apps/gelenk/model_input.h"
#include "gelenk/analysis/assemble.h"
#include "gelenk/system/system.h"

namespace gelenk::app {

// A machine whose joints are closed and whose start values are met.
struct AssembledMachine {
  system::System system;
  system::Params params;
  analysis::Assembly assembly;

  std::vector<Pose> part_poses() const;  // X_WP
};

// Nothing when it cannot be: the reasons are in the diagnostics, and `given_up`, where given, has the poses of the
// parts that these speak of, or none. A sealed component that fails throws component::ComponentFailure.
std::optional<AssembledMachine> assemble_machine(ModelInput& input, std::vector<Pose>* given_up = nullptr);

}  // namespace gelenk::app
