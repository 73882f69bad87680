#include "gelenk/system/hard_laws.h"

#include <fmt/format.h>

#include <type_traits>
#include <variant>

#include "gelenk/model/couplings.h"
#include "gelenk/system/contacts.h"

namespace gelenk::system {

void add_jumps(const model::Machine& machine, System& system) {
  add_contacts(machine, system);
  for (std::size_t f = 0; f < machine.forces.size(); ++f) {
    const model::ForceNode& node = machine.forces[f];
    if (!node.type->is_hard || !node.drives) continue;
    const auto coordinate = [&](const model::CoordinateUse& use) {
      return system.joints[use.joint.index()].first_coordinate + static_cast<std::int32_t>(use.coordinate);
    };
    HardLaw& law = system.hard_laws.emplace_back();
    law.force = static_cast<std::int32_t>(f);
    law.coordinates[0] = coordinate(*node.drives);
    if (node.relative_to) law.coordinates[1] = coordinate(*node.relative_to);
  }
}

void set_hard_laws(const System& system, const model::Machine& machine, Params& params) {
  for (const HardLaw& law : system.hard_laws) {
    const model::ForceNode& node = machine.forces[static_cast<std::size_t>(law.force)];
    HardLawParams& to = params.hard_laws.emplace_back();
    to.weights[0] = node.drives->sign;
    to.drawn = to.weights[0] * model::drawn_coordinate(machine, *node.drives);
    if (!node.relative_to) continue;
    const double ratio = std::visit(
        [](const auto& data) {
          if constexpr (std::is_base_of_v<model::HardForce, std::decay_t<decltype(data)>>) return data.ratio;
          return 1.0;
        },
        node.data);
    to.weights[1] = -ratio * node.relative_to->sign;
    to.drawn += to.weights[1] * model::drawn_coordinate(machine, *node.relative_to);
  }
}

std::string jumps_text(const System& system) {
  if (!system.contacts.empty()) return fmt::format("contacts, such as '{}'", system.contacts.front().path);
  const Force& force = system.forces[static_cast<std::size_t>(system.hard_laws.front().force)];
  return fmt::format("hard forces, such as the {} '{}'", force.type->name, force.path);
}

}  // namespace gelenk::system
