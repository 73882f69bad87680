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
class VectorProblem : public Problem, public ImplicitProblem, public FlatProblem {
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
  // Weights are tolerance · (floor + relative · |x|).
  Values floor{1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  double relative = 0.0;
  std::function<bool(const State&, Values&)> rate;
  std::function<bool(State&)> projection = [](State&) { return true; };
  std::vector<double> jumps;  // ascending
  std::vector<std::function<double(const State&)>> slack;

  explicit VectorProblem(std::size_t size) : size_(size) {}

  State& state(int slot) { return states_.at(static_cast<std::size_t>(slot)); }
  State& current() { return state(Integrator::kCurrentState); }
  State& output() { return state(Integrator::kOutputState); }
  Values& rate_values(int slot) { return rates_.at(static_cast<std::size_t>(slot)); }

  // Before the integrator is made.
  void start(double time, std::initializer_list<double> x) {
    states_.resize(1);
    current() = {.time = time};
    std::copy(x.begin(), x.end(), current().x.begin());
  }

  void reserve(int states, int rates, Chart) override {
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
  void combine_rates(std::span<const Term> terms, int to) override {
    rates_[static_cast<std::size_t>(to)] = sum(terms);
  }
  Norm error_norm(int from, int, std::span<const Term> error) override {
    const Values e = sum(error);
    Norm norm{0.0, size_};
    for (std::size_t i = 0; i < size_; ++i) {
      const double share = e[i] / weight(state(from), i);
      norm.sum += share * share;
    }
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

  void save_state(int slot, ByteWriter& out) const override {
    const State& s = states_.at(static_cast<std::size_t>(slot));
    out.put(s.time);
    for (const double x : s.x) out.put(x);
    out.put(s.passed);
    for (const bool side : s.on) out.put(side);
  }
  void load_state(int slot, ByteReader& in) override {
    State& s = state(slot);
    in.get(s.time);
    for (double& x : s.x) in.get(x);
    in.get(s.passed);
    for (bool& side : s.on) side = in.get<char>() != 0;
  }
  void save_rate(int rate_slot, ByteWriter& out) const override {
    for (const double x : rates_.at(static_cast<std::size_t>(rate_slot))) out.put(x);
  }
  void load_rate(int rate_slot, ByteReader& in) override {
    for (double& x : rates_.at(static_cast<std::size_t>(rate_slot))) in.get(x);
  }

  ImplicitProblem* implicit() override { return this; }
  bool factor_newton(int slot, double gamma) override {
    for (std::size_t column = 0; column < size_; ++column) {
      // Central differences: exact for quadratic rates but for rounding.
      const double change = 1e-5 * std::max(std::abs(state(slot).x[column]), 1e-3);
      State below = state(slot), above = state(slot);
      below.x[column] -= change;
      above.x[column] += change;
      Values rate_below{}, rate_above{};
      if (!rate(below, rate_below) || !rate(above, rate_above)) return false;
      for (std::size_t row = 0; row < size_; ++row) {
        const double slope = (rate_above[row] - rate_below[row]) / (2.0 * change);
        newton_[row][column] = (row == column ? 1.0 : 0.0) - gamma * slope;
      }
    }
    return true;
  }
  // Gauss elimination with pivots, on a copy.
  void solve_newton(int from, int to) override {
    std::array<Values, kCapacity> matrix = newton_;
    Values x = rates_[static_cast<std::size_t>(from)];
    for (std::size_t k = 0; k < size_; ++k) {
      std::size_t pivot = k;
      for (std::size_t row = k + 1; row < size_; ++row) {
        if (std::abs(matrix[row][k]) > std::abs(matrix[pivot][k])) pivot = row;
      }
      std::swap(matrix[k], matrix[pivot]);
      std::swap(x[k], x[pivot]);
      for (std::size_t row = k + 1; row < size_; ++row) {
        const double factor = matrix[row][k] / matrix[k][k];
        for (std::size_t column = k; column < size_; ++column) matrix[row][column] -= factor * matrix[k][column];
        x[row] -= factor * x[k];
      }
    }
    for (std::size_t k = size_; k-- > 0;) {
      for (std::size_t column = k + 1; column < size_; ++column) x[k] -= matrix[k][column] * x[column];
      x[k] /= matrix[k][k];
    }
    rates_[static_cast<std::size_t>(to)] = x;
  }
  // States here have no parts: stages of second order have no meaning.
  int solve_stage(const Stage&) override { return 0; }
  void combine_stage(int, double, std::span<const StageTerm>, int) override {}

  FlatProblem* flat() override { return this; }
  std::size_t dimension() const override { return size_; }
  void get_state(int slot, std::span<double> values) const override {
    std::copy_n(states_.at(static_cast<std::size_t>(slot)).x.begin(), size_, values.begin());
  }
  void set_state_values(int slot, double time, std::span<const double> values) override {
    state(slot).time = time;
    std::copy_n(values.begin(), size_, state(slot).x.begin());
  }
  void get_rate(int slot, std::span<double> values) const override {
    std::copy_n(rates_.at(static_cast<std::size_t>(slot)).begin(), size_, values.begin());
  }
  void set_rate(int slot, std::span<const double> values) override {
    std::copy_n(values.begin(), size_, rate_values(slot).begin());
  }
  void weights(int slot, std::span<double> values) override {
    for (std::size_t i = 0; i < size_; ++i) values[i] = 1.0 / weight(state(slot), i);
  }

 private:
  double weight(const State& s, std::size_t i) const { return tolerance * (floor[i] + relative * std::abs(s.x[i])); }
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
  std::array<Values, kCapacity> newton_{};  // I - gamma·J
};

// Steps of the same length with either method; with dopri5 the error is ignored if the problem's tolerance is infinite.
inline Options fixed_steps(Method method, double step) {
  Options options;
  options.method = method;
  options.step = options.max_step = options.first_step = step;
  return options;
}

inline bool is_multistep(Method method) {
  return method == Method::adams || method == Method::bdf || method == Method::cvode;
}

// Steps of that length; of methods whose order follows from the error, shorter ones that are about as good.
inline Options good_steps(VectorProblem& problem, Method method, double step) {
  Options options = fixed_steps(method, step);
  if (!is_multistep(method)) return options;
  problem.tolerance = options.tolerance = 1e-13;
  options.first_step = 0.0;
  return options;
}

inline Options adaptive_steps(double tolerance) {
  Options options;
  options.tolerance = tolerance;
  return options;
}

inline std::string method_name(const testing::TestParamInfo<Method>& method) {
  switch (method.param) {
    case Method::rk4:
      return "rk4";
    case Method::dopri5:
      return "dopri5";
    case Method::adams:
      return "adams";
    case Method::bdf:
      return "bdf";
    case Method::generalized_alpha:
      return "generalized_alpha";
    case Method::cvode:
      return "cvode";
    case Method::moreau:
      return "moreau";
  }
  return "unknown";
}

// A point x, y with velocity vx, vy back onto the unit circle, the velocity along it.
inline bool onto_unit_circle(VectorProblem::State& s) {
  auto& [x, y, vx, vy, unused_1, unused_2] = s.x;
  const double length = std::hypot(x, y);
  x /= length;
  y /= length;
  const double radial = x * vx + y * vy;
  vx -= radial * x;
  vy -= radial * y;
  return true;
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
