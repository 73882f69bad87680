#include "gelenk/export/scene_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/export/number_text.h"
#include "gelenk/expression/evaluate.h"

namespace gelenk::exporting {
namespace {

std::string with_unit(const std::string& numbers, const std::string& symbol) {
  return symbol.empty() || symbol == "1" ? numbers : numbers + " " + symbol;
}

// What a force type has beside its frames.
class ForceLines {
 public:
  ForceLines(const DataWriter& writer, DataLines& lines) : writer_(writer), lines_(lines) {}

  void operator()(const model::SpringDamper& it) {
    add("stiffness", it.stiffness, Quantity::stiffness);
    add("damping", it.damping, Quantity::damping);
    if (it.free_length >= 0.0) add("free length", it.free_length, Quantity::length);
  }
  void operator()(const model::RotationalSpringDamper& it) {
    add("stiffness", it.stiffness, Quantity::rotational_stiffness);
    add("damping", it.damping, Quantity::rotational_damping);
    if (it.stiffness != 0.0) add("free angle", it.free_angle, Quantity::angle);
  }
  void operator()(const model::Bushing& it) {
    add("stiffness", it.stiffness, Quantity::stiffness);
    add("damping", it.damping, Quantity::damping);
    add("rotational stiffness", it.rotational_stiffness, Quantity::rotational_stiffness);
    add("rotational damping", it.rotational_damping, Quantity::rotational_damping);
    add("preload force", it.preload_force, Quantity::force);
    add("preload moment", it.preload_moment, Quantity::torque);
  }
  void operator()(const auto&) {}

 private:
  void add(const char* name, double value, Quantity quantity) {
    if (value != 0.0) lines_.emplace_back(name, writer_.number(value, quantity));
  }
  void add(const char* name, const Vector3& value, Quantity quantity) {
    if (!value.isZero(0.0)) lines_.emplace_back(name, writer_.vector(value, quantity));
  }

  const DataWriter& writer_;
  DataLines& lines_;
};

std::string_view mass_source(model::MassSource source) {
  switch (source) {
    case model::MassSource::shape:
      return "shape and material";
    case model::MassSource::shape_with_assumed_density:
      return "shape and an assumed density";
    default:
      return "given";
  }
}

Quantity effort_quantity(const model::Machine& machine, const model::ForceNode& force) {
  if (force.drives) {
    const model::JointNode& joint = machine.joints[force.drives->joint.index()];
    return joint.type->coordinates[force.drives->coordinate].effort_quantity();
  }
  return std::holds_alternative<model::Torque>(force.data) ? Quantity::torque : Quantity::force;
}

}  // namespace

std::string DataWriter::number(double si, Quantity quantity) const {
  const ShownUnit shown = shown_unit(machine_.display, quantity);
  return with_unit(number_text(shown.shown(si)), shown.symbol);
}

std::string DataWriter::vector(const Vector3& si, Quantity quantity) const {
  const ShownUnit shown = shown_unit(machine_.display, quantity);
  std::string text;
  for (int i = 0; i < 3; ++i) text += (i > 0 ? ", " : "") + number_text(si[i] / shown.factor);
  return with_unit(text, shown.symbol);
}

std::string DataWriter::signal(const model::Signal& signal, Quantity quantity) const {
  if (signal.is_constant()) {
    std::vector<double> symbols;
    for (const model::SymbolUse& symbol : signal.symbols) symbols.push_back(symbol.value);
    return number(signal.factor * expression::evaluate(signal.formula, symbols), quantity);
  }
  constexpr std::size_t kLongest = 200;
  const std::string_view text = sources_ == nullptr ? std::string_view() : trim(sources_->text(signal.where));
  return text.size() > kLongest ? "changes with time" : text.empty() ? "changes with time" : std::string(text);
}

std::string DataWriter::place(const model::FrameOnPart& frame) const {
  if (frame.port.is_set()) return machine_.sealed[static_cast<std::size_t>(frame.port.component)].path;
  return frame.part.is_set() ? machine_.parts[frame.part.index()].path : "ground";
}

std::string DataWriter::coordinate(const model::CoordinateUse& use) const {
  const model::JointNode& joint = machine_.joints[use.joint.index()];
  return joint.path + "." + std::string(joint.type->coordinates[use.coordinate].name);
}

DataLines DataWriter::of(const model::AssemblyNode& assembly) const {
  DataLines lines;
  if (assembly.definition != nullptr) lines.emplace_back("use", assembly.definition->name);
  if (assembly.is_mirrored) lines.emplace_back("mirrored", "yes");
  for (const model::ParameterValue& parameter : assembly.parameters) {
    lines.emplace_back(parameter.name, number(parameter.value, quantity_of(parameter.dimension)));
  }
  return lines;
}

DataLines DataWriter::of(const model::PartNode& part, const model::Object* written) const {
  const MassProperties& body = part.mass_properties;
  DataLines lines{{"mass", number(body.mass, Quantity::mass)},
                  {"mass from", std::string(mass_source(part.mass_source))},
                  {"center of mass", vector(body.center, Quantity::length)},
                  {"inertia xx, yy, zz", vector(body.inertia.diagonal(), Quantity::inertia)}};
  const Vector3 products(body.inertia(0, 1), body.inertia(0, 2), body.inertia(1, 2));
  if (!products.isZero(0.0)) lines.emplace_back("inertia xy, xz, yz", vector(products, Quantity::inertia));
  if (written == nullptr) return lines;
  for (const char* key : {"material", "note"}) {
    if (const std::string* text = written->text(key)) lines.emplace_back(key, *text);
  }
  return lines;
}

DataLines DataWriter::of(const model::JointNode& joint) const {
  DataLines lines{{"type", std::string(joint.type->name)}, {"between", place(joint.a) + ", " + place(joint.b)}};
  const auto name = [&](std::size_t coordinate, bool is_rate) {
    const model::Coordinate& it = joint.type->coordinates[coordinate];
    return std::string(is_rate ? it.rate : it.name);
  };
  const auto quantity = [&](std::size_t coordinate, bool is_rate) {
    const model::Coordinate& it = joint.type->coordinates[coordinate];
    return is_rate ? it.rate_quantity() : it.quantity();
  };
  for (const model::CoordinateStart& start : joint.start) {
    if (joint.type->coordinates[start.coordinate].motion == model::Coordinate::Motion::orientation) continue;
    lines.emplace_back("start " + name(start.coordinate, start.is_rate),
                       number(start.value[0], quantity(start.coordinate, start.is_rate)));
  }
  for (const model::CoordinateLimit& limit : joint.limits) {
    const auto bound = [&](const std::optional<double>& value) {
      return value ? number(*value, quantity(limit.coordinate, limit.is_rate)) : std::string("open");
    };
    lines.emplace_back("limits of " + name(limit.coordinate, limit.is_rate),
                       bound(limit.min) + " to " + bound(limit.max));
  }
  if (const auto* distance = std::get_if<model::Distance>(&joint.data); distance != nullptr && distance->length > 0.0) {
    lines.emplace_back("length", number(distance->length, Quantity::length));
  }
  return lines;
}

DataLines DataWriter::of(const model::ForceNode& force) const {
  DataLines lines{{"type", std::string(force.type->name)}};
  if (force.a && force.b) lines.emplace_back("between", place(*force.a) + ", " + place(*force.b));
  if (!force.a && force.b) lines.emplace_back("applied to", place(*force.b));
  if (force.drives) lines.emplace_back("drives", coordinate(*force.drives));
  std::visit(ForceLines(*this, lines), force.data);
  const bool has_value =
      std::holds_alternative<model::Force>(force.data) || std::holds_alternative<model::Torque>(force.data) ||
      std::holds_alternative<model::LineForce>(force.data) || std::holds_alternative<model::Actuator>(force.data);
  if (has_value) lines.emplace_back("value", signal(force.value, effort_quantity(machine_, force)));
  return lines;
}

DataLines DataWriter::of(const model::DriverNode& driver) const {
  const model::Coordinate& driven =
      machine_.joints[driver.drives.joint.index()].type->coordinates[driver.drives.coordinate];
  using Level = model::DriverNode::Level;
  const bool is_position = driver.level == Level::position, is_rate = driver.level == Level::rate;
  const Quantity quantity = is_position ? driven.quantity()
                            : is_rate   ? driven.rate_quantity()
                                        : driven.acceleration_quantity();
  return {{"drives", coordinate(driver.drives)},
          {is_position ? "position"
           : is_rate   ? "rate"
                       : "acceleration",
           signal(driver.law, quantity)}};
}

// "a.angle + 2 × b.angle"; beside a travel an angle has a radius, "27 mm × output.angle".
DataLines DataWriter::of(const model::CouplingNode& coupling) const {
  using Term = model::CouplingNode::Term;
  const auto is_travel = [&](const Term& term) {
    const model::JointNode& joint = machine_.joints[term.use.joint.index()];
    return joint.type->coordinates[term.use.coordinate].motion == model::Coordinate::Motion::translation;
  };
  const bool has_travel =
      std::ranges::any_of(coupling.terms, [&](const Term& t) { return is_travel(t) && std::abs(t.factor) == 1.0; });
  if (coupling.law) {
    std::string names;
    for (const Term& term : coupling.terms) names += (names.empty() ? "" : ", ") + coordinate(term.use);
    return {{"a law ties", names}};
  }
  std::string sum;
  for (const Term& term : coupling.terms) {
    const double factor = term.factor * term.use.sign;
    const double size = std::abs(factor);
    sum += sum.empty() ? (factor < 0.0 ? "-" : "") : (factor < 0.0 ? " - " : " + ");
    const bool is_radius = has_travel && !is_travel(term);
    if (is_radius || size != 1.0) sum += (is_radius ? number(size, Quantity::length) : number_text(size)) + " × ";
    sum += coordinate(term.use);
  }
  return {{"keeps constant", sum}};
}

}  // namespace gelenk::exporting
