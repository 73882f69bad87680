// What a step leaves behind: quality, events, forces.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "gelenk/analysis/machine/impulses.h"
#include "gelenk/base/index.h"

namespace gelenk::analysis {

void MachineImpulses::note_solve(const contact::SolveReport& solved, double tolerance, double time) {
  ContactReport& report = tried_.report;
  ++report.solves;
  report.most_sweeps = std::max<std::int64_t>(report.most_sweeps, solved.sweeps);
  report.squares += solved.residual * solved.residual;
  report.tolerance = std::max(report.tolerance, tolerance);
  // A hundred times what is aimed at is still a tenth of what gravity does in a step.
  constexpr double kKept = 100.0;
  if (!(solved.residual <= kKept * tolerance)) ++report.unsolved;
  if (!(solved.worst <= report.worst)) {
    report.worst = solved.worst;
    report.worst_time = time;
    report.worst_contact = solved.worst_point < 0 ? -1 : points_[at(chosen_[at(solved.worst_point)])].contact;
  }
  for (const std::int32_t index : chosen_) {
    const FoundPoint& found = points_[at(index)];
    if (!(-found.point.gap > report.deepest)) continue;
    report.deepest = -found.point.gap;
    report.deepest_time = time;
    report.deepest_contact = found.contact;
  }
}

void MachineImpulses::note_impacts(double time) {
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const contact::PointProblem& point = problem_.points()[k];
    const Vector3 mean = 0.5 * (before_[k] + problem_.velocity_of(point));
    const double normal = point.impulse[0] * mean[0];
    const double friction = point.impulse[1] * mean[1] + point.impulse[2] * mean[2];
    tried_.report.work_normal += normal;
    tried_.report.work_friction += friction;
    impact_work_ += normal + friction;
    if (!is_bouncing(at(chosen_[k]))) continue;
    ++tried_.report.impacts;
    const FoundPoint& found = points_[at(chosen_[k])];
    if (divisions_ >= kMostDivisions) ++tried_.report.late_impacts;
    const bool is_same = !events_.empty() && events_.back().kind == ContactEvent::Kind::impact &&
                         events_.back().time == time && events_.back().a == found.contour_a &&
                         events_.back().b == found.contour_b;
    if (is_same) {
      events_.back().energy += normal + friction;
      events_.back().approach = std::max(events_.back().approach, -before_[k][0]);
      continue;
    }
    events_.push_back({time, found.contact, found.contour_a, found.contour_b, ContactEvent::Kind::impact,
                       -before_[k][0], normal + friction});
  }
}

// Forces of the part, as first guesses of the next one.
void MachineImpulses::remember(double length) {
  tried_.points.clear();
  next_pairs_.clear();
  for (std::size_t k = 0; k < carried_.size(); ++k) {
    const Carried& carried = carried_[k];
    const FoundPoint& found = points_[at(carried.point)];
    const Vector3 force = carried.impulse / length;
    tried_.points.push_back({found.contour_a, found.contour_b, found.point.feature, {force.x(), force.y(), force.z()}});
    const bool is_known =
        !next_pairs_.empty() && next_pairs_.back().a == found.contour_a && next_pairs_.back().b == found.contour_b;
    if (!is_known) {
      next_pairs_.push_back({found.contour_a, found.contour_b, found.contact, ContactMemory::Mode::sliding});
    }
    if (!carried.slides) next_pairs_.back().mode = ContactMemory::Mode::sticking;
  }
}

// What is different from the step before, pair by pair.
void MachineImpulses::note_modes(double time) {
  using Kind = ContactEvent::Kind;
  const auto add = [&](const ContactMemory::Pair& pair, Kind kind) {
    events_.push_back({time, pair.contact, pair.a, pair.b, kind});
  };
  const auto key = [](const ContactMemory::Pair& pair) { return std::tie(pair.a, pair.b); };
  auto before = tried_.pairs.begin();
  for (const ContactMemory::Pair& now : next_pairs_) {
    for (; before != tried_.pairs.end() && key(*before) < key(now); ++before) add(*before, Kind::opens);
    const bool was_closed = before != tried_.pairs.end() && key(*before) == key(now);
    const bool has_friction = params_.contacts[at(now.contact)].friction > 0.0;
    if (!was_closed) {
      add(now, Kind::closes);
    } else if (has_friction && before->mode != now.mode) {
      add(now, now.mode == ContactMemory::Mode::sliding ? Kind::slides : Kind::sticks);
    }
    if (was_closed) ++before;
  }
  for (; before != tried_.pairs.end(); ++before) add(*before, Kind::opens);
  tried_.pairs = next_pairs_;
}

}  // namespace gelenk::analysis
