#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "gelenk/solve/component_plan.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// How the equations of a machine are divided for the solver.
//   automatic: as `model`, unless one program for the whole machine needs clearly fewer operations
//   model:     every assembly of the design is a component of its own
//   none:      not at all: one factorization of everything, the reference
// Results agree to rounding. The choice depends on the model only.
enum class Partitioning : std::uint8_t { automatic, model, none };

std::string_view partitioning_name(Partitioning partitioning);
std::optional<Partitioning> partitioning_of_name(std::string_view name);

// Elimination programs for the machine, planned where its parts are drawn. Not for Partitioning::none.
std::shared_ptr<const solve::Plan> make_plan(const system::System& system, const system::Params& params,
                                             Partitioning partitioning = Partitioning::automatic);

}  // namespace gelenk::analysis
