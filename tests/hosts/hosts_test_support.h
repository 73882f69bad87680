#pragma once

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "gelenk/component/host.h"
#include "gelenk/component/manifest.h"

// The components of this folder, mounted.
namespace gelenk::component::test {

enum class Place { in_process, worker };

inline std::string library(const std::string& name) {
  std::ifstream file(std::string(GELENK_TEST_COMPONENTS) + "/" + name + ".so", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Of free_body.c.
inline Manifest free_body_manifest() {
  Manifest manifest;
  manifest.about.name = "ball";
  manifest.about.version = "1.0";
  manifest.ports = {{"eye", PortKind::frame, kFrameWidth, "", ""},
                    {"push", PortKind::signal_in, 1, "N", ""},
                    {"speed", PortKind::signal_out, 1, "m/s", ""}};
  manifest.parameters = {{"mass", "kg", 2.0, 1e-3, 1e3, ""}};
  manifest.outputs = {{"height", "m", ""}};
  return manifest;
}

inline HostSettings free_body_settings() {
  HostSettings settings;
  settings.parameters = {3.0};
  return settings;
}

inline void set_unit_matrix(double (&by_row)[9]) {
  for (int i = 0; i < 9; ++i) by_row[i] = i % 4 == 0 ? 1.0 : 0.0;
}

// A frame at the port `eye`, moved along x.
inline gelenk_mount frame_at(double x) {
  gelenk_mount mount{};
  mount.has_joint = 1;
  mount.position[0] = x;
  set_unit_matrix(mount.rotation);
  return mount;
}

// Ten meters above the ground.
inline HostMounting mounting_of(std::vector<gelenk_mount> mounts = {frame_at(0.0)}) {
  HostMounting mounting;
  mounting.mounts = std::move(mounts);
  mounting.rest.size = sizeof mounting.rest;
  mounting.rest.position[2] = 10.0;
  set_unit_matrix(mounting.rest.rotation);
  set_unit_matrix(mounting.rest.mirror);
  set_unit_matrix(mounting.rest.world_mirror);
  mounting.rest.gravity[2] = -9.81;
  mounting.rest.length = 1.0;
  mounting.rest.tolerance = 1.0;
  return mounting;
}

inline WorkerLimits worker_limits() {
  WorkerLimits limits;
  limits.program = GELENK_WORKER_PROGRAM;
  return limits;
}

inline std::unique_ptr<Host> make(Place place, const std::string& name,
                                  const HostSettings& settings = free_body_settings(),
                                  const WorkerLimits& limits = worker_limits()) {
  const std::string bytes = library(name);
  return place == Place::in_process ? host_in_process(bytes, free_body_manifest(), settings)
                                    : host_in_worker(bytes, free_body_manifest(), settings, limits);
}

inline std::unique_ptr<Host> mount(Place place, const std::string& name,
                                   const HostSettings& settings = free_body_settings(),
                                   const WorkerLimits& limits = worker_limits()) {
  std::unique_ptr<Host> host = make(place, name, settings, limits);
  host->mount(mounting_of());
  return host;
}

// A list of commands with room for their numbers.
class Batch {
 public:
  gelenk_command& add(gelenk_code code, std::int32_t slot = 0, std::int32_t other = 0, std::vector<double> in = {},
                      std::size_t out = 0) {
    ins_.push_back(std::make_unique<std::vector<double>>(std::move(in)));
    outs_.push_back(std::make_unique<std::vector<double>>(out));
    gelenk_command command{};
    command.code = code;
    command.slot = slot;
    command.other = other;
    command.in = ins_.back()->data();
    command.in_count = ins_.back()->size();
    command.out = out > 0 ? outs_.back()->data() : nullptr;
    command.out_count = out;
    commands_.push_back(command);
    return commands_.back();
  }
  const std::vector<gelenk_command>& commands() const { return commands_; }
  const std::vector<double>& out(std::size_t i) const { return *outs_[i]; }
  std::vector<double> all_outs() const {
    std::vector<double> all;
    for (const auto& out : outs_) all.insert(all.end(), out->begin(), out->end());
    return all;
  }

 private:
  std::vector<gelenk_command> commands_;
  std::vector<std::unique_ptr<std::vector<double>>> ins_, outs_;
};

// Of the ball with one mounted frame: six motions, one signal each way.
constexpr std::size_t kMotions = 6, kLoadNumbers = 18 + 1, kFactorNumbers = kMotions * kMotions + 3,
                      kDrawnNumbers = 20 + kMotions * kMotions;

constexpr double kRankTolerance = 1e-8;

inline bool start(Host& host) {
  Batch batch;
  batch.add(GELENK_RESERVE, 4, 4);
  batch.add(GELENK_START, 0);
  return host.perform(batch.commands());
}

// Accelerations at state `slot` under a load at the port become rate `rate`.
inline void add_stage(Batch& batch, int slot, int rate) {
  batch.add(GELENK_LOAD, slot, 0, {0.7}, kLoadNumbers).flags =
      GELENK_POSITIONS | GELENK_VELOCITIES | GELENK_JOINTS | GELENK_FORCES;
  batch.add(GELENK_FACTOR, slot, 0, {kRankTolerance}, kFactorNumbers);
  batch.add(GELENK_RIGHT_SIDE, slot, 0, {}, 2);
  batch.add(GELENK_UP, slot, 0, {}, kMotions);
  batch.add(GELENK_DOWN, slot, 0, {0.1, 0.2, -0.3, 0.01, 0.02, 0.03}, kMotions);
  batch.add(GELENK_TAKE, slot, rate);
}

}  // namespace gelenk::component::test
