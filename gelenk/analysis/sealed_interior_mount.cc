// How the inside of a sealed component is made and mounted.
#include <algorithm>
#include <utility>

#include "gelenk/analysis/inside_names.h"
#include "gelenk/analysis/sealed_assembly.h"
#include "gelenk/analysis/sealed_interior.h"
#include "gelenk/base/diagnostics.h"
#include "gelenk/system/compile.h"

namespace gelenk::analysis {
namespace {

Matrix3 matrix_of(const double* by_row) {
  Matrix3 result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result(i, j) = by_row[3 * i + j];
  }
  return result;
}

Partitioning partitioning_of(const gelenk_mounting& given) {
  return given.keeps_assemblies != 0 ? Partitioning::model : Partitioning::automatic;
}

std::string first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity == Severity::error) return d.element.empty() ? d.message : d.element + ": " + d.message;
  }
  return "it cannot be built";
}

}  // namespace

SealedInterior::SealedInterior(const model::Model& model, std::vector<double> parameters, ReadFile read,
                               CarrySealed carry)
    : model_(model), parameters_(std::move(parameters)), read_(std::move(read)), carry_(std::move(carry)) {
  Diagnostics diagnostics;
  Hosts inside;
  const model::Machine machine = expand(expand_options(), inside, diagnostics);
  for (const model::PortNode& port : machine.ports) {
    component::DrawnPort& drawn = ports_.emplace_back();
    std::copy_n(port.X_AF.position.data(), 3, drawn.position);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) drawn.rotation[3 * i + j] = port.X_AF.rotation(i, j);
    }
  }
  const std::optional<system::System> system =
      diagnostics.has_errors() ? std::nullopt : system::compile(machine, {}, diagnostics);
  if (!system) {
    keep_error(diagnostics);
    return;
  }
  length_ = system::make_params(*system, machine).length;
  for (const std::unique_ptr<component::Host>& one : inside) length_ = std::max(length_, one->length());
  input_count_ = machine.inputs.size();
  for (const system::NativeCode& code : system->codes) code_counts_.push_back(component::count_code(code));
}

bool SealedInterior::use_code(const gelenk_code_api* api) {
  if (!error_.empty()) return false;
  for (; api != nullptr; api = component::next_code(*api)) {
    if (codes_.size() == code_counts_.size()) {
      keep_error("it has more code than sections `code:` in its model");
      return false;
    }
    const auto mismatch = component::compare_code(code_counts_[codes_.size()], component::count_code(*api));
    if (mismatch) {
      keep_error(fmt::format("its code has {} {}, but the section `code:` of its model lists {}", mismatch->known,
                             mismatch->what, mismatch->named));
      return false;
    }
    codes_.push_back(component::code_function(*api));
  }
  if (codes_.size() == code_counts_.size()) return true;
  keep_error("its model has a section `code:`, but its code is missing");
  return false;
}

model::ExpandOptions SealedInterior::expand_options() const {
  model::ExpandOptions options;
  options.root_parameters = parameters_;
  options.read = read_;
  options.has_open_inputs = true;
  return options;
}

model::Machine SealedInterior::expand(model::ExpandOptions options, Hosts& inside, Diagnostics& diagnostics) const {
  options.draw_sealed = [&](const model::SealedNode& node) {
    model::SealedDrawing drawing;
    std::unique_ptr<component::Host> host = carry_ ? carry_(node, drawing) : nullptr;
    if (host) inside.push_back(std::move(host));
    return drawing;
  };
  return model::expand(model_, options, diagnostics);
}

void SealedInterior::keep_error(const Diagnostics& diagnostics) {
  error_ = first_error(diagnostics);
  // Numbers are those of the machine as written, of which its maker has the map.
  model::ExpandOptions options = expand_options();
  options.root_parameters.clear();
  Diagnostics of_written;
  Hosts unused;
  public_error_ = analysis::public_error(diagnostics, inside_names(expand(options, unused, of_written)));
}

bool SealedInterior::mount(const component::HostMounting& mounting) {
  if (!error_.empty()) return false;
  mounted_ = std::make_unique<Mounted>();
  if (compile(mounting)) return true;
  mounted_.reset();
  return false;
}

bool SealedInterior::place_mounts(const component::HostMounting& mounting) {
  model::Machine& machine = mounted_->machine;
  for (const gelenk_mount& mount : mounting.mounts) {
    if (mount.port >= machine.ports.size()) {
      keep_error("there is no such port");
      return false;
    }
    model::FrameOnPart frame = machine.ports[mount.port].frame;
    if (frame.is_on_ground()) {
      keep_error("its port is on the ground");
      return false;
    }
    frame.X_PF = frame.X_PF * Pose{matrix_of(mount.rotation), Vector3::Map(mount.position)};
    machine.mounts.push_back({frame, mount.has_joint != 0});
  }
  return true;
}

bool SealedInterior::compile(const component::HostMounting& mounting) {
  const gelenk_mounting& given = mounting.rest;
  Diagnostics diagnostics;
  model::ExpandOptions options = expand_options();
  options.standing.X_WA = {matrix_of(given.rotation), Vector3::Map(given.position)};
  options.standing.mirror = matrix_of(given.mirror);
  options.standing.world_mirror = matrix_of(given.world_mirror);
  Mounted& m = *mounted_;
  m.machine = expand(options, m.inside, diagnostics);
  m.machine.gravity = model::UniformGravity{Vector3::Map(given.gravity)};
  if (!place_mounts(mounting)) return false;
  std::optional<system::System> system =
      diagnostics.has_errors() ? std::nullopt : system::compile(m.machine, {}, diagnostics);
  if (!system) {
    keep_error(diagnostics);
    return false;
  }
  m.system = std::move(*system);
  for (std::size_t c = 0; c < m.system.codes.size(); ++c) {
    if (c < codes_.size()) m.system.codes[c].function = codes_[c];
    // In messages for the owner.
    m.system.codes[c].path = m.system.codes.size() == 1 ? std::string() : fmt::format("code#{}", c + 1);
  }
  m.params = system::make_params(m.system, m.machine);
  m.params.length = given.length;
  std::optional<Assembly> assembly = assemble_inside(mounting, diagnostics);
  if (!assembly) {
    keep_error(diagnostics);
    return false;
  }
  return start(mounting, std::move(*assembly));
}

bool SealedInterior::start(const component::HostMounting& mounting, Assembly&& assembly) {
  const gelenk_mounting& given = mounting.rest;
  Mounted& m = *mounted_;
  m.problem = std::make_unique<MachineProblem>(
      m.system, m.params, given.tolerance,
      DynamicsOptions{.rank_tolerance = given.rank_tolerance, .partitioning = partitioning_of(given)},
      m.subsystems.all());
  m.outputs = std::make_unique<PublishedOutputs>(m.system, m.params);
  for (const std::string& path : outputs_) {
    if (m.outputs->add(path)) continue;
    keep_error("it publishes an output that it does not have");
    return false;
  }
  std::vector<std::int32_t> signals;
  for (const std::string& path : signals_) {
    signals.push_back(find_output(m.system, path));
    if (signals.back() >= 0) continue;
    keep_error("it reports an output that it does not have");
    return false;
  }
  m.subsystem = as_subsystem({m.system, m.params, *m.problem, *m.outputs, std::move(signals), input_count_,
                              std::move(assembly.state), std::move(assembly.sealed_states), given.start_time});
  m.server = std::make_unique<component::SubsystemServer>(*m.subsystem);
  return true;
}

std::optional<Assembly> SealedInterior::assemble_inside(const component::HostMounting& mounting,
                                                        Diagnostics& diagnostics) {
  const gelenk_mounting& given = mounting.rest;
  Mounted& m = *mounted_;
  if (m.inside.empty()) return assemble(m.system, m.params, m.machine, given.start_time, diagnostics);
  MountingOptions options;
  options.start_time = given.start_time;
  options.rank_tolerance = given.rank_tolerance;
  options.tolerance = given.tolerance;
  options.partitioning = partitioning_of(given);
  const std::vector<component::HostMounting> all = mountings(m.system, m.params, m.machine, options);
  for (std::size_t s = 0; s < all.size(); ++s) {
    m.inside[s]->mount(all[s]);
    m.subsystems.add(*m.inside[s]);
  }
  return assemble_with_sealed(m.system, m.params, m.machine, options, m.subsystems.all(), diagnostics);
}

}  // namespace gelenk::analysis
