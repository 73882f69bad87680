// Drivers, forces and outputs. They are listed first and bound later, because expressions may read any channel.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gelenk/base/text.h"
#include "gelenk/model/expand/scope.h"
#include "gelenk/model/measured_quantity.h"

namespace gelenk::model::expanding {

FrameOnPart Expansion::frame_on_machine(const FrameInAssembly& frame, Instance& scope) {
  const AssemblyNode& node = machine_.assemblies[scope.id.index()];
  if (frame.port) {
    const Pose X_QF = mirrored(frame.port->X_AF.inverse() * frame.X_AF, node.mirror);  // Q: the port
    return {frame.part, frame.port->frame.X_PF * X_QF};
  }
  if (!frame.part.is_set() && !frame.sealed.is_set()) {
    return {frame.part, node.X_WA * mirrored(frame.X_AF, node.mirror)};
  }
  return {frame.part, mirrored(frame.X_AP.inverse() * frame.X_AF, node.mirror), frame.sealed};
}

std::optional<CoordinateUse> Expansion::coordinate(const Object& written, std::string_view key, Instance& scope) {
  const std::string* name = written.text(key);
  if (name == nullptr) return std::nullopt;
  const SourceRange where = written.range_of(key);
  const std::vector<std::string> segments = split(*name, '.');
  const std::string joint_name = join(std::span(segments).first(segments.size() - 1), ".");
  if (is_unclear(scope, segments.front())) return std::nullopt;
  const auto element = segments.size() < 2 ? elements_.end() : elements_.find(element_path(scope, joint_name));
  if (element == elements_.end() || element->second.element != ChannelUse::Element::joint) {
    std::vector<std::string> names;
    for (const JointId id : machine_.assemblies[scope.id.index()].joints) {
      const JointNode& joint = machine_.joints[id.index()];
      const std::string local = scope.path.empty() ? joint.path : joint.path.substr(scope.path.size() + 1);
      for (const Coordinate& c : joint.type->coordinates) names.push_back(fmt::format("{}.{}", local, c.name));
    }
    const NamedElement* known = scope.index->find(segments.front());
    if (known != nullptr && known->section == Section::joint && !known->object->flag("enabled", true)) {
      diagnostics_.error(Code::unknown_coordinate, where, fmt::format("joint '{}' is disabled", segments.front()),
                         "enable it, or disable this too");
      return std::nullopt;
    }
    if (known != nullptr && known->section == Section::joint && diagnostics_.has_errors() && segments.size() == 2) {
      return std::nullopt;  // the joint itself could not be built
    }
    std::string hint = may_suggest(names.size()) ? did_you_mean(*name, names) : "";
    if (hint.empty()) hint = names.empty() ? "there are no joint coordinates here" : "for example " + names.front();
    diagnostics_.error(Code::unknown_coordinate, where, fmt::format("there is no joint coordinate '{}'", *name), hint);
    return std::nullopt;
  }
  const JointNode& joint = machine_.joints[element->second.index];
  if (joint.assembly != scope.id) {
    diagnostics_.error(Code::past_a_port, where,
                       fmt::format("joint '{}' is inside a sub-assembly and cannot be driven from outside", joint_name),
                       "put the driver or force into the sub-assembly, with a parameter for its value");
    return std::nullopt;
  }
  for (std::size_t i = 0; i < joint.type->coordinates.size(); ++i) {
    const Coordinate& c = joint.type->coordinates[i];
    if (c.name != segments.back() || c.motion == Coordinate::Motion::orientation) continue;
    const bool is_mirrored = machine_.assemblies[scope.id.index()].is_mirrored;
    return CoordinateUse{JointId(element->second.index), i, is_mirrored ? mirror_sign(*joint.type, i) : 1.0};
  }
  std::vector<std::string> names;
  for (const Coordinate& c : joint.type->coordinates) {
    if (c.motion != Coordinate::Motion::orientation) names.emplace_back(c.name);
  }
  std::string hint = did_you_mean(segments.back(), names);
  for (const Coordinate& c : joint.type->coordinates) {
    if (c.rate == segments.back() && c.motion != Coordinate::Motion::orientation) {
      hint = fmt::format("name the coordinate, '{}.{}', and give its rate", joint_name, c.name);
    }
  }
  if (hint.empty()) hint = names.empty() ? "it has none that can be driven" : "it has " + join(names, ", ");
  diagnostics_.error(Code::unknown_coordinate, where,
                     fmt::format("a {} joint has no coordinate '{}'", joint.type->name, segments.back()), hint);
  return std::nullopt;
}

void Expansion::add_drivers(Instance& instance) {
  for (const Object& written : instance.object().section("drivers")) {
    if (!written.flag("enabled", true)) {
      ++machine_.disabled_count;
      continue;
    }
    const std::size_t index = machine_.drivers.size();
    DriverNode& driver = machine_.drivers.emplace_back();
    driver.path = element_path(instance, written.name);
    driver.assembly = instance.id;
    driver.where = written.name_range;
    elements_.emplace(driver.path, ElementRef{ChannelUse::Element::driver, index});
    pending_drivers_.push_back({index, &written, &instance});
  }
}

void Expansion::bind_drivers() {
  // First which coordinate each one drives, so that channels of drivers know their quantity.
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> driven;  // joint, coordinate -> driver
  for (const Pending& pending : pending_drivers_) {
    const ElementScope element(diagnostics_, machine_.drivers[pending.index].path, "driver");
    const std::optional<CoordinateUse> use = coordinate(*pending.written, "drives", *pending.scope);
    if (!use) continue;
    machine_.drivers[pending.index].drives = *use;
    const auto [first, is_new] = driven.try_emplace({use->joint.index(), use->coordinate}, pending.index);
    if (is_new) continue;
    const DriverNode& before = machine_.drivers[first->second];
    Diagnostic& d =
        diagnostics_.error(Code::driven_twice, pending.written->range_of("drives"),
                           fmt::format("'{}' is already driven by '{}'", *pending.written->text("drives"), before.path),
                           "remove or disable one of them");
    d.notes.push_back({before.where, "the first driver is here"});
  }
  for (const Pending& pending : pending_drivers_) {
    DriverNode& driver = machine_.drivers[pending.index];
    const ElementScope element(diagnostics_, driver.path, "driver");
    std::vector<std::string_view> given;
    for (const std::string_view key : {"position", "rate", "acceleration"}) {
      if (pending.written->find(key) != nullptr) given.push_back(key);
    }
    if (given.empty() && pending.written->is_incomplete) continue;
    if (given.size() != 1) {
      diagnostics_.error(given.empty() ? Code::missing_key : Code::conflicting_keys,
                         given.empty() ? pending.written->name_range : pending.written->range_of(given[1]),
                         given.empty() ? "a driver needs a `position`, a `rate` or an `acceleration`"
                                       : "a driver has only one of `position`, `rate` and `acceleration`",
                         given.empty() ? "for example `rate: 60 rpm`" : "keep one of them");
      continue;
    }
    if (!driver.drives.joint.is_set()) {
      signal(*pending.written->value(given[0]), given[0], Quantity::any, *pending.scope, {});  // for its errors only
      continue;
    }
    const Coordinate& c = machine_.joints[driver.drives.joint.index()].type->coordinates[driver.drives.coordinate];
    Quantity quantity = c.quantity();
    driver.level = DriverNode::Level::position;
    if (given[0] == "rate") {
      quantity = c.rate_quantity();
      driver.level = DriverNode::Level::rate;
    } else if (given[0] == "acceleration") {
      quantity = c.acceleration_quantity();
      driver.level = DriverNode::Level::acceleration;
    }
    std::optional<Signal> law = signal(*pending.written->value(given[0]), given[0], quantity, *pending.scope, {});
    if (!law) continue;
    driver.law = *std::move(law);
    driver.law.factor = driver.drives.sign;
  }
}

void Expansion::add_forces(Instance& instance) {
  for (const Object& written : instance.object().section("forces")) {
    if (!written.flag("enabled", true)) {
      ++machine_.disabled_count;
      continue;
    }
    const std::size_t index = machine_.forces.size();
    ForceNode& force = machine_.forces.emplace_back();
    force.path = element_path(instance, written.name);
    force.assembly = instance.id;
    force.type = written.type;
    force.data = make_data<ForceData>(written.type);
    force.where = written.name_range;
    elements_.emplace(force.path, ElementRef{ChannelUse::Element::force, index});
    pending_forces_.push_back({index, &written, &instance});
    const ElementScope element(diagnostics_, force.path, "force");
    if (written.find("drives") != nullptr) force.drives = coordinate(written, "drives", instance);
  }
}

void Expansion::bind_load(ForceNode& force, const Object& written, Instance& scope) {
  const Value* between = written.value("between");
  const Value* applied_to = written.value("applied_to");
  const bool may_apply = std::any_of(written.type->fields.begin(), written.type->fields.end(),
                                     [](const Field& field) { return field.key == "applied_to"; });
  if (may_apply && (between != nullptr) == (applied_to != nullptr)) {
    if (written.is_incomplete) return;
    diagnostics_.error(between == nullptr ? Code::missing_key : Code::conflicting_keys, written.name_range,
                       between == nullptr ? "it acts on nothing" : "`applied_to` and `between` cannot be combined",
                       between == nullptr ? "give `applied_to`, or two frames in `between`" : "keep one of them");
    return;
  }
  std::optional<FrameInAssembly> a;
  std::optional<FrameInAssembly> b;
  if (applied_to != nullptr) {
    b = resolve_frame(*applied_to->get<std::string>(), scope, applied_to->range);
    if (!b) return;
    if (b->is_disabled) {
      is_usable(written, *b, {});
      return;
    }
    if (!b->part.is_set() && !b->sealed.is_set()) {
      diagnostics_.error(Code::joint_to_itself, applied_to->range, "a force on the ground moves nothing",
                         "name a part, or a frame of a part");
      return;
    }
  } else if (between != nullptr) {
    const auto& names = *between->get<Value::List>();
    a = resolve_frame(*names[0].get<std::string>(), scope, names[0].range);
    b = resolve_frame(*names[1].get<std::string>(), scope, names[1].range);
    if (!a || !b || !is_usable(written, *a, *b)) return;
    force.a = frame_on_machine(*a, scope);
  }
  if (!b) return;
  force.b = frame_on_machine(*b, scope);
  force.axes = a ? *force.a : *force.b;
  if (const std::string* axes = written.text("axes_of")) {
    const std::optional<FrameInAssembly> frame = resolve_frame(*axes, scope, written.range_of("axes_of"));
    if (frame) force.axes = frame_on_machine(*frame, scope);
  }
  if (auto* spring = std::get_if<SpringDamper>(&force.data)) {
    if (a && spring->free_length < 0.0) spring->free_length = (a->X_AF.position - b->X_AF.position).norm();
  }
}

void Expansion::bind_forces() {
  for (const Pending& pending : pending_forces_) {
    ForceNode& force = machine_.forces[pending.index];
    const Object& written = *pending.written;
    Instance& scope = *pending.scope;
    const ElementScope element(diagnostics_, force.path, "force");
    const AssemblyNode& node = machine_.assemblies[scope.id.index()];
    const double axial = node.is_mirrored ? -1.0 : 1.0;
    for (const Property& property : written.properties) {
      const Field& field = *property.field;
      if (field.store != nullptr) {
        const std::optional<double> value = number(property.value, field, scope);
        if (value) field.store(data_pointer(force.data), *value);
      } else if (field.store_vector != nullptr) {
        const std::optional<Vector3> value = vector(property.value, field, scope);
        if (!value) continue;
        // Stiffness and damping belong to axes, not to directions; a preload is mirrored.
        Vector3 mirrored_value = *value;
        if (field.key == "preload_force") mirrored_value = node.mirror * *value;
        if (field.key == "preload_moment") mirrored_value = axial * (node.mirror * *value);
        field.store_vector(data_pointer(force.data), std::span<const double, 3>(mirrored_value.data(), 3));
      } else if (field.kind == FieldKind::direction) {
        const std::optional<Vector3> d = direction(property.value, field.key, scope);
        if (d) force.direction = (field.key == "about" ? axial : 1.0) * (node.mirror * *d);
      }
    }
    bind_load(force, written, scope);
    Quantity quantity = force.type == &kTorque ? Quantity::torque : Quantity::force;
    if (force.drives) {
      const Coordinate& c = machine_.joints[force.drives->joint.index()].type->coordinates[force.drives->coordinate];
      quantity = c.effort_quantity();
      if (auto* spring = std::get_if<RotationalSpringDamper>(&force.data)) {
        if (c.motion != Coordinate::Motion::rotation) {
          diagnostics_.error(Code::unknown_coordinate, written.range_of("drives"), "a torsion spring needs an angle",
                             "for a travel, use a spring_damper between two frames");
        }
        spring->free_angle *= force.drives->sign;
      }
    } else if (written.find("drives") != nullptr) {
      continue;
    }
    if (const Value* value = written.value("value")) {
      std::optional<Signal> law =
          signal(*value, "value", quantity, scope, {.coordinate = force.drives, .element = force.path});
      if (!law) continue;
      force.value = *std::move(law);
      if (force.drives) force.value.factor = force.drives->sign;
    }
  }
}

void Expansion::add_outputs(Instance& instance) {
  const std::vector<Object>& written = instance.object().section("outputs");
  for (std::size_t i = 0; i < written.size(); ++i) {
    const Signal* const value = output(instance, i);
    if (value == nullptr) continue;
    machine_.outputs.push_back({element_path(instance, written[i].name), instance.id, *value, written[i].name_range,
                                shown_unit(written[i], *value)});
  }
}

// Empty when there is none, or when it does not fit.
std::string Expansion::shown_unit(const Object& written, const Signal& value) {
  const std::optional<Unit> unit = written_unit(written);
  if (!unit) return {};
  if (!(unit->dimension == value.dimension)) {
    diagnostics_.error(
        Code::wrong_dimension, written.range_of("unit"),
        fmt::format("'{}' is {}, which cannot be shown in {}", written.name,
                    measured_quantity(value) == Quantity::angle ? "an angle" : describe_dimension(value.dimension),
                    *written.text("unit")));
    return {};
  }
  // A formula may well count turns; a channel never does.
  const bool is_channel = value.formula.nodes().size() == 1;
  if (unit->is_hertz && is_channel && measured_quantity(value) == Quantity::angular_rate) {
    diagnostics_.error(Code::hertz_for_angular_rate, written.range_of("unit"),
                       fmt::format("'{}' is an angular rate, and Hz counts whole turns", written.name),
                       "use rpm, rad/s or deg/s, or divide it by 2*pi");
    return {};
  }
  return *written.text("unit");
}

}  // namespace gelenk::model::expanding
