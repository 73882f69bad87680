#pragma once

#include <span>
#include <string>
#include <vector>

#include "gelenk/model/expand/elements.h"
#include "gelenk/model/expand/numbers.h"
#include "gelenk/model/expand/signals.h"

// Numbers that are integrated, of assemblies and of forces.
namespace gelenk::model::expanding {

struct PendingState {
  Pending state;
  std::string force;  // whose state it is; empty: the assembly's
};

// Machine::states without their rates, and their entries in `elements`. Returns what is to be bound.
std::vector<PendingState> list_states(Instances& instances, std::span<const Pending> forces, Numbers& numbers,
                                      Signals& signals, Machine& machine, Elements& elements, Diagnostics& diagnostics);

// Their rates.
void bind_states(std::span<const PendingState> states, Signals& signals, const Elements& elements, Machine& machine,
                 Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
