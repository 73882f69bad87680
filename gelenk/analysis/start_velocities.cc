#include "gelenk/analysis/start_velocities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/analysis/added_rows.h"
#include "gelenk/analysis/joint_loops.h"
#include "gelenk/base/index.h"
#include "gelenk/base/text.h"
#include "gelenk/mechanics/dynamics.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/mechanics/switches.h"
#include "gelenk/solve/component_solver.h"
#include "gelenk/solve/coupled_solver.h"
#include "gelenk/solve/flat_solver.h"

namespace gelenk::analysis {
namespace {

// Start values that miss by more than this part of their size, or of a machine length per second, contradict.
constexpr double kContradiction = 1e-7;

// A start value as a row: G v = value.
struct VelocityWish {
  std::string kind;  // "joint" or "part"
  std::string path;
  SourceRange where;
  std::string words;  // "its rate should start at 3 rad/s"
  double value = 0.0;
  double size = 1.0;        // what an error is compared with
  std::int32_t joint = -1;  // -1: not on a joint
};

class VelocitySearch {
 public:
  VelocitySearch(const system::System& system, const system::Params& params, const model::Machine& machine,
                 double rank_tolerance, system::State& state, Diagnostics& diagnostics)
      : system_(system),
        params_(params),
        machine_(machine),
        rank_tolerance_(rank_tolerance),
        state_(state),
        diagnostics_(diagnostics),
        workspace_(system) {}

  bool run() {
    start_driver_rates();
    const mechanics::Context context{system_, params_, state_};
    mechanics::update_positions(context, workspace_);
    start_parts();
    mechanics::update_velocities(context, workspace_);
    // Sides that depend on velocities are set again below; rate laws read positions only.
    mechanics::set_all_sides(system_, params_, workspace_, state_);
    mechanics::update_drivers(context, workspace_);
    mechanics::update_rows(context, workspace_);
    mechanics::update_bodies(context, workspace_);
    mechanics::update_joints(context, workspace_);
    rows_ = system_.row_bodies;
    blocks_ = workspace_.blocks;
    wish_rates();
    wish_part_velocities();
    const std::size_t written = wishes_.size();
    // Joints that nobody speaks of stand still, if that contradicts nothing: first all, then those outside loops.
    if (!wishes_nothing()) {
      rest_others(false);
      if (solve(context, written, false)) return finish(context);
      forget_from(written);
      rest_others(true);
      if (solve(context, written, false)) return finish(context);
      forget_from(written);
    }
    // Before a start value is refused, the reference has its say.
    if (solve(context, written, false) || solve(context, written, true)) return finish(context);
    report();
    return false;
  }

 private:
  bool finish(const mechanics::Context& context) {
    mechanics::update_velocities(context, workspace_);
    mechanics::set_all_sides(system_, params_, workspace_, state_);
    return true;
  }

  // Nothing moves at the start: rest needs no search for what stands still.
  bool wishes_nothing() const { return wishes_.empty() && system_.drivers.empty(); }

  void forget_from(std::size_t first_wish) {
    wishes_.resize(first_wish);
    rows_.resize(system_.rows.size() + first_wish);
    blocks_.resize(rows_.size());
  }

  void rest_others(bool outside_loops_only) {
    std::vector<bool> left_out(system_.joints.size(), false);
    if (outside_loops_only) left_out = joints_in_loops(system_);
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const system::Joint& joint = system_.joints[j];
      const auto& starts = machine_.joints[j].start;
      const bool is_given = std::any_of(starts.begin(), starts.end(), [](const auto& start) { return start.is_rate; });
      const bool is_driven = std::any_of(system_.drivers.begin(), system_.drivers.end(), [&](const auto& driver) {
        return system_.coordinates[at(driver.coordinate)].joint == static_cast<std::int32_t>(j);
      });
      if (left_out[j] || is_given || is_driven || joint.is_welded) continue;
      const mechanics::FrameMotion& A = workspace_.frames[at(joint.frame_a)];
      const mechanics::FrameMotion& B = workspace_.frames[at(joint.frame_b)];
      for (std::int32_t i = 0; i < joint.coordinate_count; ++i) {
        const system::Coordinate& coordinate = system_.coordinates[at(joint.first_coordinate + i)];
        const model::Coordinate& c = *coordinate.type;
        const bool is_length = c.motion == model::Coordinate::Motion::translation;
        const VelocityWish rest{
            "joint", joint.path, joint.where, "", 0.0, is_length ? params_.length : 1.0, static_cast<std::int32_t>(j)};
        if (c.motion != model::Coordinate::Motion::orientation) {
          const Curve* const curve = params_.curve(coordinate.curve);
          add_row(joint.frame_a, joint.frame_b, mechanics::coordinate_jacobian<double>(c, A, B, curve), rest);
          continue;
        }
        for (int k = 0; k < 3; ++k) {
          mechanics::RowJacobian<double> J;
          J.b_angular = A.R.col(k);
          J.a_angular = -J.b_angular;
          add_row(joint.frame_a, joint.frame_b, J, rest);
        }
      }
    }
  }

  const model::CoordinateStart* start_rate(std::int32_t coordinate) const {
    const std::int32_t joint = system_.coordinates[at(coordinate)].joint;
    const auto index = static_cast<std::size_t>(coordinate - system_.joints[at(joint)].first_coordinate);
    for (const model::CoordinateStart& start : machine_.joints[at(joint)].start) {
      if (start.is_rate && start.coordinate == index) return &start;
    }
    return nullptr;
  }

  void start_driver_rates() {
    for (const system::Driver& driver : system_.drivers) {
      if (driver.level != model::DriverNode::Level::acceleration) continue;
      const model::CoordinateStart* start = start_rate(driver.coordinate);
      state_.extra[at(driver.extra) + 1] = start != nullptr ? start->value[0] : 0.0;
    }
  }

  // Where the search begins: what a part is not given is zero, for its origin.
  void start_parts() {
    std::fill(state_.velocity.begin(), state_.velocity.end(), 0.0);
    for (std::size_t p = 0; p < system_.parts.size(); ++p) {
      const std::int32_t body = system_.parts[p].body;
      const bool is_given = machine_.parts[p].has_start_velocity || machine_.parts[p].has_start_angular_velocity;
      if (!is_given || body == system::kGround) continue;
      const Vector3& w = params_.parts[p].start_angular_velocity;
      const Vector3 arm = workspace_.bodies[at(body)].R * params_.parts[p].X_BP.position;
      Vector3::Map(&state_.velocity[6 * at(body)]) = params_.parts[p].start_velocity - w.cross(arm);
      Vector3::Map(&state_.velocity[6 * at(body) + 3]) = w;
    }
  }

  void add_row(std::int32_t frame_a, std::int32_t frame_b, const mechanics::RowJacobian<double>& J, VelocityWish wish) {
    const mechanics::FrameMotion& A = workspace_.frames[at(frame_a)];
    const mechanics::FrameMotion& B = workspace_.frames[at(frame_b)];
    rows_.push_back({system_.frames[at(frame_a)].body, system_.frames[at(frame_b)].body});
    blocks_.push_back(mechanics::block_at_centers(J, A, B));
    wishes_.push_back(std::move(wish));
  }

  void wish_rates() {
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const system::Joint& joint = system_.joints[j];
      const mechanics::FrameMotion& A = workspace_.frames[at(joint.frame_a)];
      const mechanics::FrameMotion& B = workspace_.frames[at(joint.frame_b)];
      for (const model::CoordinateStart& start : machine_.joints[j].start) {
        if (!start.is_rate) continue;
        const model::Coordinate& c = joint.type->coordinates[start.coordinate];
        const bool is_length = c.motion == model::Coordinate::Motion::translation;
        const double size = is_length ? params_.length : 1.0;
        const std::string unit(quantity_info(c.rate_quantity()).si_symbol);
        if (c.motion != model::Coordinate::Motion::orientation) {
          const std::int32_t number = joint.first_coordinate + static_cast<std::int32_t>(start.coordinate);
          const Curve* const curve = params_.curve(system_.coordinates[at(number)].curve);
          add_row(joint.frame_a, joint.frame_b, mechanics::coordinate_jacobian<double>(c, A, B, curve),
                  {"joint", joint.path, joint.where,
                   fmt::format("its {} should start at {} {}", c.rate, format_rounded(start.value[0], 6), unit),
                   start.value[0], size + std::abs(start.value[0]), static_cast<std::int32_t>(j)});
          continue;
        }
        const Vector3 w(start.value[0], start.value[1], start.value[2]);
        for (int k = 0; k < 3; ++k) {
          mechanics::RowJacobian<double> J;
          J.b_angular = A.R.col(k);
          J.a_angular = -J.b_angular;
          add_row(joint.frame_a, joint.frame_b, J,
                  {"joint", joint.path, joint.where,
                   fmt::format("its {} should start at [{}, {}, {}] {}", c.rate, w.x(), w.y(), w.z(), unit), w(k),
                   size + w.norm(), static_cast<std::int32_t>(j)});
        }
      }
    }
  }

  // Rows on a single body, at the origin of a part.
  void wish_part_velocities() {
    for (std::size_t p = 0; p < system_.parts.size(); ++p) {
      const model::PartNode& node = machine_.parts[p];
      const std::int32_t body = system_.parts[p].body;
      const auto wish = [&](const Vector3& value, bool is_angular) {
        const double size = (is_angular ? 1.0 : params_.length) + value.norm();
        const std::string words =
            fmt::format("its {} should start at [{}, {}, {}] {}", is_angular ? "angular velocity" : "velocity",
                        value.x(), value.y(), value.z(), is_angular ? "rad/s" : "m/s");
        for (int k = 0; k < 3; ++k) {
          RowBlock block;
          if (is_angular) {
            block.b[3 + static_cast<std::size_t>(k)] = 1.0;
          } else {
            const Vector3 arm = body == system::kGround
                                    ? Vector3::Zero()
                                    : Vector3(workspace_.bodies[at(body)].R * params_.parts[p].X_BP.position);
            block.b[static_cast<std::size_t>(k)] = 1.0;
            Vector3::Map(block.b.data() + 3) = arm.cross(Vector3::Unit(k));
          }
          rows_.push_back({system::kGround, body});
          blocks_.push_back(block);
          wishes_.push_back({"part", system_.parts[p].path, system_.parts[p].where, words, value(k), size, -1});
        }
      };
      if (node.has_start_velocity) wish(params_.parts[p].start_velocity, false);
      if (node.has_start_angular_velocity) wish(params_.parts[p].start_angular_velocity, true);
    }
  }

  double rate_of(std::size_t row) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < 6; ++k) {
      if (rows_[row].a >= 0) sum += blocks_[row].a[k] * state_.velocity[6 * at(rows_[row].a) + k];
      if (rows_[row].b >= 0) sum += blocks_[row].b[k] * state_.velocity[6 * at(rows_[row].b) + k];
    }
    return sum;
  }

  // Of a coupling; bodies alone turn its wheels.
  double rate_of_coupling(std::size_t coupling) const {
    double sum = 0.0;
    for (const CouplingBlock& block : workspace_.couplings) {
      if (at(block.row) != coupling) continue;
      for (std::size_t k = 0; k < 6; ++k) sum += block.values[k] * state_.velocity[6 * at(block.body) + k];
    }
    return sum;
  }

  // The least change of velocities, in the mass metric, that changes the rates of all rows by this much; those of the
  // couplings come last.
  std::vector<double> least_change(std::span<const double> change, bool is_flat) {
    const PackedRows packed = is_flat ? PackedRows{} : packed_rows();
    std::unique_ptr<solve::MotionSolver> solver;
    if (is_flat) {
      solver = std::make_unique<solve::FlatSolver>(system_.bodies.size(), rows_);
    } else {
      solver = std::make_unique<solve::ComponentSolver>(
          solve::make_plan(packed.layout, workspace_.masses, packed.values, {rank_tolerance_, {}, {}}));
    }
    if (!system_.couplings.empty()) {
      solver = std::make_unique<solve::CoupledSolver>(std::move(solver), system_.bodies.size(), rows_,
                                                      system_.couplings.size());
    }
    solve::PivotSet pivots;
    solver->factor({workspace_.masses, packed.values, workspace_.inverse_masses, blocks_, {}, workspace_.couplings},
                   rank_tolerance_, pivots);
    const std::vector<double> zeros(state_.velocity.size(), 0.0);
    std::vector<double> difference(state_.velocity.size(), 0.0);
    solver->solve(zeros, change, difference, {});
    return difference;
  }

  // Wishes become rows of their joints.
  PackedRows packed_rows() const {
    const JointRowLayout& layout = workspace_.joints.layout;
    std::vector<std::int32_t> place(system_.joints.size(), -1);
    for (std::size_t j = 0; j < layout.joints.size(); ++j) {
      const system::Row& row = system_.rows[at(layout.row_numbers[at(layout.joints[j].first_row)])];
      if (row.joint >= 0 && place[at(row.joint)] < 0) place[at(row.joint)] = static_cast<std::int32_t>(j);
    }
    std::vector<AddedRow> added;
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
      const std::size_t row = system_.rows.size() + i;
      added.push_back({wishes_[i].joint < 0 ? -1 : place[at(wishes_[i].joint)], rows_[row], blocks_[row]});
    }
    return add_rows(layout, workspace_.joint_values, added);
  }

  // Leaves the velocities as they were when some row cannot be met; worst_ is then the worst of the wishes that
  // were written.
  bool solve(const mechanics::Context& context, std::size_t written, bool is_flat) {
    const std::size_t hard = system_.rows.size();
    const std::vector<double> before = state_.velocity;
    target_.assign(rows_.size(), 0.0);
    change_.assign(rows_.size() + system_.couplings.size(), 0.0);
    mechanics::update_velocities(context, workspace_);
    rates_.resize(system_.row_count());
    mechanics::row_rates(context, workspace_, rates_);
    std::copy_n(rates_.begin(), hard, change_.begin());
    for (std::size_t i = 0; i < hard; ++i) {
      change_[i] = -change_[i];
      target_[i] = rate_of(i) + change_[i];
    }
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
      target_[hard + i] = wishes_[i].value;
      change_[hard + i] = target_[hard + i] - rate_of(hard + i);
    }
    for (std::size_t k = 0; k < system_.couplings.size(); ++k) change_[rows_.size() + k] = -rate_of_coupling(k);
    // At rest, or with velocities that fit, there is nothing to solve.
    double largest = 0.0;
    for (const double value : change_) largest = std::max(largest, std::abs(value));
    if (largest > 0.0) {
      const std::vector<double> difference = least_change(change_, is_flat);
      for (std::size_t i = 0; i < difference.size(); ++i) state_.velocity[i] += difference[i];
    }
    if (are_met(written)) return true;
    state_.velocity = before;
    return false;
  }

  bool are_met(std::size_t written) {
    const std::size_t hard = system_.rows.size();
    bool all = true;
    double worst_miss = 0.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double size = i < hard ? params_.length + std::abs(target_[i]) : wishes_[i - hard].size;
      const double miss = std::abs(rate_of(i) - target_[i]) / size;
      if (miss <= kContradiction) continue;
      all = false;
      if (i < hard + written && (worst_miss == 0.0 || !(miss <= worst_miss))) {
        worst_miss = miss;
        worst_ = i;
      }
    }
    for (std::size_t k = 0; k < system_.couplings.size(); ++k) {
      if (std::abs(rate_of_coupling(k)) <= kContradiction * coupling_size(k)) continue;
      all = false;
      if (worst_miss == 0.0) worst_ = rows_.size() + k;
    }
    return all;
  }

  // What the rate of a coupling is compared with: the largest of its terms.
  double coupling_size(std::size_t coupling) const {
    double size = 1.0;
    for (const CouplingBlock& block : workspace_.couplings) {
      if (at(block.row) != coupling) continue;
      for (std::size_t k = 0; k < 6; ++k) {
        size = std::max(size, std::abs(block.values[k] * state_.velocity[6 * at(block.body) + k]));
      }
    }
    return size;
  }

  // Names a start value when one is at fault; which of several is a matter of taste.
  void report() {
    const std::size_t hard = system_.rows.size();
    const bool is_wish = worst_ >= hard && worst_ < rows_.size();
    if (is_wish || !wishes_.empty()) {
      const VelocityWish& wish = wishes_[is_wish ? worst_ - hard : 0];
      const ElementScope element(diagnostics_, wish.path, wish.kind);
      diagnostics_.error(Code::start_not_possible, wish.where,
                         fmt::format("{}, which the joints, drivers and other start values do not allow", wish.words),
                         "give fewer start velocities, or values that agree");
      return;
    }
    const bool is_coupling = worst_ >= rows_.size();
    const system::Joint& joint = system_.joints[is_coupling ? 0 : at(system_.rows[worst_].joint)];
    const system::Coupling* const coupling = is_coupling ? &system_.couplings[worst_ - rows_.size()] : nullptr;
    const ElementScope element(diagnostics_, is_coupling ? coupling->path : joint.path, "joint");
    diagnostics_.error(Code::start_not_possible, is_coupling ? coupling->where : joint.where,
                       "the drivers ask for velocities that it does not allow",
                       "drive fewer coordinates, or make the laws agree");
  }

  const system::System& system_;
  const system::Params& params_;
  const model::Machine& machine_;
  double rank_tolerance_;
  system::State& state_;
  Diagnostics& diagnostics_;
  mechanics::Workspace workspace_;
  std::vector<RowBodies> rows_;
  std::vector<RowBlock> blocks_;
  std::vector<VelocityWish> wishes_;
  std::vector<double> rates_;            // of the machine's own rows
  std::vector<double> target_, change_;  // rates of the rows: wanted, and how far from what they are
  std::size_t worst_ = 0;                // row that could not be met
};

}  // namespace

bool start_velocities(const system::System& system, const system::Params& params, const model::Machine& machine,
                      double rank_tolerance, system::State& state, Diagnostics& diagnostics) {
  return VelocitySearch(system, params, machine, rank_tolerance, state, diagnostics).run();
}

}  // namespace gelenk::analysis
