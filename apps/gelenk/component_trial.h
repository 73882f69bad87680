#pragma once

#include <string>
#include <vector>

#include "apps/gelenk/trial_bed.h"

// What a customer can find out about a sealed component before he uses it.
namespace gelenk::app {

struct TrialCheck {
  std::string name;    // "D against accelerations"
  std::string figure;  // what was measured, in words
  bool is_good = false;
};

struct Trial {
  std::string name, version, identity, host;
  std::vector<TrialCheck> checks;
  double median_us = 0.0;  // of one evaluation: load, factor, up, down

  bool is_good() const;
};

// Mounts it by itself and in a machine of its own: mobility, motion, balance of energy, states, cases of its maker.
// Stops at the first check that leaves nothing to look at. Returns why there is no trial, or nothing.
std::string try_component(const TrialSetup& setup, Console& console, Trial& trial);

}  // namespace gelenk::app
