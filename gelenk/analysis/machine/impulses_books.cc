// What a step leaves behind: quality, events, forces.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "gelenk/analysis/machine/impulses.h"
#include "gelenk/base/index.h"
#include "gelenk/model/contact_types.h"

namespace gelenk::analysis {

void MachineImpulses::note_solve(const contact::SolveReport& solved, double tolerance, double time) {
  ContactReport& report = tried_.report;
  ++report.solves;
  report.most_sweeps = std::max<std::int64_t>(report.most_sweeps, solved.sweeps);
  // Points, then rows.
  const auto element_of = [&](std::size_t item) {
    if (item < chosen_.size()) return points_[at(chosen_[item])].contact;
    const HardRow& row = hard_.rows()[at(hard_.chosen()[item - chosen_.size()])];
    return static_cast<std::int32_t>(system_.contacts.size()) + row.law;
  };
  report.squares += solved.residual * solved.residual;
  report.tolerance = std::max(report.tolerance, tolerance);
  // A hundred times what is aimed at is still a tenth of what gravity does in a step.
  constexpr double kKept = 100.0;
  if (!(solved.residual <= kKept * tolerance)) ++report.unsolved;
  if (!(solved.worst <= report.worst)) {
    report.worst = solved.worst;
    report.worst_time = time;
    report.worst_contact = solved.worst_point < 0 ? -1 : element_of(at(solved.worst_point));
  }
  for (const std::int32_t index : chosen_) {
    const FoundPoint& found = points_[at(index)];
    if (!(-found.point.gap > report.deepest)) continue;
    report.deepest = -found.point.gap;
    report.deepest_time = time;
    report.deepest_contact = found.contact;
  }
  for (std::size_t k = 0; k < hard_.chosen().size(); ++k) {
    const HardRow& row = hard_.rows()[at(hard_.chosen()[k])];
    if (!row.has_gap || !(-row.gap * row.length > report.deepest)) continue;
    report.deepest = -row.gap * row.length;
    report.deepest_time = time;
    report.deepest_contact = element_of(chosen_.size() + k);
  }
}

void MachineImpulses::note_law_impacts(double time) {
  double pushed = 0.0;
  double rubbed = 0.0;
  hard_.take(problem_, tried_.laws, pushed, rubbed);
  tried_.report.work_normal += pushed;
  impact_work_ += pushed;
  for (std::size_t k = 0; k < hard_.chosen().size(); ++k) {
    const std::size_t index = at(hard_.chosen()[k]);
    if (!hard_.is_bouncing(index, slowest_bounce_)) continue;
    ++tried_.report.impacts;
    if (divisions_ >= kMostDivisions) ++tried_.report.late_impacts;
    const contact::RowProblem& row = problem_.rows()[k];
    const double energy = row.impulse * 0.5 * (hard_.before(k) + problem_.velocity_of(row));
    events_.push_back(
        {time, -1, -1, -1, ContactEvent::Kind::impact, -hard_.before(k), energy, hard_.rows()[index].law});
  }
}

// Means over the step.
void MachineImpulses::finish_channels(double length) {
  for (ContactMemory::Law& law : tried_.laws) {
    law.force /= length;
    law.power /= length;
  }
  for (double& number : tried_.contacts) number /= length;
  for (const Carried& carried : carried_) {
    tried_.contacts[model::kContactNumbers * at(points_[at(carried.point)].contact) + 5] += 1.0;
  }
}

std::span<const double> MachineImpulses::hard_channels() const {
  if (!hard_.is_empty()) hard_.put_channels(kept_.laws, hard_channels_);
  return hard_channels_;
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

void MachineImpulses::note_laws(double time) {
  using Kind = ContactEvent::Kind;
  using LawMode = ContactMemory::Law::Mode;
  for (std::size_t k = 0; k < tried_.laws.size(); ++k) {
    const LawMode before = kept_.laws[k].mode;
    const LawMode now = tried_.laws[k].mode;
    if (before == now) continue;
    const auto law = static_cast<std::int32_t>(k);
    const Kind kind = now == LawMode::free     ? Kind::opens
                      : now == LawMode::slides ? Kind::slides
                      : hard_.is_friction(k)   ? Kind::sticks
                                               : Kind::closes;
    events_.push_back({time, -1, -1, -1, kind, 0.0, 0.0, law});
  }
}

}  // namespace gelenk::analysis
