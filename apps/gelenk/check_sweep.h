#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/gelenk/assembled_machine.h"
#include "gelenk/analysis/driven_way.h"

namespace gelenk::app {

// How far one coordinate can be led from where it is at the start, with all other drivers where they are: for
// `gelenk check --sweep`.
struct Sweep {
  std::string name;  // as asked for
  std::int32_t coordinate = -1;
  double start = 0.0;  // m or rad
  double lowest = 0.0, highest = 0.0;
  bool goes_round = false;   // an angle without an end
  std::string below, above;  // what stops it; empty: nothing that was looked for
};

// Nothing, and sentences in `problem` and `hint`, when there is no driver or coordinate of this name.
std::optional<Sweep> sweep_coordinate(const AssembledMachine& assembled, const std::string& name, std::string& problem,
                                      std::string& hint);
// Lines as the others of `gelenk check`.
std::string sweep_text(const model::Machine& machine, const AssembledMachine& assembled, const Sweep& sweep);

}  // namespace gelenk::app
