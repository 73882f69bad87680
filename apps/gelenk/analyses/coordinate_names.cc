#include "apps/gelenk/analyses/coordinate_names.h"

#include <fmt/format.h>

#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/base/text.h"

namespace gelenk::app {

using Motion = model::Coordinate::Motion;

std::string coordinate_path(const system::System& system, std::size_t index) {
  const system::Coordinate& c = system.coordinates[index];
  return fmt::format("{}.{}", system.joints[at(c.joint)].path, c.type->name);
}

std::string_view coordinate_unit(const system::System& system, std::size_t index) {
  return system.coordinates[index].type->motion == Motion::translation ? "m" : "rad";
}

std::int32_t find_coordinate(const system::System& system, const std::string& name, std::string_view option,
                             std::string& problem, std::string& hint) {
  std::vector<std::string> names;
  for (const system::Driver& driver : system.drivers) {
    if (driver.path == name) return driver.coordinate;
    names.push_back(driver.path);
  }
  for (std::size_t i = 0; i < system.coordinates.size(); ++i) {
    if (system.coordinates[i].type->motion == Motion::orientation) continue;
    const system::Joint& joint = system.joints[at(system.coordinates[i].joint)];
    const std::string path = coordinate_path(system, i);
    if (path == name || (joint.coordinate_count == 1 && joint.path == name)) return static_cast<std::int32_t>(i);
    names.push_back(path);
    if (joint.coordinate_count == 1) names.push_back(joint.path);
  }
  problem = fmt::format("{}: there is no driver or joint coordinate '{}'", option, name);
  hint = did_you_mean(name, names);
  if (hint.empty() && !names.empty()) hint = fmt::format("for example: {} {}", option, names.front());
  return -1;
}

}  // namespace gelenk::app
