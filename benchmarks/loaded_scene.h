#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include "benchmarks/scene_references.h"
#include "gelenk/analysis/assemble.h"
#include "gelenk/base/diagnostic_printer.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/model/expand.h"
#include "gelenk/system/compile.h"

// A scene on the usual way of a model: loaded, expanded, compiled, assembled.
namespace gelenk::scenes {

// A scene that is a file, not a text.
struct FromFile {
  std::string path;
};

struct LoadedScene {
  Diagnostics diagnostics;
  formats::LoadedModel loaded;
  model::Machine machine;
  std::optional<system::System> system;
  system::Params params;
  std::optional<analysis::Assembly> assembly;

  explicit LoadedScene(const std::string& text) {
    formats::LoadOptions options;
    options.read = [&](const std::string&, std::size_t) { return ReadResult{text, Code::none, ""}; };
    load("scene.yaml", options);
  }
  explicit LoadedScene(const FromFile& file) { load(file.path, {}); }
  LoadedScene(const LoadedScene&) = delete;  // the machine points into the loaded model
  LoadedScene& operator=(const LoadedScene&) = delete;

  bool is_ready() const { return assembly.has_value(); }
  std::string complaints() const { return print_diagnostics(diagnostics, loaded.sources); }
  std::size_t body_count() const { return system->bodies.size(); }
  // -1: there is none.
  std::ptrdiff_t body_of(const std::string& part) const {
    for (const system::Part& candidate : system->parts) {
      if (candidate.path == part) return candidate.body;
    }
    return -1;
  }

 private:
  void load(const std::string& path, const formats::LoadOptions& options) {
    loaded = formats::load_model(path, options, diagnostics);
    machine = model::expand(loaded.model, {}, diagnostics);
    if (diagnostics.has_errors()) return;
    system = system::compile(machine, {}, diagnostics);
    if (!system) return;
    params = system::make_params(*system, machine);
    assembly = analysis::assemble(*system, params, machine, 0.0, diagnostics);
  }
};

// Total energy of a state, J.
inline double energy_of(const LoadedScene& scene, const system::State& state, mechanics::Workspace& workspace) {
  const mechanics::Context context{*scene.system, scene.params, state};
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  return mechanics::energy(context, workspace).total();
}

// Angle about z of a body that turns about z only, rad in (-π, π].
inline double angle_about_z(const Quaternion& q) {
  const double angle = 2.0 * std::atan2(q.z(), q.w());
  return std::remainder(angle, 2.0 * std::numbers::pi);
}

// Gives the chain the angles chain_angle(i) and rates chain_rate(i) of its joints.
inline void bend_chain(system::State& state) {
  double angle = 0.0;
  double rate = 0.0;
  Vector3 joint = Vector3::Zero();
  Vector3 joint_velocity = Vector3::Zero();
  for (std::size_t i = 0; i < state.position.size(); ++i) {
    angle += chain_angle(i);
    rate += chain_rate(i);
    const Vector3 along(std::cos(angle), std::sin(angle), 0.0);
    const Vector3 across = rate * Vector3(-along.y(), along.x(), 0.0);
    const Vector3 velocity = joint_velocity + 0.5 * across;
    state.position[i] = joint + 0.5 * along;
    state.orientation[i] = Quaternion(std::cos(angle / 2), 0.0, 0.0, std::sin(angle / 2));
    const double values[] = {velocity.x(), velocity.y(), 0.0, 0.0, 0.0, rate};
    std::copy(std::begin(values), std::end(values), state.velocity.begin() + static_cast<std::ptrdiff_t>(6 * i));
    joint += along;
    joint_velocity += across;
  }
}

}  // namespace gelenk::scenes
