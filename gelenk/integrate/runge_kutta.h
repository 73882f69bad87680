#pragma once

#include "gelenk/integrate/stepper.h"
#include "gelenk/integrate/tableau.h"

namespace gelenk::integrate {

// Explicit Runge-Kutta methods.
class RungeKutta : public Stepper {
 public:
  // Reserves the slots of the problem, which must outlive the stepper. The tolerance only helps to guess a first step.
  RungeKutta(Problem& problem, const Tableau& tableau, double tolerance);

  bool is_adaptive() const override { return tableau_.error_order > 0; }
  int order() const override { return tableau_.order; }
  bool begin(double time) override;
  bool take(double end) override;
  double error() override;
  void interpolate(double time, int to) override;
  void accept() override {}
  bool restart() override;
  double first_step(double longest) override;
  double next_step(double length, double error) override;
  double shorter_step(double length, double error) override;
  double shorter_step_after_failure(double length, int before) override;
  void save(ByteWriter& out) const override { out.put(previous_error_); }
  void load(ByteReader& in) override { in.get(previous_error_); }

 private:
  static constexpr int kStageState = kFirstOwnState;
  static constexpr int kStates = kFirstOwnState + 1;

  double rate_norm();
  double rate_change_norm(double length);

  const Tableau& tableau_;
  double tolerance_;
  double previous_error_ = 0.0;  // of the last accepted step for the PI controller, 0: none
};

}  // namespace gelenk::integrate
