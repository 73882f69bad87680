#pragma once

#include <cstdint>

#include "gelenk/integrate/problem.h"

namespace gelenk::integrate {

// One step of a method, tried with different lengths from the same start; decides nothing but the length that it would
// like. What a method remembers of earlier steps is changed by accept() and restart() only.
class Stepper {
 public:
  static constexpr int kCurrentState = 0;
  static constexpr int kOutputState = 1;
  static constexpr int kStartState = 2;
  static constexpr int kEndState = 3;  // of the step tried last, not projected
  static constexpr int kProbeState = 4;
  static constexpr int kFirstOwnState = 5;  // from here on slots belong to the method

  explicit Stepper(Problem& problem) : problem_(problem) {}
  virtual ~Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  // Whether the length of a step follows from its error.
  virtual bool is_adaptive() const = 0;
  // Whether it chooses and controls its steps by itself: the first take() after begin() makes one step towards the
  // given end, which may end before, and further ones give states inside of it. error() is 0, or infinity when the step
  // would have to be too short.
  virtual bool has_own_control() const { return false; }
  // Whether it evaluates at the ends of a step alone, and knows nothing of what happens in between.
  virtual bool sees_ends_only() const { return false; }
  // Own control: take() failed because of a projection.
  virtual bool has_failed_to_project() const { return false; }
  // Whether it may be continued from a saved memory bit for bit.
  virtual bool is_exactly_restartable() const { return true; }
  double start_time() const { return start_time_; }
  double end_time() const { return end_time_; }

  // The current state becomes the start of a step, with all that every try of it shares. False: it has no rate.
  virtual bool begin(double time) = 0;
  // The state at exactly `end` -> kEndState. False: it could not be found; a shorter step may do.
  virtual bool take(double end) = 0;
  // Estimated error of the step in units of the tolerance; infinity when it is not a number.
  virtual double error() = 0;
  // Dense output of the step tried last: the state at `time`, not projected. Good slightly beyond the end, too. Also
  // after accept() and restart().
  virtual void interpolate(double time, int to) = 0;

  // The step tried last is good; its end, projected, is the current state. Events may have changed it: then restart()
  // follows.
  virtual void accept() = 0;
  // The current state has changed. True: the length of the next step must be chosen like that of the first.
  virtual bool restart() = 0;

  // Adaptive methods. Length of the first step of all, after begin().
  virtual double first_step(double longest) = 0;
  // After accept(): the length of the next step; `error` is that of the accepted one.
  virtual double next_step(double length, double error) = 0;
  // A shorter length after an error above 1, infinity allowed; and after take() failed, as it did `before` times in
  // this step.
  virtual double shorter_step(double length, double error) = 0;
  virtual double shorter_step_after_failure(double length, int before) = 0;

  // What the method remembers.
  virtual void save(ByteWriter& out) const = 0;
  virtual void load(ByteReader& in) = 0;

  struct Effort {
    std::int64_t evaluations = 0;
    std::int64_t newton_iterations = 0;
    std::int64_t newton_factorizations = 0;
    std::int64_t rejected = 0;  // own control: steps that were not good
  };
  // Since the last call.
  Effort take_effort();
  virtual int order() const = 0;  // of the next step

 protected:
  bool evaluate(int state, int rate);
  // √(sum/count); infinity when it is not a number
  double norm(int from, int to, std::span<const Term> terms);

  Problem& problem_;
  double start_time_ = 0.0;
  double end_time_ = 0.0;
  Effort effort_;
};

}  // namespace gelenk::integrate
