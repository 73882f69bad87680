#include "apps/gelenk/trial_bed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "apps/gelenk/sealed_file.h"
#include "gelenk/base/text.h"
#include "gelenk/component/command_sizes.h"
#include "gelenk/system/compile.h"

namespace gelenk::app {
namespace {

constexpr int kStates = 2, kRates = 1;
constexpr unsigned kAllParts = GELENK_POSITIONS | GELENK_VELOCITIES | GELENK_JOINTS | GELENK_FORCES;

// A machine has parts.
constexpr const char* kStone = "parts: {stone: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\n";

}  // namespace

Evaluation::Evaluation(const component::ComponentSizes& sizes)
    : load(sizes.motions()),
      D(load.size() * load.size() + 3),
      r(load.size()),
      a(load.size()),
      rank_tolerance_(analysis::run_rank_tolerance({})),
      motions_(component::find_row(GELENK_LOAD)->out(sizes)),
      gaps_(2) {
  commands_ = {{GELENK_LOAD, kAllParts, 0, 0, 0.0, nullptr, motions_.data(), 0, motions_.size()},
               {GELENK_FACTOR, 0, 0, 0, 0.0, &rank_tolerance_, D.data(), 1, D.size()},
               {GELENK_RIGHT_SIDE, GELENK_ACCELERATIONS, 0, 0, 0.0, nullptr, gaps_.data(), 0, gaps_.size()},
               {GELENK_UP, GELENK_GIVEN, 0, 0, 0.0, nullptr, r.data(), 0, r.size()},
               {GELENK_DOWN, GELENK_GIVEN, 0, 0, 0.0, load.data(), a.data(), load.size(), a.size()}};
}

std::span<const std::string_view> Evaluation::names() {
  static constexpr std::array<std::string_view, 5> kNames{"load", "factor", "right side", "up", "down"};
  return kNames;
}

std::string TrialBed::open() {
  for (const std::string& setting : setup_.settings) {
    if (setting.find('=') == std::string::npos) return fmt::format("--set needs NAME=VALUE, not {}", shown(setting));
  }
  component::OpenResult opened = component::open_container(setup_.file);
  if (!opened.container) return opened.error;
  std::string error;
  // A list that cannot be read trusts nobody.
  const std::optional<LoadedTrust> trust = load_trust(error);
  verdict_ = component::judge(opened, trust ? trust->store : component::TrustStore{});
  container_ = *std::move(opened.container);
  return {};
}

bool TrialBed::has_inputs() const {
  const std::vector<component::Port>& ports = container_.manifest.ports;
  return std::any_of(ports.begin(), ports.end(),
                     [](const component::Port& port) { return port.kind == component::PortKind::signal_in; });
}

// The component by itself, as it is set.
std::string TrialBed::alone(const Motion& motion) const {
  std::string text = fmt::format("gelenk: 1\nname: bench\nassemblies:\n  component:\n    use: {}\n",
                                 std::filesystem::path(setup_.file).filename().string());
  if (!setup_.settings.empty()) text += "    set:\n";
  for (const std::string& setting : setup_.settings) {
    const std::size_t equals = setting.find('=');
    text += fmt::format("      {}: {}\n", setting.substr(0, equals), setting.substr(equals + 1));
  }
  if (has_inputs()) text += "    inputs:\n";
  for (const component::Port& port : container_.manifest.ports) {
    if (port.kind != component::PortKind::signal_in) continue;
    const std::string one = port.unit.empty() ? "1" : fmt::format("1 ({})", port.unit);
    text += motion.inputs == Inputs::zero ? fmt::format("      {}: 0\n", port.name)
                                          : fmt::format("      {}: \"=step(time - {:.17g} s) * {}\"\n", port.name,
                                                        motion.options.duration / 2.0, one);
  }
  return text;
}

std::string TrialBed::machine(const Motion& motion) const {
  std::string parts = "parts:\n", joints = "joints:\n", forces = "forces:\n", attach;
  std::size_t number = 0, wheels = 0;
  for (const component::Port& port : container_.manifest.ports) {
    if (component::is_shaft(port.kind)) {
      const bool is_travel = port.kind == component::PortKind::translational;
      parts += fmt::format("  wheel{}: {{mass: 1 kg, inertia: {{xx: 0.1, yy: 0.1, zz: 0.1}}}}\n", wheels);
      joints += fmt::format("  axle{0}: {{type: {1}, between: [ground, wheel{0}], axis: z}}\n", wheels,
                            is_travel ? "prismatic" : "revolute");
      const char* const way = is_travel ? "travel" : "angle";
      joints += fmt::format("  tie{0}: {{type: coupler, couples: [axle{0}.{1}, component.{2}], ratio: 1}}\n", wheels,
                            way, port.name);
      forces += fmt::format("  push{0}: {{type: actuator, drives: axle{0}.{1}, value: 1 {2}}}\n", wheels++, way,
                            is_travel ? "N" : "N*m");
    }
    if (port.kind != component::PortKind::frame) continue;
    const Vector3& at = ports_[number].position;
    const std::string place = fmt::format("[{:.17g}, {:.17g}, {:.17g}]", at.x(), at.y(), at.z());
    for (const char* const part : {"block", "post"}) {
      parts +=
          fmt::format("  {}{}: {{at: {}, mass: 10 kg, inertia: {{xx: 0.1, yy: 0.1, zz: 0.1}}}}\n", part, number, place);
    }
    joints += fmt::format("  foot{0}: {{type: fixed, between: [ground, post{0}], at: {1}}}\n", number, place);
    forces +=
        fmt::format("  bush{0}: {{type: bushing, between: [post{0}, block{0}], stiffness: [1e4, 1e4, 1e4]}}\n", number);
    if (attach.empty()) attach = "    attach:\n";
    attach += fmt::format("      {}: {{type: spherical, to: block{}}}\n", port.name, number);
    ++number;
  }
  return alone(motion) + attach + "gravity: [0, 0, -9.81]\n" + parts + joints + forces;
}

// A model beside the component.
std::string TrialBed::read(const std::string& text, ModelInput& input) const {
  ModelRequest request;
  request.file = (std::filesystem::path(setup_.file).parent_path() / "bench.yaml").string();
  request.text = text;
  request.trust_once = setup_.trust_once;
  request.host = setup_.host;
  if (read_model(request, console_, input)) return "its settings are not understood";
  for (const Diagnostic& diagnostic : input.diagnostics.all()) {
    if (diagnostic.severity == Severity::error) return diagnostic.message;
  }
  return {};
}

std::string TrialBed::make(ModelInput& input) {
  std::string error = read(alone({}) + kStone, input);
  if (error.empty()) ports_ = input.machine->sealed.front().ports;
  return error;
}

void TrialBed::mount(component::Host& host, const Vector3& gravity, std::optional<std::size_t> only) const {
  component::HostMounting mounting;
  gelenk_mounting& rest = mounting.rest;
  rest.size = sizeof rest;
  for (double* const matrix : {rest.rotation, rest.mirror, rest.world_mirror}) matrix[0] = matrix[4] = matrix[8] = 1.0;
  Vector3::Map(rest.gravity) = gravity;
  rest.length = host.length();
  rest.rank_tolerance = analysis::run_rank_tolerance({});
  rest.tolerance = 1.0;
  const std::vector<component::Port>& ports = container_.manifest.ports;
  const auto add = [&](std::size_t port) {
    if (only && port != *only) return;
    gelenk_mount& mount = mounting.mounts.emplace_back();
    mount.port = static_cast<std::uint32_t>(port);
    mount.has_joint = 1;
    mount.rotation[0] = mount.rotation[4] = mount.rotation[8] = 1.0;
  };
  for (std::size_t p = 0; p < ports.size(); ++p) {
    if (ports[p].kind == component::PortKind::frame) add(p);
  }
  for (std::size_t p = 0; p < ports.size(); ++p) {
    if (component::is_shaft(ports[p].kind)) add(p);
  }
  host.mount(mounting);
}

std::optional<analysis::RunResult> TrialBed::move(const Motion& motion, std::string& error) const {
  ModelInput input;
  error = read(machine(motion), input);
  if (!error.empty()) return std::nullopt;
  const std::optional<system::System> system = system::compile(*input.machine, {}, input.diagnostics);
  system::Params params = system::make_params(*system, *input.machine);
  const double tolerance = motion.options.is_adaptive() ? motion.options.tolerance : 1.0;
  const std::optional<analysis::Assembly> assembly = input.sealed->assemble(
      *system, params, *input.machine, {.rank_tolerance = analysis::run_rank_tolerance({}), .tolerance = tolerance},
      input.diagnostics);
  if (!assembly) {
    error = "it cannot be mounted in a machine";
    return std::nullopt;
  }
  analysis::RunResult result = analysis::simulate(*system, params, *assembly, motion.options, nullptr, motion.progress,
                                                  motion.checkpointing, input.sealed->subsystems());
  if (result.failure) error = result.failure->message;
  return result;
}

bool begin(component::Host& host) {
  const gelenk_command commands[] = {{GELENK_RESERVE, 0, kStates, kRates, 0.0, nullptr, nullptr, 0, 0},
                                     {GELENK_START, 0, 0, 0, 0.0, nullptr, nullptr, 0, 0}};
  return host.perform(commands);
}

}  // namespace gelenk::app
