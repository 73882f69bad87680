#include "gelenk/analysis/sealed_assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "gelenk/analysis/machine/problem.h"
#include "gelenk/base/index.h"
#include "gelenk/base/text.h"
#include "gelenk/expression/expression.h"
#include "gelenk/mechanics/node_balance.h"
#include "gelenk/mechanics/switches.h"
#include "gelenk/system/compile.h"

namespace gelenk::analysis {
namespace {

constexpr int kSlot = 0, kTried = 1;
// What is closed already stays as it is, to the last bit (rounding of a drawing; m, rad).
constexpr double kMountsClosed = 1e-14;
constexpr double kSmallestMountLead = 1.0 / 4096.0;
// Velocities of parts that are given are put back after each projection until they stay; each time, what is left
// shrinks with the share that others have in the mass.
constexpr int kMostRounds = 400;
constexpr double kMet = 1e-10;  // machine lengths per second, rad/s, or part of the value

DynamicsOptions dynamics_options(const MountingOptions& options) {
  return {.rank_tolerance = options.rank_tolerance, .partitioning = options.partitioning};
}

// A coordinate that is led: value + rate · (time - start).
struct PlaceWish {
  model::CoordinateUse coordinate;
  double from = 0.0, value = 0.0, rate = 0.0;
  std::string path;
  SourceRange where;
};

model::Signal law_of(const PlaceWish& wish, double start_time) {
  model::Signal law;
  law.formula = *expression::parse("value + rate * (time - start)").expression;
  for (const expression::Symbol& symbol : law.formula.symbols()) {
    model::SymbolUse& use = law.symbols.emplace_back();
    if (symbol.name == "time") use.kind = model::SymbolUse::Kind::time;
    if (symbol.name == "value") use.value = wish.value;
    if (symbol.name == "rate") use.value = wish.rate;
    if (symbol.name == "start") use.value = start_time;
  }
  return law;
}

// The machine with some of its coordinates prescribed, for the time of the assembly. Position laws have no states of
// their own: states of the machine are states of this one, too.
class Leader {
 public:
  Leader(const model::Machine& machine, std::vector<PlaceWish> wishes, double length, const MountingOptions& options,
         std::span<subsystem::Subsystem* const> subsystems)
      : machine_(machine), wishes_(std::move(wishes)), start_time_(options.start_time), length_(length) {
    for (const PlaceWish& wish : wishes_) {
      model::DriverNode& driver = machine_.drivers.emplace_back();
      driver.path = wish.path;
      driver.drives = wish.coordinate;
      driver.law = law_of(wish, start_time_);
      driver.where = wish.where;
    }
    Diagnostics ignored;  // the machine itself was compiled before
    system_ = *system::compile(machine_, {.merge_welded = options.merges_welded}, ignored);
    set_fraction(1.0);
    problem_ =
        std::make_unique<MachineProblem>(system_, params_, options.tolerance, dynamics_options(options), subsystems);
  }

  // Where the coordinates are on their way: 0 at `from`, 1 at `value`.
  void set_fraction(double fraction) {
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
      PlaceWish now = wishes_[i];
      if (fraction < 1.0) now.value = now.from + fraction * (now.value - now.from);
      machine_.drivers[machine_.drivers.size() - wishes_.size() + i].law = law_of(now, start_time_);
    }
    params_ = system::make_params(system_, machine_);
    params_.length = length_;
  }

  MachineProblem& problem() { return *problem_; }

 private:
  model::Machine machine_;
  std::vector<PlaceWish> wishes_;
  double start_time_;
  double length_;
  system::System system_;
  system::Params params_;
  std::unique_ptr<MachineProblem> problem_;
};

class SealedAssembler {
 public:
  SealedAssembler(const system::System& system, const system::Params& params, const model::Machine& machine,
                  const MountingOptions& options, std::span<subsystem::Subsystem* const> subsystems,
                  Diagnostics& diagnostics)
      : system_(system),
        params_(params),
        machine_(machine),
        options_(options),
        subsystems_(subsystems),
        diagnostics_(diagnostics),
        whole_(system, params, options.tolerance, dynamics_options(options), subsystems) {}

  std::optional<Assembly> run() {
    result_.rank_tolerance = options_.rank_tolerance;
    result_.joint_gap.assign(system_.joints.size(), 0.0);
    result_.state = system::drawn_state(system_, params_);
    result_.state.time = options_.start_time;
    whole_.set_state(kSlot, result_.state);
    settle_extras();
    if (!whole_.project(kSlot)) {
      report_open();
      return std::nullopt;
    }
    if (whole_.dynamics().statistics().largest_drift > kMountsClosed) {
      result_.closed_by = ClosedBy::components;
      take(whole_);
    }
    if (!lead_positions() || !start_velocities()) return std::nullopt;
    settle_extras();
    const bool has_inputs = std::any_of(system_.sealed.begin(), system_.sealed.end(),
                                        [](const system::SealedComponent& one) { return !one.inputs.empty(); });
    if (has_inputs) {
      whole_.events().set_sides_of_subsystems(kSlot);
      result_.sealed_states = whole_.subsystems().read_states(kSlot);
    }
    return std::move(result_);
  }

 private:
  void take(MachineProblem& problem) {
    result_.state = problem.state(kSlot);
    result_.sealed_states = problem.subsystems().read_states(kSlot);
  }

  mechanics::View<double> view_of(MachineProblem& problem) const {
    mechanics::Workspace& workspace = problem.dynamics().place(kSlot);
    return mechanics::view({system_, params_, problem.state(kSlot)}, workspace);
  }

  std::int32_t coordinate_number(std::size_t joint, std::size_t coordinate) const {
    return system_.joints[joint].first_coordinate + static_cast<std::int32_t>(coordinate);
  }

  bool is_driven(std::size_t joint, std::size_t coordinate) const {
    return std::any_of(machine_.drivers.begin(), machine_.drivers.end(), [&](const model::DriverNode& driver) {
      return driver.drives.joint.index() == joint && driver.drives.coordinate == coordinate &&
             driver.level == model::DriverNode::Level::position;
    });
  }

  bool has_place_for(const model::JointNode& joint, const model::CoordinateStart& start) {
    if (joint.type->coordinates[start.coordinate].motion != model::Coordinate::Motion::orientation) return true;
    const ElementScope element(diagnostics_, joint.path, "joint");
    diagnostics_.error(Code::start_not_possible, joint.where,
                       "start orientations and turning rates of ball joints cannot be given in a machine with sealed "
                       "components",
                       "draw the parts as they should start");
    return false;
  }

  // Guesses choose a branch; here they are led to as start values are.
  bool lead_positions() {
    std::vector<PlaceWish> wishes;
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      const model::JointNode& joint = machine_.joints[j];
      for (const auto* list : {&joint.start, &joint.guess}) {
        for (const model::CoordinateStart& start : *list) {
          if (start.is_rate || is_driven(j, start.coordinate)) continue;
          if (!has_place_for(joint, start)) return false;
          const double now = view_of(whole_).coordinate(coordinate_number(j, start.coordinate));
          wishes.push_back(
              {{model::JointId(j), start.coordinate, 1.0}, now, start.value[0], 0.0, joint.path, joint.where});
        }
      }
    }
    return wishes.empty() || lead(wishes);
  }

  // Takes the coordinates from where they are to where they shall be, in increments that keep the branch.
  bool lead(const std::vector<PlaceWish>& wishes) {
    Leader leader(machine_, wishes, params_.length, options_, subsystems_);
    MachineProblem& problem = leader.problem();
    problem.set_state(kTried, result_.state, result_.sealed_states);
    problem.set_state(kSlot, result_.state, result_.sealed_states);
    double done = 0.0, increment = 0.125;
    while (done < 1.0) {
      const double next = std::min(1.0, done + increment);
      leader.set_fraction(next);
      problem.copy(kSlot, kTried);
      if (problem.project(kTried)) {
        problem.copy(kTried, kSlot);
        done = next;
        increment *= 2.0;
        continue;
      }
      increment *= 0.5;
      if (increment >= kSmallestMountLead) continue;
      report_unreachable(wishes, done);
      return false;
    }
    result_.closed_by = ClosedBy::components;
    take(problem);
    return true;
  }

  // Velocities of the parts that are given, at their origins, as those of their bodies.
  bool put_given(system::State& state) const {
    bool is_met = true;
    for (std::size_t p = 0; p < system_.parts.size(); ++p) {
      const model::PartNode& part = machine_.parts[p];
      const std::int32_t body = system_.parts[p].body;
      if (body == system::kGround || !(part.has_start_velocity || part.has_start_angular_velocity)) continue;
      const system::PartParams& given = params_.parts[p];
      Eigen::Map<Vector3> v(&state.velocity[6 * at(body)]), w(&state.velocity[6 * at(body) + 3]);
      const Vector3 arm = state.orientation[at(body)].toRotationMatrix() * given.X_BP.position;
      const Vector3 w_given = part.has_start_angular_velocity ? given.start_angular_velocity : Vector3(w);
      const Vector3 v_given = part.has_start_velocity ? Vector3(given.start_velocity - w_given.cross(arm))
                                                      : Vector3(v + w.cross(arm) - w_given.cross(arm));
      const double v_size = params_.length + given.start_velocity.norm();
      const double w_size = 1.0 + given.start_angular_velocity.norm();
      is_met = is_met && (v_given - v).norm() <= kMet * v_size && (w_given - w).norm() <= kMet * w_size;
      v = v_given;
      w = w_given;
    }
    return is_met;
  }

  bool start_velocities() {
    std::vector<PlaceWish> wishes;
    bool tells_parts = false;
    for (const model::PartNode& part : machine_.parts) {
      tells_parts = tells_parts || part.has_start_velocity || part.has_start_angular_velocity;
    }
    whole_.set_state(kSlot, result_.state, result_.sealed_states);
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      const model::JointNode& joint = machine_.joints[j];
      for (const model::CoordinateStart& start : joint.start) {
        if (!start.is_rate || is_driven(j, start.coordinate)) continue;
        if (!has_place_for(joint, start)) return false;
        const double now = view_of(whole_).coordinate(coordinate_number(j, start.coordinate));
        wishes.push_back(
            {{model::JointId(j), start.coordinate, 1.0}, now, now, start.value[0], joint.path, joint.where});
      }
    }
    start_driver_rates();
    if (wishes.empty() && !tells_parts) return true;
    Leader leader(machine_, wishes, params_.length, options_, subsystems_);
    MachineProblem& problem = leader.problem();
    for (int round = 0; round < kMostRounds; ++round) {
      const bool is_met = put_given(result_.state);
      if (round > 0 && is_met) return true;
      problem.set_state(kSlot, result_.state, result_.sealed_states);
      if (!problem.project(kSlot)) break;
      take(problem);
    }
    report_velocities(wishes);
    return false;
  }

  // Rates that acceleration laws begin with.
  void start_driver_rates() {
    for (const system::Driver& driver : system_.drivers) {
      if (driver.level != model::DriverNode::Level::acceleration) continue;
      const system::Coordinate& c = system_.coordinates[at(driver.coordinate)];
      for (const model::CoordinateStart& start : machine_.joints[at(c.joint)].start) {
        const std::int32_t number = coordinate_number(at(c.joint), start.coordinate);
        if (start.is_rate && number == driver.coordinate) result_.state.extra[at(driver.extra) + 1] = start.value[0];
      }
    }
  }

  // Turns count from what the user wrote, laws that prescribe rates from where the coordinate is.
  void settle_extras() {
    whole_.set_state(kSlot, result_.state, result_.sealed_states);
    mechanics::Workspace& workspace = whole_.dynamics().place(kSlot);
    system::State& state = result_.state;
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      for (const model::CoordinateStart& start : machine_.joints[j].start) {
        const std::int32_t tracked = system_.coordinates[at(coordinate_number(j, start.coordinate))].tracked;
        if (!start.is_rate && tracked >= 0) state.extra[at(tracked)] = start.value[0];
      }
    }
    mechanics::settle_angles(system_, params_, workspace, state);
    const mechanics::View<double> now = mechanics::view({system_, params_, state}, workspace);
    for (const system::Driver& driver : system_.drivers) {
      if (driver.extra >= 0) state.extra[at(driver.extra)] = now.coordinate(driver.coordinate);
    }
    mechanics::set_all_sides(system_, params_, workspace, state);
    mechanics::settle_nodes({system_, params_, state}, workspace, state);
    whole_.set_state(kSlot, state, result_.sealed_states);
  }

  void report_open() {
    std::vector<std::string> names;
    for (const model::SealedNode& sealed : machine_.sealed) names.push_back(fmt::format("'{}'", sealed.path));
    diagnostics_.error(
        Code::cannot_assemble, machine_.sealed.front().where,
        fmt::format("the joints cannot be closed together with the sealed components {} as they are drawn",
                    join(names, ", ")),
        "draw the parts close to where they meet: sealed components cannot be moved far");
  }

  void report_unreachable(const std::vector<PlaceWish>& wishes, double done) {
    const PlaceWish& first = wishes.front();
    const ElementScope element(diagnostics_, first.path, "joint");
    std::vector<std::string> others;
    for (const PlaceWish& wish : wishes) {
      if (&wish != &first) others.push_back(fmt::format("'{}'", wish.path));
    }
    diagnostics_.error(Code::start_not_possible, first.where,
                       fmt::format("starting from the drawing, it gets only {} % of the way to its start value{}",
                                   format_rounded(100.0 * done, 3),
                                   others.empty() ? "" : fmt::format(", together with {}", join(others, ", "))),
                       "choose a start value that the machine can reach, or draw the parts closer to it");
  }

  void report_velocities(const std::vector<PlaceWish>& wishes) {
    std::optional<ElementScope> element;
    SourceRange where = machine_.sealed.front().where;
    if (!wishes.empty()) {
      element.emplace(diagnostics_, wishes.front().path, "joint");
      where = wishes.front().where;
    }
    diagnostics_.error(Code::start_not_possible, where,
                       "the joints, drivers and sealed components do not allow the start velocities that are given",
                       "give fewer start velocities, or values that agree");
  }

  const system::System& system_;
  const system::Params& params_;
  const model::Machine& machine_;
  const MountingOptions& options_;
  std::span<subsystem::Subsystem* const> subsystems_;
  Diagnostics& diagnostics_;
  MachineProblem whole_;
  Assembly result_;
};

}  // namespace

std::optional<Assembly> assemble_with_sealed(const system::System& system, const system::Params& params,
                                             const model::Machine& machine, const MountingOptions& options,
                                             std::span<subsystem::Subsystem* const> subsystems,
                                             Diagnostics& diagnostics) {
  return SealedAssembler(system, params, machine, options, subsystems, diagnostics).run();
}

std::string decide_for_sealed(const system::Params& params, RunOptions& options) {
  using integrate::Method;
  if (options.is_auto) {
    choose_method({}, true, options);
    options.method_reason = "sealed components work with explicit methods";
  }
  if (options.method == Method::cvode) {
    return "method cvode needs the whole state, which sealed components do not reveal; bdf is similar";
  }
  if (options.partition == Partitioning::none)
    return "sealed components are always solved on their own: partition none does not work with them";
  if (std::holds_alternative<model::PointGravity>(params.gravity)) {  // none at all is zero everywhere
    return "sealed components need uniform gravity, and the gravity of this machine is not uniform";
  }
  return {};
}

}  // namespace gelenk::analysis
