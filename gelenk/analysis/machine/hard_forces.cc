#include "gelenk/analysis/machine/hard_forces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/coordinate_motion.h"
#include "gelenk/model/element_list.h"

namespace gelenk::analysis {
namespace {

using LawMemory = ContactMemory::Law;

// Stops count this part of the machine's size before they can touch, and a step leads as far as its velocities say,
// and half as far again: as ContactFinder has it.
constexpr double kStopSkin = 1e-3;
constexpr double kStopReserve = 1.5;
constexpr double kEndless = std::numeric_limits<double>::infinity();
// Friction above this part of its limit is at its limit.
constexpr double kAtFrictionLimit = 1.0 - 1e-9;

bool is_on_travel(const system::System& system, const system::HardLaw& law) {
  return system.coordinates[at(law.coordinates[0])].type->motion == model::Coordinate::Motion::translation;
}

// Calls visit(coordinate, weight) for the one or two coordinates of a law.
template <class Visit>
void visit_law_terms(const system::System& system, const system::Params& params, std::size_t law, Visit&& visit) {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int32_t coordinate = system.hard_laws[law].coordinates[i];
    if (coordinate >= 0) visit(coordinate, params.hard_laws[law].weights[i]);
  }
}

}  // namespace

HardForces::HardForces(const system::System& system, const system::Params& params) : system_(system), params_(params) {}

bool HardForces::is_friction(std::size_t law) const {
  const model::ForceData& data = params_.forces[at(system_.hard_laws[law].force)];
  return std::holds_alternative<model::DryFriction>(data) || std::holds_alternative<model::Clutch>(data);
}

HardForces::Motion HardForces::motion(std::size_t law, const mechanics::Context& context,
                                      const mechanics::Workspace& workspace,
                                      std::span<const double> accelerations) const {
  Motion result;
  visit_law_terms(system_, params_, law, [&](std::int32_t number, double weight) {
    const mechanics::CoordinateMotion one(context, workspace, number);
    result.value += weight * one.value(context.state);
    result.rate += weight * one.rate();
    result.acceleration += weight * one.bias();
  });
  RowOnBodies row;
  put_wrenches(law, 1.0, context, workspace, row);
  for (const RowOnBodies::Wrench& wrench : row.wrenches) {
    for (std::size_t i = 0; i < 6; ++i) {
      result.acceleration += wrench.values[i] * accelerations[6 * at(wrench.body) + i];
    }
  }
  return result;
}

void HardForces::put_wrenches(std::size_t law, double sign, const mechanics::Context& context,
                              const mechanics::Workspace& workspace, RowOnBodies& row) const {
  row.wrenches.clear();
  visit_law_terms(system_, params_, law, [&](std::int32_t number, double weight) {
    const mechanics::CoordinateMotion one(context, workspace, number);
    const mechanics::RowJacobian<double> J = one.jacobian();
    const auto put = [&](std::int32_t frame, const Vector3& linear, const Vector3& angular, const Vector3& arm) {
      const std::int32_t body = system_.frames[at(frame)].body;
      if (body < 0) return;
      RowOnBodies::Wrench& wrench = row.wrenches.emplace_back();
      wrench.body = body;
      Eigen::Map<Vector3>{wrench.values.data()} = sign * weight * linear;
      Eigen::Map<Vector3>{wrench.values.data() + 3} = sign * weight * (angular + arm.cross(linear));
    };
    put(one.joint.frame_a, J.a_linear, J.a_angular, one.A.arm);
    put(one.joint.frame_b, J.b_linear, J.b_angular, one.B.arm);
  });
}

void HardForces::add_stop(const HardRow& pattern, const Motion& motion, double lower, double upper, double margin) {
  const auto add = [&](std::int32_t side, double sign, double gap) {
    if (!(gap <= margin)) return;
    HardRow& row = rows_.emplace_back(pattern);
    row.side = side;
    row.sign = sign;
    row.pushes = row.has_gap = true;
    row.gap = gap;
    row.rate = sign * motion.rate;
    row.acceleration = sign * motion.acceleration;
  };
  if (lower > -model::kNoStop) add(0, 1.0, motion.value - lower);
  if (upper < model::kNoStop) add(1, -1.0, upper - motion.value);
}

void HardForces::find(const mechanics::Context& context, const mechanics::Workspace& workspace,
                      std::span<const double> accelerations, double length, std::vector<LawMemory>& memory) {
  rows_.clear();
  chosen_.clear();
  for (std::size_t k = 0; k < system_.hard_laws.size(); ++k) {
    const system::HardLaw& law = system_.hard_laws[k];
    const Motion now = motion(k, context, workspace, accelerations);
    const double unit = is_on_travel(system_, law) ? 1.0 : params_.length;
    const double margin = kStopSkin * params_.length / unit +
                          kStopReserve * length * (std::abs(now.rate) + length * std::abs(now.acceleration));
    HardRow row{
        .law = static_cast<std::int32_t>(k), .length = unit, .rate = now.rate, .acceleration = now.acceleration};
    const double drawn = params_.hard_laws[k].drawn;
    const model::ForceData& data = params_.forces[at(law.force)];
    const auto free_in = [&](double way) {
      row.pushes = true;
      row.sign = way;
      row.rate *= way;
      row.acceleration *= way;
    };
    if (const auto* const stop = std::get_if<model::RigidStop>(&data)) {
      row.restitution = stop->restitution;
      add_stop(row, now, stop->lower, stop->upper, margin);
    } else if (const auto* const play = std::get_if<model::Backlash>(&data)) {
      row.restitution = play->restitution;
      add_stop(row, now, drawn - 0.5 * play->width, drawn + 0.5 * play->width, margin);
    } else if (const auto* const clutch = std::get_if<model::OneWay>(&data)) {
      free_in(clutch->way);
      rows_.push_back(row);
    } else if (const auto* const ratchet = std::get_if<model::Ratchet>(&data)) {
      free_in(ratchet->way);
      const double way = ratchet->way * (now.value - drawn);
      memory[k].tooth = std::max(memory[k].tooth, static_cast<std::int64_t>(std::floor(way / ratchet->pitch)));
      row.has_gap = true;
      row.gap = way - ratchet->pitch * static_cast<double>(memory[k].tooth);
      if (row.gap <= margin) rows_.push_back(row);
    } else {
      rows_.push_back(row);  // friction
    }
  }
}

bool HardForces::add_last_friction(const mechanics::Context& context, const mechanics::Workspace& workspace,
                                   std::span<const LawMemory> memory, std::span<double> loads) const {
  bool is_any = false;
  RowOnBodies row;
  for (std::size_t k = 0; k < memory.size(); ++k) {
    if (memory[k].last[0] == 0.0 || !is_friction(k)) continue;
    is_any = true;
    put_wrenches(k, 1.0, context, workspace, row);
    for (const RowOnBodies::Wrench& wrench : row.wrenches) {
      for (std::size_t i = 0; i < 6; ++i) loads[6 * at(wrench.body) + i] += memory[k].last[0] * wrench.values[i];
    }
  }
  return is_any;
}

bool HardForces::is_bouncing(std::size_t index, double slowest) const {
  const HardRow& row = rows_[index];
  return row.restitution > 0.0 && row.length * row.rate < -slowest;
}

bool HardForces::choose_closed(double touching, double slowest) {
  chosen_.clear();
  bool is_any = false;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const HardRow& row = rows_[i];
    // A friction of finite size does nothing in no time.
    if (!row.pushes || (row.has_gap && !(row.length * row.gap <= touching))) continue;
    chosen_.push_back(static_cast<std::int32_t>(i));
    is_any = is_any || is_bouncing(i, slowest);
  }
  return is_any;
}

// All but those with restitution that are on their way: the part ends where the first of them closes.
void HardForces::choose_for_step(double touching, double slowest, double length) {
  chosen_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const HardRow& row = rows_[i];
    const bool approaches = row.length * (row.rate + row.acceleration * length) < -slowest;
    const bool is_on_its_way = row.restitution > 0.0 && row.length * row.gap > touching && approaches;
    if (!is_on_its_way) chosen_.push_back(static_cast<std::int32_t>(i));
  }
}

double HardForces::next_arrival(double touching, double slowest, double length) const {
  double first = length;
  for (const HardRow& row : rows_) {
    if (!(row.restitution > 0.0) || row.length * row.gap <= touching) continue;
    // g + γ t + ½ γ̇ t² = 0, the smaller positive root.
    const double discriminant = row.rate * row.rate - 2.0 * row.acceleration * row.gap;
    if (!(discriminant >= 0.0)) continue;
    const double time = 2.0 * row.gap / (std::sqrt(discriminant) - row.rate);
    if (!(time > 0.0 && row.length * (row.rate + row.acceleration * time) < -slowest)) continue;
    first = std::min(first, time);
  }
  return first;
}

std::span<const RowOnBodies> HardForces::on_bodies(const mechanics::Context& context,
                                                   const mechanics::Workspace& workspace) {
  on_bodies_.resize(chosen_.size());
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const HardRow& row = rows_[at(chosen_[i])];
    put_wrenches(at(row.law), row.sign, context, workspace, on_bodies_[i]);
  }
  return on_bodies_;
}

void HardForces::begin_impact(bool has_restitution, double slowest, contact::Problem& problem) {
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const HardRow& row = rows_[at(chosen_[i])];
    contact::RowProblem& to = problem.rows()[i];
    to.high = kEndless;
    to.length = row.length;
    to.bias = row.rate - problem.velocity_of(to);
    if (has_restitution && is_bouncing(at(chosen_[i]), slowest)) to.target = row.restitution * row.rate;
  }
}

void HardForces::begin_step(const mechanics::Context& context, mechanics::Workspace& workspace,
                            std::span<const double> accelerations, double length, std::span<const LawMemory> memory,
                            contact::Problem& problem) {
  limits_.assign(chosen_.size(), kEndless);
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const HardRow& row = rows_[at(chosen_[i])];
    const LawMemory& before = memory[at(row.law)];
    contact::RowProblem& to = problem.rows()[i];
    to.length = row.length;
    to.impulse = length * before.last[at(row.side)];
    // What turns with the bodies counts, too, contact.md (4.2).
    const Motion middle = motion(at(row.law), context, workspace, accelerations);
    to.bias = row.rate + length * row.sign * middle.acceleration - problem.velocity_of(to);
    if (row.pushes) {
      to.high = kEndless;
      to.target = row.has_gap ? std::max(row.gap, 0.0) / length : 0.0;
      continue;
    }
    const system::Force& force = system_.forces[at(system_.hard_laws[at(row.law)].force)];
    limits_[i] = length * std::max(0.0, mechanics::view(context, workspace).signal(force.value));
    const auto* const dry = std::get_if<model::DryFriction>(&params_.forces[at(system_.hard_laws[at(row.law)].force)]);
    const bool sticks = before.mode == LawMemory::Mode::holds;
    to.high = limits_[i] + (dry != nullptr && sticks ? length * dry->stiction : 0.0);
    to.low = -to.high;
  }
}

bool HardForces::break_away(contact::Problem& problem) {
  bool is_any = false;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    contact::RowProblem& row = problem.rows()[i];
    if (!(row.high > limits_[i]) || std::abs(row.impulse) < kAtFrictionLimit * row.high) continue;
    row.high = limits_[i];
    row.low = -row.high;
    is_any = true;
  }
  return is_any;
}

bool HardForces::begin_correction(double allowed, double share, contact::Problem& problem) {
  bool is_any = false;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const HardRow& row = rows_[at(chosen_[i])];
    contact::RowProblem& to = problem.rows()[i];
    const double least = allowed / row.length;
    is_any = is_any || (row.has_gap && row.gap < -least);
    to.target = row.gap < -least ? share * (row.gap + least) : std::max(row.gap, 0.0);
    to.low = to.bias = to.impulse = 0.0;
    to.high = row.has_gap ? kEndless : 0.0;
  }
  return is_any;
}

void HardForces::take(const contact::Problem& problem, std::vector<LawMemory>& memory, double& pushed,
                      double& rubbed) const {
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const HardRow& row = rows_[at(chosen_[i])];
    const contact::RowProblem& solved = problem.rows()[i];
    const double work = solved.impulse * 0.5 * (row.rate + problem.velocity_of(solved));
    (row.pushes ? pushed : rubbed) += work;
    memory[at(row.law)].force += row.sign * solved.impulse;
    memory[at(row.law)].power += work;
  }
}

void HardForces::remember(const contact::Problem& problem, double length, double slip, std::vector<LawMemory>& memory) {
  for (LawMemory& law : memory) {
    law.last = {};
    law.mode = LawMemory::Mode::free;
  }
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const HardRow& row = rows_[at(chosen_[i])];
    const contact::RowProblem& solved = problem.rows()[i];
    LawMemory& law = memory[at(row.law)];
    law.last[at(row.side)] = solved.impulse / length;
    if (row.pushes) {
      if (solved.impulse > 0.0) law.mode = LawMemory::Mode::holds;
    } else if (solved.high > 0.0) {
      const bool is_at_limit = std::abs(solved.impulse) >= kAtFrictionLimit * solved.high;
      // Rows are solved better than points: what has broken away is at its limit long before it is fast.
      constexpr double kStands = 1e-6;
      const bool is_moving = row.length * std::abs(problem.velocity_of(solved)) > kStands * slip;
      law.mode = is_at_limit && is_moving ? LawMemory::Mode::slides : LawMemory::Mode::holds;
    }
  }
}

bool HardForces::has_changed(std::size_t index, const contact::Problem& problem, double length,
                             std::span<const LawMemory> memory) const {
  constexpr double kReached = 1e-12;  // of the machine's size: what the mean velocity may pass the stop by
  const HardRow& row = rows_[at(chosen_[index])];
  const bool is_closed = problem.rows()[index].impulse > 0.0;
  const bool has_arrived = is_closed && -row.rate * row.length * length > kReached * params_.length;
  return row.has_gap && (has_arrived || is_closed != (memory[at(row.law)].last[at(row.side)] > 0.0));
}

void HardForces::mark_changed(const contact::Problem& problem, double length, std::span<const LawMemory> memory,
                              const ContactNodes& nodes, std::span<char> groups) const {
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    if (!has_changed(k, problem, length, memory)) continue;
    for (const contact::NodeTwist& wrench : problem.wrenches(problem.rows()[k])) {
      groups[at(nodes.group_of(nodes.body_of(wrench.node)))] = 1;
    }
  }
}

void HardForces::put_channels(std::span<const LawMemory> memory, std::span<double> channels) const {
  for (std::size_t k = 0; k < system_.hard_laws.size(); ++k) {
    const LawMemory& law = memory[k];
    const std::size_t first = at(system_.forces[at(system_.hard_laws[k].force)].first_channel);
    channels[first] = params_.hard_laws[k].weights[0] * law.force;
    channels[first + 1] = law.power;
    channels[first + 2] = static_cast<double>(law.mode);
  }
}

}  // namespace gelenk::analysis
