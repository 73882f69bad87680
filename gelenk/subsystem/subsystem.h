#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/integrate/problem.h"
#include "gelenk/solve/node_functions.h"
#include "gelenk/solve/rank_rule.h"

// Whatever owns states is a subsystem of a machine: it touches others at ports and hears their signals. The machine
// knows it by the verbs of this file alone, in groups (ADR 0051). Numbers are SI, in world axes. States and rates are
// numbered, and every subsystem counts them as the machine does. Two poses are at hand at a time, each with its factors
// and its right side: one of the slot for outputs (integrate::Integrator::kOutputState), one of all other slots. Sweeps
// take what was loaded and factored last there. False always means: not solvable at this state; a smaller step may
// help.
namespace gelenk::subsystem {

// A frame at a port shows its axes in the world row by row, origin, velocity, angular velocity, and takes a force and a
// moment at its origin. A shaft shows its coordinate, an angle or a travel, 0 as drawn, and its rate; it takes a torque
// or a force (ADR 0057). Wherever numbers of ports come in a row, shafts come after all frames.
inline constexpr std::size_t kFrameMotion = 18;
inline constexpr std::size_t kFrameWidth = 6;
inline constexpr std::size_t kShaftMotion = 2;
// The slot that stands for the pose as drawn, at rest.
inline constexpr int kDrawn = -1;

// How many of everything there are; fixed once it is connected.
struct Shape {
  std::size_t ports = 0;    // frames on which elements of the machine act
  std::size_t inputs = 0;   // numbers that it hears
  std::size_t signals = 0;  // numbers that others hear
  std::size_t switches = 0;
  std::size_t outputs = 0;  // numbers for people
  std::size_t shafts = 0;   // ports with one coordinate

  std::size_t frame_motions() const { return kFrameWidth * ports; }
  std::size_t motions() const { return frame_motions() + shafts; }  // of velocities, loads, r
  std::size_t shown_by_ports() const { return kFrameMotion * ports + kShaftMotion * shafts; }
  std::size_t shown() const { return shown_by_ports() + signals; }  // what Evaluation::load() answers
};

// Thrown by any verb, ends a run: the subsystem cannot go on. The text is for people.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Slots of states and rates.
class States {
 public:
  virtual void reserve(int states, int rates, integrate::Chart chart, bool has_stages) = 0;
  // As drawn, at the start time.
  virtual void start(int slot) = 0;
  virtual void copy(int from, int to) = 0;
  virtual void combine(int from, double time, std::span<const integrate::Term> terms, int to) = 0;
  virtual void combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to) = 0;
  virtual void combine_rates(std::span<const integrate::Term> terms, int to) = 0;
  virtual integrate::Norm error_norm(int from, int to, std::span<const integrate::Term> error) = 0;

  // Bytes for a continuation bit for bit.
  enum class Kept { state, rate };
  virtual std::string read(Kept what, int slot) const = 0;
  // False: they are not of this subsystem.
  virtual bool write(Kept what, int slot, std::string_view bytes) = 0;

 protected:
  ~States() = default;
};

// Jumps and switches.
class Events {
 public:
  // First time after `time` at which a law jumps by itself; infinity: none does.
  virtual double next_jump(double time) = 0;
  // To the other side of the jump on which the state stands.
  virtual void cross(int slot) = 0;
  // All switches as the state and the inputs say.
  virtual void set_all_sides(int slot) = 0;
  // One for each switch; negative: it has switched.
  virtual void slacks(int slot, std::span<double> values) = 0;
  virtual void flip(int slot, std::size_t which) = 0;
  // A switch elsewhere in the machine has flipped, which is felt here as an impact.
  virtual void mark_event(int slot) = 0;

 protected:
  ~Events() = default;
};

// What of a pose is computed, to be added up.
enum Part : unsigned {
  kPositions = 1,
  kVelocities = 2,
  kJoints = 4,
  kForces = 8,
  kLaws = 16,  // of drivers alone
  kMotion = kPositions | kVelocities | kJoints
};

// Whose solution is looked for.
enum class RightSide { accelerations, position_gaps, velocity_gaps, impulses };

// Largest residuals of rows that are enforced, and of those that are not.
struct Gap {
  double enforced = 0.0, dropped = 0.0;
};

// The ports as they are drawn, for planning.
struct Drawing {
  std::vector<double> motions;     // kFrameMotion of each frame, kShaftMotion of each shaft
  std::vector<double> references;  // mass and inverse inertia with which each frame is scaled, powers of four
  std::vector<double> D;           // row by row
};

// One pose, its right sides, and what becomes of their solution.
class Evaluation {
 public:
  virtual Drawing drawn() = 0;
  // Computes these parts (Part; 0: looks at the motion alone). inputs: what it hears from now on; empty: as before.
  // out: kFrameMotion for each frame, kShaftMotion for each shaft, then the signals, in all Shape::shown(); empty: not
  // wanted.
  virtual bool load(int slot, unsigned parts, std::span<const double> inputs, std::span<double> out) = 0;
  virtual bool put_right_side(int slot, RightSide kind, Gap& gap) = 0;
  // The solution of a gap moves the slot.
  virtual void take(int slot, RightSide kind) = 0;
  // The accelerations that were found become a rate.
  virtual bool take_accelerations(int slot, int rate) = 0;
  // The slot is a new base now, on its constraints.
  virtual void settle(int slot) = 0;

 protected:
  ~Evaluation() = default;
};

// What a factorization decided.
struct FactorReport {
  bool is_chosen_again = false;  // which rows carry the rank
  double smallest = 1.0;         // accepted pivot
  std::size_t rank = 0;
};

// The factorization of a pose: D and r at the ports (solve::NodeFunctions, with the slot).
class Sweeps {
 public:
  virtual bool factor(int slot, const solve::RankRule& rule, double* D, FactorReport& report) = 0;
  virtual bool up(int slot, solve::NodeLoad load, double* r) = 0;
  virtual bool down(int slot, solve::NodeLoad load, const double* loads, double* motions) = 0;
  virtual bool residual(int slot, solve::NodeResidual& residual) = 0;
  virtual bool make_test_load(int slot, int which, double* motions) = 0;
  virtual void forget(int slot) = 0;

 protected:
  ~Sweeps() = default;
};

// Implicit methods. Gains: what a unit of acceleration makes of the velocity (s), and of the position (s²). Motions
// have twice as many numbers as loads: changes of the position, then of the velocity, each in units of its gain.
class Newton {
 public:
  enum class At { state, stage };
  struct Point {
    int slot = 0;
    At at = At::state;
    double velocity_gain = 0.0, position_gain = 0.0;
    std::span<const double> loads;  // at the ports, in all
  };
  virtual bool factor(const Point& point, double* D) = 0;
  // For each port three motions: what the rate and its gain make of the position, what that turn makes of the velocity
  // (of a shaft: nothing), what the rate makes of it.
  virtual bool put_right_side(int rate, std::span<double> motions) = 0;
  // Both any number of times for one right side; the last loads count.
  virtual bool up(double* r) = 0;
  virtual bool down(const double* loads, double* motions) = 0;
  // `to` := what was found for the rate.
  virtual bool take(int rate, int to) = 0;

  // One stage at a time, see integrate::Stage.
  virtual bool begin_stage(const integrate::Stage& stage) = 0;
  virtual bool place_stage() = 0;
  // change: by how much states of first order do.
  virtual bool put_stage_loads(std::span<const double> loads, double& change) = 0;
  // size: by how much positions change, in lengths or rad.
  virtual bool take_stage(double& size) = 0;
  virtual bool end_stage() = 0;

 protected:
  ~Newton() = default;
};

// Energy that came in through the ports since the start, and what the balance of energy lacks, J.
struct Books {
  double received = 0.0, error = 0.0;
};

// For people.
class Outputs {
 public:
  // At a slot whose accelerations were just found.
  virtual Books read(int slot, std::span<double> values) = 0;

 protected:
  ~Outputs() = default;
};

// For those that can work while others do: what they will be asked for next, which must be repeatable. When something
// else comes first, it is forgotten.
class Ahead {
 public:
  struct Step {
    enum class Verb { load, factor, right_side, up } verb;
    unsigned what = 0;  // Part of load; RightSide of right_side
  };
  virtual void begin(int slot, std::span<const Step> steps, const solve::RankRule& rule) = 0;
  // Evaluation::load() with inputs; behind forces come the right side of the accelerations and their sweep up.
  virtual void begin_load(int slot, unsigned parts, std::span<const double> inputs) = 0;
  // rate: that the accelerations will become; -1: not known.
  virtual void begin_down(int slot, solve::NodeLoad load, const double* loads, int rate) = 0;
  virtual void begin_error_norm(int from, int to, std::span<const integrate::Term> error) = 0;
  virtual void begin_slacks(int slot) = 0;
  virtual void begin_newton_right_side(int rate) = 0;
  enum class StageStep { place, take, end };
  virtual void begin_stage_step(StageStep step) = 0;
  virtual void begin_stage_loads(std::span<const double> loads) = 0;

 protected:
  ~Ahead() = default;
};

class Subsystem {
 public:
  virtual ~Subsystem() = default;
  virtual const Shape& shape() const = 0;
  virtual States& states() = 0;
  virtual Events& events() = 0;
  virtual Evaluation& evaluation() = 0;
  virtual Sweeps& sweeps() = 0;
  virtual Outputs& outputs() = 0;
  // Null: it runs with explicit methods only.
  virtual Newton* newton() { return nullptr; }
  // Null: it works when it is asked.
  virtual Ahead* ahead() { return nullptr; }
  // Why something was not solvable when it last was not, if there are words for it; they name nothing of the inside.
  virtual std::string_view trouble() const { return {}; }
};

}  // namespace gelenk::subsystem
