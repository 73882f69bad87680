#pragma once

#include <memory>

#include "gelenk/integrate/stepper.h"

namespace gelenk::integrate {

// BDF of CVODE (SUNDIALS): a second opinion beside our own. It chooses its steps and orders itself, projects the
// solution onto the constraints inside its steps, and gives nothing of its history away: it starts anew, with order 1,
// whenever its memory is saved or loaded, so that a run with checkpoints has the same motion whether it was continued
// or not. Newton's matrix is that of the problem; CVODE says when it is made.
class CvodeStepper : public Stepper {
 public:
  struct Limits {
    double first_step = 0.0;  // s; 0: CVODE's own choice
    double max_step = 0.0;    // s; infinity: none
    double smallest_step = 0.0;
  };

  // The problem must have implicit() and flat().
  CvodeStepper(Problem& problem, const Limits& limits);
  ~CvodeStepper() override;

  bool is_adaptive() const override { return true; }
  bool has_own_control() const override { return true; }
  bool sees_ends_only() const override { return true; }
  bool is_exactly_restartable() const override { return false; }
  bool has_failed_to_project() const override { return has_failed_to_project_; }
  int order() const override { return order_; }
  bool begin(double time) override;
  bool take(double end) override;
  double error() override { return error_; }
  void interpolate(double time, int to) override;
  void accept() override {}
  bool restart() override;
  double first_step(double longest) override { return longest; }
  double next_step(double length, double error) override;
  double shorter_step(double length, double error) override;
  double shorter_step_after_failure(double length, int before) override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;

 private:
  static constexpr int kWorkState = kFirstOwnState;
  static constexpr int kRate = 0;
  struct Callbacks;
  struct Solver;

  bool start(double time);
  bool step_towards(double end);

  FlatProblem& flat_;
  ImplicitProblem& implicit_;
  std::unique_ptr<Solver> solver_;
  // Saving is a start anew, too.
  mutable bool must_start_ = true;
  bool has_stepped_ = false;  // since begin()
  bool has_failed_to_project_ = false;
  double reached_ = 0.0;  // where CVODE stands
  double error_ = 0.0;
  int order_ = 1;
};

}  // namespace gelenk::integrate
