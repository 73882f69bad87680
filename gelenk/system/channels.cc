#include "gelenk/system/channels.h"

#include <fmt/format.h>

#include <algorithm>

#include "gelenk/model/assembly_types.h"
#include "gelenk/model/contact_types.h"
#include "gelenk/system/system.h"

namespace gelenk::system {
namespace {

using Kind = ChannelRef::Kind;

Kind part_kind(std::string_view quantity) {
  if (quantity == "position") return Kind::part_position;
  if (quantity == "orientation") return Kind::part_orientation;
  if (quantity == "velocity") return Kind::part_velocity;
  if (quantity == "angular_velocity") return Kind::part_angular_velocity;
  if (quantity == "kinetic_energy") return Kind::part_kinetic_energy;
  if (quantity == "potential_energy") return Kind::part_potential_energy;
  return quantity == "acceleration" ? Kind::part_acceleration : Kind::part_angular_acceleration;
}

Kind frame_kind(std::string_view quantity) {
  if (quantity == "position") return Kind::frame_position;
  if (quantity == "orientation") return Kind::frame_orientation;
  if (quantity == "velocity") return Kind::frame_velocity;
  if (quantity == "angular_velocity") return Kind::frame_angular_velocity;
  if (quantity == "angle") return Kind::frame_angle;
  if (quantity == model::kDistanceRate) return Kind::frame_distance_rate;
  return quantity == "acceleration" ? Kind::frame_acceleration : Kind::frame_angular_acceleration;
}

void resolve_joint(const System& system, const model::ChannelUse& use, ChannelRef& ref) {
  const Joint& joint = system.joints[static_cast<std::size_t>(use.index)];
  for (std::int32_t i = 0; i < joint.coordinate_count; ++i) {
    const model::Coordinate& c = joint.type->coordinates[static_cast<std::size_t>(i)];
    if (use.quantity != c.name && use.quantity != c.rate) continue;
    const bool is_rate = use.quantity == c.rate;
    const bool is_orientation = c.motion == model::Coordinate::Motion::orientation;
    ref.coordinate = joint.first_coordinate + i;
    ref.kind = is_orientation ? (is_rate ? Kind::joint_angular_velocity : Kind::joint_orientation)
                              : (is_rate ? Kind::joint_rate : Kind::joint_coordinate);
    return;
  }
  ref.kind = use.quantity == "reaction.force" ? Kind::joint_reaction_force : Kind::joint_reaction_moment;
}

// Of a cable over pulleys, which stands for all of its sections; 1: any other force.
std::int32_t section_count(const model::Machine& machine, std::int32_t force) {
  const auto first = static_cast<std::size_t>(force);
  std::size_t count = 1;
  while (first + count < machine.forces.size() &&
         machine.forces[first + count].path == fmt::format("{}.section_{}", machine.forces[first].path, count + 1)) {
    ++count;
  }
  return static_cast<std::int32_t>(count);
}

}  // namespace

std::size_t channel_width(const model::Channel& channel) {
  switch (channel.shape) {
    case model::Channel::Shape::scalar:
      return 1;
    case model::Channel::Shape::vector:
      return 3;
    case model::Channel::Shape::orientation:
      return 4;
  }
  return 1;
}

std::vector<const model::Channel*> force_channels(const model::Machine& machine, const model::ForceNode& force) {
  std::vector<const model::Channel*> result;
  for (const model::Channel& channel : force.type->channels) {
    const bool is_effort = channel.quantity == Quantity::torque || channel.quantity == Quantity::force;
    if (force.drives && is_effort) {
      const model::ObjectType& joint = *machine.joints[force.drives->joint.index()].type;
      if (joint.coordinates[force.drives->coordinate].effort_quantity() != channel.quantity) continue;
    }
    result.push_back(&channel);
  }
  return result;
}

ReadChannel describe(const model::Machine& machine, const model::ChannelUse& use) {
  const auto index = static_cast<std::size_t>(use.index);
  const auto of = [&](const char* kind, const std::string& path) {
    return ReadChannel{fmt::format("the {} of {} '{}'", use.quantity, kind, path), path + "." + use.quantity};
  };
  switch (use.element) {
    case model::ChannelUse::Element::part:
      return of("part", machine.parts[index].path);
    case model::ChannelUse::Element::joint:
      return of("joint", machine.joints[index].path);
    case model::ChannelUse::Element::coupling:
      return of("joint", machine.couplings[index].path);
    case model::ChannelUse::Element::driver:
      return of("driver", machine.drivers[index].path);
    case model::ChannelUse::Element::force:
      return of("force", machine.forces[index].path);
    case model::ChannelUse::Element::frame:
      return of("frame", machine.read_frames[index].path);
    case model::ChannelUse::Element::sealed:
      return of("component", machine.sealed[index].path);
    case model::ChannelUse::Element::state:
      return {fmt::format("state '{}'", machine.states[index].path), machine.states[index].path};
    case model::ChannelUse::Element::node:
      return of("node", machine.nodes[index].path);
    case model::ChannelUse::Element::contact:
      return of("contact", machine.contacts[index].path);
    case model::ChannelUse::Element::code:
      return {fmt::format("what the code '{}' gives", machine.codes[index].path), machine.codes[index].path};
  }
  return {};
}

ChannelRef resolve_channel(const System& system, const model::Machine& machine, const model::ChannelUse& use) {
  ChannelRef ref;
  ref.element = use.index;
  ref.pick = use.pick;
  ref.component = use.component;
  ref.weights = use.weights;
  switch (use.element) {
    case model::ChannelUse::Element::code:
      ref.kind = use.quantity == "state" ? Kind::code_state : Kind::code_output;
      ref.coordinate = system.codes[static_cast<std::size_t>(use.index)].first_state + use.component;
      break;
    case model::ChannelUse::Element::state:
      ref.kind = Kind::state;
      ref.coordinate = system.states[static_cast<std::size_t>(use.index)].place;
      break;
    case model::ChannelUse::Element::node:
      ref.kind = Kind::node_rate;
      break;
    case model::ChannelUse::Element::contact:
      ref.kind = Kind::contact_channel;
      ref.coordinate = 0;
      for (const model::Channel& channel : model::kContactChannels) {
        if (channel.name == use.quantity) break;
        ref.coordinate += static_cast<std::int32_t>(channel_width(channel));
      }
      break;
    case model::ChannelUse::Element::part:
      ref.kind = part_kind(use.quantity);
      break;
    case model::ChannelUse::Element::joint:
      ref.relative_to = use.relative_to;
      resolve_joint(system, use, ref);
      break;
    case model::ChannelUse::Element::coupling:
      ref.kind = Kind::coupling_effort;
      break;
    case model::ChannelUse::Element::driver:
      ref.kind = use.quantity == "power" ? Kind::driver_power : Kind::driver_effort;
      break;
    case model::ChannelUse::Element::force: {
      const std::vector<model::Channel> energies =
          model::force_energies(*machine.forces[static_cast<std::size_t>(use.index)].type);
      const bool is_energy = std::any_of(energies.begin(), energies.end(),
                                         [&](const model::Channel& one) { return one.name == use.quantity; });
      if (is_energy) {
        ref.kind = use.quantity == "power" ? Kind::force_power : Kind::force_energy;
        if (ref.kind == Kind::force_power) ref.coordinate = section_count(machine, use.index);
        break;
      }
      ref.kind =
          machine.forces[static_cast<std::size_t>(use.index)].type->is_hard ? Kind::hard_channel : Kind::force_channel;
      ref.coordinate = 0;
      for (const model::Channel* channel :
           force_channels(machine, machine.forces[static_cast<std::size_t>(use.index)])) {
        if (channel->name == use.quantity) break;
        ref.coordinate += static_cast<std::int32_t>(channel_width(*channel));
      }
      break;
    }
    case model::ChannelUse::Element::frame:
      ref.kind = frame_kind(use.quantity);
      ref.relative_to = use.relative_to;
      break;
    case model::ChannelUse::Element::sealed:
      ref.kind = Kind::sealed_signal;
      ref.coordinate = system.sealed[static_cast<std::size_t>(use.index)].first_signal + use.component;
      break;
  }
  return ref;
}

}  // namespace gelenk::system
