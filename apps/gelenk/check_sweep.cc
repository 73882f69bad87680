#include "apps/gelenk/check_sweep.h"

#include <fmt/format.h>

#include <numbers>
#include <utility>

#include "apps/gelenk/analyses/coordinate_names.h"
#include "gelenk/base/index.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/mechanics/evaluate.h"

namespace gelenk::app {
namespace {

using analysis::DrivenWay;
using analysis::HeldCoordinate;
using Motion = model::Coordinate::Motion;

constexpr double kFarthest = 2.0;  // machine sizes: what slides further is not stopped by the machine

// What other drivers hold, where it is.
std::vector<HeldCoordinate> other_drives(const system::System& system, const mechanics::View<double>& now,
                                         std::int32_t coordinate) {
  std::vector<HeldCoordinate> held;
  for (const system::Driver& driver : system.drivers) {
    if (driver.coordinate == coordinate) continue;
    HeldCoordinate one;
    one.coordinate = driver.coordinate;
    one.is_driver = true;
    one.from = one.value = now.coordinate(driver.coordinate);
    held.push_back(one);
  }
  return held;
}

}  // namespace

std::optional<Sweep> sweep_coordinate(const AssembledMachine& assembled, const std::string& name, std::string& problem,
                                      std::string& hint) {
  const system::System& system = assembled.system;
  Sweep sweep;
  sweep.name = name;
  sweep.coordinate = find_coordinate(system, name, "--sweep", problem, hint);
  if (sweep.coordinate < 0) return std::nullopt;
  const system::State& start = assembled.assembly.state;
  mechanics::Workspace workspace(system);
  mechanics::update_positions({system, assembled.params, start}, workspace);
  const mechanics::View<double> now = mechanics::view({system, assembled.params, start}, workspace);
  const bool slides = system.coordinates[at(sweep.coordinate)].type->motion == Motion::translation;
  const double farthest = slides ? kFarthest * assembled.params.length : 2.0 * std::numbers::pi;
  sweep.start = now.coordinate(sweep.coordinate);
  const auto go = [&](double way) {
    std::vector<HeldCoordinate> led = other_drives(system, now, sweep.coordinate);
    HeldCoordinate one;
    one.coordinate = sweep.coordinate;
    one.from = sweep.start;
    one.value = sweep.start + way;
    led.push_back(one);
    return analysis::follow_way(system, assembled.params, start, std::move(led));
  };
  const DrivenWay up = go(farthest);
  sweep.highest = sweep.start + up.done * farthest;
  sweep.goes_round = !slides && up.is_complete();
  if (!up.is_complete()) sweep.above = analysis::lock_text(system, up);
  if (sweep.goes_round) return sweep;
  const DrivenWay down = go(-farthest);
  sweep.lowest = sweep.start - down.done * farthest;
  if (!down.is_complete()) sweep.below = analysis::lock_text(system, down);
  return sweep;
}

std::string sweep_text(const model::Machine& machine, const AssembledMachine& assembled, const Sweep& sweep) {
  const system::Coordinate& c = assembled.system.coordinates[at(sweep.coordinate)];
  const std::string path = coordinate_path(assembled.system, at(sweep.coordinate));
  const auto shown_value = [&](double value) { return shown_quantity(machine.display, value, c.type->quantity(), 4); };
  if (sweep.goes_round) return fmt::format("sweep         {} goes all the way round\n", path);
  std::string text = fmt::format("sweep         {} goes from {} to {}, starting at {}\n", path,
                                 shown_value(sweep.lowest), shown_value(sweep.highest), shown_value(sweep.start));
  if (!sweep.below.empty()) text += fmt::format("  at {}: {}\n", shown_value(sweep.lowest), sweep.below);
  if (!sweep.above.empty()) text += fmt::format("  at {}: {}\n", shown_value(sweep.highest), sweep.above);
  if (sweep.below.empty() || sweep.above.empty()) text += "  it was not followed any further\n";
  return text;
}

}  // namespace gelenk::app
