#pragma once

#include <span>
#include <vector>

#include "gelenk/system/code.h"

namespace gelenk::mechanics {

// What goes to one of the codes of a machine, and what comes back; system::CodeCall.
struct CodeWork {
  std::vector<double> motions, inputs;
  std::vector<double> wrenches, rates, outputs;
  system::CodeOutcome outcome = system::CodeOutcome::good;
};

// What follows from the accelerations; only outputs may read it.
struct AccelerationResults {
  std::span<const double> parts;      // six per part: acceleration of the origin, angular acceleration
  std::span<const double> reactions;  // six per joint
  std::span<const double> drivers;    // two per driver: effort, power
  std::span<const CodeWork> codes = {};
  std::span<const double> couplings = {};    // one per coupling: torque or force on its first coordinate
  std::span<const double> hard_forces = {};  // at the places of the channels of forces; others are not used
  std::span<const double> contacts = {};     // model::kContactNumbers per contact
};

}  // namespace gelenk::mechanics
