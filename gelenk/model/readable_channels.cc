#include "gelenk/model/readable_channels.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "gelenk/base/si_unit.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/contact_types.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model {
namespace {

class List {
 public:
  void add(const std::string& path, std::span<const Channel> channels, const Coordinate* driven = nullptr) {
    for (const Channel& channel : channels) {
      const bool is_effort = channel.quantity == Quantity::torque || channel.quantity == Quantity::force;
      // Only the effort that fits the coordinate exists.
      if (driven != nullptr && is_effort && channel.quantity != driven->effort_quantity()) continue;
      add_components(path + "." + std::string(channel.name), channel);
    }
  }

  void add_coordinates(const JointNode& joint) {
    for (const Coordinate& c : joint.type->coordinates) {
      if (c.motion == Coordinate::Motion::orientation) continue;
      put(joint.path + "." + std::string(c.name), c.quantity());
      put(joint.path + "." + std::string(c.rate), c.rate_quantity());
    }
  }

  void add_state(const StateNode& state) {
    const bool is_named = state.measures != Quantity::any;
    const Quantity quantity = is_named ? state.measures : quantity_of(state.dimension);
    found_.push_back(
        {state.path, quantity, is_named ? std::string(quantity_info(quantity).si_symbol) : si_unit(state.dimension)});
  }

  std::vector<ReadableChannel> take() { return std::move(found_); }

 private:
  void put(std::string name, Quantity quantity) {
    found_.push_back({std::move(name), quantity, std::string(quantity_info(quantity).si_symbol)});
  }

  void add_components(const std::string& name, const Channel& channel) {
    static constexpr std::string_view kVector[] = {"x", "y", "z", "magnitude"};
    static constexpr std::string_view kOrientation[] = {"w", "x", "y", "z"};
    if (channel.shape == Channel::Shape::scalar) {
      put(name, channel.quantity);
      return;
    }
    for (const std::string_view component : channel.shape == Channel::Shape::vector ? kVector : kOrientation) {
      put(name + "." + std::string(component), channel.quantity);
    }
  }

  std::vector<ReadableChannel> found_;
};

const Coordinate* coordinate_of(const Machine& machine, const CoordinateUse& use) {
  return &machine.joints[use.joint.index()].type->coordinates[use.coordinate];
}

// Of a joint; null: there is none.
bool is_coordinate(const ObjectType* joint, std::string_view name) {
  return joint != nullptr && std::any_of(joint->coordinates.begin(), joint->coordinates.end(),
                                         [&](const Coordinate& c) { return c.name == name || c.rate == name; });
}

}  // namespace

std::vector<ReadableChannel> readable_channels(const Machine& machine) {
  List list;
  std::unordered_map<std::string_view, const JointNode*> attached;  // a joint of an attachment is called as its port
  for (const JointNode& joint : machine.joints) attached.emplace(joint.path, &joint);
  for (const PartNode& part : machine.parts) list.add(part.path, part_channels());
  for (const NamedFrame& frame : machine.frames) list.add(frame.path, frame_channels());
  for (const AssemblyNode& node : machine.assemblies) {
    if (!node.owner.is_set() || node.definition == nullptr) continue;
    // A sealed component does not report how its ports are accelerated: these come last.
    const std::size_t count = frame_channels().size() - (node.definition->sealed.empty() ? 0 : 2);
    for (const Object& port : node.definition->object.section("ports")) {
      const std::string path = node.path + "." + port.name;
      const auto joint = attached.find(path);
      const ObjectType* const type = joint == attached.end() ? nullptr : joint->second->type;
      for (const Channel& channel : frame_channels().first(count)) {
        if (!is_coordinate(type, channel.name)) list.add(path, std::span(&channel, 1));
      }
    }
  }
  for (const JointNode& joint : machine.joints) {
    list.add_coordinates(joint);
    list.add(joint.path, joint.type->channels);
  }
  for (const CouplingNode& coupling : machine.couplings) {
    const bool is_own = coupling.type->coupling->keys.empty();  // listed with its joint
    if (is_own) continue;
    const bool has_effort = coupling.type != &kExpression;
    list.add(coupling.path, coupling.type->channels,
             has_effort ? coordinate_of(machine, coupling.terms.front().use) : nullptr);
  }
  for (const DriverNode& driver : machine.drivers) {
    list.add(driver.path, kDriverType.channels, coordinate_of(machine, driver.drives));
  }
  for (const ForceNode& force : machine.forces) {
    list.add(force.path, force.type->channels, force.drives ? coordinate_of(machine, *force.drives) : nullptr);
  }
  for (const ContactNode& contact : machine.contacts) list.add(contact.path, kContactChannels);
  for (const StateNode& state : machine.states) list.add_state(state);
  return list.take();
}

}  // namespace gelenk::model
