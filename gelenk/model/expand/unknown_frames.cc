#include "gelenk/model/expand/unknown_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/model/foreign_words.h"

namespace gelenk::model::expanding {

void report_unknown_frame(const std::string& path, const Instance& scope, const SourceRange& where, Reports& reports) {
  const Object& object = scope.object();
  if (is_unclear(scope, split(path, '.').front())) return;
  if (!reports.may_suggest(scope.index->element_count)) {
    reports.diagnostics.error(Code::unknown_reference, where, fmt::format("there is no frame '{}'", path));
    return;
  }
  std::vector<std::string> names{"ground"};
  std::vector<SourceRange> places{{}};
  const auto add = [&](std::string name, const SourceRange& place) {
    names.push_back(std::move(name));
    places.push_back(place);
  };
  for (const Object& part : object.section("parts")) {
    add(part.name, part.name_range);
    for (const Object& frame : part.section("frames")) add(part.name + "." + frame.name, frame.name_range);
  }
  for (const Object& frame : object.section("frames")) add(frame.name, frame.name_range);
  for (const InstancePlan& plan : scope.index->plans) {
    if (plan.definition == nullptr) continue;
    for (const Object& port : plan.definition->object.section("ports")) {
      add(plan.written->name + "." + port.name, port.name_range);
    }
  }
  Diagnostic& d =
      reports.diagnostics.error(Code::unknown_reference, where, fmt::format("there is no frame '{}'", path));
  d.hint = hint_for_frame(path);
  if (!d.hint.empty()) return;
  const std::optional<std::string> near = nearest_name(path, names);
  if (!near) {
    const std::vector<std::string> segments = split(path, '.');
    const NamedElement* known = scope.index->find(segments.front());
    if (known != nullptr && known->section == Section::part && segments.size() == 2) {
      d.hint = fmt::format("add it to the part: `frames: {{{}: [0, 0, 0]}}`", segments[1]);
      d.notes.push_back({known->object->name_range, fmt::format("part '{}' is here", segments[0])});
      return;
    }
    const bool is_known = known != nullptr;
    d.hint = is_known ? "name a part, a frame of a part, or a port" : "the frames here are " + some_of(names);
    return;
  }
  d.hint = fmt::format("did you mean '{}'?", *near);
  const auto which = static_cast<std::size_t>(std::find(names.begin(), names.end(), *near) - names.begin());
  if (places[which].is_known()) d.notes.push_back({places[which], fmt::format("'{}' is defined here", *near)});
}

void report_past_port(const Instance& child, const std::string& name, const std::vector<std::string>& rest,
                      const SourceRange& where, Diagnostics& diagnostics) {
  const std::string inner = join(rest, ".");
  if (!rest.empty() && is_left_out(child.object(), rest.front())) return;
  std::vector<std::string> ports;
  std::string leading_there;
  for (const Object& port : child.object().section("ports")) {
    ports.push_back(port.name);
    const std::string* target = port.text("frame");
    if (target != nullptr && *target == inner) leading_there = port.name;
  }
  const NamedElement* element = rest.empty() ? nullptr : child.index->find(rest.front());
  if (element == nullptr) {
    std::string hint = rest.empty() ? "" : did_you_mean(rest.front(), ports);
    if (hint.empty()) hint = ports.empty() ? "it has no ports" : "its ports are " + some_of(ports);
    diagnostics.error(Code::unknown_port, where,
                      rest.empty() ? fmt::format("'{}' is an assembly: name one of its ports", name)
                                   : fmt::format("assembly '{}' has no port '{}'", name, rest.front()),
                      hint);
    return;
  }
  Diagnostic& d = diagnostics.error(
      Code::past_a_port, where,
      fmt::format("'{}' is inside assembly '{}' and cannot be reached from outside", inner, name),
      leading_there.empty()
          ? fmt::format("add a port to '{}': `ports: {{{}: {}}}`", child.index->definition->name, rest.back(), inner)
          : fmt::format("use its port: {}.{}", name, leading_there));
  d.notes.push_back({element->object->name_range, fmt::format("'{}' is defined here", rest.front())});
}

}  // namespace gelenk::model::expanding
