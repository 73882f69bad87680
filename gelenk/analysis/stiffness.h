#pragma once

#include <string>

#include "gelenk/base/source.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// How fast the forces and states of a machine can change its motion: what bounds the steps of explicit methods.
struct Stiffness {
  double frequency = 0.0;  // rad/s, of the fastest oscillation that springs cause
  double decay = 0.0;      // 1/s, of the fastest decay that dampers cause, or of states by themselves
  std::string element;     // the force or state that contributes most to the faster of the two; empty: none
  SourceRange where;

  double rate() const { return frequency > decay ? frequency : decay; }
};

// Estimated in one state by power iteration on the motions that the joints allow; within a few percent where one force
// dominates. The result depends on the arguments only.
Stiffness estimate_stiffness(const system::System& system, const system::Params& params, const system::State& state,
                             double rank_tolerance);

}  // namespace gelenk::analysis
