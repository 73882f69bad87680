#include "gelenk/model/expand/ports.h"

namespace gelenk::model::expanding {

void add_ground(Instance& instance, Places& places, Shapes& shapes, Machine& machine) {
  const AssemblyNode& node = machine.assemblies[instance.id.index()];
  const Object* const ground = instance.object().object("ground");
  if (ground == nullptr) return;
  for (geometry::Shape shape_on_ground : shapes.shapes(*ground, instance, std::nullopt)) {
    shape_on_ground = geometry::mirrored(shape_on_ground, node.mirror);
    shape_on_ground.X_PS = node.X_WA * shape_on_ground.X_PS;
    machine.ground_shapes.push_back(shape_on_ground);
  }
  for (const Object& frame : ground->section("frames")) {
    const auto place = places.frame_of_ground(instance, {"ground", frame.name}, frame.name_range);
    if (!place) continue;
    machine.frames.push_back(
        {element_path(instance, "ground." + frame.name), places.on_machine(*place, instance), frame.name_range});
  }
}

void add_frames(Instance& instance, Places& places, Machine& machine) {
  const std::vector<Object>& frames = instance.object().section("frames");
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::optional<Pose> X_AF = places.assembly_frame(instance, i);
    if (!X_AF) continue;
    FrameInAssembly place;
    place.X_AF = *X_AF;
    if (const auto node = instance.nodes.find(i); node != instance.nodes.end()) place.node = node->second;
    machine.frames.push_back(
        {element_path(instance, frames[i].name), places.on_machine(place, instance), frames[i].name_range});
  }
}

void add_ports(Instance& instance, Places& places, Machine& machine, Diagnostics& diagnostics) {
  for (const Object& port : instance.object().section("ports")) {
    if (!instance.index->definition->sealed.empty()) continue;
    const ElementScope element(diagnostics, element_path(instance, port.name), "port");
    const std::string* target = port.text("frame");
    if (target == nullptr) continue;
    const std::optional<FrameInAssembly> place = places.resolve_frame(*target, instance, port.range_of("frame"));
    if (!place || instance.owner != nullptr) continue;
    // A port of a port is that port: an owner of both finds the same frame.
    FrameOnPart frame = place->port ? place->port->frame : places.on_machine(*place, instance);
    if (place->sealed.is_set()) frame.X_PF = Pose{};
    machine.ports.push_back({port.name, frame, place->X_AF, port.name_range});
  }
}

}  // namespace gelenk::model::expanding
