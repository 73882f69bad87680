#include "gelenk/export/machine_names.h"

#include <optional>

#include "gelenk/formats/model_loader.h"
#include "gelenk/model/expand.h"

namespace gelenk::exporting {
namespace {

constexpr const char* kModelFile = "model.yaml";

std::string part_name(const model::Machine& machine, const model::FrameOnPart& frame) {
  if (frame.port.is_set()) return machine.sealed[static_cast<std::size_t>(frame.port.component)].path;
  return frame.part.is_set() ? machine.parts[frame.part.index()].path : std::string("ground");
}

std::string coordinate_name(const model::Machine& machine, const model::CoordinateUse& use) {
  if (!use.joint.is_set() || use.joint.index() >= machine.joints.size()) return {};
  const model::JointNode& joint = machine.joints[use.joint.index()];
  if (joint.type == nullptr || use.coordinate >= joint.type->coordinates.size()) return {};
  return joint.path + "." + std::string(joint.type->coordinates[use.coordinate].name);
}

}  // namespace

MachineNames machine_names(const std::string& resolved_model) {
  formats::LoadOptions options;
  options.allow_outside = true;  // there is no folder to stay in, and no other file to be had
  options.read = [&](const std::string& path, std::size_t max_bytes) -> ReadResult {
    if (path != kModelFile) return {std::nullopt, Code::file_not_found, "not kept with the run"};
    if (resolved_model.size() > max_bytes) return {std::nullopt, Code::file_too_large, "too large"};
    return {resolved_model, Code::none, ""};
  };
  Diagnostics unused;
  const formats::LoadedModel loaded = formats::load_model(kModelFile, options, unused);
  MachineNames names;
  if (!loaded.is_read) return names;
  const model::Machine machine = model::expand(loaded.model, {}, unused);
  names.part_count = machine.parts.size();
  names.output_count = machine.outputs.size();
  for (const model::JointNode& joint : machine.joints) {
    const std::string type = joint.type == nullptr ? std::string() : std::string(joint.type->name);
    if (joint.type != nullptr) names.coordinate_count += joint.type->coordinates.size();
    names.joints[joint.path] = {type, part_name(machine, joint.a), part_name(machine, joint.b)};
  }
  for (const model::DriverNode& driver : machine.drivers) {
    names.drives[driver.path] = coordinate_name(machine, driver.drives);
  }
  for (const model::ForceNode& force : machine.forces) {
    if (force.drives) names.drives[force.path] = coordinate_name(machine, *force.drives);
    if (!force.drives) ++names.force_count;
  }
  return names;
}

}  // namespace gelenk::exporting
