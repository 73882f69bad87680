#include "gelenk/analysis/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelenk::analysis {
namespace {

constexpr double kDefaultOutputs = 500.0;  // rows of a run when nothing else is said: enough for a plot

template <class T>
std::optional<T> either(const std::optional<T>& user, const std::optional<T>& model) {
  return user ? user : model;
}

}  // namespace

std::string method_name(integrate::Method method) { return method == integrate::Method::rk4 ? "rk4" : "dopri5"; }

std::optional<RunOptions> decide_options(const model::SimulationSettings& model, const model::SimulationSettings& user,
                                         std::string& error) {
  RunOptions result;
  const std::optional<std::string> method = either(user.method, model.method);
  std::optional<double> step = either(user.step, model.step);
  std::optional<double> tolerance = either(user.tolerance, model.tolerance);
  std::optional<double> max_step = either(user.max_step, model.max_step);
  const std::optional<double> duration = either(user.duration, model.duration);
  result.is_default = !method && !step && !tolerance && !duration;
  if (method && *method != "rk4" && *method != "dopri5") {
    error = fmt::format("there is no method '{}': choose rk4 or dopri5", *method);
    return std::nullopt;
  }
  // A step alone means the method that has one.
  result.method = method ? (*method == "rk4" ? integrate::Method::rk4 : integrate::Method::dopri5)
                         : (step ? integrate::Method::rk4 : integrate::Method::dopri5);
  // What the user says about the other kind of method is a mistake; what the model says is only not used.
  if (result.is_adaptive()) {
    if (user.step) {
      error = fmt::format("{} chooses its steps itself: give a tolerance or max_step, or take method rk4",
                          method_name(result.method));
      return std::nullopt;
    }
    step.reset();
  } else {
    if (user.tolerance || user.max_step) {
      error = fmt::format("{} has a fixed step: give a step, or take method dopri5", method_name(result.method));
      return std::nullopt;
    }
    tolerance.reset();
    max_step.reset();
  }
  if (!result.is_adaptive() && !step) {
    error = fmt::format("{} needs a step, for example 1 ms", method_name(result.method));
    return std::nullopt;
  }
  result.duration = duration.value_or(result.duration);
  result.step = step.value_or(0.0);
  result.tolerance = tolerance.value_or(result.tolerance);
  result.max_step = max_step.value_or(0.0);
  const std::optional<double> output_every = either(user.output_every, model.output_every);
  if (output_every) {
    result.output_every = *output_every;
  } else {
    result.output_every = result.duration / kDefaultOutputs;
    if (!result.is_adaptive()) {
      result.output_every = result.step * std::max(1.0, std::round(result.output_every / result.step));
    }
  }
  const auto is_positive = [](double x) { return std::isfinite(x) && x > 0.0; };
  if (!is_positive(result.duration) || !is_positive(result.output_every) ||
      (result.is_adaptive() ? !is_positive(result.tolerance) : !is_positive(result.step))) {
    error = "duration, step, tolerance and output_every must be positive";
    return std::nullopt;
  }
  return result;
}

}  // namespace gelenk::analysis
