#include "apps/gelenk/component_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "apps/gelenk/component_case.h"
#include "apps/gelenk/model_input.h"
#include "apps/gelenk/seal_draft.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/base/hash.h"
#include "gelenk/base/text.h"
#include "gelenk/system/compile.h"

namespace gelenk::app {
namespace {

constexpr double kDuration = 0.2;    // s, of the motion
constexpr double kLinear = 1e-8;     // of the largest acceleration: what rounding leaves of a = r + D τ
constexpr double kBalanced = 1e-4;   // of the energy that was turned over
constexpr double kTolerance = 1e-7;  // of the steps
constexpr int kTimedCalls = 200;
constexpr int kStates = 2, kRates = 1;

// The component alone, as it is set.
std::string alone(const std::string& file, const std::vector<std::string>& settings) {
  std::string text = fmt::format("gelenk: 1\nname: bench\nassemblies:\n  component:\n    use: {}\n", file);
  if (!settings.empty()) text += "    set:\n";
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    text += fmt::format("      {}: {}\n", setting.substr(0, equals), setting.substr(equals + 1));
  }
  return text;
}

// A machine around it: a block of 10 kg at each of its ports, held by springs where it is drawn.
std::string bench(const std::string& file, const std::vector<std::string>& settings,
                  const component::Manifest& manifest, const std::vector<Pose>& ports) {
  std::string parts = "parts:\n", joints = "joints:\n", forces = "forces:\n", attach = "    attach:\n";
  std::size_t number = 0;
  for (const component::Port& port : manifest.ports) {
    if (port.kind != component::PortKind::frame) continue;
    const Vector3& at = ports[number].position;
    const std::string place = fmt::format("[{:.17g}, {:.17g}, {:.17g}]", at.x(), at.y(), at.z());
    for (const char* const part : {"block", "post"}) {
      parts +=
          fmt::format("  {}{}: {{at: {}, mass: 10 kg, inertia: {{xx: 0.1, yy: 0.1, zz: 0.1}}}}\n", part, number, place);
    }
    joints += fmt::format("  foot{0}: {{type: fixed, between: [ground, post{0}], at: {1}}}\n", number, place);
    forces +=
        fmt::format("  bush{0}: {{type: bushing, between: [post{0}, block{0}], stiffness: [1e4, 1e4, 1e4]}}\n", number);
    attach += fmt::format("      {}: {{type: spherical, to: block{}}}\n", port.name, number);
    ++number;
  }
  return alone(file, settings) + attach + "gravity: [0, 0, -9.81]\n" + parts + joints + forces;
}

// A machine has parts.
constexpr const char* kStone = "parts: {stone: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\n";

class Trier {
 public:
  Trier(const std::string& file, const std::vector<std::string>& settings, bool trust_once, Console& console,
        Trial& trial)
      : file_(file), settings_(settings), trust_once_(trust_once), console_(console), trial_(trial) {}

  std::string run() {
    for (const std::string& setting : settings_) {
      if (setting.find('=') == std::string::npos) return fmt::format("--set needs NAME=VALUE, not {}", shown(setting));
    }
    component::OpenResult opened = component::open_container(file_);
    if (!opened.container) return opened.error;
    container_ = *std::move(opened.container);
    const component::About& about = container_.manifest.about;
    trial_.name = about.name;
    trial_.version = about.version;
    trial_.identity = sha256(container_.manifest_bytes);
    ModelInput input;
    if (const std::string error = read(alone(name(), settings_) + kStone, input); !error.empty()) return error;
    trial_.carrier = input.sealed->carrier_name(0);
    ports_ = input.machine->sealed.front().ports;
    try {
      if (!check_loads(*input.sealed->carriers().front())) return {};
      if (!check_motion()) return {};
    } catch (const component::ComponentFailure& failure) {
      add("keeps to the interface", failure.what(), false);
      return {};
    }
    check_altered_state(*input.sealed->carriers().front());
    check_cases();
    return {};
  }

 private:
  std::string name() const { return std::filesystem::path(file_).filename().string(); }
  void add(std::string_view check, std::string figure, bool is_good) {
    trial_.checks.push_back({std::string(check), std::move(figure), is_good});
  }

  // A model beside the component.
  std::string read(const std::string& text, ModelInput& input) const {
    ModelRequest request;
    request.file = (std::filesystem::path(file_).parent_path() / "bench.yaml").string();
    request.text = text;
    request.trust_once = trust_once_;
    if (read_model(request, console_, input)) return "its settings are not understood";
    for (const Diagnostic& diagnostic : input.diagnostics.all()) {
      if (diagnostic.severity == Severity::error) return diagnostic.message;
    }
    return {};
  }

  // a = r + D τ, for a unit load in each direction; and how long that takes.
  bool check_loads(component::Carrier& carrier) {
    component::CarrierMounting mounting;
    gelenk_mounting& rest = mounting.rest;
    rest.size = sizeof rest;
    for (double* const matrix : {rest.rotation, rest.mirror, rest.world_mirror})
      matrix[0] = matrix[4] = matrix[8] = 1.0;
    rest.gravity[2] = -9.81;
    rest.length = carrier.length();
    rest.rank_tolerance = analysis::run_rank_tolerance({});
    rest.tolerance = 1.0;
    for (std::size_t p = 0; p < container_.manifest.ports.size(); ++p) {
      if (container_.manifest.ports[p].kind != component::PortKind::frame) continue;
      gelenk_mount& mount = mounting.mounts.emplace_back();
      mount.port = static_cast<std::uint32_t>(p);
      mount.has_joint = 1;
      mount.rotation[0] = mount.rotation[4] = mount.rotation[8] = 1.0;
    }
    carrier.mount(mounting);
    const std::size_t n = carrier.sizes().motions();
    std::vector<double> D(n * n + 3), r(n), load(n, 0.0), a(n), motions(3 * n + carrier.sizes().signals), gap(2);
    const double tau = rest.rank_tolerance;
    const gelenk_command begin[] = {{GELENK_RESERVE, 0, kStates, kRates, 0.0, nullptr, nullptr, 0, 0},
                                    {GELENK_START, 0, 0, 0, 0.0, nullptr, nullptr, 0, 0}};
    constexpr unsigned kAll = GELENK_POSITIONS | GELENK_VELOCITIES | GELENK_JOINTS | GELENK_FORCES;
    const gelenk_command stage[] = {
        {GELENK_LOAD, kAll, 0, 0, 0.0, nullptr, motions.data(), 0, motions.size()},
        {GELENK_FACTOR, 0, 0, 0, 0.0, &tau, D.data(), 1, D.size()},
        {GELENK_RIGHT_SIDE, GELENK_ACCELERATIONS, 0, 0, 0.0, nullptr, gap.data(), 0, gap.size()},
        {GELENK_UP, GELENK_GIVEN, 0, 0, 0.0, nullptr, r.data(), 0, r.size()},
        {GELENK_DOWN, GELENK_GIVEN, 0, 0, 0.0, load.data(), a.data(), load.size(), a.size()}};
    if (!carrier.perform(begin) || !carrier.perform(stage)) {
      add("accelerations", "cannot be found where it is drawn", false);
      return false;
    }
    double worst = 0.0, largest = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      load.assign(n, 0.0);
      load[k] = 1.0;
      carrier.perform(stage);
      for (std::size_t i = 0; i < n; ++i) {
        worst = std::max(worst, std::abs(a[i] - r[i] - D[n * i + k]));
        largest = std::max({largest, std::abs(a[i]), std::abs(D[n * i + k])});
      }
    }
    const bool is_linear = worst <= kLinear * largest;
    add("mobility against accelerations",
        fmt::format("{} directions, error {} of the largest", n, format_rounded(worst / largest, 2)), is_linear);
    std::vector<double> times;
    for (int i = 0; i < kTimedCalls; ++i) {
      const auto before = std::chrono::steady_clock::now();
      carrier.perform(stage);
      times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count());
    }
    std::nth_element(times.begin(), times.begin() + kTimedCalls / 2, times.end());
    trial_.median_us = times[kTimedCalls / 2];
    return is_linear;
  }

  // A fresh machine, its motion, and what a run keeps in the middle of it.
  std::optional<analysis::RunResult> move(const std::string& resume_from, std::string& kept, std::string& error) {
    ModelInput input;
    error = read(bench(name(), settings_, container_.manifest, ports_), input);
    if (!error.empty()) return std::nullopt;
    const std::optional<system::System> system = system::compile(*input.machine, {}, input.diagnostics);
    system::Params params = system::make_params(*system, *input.machine);
    analysis::RunOptions options;
    options.duration = kDuration;
    options.output_every = kDuration / 20.0;
    options.tolerance = kTolerance;
    const std::optional<analysis::Assembly> assembly = input.sealed->assemble(
        *system, params, *input.machine, {.rank_tolerance = analysis::run_rank_tolerance({}), .tolerance = kTolerance},
        input.diagnostics);
    if (!assembly) {
      error = "it cannot be mounted in a machine";
      return std::nullopt;
    }
    analysis::Checkpointing checkpointing;
    checkpointing.every = kDuration / 2.0;
    checkpointing.resume_from = resume_from;
    checkpointing.store = [&](const analysis::Checkpoint& checkpoint) {
      if (kept.empty()) kept = checkpoint.bytes;
      return std::string();
    };
    analysis::RunResult result =
        analysis::simulate(*system, params, *assembly, options, nullptr, {}, checkpointing, input.sealed->carriers());
    if (result.failure) error = result.failure->message;
    return result;
  }

  bool check_motion() {
    std::string kept, unused, error;
    const std::optional<analysis::RunResult> whole = move("", kept, error);
    if (!whole || !error.empty()) {
      add("moves in a machine", error, false);
      return false;
    }
    add("moves in a machine",
        fmt::format("{} s in {}", kDuration, counted(static_cast<std::size_t>(whole->counters.accepted), "step")),
        true);
    const double imbalance = whole->audit.energy_imbalance / whole->audit.energy_turnover;
    add("balance of energy", fmt::format("error {} of what was turned over", format_rounded(imbalance, 2)),
        imbalance <= kBalanced);
    const auto is_same = [&](const std::optional<analysis::RunResult>& other) {
      return other && other->end_state.position == whole->end_state.position &&
             other->end_state.velocity == whole->end_state.velocity && other->end_state.extra == whole->end_state.extra;
    };
    add("same bits when repeated", "", is_same(move("", unused, error)));
    add("same bits when it goes on from a stored state", "", is_same(move(kept, unused, error)));
    return true;
  }

  void check_altered_state(component::Carrier& carrier) {
    bool is_refused = false;
    try {
      std::string bytes = carrier.read(GELENK_STATE, 0);
      bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
      carrier.write(GELENK_STATE, 1, bytes);
    } catch (const component::ComponentFailure&) {
      is_refused = true;
    }
    add("refuses a state that was altered", "", is_refused);
  }

  void check_cases() {
    const std::string bytes = read_file(file_, std::size_t{512} << 20).text.value_or("");
    for (const ZipEntry& entry : container_.files) {
      if (!entry.path.starts_with(kCasesFolder)) continue;
      const std::string case_name = entry.path.substr(kCasesFolder.size());
      std::string error;
      const std::optional<ComponentCase> one = read_case(case_name, entry.bytes, error);
      const CaseOutcome outcome = one ? run_case(*one, bytes) : CaseOutcome{0, 0.0, error};
      add(fmt::format("case of its maker: {}", case_name),
          outcome.failure.empty() ? fmt::format("{} of its tolerance", format_rounded(outcome.worst, 2))
                                  : outcome.failure,
          outcome.failure.empty());
    }
  }

  const std::string& file_;
  const std::vector<std::string>& settings_;
  bool trust_once_;
  Console& console_;
  Trial& trial_;
  component::Container container_;
  std::vector<Pose> ports_;
};

}  // namespace

bool Trial::is_good() const {
  return std::all_of(checks.begin(), checks.end(), [](const TrialCheck& check) { return check.is_good; });
}

std::string try_component(const std::string& file, const std::vector<std::string>& settings, bool trust_once,
                          Console& console, Trial& trial) {
  return Trier(file, settings, trust_once, console, trial).run();
}

}  // namespace gelenk::app
