// Small motions about a pose of rest: frequencies, damping, and what moves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/gelenk/analyze.h"
#include "gelenk/analysis/linear/modes.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/base/index.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

constexpr std::size_t kMostModes = 40;
constexpr std::size_t kMostMovers = 3;
// Of the kinetic energy.
constexpr double kWorthSaying = 0.05;
constexpr double kSameShare = 1e-9;
// Accelerations beyond this, in lengths of the machine or rad per s², and it does not rest.
constexpr double kAtRest = 1e-6;

analysis::SmallMotions small_motions(const AssembledMachine& machine, const system::State& state) {
  analysis::SmallMotionSolver solver(machine.system, machine.params, analysis::run_rank_tolerance(machine.assembly));
  return solver.linearize(state);
}

// "chassis along z 71 %, front_left.wheel along z 9 %": where the kinetic energy is.
std::string movers_text(const AssembledMachine& machine, const analysis::Mode& mode) {
  if (mode.is_of_states) return "states of the model; the parts hardly move";
  std::vector<Eigen::Index> order(static_cast<std::size_t>(mode.energy.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  // Equal but for rounding: in the order of the machine.
  const auto share = [&](Eigen::Index i) { return std::round(mode.energy[i] / kSameShare); };
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return share(a) > share(b); });
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), kMostMovers); ++i) {
    const Eigen::Index which = order[i];
    if (mode.energy[which] < kWorthSaying) break;
    const std::string& part = machine.system.lead_part(static_cast<std::size_t>(which) / 6).path;
    text += fmt::format("{}{} {} {} {:.0f} %", text.empty() ? "" : ", ", part, which % 6 < 3 ? "along" : "about",
                        "xyz"[which % 3], 100.0 * mode.energy[which]);
  }
  return text;
}

std::string rate_text(const analysis::Mode& mode) {
  if (mode.frequency() > 0.0) return fmt::format("{:.6g} Hz", mode.frequency());
  const double time = 1.0 / std::abs(mode.eigenvalue.real());
  return fmt::format("{} in {:.4g} s", mode.eigenvalue.real() < 0.0 ? "fades" : "grows", time);
}

std::string damping_text(const analysis::Mode& mode) {
  if (mode.frequency() <= 0.0) return "-";
  return fmt::format("{:.4g}", mode.damping());
}

// Nothing when it rests there.
std::string unrest_text(const AssembledMachine& machine, const analysis::SmallMotions& motions) {
  const analysis::Vector a = motions.N_v * motions.f;
  double largest = 0.0;
  Eigen::Index which = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    const double size = std::abs(a[i]) / (i % 6 < 3 ? machine.params.length : 1.0);
    if (size <= largest) continue;
    largest = size;
    which = i;
  }
  if (largest <= kAtRest) return {};
  return fmt::format("the machine does not rest there: '{}' would start moving\n",
                     machine.system.lead_part(static_cast<std::size_t>(which) / 6).path);
}

}  // namespace

std::string modes_text(const AssembledMachine& machine, const system::State& state) {
  const analysis::SmallMotions motions = small_motions(machine, state);
  const analysis::Modes modes = analysis::modes(motions, machine.params.length);
  std::string text = fmt::format("{}: {} about this pose\n", machine.system.name, counted(modes.list.size(), "mode"));
  text += unrest_text(machine, motions);
  if (modes.neutral > 0) {
    text += fmt::format("{} in which it rests anywhere\n", counted(static_cast<std::size_t>(modes.neutral), "motion"));
  }
  if (modes.list.empty()) return text;
  text += fmt::format("  {:>4}  {:>16}  {:>10}  kinetic energy\n", "mode", "frequency", "damping");
  for (std::size_t i = 0; i < std::min(modes.list.size(), kMostModes); ++i) {
    const analysis::Mode& mode = modes.list[i];
    text += fmt::format("  {:>4}  {:>16}  {:>10}  {}\n", i + 1, rate_text(mode), damping_text(mode),
                        movers_text(machine, mode));
  }
  if (modes.list.size() > kMostModes) text += fmt::format("  and {} faster ones\n", modes.list.size() - kMostModes);
  return text;
}

void write_modes_json(JsonWriter& json, const AssembledMachine& machine, const system::State& state) {
  const analysis::SmallMotions motions = small_motions(machine, state);
  const analysis::Modes modes = analysis::modes(motions, machine.params.length);
  json.key("modes").begin_array();
  for (const analysis::Mode& mode : modes.list) {
    json.begin_object().member("real", mode.eigenvalue.real()).member("imaginary", mode.eigenvalue.imag());
    json.member("frequency", mode.frequency()).member("damping", mode.damping()).key("shape").begin_object();
    for (std::size_t b = 0; b < machine.system.bodies.size() && !mode.is_of_states; ++b) {
      json.key(machine.system.lead_part(b).path).begin_array();
      for (Eigen::Index i = 0; i < 6; ++i) {
        const std::complex<double> value = mode.shape[static_cast<Eigen::Index>(6 * b) + i];
        json.begin_array().value(value.real()).value(value.imag()).end_array();
      }
      json.end_array();
    }
    json.end_object().end_object();
  }
  json.end_array().member("neutralMotions", modes.neutral).member("atRest", unrest_text(machine, motions).empty());
}

}  // namespace gelenk::app
