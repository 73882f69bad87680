#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "gelenk/base/index.h"
#include "gelenk/solve/component_plan.h"
#include "gelenk/solve/spatial.h"

// What a plan knows of its ports.
namespace gelenk::solve {

const BodyMass& mass_behind(const Plan& plan, std::int32_t port) {
  const std::int32_t body = plan.partition.ports[at(port)].body;
  if (body != kNone) return plan.masses[at(body)];
  for (const ForeignComponent& foreign : plan.foreign) {
    const auto found = std::find(foreign.ports.begin(), foreign.ports.end(), port);
    if (found != foreign.ports.end())
      return foreign.references[static_cast<std::size_t>(found - foreign.ports.begin())];
  }
  throw std::logic_error("a port that no component has");
}

void put_arms(const NodePlan& node, std::span<const double> port_arms, std::span<double> arms) {
  for (std::size_t p = 0; p < node.ports.size(); ++p) {
    const std::size_t from = 3 * at(node.ports[p].number);
    const bool has_arm = at(node.ports[p].body) < node.own_count() && from < port_arms.size();
    for (std::size_t i = 0; i < 3; ++i) arms[3 * p + i] = has_arm ? port_arms[from + i] : 0.0;
  }
}

void move_rows_to_bodies(const Plan& plan, std::span<const double> port_arms, std::span<double> values) {
  const std::size_t bodies = plan.masses.size();
  for (const JointRows& joint : plan.layout().joints) {
    for (const bool is_b : {false, true}) {
      const std::int32_t end = is_b ? joint.b : joint.a;
      if (end < 0 || at(end) < bodies || 3 * (at(end) - bodies) >= port_arms.size()) continue;
      const double* const arm = &port_arms[3 * (at(end) - bodies)];
      double* const of_joint = &values[at(joint.first_value)];
      if (joint.points > 0) {
        for (std::size_t i = 0; i < 3; ++i) of_joint[(is_b ? 3 : 0) + i] += arm[i];
      }
      double* line = of_joint + 6 * joint.points + 3 * joint.turns;
      for (std::size_t i = 0; i < joint.lines; ++i, line += 9) {
        // ± l · (a + α × s) + m · α
        double moment[3];
        cross(arm, line, moment);
        for (std::size_t k = 0; k < 3; ++k) line[(is_b ? 6 : 3) + k] += is_b ? moment[k] : -moment[k];
      }
    }
  }
}

}  // namespace gelenk::solve
