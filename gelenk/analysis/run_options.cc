#include "gelenk/analysis/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gelenk/base/text.h"
#include "gelenk/model/foreign_words.h"
#include "gelenk/system/hard_laws.h"

namespace gelenk::analysis {
namespace {

using integrate::Method;

constexpr double kDefaultOutputs = 500.0;  // rows of a run when nothing else is said: enough for a plot
// Explicit methods are stable up to about this product of step and rate.
constexpr double kExplicitReach = 3.0;
// More steps than this only for stability, and an implicit method, whose steps cost about ten times as much, pays.
constexpr double kManySteps = 20'000.0;
// Below this tolerance the order of Adams methods pays (docs/methods.md).
constexpr double kTight = 1e-8;

struct Named {
  Method method;
  std::string_view name;
};
constexpr std::array kMethods{Named{Method::rk4, "rk4"},
                              Named{Method::dopri5, "dopri5"},
                              Named{Method::adams, "adams"},
                              Named{Method::bdf, "bdf"},
                              Named{Method::generalized_alpha, "generalized_alpha"},
                              Named{Method::cvode, "cvode"},
                              Named{Method::moreau, "moreau"}};

template <class T>
std::optional<T> either(const std::optional<T>& user, const std::optional<T>& model) {
  return user ? user : model;
}

bool is_positive(double x) { return std::isfinite(x) && x > 0.0; }

// Sets the method and whether it is still open. What does not exist is reported in `error`.
bool read_method(const std::optional<std::string>& name, bool has_step, RunOptions& options, std::string& error) {
  if (!name) {
    // A step alone means the explicit method that has one.
    options.method = has_step ? Method::rk4 : Method::dopri5;
    options.is_auto = !has_step;
    return true;
  }
  options.is_auto = options.asks_for_auto = *name == "auto";
  const std::optional<Method> method = options.is_auto ? Method::dopri5 : method_of_name(*name);
  if (!method) {
    const std::string here = model::hint_for_method(*name);
    error = here.empty() ? fmt::format("there is no method '{}': choose auto, {}", *name, method_names(", "))
                         : fmt::format("there is no method '{}': {}", *name, here);
    return false;
  }
  options.method = options.is_auto && has_step ? Method::rk4 : *method;
  return true;
}

// Contacts run with one method, and not everywhere.
std::string contact_problem(const system::System& system, const RunOptions& options) {
  const bool has_jumps = options.method == Method::moreau && !options.is_auto;
  if (!has_jumps && system.has_jumps()) {
    return fmt::format("the machine has {}, and {} cannot follow them: use method moreau with a step",
                       system::jumps_text(system), options.is_auto ? "auto" : method_name(options.method));
  }
  if (!has_jumps) return {};
  if (!system.sealed.empty()) {
    return fmt::format("method moreau cannot run machines with sealed components yet, such as '{}'",
                       system.sealed.front().path);
  }
  return {};
}

}  // namespace

bool RunOptions::is_adaptive(Method method) {
  return method != Method::rk4 && method != Method::generalized_alpha && method != Method::moreau;
}

std::string method_name(Method method) {
  return std::string(std::ranges::find(kMethods, method, &Named::method)->name);
}

std::optional<Method> method_of_name(const std::string& name) {
  const auto* const found = std::ranges::find(kMethods, name, &Named::name);
  return found == kMethods.end() ? std::nullopt : std::optional(found->method);
}

std::string method_names(std::string_view separator) {
  std::string result;
  for (const Named& one : kMethods) result += fmt::format("{}{}", result.empty() ? "" : separator, one.name);
  return result;
}

std::optional<RunOptions> decide_options(const model::SimulationSettings& model, const model::SimulationSettings& user,
                                         std::string& error) {
  RunOptions result;
  const std::optional<std::string> method = either(user.method, model.method);
  std::optional<double> step = either(user.step, model.step);
  std::optional<double> tolerance = either(user.tolerance, model.tolerance);
  std::optional<double> max_step = either(user.max_step, model.max_step);
  const std::optional<double> spectral_radius = either(user.spectral_radius, model.spectral_radius);
  const std::optional<double> duration = either(user.duration, model.duration);
  result.is_default = !method && !step && !tolerance && !duration;
  // A tolerance of the user asks for a method that has one, whatever step the model has.
  const bool has_step = user.step || (step && !user.tolerance && !user.max_step);
  if (!read_method(method, has_step, result, error)) return std::nullopt;
  // What the user says about the other kind of method is a mistake; what the model says is only not used.
  if (result.is_adaptive()) {
    if (user.step) {
      error = fmt::format("{} chooses its own steps: give a tolerance or max_step, or use method rk4",
                          method_name(result.method));
      return std::nullopt;
    }
    step.reset();
  } else {
    if (user.tolerance || user.max_step) {
      error = fmt::format("{} has a fixed step: give a step, or use method dopri5", method_name(result.method));
      return std::nullopt;
    }
    tolerance.reset();
    max_step.reset();
    if (!step) {
      error = fmt::format("{} needs a step, for example 1 ms", method_name(result.method));
      return std::nullopt;
    }
  }
  if (user.spectral_radius && result.method != Method::generalized_alpha && !result.is_auto) {
    error = fmt::format("spectral_radius belongs to generalized_alpha, not to {}", method_name(result.method));
    return std::nullopt;
  }
  if (const std::optional<std::string> name = either(user.reactions, model.reactions)) {
    const std::optional<ReactionSplit> split = split_of_name(*name);
    if (!split) {
      error = fmt::format("there is no way '{}' to share reactions: choose by_mass or equal", *name);
      return std::nullopt;
    }
    result.split = *split;
  }
  result.duration = duration.value_or(result.duration);
  result.step = step.value_or(0.0);
  result.tolerance = tolerance.value_or(result.tolerance);
  result.max_step = max_step.value_or(0.0);
  result.spectral_radius = spectral_radius.value_or(result.spectral_radius);
  const std::optional<double> output_every = either(user.output_every, model.output_every);
  if (output_every) {
    result.output_every = *output_every;
  } else {
    result.output_every = result.duration / kDefaultOutputs;
    if (!result.is_adaptive()) {
      result.output_every = result.step * std::max(1.0, std::round(result.output_every / result.step));
    }
  }
  if (!is_positive(result.duration) || !is_positive(result.output_every) ||
      (result.is_adaptive() ? !is_positive(result.tolerance) : !is_positive(result.step))) {
    error = "duration, step, tolerance and output_every must be positive";
    return std::nullopt;
  }
  if (!(result.spectral_radius >= 0.0 && result.spectral_radius <= 1.0)) {
    error = "spectral_radius must be between 0 and 1";
    return std::nullopt;
  }
  return result;
}

model::SimulationSettings settings_with_contacts(const model::Machine& machine, const model::SimulationSettings& user) {
  constexpr double kUsualStep = 1e-3;  // s
  model::SimulationSettings result = machine.simulation;
  const bool has_hard_forces = std::any_of(machine.forces.begin(), machine.forces.end(),
                                           [](const model::ForceNode& force) { return force.type->is_hard; });
  if (machine.contacts.empty() && !has_hard_forces) return result;
  const bool is_auto = user.method ? *user.method == "auto" : !result.method || *result.method == "auto";
  if (is_auto && !user.method) result.method = "moreau";
  if (result.method == "moreau" && !result.step) result.step = kUsualStep;
  return result;
}

// Loads of joints are found anew in every step, and an error of theirs comes back with the other sign and `radius` of
// its size. At high speed the equations feed it: at 0.99 four-bars end in infinity after two thousand steps, at 0.95
// they do not (tests/generalized_alpha_test.cc).
std::string method_problem(const system::System& system, const RunOptions& options) {
  constexpr double kLargestSafeRadius = 0.9;
  if (std::string problem = contact_problem(system, options); !problem.empty()) return problem;
  if (options.method != Method::generalized_alpha || system.rows.empty()) return {};
  if (options.spectral_radius <= kLargestSafeRadius) return {};
  return fmt::format(
      "spectral_radius is {}, but machines with joints need {} or less: without damping, errors in joint loads grow "
      "from step to step without limit",
      format_rounded(options.spectral_radius, 6), kLargestSafeRadius);
}

void choose_method(const Stiffness& stiffness, bool has_switches, RunOptions& options) {
  if (!options.is_auto) return;
  options.is_auto = false;
  const std::string fast =
      fmt::format("'{}' changes the motion at {} per second", stiffness.element, format_rounded(stiffness.rate(), 2));
  if (options.step > 0.0) {
    const bool is_stable = options.step * stiffness.rate() < kExplicitReach;
    options.method = is_stable ? Method::rk4 : Method::generalized_alpha;
    options.method_reason =
        is_stable ? "the step is short enough for an explicit method" : fast + ", too fast for an explicit step";
    return;
  }
  const double stability_steps = options.duration * stiffness.rate() / kExplicitReach;
  if (stability_steps > kManySteps) {
    options.method = Method::bdf;
    options.method_reason = fmt::format("{}: an explicit method would need {} steps to stay stable", fast,
                                        format_rounded(stability_steps, 2));
  } else if (options.tolerance < kTight && !has_switches) {
    options.method = Method::adams;
    options.method_reason = "a smooth machine and a tight tolerance";
  } else {
    options.method = Method::dopri5;
    options.method_reason = "nothing in this machine is too fast for an explicit method";
  }
}

}  // namespace gelenk::analysis
