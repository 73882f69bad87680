#pragma once

#include <cstddef>
#include <span>

namespace gelenk::integrate {

// One summand c·rate of a linear combination of tangent vectors.
struct Term {
  double coefficient = 0.0;
  int rate = 0;
};

// Σ (eᵢ / wᵢ)² and the number of entries. Sums of parts of a state add up, which a mean would not.
struct Norm {
  double sum = 0.0;
  std::size_t count = 0;
};

// What an integrator knows of the equations: numbered slots. A state is a point of a manifold together with its time
// and the sides of all switches that are in force ("modes"); copy() and combine() carry both, so that no evaluation
// inside a step can jump. A rate is a tangent vector. Both are opaque.
//
// What a call gives must depend on the slots it reads only, not on the calls before: outputs that somebody asks for
// between two steps, and restarts, must not change a bit of the motion.
class Problem {
 public:
  virtual ~Problem() = default;

  // Slots 0 … states-1 and 0 … rates-1 are used from now on. The content of existing slots is kept.
  virtual void reserve(int states, int rates) = 0;
  virtual void copy(int from, int to) = 0;

  // rate := derivative at `state`, expressed in the tangent space of the state it was combined from (the problem
  // applies the inverse differential of the exponential map), so that the rates of one step may be added. False: not
  // finite or not solvable; the problem keeps the reason.
  virtual bool evaluate(int state, int rate) = 0;
  // to := from ⊞ Σ c·rate, with the given time. Keeps the offset Σ c·rate with the state: evaluate() needs it.
  virtual void combine(int from, double time, std::span<const Term> terms, int to) = 0;
  // Weighted norm of the error Σ c·rate of a step that led from `from` to `to`. The weights contain the tolerance,
  // wᵢ = tolerance · scaleᵢ: a step is good when sum <= count.
  virtual Norm error_norm(int from, int to, std::span<const Term> error) = 0;
  // Back onto the constraints of the side in force. The state becomes a new base (offset zero). False: it failed.
  virtual bool project(int state) = 0;

  // Times at which laws jump or kink, known beforehand: the first one strictly after `time`, infinity if there is none.
  virtual double next_discontinuity(double time) = 0;
  // Takes the state, which stands exactly on a discontinuity and was evaluated on the earlier side so far, to the other
  // side. It is projected afterwards.
  virtual void cross(int state) = 0;

  // Switches that depend on the state. slackᵢ >= 0 as long as the side in force holds; a slack that becomes negative is
  // an event. Only the problem knows the size of its numbers: a dead band of rounding size in the slack (slack = ±x +
  // δ) keeps a state that rests on a switching surface from switching all the time.
  virtual std::size_t switch_count() const = 0;
  virtual void slacks(int state, std::span<double> values) = 0;
  // Changes the side in force of one switch in that state. It is projected afterwards.
  virtual void flip(int state, std::size_t which) = 0;
};

}  // namespace gelenk::integrate
