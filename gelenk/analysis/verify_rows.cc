#include "gelenk/analysis/verify_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/couplings.h"
#include "gelenk/mechanics/gravity.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/mechanics/switches.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {
namespace {

// Numbers next to zero are compared with the largest of their block, and those with rounding.
constexpr double kOfBlock = 1e-11;
// Places are recorded to rounding, and go through two changes of frame.
constexpr double kRoundingOfPlaces = 1e-12;
// Outputs are formulas of people: differences and quotients may lose digits.
constexpr double kOutput = 1e-6;
constexpr double kUnitQuaternion = 1e-9;
// Residuals that nobody has claimed: machine sizes, rad.
constexpr double kUnclaimedResidual = 1e-9;
// Newton's equations hold by construction; sharing loads among joints that contradict each other costs digits.
constexpr double kNewton = 1e-7;
constexpr double kOfContradiction = 10.0;

double newton_tolerance(const VerifyInput& input, const results::Certificate* certificate) {
  const double open = certificate == nullptr ? 0.0 : certificate->dropped_residual / std::min(1.0, input.params.length);
  return kNewton + kOfContradiction * (open >= 0.0 && open < 1.0 ? open : 0.0);
}

}  // namespace

RowChecks::RowChecks(const VerifyInput& input, const RecordedRows& rows, const results::Certificate* certificate,
                     std::vector<double> event_times, Findings& findings)
    : input_(input),
      rows_(rows),
      certificate_(certificate),
      event_times_(std::move(event_times)),
      findings_(findings),
      recorded_(input.system, input.params, input.layout, rows),
      workspace_(input.system),
      newton_(input.system, input.params, newton_tolerance(input, certificate)),
      free_parts_(input.system, rows),
      turns_(input.system.coordinates.size()),
      largest_(input.layout.ids()),
      largest_of_block_(input.layout.ids()),
      reach_(input.params.length),
      slacks_(input.system.state_switches.size()),
      largest_slacks_(slacks_.size(), 0.0),
      row_values_(input.system.row_count()),
      row_rates_(input.system.row_count()),
      slopes_(input.system.coupling_terms.size()) {
  has_loads_ = NewtonCheck::is_possible(rows, recorded_);
  has_energies_ = rows.has_all(BlockId::energy);
  for (const BlockId id : largest_.ids()) {
    largest_[id].assign(input.layout.block(id).full_width, 0.0);
  }
  say_what_is_missing();
}

void RowChecks::say_what_is_missing() {
  if (!recorded_.all_placed()) {
    findings_.not_checked("energies, forces and outputs: the positions of some parts were not recorded");
  } else if (!recorded_.all_moving()) {
    findings_.not_checked("kinetic energy, forces and outputs: the velocities of some parts were not recorded");
  } else if (!rows_.has_all(BlockId::state)) {
    findings_.not_checked("forces and outputs: some states were not recorded");
  } else if (!has_loads_) {
    findings_.not_checked("Newton's equations: accelerations, reactions or efforts were not recorded for all elements");
  }
  if (!has_energies_) findings_.not_checked("the balance of energy: it was not recorded");
  const bool has_open_drivers = std::any_of(input_.system.drivers.begin(), input_.system.drivers.end(),
                                            [](const system::Driver& driver) { return driver.extra >= 0; });
  if (!input_.system.states.empty()) {
    findings_.not_checked("how states follow their rates between the rows: only their values were recorded");
  }
  if (has_open_drivers) {
    findings_.not_checked("positions of drivers that prescribe a rate or an acceleration: they follow from the motion");
  }
}

void RowChecks::measure() {
  for (const BlockId id : largest_.ids()) {
    const std::span<const double> row = rows_[id];
    std::vector<double>& largest = largest_[id];
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!std::isfinite(row[i]) || !(std::abs(row[i]) > largest[i])) continue;
      largest[i] = std::abs(row[i]);
      double& of_block = largest_of_block_[id];
      of_block = std::max(of_block, largest[i]);
      if (id == BlockId::pose && i % 7 < 3) reach_ = std::max(reach_, largest[i]);
    }
  }
}

double RowChecks::allowed(BlockId block, std::size_t column, double relative) const {
  return relative * largest(block, column) + kOfBlock * largest_of_block_[block];
}

void RowChecks::check(std::size_t row) {
  findings_.set_row(row, rows_.time());
  recorded_.set(rows_);
  const mechanics::Context here = context();
  mechanics::update_positions(here, workspace_);
  mechanics::update_velocities(here, workspace_);
  mechanics::set_all_sides(input_.system, input_.params, workspace_, recorded_.state());
  mechanics::update_drivers(here, workspace_);
  if (row == 0) {
    for (std::size_t b = 0; b < input_.params.bodies.size(); ++b) {
      heaviest_ += mechanics::gravity_force<double>(input_.params.gravity, input_.params.bodies[b].mass,
                                                    system::place_of(recorded_.state(), b))
                       .norm();
    }
    start_potential_ = has_energies_ ? rows_[BlockId::energy][1] : 0.0;
    start_total_ = has_energies_ ? rows_[BlockId::energy][2] : 0.0;
  }
  check_numbers();
  check_parts();
  free_parts_.check(rows_, kRelative * reach_, findings_);
  check_joints();
  check_coordinates();
  check_energy();
  check_balance();
  check_loads();
  time_before_ = rows_.time();
}

// Everything but what formulas of people give.
void RowChecks::check_numbers() {
  for (const BlockId id : largest_.ids()) {
    if (id == BlockId::output || id == BlockId::force || !rows_.has_any(id)) continue;
    const std::span<const double> row = rows_[id];
    std::size_t bad = row.size();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (rows_.has(id, i) && !std::isfinite(row[i])) bad = std::min(bad, i);
    }
    findings_.compare_text(CheckId::numbers, bad == row.size(), std::string(id.name()),
                           fmt::format("column {} is not a number", bad));
  }
}

// Unit quaternions; all parts of a body together.
void RowChecks::check_parts() {
  const std::span<const double> poses = rows_[BlockId::pose];
  const std::span<const double> twists = rows_[BlockId::twist];
  for (std::size_t p = 0; p < input_.system.parts.size(); ++p) {
    const std::int32_t body = input_.system.parts[p].body;
    const auto name = [&](const char* what) { return [this, p, what] { return input_.system.parts[p].path + what; }; };
    const bool is_placed = rows_.has(BlockId::pose, 7 * p, 7);
    const bool is_moving = rows_.has(BlockId::twist, 6 * p, 6);
    if (is_placed) {
      const double* const q = &poses[7 * p + 3];
      const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      findings_.compare(CheckId::parts, length, 1.0, kUnitQuaternion, name(".orientation: length of the quaternion"));
    }
    const bool is_source = body != system::kGround && recorded_.source_part(at(body)) == static_cast<std::int32_t>(p);
    if (is_source) continue;
    const mechanics::Motion<double> carrier =
        body == system::kGround ? mechanics::Motion<double>{} : workspace_.bodies[at(body)];
    const mechanics::Motion<double> part = mechanics::frame_on(carrier, input_.params.parts[p].X_BP);
    if (is_placed && recorded_.is_placed(body)) {
      const Vector3 place(poses[7 * p], poses[7 * p + 1], poses[7 * p + 2]);
      const Quaternion q(poses[7 * p + 3], poses[7 * p + 4], poses[7 * p + 5], poses[7 * p + 6]);
      findings_.compare(CheckId::parts, (place - part.p).norm(), 0.0, kRelative * reach_,
                        name(".position: distance from its place on the body"));
      findings_.compare(CheckId::parts, (q.toRotationMatrix() - part.R).norm(), 0.0, kUnitQuaternion,
                        name(".orientation: turned from its place on the body"));
    }
    if (is_moving && recorded_.is_moving(body)) {
      const double* const v = &twists[6 * p];
      const double fastest = largest_of_block_[BlockId::twist];
      findings_.compare(CheckId::parts, (Vector3(v[0], v[1], v[2]) - part.v).norm(), 0.0, kRelative * fastest,
                        name(".velocity: difference from that of its body"));
      findings_.compare(CheckId::parts, (Vector3(v[3], v[4], v[5]) - part.w).norm(), 0.0, kRelative * fastest,
                        name(".angular_velocity: difference from that of its body"));
    }
  }
}

// Joints and drivers at both levels, against what the certificate claims.
void RowChecks::check_joints() {
  const system::System& system = input_.system;
  mechanics::row_values(context(), workspace_, row_values_);
  mechanics::row_rates(context(), workspace_, row_rates_);
  const double rounding = kRoundingOfPlaces * std::max(1.0, reach_);
  const double size = std::min(1.0, input_.params.length);
  double claimed = kUnclaimedResidual * size;
  double claimed_rate = kUnclaimedResidual * largest_of_block_[BlockId::twist];
  if (certificate_ != nullptr) {
    claimed = std::max(certificate_->position_residual, certificate_->dropped_residual);
    // Rows that are not enforced slide as they are open: with every motion of the machine.
    claimed_rate = certificate_->rate_residual +
                   kOfContradiction * certificate_->dropped_residual / size * largest_of_block_[BlockId::twist];
  }
  const double rate_rounding = kRoundingOfPlaces * (1.0 + largest_of_block_[BlockId::twist]);
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const system::Row& row = system.rows[i];
    const RowBodies& bodies = system.row_bodies[i];
    const auto name = [&] {
      return row.driver < 0 ? system.joints[at(row.joint)].path : system.drivers[at(row.driver)].path;
    };
    if (recorded_.is_placed(bodies.a) && recorded_.is_placed(bodies.b)) {
      findings_.compare(CheckId::joints, row_values_[i], 0.0, claimed + rounding, [&] { return name() + ": gap"; });
    }
    if (recorded_.is_moving(bodies.a) && recorded_.is_moving(bodies.b)) {
      findings_.compare(CheckId::joints, row_rates_[i], 0.0, claimed_rate + rate_rounding,
                        [&] { return name() + ": rate of the gap"; });
    }
  }
  if (!recorded_.all_moving()) return;
  mechanics::coupling_slopes(context(), workspace_, slopes_);
  for (std::size_t k = 0; k < system.couplings.size(); ++k) {
    const std::size_t row = system.rows.size() + k;
    double factors = 0.0;
    for (std::int32_t t = 0; t < system.couplings[k].term_count; ++t) {
      factors += std::abs(slopes_[at(system.couplings[k].first_term + t)]);
    }
    findings_.compare(CheckId::joints, row_values_[row], 0.0, claimed + factors * rounding,
                      [&] { return system.couplings[k].path + ": open"; });
    findings_.compare(CheckId::joints, row_rates_[row], 0.0, claimed_rate + factors * rate_rounding,
                      [&] { return system.couplings[k].path + ": rate"; });
  }
}

void RowChecks::check_coordinates() {
  const system::System& system = input_.system;
  const mechanics::View<double> now = mechanics::view(context(), workspace_);
  for (std::size_t i = 0; i < system.coordinates.size(); ++i) {
    const system::Coordinate& c = system.coordinates[i];
    const system::Joint& joint = system.joints[at(c.joint)];
    const std::int32_t a = system.frames[at(joint.frame_a)].body;
    const std::int32_t b = system.frames[at(joint.frame_b)].body;
    if (!recorded_.is_placed(a) || !recorded_.is_placed(b)) continue;
    if (c.type->motion == model::Coordinate::Motion::orientation) {
      check_orientation(i);
      continue;
    }
    const std::size_t column = recorded_.coordinate_column(i);
    const std::size_t rate_column = recorded_.rate_column(i);
    if (rows_.has(BlockId::coordinate, column)) {
      findings_.compare(CheckId::coordinates, rows_[BlockId::coordinate][column],
                        now.coordinate(static_cast<std::int32_t>(i)),
                        allowed(BlockId::coordinate, column) + kRelative * reach_,
                        [&] { return fmt::format("{}.{}", joint.path, c.type->name); });
      if (c.tracked >= 0 && rows_.has(BlockId::rate, rate_column)) {
        constexpr double kSafety = 2.0;
        const double half_turn = 0.5 * mechanics::turn_of(input_.params.curve(c.curve));
        const double reach = kSafety * (rows_.time() - time_before_) * largest(BlockId::rate, rate_column) + half_turn;
        turns_.check(
            i, rows_[BlockId::coordinate][column], reach,
            [&] { return fmt::format("{}.{}", joint.path, c.type->name); }, findings_);
      }
    }
    if (rows_.has(BlockId::rate, rate_column) && recorded_.is_moving(a) && recorded_.is_moving(b)) {
      findings_.compare(CheckId::coordinates, rows_[BlockId::rate][rate_column], now.rate(static_cast<std::int32_t>(i)),
                        allowed(BlockId::rate, rate_column) + kOfBlock * largest_of_block_[BlockId::twist],
                        [&] { return fmt::format("{}.{}", joint.path, c.type->rate); });
    }
  }
}

void RowChecks::check_orientation(std::size_t coordinate) {
  const system::Coordinate& c = input_.system.coordinates[coordinate];
  const system::Joint& joint = input_.system.joints[at(c.joint)];
  const std::size_t column = recorded_.coordinate_column(coordinate);
  if (!rows_.has(BlockId::coordinate, column, 4)) return;
  const double* const q = &rows_[BlockId::coordinate][column];
  const Matrix3 R_AB = workspace_.frames[at(joint.frame_a)].R.transpose() * workspace_.frames[at(joint.frame_b)].R;
  findings_.compare(CheckId::coordinates, (Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix() - R_AB).norm(), 0.0,
                    kUnitQuaternion, [&] { return fmt::format("{}.{}", joint.path, c.type->name); });
}

void RowChecks::check_energy() {
  if (!recorded_.all_placed()) return;
  const mechanics::Energy energy = mechanics::energy(context(), workspace_);
  const std::span<const double> row = rows_[BlockId::energy];
  const double most = kRelative * std::max(largest(BlockId::energy, 0), largest(BlockId::energy, 1));
  const auto compare = [&](std::size_t column, double expected, double rounding, const char* name) {
    if (!rows_.has(BlockId::energy, column)) return;
    findings_.compare(CheckId::energies, row[column], expected, most + rounding, [&] { return std::string(name); });
  };
  compare(1, energy.potential, kRoundingOfPlaces * heaviest_ * reach_, "energy.potential");
  if (!recorded_.all_moving()) return;
  compare(0, energy.kinetic, 0.0, "energy.kinetic");
  compare(2, energy.total(), kRoundingOfPlaces * heaviest_ * reach_, "energy.total");
}

// What was recorded must balance as well as the certificate says.
void RowChecks::check_balance() {
  if (!has_energies_) return;
  const std::span<const double> row = rows_[BlockId::energy];
  const double rounding = kRoundingOfPlaces * largest_of_block_[BlockId::energy];
  findings_.compare(CheckId::balance, row[2], row[0] + row[1], rounding, [] { return std::string("energy.total"); });
  if (certificate_ == nullptr) return;
  findings_.compare(CheckId::balance, row[2] - start_total_, row[3] + row[4] + row[5],
                    certificate_->energy_imbalance + rounding,
                    [] { return std::string("energy: change of the total, and the work that was done"); });
}

// Between two sides of a switch a row does not show which one was in force.
bool RowChecks::is_at_switch() {
  constexpr double kSameTime = 1e-9;
  constexpr double kNear = 1e-7;
  const double time = rows_.time();
  const double near = kSameTime * std::max(1.0, std::abs(time));
  const auto event = std::lower_bound(event_times_.begin(), event_times_.end(), time - near);
  if (event != event_times_.end() && *event <= time + near) return true;
  mechanics::switch_slacks(context(), workspace_, slacks_);
  bool is_near = false;
  for (std::size_t i = 0; i < slacks_.size(); ++i) {
    largest_slacks_[i] = std::max(largest_slacks_[i], std::abs(slacks_[i]));
    is_near = is_near || !(std::abs(slacks_[i]) > kSameTime + kNear * largest_slacks_[i]);
  }
  return is_near;
}

void RowChecks::check_loads() {
  if (!recorded_.all_moving() || !rows_.has_all(BlockId::state)) return;
  mechanics::update_rows(context(), workspace_);
  mechanics::update_forces(context(), workspace_);
  check_work();
  if (is_at_switch()) {
    ++rows_at_switches_;
    return;
  }
  check_forces();
  if (has_loads_) {
    newton_.check(context(), workspace_, rows_, largest_of_block_[BlockId::reaction], findings_);
  }
  check_drivers();
  check_outputs();
  check_code();
}

void RowChecks::check_forces() {
  const mechanics::View<double> now = mechanics::view(context(), workspace_);
  for (std::size_t f = 0; f < input_.system.forces.size(); ++f) {
    const system::Force& force = input_.system.forces[f];
    const mechanics::ForceResult<double> result = now.force(static_cast<std::int32_t>(f));
    double most = 0.0;
    for (std::int32_t k = 0; k < force.channel_count; ++k) {
      most = std::max(most, largest(BlockId::force, at(force.first_channel + k)));
    }
    for (std::int32_t k = 0; k < force.channel_count; ++k) {
      const std::size_t column = at(force.first_channel + k);
      if (!rows_.has(BlockId::force, column)) continue;
      // A stiff spring turns the rounding of places into a force: the formula of a person may do so, too.
      if (!std::isfinite(rows_[BlockId::force][column]) && !std::isfinite(result.channels[at(k)])) continue;
      findings_.compare(CheckId::forces, rows_[BlockId::force][column], result.channels[at(k)],
                        kOutput * most + allowed(BlockId::force, column), [&] { return force.path; });
    }
  }
}

void RowChecks::check_drivers() {
  for (std::size_t d = 0; d < input_.system.drivers.size(); ++d) {
    if (!rows_.has(BlockId::effort, 2 * d, 2)) continue;
    const double* const effort = &rows_[BlockId::effort][2 * d];
    findings_.compare(CheckId::drivers, effort[1], effort[0] * workspace_.drivers[d].rate,
                      allowed(BlockId::effort, 2 * d + 1), [&] { return input_.system.drivers[d].path + ".power"; });
  }
}

bool RowChecks::can_evaluate(const system::Signal& signal) const {
  return recorded_.all_moving() && (has_loads_ || signal.level != system::Level::acceleration);
}

void RowChecks::check_outputs() {
  mechanics::View<double> now = mechanics::view(context(), workspace_);
  now.set_results({rows_[BlockId::acceleration], rows_[BlockId::reaction], rows_[BlockId::effort], workspace_.codes,
                   rows_[BlockId::coupling]});
  for (std::size_t o = 0; o < input_.system.outputs.size(); ++o) {
    const system::Output& output = input_.system.outputs[o];
    if (!rows_.has(BlockId::output, o) || !can_evaluate(input_.system.signals[at(output.value)])) continue;
    const double expected = now.signal(output.value);
    if (!std::isfinite(expected) && !std::isfinite(rows_[BlockId::output][o])) continue;  // as 0/0 in both
    findings_.compare(CheckId::outputs, rows_[BlockId::output][o], expected, allowed(BlockId::output, o, kOutput),
                      [&] { return output.path; });
  }
}

void RowChecks::check_code() {
  std::size_t column = 0;
  for (std::size_t c = 0; c < input_.system.codes.size(); ++c) {
    const mechanics::CodeWork& code = workspace_.codes[c];
    for (std::size_t o = 0; o < code.outputs.size(); ++o, ++column) {
      if (!rows_.has(BlockId::code, column)) continue;
      findings_.compare(CheckId::outputs, rows_[BlockId::code][column], code.outputs[o],
                        allowed(BlockId::code, column, kOutput), [&] {
                          const model::CodeNode& node = input_.machine.codes[c];
                          return node.path + "." + node.outputs[o].name;
                        });
    }
  }
}

void RowChecks::check_work() {
  if (!has_energies_ || certificate_ == nullptr || !rows_.has_all(BlockId::effort)) return;
  const std::span<const double> energy = rows_[BlockId::energy];
  WorkCheck::Row row;
  row.time = rows_.time();
  row.kinetic = energy[0] - energy[5];
  for (std::size_t i = 0; i < workspace_.forces.size(); ++i) {
    row.force_power += workspace_.forces[i] * recorded_.state().velocity[i];
  }
  for (std::size_t d = 0; d < input_.system.drivers.size(); ++d) row.driver_power += rows_[BlockId::effort][2 * d + 1];
  work_.add(row);
  const double most = work_.allowed(certificate_->energy_turnover);
  findings_.compare(CheckId::work, energy[3], work_.work_of_forces() + energy[1] - start_potential_, most,
                    [] { return std::string("energy.work_of_forces"); });
  findings_.compare(CheckId::work, energy[4], work_.work_of_drivers(), most,
                    [] { return std::string("energy.work_of_drivers"); });
}

void RowChecks::finish() {
  if (rows_at_switches_ > 0) {
    findings_.not_checked(fmt::format("forces and outputs in {} rows in which a formula switches", rows_at_switches_));
  }
}

}  // namespace gelenk::analysis
