#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gelenk/base/bytes.h"
#include "gelenk/integrate/watched_laws.h"

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

// In which numbers tangent vectors are expressed.
enum class Chart {
  // In the tangent space of the state that a step starts from: states are added through the exponential map. Rates of
  // one step may be added, rates of different steps may not.
  exponential,
  // In a linear space that the manifold lies in (for a rotation, the four numbers of its quaternion): rates of all
  // steps
  // may be added and transformed, sums of states are pulled back onto the manifold.
  linear
};

class ImplicitProblem;
class FlatProblem;
class JumpProblem;

// What an integrator knows of the equations: numbered slots. A state is a point of a manifold together with its time
// and the sides of all switches that are in force ("modes"); copy() and combine() carry both, so that no evaluation
// inside a step can jump. A rate is a tangent vector. Both are opaque.
//
// What a call gives must depend on the slots it reads only, not on the calls before: outputs that somebody asks for
// between two steps, and restarts, must not change a bit of the motion.
class Problem {
 public:
  virtual ~Problem() = default;

  // Slots 0 … states-1 and 0 … rates-1 are used from now on, rates in the given chart. States that exist are kept.
  virtual void reserve(int states, int rates, Chart chart) = 0;
  virtual void copy(int from, int to) = 0;

  // rate := derivative at `state`; in the exponential chart, expressed in the tangent space of the state it was
  // combined from (the problem applies the inverse differential of the exponential map). False: not finite or not
  // solvable; the problem keeps the reason.
  virtual bool evaluate(int state, int rate) = 0;
  // to := from ⊞ Σ c·rate, with the given time. Keeps the offset Σ c·rate with the state: evaluate() needs it.
  virtual void combine(int from, double time, std::span<const Term> terms, int to) = 0;
  // to := Σ c·rate; `to` may be one of the summands.
  virtual void combine_rates(std::span<const Term> terms, int to) = 0;
  // Weighted norm of the error Σ c·rate of a step that led from `from` to `to`. The weights contain the tolerance,
  // wᵢ = tolerance · scaleᵢ: a step is good when sum <= count.
  virtual Norm error_norm(int from, int to, std::span<const Term> error) = 0;
  // Back onto the constraints of the side in force. The state becomes a new base (offset zero). False: it failed.
  virtual bool project(int state) = 0;

  // Times at which laws jump or kink, known beforehand: the first one strictly after `time`, infinity if there is none.
  virtual double next_discontinuity(double time) = 0;
  // How long a step from the state may be so that laws of time do nothing inside of it that no stage sees: `wanted` or
  // less. `longest`: what no step exceeds.
  virtual double longest_step(int state, double wanted, double longest) {
    static_cast<void>(state), static_cast<void>(longest);
    return wanted;
  }
  // The same for laws that are examined after a step; null: there are none.
  virtual WatchedLaws* watched_laws() { return nullptr; }
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

  // All that belongs to a slot, for a continuation bit for bit. load_…() leaves a failure in the reader.
  virtual void save_state(int state, ByteWriter& out) const = 0;
  virtual void load_state(int state, ByteReader& in) = 0;
  virtual void save_rate(int rate, ByteWriter& out) const = 0;
  virtual void load_rate(int rate, ByteReader& in) = 0;

  // What implicit methods need beside that; null: there is no such thing.
  virtual ImplicitProblem* implicit() { return nullptr; }
  // States and rates as numbers; null: nobody may see them.
  virtual FlatProblem* flat() { return nullptr; }
  // Time steps over which velocities may jump; null: there are none.
  virtual JumpProblem* jumps() { return nullptr; }
};

// A rate consists of three parts: rates of positions (velocities), rates of velocities (accelerations) and rates of
// states of first order. A summand of a change of state that treats them differently:
//   positions += position · rate.velocities + shifted · rate.accelerations,
//   velocities += velocity · rate.accelerations + lowered · rate.velocities,
//   other states += velocity · their rates.
struct StageTerm {
  int rate = 0;
  double position = 0.0;
  double velocity = 0.0;
  double shifted = 0.0;
  double lowered = 0.0;
};

// As rows of numbers, in this order of members.
inline constexpr std::size_t kStageTermSize = 5;
inline void append_terms(std::span<const StageTerm> terms, std::vector<double>& out) {
  for (const StageTerm& t : terms) {
    out.insert(out.end(), {static_cast<double>(t.rate), t.position, t.velocity, t.shifted, t.lowered});
  }
}
inline std::vector<StageTerm> stage_terms(std::span<const double> numbers) {
  std::vector<StageTerm> terms;
  for (std::size_t i = 0; i + kStageTermSize <= numbers.size(); i += kStageTermSize) {
    const double* const n = &numbers[i];
    terms.push_back({static_cast<int>(n[0]), n[1], n[2], n[3], n[4]});
  }
  return terms;
}

// A state whose own accelerations are part of its definition:
//   to = from ⊞ (Σ known + position_gain · a on positions + velocity_gain · a on velocities and other states),
// a the rates at `to`, with the positions exactly on their constraints (index 3). Gains in s² and s.
struct Stage {
  int from = 0;
  int to = 0;
  double time = 0.0;
  std::span<const StageTerm> known;
  double position_gain = 0.0;
  double velocity_gain = 0.0;
  int rate = 0;  // in: first guess of a; out: velocities, a and the rates of other states at `to`
};

class ImplicitProblem {
 public:
  virtual ~ImplicitProblem() = default;

  // Prepares I - gamma·J, J the derivative of the rates by the state, near `state`. False: it is singular.
  virtual bool factor_newton(int state, double gamma) = 0;
  // to := (I - gamma·J)⁻¹ rate, with the factors at hand; `to` may be `rate`. Linear chart.
  virtual void solve_newton(int rate, int to) = 0;

  // Exponential chart. Number of iterations; 0: they do not converge.
  virtual int solve_stage(const Stage& stage) = 0;
  // to := from ⊞ Σ terms, with the given time.
  virtual void combine_stage(int from, double time, std::span<const StageTerm> terms, int to) = 0;
};

// Time steps over which velocities may jump, wherever and as often as the problem says. Exponential chart.
class JumpProblem {
 public:
  virtual ~JumpProblem() = default;

  // States and rates of its own that a step needs, from these numbers on.
  static constexpr int kStates = 3;
  static constexpr int kRates = 3;
  virtual void use_slots(int first_state, int first_rate) = 0;
  // The state at `end` -> to, from one that is on its constraints; may be tried again with another end. False: it could
  // not be found.
  virtual bool take_step(int from, double end, int to) = 0;
  // rate := the mean rate from the one state to the other, expressed at the first: the straight way between them.
  virtual void mean_rate(int from, int to, int rate) = 0;
  // The step tried last is good: what is remembered of it is the start of the next one.
  virtual void accept_step() = 0;
  // What is remembered.
  virtual void save_memory(ByteWriter& out) const = 0;
  virtual void load_memory(ByteReader& in) = 0;
};

// For solvers of others, which want vectors of numbers. Linear chart.
class FlatProblem {
 public:
  virtual ~FlatProblem() = default;

  virtual std::size_t dimension() const = 0;
  virtual void get_state(int state, std::span<double> values) const = 0;
  // Pulled back onto the manifold; sides and all that a vector does not hold stay.
  virtual void set_state_values(int state, double time, std::span<const double> values) = 0;
  virtual void get_rate(int rate, std::span<double> values) const = 0;
  virtual void set_rate(int rate, std::span<const double> values) = 0;
  // 1/wᵢ: √(Σ (eᵢ/wᵢ)² / dimension) is the norm of errors in units of the tolerance.
  virtual void weights(int state, std::span<double> values) = 0;
};

}  // namespace gelenk::integrate
