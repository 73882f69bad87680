#include "gelenk/model/expand/channels.h"

#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/text.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/contact_types.h"
#include "gelenk/model/expand/channel_component.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model::expanding {

ChannelUse Channels::state_channel(std::size_t index) const {
  const StateNode& state = machine_.states[index];
  ChannelUse use;
  use.element = ChannelUse::Element::state;
  use.index = static_cast<std::int32_t>(index);
  use.quantity = "value";
  use.dimension = state.dimension;
  use.measures = state.measures;
  return use;
}

const std::vector<Object>& Channels::states_of_force(std::size_t force) const {
  const auto it =
      std::find_if(forces_.begin(), forces_.end(), [&](const Pending& pending) { return pending.index == force; });
  static const std::vector<Object> none;
  return it == forces_.end() ? none : it->written->section("states");
}

std::optional<ChannelUse> Channels::own_state(std::string_view force, const std::string& name) const {
  const auto own = elements_.find(fmt::format("{}.{}", force, name));
  if (own == elements_.end() || own->second.element != ChannelUse::Element::state) return std::nullopt;
  return state_channel(own->second.index);
}

ChannelUse Channels::driven_channel(const CoordinateUse& driven, bool is_rate) const {
  const Coordinate& c = machine_.joints[driven.joint.index()].type->coordinates[driven.coordinate];
  ChannelUse use;
  use.element = ChannelUse::Element::joint;
  use.index = static_cast<std::int32_t>(driven.joint.index());
  use.quantity = std::string(is_rate ? c.rate : c.name);
  use.measures = is_rate ? c.rate_quantity() : c.quantity();
  use.dimension = quantity_info(use.measures).dimension;
  use.weights[0] = driven.sign;
  return use;
}

std::optional<ChannelUse> Channels::coordinate_channel(const JointNode& joint, std::size_t index,
                                                       const std::string& quantity, const Instance& scope) const {
  for (std::size_t i = 0; i < joint.type->coordinates.size(); ++i) {
    const Coordinate& c = joint.type->coordinates[i];
    if (c.motion == Coordinate::Motion::orientation) continue;
    if (c.name != quantity && c.rate != quantity) continue;
    ChannelUse use;
    use.element = ChannelUse::Element::joint;
    use.index = static_cast<std::int32_t>(index);
    use.quantity = quantity;
    use.measures = c.name == quantity ? c.quantity() : c.rate_quantity();
    use.dimension = quantity_info(use.measures).dimension;
    if (machine_.assemblies[scope.id.index()].is_mirrored) use.weights[0] = mirror_sign(*joint.type, i);
    return use;
  }
  return std::nullopt;
}

Channels::Readable Channels::readable(const ElementRef& ref) const {
  Readable result;
  const auto coordinate_of = [&](const CoordinateUse& use) {
    return machine_.joints[use.joint.index()].type->coordinates[use.coordinate];
  };
  switch (ref.element) {
    case ChannelUse::Element::joint: {
      const ObjectType& type = *machine_.joints[ref.index].type;
      for (const Coordinate& c : type.coordinates) {
        if (c.motion == Coordinate::Motion::orientation) continue;
        result.names.emplace_back(c.name);
        result.names.emplace_back(c.rate);
      }
      result.channels = type.channels;
      break;
    }
    case ChannelUse::Element::driver: {
      const DriverNode& driver = machine_.drivers[ref.index];
      result.is_broken = !driver.drives.joint.is_set();
      if (!result.is_broken) result.driven = coordinate_of(driver.drives);
      result.channels = kDriverType.channels;
      break;
    }
    case ChannelUse::Element::coupling: {
      const CouplingNode& coupling = machine_.couplings[ref.index];
      if (coupling.type != &kExpression) result.driven = coordinate_of(coupling.terms.front().use);
      result.channels = coupling.type->channels;
      break;
    }
    case ChannelUse::Element::contact:
      result.channels = kContactChannels;
      break;
    case ChannelUse::Element::node:
    case ChannelUse::Element::state:
      break;  // a single number
    case ChannelUse::Element::force: {
      const ForceNode& force = machine_.forces[ref.index];
      for (const Object& state : states_of_force(ref.index)) result.names.push_back(state.name);
      if (force.drives) result.driven = coordinate_of(*force.drives);
      result.channels = force.type->channels;
      result.unrecorded = force_energies(*force.type);
      break;
    }
    case ChannelUse::Element::part:
      result.channels = kPartType.channels;
      result.unrecorded.assign(part_energies().begin(), part_energies().end());
      break;
    case ChannelUse::Element::sealed:
    case ChannelUse::Element::code:
    case ChannelUse::Element::frame:
      break;  // not among the elements: found by other ways
  }
  return result;
}

std::optional<ChannelUse> Channels::element_channel(const ElementRef& ref, const std::string& path,
                                                    const std::vector<std::string>& segments, std::size_t count,
                                                    const Instance& scope, const SourceRange& where) {
  if (ref.element == ChannelUse::Element::state && count == segments.size()) return state_channel(ref.index);
  const std::string rest = join(std::span(segments).subspan(count), ".");
  if (ref.element == ChannelUse::Element::joint) {
    const JointNode& joint = machine_.joints[ref.index];
    if (std::optional<ChannelUse> use = coordinate_channel(joint, ref.index, rest, scope)) return use;
  }
  Readable has = readable(ref);
  if (has.is_broken) return std::nullopt;
  std::vector<Channel> all(has.channels.begin(), has.channels.end());
  all.insert(all.end(), has.unrecorded.begin(), has.unrecorded.end());
  for (const Channel& found : all) {
    // Only the effort that fits the coordinate exists.
    if (has.driven && (found.quantity == Quantity::torque || found.quantity == Quantity::force) &&
        found.quantity != has.driven->effort_quantity()) {
      continue;
    }
    has.names.emplace_back(found.name);
    const bool is_whole = rest == found.name;
    const bool is_prefix =
        rest.size() > found.name.size() && rest.starts_with(found.name) && rest[found.name.size()] == '.';
    if (!is_whole && !is_prefix) continue;
    ChannelUse use;
    use.element = ref.element;
    use.index = static_cast<std::int32_t>(ref.index);
    use.quantity = std::string(found.name);
    use.measures = found.quantity;
    use.dimension = quantity_info(found.quantity).dimension;
    const std::string component = is_whole ? "" : rest.substr(found.name.size() + 1);
    if (!pick_component(use, found, component, machine_.assemblies[scope.id.index()], where, diagnostics_))
      return std::nullopt;
    return use;
  }
  std::string hint = did_you_mean(rest, has.names);
  if (hint.empty() && ref.element == ChannelUse::Element::state) hint = "a state is a single number: name it alone";
  if (hint.empty() && ref.element == ChannelUse::Element::part && segments.size() > count + 1) {
    hint = did_you_mean(segments[count], frames_.frames_of_part(path));
  }
  if (hint.empty()) hint = has.names.empty() ? "it records nothing" : "it has " + join(has.names, ", ");
  diagnostics_.error(Code::unknown_channel, where,
                     rest.empty()
                         ? fmt::format("'{}' is an element: name one of its channels", join(segments, "."))
                         : fmt::format("'{}' has no channel '{}'", join(std::span(segments).first(count), "."), rest),
                     hint);
  return std::nullopt;
}

const CodeNode* Channels::find_code(const std::vector<std::string>& segments, const Instance& scope,
                                    std::size_t& count) const {
  const auto last = std::find(segments.begin(), segments.end(), "code");
  if (last == segments.end()) return nullptr;
  count = static_cast<std::size_t>(last - segments.begin()) + 1;
  const std::string path = element_path(scope, join(std::span(segments).first(count), "."));
  const auto found = std::find_if(machine_.codes.begin(), machine_.codes.end(),
                                  [&](const CodeNode& code) { return code.path == path; });
  return found == machine_.codes.end() ? nullptr : &*found;
}

std::optional<ChannelUse> Channels::code_channel(const CodeNode& code, std::span<const std::string> rest,
                                                 const SourceRange& where) {
  ChannelUse use;
  use.element = ChannelUse::Element::code;
  const std::string name = join(rest, ".");
  std::vector<std::string> names;
  const auto find = [&](const auto& list, const char* quantity) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      names.push_back(list[i].name);
      if (list[i].name != name) continue;
      use.index = static_cast<std::int32_t>(&code - machine_.codes.data());
      use.component = static_cast<int>(i);
      use.quantity = quantity;
      use.dimension = list[i].dimension;
    }
  };
  find(code.states, "state");
  find(code.outputs, "output");
  if (use.index >= 0) return use;
  if (diagnostics_.has_errors()) return std::nullopt;  // it may be one of those that could not be read
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = names.empty() ? "it has no states and no outputs" : "there are " + some_of(names);
  diagnostics_.error(Code::unknown_channel, where,
                     rest.empty() ? fmt::format("'{}' is a section: name one of its states or outputs", code.path)
                                  : fmt::format("the code has no state or output '{}'", name),
                     hint);
  return std::nullopt;
}

void Channels::report_unknown_channel(const std::string& name, const std::vector<std::string>& segments,
                                      Instance& scope, const SourceRange& where) {
  const NamedElement* known = scope.index->find(segments.front());
  if (known != nullptr && known->section != Section::assembly) {
    const bool is_disabled = !known->object->flag("enabled", true);
    if (!is_disabled && diagnostics_.has_errors()) return;  // the element itself could not be built
    diagnostics_.error(Code::unknown_channel, where,
                       fmt::format("'{}' {}", segments.front(), is_disabled ? "is disabled" : "records nothing"),
                       is_disabled ? "enable it, or leave out what reads it" : "");
    return;
  }
  std::vector<std::string> names;
  if (reports_.may_suggest(scope.index->names.size())) {
    for (const auto& [known_name, element] : scope.index->names) names.emplace_back(known_name);
  }
  std::sort(names.begin(), names.end());
  std::string hint = did_you_mean(segments.front(), names);
  if (const std::string frame = frames_.frame_hint(segments, scope); !frame.empty()) hint = frame;
  if (hint.empty() && scope.owner != nullptr && scope.owner->index->find(segments.front()) != nullptr) {
    hint = fmt::format("'{}' belongs to the owner: an assembly sees only what is inside it", segments.front());
  }
  diagnostics_.error(
      segments.size() == 1 ? Code::unknown_name : Code::unknown_channel, where,
      fmt::format("there is no {} '{}'", segments.size() == 1 ? "parameter or channel" : "channel", name), hint);
}

std::optional<ChannelUse> Channels::channel(const std::string& name, Instance& scope, const SourceRange& where) {
  const std::vector<std::string> segments = split(name, '.');
  std::size_t of_code = 0;
  if (const CodeNode* const code = find_code(segments, scope, of_code)) {
    return code_channel(*code, std::span(segments).subspan(of_code), where);
  }
  if (is_unclear(scope, segments.front())) return std::nullopt;
  bool is_frame = false;
  if (std::optional<ChannelUse> use = frames_.frame_channel(segments, scope, where, is_frame); is_frame) return use;
  // The longest leading path that is an element; the rest names its quantity.
  for (std::size_t count = segments.size(); count > 0; --count) {
    const auto it = elements_.find(element_path(scope, join(std::span(segments).first(count), ".")));
    if (it == elements_.end()) continue;
    return element_channel(it->second, it->first, segments, count, scope, where);
  }
  report_unknown_channel(name, segments, scope, where);
  return std::nullopt;
}

}  // namespace gelenk::model::expanding
