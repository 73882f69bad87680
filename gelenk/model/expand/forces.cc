#include "gelenk/model/expand/forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/math/small_dense.h"
#include "gelenk/model/expand/coordinates.h"
#include "gelenk/model/expand/ends.h"

namespace gelenk::model::expanding {
namespace {

std::size_t point_count(const Object& written) {
  const Value* const over = written.type == &kPulleyCable ? written.value("over") : nullptr;
  return over == nullptr ? 0 : over->get<Value::List>()->size();
}

// Products of two directions of a bushing: signs of a diagonal mirror H. A turn about axis i is axial, det(H) H_i.
Vector3 mirrored_coupling(std::string_view key, const Vector3& value, const Matrix3& H) {
  const Vector3 h = H.diagonal();
  if (key.ends_with("_between")) {
    return {value.x() * h.x() * h.y(), value.y() * h.x() * h.z(), value.z() * h.y() * h.z()};
  }
  for (int k = 0; k < 3; ++k) {
    if (!key.ends_with(std::array{"_x", "_y", "_z"}[static_cast<std::size_t>(k)])) continue;
    return h(k) * H.determinant() * h.cwiseProduct(value);
  }
  return value;
}

bool has_too_many_points(const Object& written) { return point_count(written) > kMostPulleyPoints; }

class ForcePass {
 public:
  ForcePass(Numbers& numbers, Places& places, Signals& signals, Machine& machine, Diagnostics& diagnostics)
      : numbers_(numbers), places_(places), signals_(signals), machine_(machine), diagnostics_(diagnostics) {}

  void bind(const Pending& pending);

 private:
  const Coordinate& coordinate_of(const CoordinateUse& use) const {
    return machine_.joints[use.joint.index()].type->coordinates[use.coordinate];
  }
  void read_values(ForceNode& force, const Object& written, Instance& scope);
  void bind_hard(ForceNode& force, const Object& written);
  void bind_load(ForceNode& force, const Object& written, Instance& scope);
  void bind_sections(std::size_t first, const Object& written, Instance& scope);
  std::optional<Signal> way(const std::vector<std::string>& names, bool is_speed, Instance& scope,
                            const SourceRange& where);
  void bind_gravitation(ForceNode& force, const Object& written, Gravitation& data);
  void check_stop(const Object& written);
  void check_sides(const Object& written, double lower, double upper);
  void check_bushing(const Object& written, const Bushing& bushing);
  void bind_value(ForceNode& force, const Object& written, Instance& scope, Quantity quantity);

  Numbers& numbers_;
  Places& places_;
  Signals& signals_;
  Machine& machine_;
  Diagnostics& diagnostics_;
};

void ForcePass::bind_load(ForceNode& force, const Object& written, Instance& scope) {
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
    b = places_.resolve_frame(*applied_to->get<std::string>(), scope, applied_to->range);
    if (!b) return;
    if (b->is_disabled) {
      is_usable(written, *b, {}, machine_.parts, diagnostics_);
      return;
    }
    if (b->node >= 0 && written.type != &kForce) {
      diagnostics_.error(Code::joint_to_itself, applied_to->range, "a node takes forces, but no torques",
                         "apply it to a part, or to a frame of a part");
      return;
    }
    if (!b->part.is_set() && !b->sealed.is_set() && b->node < 0) {
      diagnostics_.error(Code::joint_to_itself, applied_to->range, "a force on the ground moves nothing",
                         "name a part, or a frame of a part");
      return;
    }
  } else if (between != nullptr) {
    const auto& names = *between->get<Value::List>();
    a = places_.resolve_frame(*names[0].get<std::string>(), scope, names[0].range);
    b = places_.resolve_frame(*names[1].get<std::string>(), scope, names[1].range);
    if (!a || !b) return;
    // Both ends of a cable may be tied to one part: it runs over others.
    const bool may_return = written.type == &kPulleyCable && !a->is_disabled && !b->is_disabled;
    if (!may_return && !is_usable(written, *a, *b, machine_.parts, diagnostics_)) return;
    force.a = places_.on_machine(*a, scope);
  }
  if (!b) return;
  force.b = places_.on_machine(*b, scope);
  force.axes = a ? *force.a : *force.b;
  if (const std::string* axes = written.text("axes_of")) {
    const std::optional<FrameInAssembly> frame = places_.resolve_frame(*axes, scope, written.range_of("axes_of"));
    if (frame) force.axes = places_.on_machine(*frame, scope);
  }
  if (auto* tire = std::get_if<Tire>(&force.data)) {
    force.axes = *force.b;  // its axis turns with the wheel
    // H n = H R z = (H R Hᵀ) H z, and H is diagonal; the product of two mirrored directions points the other way.
    const AssemblyNode& node = machine_.assemblies[scope.id.index()];
    tire->side = node.mirror(2, 2);
    tire->hand = node.is_mirrored ? -1.0 : 1.0;
  }
  if (auto* spring = std::get_if<SpringDamper>(&force.data)) {
    if (a && spring->free_length < 0.0) spring->free_length = (a->X_AF.position - b->X_AF.position).norm();
  }
}

void ForcePass::read_values(ForceNode& force, const Object& written, Instance& scope) {
  const AssemblyNode& node = machine_.assemblies[scope.id.index()];
  const double axial = node.is_mirrored ? -1.0 : 1.0;
  for (const Property& property : written.properties) {
    const Field& field = *property.field;
    if (field.store != nullptr) {
      Field here = field;
      if (force.drives) here.quantity = quantity_on(field, coordinate_of(*force.drives));
      const std::optional<double> value = numbers_.number(property.value, here, scope);
      if (value) field.store(data_pointer(force.data), *value);
    } else if (field.store_vector != nullptr) {
      const std::optional<Vector3> value = numbers_.vector(property.value, field, scope);
      if (!value) continue;
      // Stiffness and damping belong to axes, not to directions; a preload is mirrored.
      Vector3 mirrored_value = *value;
      if (field.key == "preload_force") mirrored_value = node.mirror * *value;
      if (field.key == "preload_moment") mirrored_value = axial * (node.mirror * *value);
      if (written.type == &kBushing) mirrored_value = mirrored_coupling(field.key, mirrored_value, node.mirror);
      field.store_vector(data_pointer(force.data), std::span<const double, 3>(mirrored_value.data(), 3));
    } else if (field.kind == FieldKind::direction) {
      const std::optional<Vector3> d = numbers_.direction(property.value, field.key, scope);
      if (d) force.direction = (field.key == "about" ? axial : 1.0) * (node.mirror * *d);
    }
  }
}

void ForcePass::bind(const Pending& pending) {
  ForceNode& force = machine_.forces[pending.index];
  const Object& written = *pending.written;
  Instance& scope = *pending.scope;
  if (has_too_many_points(written)) return;
  const ElementScope element(diagnostics_, force.path, "force");
  read_values(force, written, scope);
  bind_load(force, written, scope);
  if (auto* gravitation = std::get_if<Gravitation>(&force.data)) bind_gravitation(force, written, *gravitation);
  if (written.type == &kStop) check_stop(written);
  if (const auto* bushing = std::get_if<Bushing>(&force.data)) check_bushing(written, *bushing);
  Quantity quantity = force.type == &kTorque ? Quantity::torque : Quantity::force;
  if (force.drives) {
    const Coordinate& c = coordinate_of(*force.drives);
    quantity = c.effort_quantity();
    if (auto* spring = std::get_if<RotationalSpringDamper>(&force.data)) {
      if (c.motion != Coordinate::Motion::rotation) {
        diagnostics_.error(Code::unknown_coordinate, written.range_of("drives"), "a torsion spring needs an angle",
                           "for a travel, use a coordinate_spring, or a spring_damper between two frames");
      }
      spring->free_angle *= force.drives->sign;
    }
  } else if (written.find("drives") != nullptr) {
    return;
  }
  if (written.type->is_hard) bind_hard(force, written);
  bind_value(force, written, scope, quantity);
  const bool has_sections = written.type == &kPulleyCable && !force.value.formula.is_empty();
  if (has_sections) bind_sections(pending.index, written, scope);
}

std::vector<std::string> way_of(const Object& written) {
  std::vector<std::string> names;
  const Value* const between = written.value("between");
  const Value* const over = written.value("over");
  if (between == nullptr || over == nullptr) return names;
  const auto add = [&](const Value& value) { names.push_back(*value.get<std::string>()); };
  const auto& ends = *between->get<Value::List>();
  add(ends[0]);
  for (const Value& point : *over->get<Value::List>()) add(point);
  add(ends[1]);
  return names;
}

// The sum of the distances from each point to the next, or its rate.
std::optional<Signal> ForcePass::way(const std::vector<std::string>& names, bool is_speed, Instance& scope,
                                     const SourceRange& where) {
  Signal sum;
  std::string text;
  for (std::size_t i = 0; i + 1 < names.size(); ++i) {
    std::optional<ChannelUse> one = signals_.distance(names[i], names[i + 1], scope, where);
    if (!one) return std::nullopt;
    SymbolUse& use = sum.symbols.emplace_back();
    use.kind = SymbolUse::Kind::channel;
    use.channel = is_speed ? rate_of_distance(*one) : *std::move(one);
    text += fmt::format("{}section_{}", i == 0 ? "" : " + ", i);
  }
  sum.formula = expression::parse(text).expression.value_or(expression::Expression{});
  sum.dimension = quantity_info(is_speed ? Quantity::speed : Quantity::length).dimension;
  sum.where = where;
  return sum;
}

// The force that was listed under the name of the cable is its first section.
void ForcePass::bind_sections(std::size_t first, const Object& written, Instance& scope) {
  const std::vector<std::string> names = way_of(written);
  const ForceNode whole = machine_.forces[first];
  std::vector<FrameOnPart> points;
  for (const std::string& name : names) {
    const std::optional<FrameInAssembly> frame = places_.resolve_frame(name, scope, written.range_of("over"));
    if (!frame) return;
    points.push_back(places_.on_machine(*frame, scope));
  }
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    ForceNode& section = machine_.forces[first + i];
    section.a = points[i];
    section.b = points[i + 1];
    section.axes = points[i];
    section.value = whole.value;
  }
}

void ForcePass::bind_value(ForceNode& force, const Object& written, Instance& scope, Quantity quantity) {
  SignalLocals locals{.coordinate = force.drives, .element = force.path};
  const Value* between = written.value("between");
  std::optional<Signal> length;
  std::optional<Signal> speed;
  if (written.type == &kPulleyCable) {
    const std::vector<std::string> names = way_of(written);
    if (names.empty() || !force.a || !force.b) return;
    length = way(names, false, scope, written.range_of("over"));
    speed = way(names, true, scope, written.range_of("over"));
    if (!length || !speed) return;
    locals.length = &*length;
    locals.speed = &*speed;
  } else if (is_line_law(force.data)) {
    if (!force.a || !force.b || between == nullptr) return;
    const auto& names = *between->get<Value::List>();
    locals.line = signals_.distance(*names[0].get<std::string>(), *names[1].get<std::string>(), scope, between->range);
  }
  const Value* value = written.value("value");
  if (value == nullptr && (written.type->law.empty() || written.is_incomplete)) return;
  std::optional<Signal> law = value != nullptr ? signals_.signal(*value, "value", quantity, scope, locals)
                                               : signals_.law(written, scope, locals);
  if (!law) return;
  force.value = *std::move(law);
  if (force.drives && !written.type->is_hard) force.value.factor = force.drives->sign;
}

// What plain numbers cannot be, and what the two coordinates must have in common.
void ForcePass::bind_hard(ForceNode& force, const Object& written) {
  if (const std::string* const way = written.text("free"); way != nullptr && *way == kFreeWays[1]) {
    if (auto* const one = std::get_if<OneWay>(&force.data)) one->way = -1.0;
    if (auto* const one = std::get_if<Ratchet>(&force.data)) one->way = -1.0;
  }
  if (const auto* const stop = std::get_if<RigidStop>(&force.data)) {
    check_sides(written, stop->lower, stop->upper);
  }
  if (!force.relative_to) {
    if (written.find("ratio") != nullptr && written.find("relative_to") == nullptr && !written.is_incomplete) {
      diagnostics_.error(Code::missing_key, written.range_of("ratio"), "a ratio needs a second coordinate",
                         "give `relative_to`, or leave `ratio` out");
    }
    return;
  }
  const CoordinateUse& a = *force.drives;
  const CoordinateUse& b = *force.relative_to;
  if (coordinate_of(a).motion != coordinate_of(b).motion) {
    diagnostics_.error(Code::unknown_coordinate, written.range_of("relative_to"),
                       "one of its coordinates is an angle and the other a travel",
                       "name two angles, or two travels; a rack or a screw makes one of the other");
  } else if (a.joint == b.joint && a.coordinate == b.coordinate) {
    diagnostics_.error(Code::joint_to_itself, written.range_of("relative_to"), "both coordinates are the same",
                       "name that of another joint, or leave `relative_to` out");
  }
}

// They act at the centers of mass of two parts, whose masses they know.
void ForcePass::bind_gravitation(ForceNode& force, const Object& written, Gravitation& data) {
  if (!force.a || !force.b) return;
  if (!force.a->part.is_set() || !force.b->part.is_set()) {
    diagnostics_.error(Code::joint_to_itself, written.range_of("between"), "gravitation acts between two parts",
                       "for a field that is fixed in the world, use `gravity: {point: {at: ..., strength: ...}}`");
    return;
  }
  const auto attach = [&](FrameOnPart& frame) {
    const MassProperties& mass = machine_.parts[frame.part.index()].mass_properties;
    frame.X_PF = Pose{Matrix3::Identity(), mass.center};
    return mass.mass;
  };
  data.first_mass = attach(*force.a);
  data.second_mass = attach(*force.b);
}

// Energy that it gives away: its matrices must not have a negative eigenvalue.
void ForcePass::check_bushing(const Object& written, const Bushing& bushing) {
  if (!bushing.is_coupled()) return;
  const auto check = [&](const Matrix3& S, const Matrix3& N, const Matrix3& M, std::string_view word,
                         std::string_view what) {
    std::array<double, 36> whole{};
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        const auto r = static_cast<Eigen::Index>(i % 3), c = static_cast<Eigen::Index>(j % 3);
        whole[6 * i + j] = (i < 3) != (j < 3) ? (i < 3 ? M(r, c) : M(c, r)) : i < 3 ? S(r, c) : N(r, c);
      }
    }
    const LowestMode lowest = lowest_mode(whole, 6);
    constexpr double kRounding = 1e-12;
    if (lowest.value >= -kRounding * lowest.largest) return;
    diagnostics_.error(Code::out_of_range, written.name_range,
                       fmt::format("its matrix of {} has the negative eigenvalue {}: in that direction it would {}",
                                   word, format_rounded(lowest.value, 3), what),
                       "make the numbers beside the diagonal smaller: of two directions, at most the root of the "
                       "product of theirs");
  };
  check(Bushing::full(bushing.stiffness, bushing.stiffness_between),
        Bushing::full(bushing.rotational_stiffness, bushing.rotational_stiffness_between),
        Bushing::rows(bushing.stiffness_x, bushing.stiffness_y, bushing.stiffness_z), "stiffness", "push, not hold");
  check(Bushing::full(bushing.damping, bushing.damping_between),
        Bushing::full(bushing.rotational_damping, bushing.rotational_damping_between),
        Bushing::rows(bushing.damping_x, bushing.damping_y, bushing.damping_z), "damping", "drive, not brake");
}

// A stop on no side, or with its sides exchanged, as far as plain numbers show it.
void ForcePass::check_stop(const Object& written) {
  const auto number = [&](std::string_view key) -> std::optional<double> {
    const Value* const value = written.value(key);
    const auto* formula = value == nullptr ? nullptr : value->get<expression::Expression>();
    if (formula == nullptr || !formula->is_literal()) return std::nullopt;
    return formula->nodes().front().value;
  };
  check_sides(written, number("lower").value_or(-kNoStop), number("upper").value_or(kNoStop));
}

void ForcePass::check_sides(const Object& written, double lower, double upper) {
  if (written.find("lower") == nullptr && written.find("upper") == nullptr && !written.is_incomplete) {
    diagnostics_.error(Code::missing_key, written.name_range, "it stops nothing", "give `lower`, `upper` or both");
  } else if (lower > upper) {
    diagnostics_.error(Code::out_of_range, written.range_of("lower"), "its stops are reversed",
                       "`lower` must not be above `upper`");
  }
}

// "hoist" is the first section of a cable; the others follow as "hoist.section_2" ...
void list_sections(const Object& written, Machine& machine, Elements& elements) {
  const ForceNode first = machine.forces.back();
  for (std::size_t i = 0; i < point_count(written); ++i) {
    ForceNode& section = machine.forces.emplace_back(first);
    section.path = fmt::format("{}.section_{}", first.path, i + 2);
    elements.emplace(section.path, ElementRef{ChannelUse::Element::force, machine.forces.size() - 1});
  }
}

}  // namespace

std::vector<Pending> list_forces(Instances& instances, Machine& machine, Elements& elements, Reports& reports) {
  std::vector<Pending> pending;
  for (Instance& instance : instances) {
    for (const Object& written : instance.object().section("forces")) {
      if (!written.flag("enabled", true)) {
        ++machine.disabled_count;
        continue;
      }
      const std::size_t index = machine.forces.size();
      ForceNode& force = machine.forces.emplace_back();
      force.path = element_path(instance, written.name);
      force.assembly = instance.id;
      force.type = written.type;
      force.data = make_data<ForceData>(written.type);
      force.where = written.name_range;
      elements.emplace(force.path, ElementRef{ChannelUse::Element::force, index});
      pending.push_back({index, &written, &instance});
      const ElementScope element(reports.diagnostics, force.path, "force");
      if (written.find("drives") != nullptr)
        force.drives = coordinate_use(written, "drives", instance, machine, elements, reports);
      if (force.drives && written.find("relative_to") != nullptr)
        force.relative_to = coordinate_use(written, "relative_to", instance, machine, elements, reports);
      if (has_too_many_points(written)) {
        reports.diagnostics.error(Code::too_many_elements, written.range_of("over"),
                                  fmt::format("a cable runs over at most {} points, but these are {}",
                                              kMostPulleyPoints, point_count(written)),
                                  "divide it into several cables");
        continue;
      }
      if (written.type == &kPulleyCable) list_sections(written, machine, elements);
    }
  }
  return pending;
}

void bind_forces(std::span<const Pending> forces, Numbers& numbers, Places& places, Signals& signals, Machine& machine,
                 Diagnostics& diagnostics) {
  ForcePass pass(numbers, places, signals, machine, diagnostics);
  for (const Pending& pending : forces) pass.bind(pending);
}

}  // namespace gelenk::model::expanding
