#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/minimal/tree.h"
#include "gelenk/symbolic/graph.h"

// The equations of a machine as formulas, in the coordinates of its tree.
namespace gelenk::minimal {

// A name, its unit of SI, and a number: of a parameter its value; where a position, rate or state starts.
struct NamedNumber {
  std::string name;
  std::string unit;
  double value = 0.0;
};

// x: positions, v: rates, s: what else is integrated, t: time.
//   M v̇ = f + Cᵀλ,   ẋ = N v,   ṡ = r,                                             (1)
//   c = 0,   C v + c_t = 0,   C v̇ = g                                              (2)
// rows of cut joints, couplings and drivers. Rows of velocities have no c: it is zero.
struct TracedMachine {
  symbolic::Graph graph;
  Tree tree;
  std::vector<NamedNumber> positions, rates, states, parameters, outputs;
  std::vector<std::int32_t> state_places;  // of the states, in State::extra
  std::vector<std::string> rows;           // whose each is
  std::vector<std::string> left_out;       // outputs that read what equations do not know
  symbolic::Id time = -1;
  std::vector<symbolic::Id> x, v, s, p;  // their symbols
  std::vector<symbolic::Id> position_rates, mass, force, state_rates, row_values, row_matrix, row_rates, row_biases,
      output_values;
  std::vector<symbolic::Id> accelerations;  // M⁻¹ f; none where there are rows
};

// What the equations of this machine cannot say is an error that names the element.
void trace(const system::System& system, const system::Params& params, const system::State& state,
           TracedMachine& machine, Diagnostics& diagnostics);

}  // namespace gelenk::minimal
