#pragma once

#include "gelenk/integrate/stepper.h"

namespace gelenk::integrate {

// The generalized-α method on a Lie group in index-3 form (Brüls and Cardona, J. Comput. Nonlinear Dynam. 5, 2010; here
// with angular velocities in world axes, which exchanges left and right): second order, unconditionally stable, with
// damping of what is too fast for the step. Fixed step.
//
//   q₁ = q₀ ⊞ (h v₀ + h² (½-β) A₀ + h² β A₁),   v₁ = v₀ + h (1-γ) A₀ + h γ A₁
//   (1-αₘ) A₁ + αₘ A₀ = (1-α_f) v̇₁ + α_f v̇₀,   M v̇₁ = f(q₁, v₁) + Gᵀλ₁,   g(q₁) = 0
//
// A is an average of accelerations near t + (αₘ-α_f) h. States of first order follow the same formulas as v.
class GeneralizedAlpha : public Stepper {
 public:
  // The problem must have implicit(). spectral_radius: what is left of an infinitely fast oscillation after a step.
  GeneralizedAlpha(Problem& problem, double spectral_radius);

  bool sees_ends_only() const override { return true; }
  bool is_adaptive() const override { return false; }
  int order() const override { return 2; }
  bool begin(double time) override;
  bool take(double end) override;
  double error() override { return 0.0; }
  void interpolate(double time, int to) override;
  void accept() override;
  bool restart() override;
  double first_step(double longest) override { return longest; }
  double next_step(double length, double) override { return length; }
  double shorter_step(double length, double) override { return 0.5 * length; }
  double shorter_step_after_failure(double length, int /*before*/) override { return 0.5 * length; }
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;

 private:
  static constexpr int kStartRate = 0;
  static constexpr int kEndRate = 1;
  static constexpr int kStartAverage = 2;
  static constexpr int kEndAverage = 3;
  static constexpr int kKeptRate = 4;
  static constexpr int kProbeRate = 5;
  static constexpr int kRates = 6;
  static constexpr int kOwnState = kFirstOwnState;

  bool start_average(double length);

  ImplicitProblem& implicit_;
  double alpha_m_, alpha_f_, beta_, gamma_;
  bool has_history_ = false;     // kEndRate and kEndAverage are those of the step before
  double average_length_ = 0.0;  // that kStartAverage was made for at a start without history; 0: not yet
};

}  // namespace gelenk::integrate
