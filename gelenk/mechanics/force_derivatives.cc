#include "gelenk/mechanics/force_derivatives.h"

#include <algorithm>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/gravity.h"
#include "gelenk/system/node_groups.h"
#include "gelenk/system/origins.h"

namespace gelenk::mechanics {
namespace {

using ForceDual = Dual<12>;

void read_joint(const system::System& system, const Ports& ports, std::int32_t joint,
                std::vector<std::int32_t>& bodies) {
  bodies.push_back(ports.carrier(system, system.joints[at(joint)].frame_a));
  bodies.push_back(ports.carrier(system, system.joints[at(joint)].frame_b));
}

// Those that it pushes, or whose axes it has.
void push_force(const system::System& system, const Ports& ports, std::int32_t number,
                std::vector<std::int32_t>& bodies) {
  const system::Force& force = system.forces[at(number)];
  for (const std::int32_t frame : {force.frame_a, force.frame_b, force.axes}) {
    if (frame >= 0) bodies.push_back(ports.carrier(system, frame));
  }
  if (force.coordinate >= 0) read_joint(system, ports, system.coordinates[at(force.coordinate)].joint, bodies);
}

void read_force(const system::System& system, const Ports& ports, std::int32_t number,
                std::vector<std::int32_t>& bodies);

void read_signal(const system::System& system, const Ports& ports, std::int32_t signal,
                 std::vector<std::int32_t>& bodies) {
  for (const system::Symbol& symbol : system.signals[at(signal)].symbols) {
    if (symbol.kind != system::Symbol::Kind::channel) continue;
    using Kind = system::ChannelRef::Kind;
    switch (symbol.channel.kind) {
      case Kind::force_channel:
      case Kind::force_energy:
        read_force(system, ports, symbol.channel.element, bodies);
        break;
      case Kind::force_power:
        for (std::int32_t section = 0; section < symbol.channel.coordinate; ++section) {
          read_force(system, ports, symbol.channel.element + section, bodies);
        }
        break;
      case Kind::joint_coordinate:
      case Kind::joint_rate:
      case Kind::joint_orientation:
      case Kind::joint_angular_velocity:
        read_joint(system, ports, symbol.channel.element, bodies);
        break;
      case Kind::part_position:
      case Kind::part_orientation:
      case Kind::part_velocity:
      case Kind::part_angular_velocity:
      case Kind::part_kinetic_energy:
      case Kind::part_potential_energy:
        bodies.push_back(system.parts[at(symbol.channel.element)].body);
        break;
      case Kind::frame_position:
      case Kind::frame_orientation:
      case Kind::frame_velocity:
      case Kind::frame_angular_velocity:
      case Kind::frame_angle:
      case Kind::frame_distance_rate:
        for (const std::int32_t read : {symbol.channel.element, symbol.channel.relative_to}) {
          if (read >= 0) bodies.push_back(ports.carrier(system, system.read_frames[at(read)]));
        }
        break;
      case Kind::node_rate:          // see read_nodes()
      case Kind::sealed_signal:      // of a motion that nobody knows here
      case Kind::state:              // by itself, not by the motion: see StateDerivatives
      case Kind::part_acceleration:  // this and what follows is not for forces: compile() refuses it
      case Kind::part_angular_acceleration:
      case Kind::joint_reaction_force:
      case Kind::joint_reaction_moment:
      case Kind::driver_effort:
      case Kind::driver_power:
      case Kind::coupling_effort:
      case Kind::hard_channel:
      case Kind::contact_channel:
      case Kind::code_state:
      case Kind::code_output:
      case Kind::frame_acceleration:
      case Kind::frame_angular_acceleration:
        break;
    }
  }
}

void read_force(const system::System& system, const Ports& ports, std::int32_t number,
                std::vector<std::int32_t>& bodies) {
  push_force(system, ports, number, bodies);
  const system::Force& force = system.forces[at(number)];
  if (force.value >= 0) read_signal(system, ports, force.value, bodies);
}

// Where nodes are depends on all that holds them.
void read_nodes(const system::System& system, const Ports& ports, std::vector<std::int32_t> groups,
                std::vector<std::int32_t>& bodies) {
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  for (const std::int32_t group : groups) {
    for (const std::int32_t force : system.node_groups[at(group)].forces) read_force(system, ports, force, bodies);
  }
}

std::vector<std::int32_t> in_order(std::vector<std::int32_t> bodies) {
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  std::erase_if(bodies, [](std::int32_t body) { return body < 0; });
  return bodies;
}

// Adds a wrench about a frame's origin, moved to the center of mass, whose arm moves with the body as well.
void add(const Context& context, const View<ForceDual>& view, const Ports& ports, std::int32_t frame,
         const Wrench<ForceDual>& wrench, std::int32_t by_body, std::vector<ForceBlock>& blocks) {
  if (frame < 0) return;
  const std::int32_t body = ports.carrier(context.system, frame);
  if (body < 0) return;
  Vec3<ForceDual> moment = wrench.moment;
  if (ports.at_frame(frame) < 0) {
    const Vec3<ForceDual> arm = view.body(body).R * context.params.frames[at(frame)].position.cast<ForceDual>();
    moment += arm.cross(wrench.force);
  }
  auto block = std::find_if(blocks.begin(), blocks.end(),
                            [&](const ForceBlock& other) { return other.on_body == body && other.by_body == by_body; });
  if (block == blocks.end()) block = blocks.insert(blocks.end(), ForceBlock{body, by_body, {}});
  for (std::size_t k = 0; k < 12; ++k) {
    for (int i = 0; i < 3; ++i) {
      block->values[12 * static_cast<std::size_t>(i) + k] += wrench.force(i).partials[k];
      block->values[12 * static_cast<std::size_t>(3 + i) + k] += moment(i).partials[k];
    }
  }
}

}  // namespace

std::vector<std::int32_t> bodies_read(const system::System& system, const Ports& ports, std::int32_t force) {
  std::vector<std::int32_t> bodies;
  read_force(system, ports, force, bodies);
  std::vector<std::int32_t> groups;
  const system::Force& read = system.forces[at(force)];
  system::groups_at(system, read, groups);
  if (read.value >= 0) system::groups_read(system, system.signals[at(read.value)], groups);
  read_nodes(system, ports, std::move(groups), bodies);
  return in_order(std::move(bodies));
}

std::vector<std::int32_t> bodies_pushed(const system::System& system, const Ports& ports, std::int32_t force) {
  std::vector<std::int32_t> bodies;
  push_force(system, ports, force, bodies);
  return in_order(std::move(bodies));
}

std::vector<std::int32_t> bodies_read_by(const system::System& system, const Ports& ports, std::int32_t signal) {
  std::vector<std::int32_t> bodies;
  read_signal(system, ports, signal, bodies);
  std::vector<std::int32_t> groups;
  system::groups_read(system, system.signals[at(signal)], groups);
  read_nodes(system, ports, std::move(groups), bodies);
  return in_order(std::move(bodies));
}

ForceDerivatives::ForceDerivatives(const system::System& system, const Ports& ports) {
  for (std::size_t f = 0; f < system.forces.size(); ++f) {
    bodies_read_.push_back(bodies_read(system, ports, static_cast<std::int32_t>(f)));
  }
}

void ForceDerivatives::evaluate(const Context& context, const Workspace& workspace, std::int32_t number,
                                std::vector<ForceBlock>& blocks) {
  View<ForceDual> view(context.system, context.params, context.state, workspace.bodies, scratch_, &workspace.ports);
  view.set_sealed_signals(workspace.sealed_signals);
  if (!context.system.nodes.empty()) view.set_nodes(workspace.nodes);
  for (const std::int32_t body : bodies_read_[at(number)]) {
    view.seed_body(body);
    const ForceResult<ForceDual> result = view.force(number);
    add(context, view, workspace.ports, result.frame_a, result.on_a, body, blocks);
    add(context, view, workspace.ports, result.frame_b, result.on_b, body, blocks);
  }
}

ForceBlock body_block(const Context& context, const Workspace& workspace, std::int32_t body) {
  Scratch<ForceDual> scratch;
  View<ForceDual> view(context.system, context.params, context.state, workspace.bodies, scratch);
  view.seed_body(body);
  const Motion<ForceDual> m = view.body(body);
  const Vec3<ForceDual> w = m.R.transpose() * m.w;
  Vec3<ForceDual> force = Vec3<ForceDual>::Zero();
  Vec3<ForceDual> moment =
      m.R * Vec3<ForceDual>(Vec3<ForceDual>(context.params.bodies[at(body)].inertia().cast<ForceDual>() * w).cross(w));
  const Vec3<ForceDual> place = m.p + system::origin_of(context.state, at(body)).cast<ForceDual>();
  for (const std::int32_t p : context.system.bodies[at(body)].parts) {
    const system::PartParams& part = context.params.parts[at(p)];
    const Vec3<ForceDual> arm = m.R * part.center.cast<ForceDual>();
    const Vec3<ForceDual> weight = gravity_force<ForceDual>(context.params.gravity, part.mass, place + arm);
    force += weight;
    moment += arm.cross(weight);
  }
  ForceBlock block{body, body, {}};
  for (std::size_t k = 0; k < 12; ++k) {
    for (int i = 0; i < 3; ++i) {
      block.values[12 * static_cast<std::size_t>(i) + k] = force(i).partials[k];
      block.values[12 * static_cast<std::size_t>(3 + i) + k] = moment(i).partials[k];
    }
  }
  return block;
}

}  // namespace gelenk::mechanics
