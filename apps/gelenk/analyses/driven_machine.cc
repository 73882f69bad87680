#include "apps/gelenk/analyses/driven_machine.h"

#include <fmt/format.h>

#include "apps/gelenk/analyses/coordinate_names.h"
#include "gelenk/base/index.h"
#include "gelenk/base/text.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/system/compile.h"
#include "gelenk/system/hard_laws.h"

namespace gelenk::app {
namespace {

// The last driver takes the place of the one of a coordinate, so that what reads that one has something to read.
void release(model::Machine& machine, const system::System& system, std::int32_t coordinate) {
  const system::Coordinate& c = system.coordinates[at(coordinate)];
  const auto number = static_cast<std::size_t>(coordinate - system.joints[at(c.joint)].first_coordinate);
  for (model::DriverNode& driver : machine.drivers) {
    if (driver.drives.joint.index() != at(c.joint) || driver.drives.coordinate != number) continue;
    const model::DriverNode last = machine.drivers.back();
    driver.drives = last.drives;
    driver.level = last.level;
    driver.law = last.law;
    machine.drivers.pop_back();
    return;
  }
}

}  // namespace

std::unique_ptr<DrivenMachine> drive_machine(ModelInput& input, const std::vector<std::string>& drives,
                                             Console& console, ExitCode& code, std::int32_t released) {
  auto result = std::make_unique<DrivenMachine>();
  result->machine = *input.machine;
  result->drives = drives;
  MachineOverrides overrides;
  overrides.drives = drives;
  if (const std::optional<ExitCode> failed = apply_overrides(overrides, result->machine, console)) {
    code = *failed;
    return nullptr;
  }
  std::optional<system::System> system = system::compile(result->machine, {}, input.diagnostics);
  if (system && released >= 0) {
    release(result->machine, *system, released);
    system = system::compile(result->machine, {}, input.diagnostics);
  }
  if (!system) {
    code = fail_with_diagnostics(input, console);
    return nullptr;
  }
  result->system = *std::move(system);
  result->params = system::make_params(result->system, result->machine);
  return result;
}

std::string straight_drive(const system::System& system, std::size_t coordinate, double value, double rate,
                           double time) {
  const std::string_view unit = coordinate_unit(system, coordinate);
  return fmt::format("{}=={} ({}) + {} ({}/s) * (time - {} (s))", coordinate_path(system, coordinate),
                     format_number(value), unit, format_number(rate), unit, format_number(time));
}

std::vector<std::string> held_drives(const AssembledMachine& machine, std::int32_t coordinate) {
  const system::System& system = machine.system;
  mechanics::Workspace workspace(system);
  mechanics::update_positions({system, machine.params, machine.assembly.state}, workspace);
  const mechanics::View<double> now = mechanics::view({system, machine.params, machine.assembly.state}, workspace);
  std::vector<std::string> drives;
  for (const system::Driver& driver : system.drivers) {
    if (driver.coordinate == coordinate) continue;
    drives.push_back(fmt::format("{}={} {}", coordinate_path(system, at(driver.coordinate)),
                                 format_number(now.coordinate(driver.coordinate)),
                                 coordinate_unit(system, at(driver.coordinate))));
  }
  return drives;
}

std::optional<ExitCode> refuse_to_drive(const system::System& system, Console& console) {
  if (!system.sealed.empty()) {
    return console.fail(ExitCode::usage_error, "poses of machines with sealed components are found by simulation alone",
                        "drive it: gelenk run MODEL --drive JOINT=VALUE");
  }
  if (!system.codes.empty()) {
    return console.fail(ExitCode::usage_error, "poses of machines with code in C are found by simulation alone",
                        "drive it: gelenk run MODEL --drive JOINT=VALUE");
  }
  if (!system.contacts.empty() || !system.hard_laws.empty()) {
    return console.fail(ExitCode::usage_error,
                        fmt::format("it has {}: what they do is found by simulation alone", system::jumps_text(system)),
                        "drive it: gelenk run MODEL --drive JOINT=VALUE; or give them enabled: false");
  }
  for (const system::Node& node : system.nodes) {
    if (!node.flows) continue;
    return console.fail(
        ExitCode::usage_error,
        fmt::format("the node '{}' follows speeds or states: its place depends on the motion before", node.path),
        "drive it: gelenk run MODEL --drive JOINT=VALUE");
  }
  if (system.holds_velocities()) {
    return console.fail(ExitCode::usage_error,
                        "what rolls or slides on an edge has poses that depend on the way it took",
                        "drive it: gelenk run MODEL --drive JOINT=VALUE");
  }
  return std::nullopt;
}

}  // namespace gelenk::app
