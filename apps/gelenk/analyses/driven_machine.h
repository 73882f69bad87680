#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/gelenk/assembled_machine.h"
#include "apps/gelenk/machine_overrides.h"
#include "apps/gelenk/model_input.h"

// A machine with other drivers than those of its model, for analyses that prescribe its motion.
namespace gelenk::app {

// It stays where it was made.
struct DrivenMachine {
  model::Machine machine;
  system::System system;
  system::Params params;
  std::vector<std::string> drives;  // as --drive takes them: what was changed
};

// Drives as --drive takes them. Null, with the exit code, when something is wrong with them. `released`: a coordinate
// whose driver, if it has one, becomes that of the last drive.
std::unique_ptr<DrivenMachine> drive_machine(ModelInput& input, const std::vector<std::string>& drives,
                                             Console& console, ExitCode& code, std::int32_t released = -1);

// "crank.angle=0.5 rad + 1 (rad/s) * (time - 2 s)" for the coordinate.
std::string straight_drive(const system::System& system, std::size_t coordinate, double value, double rate,
                           double time);
// All drivers but that of the coordinate stay where they are in this state.
std::vector<std::string> held_drives(const AssembledMachine& machine, std::int32_t coordinate);

// Why such an analysis cannot be made of a machine, as an exit code; nothing when it can.
std::optional<ExitCode> refuse_to_drive(const system::System& system, Console& console);

}  // namespace gelenk::app
