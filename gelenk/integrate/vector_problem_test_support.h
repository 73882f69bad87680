#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "gelenk/integrate/integrator.h"

namespace gelenk::integrate {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Ordinary differential equations in a few numbers, made of functions. For tests.
class VectorProblem : public Problem {
 public:
  static constexpr std::size_t kCapacity = 6;
  static constexpr std::size_t kSwitches = 4;
  using Values = std::array<double, kCapacity>;

  struct State {
    double time = 0.0;
    Values x{};
    int passed = 0;                    // discontinuities crossed
    std::array<bool, kSwitches> on{};  // sides of the switches
    bool operator==(const State&) const = default;
  };

  // Weight of the errors: the tolerance, or a large number where the step is to be left alone.
  double tolerance = kInfinity;
  std::function<bool(const State&, Values&)> rate;
  std::function<bool(State&)> projection = [](State&) { return true; };
  std::vector<double> jumps;  // ascending
  std::vector<std::function<double(const State&)>> slack;

  explicit VectorProblem(std::size_t size) : size_(size) {}

  State& state(int slot) { return states_.at(static_cast<std::size_t>(slot)); }
  State& current() { return state(Integrator::kCurrentState); }
  State& output() { return state(Integrator::kOutputState); }

  // Before the integrator is made.
  void start(double time, std::initializer_list<double> x) {
    states_.resize(1);
    current() = {.time = time};
    std::copy(x.begin(), x.end(), current().x.begin());
  }

  void reserve(int states, int rates) override {
    states_.resize(static_cast<std::size_t>(states));
    rates_.resize(static_cast<std::size_t>(rates));
  }
  void copy(int from, int to) override { state(to) = state(from); }
  bool evaluate(int from, int to) override {
    return rate(state(from), rates_[static_cast<std::size_t>(to)]) && std::isfinite(state(from).x[0]);
  }
  void combine(int from, double time, std::span<const Term> terms, int to) override {
    const Values offset = sum(terms);
    state(to) = state(from);
    state(to).time = time;
    for (std::size_t i = 0; i < size_; ++i) state(to).x[i] += offset[i];
  }
  Norm error_norm(int, int, std::span<const Term> error) override {
    const Values e = sum(error);
    Norm norm{0.0, size_};
    for (std::size_t i = 0; i < size_; ++i) norm.sum += e[i] / tolerance * e[i] / tolerance;
    return norm;
  }
  bool project(int slot) override { return projection(state(slot)); }
  double next_discontinuity(double time) override {
    const auto next = std::upper_bound(jumps.begin(), jumps.end(), time);
    return next == jumps.end() ? kInfinity : *next;
  }
  void cross(int slot) override { ++state(slot).passed; }
  std::size_t switch_count() const override { return slack.size(); }
  void slacks(int slot, std::span<double> values) override {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = slack[i](state(slot));
  }
  void flip(int slot, std::size_t which) override { state(slot).on[which] = !state(slot).on[which]; }

 private:
  Values sum(std::span<const Term> terms) const {
    Values total{};
    for (const Term& term : terms) {
      const Values& r = rates_[static_cast<std::size_t>(term.rate)];
      for (std::size_t i = 0; i < size_; ++i) total[i] += term.coefficient * r[i];
    }
    return total;
  }

  std::size_t size_;
  std::vector<State> states_;
  std::vector<Values> rates_;
};

// Steps of the same length with either method; with dopri5 the error is ignored if the problem's tolerance is infinite.
inline Options fixed_steps(Method method, double step) {
  Options options;
  options.method = method;
  options.step = options.max_step = options.first_step = step;
  return options;
}

inline Options adaptive_steps(double tolerance) {
  Options options;
  options.tolerance = tolerance;
  return options;
}

inline std::string method_name(const testing::TestParamInfo<Method>& method) {
  return method.param == Method::rk4 ? "rk4" : "dopri5";
}

// All the way to `end`; the outcome is the first failure, or ok.
inline Outcome run(Integrator& integrator, double end) {
  while (integrator.time() < end) {
    if (integrator.advance(end) == Outcome::failed) return Outcome::failed;
  }
  return Outcome::ok;
}

// p from two errors whose steps have the ratio 2: error ~ hᵖ.
inline double observed_order(double coarse_error, double fine_error) { return std::log2(coarse_error / fine_error); }

}  // namespace gelenk::integrate
