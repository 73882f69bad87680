#pragma once

#include <cmath>
#include <cstddef>
#include <optional>

#include "benchmarks/scenes.h"

// What the scenes must do: exact motions, and values on which independent programs agree.
namespace gelenk::scenes {

// Chain of 10 or 100 links, bent by chain_angle() and moving by chain_rate(): Σ q̈_i / (i + 1) over its joint
// coordinates (rad/s²), as two programs with joint coordinates give it to nine digits (tools/peer_core.py).
inline std::optional<double> chain_acceleration(std::size_t links) {
  if (links == 10) return -5.75427595;
  if (links == 100) return -5.75157667;
  return std::nullopt;
}
// Chain of 10 from rest, drawn horizontally: its tip after 2 s, as two programs with small steps give it (m).
inline constexpr double kChain10TipX = -7.599404025, kChain10TipY = -5.954339626;
inline double chain_angle(std::size_t i) { return 0.3 * std::sin(1.7 * static_cast<double>(i) + 0.4); }
inline double chain_rate(std::size_t i) { return 0.2 * std::cos(2.3 * static_cast<double>(i) + 0.1); }

// The classical step of fourth order for y' = f(y), y a pair of numbers.
template <class Rates>
void classical_step(double& a, double& b, double h, Rates rates) {
  const auto [a1, b1] = rates(a, b);
  const auto [a2, b2] = rates(a + h / 2 * a1, b + h / 2 * b1);
  const auto [a3, b3] = rates(a + h / 2 * a2, b + h / 2 * b2);
  const auto [a4, b4] = rates(a + h * a3, b + h * b3);
  a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  b += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
}

struct RatePair {
  double a, b;
};

// The parallelograms move as one: with θ the angle of the uprights from the vertical,
//   J θ̈ = G sin θ,   J = (n + 1)/3 + n,   G = g ((n + 1)/2 + n),
// n bays of rods of 1 m and 1 kg. The uprights turn about their feet, the beams only travel.
class FourBarsMotion {
 public:
  explicit FourBarsMotion(std::size_t bays) {
    const auto n = static_cast<double>(bays);
    ratio_ = 9.81 * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n);
  }

  double acceleration(double angle) const { return ratio_ * std::sin(angle); }
  // Goes on to a later time; its error is far below that of any run it is compared with.
  double angle_at(double time) {
    constexpr double kStep = 1e-4;
    const auto rates = [this](double angle, double rate) { return RatePair{rate, acceleration(angle)}; };
    while (time_ < time) {
      const double step = std::fmin(kStep, time - time_);
      classical_step(angle_, rate_, step, rates);
      time_ += step;
    }
    return angle_;
  }

 private:
  double ratio_ = 0.0;
  double time_ = 0.0, angle_ = 0.0, rate_ = 1.0;
};

// The engine has one free motion: with J(θ) its inertia reduced to the crank and V(θ) its potential energy,
//   θ̇ = √(2 (E - V(θ)) / J(θ)).
class EngineV6Motion {
 public:
  EngineV6Motion() { energy_ = 0.5 * inertia(0.0) * EngineV6::kSpeed * EngineV6::kSpeed + potential(0.0); }

  double energy() const { return energy_; }  // J
  double angle_at(double time) const {
    constexpr int kSteps = 100'000;
    const double step = time / kSteps;
    double angle = 0.0;
    double unused = 0.0;
    const auto rates = [this](double a, double) { return RatePair{rate(a), 0.0}; };
    for (int i = 0; i < kSteps; ++i) classical_step(angle, unused, step, rates);
    return angle;
  }

 private:
  using V6 = EngineV6;

  double rate(double angle) const { return std::sqrt(2.0 * (energy_ - potential(angle)) / inertia(angle)); }

  static double potential(double angle) {
    double sum = 0.0;
    for (int i = 0; i < V6::kCylinders; ++i) {
      const V6::Cylinder c = V6::cylinder(i, angle);
      sum +=
          V6::kGravity * (V6::kRodMass * (c.pin_z + V6::kRodCenter * c.rod_z) + V6::kPistonMass * c.height * c.bore_z);
    }
    return sum;
  }

  // Twice the kinetic energy at a crank rate of one.
  static double inertia(double angle) {
    double sum = V6::kCrankInertia;
    for (int i = 0; i < V6::kCylinders; ++i) {
      const V6::Rates d = V6::rates(V6::cylinder(i, angle));
      const double center_y = d.pin_y + V6::kRodCenter * d.rod_y;
      const double center_z = d.pin_z + V6::kRodCenter * d.rod_z;
      sum += V6::kRodMass * (center_y * center_y + center_z * center_z) + V6::kRodInertia * d.turn * d.turn +
             V6::kPistonMass * d.height * d.height;
    }
    return sum;
  }

  double energy_ = 0.0;
};

}  // namespace gelenk::scenes
