#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gelenk/solve/component_plan.h"
#include "gelenk/subsystem/subsystem.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// How the equations of a machine are divided for the solver.
//   automatic: as `model`, less the boundaries without which the machine needs clearly fewer operations
//   model:     every assembly of the design is a component of its own
//   sealed:    as `model`, but each shows its owner no more than when it is sealed, mobilities at its ports: an open
//              machine that is compared with a sealed one, bit for bit
//   none:      not at all: one factorization of everything, the reference
// Results agree to rounding. The choice depends on the model only.
enum class Partitioning : std::uint8_t { automatic, model, sealed, none };

// Every assembly of the design is a component.
constexpr bool keeps_assemblies(Partitioning partitioning) {
  return partitioning == Partitioning::model || partitioning == Partitioning::sealed;
}

std::string_view partitioning_name(Partitioning partitioning);
std::optional<Partitioning> partitioning_of_name(std::string_view name);

// Boundaries that are decided together: sibling assemblies with programs of the same size.
struct BoundaryGroup {
  std::vector<std::int32_t> components;  // of the system
  bool is_kept = true;
  // Operations for an evaluation of these components and their owner, with their boundaries and without.
  double kept = 0.0, dissolved = 0.0;
};

// The choice of Partitioning::automatic and its reasons.
struct PartitionChoice {
  enum class Way : std::uint8_t {
    boundaries,  // one boundary after the other, from the innermost out
    extremes,    // of a large machine: as designed, or one program
    unseen,      // more assemblies than can be compared: one program
  };
  Way way = Way::boundaries;
  std::shared_ptr<const solve::Plan> plan;
  std::vector<BoundaryGroup> groups;   // Way::boundaries: of all assemblies, the innermost first
  double one_by_one = 0.0;             // operations that these decisions leave
  bool is_whole_cheaper = false;       // than that: all boundaries are dissolved
  double operations = 0.0;             // of the plan
  double designed = 0.0, whole = 0.0;  // of the two extremes; as designed: 0 when unseen
  double dealing = 0.0;                // in these wherever a boundary is kept
};
// Every assembly of the design is a component.
solve::Partition designed_partition(const system::System& system);

// `sealed`: the subsystems of the machine as drawn, in their order.
PartitionChoice choose_partition(const system::System& system, const system::Params& params,
                                 std::span<const subsystem::Drawing> sealed = {});

// Elimination programs for the machine, planned where its parts are drawn. Not for Partitioning::none.
std::shared_ptr<const solve::Plan> make_plan(const system::System& system, const system::Params& params,
                                             Partitioning partitioning = Partitioning::automatic,
                                             std::span<const subsystem::Drawing> sealed = {});

}  // namespace gelenk::analysis
