#include "gelenk/analysis/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gelenk/analysis/carry.h"
#include "gelenk/analysis/closer.h"
#include "gelenk/analysis/start_nodes.h"
#include "gelenk/analysis/start_velocities.h"
#include "gelenk/base/index.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/mechanics/switches.h"
#include "gelenk/system/compile.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {
namespace {

// A pose is believed when it was near already: lengths of the machine and rad (component method, ALGORITHM 5).
constexpr double kNear = 0.05;
constexpr double kSmallestLead = 1.0 / 4096.0;
constexpr std::size_t kMostNamedJoints = 4;

class Assembler {
 public:
  Assembler(const system::System& system, const system::Params& params, const model::Machine& machine,
            double start_time, Diagnostics& diagnostics)
      : system_(system),
        params_(params),
        machine_(machine),
        start_time_(start_time),
        diagnostics_(diagnostics),
        held_(held_coordinates(system, params, machine, start_time)),
        carried_(held_) {
    const std::vector<HeldCoordinate> implied = implied_coordinates(system, params, held_);
    carried_.insert(carried_.end(), implied.begin(), implied.end());
  }

  std::optional<Assembly> run() {
    system::State state = system::drawn_state(system_, params_);
    state.time = start_time_;
    if (!system_.couplings.empty()) count_turns(state);
    if (!place(state)) return std::nullopt;

    Assembly result;
    result.rank_tolerance = closing_.rank_tolerance;
    result.residual = closing_.residual;
    result.closed_by = closed_by_;
    Closer joints(system_, params_, {});
    result.joint_gap = joints.joint_gaps(state);
    warn_about_residual(result);
    start_angles(state);
    if (!start_velocities(system_, params_, machine_, result.rank_tolerance, state, diagnostics_)) {
      given_up_ = std::move(state);
      return std::nullopt;
    }
    if (!start_nodes(system_, params_, state, diagnostics_)) {
      given_up_ = std::move(state);
      return std::nullopt;
    }
    result.moved = moved_parts(state);
    result.state = std::move(state);
    return result;
  }

  // Where it was when it could not be done.
  const std::optional<system::State>& given_up() const { return given_up_; }

 private:
  std::vector<HeldCoordinate> held(bool is_guess) const {
    std::vector<HeldCoordinate> some = held_;
    std::erase_if(some, [&](const HeldCoordinate& one) { return one.is_guess != is_guess; });
    return some;
  }

  // From where it is drawn; from where the joints carry it; or step by step from the closed drawing.
  bool place(system::State& state) {
    Closer all(system_, params_, held_);
    system::State tried = state;
    if (closes(all, tried)) return finish(tried, state);
    tried = state;
    carry(system_, params_, carried_, false, tried);
    if (closes(all, tried)) return finish(tried, state);
    // Guesses choose the branch by where the parts are carried; they need not be met.
    if (!held(true).empty()) {
      Closer firm(system_, params_, held(false));
      tried = state;
      carry(system_, params_, carried_, true, tried);
      closing_ = firm.close_gradually(tried, kNear);
      if (closing_.is_closed && firm.is_proper(tried)) return finish(tried, state);
    }
    if (!close_drawing(state)) return false;
    // Led to, as far as they can be reached; then the start values.
    if (std::vector<HeldCoordinate> guesses = held(true); !guesses.empty()) {
      Closer guessed(system_, params_, std::move(guesses));
      lead(guessed, state);
    }
    Closer firm(system_, params_, held(false));
    const double reached = lead(firm, state);
    if (reached < 1.0) {
      report_unreachable(firm, reached);
      given_up_ = state;
      return false;
    }
    return finish(state, state);
  }

  bool closes(Closer& closer, system::State& state) {
    closing_ = closer.close(state, kNear);
    closed_by_ = std::max(closed_by_, closing_.closed_by);
    return closing_.is_closed && closer.is_proper(state);
  }

  // Guesses have chosen the branch: now they are let go.
  bool finish(system::State closed, system::State& state) {
    Closer firm(system_, params_, held(false));
    if (!closes(firm, closed)) {
      report_conflict(firm, closed);
      given_up_ = std::move(closed);
      return false;
    }
    state = std::move(closed);
    return true;
  }

  // The joints alone, wherever their coordinates are.
  bool close_drawing(system::State& state) {
    Closer joints(system_, params_, {});
    system::State tried = state;
    if (closes(joints, tried)) {
      state = std::move(tried);
      return true;
    }
    carry(system_, params_, {}, false, state);
    tried = state;
    if (closes(joints, tried)) {
      state = std::move(tried);
      return true;
    }
    tried = state;
    closing_ = joints.close_gradually(tried, kNear);
    if (closing_.is_closed && joints.is_proper(tried)) {
      state = std::move(tried);
      return true;
    }
    report_conflict(joints, tried);
    given_up_ = std::move(tried);
    return false;
  }

  // Takes the held coordinates from where they are to where they shall be, in increments that keep the branch. Returns
  // how much of the way was possible.
  double lead(Closer& closer, system::State& state) {
    if (closer.held().empty()) return 1.0;
    closer.lead_from(state);
    const double tolerance = closing_.rank_tolerance;  // of the closed drawing: a coarser one would let joints open
    double done = 0.0;
    double increment = 0.125;
    while (done < 1.0 && increment >= kSmallestLead) {
      const double next = std::min(1.0, done + increment);
      closer.set_fraction(next);
      system::State tried = state;
      closing_ = closer.close(tried, kNear);
      closed_by_ = std::max(closed_by_, closing_.closed_by);
      if (!closing_.is_closed || closing_.rank_tolerance > tolerance) {
        increment *= 0.5;
        continue;
      }
      state = std::move(tried);
      done = next;
      increment *= 2.0;
    }
    return done;
  }

  std::string coordinate_name(const HeldCoordinate& one) const {
    const system::Coordinate& c = system_.coordinates[at(one.coordinate)];
    return fmt::format("{}.{}", system_.joints[at(c.joint)].path, c.type->name);
  }

  std::string shown_value(const model::Coordinate& c, double value) const {
    return shown_quantity(machine_.display, value, c.quantity(), 5);
  }

  void report_unreachable(const Closer& closer, double done) {
    const std::vector<HeldCoordinate>& held = closer.held();
    // The one that had the longest way to go, by its own measure.
    const auto way = [&](const HeldCoordinate& one) {
      const bool is_length =
          system_.coordinates[at(one.coordinate)].type->motion == model::Coordinate::Motion::translation;
      return std::abs(one.value - one.from) / (is_length ? params_.length : 1.0);
    };
    const auto farthest =
        std::max_element(held.begin(), held.end(), [&](const auto& a, const auto& b) { return way(a) < way(b); });
    const system::Coordinate& c = system_.coordinates[at(farthest->coordinate)];
    const system::Joint& joint = system_.joints[at(c.joint)];
    const ElementScope element(diagnostics_, joint.path, "joint");
    const auto same = std::find_if(held.begin(), held.end(), [&](const HeldCoordinate& other) {
      return &other != &*farthest && other.coordinate == farthest->coordinate;
    });
    if (same != held.end()) {
      const HeldCoordinate& start = farthest->is_driver ? *same : *farthest;
      const HeldCoordinate& driver = farthest->is_driver ? *farthest : *same;
      Diagnostic& d =
          diagnostics_.error(Code::start_not_possible, start.where,
                             fmt::format("its {} should start at {}, but its driver starts it at {}", c.type->name,
                                         shown_value(*c.type, start.value), shown_value(*c.type, driver.value)),
                             "leave the start value out: the driver decides");
      d.notes.emplace_back(driver.where, "the driver is here");
      return;
    }
    const double reached = farthest->from + done * (farthest->value - farthest->from);
    std::vector<std::string> others;
    for (const HeldCoordinate& one : held) {
      if (&one != &*farthest) others.push_back(coordinate_name(one));
    }
    // From a dead point nothing moves at first: the drawing says nothing about which way to go.
    const bool is_stuck = done * way(*farthest) < 1e-2;
    diagnostics_.error(Code::start_not_possible, farthest->where,
                       fmt::format("its {} should start at {}, but starting from the drawing it can only reach {}{}",
                                   c.type->name, shown_value(*c.type, farthest->value), shown_value(*c.type, reached),
                                   others.empty() ? "" : fmt::format(", together with {}", join(others, ", "))),
                       is_stuck ? "if the machine is drawn at a dead point, give another joint a `guess:` to choose "
                                  "the direction; otherwise choose a start value that the machine can reach"
                                : "choose a start value that the machine can reach, or draw the parts closer to it");
  }

  void report_coupling(const Closer::CouplingGap& gap) {
    const system::Coupling& coupling = system_.couplings[at(gap.coupling)];
    const ElementScope element(diagnostics_, coupling.path, "joint");
    std::vector<std::string> names;
    for (std::int32_t t = 0; t < coupling.term_count; ++t) {
      const std::int32_t number = system_.coupling_terms[at(coupling.first_term + t)].coordinate;
      const system::Coordinate& c = system_.coordinates[at(number)];
      names.push_back(fmt::format("{}.{}", system_.joints[at(c.joint)].path, c.type->name));
    }
    diagnostics_.error(
        Code::cannot_assemble, coupling.where,
        fmt::format("{} do not fit together at the start: they are off by {}", join(names, ", "),
                    shown_quantity(machine_.display, gap.open, gap.is_length ? Quantity::length : Quantity::angle, 4)),
        coupling.law >= 0 ? "give start values that fit the formula, or fewer of them and let it find the others"
        : coupling.type->coupling->constant != nullptr
            ? "give one start value and let the coupling find the others, or change `offset`"
            : "it meshes as drawn: give one start value and let it find the others, or check other couplings of these");
  }

  void report_conflict(Closer& closer, const system::State& state) {
    const Closer::CouplingGap coupling = closer.worst_coupling(state);
    if (coupling.coupling >= 0) {
      report_coupling(coupling);
      return;
    }
    const std::vector<double> gaps = closer.joint_gaps(state);
    std::vector<std::size_t> order(gaps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return gaps[a] > gaps[b]; });
    const std::size_t worst = order.empty() ? 0 : order.front();
    std::vector<std::string> named;
    for (const std::size_t j : order) {
      if (named.size() == kMostNamedJoints || !(gaps[j] > 0.1 * gaps[worst])) break;
      named.push_back(fmt::format("{} by {}", system_.joints[j].path, gap_text(closer, state, j)));
    }
    std::optional<ElementScope> element;
    SourceRange where;
    if (!gaps.empty()) {
      element.emplace(diagnostics_, system_.joints[worst].path, "joint");
      where = system_.joints[worst].where;
    }
    Diagnostic& d = diagnostics_.error(
        Code::cannot_assemble, where,
        fmt::format("the joints cannot be closed together; still open: {}", named.empty() ? "?" : join(named, ", ")),
        "check axes, lengths and start values of the joints named, or disable one of them to see the rest move");
    for (std::size_t i = 1; i < std::min(named.size(), kMostNamedJoints); ++i) {
      d.notes.push_back(
          {system_.joints[order[i]].where, fmt::format("also open: joint '{}'", system_.joints[order[i]].path)});
    }
  }

  std::string gap_text(Closer& closer, const system::State& state, std::size_t joint) const {
    const Closer::Gap gap = closer.gap(state, joint);
    std::vector<std::string> parts;
    if (gap.distance > 1e-12) parts.push_back(shown_quantity(machine_.display, gap.distance, Quantity::length, 3));
    if (gap.angle > 1e-12) parts.push_back(shown_quantity(machine_.display, gap.angle, Quantity::angle, 3));
    return join(parts, " and ");
  }

  void warn_about_residual(const Assembly& result) {
    if (!(result.residual > kResidualToWarn) || result.joint_gap.empty()) return;
    const auto worst = static_cast<std::size_t>(std::max_element(result.joint_gap.begin(), result.joint_gap.end()) -
                                                result.joint_gap.begin());
    const ElementScope element(diagnostics_, system_.joints[worst].path, "joint");
    diagnostics_.warning(
        Code::cannot_assemble, system_.joints[worst].where,
        fmt::format("redundant joints contradict each other slightly: it stays open by {} of the machine's size ({})",
                    format_rounded(result.joint_gap[worst], 3),
                    shown_quantity(machine_.display, params_.length, Quantity::length, 3)),
        "the motion is accurate to about this size; draw more precisely if that is not enough");
  }

  // Angles count turns from what the user wrote, and from what couplings make of it.
  void count_turns(system::State& state) const {
    for (const HeldCoordinate& one : carried_) {
      const std::int32_t tracked = system_.coordinates[at(one.coordinate)].tracked;
      if (tracked >= 0) state.extra[at(tracked)] = one.value;
    }
  }

  void start_angles(system::State& state) {
    count_turns(state);
    mechanics::Workspace workspace(system_);
    mechanics::update_positions({system_, params_, state}, workspace);
    mechanics::settle_angles(system_, params_, workspace, state);
    const mechanics::View<double> now = mechanics::view({system_, params_, state}, workspace);
    for (const system::Driver& driver : system_.drivers) {
      if (driver.extra >= 0) state.extra[at(driver.extra)] = now.coordinate(driver.coordinate);
    }
  }

  std::vector<MovedPart> moved_parts(const system::State& state) const {
    std::vector<MovedPart> moved;
    for (std::size_t p = 0; p < system_.parts.size(); ++p) {
      const Pose X_WP = part_pose(system_, params_, state, p);
      const Pose& drawn = machine_.parts[p].X_WP;
      const double distance = (X_WP.position - drawn.position).norm();
      const double angle = Eigen::AngleAxisd(Matrix3(drawn.rotation.transpose() * X_WP.rotation)).angle();
      if (distance > kMovedFar * params_.length || angle > kMovedFar) {
        moved.push_back({static_cast<std::int32_t>(p), distance, angle});
      }
    }
    std::stable_sort(moved.begin(), moved.end(),
                     [](const MovedPart& a, const MovedPart& b) { return a.distance > b.distance; });
    return moved;
  }

  const system::System& system_;
  const system::Params& params_;
  const model::Machine& machine_;
  double start_time_;
  Diagnostics& diagnostics_;
  std::vector<HeldCoordinate> held_;
  std::vector<HeldCoordinate> carried_;  // and those that couplings imply
  Closer::Result closing_;
  ClosedBy closed_by_ = ClosedBy::drawing;
  std::optional<system::State> given_up_;
};

}  // namespace

Pose part_pose(const system::System& system, const system::Params& params, const system::State& state,
               std::size_t part) {
  const std::int32_t body = system.parts[part].body;
  if (body == system::kGround) return params.parts[part].X_BP;
  return Pose{state.orientation[at(body)].toRotationMatrix(), system::place_of(state, at(body))} *
         params.parts[part].X_BP;
}

std::string_view closed_by_name(ClosedBy solver) {
  switch (solver) {
    case ClosedBy::drawing:
      return "drawing";
    case ClosedBy::components:
      return "components";
    case ClosedBy::flat:
      return "flat";
  }
  return "";
}

std::optional<Assembly> assemble(const system::System& system, const system::Params& params,
                                 const model::Machine& machine, double start_time, Diagnostics& diagnostics,
                                 std::optional<system::State>* given_up) {
  Assembler assembler(system, params, machine, start_time, diagnostics);
  std::optional<Assembly> assembly = assembler.run();
  if (!assembly && given_up != nullptr) *given_up = assembler.given_up();
  return assembly;
}

model::MobilityReport mobility_at(const system::System& system, const system::Params& params,
                                  const model::Machine& machine, const system::State& state) {
  std::vector<Pose> poses;
  for (std::size_t p = 0; p < machine.parts.size(); ++p) poses.push_back(part_pose(system, params, state, p));
  return model::expected_mobility(machine, poses);
}

}  // namespace gelenk::analysis
