#include "gelenk/model/expand/coordinates.h"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "gelenk/base/text.h"

namespace gelenk::model::expanding {
namespace {

void report_unknown_coordinate(const std::string& name, const SourceRange& where, const Instance& scope,
                               const Machine& machine, Reports& reports) {
  const std::vector<std::string> segments = split(name, '.');
  std::vector<std::string> names;
  for (const JointId id : machine.assemblies[scope.id.index()].joints) {
    const JointNode& joint = machine.joints[id.index()];
    const std::string local = scope.path.empty() ? joint.path : joint.path.substr(scope.path.size() + 1);
    for (const Coordinate& c : joint.type->coordinates) names.push_back(fmt::format("{}.{}", local, c.name));
  }
  const NamedElement* known = scope.index->find(segments.front());
  if (known != nullptr && known->section == Section::joint && !known->object->flag("enabled", true)) {
    reports.diagnostics.error(Code::unknown_coordinate, where, fmt::format("joint '{}' is disabled", segments.front()),
                              "enable it, or disable this too");
    return;
  }
  if (known != nullptr && known->section == Section::joint && reports.diagnostics.has_errors() &&
      segments.size() == 2) {
    return;  // the joint itself could not be built
  }
  std::string hint = reports.may_suggest(names.size()) ? did_you_mean(name, names) : "";
  if (hint.empty()) hint = names.empty() ? "there are no joint coordinates here" : "for example " + names.front();
  reports.diagnostics.error(Code::unknown_coordinate, where, fmt::format("there is no joint coordinate '{}'", name),
                            hint);
}

void report_missing_coordinate(const JointNode& joint, const std::string& joint_name, const std::string& coordinate,
                               const SourceRange& where, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const Coordinate& c : joint.type->coordinates) {
    if (c.motion != Coordinate::Motion::orientation) names.emplace_back(c.name);
  }
  std::string hint = did_you_mean(coordinate, names);
  for (const Coordinate& c : joint.type->coordinates) {
    if (c.rate == coordinate && c.motion != Coordinate::Motion::orientation) {
      hint = fmt::format("name the coordinate, '{}.{}', and give its rate", joint_name, c.name);
    }
  }
  if (hint.empty()) hint = names.empty() ? "it has none that can be driven" : "it has " + join(names, ", ");
  diagnostics.error(Code::unknown_coordinate, where,
                    fmt::format("a {} joint has no coordinate '{}'", joint.type->name, coordinate), hint);
}

}  // namespace

std::optional<CoordinateUse> coordinate_use(const Object& written, std::string_view key, const Instance& scope,
                                            const Machine& machine, const Elements& elements, Reports& reports) {
  const std::string* name = written.text(key);
  if (name == nullptr) return std::nullopt;
  return coordinate_named(*name, written.range_of(key), scope, machine, elements, reports);
}

std::optional<CoordinateUse> coordinate_named(const std::string& name, const SourceRange& where, const Instance& scope,
                                              const Machine& machine, const Elements& elements, Reports& reports) {
  const std::vector<std::string> segments = split(name, '.');
  const std::string joint_name = join(std::span(segments).first(segments.size() - 1), ".");
  if (is_unclear(scope, segments.front())) return std::nullopt;
  const auto element = segments.size() < 2 ? elements.end() : elements.find(element_path(scope, joint_name));
  if (element == elements.end() || element->second.element != ChannelUse::Element::joint) {
    report_unknown_coordinate(name, where, scope, machine, reports);
    return std::nullopt;
  }
  const JointNode& joint = machine.joints[element->second.index];
  if (joint.assembly != scope.id) {
    reports.diagnostics.error(
        Code::past_a_port, where,
        fmt::format("joint '{}' is inside a sub-assembly and cannot be reached from outside", joint_name),
        "put what acts on it into the sub-assembly, with a parameter for its value");
    return std::nullopt;
  }
  for (std::size_t i = 0; i < joint.type->coordinates.size(); ++i) {
    const Coordinate& c = joint.type->coordinates[i];
    if (c.name != segments.back() || c.motion == Coordinate::Motion::orientation) continue;
    const bool is_mirrored = machine.assemblies[scope.id.index()].is_mirrored;
    return CoordinateUse{JointId(element->second.index), i, is_mirrored ? mirror_sign(*joint.type, i) : 1.0};
  }
  report_missing_coordinate(joint, joint_name, segments.back(), where, reports.diagnostics);
  return std::nullopt;
}

}  // namespace gelenk::model::expanding
