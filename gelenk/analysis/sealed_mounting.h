#pragma once

#include <span>
#include <vector>

#include "gelenk/analysis/partition.h"
#include "gelenk/component/host.h"
#include "gelenk/model/expand.h"
#include "gelenk/model/machine.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

struct MountingOptions {
  double start_time = 0.0;
  double rank_tolerance = 1e-6;
  double tolerance = 1.0;
  Partitioning partitioning = Partitioning::automatic;
  bool merges_welded = true;  // as the machine was compiled
};

// How the sealed components of a machine are mounted, in their order: where they stand, and which elements of the
// machine act on them.
std::vector<component::HostMounting> mountings(const system::System& system, const system::Params& params,
                                               const model::Machine& machine, const MountingOptions& options);

// What a component at work and its manifest say about how it is drawn.
model::SealedDrawing drawing_of(const component::Host& host, std::span<const component::Port> ports,
                                std::span<const component::Output> outputs);

}  // namespace gelenk::analysis
