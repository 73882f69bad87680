#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gelenk/integrate/nordsieck.h"
#include "gelenk/integrate/vector_problem_test_support.h"

// For tests of multistep methods: problems with known solutions, and steps without an integrator around them.
namespace gelenk::integrate {

// Takes good steps, without events and limits.
class Steps {
 public:
  Steps(VectorProblem& problem, Multistep method, double tolerance, int max_order = 0)
      : problem_(problem), stepper_(problem, method, tolerance, max_order) {
    problem_.tolerance = tolerance;
  }

  void advance(double longest = kInfinity) {
    EXPECT_TRUE(stepper_.begin(time_));
    if (length_ == 0.0) length_ = stepper_.first_step(1.0);
    length_ = std::min(length_, longest);
    double error = kInfinity;
    for (int tries = 0; tries < 20 && error > 1.0; ++tries) {
      if (tries > 0) length_ = stepper_.shorter_step(length_, error);
      if (stepper_.take(time_ + length_)) error = stepper_.error();
    }
    EXPECT_LE(error, 1.0);
    problem_.copy(Stepper::kEndState, Stepper::kCurrentState);
    EXPECT_TRUE(problem_.project(Stepper::kCurrentState));
    time_ = stepper_.end_time();
    stepper_.accept();
    length_ = stepper_.next_step(length_, error);
    ++count_;
  }

  double time() const { return time_; }
  int count() const { return count_; }
  Nordsieck& stepper() { return stepper_; }

 private:
  VectorProblem& problem_;
  Nordsieck stepper_;
  double time_ = 0.0;
  double length_ = 0.0;
  int count_ = 0;
};

// x' = -y, y' = x; x = cos t, y = sin t.
inline VectorProblem linear_circle() {
  VectorProblem problem(2);
  problem.start(0.0, {1.0, 0.0});
  problem.rate = [](const VectorProblem::State& s, VectorProblem::Values& rate) {
    rate[0] = -s.x[1];
    rate[1] = s.x[0];
    return true;
  };
  return problem;
}

// x' = -r² y, y' = r² x with r² = x² + y², so that the speed depends on the error of the radius; x = cos t, y = sin t.
inline VectorProblem nonlinear_circle() {
  VectorProblem problem(2);
  problem.start(0.0, {1.0, 0.0});
  problem.rate = [](const VectorProblem::State& s, VectorProblem::Values& rate) {
    const double r2 = s.x[0] * s.x[0] + s.x[1] * s.x[1];
    rate[0] = -r2 * s.x[1];
    rate[1] = r2 * s.x[0];
    return true;
  };
  return problem;
}

// A point on the unit circle, (x, y)'' = -λ (x, y) with λ = v² / r² from the second derivative of the constraint; the
// projection holds the constraint and its rate. x = cos t, y = sin t.
inline VectorProblem projected_circle() {
  VectorProblem problem(4);
  problem.start(0.0, {1.0, 0.0, 0.0, 1.0});
  problem.rate = [](const VectorProblem::State& s, VectorProblem::Values& rate) {
    const auto& [x, y, vx, vy, unused_1, unused_2] = s.x;
    const double lambda = (vx * vx + vy * vy) / (x * x + y * y);
    rate = {vx, vy, -lambda * x, -lambda * y};
    return true;
  };
  problem.projection = onto_unit_circle;
  return problem;
}

// Two bodies, eccentricity 0.3, period 2π, from the perihelion on.
inline constexpr double kEccentricity = 0.3;
inline VectorProblem orbit() {
  VectorProblem problem(4);
  problem.start(0.0, {1.0 - kEccentricity, 0.0, 0.0, std::sqrt((1.0 + kEccentricity) / (1.0 - kEccentricity))});
  problem.rate = [](const VectorProblem::State& s, VectorProblem::Values& rate) {
    const double distance = std::hypot(s.x[0], s.x[1]);
    const double pull = 1.0 / (distance * distance * distance);
    rate = {s.x[2], s.x[3], -pull * s.x[0], -pull * s.x[1]};
    return true;
  };
  return problem;
}
// After whole periods.
inline double orbit_error(const VectorProblem::State& s) { return std::hypot(s.x[0] - (1.0 - kEccentricity), s.x[1]); }

// Prothero and Robinson: y' = -λ (y - cos t) - sin t, y = cos t, whatever λ is.
inline VectorProblem follower(double lambda) {
  VectorProblem problem(1);
  problem.start(0.0, {1.0});
  problem.rate = [lambda](const VectorProblem::State& s, VectorProblem::Values& rate) {
    rate[0] = -lambda * (s.x[0] - std::cos(s.time)) - std::sin(s.time);
    return true;
  };
  return problem;
}

// Robertson's reaction.
inline VectorProblem robertson() {
  VectorProblem problem(3);
  problem.start(0.0, {1.0, 0.0, 0.0});
  problem.floor = {1e-4, 1e-10, 1e-2};
  problem.relative = 1.0;
  problem.rate = [](const VectorProblem::State& s, VectorProblem::Values& rate) {
    const double slow = 0.04 * s.x[0], back = 1e4 * s.x[1] * s.x[2], fast = 3e7 * s.x[1] * s.x[1];
    rate = {-slow + back, slow - back - fast, fast};
    return true;
  };
  return problem;
}

// Van der Pol in its slow time: y'' = μ ((1 - y²) y' - y), from y = 2 at rest.
inline VectorProblem van_der_pol(double mu) {
  VectorProblem problem(2);
  problem.start(0.0, {2.0, 0.0});
  problem.relative = 1.0;
  problem.rate = [mu](const VectorProblem::State& s, VectorProblem::Values& rate) {
    rate = {s.x[1], mu * ((1.0 - s.x[0] * s.x[0]) * s.x[1] - s.x[0])};
    return true;
  };
  return problem;
}

}  // namespace gelenk::integrate
