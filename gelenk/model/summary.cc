#include "gelenk/model/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/source.h"
#include "gelenk/base/text.h"
#include "gelenk/base/units.h"
#include "gelenk/model/loose_groups.h"
#include "gelenk/model/mobility.h"

namespace gelenk::model {
namespace {

// Longer lists are cut: a summary is read at a glance.
constexpr std::size_t kMaxTreeLines = 24;
constexpr std::size_t kMaxNamedMotions = 4;
constexpr double kGapToMention = 1e-6;  // m and rad: drawn numbers have about six digits

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

struct MassTotals {
  double mass = 0.0;
  double assumed = 0.0;
  Vector3 center = Vector3::Zero();
  geometry::Bounds bounds;
};

// Of shapes that have mass, and of places that have a name.
geometry::Bounds known_bounds(const Machine& machine) {
  geometry::Bounds result;
  for (const PartNode& part : machine.parts) {
    std::vector<geometry::Shape> in_world = part.shapes;
    for (geometry::Shape& shape : in_world) shape.X_PS = part.X_WP * shape.X_PS;
    const geometry::Bounds box = geometry::bounds(in_world);
    if (!box.is_empty()) result.add(box);
    result.add(part.X_WP.position);
  }
  for (const NamedFrame& frame : machine.frames) result.add(drawn_frame(machine, frame.frame).position);
  return result;
}

MassTotals totals(const Machine& machine, const SummaryOptions& options) {
  MassTotals result;
  for (std::size_t p = 0; p < machine.parts.size(); ++p) {
    const PartNode& part = machine.parts[p];
    const MassProperties& m = part.mass_properties;
    const Pose& X_WP = options.poses.empty() ? part.X_WP : options.poses[p];
    result.mass += m.mass;
    result.center += m.mass * (X_WP * m.center);
    if (part.mass_source == MassSource::shape_with_assumed_density) result.assumed += m.mass;
  }
  if (result.mass > 0.0) result.center /= result.mass;
  result.bounds = options.bounds != nullptr ? *options.bounds : known_bounds(machine);
  return result;
}

void append_tree(const Machine& machine, AssemblyId id, const std::string& indent, std::vector<std::string>& lines) {
  const AssemblyNode& node = machine.assemblies[id.index()];
  std::vector<std::string> facts;
  if (!node.parts.empty()) facts.push_back(counted(node.parts.size(), "part", "parts"));
  if (!node.joints.empty()) facts.push_back(counted(node.joints.size(), "joint", "joints"));
  for (const SealedNode& sealed : machine.sealed) {
    if (sealed.assembly == id) facts.push_back("sealed");
  }
  for (const CodeNode& code : machine.codes) {
    if (code.assembly == id) facts.emplace_back("code in C");
  }
  const std::string mirrored = node.is_mirrored ? " (mirror image)" : "";
  lines.push_back(fmt::format("{}{}{}: {}", indent, node.name, mirrored, facts.empty() ? "empty" : join(facts, ", ")));
  for (const AssemblyId child : node.children) append_tree(machine, child, indent + "  ", lines);
}

std::string motion_words(const Machine& machine, const CoordinateUse& use) {
  const JointNode& joint = machine.joints[use.joint.index()];
  const Coordinate& coordinate = joint.type->coordinates[use.coordinate];
  const std::string& body =
      joint.b.part.is_set() ? machine.parts[joint.b.part.index()].path : machine.parts[joint.a.part.index()].path;
  const std::string_view verb = coordinate.motion == Coordinate::Motion::translation ? "slides" : "turns";
  return fmt::format("{} {} ({}.{})", body, verb, joint.path, coordinate.name);
}

void write_motions_json(JsonWriter& json, const Machine& machine, const MobilityReport& mobility) {
  json.key("motions").begin_array();
  for (const FreeMotion& motion : mobility.motions) {
    json.begin_object().key("coordinate");
    if (motion.coordinate) {
      const JointNode& joint = machine.joints[motion.coordinate->joint.index()];
      json.value(joint.path + "." + std::string(joint.type->coordinates[motion.coordinate->coordinate].name));
    } else {
      json.null();
    }
    json.key("twists").begin_object();
    for (std::size_t i = 0; i < motion.parts.size(); ++i) {
      json.key(machine.parts[motion.parts[i].index()].path).begin_array();
      for (const double number : motion.twists[i]) json.value(number);
      json.end_array();
    }
    json.end_object().end_object();
  }
  json.end_array().key("heldTwice").begin_array();
  for (const HeldTwice& held : mobility.held_twice) {
    json.begin_object().member("joint", machine.joints[held.joint.index()].path).member("rows", held.rows).end_object();
  }
  json.end_array();
}

// Couplings of coordinates are written among the joints, and count by themselves.
std::string joint_count(const Machine& machine) {
  const auto couplings = static_cast<std::size_t>(
      std::count_if(machine.couplings.begin(), machine.couplings.end(),
                    [](const CouplingNode& coupling) { return !coupling.type->coupling->keys.empty(); }));
  std::string text = counted(machine.joints.size(), "joint", "joints");
  if (couplings > 0) text += ", " + counted(couplings, "coupling", "couplings");
  return text;
}

// "600 rpm": in the unit of `display:`, or else in that of the model, or SI.
std::string parameter_text(const Machine& machine, const ParameterValue& parameter, const SourceMap* sources) {
  constexpr int kDigits = 6;
  const Quantity quantity = quantity_of(parameter.dimension);
  const bool is_displayed = quantity != Quantity::any && !parameter.dimension.is_none() &&
                            std::any_of(machine.display.begin(), machine.display.end(),
                                        [&](const auto& known) { return known.first == quantity; });
  if (is_displayed) return shown_quantity(machine.display, parameter.value, quantity, kDigits);
  std::string symbol;
  if (parameter.source != nullptr) {
    const std::string* own = parameter.source->text("unit");
    const Value* value = parameter.source->value("value");
    if (own != nullptr) {
      symbol = *own;
    } else if (value != nullptr && sources != nullptr) {
      std::string_view written = trim(sources->text(value->range));
      if (written.starts_with('-') || written.starts_with('+')) written.remove_prefix(1);
      symbol = trim(written.substr(number_length(written)));
    }
  }
  const UnitParse unit = parse_unit(symbol);
  if (unit.unit && unit.unit->dimension == parameter.dimension) {
    const double shown = (parameter.value - unit.unit->offset) / unit.unit->factor;
    return fmt::format("{} {}", format_rounded(shown, kDigits), symbol);
  }
  const std::string_view si = quantity_info(quantity).si_symbol;
  const std::string base = quantity == Quantity::any ? parameter.dimension.text() : std::string(si);
  const std::string number = format_rounded(parameter.value, kDigits);
  return base == "1" ? number : fmt::format("{} {}", number, base);
}

void append_details(const Machine& machine, const MobilityReport& mobility, const SourceMap* sources,
                    std::string& text) {
  std::map<std::string_view, std::size_t> types;
  for (const JointNode& joint : machine.joints) ++types[joint.type->name];
  std::vector<std::string> kinds;
  for (const auto& [name, count] : types) kinds.push_back(fmt::format("{} {}", count, name));
  if (!kinds.empty()) text += fmt::format("joint types   {}\n", join(kinds, ", "));
  text += fmt::format("constraints   {} rows, rank {}, {} redundant{}\n", mobility.rows, mobility.rank,
                      mobility.redundant(), mobility.is_counted_only ? " (counted, not analyzed)" : "");
  text += fmt::format("unknowns      {} = 6 x {}\n", 6 * machine.parts.size(),
                      counted(machine.parts.size(), "part", "parts"));
  for (const HeldTwice& held : mobility.held_twice) {
    text += fmt::format("held twice    {}: {} also held by others\n", machine.joints[held.joint.index()].path,
                        counted(held.rows, "direction", "directions"));
  }
  for (const std::size_t coupling : mobility.couplings_held_twice) {
    text += fmt::format("held twice    {}: others hold the same\n", machine.couplings[coupling].path);
  }
  for (const ParameterValue& parameter : machine.assemblies.front().parameters) {
    text += fmt::format("parameter     {} = {}\n", parameter.name, parameter_text(machine, parameter, sources));
  }
  for (const JointNode& joint : machine.joints) {
    const JointGap gap = drawn_gap(machine, joint);
    if (gap.distance < kGapToMention && gap.angle < kGapToMention) continue;
    text += fmt::format("drawn open    {} by {} and {}\n", joint.path,
                        shown_quantity(machine.display, gap.distance, Quantity::length, 4),
                        shown_quantity(machine.display, gap.angle, Quantity::angle, 3));
  }
}

// What joints that hold velocities do: the machine can get to more places than it has motions.
std::string slip_text(const Machine& machine, const MobilityReport& mobility) {
  if (mobility.slipless == 0) return {};
  std::vector<std::string> names;
  for (const JointNode& joint : machine.joints) {
    const auto& held = joint.type->primitives;
    if (std::none_of(held.begin(), held.end(), holds_velocity)) continue;
    if (names.size() == kMaxNamedMotions) {
      names.emplace_back("...");
      break;
    }
    names.push_back(fmt::format("'{}' {}", joint.path,
                                joint.type->name == kKnifeEdge.name ? "does not slip sideways" : "rolls without slip"));
  }
  return fmt::format("; {}: {} of position, {} of velocity", join(names, ", "),
                     counted(mobility.position_freedoms(), "freedom", "freedoms"), mobility.free_motions);
}

}  // namespace

std::string motion_name(const Machine& machine, const FreeMotion& motion) {
  if (motion.coordinate) return motion_words(machine, *motion.coordinate);
  const PartMotion& how = motion.part.value();
  return fmt::format("{} {} {}", machine.parts[how.part.index()].path,
                     how.motion == Coordinate::Motion::translation ? "moves along" : "turns about",
                     std::string_view("xyz").substr(static_cast<std::size_t>(how.axis), 1));
}

std::string motion_text(const Machine& machine, const MobilityReport& mobility) {
  if (mobility.is_counted_only) {
    return fmt::format("about {}, by counting only: too many parts in one group to analyze the drawn pose",
                       counted(mobility.free_motions, "free motion", "free motions"));
  }
  std::string text = mobility.free_motions == 0 ? std::string("none: nothing can move")
                                                : counted(mobility.free_motions, "free motion", "free motions");
  std::vector<std::string> names;
  for (const CoordinateUse& use : mobility.independent) {
    if (names.size() == kMaxNamedMotions) break;
    names.push_back(motion_words(machine, use));
  }
  for (const PartId part : mobility.loose_parts) {
    if (names.size() == kMaxNamedMotions) break;
    names.push_back(fmt::format("{} floats freely", machine.parts[part.index()].path));
  }
  const std::size_t all = mobility.independent.size() + mobility.loose_parts.size();
  if (!names.empty()) text += ": " + join(names, ", ") + (all > names.size() ? ", ..." : "");
  // What no joint coordinate and no single part accounts for: joined parts that float as a whole, balls that turn.
  const std::size_t named = mobility.independent.size() + 6 * mobility.loose_parts.size();
  if (mobility.free_motions > named) {
    text += fmt::format("{}{}{} of groups of parts as a whole or in ball joints", names.empty() ? ": " : ", and ",
                        mobility.free_motions - named, names.empty() ? "" : " more,");
  }
  if (mobility.driven_motions > 0) {
    text += fmt::format("; {} of them driven", mobility.driven_motions);
  }
  return text + slip_text(machine, mobility);
}

std::string summary_text(const Machine& machine, const SummaryOptions& options) {
  const MobilityReport mobility = options.mobility != nullptr ? *options.mobility : expected_mobility(machine);
  const MassTotals mass = totals(machine, options);
  const ShownUnit length = shown_unit(machine.display, Quantity::length);
  std::vector<std::string> tree;
  append_tree(machine, AssemblyId(0), "", tree);

  std::string text;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (i == kMaxTreeLines && tree.size() > kMaxTreeLines + 1) {
      text += fmt::format("  ... and {} more assemblies\n", tree.size() - i);
      break;
    }
    text += tree[i] + "\n";
  }
  text += fmt::format(
      "in all        {}, {}, {}, {}, {}{}\n", counted(machine.assemblies.size() - 1, "sub-assembly", "sub-assemblies"),
      counted(machine.parts.size(), "part", "parts"), joint_count(machine),
      counted(machine.drivers.size(), "driver", "drivers"), counted(machine.forces.size(), "force", "forces"),
      machine.states.empty() ? "" : ", " + counted(machine.states.size(), "state", "states"));
  if (!machine.contacts.empty()) {
    text += fmt::format("contacts      {} of {}\n", counted(machine.contacts.size(), "contact", "contacts"),
                        counted(machine.contours.size(), "contour", "contours"));
  }
  for (const CodeNode& code : machine.codes) {
    text +=
        fmt::format("code in C     {}: {}, {}, {}\n", code.path, code.source.empty() ? "no file is named" : code.source,
                    counted(code.frames.size(), "frame", "frames"), counted(code.states.size(), "state", "states"));
  }
  if (machine.disabled_count > 0)
    text += fmt::format("disabled      {}\n", counted(machine.disabled_count, "element", "elements"));
  text += fmt::format("mass          {}", shown_quantity(machine.display, mass.mass, Quantity::mass, 4));
  if (mass.assumed > 0.0) {
    text += fmt::format(", {} % of it from an assumed density", format_rounded(100.0 * mass.assumed / mass.mass, 3));
  }
  if (!machine.sealed.empty()) text += ", not including sealed components";
  text += fmt::format("\ncenter        ({}, {}, {}) {}\n", format_rounded(mass.center.x() / length.factor, 4),
                      format_rounded(mass.center.y() / length.factor, 4),
                      format_rounded(mass.center.z() / length.factor, 4), length.symbol);
  const Vector3 size = mass.bounds.upper - mass.bounds.lower;
  text += fmt::format("size          {} x {} x {} {}\n", format_rounded(size.x() / length.factor, 4),
                      format_rounded(size.y() / length.factor, 4), format_rounded(size.z() / length.factor, 4),
                      length.symbol);
  // What an inside lets move, nobody outside can count.
  if (!machine.sealed.empty()) {
    text += fmt::format("motions       not counted: {} inside\n",
                        counted(machine.sealed.size(), "sealed component moves", "sealed components move"));
    return text;
  }
  text += fmt::format("motions       {}\n", motion_text(machine, mobility));
  if (const std::string loose = loose_text(machine); !loose.empty()) text += fmt::format("loose         {}\n", loose);
  if (mobility.redundant() > 0 && !mobility.is_counted_only) {
    text +=
        fmt::format("held twice    {} (fine)\n", counted(mobility.redundant(), "joint direction", "joint directions"));
  }
  if (options.details) append_details(machine, mobility, options.sources, text);
  return text;
}

void write_summary_json(JsonWriter& json, const Machine& machine, const SummaryOptions& options) {
  const MobilityReport mobility = options.mobility != nullptr ? *options.mobility : expected_mobility(machine);
  const MassTotals mass = totals(machine, options);
  const auto vector = [&](std::string_view key, const Vector3& v) {
    json.key(key).begin_array().value(v.x()).value(v.y()).value(v.z()).end_array();
  };
  json.member("name", machine.name)
      .member("subAssemblies", machine.assemblies.size() - 1)
      .member("parts", machine.parts.size())
      .member("joints", machine.joints.size())
      .member("drivers", machine.drivers.size())
      .member("forces", machine.forces.size())
      .member("states", machine.states.size())
      .member("outputs", machine.outputs.size())
      .member("disabled", machine.disabled_count)
      .member("mass", mass.mass)
      .member("massFromAssumedDensity", mass.assumed);
  vector("centerOfMass", mass.center);
  vector("size", mass.bounds.upper - mass.bounds.lower);
  json.key("codes").begin_array();
  for (const CodeNode& code : machine.codes) {
    json.begin_object().member("path", code.path).member("source", code.source);
    json.member("frames", code.frames.size()).member("states", code.states.size());
    json.member("inputs", code.inputs.size()).member("outputs", code.outputs.size()).end_object();
  }
  json.end_array();
  json.member("sealedComponents", machine.sealed.size())
      .member("constraintRows", mobility.rows)
      .member("rank", mobility.rank)
      .member("redundant", mobility.redundant())
      .member("freeMotions", mobility.free_motions)
      .member("positionFreedoms", mobility.position_freedoms())
      .member("drivenMotions", mobility.driven_motions)
      .member("countedOnly", mobility.is_counted_only);
  json.key("independentCoordinates").begin_array();
  for (const CoordinateUse& use : mobility.independent) {
    const JointNode& joint = machine.joints[use.joint.index()];
    json.value(joint.path + "." + std::string(joint.type->coordinates[use.coordinate].name));
  }
  json.end_array();
  write_motions_json(json, machine, mobility);
  json.key("looseGroups").begin_array();
  for (const std::vector<PartId>& group : loose_groups(machine)) {
    json.begin_array();
    for (const PartId part : group) json.value(machine.parts[part.index()].path);
    json.end_array();
  }
  json.end_array();
  json.key("assemblies").begin_array();
  for (const AssemblyNode& node : machine.assemblies) {
    json.begin_object()
        .member("path", node.path)
        .member("parts", node.parts.size())
        .member("joints", node.joints.size());
    json.member("mirrored", node.is_mirrored).end_object();
  }
  json.end_array();
}

}  // namespace gelenk::model
