#pragma once

#include "gelenk/integrate/stepper.h"

namespace gelenk::integrate {

// Time stepping after Moreau: fixed steps over which velocities jump, wherever the problem says. Between the ends of a
// step there is nothing but the straight way.
class TimeStepping : public Stepper {
 public:
  // The problem must have jumps().
  explicit TimeStepping(Problem& problem);

  bool is_adaptive() const override { return false; }
  int order() const override { return 1; }
  bool begin(double time) override;
  bool take(double end) override;
  double error() override { return 0.0; }
  void interpolate(double time, int to) override;
  void accept() override { jumps_.accept_step(); }
  bool restart() override { return true; }
  double first_step(double longest) override { return longest; }
  double next_step(double length, double /*error*/) override { return length; }
  double shorter_step(double length, double /*error*/) override { return 0.5 * length; }
  double shorter_step_after_failure(double length, int /*before*/) override { return 0.5 * length; }
  void save(ByteWriter& out) const override { jumps_.save_memory(out); }
  void load(ByteReader& in) override { jumps_.load_memory(in); }

 private:
  static constexpr int kMeanRate = 0;

  JumpProblem& jumps_;
};

}  // namespace gelenk::integrate
