#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gelenk/analysis/equations.h"
#include "gelenk/analysis/implicit_equations.h"
#include "gelenk/analysis/rank_change.h"
#include "gelenk/analysis/sealed_states.h"
#include "gelenk/analysis/state_newton.h"
#include "gelenk/integrate/integrator.h"
#include "gelenk/integrate/problem.h"
#include "gelenk/solve/rank_rule.h"
#include "gelenk/system/time_laws.h"

namespace gelenk::analysis {

// A machine as integrators see it. A tangent vector has, for the positions, six numbers per body (velocity, rate of the
// rotation vector) or in the linear chart seven (velocity, rate of the quaternion w x y z), for the velocities six per
// body, and one for each extra state.
class MachineProblem : public integrate::Problem, public integrate::ImplicitProblem, public integrate::FlatProblem {
 public:
  // Methods that choose their steps may be told to try another one when a stage falls on a singular pose.
  MachineProblem(const system::System& system, const system::Params& params, double rank_tolerance, double tolerance,
                 bool refuses_singular_stages, Partitioning partitioning = Partitioning::automatic,
                 const solve::FlatOptions& flat = {}, std::span<component::Carrier* const> sealed = {});

  void reserve(int states, int rates, integrate::Chart chart) override;
  void copy(int from, int to) override;
  bool evaluate(int state, int rate) override;
  void combine(int from, double time, std::span<const integrate::Term> terms, int to) override;
  void combine_rates(std::span<const integrate::Term> terms, int to) override;
  integrate::Norm error_norm(int from, int to, std::span<const integrate::Term> error) override;
  bool project(int state) override;
  double next_discontinuity(double time) override;
  double longest_step(int state, double wanted, double longest) override;
  // The signal of a law of time that does something within less than the step from this state on; -1: none does.
  std::int32_t law_hidden_by(int state, double step);
  std::size_t time_law_count() const { return time_laws_.size(); }
  void cross(int state) override;
  std::size_t switch_count() const override { return system_.state_switches.size() + sealed_.switch_count(); }
  void slacks(int state, std::span<double> values) override;
  void flip(int state, std::size_t which) override;

  void save_state(int state, ByteWriter& out) const override;
  void load_state(int state, ByteReader& in) override;
  void save_rate(int rate, ByteWriter& out) const override;
  void load_rate(int rate, ByteReader& in) override;

  integrate::ImplicitProblem* implicit() override {
    keeps_multipliers_ = true;  // stages start from them
    return this;
  }
  bool factor_newton(int state, double gamma) override;
  void solve_newton(int rate, int to) override;
  int solve_stage(const integrate::Stage& stage) override;
  void combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to) override;

  // Who holds states as numbers must find them from the same origins again.
  integrate::FlatProblem* flat() override {
    keeps_origins_ = true;
    return this;
  }
  std::size_t dimension() const override;
  void get_state(int state, std::span<double> values) const override;
  void set_state_values(int state, double time, std::span<const double> values) override;
  void get_rate(int rate, std::span<double> values) const override;
  void set_rate(int rate, std::span<const double> values) override;
  void weights(int state, std::span<double> values) override;

  // Led by an owner, whose component this machine is; slot -1: where it is drawn. See gelenk_component.h.
  void load_parts(int slot, unsigned parts);
  void factor_for_owner(int slot, const solve::RankRule& rule,
                        std::span<double> answer);  // D, made again, smallest pivot, rank
  Equations::Gap put_right_side(int slot, gelenk_right_side kind);
  bool take_result(int slot, gelenk_right_side kind, int rate);
  void mark_event(int slot);  // of somebody else, which is felt here
  void settle(int slot);
  // Implicit methods: `outside`, loads at the mounts, six each. False: singular.
  bool factor_newton_for_owner(int slot, double velocity_gain, double position_gain, std::span<const double> outside,
                               std::span<double> D);
  bool factor_stage_for_owner(std::span<const double> outside, std::span<double> D);
  void put_newton_right_side_for_owner(int rate, std::span<double> motions);
  void newton_up(std::span<double> r);
  void newton_down(std::span<const double> loads, std::span<double> motions);
  void take_newton(int rate, int to);
  void begin_stage(const integrate::Stage& stage);
  void place_stage_for_owner();
  double put_stage_loads(std::span<const double> outside);
  double take_stage();
  void end_stage();
  const integrate::Stage& stage() const { return stage_; }
  void set_all_sides(int slot);  // as the state and the inputs say

  // The start of a run: on its constraints, sides set. Sealed components start as they are drawn, or from bytes, one
  // for each.
  void set_state(int slot, const system::State& state, std::span<const std::string> sealed = {});
  // Switches inside of sealed components, as what they are given says.
  void start_sealed_sides(int slot);
  const system::State& state(int slot) const { return slots_[static_cast<std::size_t>(slot)].state; }
  std::vector<std::string> sealed_states(int slot) const { return sealed_.read_states(slot); }
  // Just after accelerations().
  void tell_sealed(int slot, SealedStates::Told& told) { sealed_.tell(slot, told); }
  // Bodies and frames of a slot.
  mechanics::Workspace& place(int slot);

  // The books of a run are opened in this state: no work was done yet.
  void start_work(int slot);
  // Rows that count as independent in a slot that was projected.
  std::size_t rank(int slot) const {
    return static_cast<std::size_t>(slots_[static_cast<std::size_t>(slot)].pivots.rank);
  }

  // Accelerations of the bodies and multipliers of the rows (none wanted: empty) at a state that was projected.
  bool accelerations(int slot, std::span<double> accelerations, std::span<double> multipliers);
  // The equations that last worked on a slot. Outputs have their own, so that they leave no trace in the motion.
  Equations& equations_of(int slot) {
    return slot == integrate::Integrator::kOutputState ? output_equations_ : equations_;
  }

  // Singular poses between the ends of steps: see SingularWatch. Not with sealed components, whose rows nobody sees.
  bool can_be_singular() const;
  // Smallest distance of an accepted row from the others, as a part of what it usually is: at the base of a step,
  double base_distance(int slot) const;
  // in the stages since this was last asked for,
  double take_distance_of_stages();
  // and inside the last step.
  double distance_inside_step(integrate::Integrator& integrator, double time);
  void note_passed_pose(integrate::Integrator& integrator, double time);

  static constexpr std::size_t kMostKeptRankChanges = 100;
  struct Statistics {
    std::int64_t factorizations = 0;
    std::int64_t pivot_changes = 0;
    std::int64_t rank_changes = 0;
    double largest_drift = 0.0;     // position residual before projection
    double largest_residual = 0.0;  // after it
    double largest_rate_residual = 0.0;
    double largest_dropped = 0.0;          // of rows that are not enforced
    double largest_slip = 0.0;             // rate of rows of velocities before projection; not of sealed components
    std::int64_t rank_change_count = 0;    // between steps; rank_changes also counts those of stages
    std::vector<RankChange> rank_history;  // the first kMostKeptRankChanges, those of single joints among them

    void save(ByteWriter& out) const;
    void load(ByteReader& in, std::size_t element_count);
  };
  const Statistics& statistics() const { return statistics_; }
  void set_statistics(const Statistics& statistics) { statistics_ = statistics; }
  // A position law that jumped, or whose rate did, when a state last crossed a discontinuity; driver -1: none did.
  struct LawJump {
    std::int32_t driver = -1;
    double time = 0.0, value = 0.0, rate = 0.0;
    bool is_impossible() const { return driver >= 0 && value != 0.0; }
  };
  const LawJump& law_jump() const { return law_jump_; }
  // The body whose rate was not finite, when evaluate() failed; -1: none.
  std::int32_t bad_body() const { return bad_body_; }
  // Whether evaluate() failed because the joints of a stage could not be closed.
  bool is_stage_open() const { return is_stage_open_; }

 private:
  struct Slot {
    system::State state;
    std::vector<double> turn;  // rotation vector of each body from the base of the step; three per body
    bool is_base = true;       // turn is zero
    solve::PivotSet pivots;
    double base_pivot = 0.0;   // smallest pivot at the base of the step
    double usual_pivot = 0.0;  // the largest of these until then: small if masses differ much, which is not singular
    std::int32_t base_rank = 0;
    double base_time = 0.0;
    bool is_at_event = false;  // sides were changed: what the next projection does to the velocities is an impact
    FactorPose factor_pose;
    std::vector<double> multipliers;  // of the rows, when accelerations() was last asked for
  };

  std::size_t position_width() const { return chart_ == integrate::Chart::linear ? 7 : 6; }
  std::size_t rate_size() const { return (position_width() + 6) * system_.bodies.size() + system_.extra.size(); }
  Slot& slot(int index) { return slots_[static_cast<std::size_t>(index)]; }
  void give_inputs(int index);
  // The equations with the factorization that belongs to the slot.
  Equations& prepare(int index);
  void count(solve::PivotChange change);
  void note_rank(const Slot& slot);  // against pivots_before_
  void find_law_jump(const system::State& before, const system::State& after);
  static std::int32_t first_bad_body(std::span<const double> accelerations);            // -1: all are finite
  void sum_rates(std::span<const integrate::Term> terms, std::span<double> sum) const;  // sum: not among the rates
  // The slot becomes base ⊞ offset_.
  void move(int base, double time, int to);
  void sum_stage(std::span<const integrate::StageTerm> terms);  // -> offset_
  // A change of positions in the linear chart as displacements and rotation vectors, and back.
  void to_tangent(const system::State& state, std::span<const double> linear, std::span<double> tangent) const;
  void to_linear(const system::State& state, std::span<const double> tangent, std::span<double> linear) const;
  ImplicitEquations& implicit_equations();
  void place_stage();
  double stage_residual(std::span<const double> outside);
  ImplicitEquations::Point stage_point(std::span<const double> outside);
  ImplicitEquations::Point newton_point(int slot, double gamma, std::span<const double> outside);
  void put_newton_right_side(int rate);
  system::State& newton_frame();
  std::span<const double> by_port(std::span<const double> at_mounts);  // -> outside_
  double stage_extra_change(const system::State& state, double gain, std::span<double> rates);
  // Of offset_: how many numbers, their squares in norms_.
  integrate::Norm weighted_norm(const system::State& state);
  integrate::Norm sum_norms(integrate::Norm norm);
  bool put_rates(int slot, const system::State& there, std::vector<double>& out);
  // Near singular poses (machine_problem_singular.cc).
  bool is_beside_singular_pose(const Slot& slot) const;
  bool is_too_singular(const solve::PivotSet& pivots, const Slot& stage) const;
  bool accelerations_on_constraints(int index, std::span<double> accelerations, std::span<double> multipliers);
  double fastest(const system::State& state) const;
  bool lands_on_singular_pose(const Slot& slot) const;
  bool is_near_held_stage(const Slot& slot) const;
  double rounding_near(const system::State& state, double pivot, double step) const;

  const system::System& system_;
  const system::Params& params_;
  double tolerance_;
  bool refuses_singular_stages_;
  bool keeps_origins_ = false;
  SealedStates sealed_;
  system::TimeLaws time_laws_;
  Equations equations_;
  Equations output_equations_;
  std::vector<Slot> slots_;
  std::vector<std::vector<double>> rates_;
  std::vector<Vector3> start_position_;
  integrate::Chart chart_ = integrate::Chart::exponential;
  std::vector<double> sum_;     // of rates, in the chart
  std::vector<double> offset_;  // 12 per body and extra states, always in the exponential chart
  std::vector<double> multipliers_;
  bool keeps_multipliers_ = false;  // of every state that is evaluated; drivers need them, too
  std::vector<double> no_motion_;   // zero for each row
  // Implicit methods
  std::unique_ptr<ImplicitEquations> implicit_equations_;
  double newton_gain_ = 0.0;
  integrate::Stage stage_;
  std::vector<double> port_motions_;  // kNewtonMotions for each port
  std::vector<double> outside_;       // loads of an owner, six for each port
  std::vector<double> accelerations_, motions_, forces_, row_motions_;
  std::vector<double> known_, known_extra_, row_values_;
  StateNewton state_newton_;
  std::vector<std::int32_t> newton_rows_;
  std::vector<Quaternion> newton_orientation_;
  // Kept so that steps allocate nothing.
  std::vector<std::int32_t> held_sides_;
  solve::PivotSet pivots_before_;
  system::State factor_state_;
  double smallest_stage_pivot_ = 1.0;
  Slot on_constraints_;  // the stage that accelerations_on_constraints() last looked at, projected
  // The slot that the main equations have loaded with its own factorization, since it was projected; -1: none.
  int loaded_slot_ = -1;
  // Whose factorization the main equations hold: pose and pivots as they were.
  FactorPose held_pose_;
  // Of the stage whose factorization the main equations hold: times of its base and its own.
  struct HeldStage {
    double base_time = 0.0, time = 0.0;
    bool is_set = false;
  };
  HeldStage held_stage_;
  // No law jumps by itself between these times.
  double quiet_from_ = 0.0, quiet_until_ = -1.0;
  std::vector<double> norms_;    // by component
  double kinetic_before_ = 0.0;  // of a slot at an event
  Statistics statistics_;
  std::int32_t bad_body_ = -1;
  bool is_stage_open_ = false;
  LawJump law_jump_;
};

}  // namespace gelenk::analysis
