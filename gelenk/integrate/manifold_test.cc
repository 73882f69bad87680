#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "gelenk/integrate/integrator.h"
#include "gelenk/integrate/vector_problem_test_support.h"
#include "gelenk/math/pose.h"

namespace gelenk::integrate::manifold_test {
namespace {

// Observed orders approach the true one as h -> 0, from above where the first term of the error is a small one.
constexpr double kOrderTolerance = 0.25;

Quaternion exponential(const Vector3& turn) {
  const double angle = turn.norm();
  const double half_sinc = angle < 1e-8 ? 0.5 : std::sin(0.5 * angle) / angle;
  const Vector3 v = half_sinc * turn;
  return {std::cos(0.5 * angle), v.x(), v.y(), v.z()};
}

// θ' from the spatial angular velocity ω of R = exp(θ) R₀: ω - θ×ω/2 + (1 - φ/2 cot φ/2) / φ² θ×(θ×ω), φ = |θ|.
Vector3 inverse_differential(const Vector3& turn, const Vector3& omega) {
  const double angle = turn.norm();
  const double half = 0.5 * angle;
  const double factor = angle < 1e-4 ? 1.0 / 12.0 : (1.0 - half / std::tan(half)) / (angle * angle);
  const Vector3 first = turn.cross(omega);
  return omega - 0.5 * first + factor * turn.cross(first);
}

// A free symmetric top on SO(3) × R³: orientation q = R_WB and spatial angular velocity ω, moments of inertia (A, A,
// C).
class FreeTop : public Problem {
 public:
  static constexpr double kTransverse = 2.0;  // A, kg m²
  static constexpr double kAxial = 0.7;       // C

  struct State {
    double time = 0.0;
    Quaternion q = Quaternion::Identity();
    Vector3 omega{0.4, -0.9, 3.0};
    Vector3 offset = Vector3::Zero();  // turn since the base
  };
  struct Rate {
    Vector3 turn;
    Vector3 omega;
  };

  // False: adds rates of different tangent spaces as if they were one. It is there to see that the difference shows.
  bool transports_rates = true;

  FreeTop() : states_(1) {}

  State& current() { return states_[Integrator::kCurrentState]; }
  State& output() { return states_[Integrator::kOutputState]; }

  // L = R I Rᵀ ω stays. R(t) = exp(t L/A) R₀ exp(t ω₃ (A - C)/A e₃), ω₃ the body's own spin.
  Quaternion truth(double time) const {
    const State start;
    const Vector3 momentum = inertia_times(start.q, start.omega);
    const double spin = start.omega.z() * (kTransverse - kAxial) / kTransverse;
    return exponential(time / kTransverse * momentum) * exponential(Vector3(0, 0, time * spin));
  }

  void reserve(int states, int rates, Chart) override {
    states_.resize(static_cast<std::size_t>(states));
    rates_.resize(static_cast<std::size_t>(rates));
  }
  void copy(int from, int to) override { state(to) = state(from); }
  bool evaluate(int from, int to) override {
    const State& s = state(from);
    // I ω' = -ω × I ω in the body, here with all vectors in the world
    const Vector3 torque = -s.omega.cross(inertia_times(s.q, s.omega));
    const Vector3 body = s.q.conjugate() * torque;
    const Vector3 alpha = s.q * Vector3(body.x() / kTransverse, body.y() / kTransverse, body.z() / kAxial);
    const Vector3 turn = transports_rates ? inverse_differential(s.offset, s.omega) : s.omega;
    rates_[static_cast<std::size_t>(to)] = {turn, alpha};
    return true;
  }
  void combine(int from, double time, std::span<const Term> terms, int to) override {
    State result = state(from);
    result.time = time;
    result.offset = Vector3::Zero();
    for (const Term& term : terms) {
      const Rate& rate = rates_[static_cast<std::size_t>(term.rate)];
      result.offset += term.coefficient * rate.turn;
      result.omega += term.coefficient * rate.omega;
    }
    result.q = exponential(result.offset) * result.q;
    state(to) = result;
  }
  void combine_rates(std::span<const Term> terms, int to) override {
    Rate result{Vector3::Zero(), Vector3::Zero()};
    for (const Term& term : terms) {
      const Rate& rate = rates_[static_cast<std::size_t>(term.rate)];
      result.turn += term.coefficient * rate.turn;
      result.omega += term.coefficient * rate.omega;
    }
    rates_[static_cast<std::size_t>(to)] = result;
  }
  Norm error_norm(int, int, std::span<const Term>) override { return {}; }
  bool project(int slot) override {
    state(slot).q.normalize();
    state(slot).offset.setZero();
    return true;
  }
  double next_discontinuity(double) override { return kInfinity; }
  void cross(int) override {}
  std::size_t switch_count() const override { return 0; }
  void slacks(int, std::span<double>) override {}
  void flip(int, std::size_t) override {}
  // Nothing is continued here.
  void save_state(int, ByteWriter&) const override {}
  void load_state(int, ByteReader&) override {}
  void save_rate(int, ByteWriter&) const override {}
  void load_rate(int, ByteReader&) override {}

 private:
  static Vector3 inertia_times(const Quaternion& q, const Vector3& omega) {
    const Vector3 body = q.conjugate() * omega;
    return q * Vector3(kTransverse * body.x(), kTransverse * body.y(), kAxial * body.z());
  }
  State& state(int slot) { return states_[static_cast<std::size_t>(slot)]; }

  std::vector<State> states_;
  std::vector<Rate> rates_;
};

class OnManifold : public testing::TestWithParam<Method> {
 protected:
  static int order() { return GetParam() == Method::rk4 ? 4 : 5; }
};

INSTANTIATE_TEST_SUITE_P(All, OnManifold, testing::Values(Method::rk4, Method::dopri5), method_name);

// Largest angle (rad) to the closed form, at the ends of steps or inside.
double top_error(Method method, double step, bool transports_rates, bool inside) {
  FreeTop top;
  top.transports_rates = transports_rates;
  Integrator integrator(top, fixed_steps(method, step), 0.0);
  double worst = 0.0;
  while (integrator.time() < 2.0) {
    EXPECT_EQ(integrator.advance(2.0), Outcome::ok);
    const double time = integrator.time() - (inside ? 0.4 * integrator.last_step() : 0.0);
    EXPECT_TRUE(integrator.interpolate(time));
    worst = std::max(worst, top.output().q.angularDistance(top.truth(time)));
  }
  return worst;
}

TEST_P(OnManifold, RotationsConvergeWithTheOrderOfTheMethod) {
  const double coarse = top_error(GetParam(), 1.0 / 32, true, false);
  EXPECT_GT(observed_order(coarse, top_error(GetParam(), 1.0 / 64, true, false)), order() - kOrderTolerance);
}

TEST_P(OnManifold, DenseRotationsConvergeWithTheOrderOfTheMethod) {
  const double coarse = top_error(GetParam(), 1.0 / 32, true, true);
  EXPECT_GT(observed_order(coarse, top_error(GetParam(), 1.0 / 64, true, true)), order() - kOrderTolerance);
}

TEST_P(OnManifold, WithoutTransportOfRatesTheOrderIsLost) {
  const double coarse = top_error(GetParam(), 1.0 / 32, false, false);
  EXPECT_LT(observed_order(coarse, top_error(GetParam(), 1.0 / 64, false, false)), 3.5);
}

// Pendulum of length 1 in x, y: (x, y)'' = (0, -g) - λ (x, y) with λ = v² - g y from the second derivative of
// x² + y² = 1. Only the acceleration is on the constraint by itself.
constexpr double kGravity = 9.81;

VectorProblem cartesian_pendulum(bool projected) {
  using State = VectorProblem::State;
  VectorProblem problem(4);
  problem.start(0.0, {1.0, 0.0, 0.0, 0.0});
  problem.rate = [](const State& s, VectorProblem::Values& rate) {
    const auto& [x, y, vx, vy, unused_1, unused_2] = s.x;
    const double lambda = (vx * vx + vy * vy - kGravity * y) / (x * x + y * y);
    rate = {vx, vy, -lambda * x, -kGravity - lambda * y};
    return true;
  };
  if (!projected) return problem;
  problem.projection = onto_unit_circle;
  return problem;
}

double drift(const VectorProblem::State& s) { return std::abs(std::hypot(s.x[0], s.x[1]) - 1.0); }
double radial_velocity(const VectorProblem::State& s) { return std::abs(s.x[0] * s.x[2] + s.x[1] * s.x[3]); }

TEST_P(OnManifold, ProjectionKeepsTheConstraintsInStepsAndOutputs) {
  constexpr double kRounding = 1e-15;
  VectorProblem problem = cartesian_pendulum(true);
  VectorProblem drifting = cartesian_pendulum(false);
  Integrator integrator(problem, fixed_steps(GetParam(), 0.01), 0.0);
  Integrator without(drifting, fixed_steps(GetParam(), 0.01), 0.0);
  while (integrator.time() < 20.0) {
    ASSERT_EQ(integrator.advance(20.0), Outcome::ok);
    ASSERT_TRUE(integrator.interpolate(integrator.time() - 0.004));
    for (const VectorProblem::State& state : {problem.current(), problem.output()}) {
      ASSERT_LT(drift(state), kRounding);
      ASSERT_LT(radial_velocity(state), 10 * kRounding);  // velocities up to 4.4 m/s
    }
  }
  EXPECT_EQ(run(without, 20.0), Outcome::ok);
  EXPECT_GT(drift(drifting.current()), 1e6 * kRounding);
}

// S0-23: a projection changes a step by no more than the order of its error.
TEST_P(OnManifold, ProjectionKeepsTheOrder) {
  const auto error = [&](double step) {
    // Beside it the pendulum in its angle from the vertical, with steps so small that its error does not count.
    VectorProblem angle(2);
    angle.start(0.0, {0.5 * std::numbers::pi, 0.0});
    angle.rate = [](const VectorProblem::State& s, VectorProblem::Values& rate) {
      rate = {s.x[1], -kGravity * std::sin(s.x[0])};
      return true;
    };
    Integrator reference(angle, fixed_steps(Method::dopri5, 1.0 / 1024), 0.0);
    VectorProblem problem = cartesian_pendulum(true);
    Integrator integrator(problem, fixed_steps(GetParam(), step), 0.0);
    double worst = 0.0;
    while (integrator.time() < 2.0) {
      EXPECT_EQ(integrator.advance(2.0), Outcome::ok);
      EXPECT_EQ(run(reference, integrator.time()), Outcome::ok);
      const VectorProblem::Values& x = problem.current().x;
      const double phi = angle.current().x[0];
      worst = std::max(worst, std::hypot(x[0] - std::sin(phi), x[1] + std::cos(phi)));
    }
    return worst;
  };
  EXPECT_GT(observed_order(error(1.0 / 64), error(1.0 / 128)), order() - kOrderTolerance);
}

}  // namespace
}  // namespace gelenk::integrate::manifold_test
