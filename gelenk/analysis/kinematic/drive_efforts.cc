#include "gelenk/analysis/kinematic/drive_efforts.h"

#include <algorithm>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/expression/expression.h"
#include "gelenk/mechanics/quantities.h"

namespace gelenk::analysis {
namespace {

constexpr int kSlot = integrate::Integrator::kOutputState;
constexpr double kNoStep = 1e-6;  // tolerance of steps, which are not taken

}  // namespace

DriveEfforts::DriveEfforts(const system::System& system, const system::Params& params, double rank_tolerance)
    : system_(system),
      params_(params),
      problem_(system, params, kNoStep, {.rank_tolerance = rank_tolerance}),
      accelerations_(6 * system.bodies.size(), 0.0),
      multipliers_(system.row_count(), 0.0),
      efforts_(2 * system.drivers.size(), 0.0) {
  problem_.reserve(kSlot + 1, 1, integrate::Chart::exponential);
}

bool DriveEfforts::evaluate(const system::State& state) {
  problem_.set_state(kSlot, state);
  if (!problem_.dynamics().accelerations(kSlot, accelerations_, multipliers_)) return false;
  Equations& equations = problem_.dynamics().equations_of(kSlot);
  equations.solver().share(multipliers_);
  free_motions_ = 6 * system_.bodies.size() - equations.solver().rank();
  unique_rows_.clear();
  equations.load_rows(problem_.state(kSlot));
  mechanics::driver_efforts({system_, params_, problem_.state(kSlot)}, equations.workspace(), multipliers_, efforts_);
  return std::all_of(efforts_.begin(), efforts_.end(), [](double effort) { return std::isfinite(effort); });
}

bool DriveEfforts::is_unique(std::size_t driver) {
  if (unique_rows_.empty()) problem_.dynamics().equations_of(kSlot).solver().determinate_rows(unique_rows_);
  return unique_rows_[at(system_.drivers[driver].row)] != 0;
}

std::size_t add_instant_drive(const InstantDrive& drive, model::Machine& machine) {
  const auto same = std::find_if(machine.drivers.begin(), machine.drivers.end(), [&](const model::DriverNode& other) {
    return other.drives.joint == drive.joint && other.drives.coordinate == drive.coordinate;
  });
  const model::JointNode& joint = machine.joints[drive.joint.index()];
  model::DriverNode driver;
  driver.path = same != machine.drivers.end() ? same->path : joint.path + "_drive";
  driver.assembly = joint.assembly;
  driver.drives = {drive.joint, drive.coordinate, 1.0};
  driver.law.formula = *expression::parse("value + rate * (time - when) + half * (time - when)^2").expression;
  driver.law.dimension = quantity_info(joint.type->coordinates[drive.coordinate].quantity()).dimension;
  for (const expression::Symbol& symbol : driver.law.formula.symbols()) {
    driver.law.symbols.emplace_back().kind =
        symbol.name == "time" ? model::SymbolUse::Kind::time : model::SymbolUse::Kind::constant;
  }
  if (same == machine.drivers.end()) {
    machine.drivers.push_back(std::move(driver));
    return machine.drivers.size() - 1;
  }
  *same = std::move(driver);
  return static_cast<std::size_t>(same - machine.drivers.begin());
}

void set_instant_motion(const system::System& system, std::size_t driver, const InstantMotion& motion,
                        system::Params& params) {
  const std::pair<std::string_view, double> numbers[] = {
      {"value", motion.value}, {"rate", motion.rate}, {"half", 0.5 * motion.acceleration}, {"when", motion.time}};
  for (const std::int32_t signal : {system.drivers[driver].law, system.drivers[driver].law_rate}) {
    const auto& symbols = system.signals[at(signal)].formula.symbols();
    for (std::size_t s = 0; s < symbols.size(); ++s) {
      for (const auto& [name, value] : numbers) {
        if (symbols[s].name == name) params.signals[at(signal)].constants[s] = value;
      }
    }
  }
}

}  // namespace gelenk::analysis
