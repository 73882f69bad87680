#pragma once

#include "gelenk/model/expand/reports.h"
#include "gelenk/model/expand/signals.h"

namespace gelenk::model::expanding {

// Inputs of sub-assemblies, as the owner gives them: Machine::outputs, and SealedNode::inputs. Those of the machine
// itself are what its maker or caller said.
void add_inputs(Instances& instances, Signals& signals, Machine& machine, Reports& reports);
// Machine::outputs, after them.
void add_outputs(Instances& instances, Signals& signals, Machine& machine, Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
