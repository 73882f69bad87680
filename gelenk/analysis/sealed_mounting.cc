#include "gelenk/analysis/sealed_mounting.h"

#include <algorithm>
#include <variant>

#include "gelenk/analysis/ports.h"
#include "gelenk/base/index.h"
#include "gelenk/base/units.h"

namespace gelenk::analysis {
namespace {

void put_matrix(const Matrix3& matrix, double* by_row) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) by_row[3 * i + j] = matrix(i, j);
  }
}

}  // namespace

std::vector<component::HostMounting> mountings(const system::System& system, const system::Params& params,
                                               const model::Machine& machine, const MountingOptions& options) {
  std::vector<component::HostMounting> result(machine.sealed.size());
  if (result.empty()) return result;
  solve::Partition partition = designed_partition(system);
  const mechanics::Ports ports = find_ports(system, params, partition);
  std::vector<char> has_joint(ports.size(), 0);
  for (const system::Joint& joint : system.joints) {
    for (const std::int32_t frame : {joint.frame_a, joint.frame_b}) {
      if (ports.at_frame(frame) >= 0) has_joint[at(ports.at_frame(frame))] = 1;
    }
  }
  for (const system::Mount& mount : system.mounts) {  // a joint of the owner's owner
    if (mount.has_joint && ports.at_frame(mount.frame) >= 0) has_joint[at(ports.at_frame(mount.frame))] = 1;
  }
  for (std::size_t p = 0; p < ports.size(); ++p) {
    const std::int32_t frame = ports.list[p].frame;
    const model::SealedPort& port = system.frames[at(frame)].port;
    if (!port.is_set()) continue;
    gelenk_mount& mount = result[at(port.component)].mounts.emplace_back();
    mount.port = static_cast<std::uint32_t>(port.port);
    mount.has_joint = has_joint[p] != 0 ? 1 : 0;
    const Pose& X_QF = params.frames[at(frame)];
    std::copy_n(X_QF.position.data(), 3, mount.position);
    put_matrix(X_QF.rotation, mount.rotation);
  }
  for (std::size_t s = 0; s < result.size(); ++s) {
    for (const model::SealedShaft& shaft : machine.sealed[s].shafts) {  // all of them, coupled or not
      gelenk_mount& mount = result[s].mounts.emplace_back();
      mount.port = static_cast<std::uint32_t>(shaft.port);
      mount.has_joint = 1;
      put_matrix(Matrix3::Identity(), mount.rotation);
    }
    gelenk_mounting& rest = result[s].rest;
    const model::Standing& standing = machine.sealed[s].standing;
    rest.size = sizeof rest;
    std::copy_n(standing.X_WA.position.data(), 3, rest.position);
    put_matrix(standing.X_WA.rotation, rest.rotation);
    put_matrix(standing.mirror, rest.mirror);
    put_matrix(standing.world_mirror, rest.world_mirror);
    if (const auto* gravity = std::get_if<model::UniformGravity>(&params.gravity)) {
      std::copy_n(gravity->acceleration.data(), 3, rest.gravity);
    }
    rest.length = params.length;
    rest.start_time = options.start_time;
    rest.rank_tolerance = options.rank_tolerance;
    rest.tolerance = options.tolerance;
    rest.keeps_assemblies = keeps_assemblies(options.partitioning) ? 1 : 0;
  }
  return result;
}

model::SealedDrawing drawing_of(const component::Host& host, std::span<const component::Port> ports,
                                std::span<const component::Output> outputs) {
  model::SealedDrawing drawing;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    const bool is_output = ports[p].kind == component::PortKind::signal_out;
    if (is_output || ports[p].kind == component::PortKind::signal_in) {
      if (ports[p].width != 1) {
        drawing.error = "its signal '" + ports[p].name + "' has several values, which is not supported yet";
        return drawing;
      }
      const UnitParse unit = parse_unit(ports[p].unit);
      if (is_output) drawing.signals.push_back({ports[p].name, unit.unit ? unit.unit->dimension : Dimension{}});
    }
    if (component::is_shaft(ports[p].kind)) {
      const bool is_travel = ports[p].kind == component::PortKind::translational;
      drawing.shafts.push_back({ports[p].name, is_travel, static_cast<std::int32_t>(p)});
    }
    if (ports[p].kind != component::PortKind::frame) continue;
    Pose& pose = drawing.ports.emplace_back();
    pose.position = Vector3::Map(host.ports()[p].position);
    for (int i = 0; i < 9; ++i) pose.rotation(i / 3, i % 3) = host.ports()[p].rotation[i];
  }
  for (const component::Output& output : outputs) {
    const UnitParse unit = parse_unit(output.unit);
    drawing.outputs.push_back({output.name, unit.unit ? unit.unit->dimension : Dimension{}});
  }
  return drawing;
}

}  // namespace gelenk::analysis
