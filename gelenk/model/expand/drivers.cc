#include "gelenk/model/expand/drivers.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "gelenk/model/expand/coordinates.h"

namespace gelenk::model::expanding {
namespace {

void bind_coordinates(std::span<const Pending> drivers, const Elements& elements, Machine& machine, Reports& reports) {
  Diagnostics& diagnostics = reports.diagnostics;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> driven;  // joint, coordinate -> driver
  for (const Pending& pending : drivers) {
    const ElementScope element(diagnostics, machine.drivers[pending.index].path, "driver");
    const std::optional<CoordinateUse> use =
        coordinate_use(*pending.written, "drives", *pending.scope, machine, elements, reports);
    if (!use) continue;
    machine.drivers[pending.index].drives = *use;
    const auto [first, is_new] = driven.try_emplace({use->joint.index(), use->coordinate}, pending.index);
    if (is_new) continue;
    const DriverNode& before = machine.drivers[first->second];
    Diagnostic& d =
        diagnostics.error(Code::driven_twice, pending.written->range_of("drives"),
                          fmt::format("'{}' is already driven by '{}'", *pending.written->text("drives"), before.path),
                          "remove or disable one of them");
    d.notes.push_back({before.where, "the first driver is here"});
  }
}

void bind_law(const Pending& pending, Signals& signals, Machine& machine, Diagnostics& diagnostics) {
  DriverNode& driver = machine.drivers[pending.index];
  const ElementScope element(diagnostics, driver.path, "driver");
  std::vector<std::string_view> given;
  for (const std::string_view key : {"position", "rate", "acceleration"}) {
    if (pending.written->find(key) != nullptr) given.push_back(key);
  }
  if (given.empty() && pending.written->is_incomplete) return;
  if (given.size() != 1) {
    diagnostics.error(given.empty() ? Code::missing_key : Code::conflicting_keys,
                      given.empty() ? pending.written->name_range : pending.written->range_of(given[1]),
                      given.empty() ? "a driver needs a `position`, a `rate` or an `acceleration`"
                                    : "a driver has only one of `position`, `rate` and `acceleration`",
                      given.empty() ? "for example `rate: 60 rpm`" : "keep one of them");
    return;
  }
  if (!driver.drives.joint.is_set()) {
    signals.signal(*pending.written->value(given[0]), given[0], Quantity::any, *pending.scope,
                   {});  // for its errors only
    return;
  }
  const Coordinate& c = machine.joints[driver.drives.joint.index()].type->coordinates[driver.drives.coordinate];
  Quantity quantity = c.quantity();
  driver.level = DriverNode::Level::position;
  if (given[0] == "rate") {
    quantity = c.rate_quantity();
    driver.level = DriverNode::Level::rate;
  } else if (given[0] == "acceleration") {
    quantity = c.acceleration_quantity();
    driver.level = DriverNode::Level::acceleration;
  }
  std::optional<Signal> law = signals.signal(*pending.written->value(given[0]), given[0], quantity, *pending.scope, {});
  if (!law) return;
  driver.law = *std::move(law);
  driver.law.factor = driver.drives.sign;
}

}  // namespace

std::vector<Pending> list_drivers(Instances& instances, Machine& machine, Elements& elements) {
  std::vector<Pending> pending;
  for (Instance& instance : instances) {
    for (const Object& written : instance.object().section("drivers")) {
      if (!written.flag("enabled", true)) {
        ++machine.disabled_count;
        continue;
      }
      const std::size_t index = machine.drivers.size();
      DriverNode& driver = machine.drivers.emplace_back();
      driver.path = element_path(instance, written.name);
      driver.assembly = instance.id;
      driver.where = written.name_range;
      elements.emplace(driver.path, ElementRef{ChannelUse::Element::driver, index});
      pending.push_back({index, &written, &instance});
    }
  }
  return pending;
}

void bind_drivers(std::span<const Pending> drivers, Signals& signals, const Elements& elements, Machine& machine,
                  Reports& reports) {
  // Coordinates first, so that channels of drivers know their quantity.
  bind_coordinates(drivers, elements, machine, reports);
  for (const Pending& pending : drivers) bind_law(pending, signals, machine, reports.diagnostics);
}

}  // namespace gelenk::model::expanding
