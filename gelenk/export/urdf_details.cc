#include "gelenk/export/urdf_details.h"

#include <algorithm>
#include <cmath>

#include "gelenk/expression/evaluate.h"
#include "gelenk/model/element_address.h"

namespace gelenk::exporting {
namespace {

const Node* meta_of(const model::JointNode& joint, const model::Machine& machine) {
  if (!joint.assembly.is_set() || joint.assembly.index() >= machine.assemblies.size()) return nullptr;
  const model::AssemblyNode& owner = machine.assemblies[joint.assembly.index()];
  if (owner.definition == nullptr) return nullptr;
  const std::size_t begin = owner.path.empty() ? 0 : owner.path.size() + 1;
  const model::Object* written =
      begin < joint.path.size()
          ? model::find_named(owner.definition->object.section("joints"), joint.path.substr(begin))
          : nullptr;
  const model::Value* meta = written == nullptr ? nullptr : written->value("meta");
  return meta == nullptr ? nullptr : meta->get<Node>();
}

// "87 N*m"
std::optional<double> quantity(const Node* meta, std::string_view key) {
  const Node::Entry* entry = meta == nullptr ? nullptr : meta->find(key);
  if (entry == nullptr || !entry->value.is_scalar()) return std::nullopt;
  const expression::ParseResult parsed = expression::parse_quantity(entry->value.text);
  if (!parsed.expression) return std::nullopt;
  const double value = expression::evaluate(*parsed.expression, {});
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

bool is_joint_damper(const model::ForceNode& force) {
  const auto* data = std::get_if<model::RotationalSpringDamper>(&force.data);
  return force.drives && data != nullptr && data->stiffness == 0.0;
}

JointDetails joint_details(const model::JointNode& joint, const model::Machine& machine) {
  const Node* meta = meta_of(joint, machine);
  JointDetails details{quantity(meta, "most_effort"), quantity(meta, "most_rate"), quantity(meta, "damping"),
                       quantity(meta, "friction")};
  for (const model::CoordinateLimit& limit : joint.limits) {
    // One number for both directions.
    if (limit.coordinate != 0 || !limit.is_rate || !limit.min || !limit.max) continue;
    details.rate = std::max(std::abs(*limit.min), std::abs(*limit.max));
  }
  for (const model::ForceNode& force : machine.forces) {
    if (!is_joint_damper(force) || &machine.joints[force.drives->joint.index()] != &joint) continue;
    details.damping = details.damping.value_or(0.0) + std::get<model::RotationalSpringDamper>(force.data).damping;
  }
  return details;
}

JointLimits limits_of(const model::JointNode& joint) {
  for (const model::CoordinateLimit& limit : joint.limits) {
    if (limit.coordinate == 0 && !limit.is_rate) return {limit.min, limit.max};
  }
  return {};
}

bool has_limits(const model::JointNode& joint) {
  const auto [lower, upper] = limits_of(joint);
  return lower || upper;
}

}  // namespace gelenk::exporting
