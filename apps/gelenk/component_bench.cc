#include "apps/gelenk/component_bench.h"

#include "gelenk/base/hash.h"

namespace gelenk::app {
namespace {

constexpr int kWarmCalls = 100, kBenchCalls = 2000;
constexpr int kWarmSteps = 20, kTimedSteps = 500;
constexpr double kBenchStep = 1e-4;  // s

std::string bench_commands(TrialBed& bed, HostTimes& times) {
  ModelInput input;
  if (std::string error = bed.make(input); !error.empty()) return error;
  component::Host& host = *input.sealed->hosts().front();
  bed.mount(host, Vector3(0.0, 0.0, -9.81));
  Evaluation evaluation(host.sizes());
  if (!begin(host) || !host.perform(evaluation.commands())) {
    return "its accelerations cannot be found where it is drawn";
  }
  const auto timed = [&](std::span<const gelenk_command> commands) {
    const auto call = [&] { host.perform(commands); };
    for (int i = 0; i < kWarmCalls; ++i) call();
    return measure(kBenchCalls, call);
  };
  times.host = input.sealed->host_name(0);
  times.evaluation = timed(evaluation.commands());
  // One after the other, again and again: commands alone would repeat what has changed nothing.
  std::vector<std::vector<double>> each(evaluation.commands().size());
  for (int i = -kWarmCalls; i < kBenchCalls; ++i) {
    for (std::size_t c = 0; c < each.size(); ++c) {
      const auto before = std::chrono::steady_clock::now();
      host.perform(evaluation.commands().subspan(c, 1));
      if (i >= 0) each[c].push_back(microseconds_since(before));
    }
  }
  for (std::vector<double>& command : each) times.commands.push_back(timing_of(std::move(command)));
  return {};
}

std::string bench_steps(const TrialBed& bed, Timing& step) {
  TrialBed::Motion motion;
  motion.options.method = integrate::Method::rk4;
  motion.options.step = kBenchStep;
  motion.options.duration = (kWarmSteps + kTimedSteps) * kBenchStep;
  motion.options.output_every = motion.options.duration;
  std::vector<double> steps;
  auto before = std::chrono::steady_clock::now();
  motion.progress = [&](double) {
    steps.push_back(microseconds_since(before));
    before = std::chrono::steady_clock::now();
    return true;
  };
  std::string error;
  bed.move(motion, error);
  if (!error.empty()) return error;
  steps.erase(steps.begin(), steps.begin() + kWarmSteps);
  step = timing_of(std::move(steps));
  return {};
}

}  // namespace

std::string bench_component(const TrialSetup& setup, Console& console, ComponentBench& bench) {
  for (const HostChoice place : {HostChoice::in_process, HostChoice::worker}) {
    TrialSetup here = setup;
    here.host = place;
    TrialBed bed(here, console);
    if (std::string error = bed.open(); !error.empty()) return error;
    const component::Manifest& manifest = bed.container().manifest;
    bench.name = manifest.about.name;
    bench.version = manifest.about.version;
    bench.identity = sha256(bed.container().manifest_bytes);
    // Untrusted code stays in its sandbox, unless the user says otherwise.
    if (place == HostChoice::in_process && !bed.is_trusted() && !setup.trust_once) continue;
    HostTimes times;
    std::string error = bench_commands(bed, times);
    if (error.empty()) error = bench_steps(bed, times.step);
    if (!error.empty()) return error;
    bench.ports = bed.ports().size();
    bench.hosts.push_back(std::move(times));
  }
  return {};
}

}  // namespace gelenk::app
