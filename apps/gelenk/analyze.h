#pragma once

#include <string>
#include <vector>

#include "apps/gelenk/assembled_machine.h"
#include "apps/gelenk/machine_overrides.h"
#include "apps/gelenk/model_input.h"
#include "gelenk/analysis/linear/equilibrium.h"
#include "gelenk/base/json.h"

namespace gelenk::app {

struct AnalyzeRequest {
  std::string kind;
  ModelRequest model;
  MachineOverrides overrides;
  std::string at;  // "rest" or "start"; empty: rest
  std::string sweep, count, rate;
  std::vector<std::string> paths;  // POINT=FILE
  std::string motion;              // results file
  std::vector<std::string> by, without;
  std::string duration, output_every;
  std::string bode, frequencies;
  std::string output;  // results, or a table; empty: none
  bool force = false;
};

// Coordinates of joints of a machine in a state.
struct JointValue {
  std::string path;
  model::Coordinate::Motion motion;
  Quantity quantity;
  double value = 0.0;
};
std::vector<JointValue> joint_values(const AssembledMachine& machine, const system::State& state);

// What each kind prints.
std::string equilibrium_text(const ModelInput& input, const AssembledMachine& machine,
                             const analysis::Equilibrium& found);
void write_equilibrium_json(JsonWriter& json, const AssembledMachine& machine, const analysis::Equilibrium& found);
std::string modes_text(const AssembledMachine& machine, const system::State& state);
void write_modes_json(JsonWriter& json, const AssembledMachine& machine, const system::State& state);

}  // namespace gelenk::app
