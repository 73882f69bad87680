#include "gelenk/model/expand/parts.h"

#include <span>

#include "gelenk/model/expand/mass.h"

namespace gelenk::model::expanding {
namespace {

void list_parts_of(Instance& instance, Machine& machine, Elements& elements) {
  const std::vector<Object>& written = instance.object().section("parts");
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (!written[i].flag("enabled", true)) {
      ++machine.disabled_count;
      continue;
    }
    const PartId id(machine.parts.size());
    instance.part_ids[i] = id;
    machine.assemblies[instance.id.index()].parts.push_back(id);
    PartNode& part = machine.parts.emplace_back();
    part.path = element_path(instance, written[i].name);
    part.assembly = instance.id;
    part.where = written[i].name_range;
    elements.emplace(part.path, ElementRef{ChannelUse::Element::part, id.index()});
  }
}

// `start_mirror`: of a part that has the velocities of what it mirrors.
void read_velocities(const Object& start, const Matrix3& start_mirror, Instance& instance, const AssemblyNode& node,
                     Numbers& numbers, PartNode& part) {
  Matrix3 to_world = node.world_mirror;
  double axial = node.is_mirrored ? -1.0 : 1.0;
  if (!start_mirror.isIdentity(0.0)) {
    // H S Hᵀ = S, as both are diagonal.
    to_world = node.X_WA.rotation * start_mirror * node.X_WA.rotation.transpose() * node.world_mirror;
    if (start_mirror.determinant() < 0.0) axial = -axial;
  }
  const auto velocity = [&](std::string_view key, bool is_axial) -> Vector3 {
    const Value* value = start.value(key);
    if (value == nullptr) return Vector3::Zero();
    const Vector3 as_written = numbers.vector(*value, field_of(start, key), instance).value_or(Vector3::Zero());
    return (is_axial ? axial : 1.0) * (to_world * as_written);
  };
  part.start_velocity = velocity("velocity", false);
  part.start_angular_velocity = velocity("angular_velocity", true);
  part.has_start_velocity = start.value("velocity") != nullptr;
  part.has_start_angular_velocity = start.value("angular_velocity") != nullptr;
}

void fill_part(Instance& instance, std::size_t number_of_part, Numbers& numbers, Places& places, Shapes& shapes,
               Machine& machine, Diagnostics& diagnostics) {
  const Object& written = instance.object().section("parts")[number_of_part];
  const PartId id = instance.part_ids[number_of_part];
  if (!id.is_set()) return;
  const ElementScope element(diagnostics, element_path(instance, written.name), "part");
  AssemblyNode& node = machine.assemblies[instance.id.index()];
  PartNode part = machine.parts[id.index()];
  const std::optional<Pose> X_AP = places.part_pose(instance, number_of_part);
  if (X_AP) part.X_WP = node.X_WA * mirrored(*X_AP, node.mirror);
  if (!part.X_WP.position.allFinite() || !part.X_WP.rotation.allFinite()) {
    diagnostics.error(Code::not_finite, written.range_of("at"), "its position is not finite",
                      "it is much too far away: check the units");
  }
  const std::size_t first_frame = machine.frames.size();
  for (const Object& frame : written.section("frames")) {
    const std::optional<Pose> X_PF = places.frame_on_part(instance, number_of_part, frame);
    if (X_PF) {
      machine.frames.push_back({part.path + "." + frame.name, {id, mirrored(*X_PF, node.mirror)}, frame.name_range});
    }
  }
  const PartPlan plan = instance.index->part_plan(number_of_part);
  part.shapes = shapes.shapes(instance.object().section("parts")[plan.source], instance, plan.source);
  if (const std::optional<MassProperties> mass =
          mass_properties(instance, plan.source, part, numbers, places, diagnostics)) {
    const Matrix3 mirror = plan.is_mirror ? Matrix3(node.mirror * plan.mirror) : node.mirror;
    part.mass_properties = mass->mirrored(mirror);
    for (geometry::Shape& one : part.shapes) one = geometry::mirrored(one, mirror);
    machine.parts[id.index()] = part;
    check_mass_properties(written, machine.parts[id.index()], std::span(machine.frames).subspan(first_frame),
                          diagnostics);
  }
  if (const Object* start = written.object("start")) {
    read_velocities(*start, plan.start_mirror, instance, node, numbers, machine.parts[id.index()]);
  }
}

}  // namespace

void list_parts(Instances& instances, Machine& machine, Elements& elements) {
  for (Instance& instance : instances) list_parts_of(instance, machine, elements);
}

void fill_parts(Instance& instance, Numbers& numbers, Places& places, Shapes& shapes, Machine& machine,
                Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < instance.part_ids.size(); ++i) {
    fill_part(instance, i, numbers, places, shapes, machine, diagnostics);
  }
}

}  // namespace gelenk::model::expanding
