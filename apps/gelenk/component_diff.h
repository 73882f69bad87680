#pragma once

#include <string>
#include <vector>

#include "apps/gelenk/seal_disclosure.h"
#include "apps/gelenk/trial_bed.h"

// Two versions of a sealed component, for a customer who has got a new one.
namespace gelenk::app {

// What one of them says and the other one does not; an empty text: it is not there.
struct Difference {
  std::string what;  // "default of the parameter 'spring'"
  std::string a, b;
};

struct Behavior {
  std::string what;      // "mobility of the ports"
  std::string unit;      // of the difference; empty: a part of the largest number
  double largest = 0.0;  // difference
  bool is_same = false;  // to the last bit
};

struct ComponentDiff {
  std::string identity_a, identity_b;
  bool is_same_file = false;
  std::vector<Difference> differences;
  std::string not_comparable;      // why behavior cannot be compared, or nothing
  std::vector<Behavior> behavior;  // as drawn, and in the machine of `component test`
  std::vector<PortDisclosure> felt_a, felt_b;

  bool is_same_behavior() const;
};

// Each as it is set, or with its own default values. Returns what went wrong, or nothing. Throws
// component::ComponentFailure.
std::string diff_components(const TrialSetup& a, const TrialSetup& b, Console& console, ComponentDiff& diff);

std::string diff_text(const ComponentDiff& diff);
std::string diff_json(const ComponentDiff& diff, ExitCode code);

}  // namespace gelenk::app
