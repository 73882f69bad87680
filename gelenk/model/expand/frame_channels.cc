#include "gelenk/model/expand/frame_channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/model/expand/channel_component.h"
#include "gelenk/model/expand/paths.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model::expanding {
namespace {

std::vector<std::string> names_of(std::span<const Channel> channels) {
  std::vector<std::string> names;
  for (const Channel& channel : channels) names.emplace_back(channel.name);
  return names;
}

bool is_acceleration(const Channel& channel) {
  return channel.quantity == Quantity::acceleration || channel.quantity == Quantity::angular_acceleration;
}

}  // namespace

std::optional<FrameOnPart> FrameChannels::frame_by_path(std::span<const std::string> path, Instance& scope,
                                                        const SourceRange& where) {
  if (path.size() == 1 && path.front() == "ground") return places_.on_machine(FrameInAssembly{}, scope);
  if (frames_by_path_.empty()) {
    for (std::size_t i = 0; i < machine_.frames.size(); ++i) frames_by_path_.emplace(machine_.frames[i].path, i);
  }
  const std::string full = element_path(scope, join(path, "."));
  if (const auto it = frames_by_path_.find(full); it != frames_by_path_.end()) return machine_.frames[it->second].frame;
  if (const auto it = elements_.find(full); it != elements_.end() && it->second.element == ChannelUse::Element::part) {
    return FrameOnPart{PartId(it->second.index), Pose{}, {}};
  }
  if (path.size() < 2) return std::nullopt;
  Instance* const child = instance_at(path.first(path.size() - 1), scope);
  if (child == nullptr || child->owner == nullptr) return std::nullopt;
  const std::vector<Object>& ports = child->object().section("ports");
  const auto is_it = [&](const Object& port) { return port.name == path.back(); };
  if (std::none_of(ports.begin(), ports.end(), is_it)) return std::nullopt;
  const std::optional<FrameInAssembly> place = places_.frame_of_port(*child, {path.back()}, where, false);
  if (!place || place->is_disabled) return std::nullopt;
  return places_.on_machine(*place, *child->owner);
}

std::int32_t FrameChannels::add_read_frame(std::string path, const FrameOnPart& frame, const SourceRange& where) {
  const auto number = static_cast<std::int32_t>(machine_.read_frames.size());
  const auto [it, is_new] = read_frame_by_path_.try_emplace(path, number);
  if (is_new) machine_.read_frames.push_back({std::move(path), frame, where});
  return it->second;
}

std::optional<std::int32_t> FrameChannels::frame_read(std::span<const std::string> path, Instance& scope,
                                                      const SourceRange& where) {
  const std::optional<FrameOnPart> frame = frame_by_path(path, scope, where);
  if (!frame) return std::nullopt;
  return add_read_frame(element_path(scope, join(path, ".")), *frame, where);
}

std::optional<std::int32_t> FrameChannels::measured_frame(std::string_view path, Instance& scope,
                                                          const SourceRange& where) {
  const std::string name(path);
  const std::vector<std::string> segments = split(name, '.');
  if (is_unclear(scope, segments.front())) return std::nullopt;
  if (const std::optional<std::int32_t> found = frame_read(segments, scope, where)) return found;
  const std::optional<FrameInAssembly> place = places_.resolve_frame(name, scope, where);
  if (!place) return std::nullopt;
  if (place->is_disabled) {
    diagnostics_.error(Code::unknown_reference, where, fmt::format("'{}' is disabled", name),
                       "enable it, or leave out what reads it");
    return std::nullopt;
  }
  return add_read_frame(element_path(scope, name), places_.on_machine(*place, scope), where);
}

bool FrameChannels::is_joint_channel(const std::string& path, const std::string& name) const {
  const auto it = elements_.find(path);
  if (it == elements_.end() || it->second.element != ChannelUse::Element::joint) return false;
  const ObjectType& type = *machine_.joints[it->second.index].type;
  return std::any_of(type.coordinates.begin(), type.coordinates.end(),
                     [&](const Coordinate& c) { return c.name == name || c.rate == name; });
}

std::vector<std::string> FrameChannels::frames_of_part(const std::string& part_path) {
  std::vector<std::string> names;
  if (!reports_.may_suggest(machine_.frames.size())) return names;
  for (const NamedFrame& frame : machine_.frames) {
    if (frame.path.starts_with(part_path + ".")) names.push_back(frame.path.substr(part_path.size() + 1));
  }
  return names;
}

std::string FrameChannels::frame_hint(const std::vector<std::string>& segments, Instance& scope) {
  if (segments.size() < 2) return {};
  std::vector<std::string> names;
  if (segments.front() == "ground") {
    names = frames_of_part(element_path(scope, "ground"));
  } else if (const Instance* const child = instance_at(std::span(segments).first(1), scope)) {
    for (const Object& port : child->object().section("ports")) names.push_back(port.name);
  }
  return did_you_mean(segments[1], names);
}

std::optional<ChannelUse> FrameChannels::motion_channel(ChannelUse use, std::string_view owner,
                                                        const std::string& quantity, Instance& scope,
                                                        const SourceRange& where) {
  const std::span<const Channel> channels = use.relative_to < 0 ? frame_channels() : relative_channels();
  const std::string first = split(quantity, '.').front();
  const auto found =
      std::find_if(channels.begin(), channels.end(), [&](const Channel& channel) { return channel.name == first; });
  if (found == channels.end()) {
    const std::vector<std::string> names = names_of(channels);
    std::string hint = did_you_mean(first, names);
    if (hint.empty()) hint = did_you_mean(first, frames_of_part(element_path(scope, std::string(owner))));
    if (hint.empty()) hint = "it has " + join(names, ", ");
    diagnostics_.error(Code::unknown_channel, where,
                       quantity.empty() ? fmt::format("'{}' is a frame: name one of its channels", owner)
                                        : fmt::format("'{}' has no channel '{}'", owner, quantity),
                       hint);
    return std::nullopt;
  }
  const auto is_sealed = [&](std::int32_t frame) {
    return frame >= 0 && machine_.read_frames[static_cast<std::size_t>(frame)].frame.port.is_set();
  };
  if (is_acceleration(*found) && (is_sealed(use.index) || is_sealed(use.relative_to))) {
    diagnostics_.error(Code::unknown_channel, where,
                       fmt::format("a sealed component does not report the {} of its ports", found->name),
                       "read a position or velocity, or an output of the component");
    return std::nullopt;
  }
  const auto is_node = [&](std::int32_t frame) {
    return frame >= 0 && machine_.read_frames[static_cast<std::size_t>(frame)].frame.is_node();
  };
  if (is_acceleration(*found) && (is_node(use.index) || is_node(use.relative_to))) {
    diagnostics_.error(Code::unknown_channel, where,
                       fmt::format("a node has no mass, and its {} is not known", found->name),
                       "read its position or velocity");
    return std::nullopt;
  }
  use.quantity = std::string(found->name);
  use.measures = found->quantity;
  use.dimension = quantity_info(found->quantity).dimension;
  const std::string component = first.size() < quantity.size() ? quantity.substr(first.size() + 1) : "";
  if (!pick_component(use, *found, component, machine_.assemblies[scope.id.index()], where, diagnostics_))
    return std::nullopt;
  return use;
}

std::optional<ChannelUse> FrameChannels::frame_channel(const std::vector<std::string>& segments, Instance& scope,
                                                       const SourceRange& where, bool& is_frame) {
  const std::vector<std::string> channels = names_of(frame_channels());
  const auto is_channel = [&](const std::string& name) {
    return std::find(channels.begin(), channels.end(), name) != channels.end();
  };
  // The longest path that a channel follows; a part has channels of its own, which come with it.
  const std::span<const std::string> all(segments);
  std::size_t longest = 0;
  for (std::size_t count = segments.size(); count > 0 && longest == 0; --count) {
    const auto element = elements_.find(element_path(scope, join(all.first(count), ".")));
    const bool is_element = element != elements_.end();
    if (is_element && element->second.element != ChannelUse::Element::joint) return std::nullopt;
    const bool has_rest = count < segments.size();
    if (is_element &&
        (!has_rest || is_joint_channel(element->first, segments[count]) || !is_channel(segments[count]))) {
      return std::nullopt;
    }
    if (frame_by_path(all.first(count), scope, where)) longest = count;
  }
  if (longest == 0) return std::nullopt;
  // A frame that is called as a channel of its part is: `rod.velocity.x` is the part's, `rod.velocity.position.x` is
  // not.
  const bool has_channel = longest < segments.size() && is_channel(segments[longest]);
  if (!has_channel && longest > 1 && is_channel(segments[longest - 1])) return std::nullopt;
  is_frame = true;
  ChannelUse use;
  use.element = ChannelUse::Element::frame;
  use.index = *frame_read(all.first(longest), scope, where);
  return motion_channel(use, join(all.first(longest), "."), join(all.subspan(longest), "."), scope, where);
}

std::optional<ChannelUse> FrameChannels::reaction(const expression::Measure& measure, Instance& scope,
                                                  const SourceRange& where) {
  constexpr Channel kForce{"force", Quantity::force, Channel::Shape::vector, false};
  constexpr Channel kMoment{"moment", Quantity::torque, Channel::Shape::vector, true};
  const std::string name(measure.frames.at(0).path);
  const std::string quantity(measure.quantity);
  const auto joint = elements_.find(element_path(scope, name));
  if (joint == elements_.end() || joint->second.element != ChannelUse::Element::joint) {
    std::vector<std::string> names;
    if (reports_.may_suggest(machine_.joints.size())) {
      for (const JointNode& known : machine_.joints) names.push_back(known.path);
    }
    diagnostics_.error(Code::unknown_reference, where,
                       joint == elements_.end() ? fmt::format("there is no joint '{}'", name)
                                                : fmt::format("'{}' is not a joint", name),
                       did_you_mean(name, names));
    return std::nullopt;
  }
  const std::optional<std::int32_t> frame = measured_frame(measure.frames.at(1).path, scope, where);
  if (!frame) return std::nullopt;
  const std::string first = split(quantity, '.').front();
  if (first != kForce.name && first != kMoment.name) {
    diagnostics_.error(Code::unknown_channel, where,
                       fmt::format("'reaction({}, {})' has no channel '{}'", name, measure.frames[1].path, quantity),
                       "it has force, moment");
    return std::nullopt;
  }
  const Channel& found = first == kForce.name ? kForce : kMoment;
  ChannelUse use;
  use.element = ChannelUse::Element::joint;
  use.index = static_cast<std::int32_t>(joint->second.index);
  use.relative_to = *frame;
  use.quantity = fmt::format("reaction.{}", found.name);
  use.measures = found.quantity;
  use.dimension = quantity_info(found.quantity).dimension;
  const std::string component = first.size() < quantity.size() ? quantity.substr(first.size() + 1) : "";
  if (!pick_component(use, found, component, machine_.assemblies[scope.id.index()], where, diagnostics_))
    return std::nullopt;
  return use;
}

std::optional<ChannelUse> FrameChannels::measure(const expression::Measure& measure, Instance& scope,
                                                 const SourceRange& where) {
  if (measure.function == "reaction") return reaction(measure, scope, where);
  ChannelUse use;
  use.element = ChannelUse::Element::frame;
  const std::optional<std::int32_t> of = measured_frame(measure.frames.at(0).path, scope, where);
  const std::optional<std::int32_t> to = measured_frame(measure.frames.at(1).path, scope, where);
  if (!of || !to) return std::nullopt;
  use.index = *of;
  use.relative_to = *to;
  const std::string quantity(measure.quantity);
  const std::string owner = fmt::format("{}({}, {})", measure.function, measure.frames[0].path, measure.frames[1].path);
  if (measure.function == "relative") return motion_channel(use, owner, quantity, scope, where);
  if (!quantity.empty()) {
    diagnostics_.error(
        Code::unknown_channel, where, fmt::format("'{}' is a single number and has no component '{}'", owner, quantity),
        fmt::format("for components: relative({}, {}).position.x", measure.frames[0].path, measure.frames[1].path));
    return std::nullopt;
  }
  if (measure.function == "distance") return motion_channel(use, owner, "position.magnitude", scope, where);
  use.quantity = std::string(kAngleChannel.name);
  use.measures = kAngleChannel.quantity;
  use.dimension = quantity_info(kAngleChannel.quantity).dimension;
  const AssemblyNode& node = machine_.assemblies[scope.id.index()];
  if (node.is_mirrored) use.weights[0] = -node.mirror(2, 2);
  return use;
}

}  // namespace gelenk::model::expanding
