#include "gelenk/analysis/machine/machine_subsystem.h"

#include <algorithm>
#include <utility>

#include "gelenk/analysis/code_outcome.h"
#include "gelenk/analysis/port_energy.h"
#include "gelenk/base/index.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/system/compile.h"

namespace gelenk::analysis {
namespace {

using subsystem::RightSide;

// What the groups of verbs share.
struct Shared {
  explicit Shared(InteriorMachine&& given)
      : machine(std::move(given)),
        loads(6 * machine.system.mounts.size(), 0.0),
        motions(mechanics::kPortMotion * machine.system.mounts.size(), 0.0) {}

  MachineDynamics& dynamics() const { return machine.problem.dynamics(); }
  // The equations that work on a slot; their subsystems name it.
  Equations& equations(int slot) const {
    Equations& equations = dynamics().equations_of(slot);
    equations.set_slot(slot);
    return equations;
  }
  mechanics::Energy energy_of(int slot) const {
    mechanics::Workspace& workspace = dynamics().place(slot);
    return mechanics::energy({machine.system, machine.params, machine.problem.state(slot)}, workspace);
  }
  void open_books(int slot) {
    machine.problem.start_work(slot);
    received.set(slot, 0.0);
    start_energy = energy_of(slot).total();
  }
  void show_motions(int slot, std::span<double> out) const {
    const mechanics::Workspace& workspace = dynamics().equations_of(slot).workspace();
    const std::vector<system::Mount>& mounts = machine.system.mounts;
    for (std::size_t i = 0; i < mounts.size(); ++i) {
      mechanics::report_port_motion(workspace, at(workspace.ports.at_frame(mounts[i].frame)),
                                    &out[mechanics::kPortMotion * i]);
    }
  }
  // Of the loads at the mounts, W.
  double power(int slot) {
    show_motions(slot, motions);
    double sum = 0.0;
    for (std::size_t m = 0; m < machine.system.mounts.size(); ++m) {
      // Velocity and angular velocity are the last six.
      const double* const velocity = &motions[mechanics::kPortMotion * (m + 1) - 6];
      for (std::size_t i = 0; i < 6; ++i) sum += loads[6 * m + i] * velocity[i];
    }
    return sum;
  }
  // What code in C did when forces were just computed.
  bool is_code_good(int slot) {
    return has_code_answered(machine.system, dynamics().equations_of(slot).workspace(), &trouble);
  }

  InteriorMachine machine;
  PortEnergy received;
  double start_energy = 0.0;    // when the books were opened
  std::vector<double> loads;    // at the mounts, of the last sweep or stage
  std::vector<double> motions;  // of the mounts
  double kinetic_before = 0.0;  // of a slot at an event
  std::string trouble;
};

class MachineStatesGroup final : public subsystem::States {
 public:
  explicit MachineStatesGroup(Shared& shared) : shared_(shared), problem_(shared.machine.problem) {}

  void reserve(int states, int rates, integrate::Chart chart, bool has_stages) override {
    if (has_stages) problem_.implicit();
    problem_.reserve(states, rates, chart);
    shared_.received.reserve(states, rates);
  }
  void start(int slot) override {
    problem_.set_state(slot, shared_.machine.start, shared_.machine.start_of_subsystems);
    shared_.open_books(slot);
  }
  void copy(int from, int to) override {
    problem_.copy(from, to);
    shared_.received.copy(from, to);
  }
  void combine(int from, double time, std::span<const integrate::Term> terms, int to) override {
    problem_.combine(from, time, terms, to);
    shared_.received.combine(from, terms, to);
  }
  void combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to) override {
    problem_.stages().combine_stage(from, time, terms, to);
    shared_.received.combine_stage(from, terms, to);
  }
  void combine_rates(std::span<const integrate::Term> terms, int to) override {
    problem_.combine_rates(terms, to);
    shared_.received.combine_rates(terms, to);
  }
  integrate::Norm error_norm(int from, int to, std::span<const integrate::Term> error) override {
    return problem_.error_norm(from, to, error);
  }
  std::string read(Kept what, int slot) const override {
    ByteWriter out;
    if (what == Kept::state) {
      problem_.save_state(slot, out);
      shared_.received.save_state(slot, out);
    } else {
      problem_.save_rate(slot, out);
      shared_.received.save_rate(slot, out);
    }
    return out.bytes();
  }
  bool write(Kept what, int slot, std::string_view bytes) override {
    ByteReader in(bytes);
    if (what == Kept::state) {
      problem_.load_state(slot, in);
      shared_.received.load_state(slot, in);
    } else {
      problem_.load_rate(slot, in);
      shared_.received.load_rate(slot, in);
    }
    return in.is_complete();
  }

 private:
  Shared& shared_;
  MachineProblem& problem_;
};

class MachineEventsGroup final : public subsystem::Events {
 public:
  explicit MachineEventsGroup(Shared& shared) : events_(shared.machine.problem.events()) {}

  double next_jump(double time) override { return events_.next_discontinuity(time); }
  void cross(int slot) override { events_.cross(slot); }
  void set_all_sides(int slot) override { events_.set_all_sides(slot); }
  void slacks(int slot, std::span<double> values) override { events_.slacks(slot, values); }
  void flip(int slot, std::size_t which) override { events_.flip(slot, which); }
  void mark_event(int slot) override { events_.mark_event(slot); }

 private:
  MachineEvents& events_;
};

class MachineEvaluation final : public subsystem::Evaluation {
 public:
  explicit MachineEvaluation(Shared& shared) : shared_(shared) {}

  subsystem::Drawing drawn() override;
  // What was computed with former inputs is computed again with the forces.
  bool load(int slot, unsigned parts, std::span<const double> inputs, std::span<double> out) override {
    if (!inputs.empty()) shared_.machine.params.inputs.assign(inputs.begin(), inputs.end());
    load_parts(slot, parts);
    if (!out.empty()) show(slot, parts, out);
    return (parts & subsystem::kForces) == 0 || shared_.is_code_good(slot);
  }
  bool put_right_side(int slot, RightSide kind, subsystem::Gap& gap) override {
    const MachineSlot& s = shared_.machine.problem.slots()[slot];
    if (kind == RightSide::position_gaps && s.is_at_event) {
      shared_.kinetic_before = mechanics::kinetic_energy(shared_.machine.params, s.state);
    }
    gap = shared_.equations(slot).put_right_side(s.state, kind);
    return kind != RightSide::accelerations || shared_.is_code_good(slot);
  }
  void take(int slot, RightSide kind) override {
    system::State& state = shared_.machine.problem.slots()[slot].state;
    Equations& equations = shared_.equations(slot);
    if (kind == RightSide::position_gaps) {
      equations.take_positions(state);
    } else {
      equations.take_velocities(state);
    }
  }
  bool take_accelerations(int slot, int rate) override {
    shared_.received.set_power(rate, shared_.power(slot));
    shared_.equations(slot);
    return shared_.dynamics().take_accelerations(slot, rate);
  }
  void settle(int slot) override;

 private:
  void load_parts(int slot, unsigned parts);
  void show(int slot, unsigned parts, std::span<double> out);
  void show_signals(int slot, int seen, std::span<double> out);

  Shared& shared_;
};

void MachineEvaluation::load_parts(int slot, unsigned parts) {
  if (slot == subsystem::kDrawn) {
    shared_.equations(slot).load(system::drawn_state(shared_.machine.system, shared_.machine.params));
  } else if (parts == 0) {
    shared_.dynamics().place(slot);
  } else {
    shared_.equations(slot).load_parts(shared_.machine.problem.state(slot), parts);
  }
}

void MachineEvaluation::show(int slot, unsigned parts, std::span<double> out) {
  // Whose equations have the motion.
  const int seen = parts == 0 && slot != subsystem::kDrawn ? integrate::Integrator::kOutputState : slot;
  const std::size_t motions = mechanics::kPortMotion * shared_.machine.system.mounts.size();
  shared_.show_motions(seen, out.first(motions));
  if (!shared_.machine.signals.empty()) show_signals(slot, seen, out.subspan(motions));
}

void MachineEvaluation::show_signals(int slot, int seen, std::span<double> out) {
  const InteriorMachine& m = shared_.machine;
  const bool is_drawn = slot == subsystem::kDrawn;
  const system::State drawn = is_drawn ? system::drawn_state(m.system, m.params) : system::State{};
  const mechanics::Context context{m.system, m.params, is_drawn ? drawn : m.problem.state(slot)};
  const mechanics::View<double> now = mechanics::view(context, shared_.dynamics().equations_of(seen).workspace());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = now.signal(m.signals[i]);
}

subsystem::Drawing MachineEvaluation::drawn() {
  load_parts(subsystem::kDrawn, 0);
  const std::vector<system::Mount>& mounts = shared_.machine.system.mounts;
  subsystem::Drawing drawing;
  drawing.motions.resize(mechanics::kPortMotion * mounts.size());
  shared_.show_motions(subsystem::kDrawn, drawing.motions);
  Equations& equations = shared_.dynamics().equations();
  const solve::Plan& plan = *equations.plan();
  for (const system::Mount& mount : mounts) {
    const BodyMass& mass = solve::mass_behind(plan, equations.workspace().ports.at_frame(mount.frame));
    drawing.references.push_back(solve::rounded_reference(mass.mass));
    drawing.references.push_back(solve::rounded_reference(mass.mean_inverse_inertia));
  }
  equations.components().factor_planned(plan.tau);
  const std::span<const double> D = equations.components().mobility();
  drawing.D.assign(D.begin(), D.end());
  equations.components().forget();
  return drawing;
}

void MachineEvaluation::settle(int slot) {
  const InteriorMachine& m = shared_.machine;
  MachineSlot& s = m.problem.slots()[slot];
  Equations& equations = shared_.equations(slot);
  equations.settle(s.state);
  equations.subsystems().settle();
  if (std::exchange(s.is_at_event, false)) {
    s.state.extra[m.system.work_place(system::Work::impacts)] +=
        mechanics::kinetic_energy(m.params, s.state) - shared_.kinetic_before;
  }
  s.is_base = true;
  s.base_time = s.state.time;
  std::fill(s.turn.begin(), s.turn.end(), 0.0);
  // Its owner puts it onto the constraints before the start.
  if (s.state.time == m.start_time) shared_.open_books(slot);
}

class MachineSweeps final : public subsystem::Sweeps {
 public:
  explicit MachineSweeps(Shared& shared) : shared_(shared) {}

  bool factor(int slot, const solve::RankRule& rule, double* D, subsystem::FactorReport& report) override {
    Equations& equations = shared_.equations(slot);
    solve::ComponentSolver& solver = equations.components();
    solve::PivotChange change = solve::PivotChange::none;
    if (slot == subsystem::kDrawn) {
      solver.factor_planned(rule.tolerance);
    } else {
      equations.set_rank_tolerance(rule.tolerance);
      solve::PivotSet& pivots = shared_.machine.problem.slots()[slot].pivots;
      change = equations.factor(pivots, rule.decides ? Equations::Rank::decide : Equations::Rank::keep);
      shared_.dynamics().count(change);
    }
    const std::span<const double> mobility = solver.mobility();
    std::copy(mobility.begin(), mobility.end(), D);
    report = {change != solve::PivotChange::none, solver.smallest(), static_cast<std::size_t>(solver.rank())};
    return true;
  }
  bool up(int slot, solve::NodeLoad load, double* r) override {
    const solve::NodeFunctions root = root_of(slot);
    root.up(root.self, load, r);
    return true;
  }
  bool down(int slot, solve::NodeLoad load, const double* loads, double* motions) override {
    const solve::NodeFunctions root = root_of(slot);
    root.down(root.self, load, loads, motions);
    // The rest of a load is added to what was given before.
    const bool is_rest = load == solve::NodeLoad::rest;
    for (std::size_t i = 0; i < shared_.loads.size(); ++i) {
      shared_.loads[i] = is_rest ? shared_.loads[i] + loads[i] : loads[i];
    }
    return true;
  }
  bool residual(int slot, solve::NodeResidual& residual) override {
    const solve::NodeFunctions root = root_of(slot);
    residual = root.residual(root.self);
    return true;
  }
  bool make_test_load(int slot, int which, double* motions) override {
    const solve::NodeFunctions root = root_of(slot);
    root.make_test_load(root.self, which, motions);
    return true;
  }
  void forget(int slot) override { shared_.dynamics().equations_of(slot).components().forget(); }

 private:
  solve::NodeFunctions root_of(int slot) const {
    return shared_.dynamics().equations_of(slot).components().functions();
  }

  Shared& shared_;
};

class MachineNewton final : public subsystem::Newton {
 public:
  explicit MachineNewton(Shared& shared) : shared_(shared), stages_(shared.machine.problem.stages()) {}

  bool factor(const Point& point, double* D) override {
    return point.at == At::stage
               ? stages_.owner_factor_stage(point.loads, D)
               : stages_.owner_factor_newton(point.slot, point.velocity_gain, point.position_gain, point.loads, D);
  }
  bool put_right_side(int rate, std::span<double> motions) override {
    stages_.owner_put_newton(rate, motions);
    return true;
  }
  bool up(double* r) override {
    stages_.owner_up(r);
    return true;
  }
  bool down(const double* loads, double* motions) override {
    stages_.owner_down(loads, motions);
    return true;
  }
  bool take(int rate, int to) override {
    stages_.take_newton(rate, to);
    shared_.received.set_power(to, shared_.received.power(rate));
    return true;
  }
  bool begin_stage(const integrate::Stage& stage) override {
    stages_.begin_stage(stage);
    shared_.received.combine_stage(stage.from, stage.known, stage.to);
    energy_before_ = shared_.received[stage.to];
    return true;
  }
  bool place_stage() override {
    stages_.owner_place_stage();
    place_energy();
    return true;
  }
  bool put_stage_loads(std::span<const double> loads, double& change) override {
    const integrate::Stage& stage = stages_.stage();
    std::copy(loads.begin(), loads.end(), shared_.loads.begin());
    shared_.received.set_power(stage.rate, shared_.power(stage.to));
    change = stages_.owner_put_loads(shared_.loads);
    return shared_.is_code_good(stage.to);
  }
  bool take_stage(double& size) override {
    size = stages_.take_stage();
    return true;
  }
  bool end_stage() override {
    stages_.end_stage();
    place_energy();
    return true;
  }

 private:
  // The energy that came in goes along.
  void place_energy() {
    const integrate::Stage& stage = stages_.stage();
    shared_.received.set(stage.to, energy_before_ + stage.velocity_gain * shared_.received.power(stage.rate));
  }

  Shared& shared_;
  MachineStages& stages_;
  double energy_before_ = 0.0;  // of a stage, without what its own rate adds
};

class MachineOutputs final : public subsystem::Outputs {
 public:
  explicit MachineOutputs(Shared& shared) : shared_(shared) {}

  subsystem::Books read(int slot, std::span<double> values) override {
    const InteriorMachine& m = shared_.machine;
    m.problem.subsystems().read_outputs(slot, inside_);  // they answer first: what comes next looks at them again
    m.outputs.read(m.problem, slot, values);
    const mechanics::Energy energy = shared_.energy_of(slot);
    const mechanics::Work work = mechanics::work(m.system, m.problem.state(slot), energy);
    subsystem::Books books;
    books.received = shared_.received[slot];
    books.error = energy.total() - shared_.start_energy - shared_.received[slot] - work.total();
    if (m.system.sealed.empty()) return books;
    // What went on into subsystems is theirs; the errors of their books are added to that of ours.
    books.error += inside_.received;
    books.error += books.error < 0.0 ? -inside_.error : inside_.error;
    return books;
  }

 private:
  Shared& shared_;
  SubsystemStates::Report inside_;
};

class MachineSubsystem final : public subsystem::Subsystem {
 public:
  explicit MachineSubsystem(InteriorMachine&& machine)
      : shape_{machine.system.mounts.size(), machine.input_count, machine.signals.size(),
               machine.problem.events().switch_count(), machine.outputs.size()},
        shared_(std::move(machine)),
        states_(shared_),
        events_(shared_),
        evaluation_(shared_),
        sweeps_(shared_),
        newton_(shared_),
        outputs_(shared_) {}

  const subsystem::Shape& shape() const override { return shape_; }
  subsystem::States& states() override { return states_; }
  subsystem::Events& events() override { return events_; }
  subsystem::Evaluation& evaluation() override { return evaluation_; }
  subsystem::Sweeps& sweeps() override { return sweeps_; }
  subsystem::Outputs& outputs() override { return outputs_; }
  subsystem::Newton* newton() override { return &newton_; }
  std::string_view trouble() const override { return shared_.trouble; }

 private:
  subsystem::Shape shape_;
  Shared shared_;
  MachineStatesGroup states_;
  MachineEventsGroup events_;
  MachineEvaluation evaluation_;
  MachineSweeps sweeps_;
  MachineNewton newton_;
  MachineOutputs outputs_;
};

}  // namespace

std::unique_ptr<subsystem::Subsystem> as_subsystem(InteriorMachine machine) {
  return std::make_unique<MachineSubsystem>(std::move(machine));
}

}  // namespace gelenk::analysis
