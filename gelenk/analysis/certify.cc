#include "gelenk/analysis/certify.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/bytes.h"
#include "gelenk/base/hash.h"
#include "gelenk/base/index.h"
#include "gelenk/base/si_unit.h"
#include "gelenk/model/loose_groups.h"

namespace gelenk::analysis {
namespace {

using results::Certificate;

void put_limits(const CertifiedRun& run, Certificate& certificate) {
  for (std::size_t i = 0; i < run.result.audit.limits.size(); ++i) {
    const RunAudit::Worst& worst = run.result.audit.limits[i];
    if (!(worst.excess > 0.0)) continue;
    const system::Limit& limit = run.params.limits[i];
    const system::Coordinate& coordinate = run.system.coordinates[at(limit.coordinate)];
    const model::Coordinate& type = *coordinate.type;
    const Quantity quantity = limit.is_rate ? type.rate_quantity() : type.quantity();
    std::string name = run.system.joints[at(coordinate.joint)].path + ".";
    name += limit.is_rate ? type.rate : type.name;
    certificate.exceeded_limits.push_back(
        {std::move(name), worst.limit, worst.value, worst.time, std::string(quantity_info(quantity).si_symbol)});
  }
}

// Only where steps are chosen by their errors: nothing else depends on the scale.
void put_small_states(const CertifiedRun& run, Certificate& certificate) {
  if (!run.options.is_adaptive()) return;
  for (std::size_t s = 0; s < run.result.audit.largest_states.size(); ++s) {
    const double largest = run.result.audit.largest_states[s];
    const system::IntegratedState& state = run.system.states[s];
    const double scale = run.params.extra_scales[at(state.place)];
    const bool is_small = run.options.tolerance * scale > results::kNotableStateError * largest;
    if (!(largest > 0.0) || !is_small) continue;
    certificate.small_states.push_back({state.path, largest, scale, si_unit(run.machine.states[s].dimension)});
  }
}

void put_departures(const CertifiedRun& run, Certificate& certificate) {
  // What only contacts could hold may roll and fall for a while.
  constexpr double kFarBesideContacts = 100.0;
  double size = 0.0;  // m, once it is asked for
  const std::vector<std::vector<model::PartId>> untouched = model::loose_groups(run.machine);
  for (const std::vector<model::PartId>& group : model::loose_groups(run.machine, false)) {
    const bool may_touch = std::none_of(untouched.begin(), untouched.end(), [&](const auto& other) {
      return std::find(other.begin(), other.end(), group.front()) != other.end();
    });
    // Who throws something wants it to fly.
    const bool is_thrown = std::any_of(group.begin(), group.end(), [&](model::PartId part) {
      return run.machine.parts[part.index()].has_start_velocity;
    });
    if (is_thrown) continue;
    const std::size_t first = group.front().index();
    const Vector3 start = part_pose(run.system, run.params, run.assembly.state, first).position;
    const Vector3 end = part_pose(run.system, run.params, run.result.end_state, first).position;
    const double distance = (end - start).norm();
    if (!(distance > run.params.length)) continue;
    if (size == 0.0) size = std::max(run.params.length, run.seen_size ? run.seen_size() : 0.0);
    if (!(distance > (may_touch ? kFarBesideContacts : 1.0) * size)) continue;
    certificate.departures.push_back({model::group_text(run.machine, group), distance, size});
  }
}

void put_method(const CertifiedRun& run, Certificate& certificate) {
  const RunResult& result = run.result;
  certificate.method = method_name(run.options.method);
  certificate.method_reason = run.options.method_reason;
  certificate.solver = run.options.partition == Partitioning::none ? "flat" : "components";
  certificate.step = run.options.is_adaptive() ? 0.0 : run.options.step;
  certificate.tolerance = run.options.is_adaptive() ? run.options.tolerance : 0.0;
  certificate.steps = result.counters.accepted;
  certificate.rejected_steps = result.counters.rejected;
  certificate.evaluations = result.counters.evaluations;
  certificate.newton_iterations = result.counters.newton_iterations;
  certificate.factorizations = result.statistics.factorizations + result.counters.newton_factorizations;
  certificate.smallest_step = result.smallest_step;
  certificate.largest_step = result.largest_step;
  certificate.time_laws = static_cast<std::int64_t>(result.time_laws);
  certificate.hidden_law = result.hidden_law;
  certificate.resumed_at = result.resumed_at;
  certificate.is_reproducible = result.is_reproducible;
}

void put_joints(const CertifiedRun& run, Certificate& certificate) {
  const MachineStatistics& statistics = run.result.statistics;
  certificate.drift = statistics.largest_drift;
  certificate.position_residual = statistics.largest_residual;
  certificate.rate_residual = statistics.largest_rate_residual;
  certificate.dropped_residual = statistics.largest_dropped;
  certificate.machine_size = run.params.length;
  certificate.rows = static_cast<std::int64_t>(run.system.row_count());
  certificate.independent_rows = static_cast<std::int64_t>(run.result.independent_rows);
  certificate.rank_change_count = statistics.rank_change_count;
  for (const RankChange& change : statistics.rank_history) {
    certificate.rank_changes.push_back(
        {change.time, change.before, change.after, element_paths(run.system, change.lost),
         element_paths(run.system, change.regained), element_paths(run.system, change.locked)});
  }
}

void put_reactions(const CertifiedRun& run, Certificate& certificate) {
  const SharingAudit& audit = run.result.audit.sharing;
  const SharedDirections shared = audit.result();
  certificate.reaction_split = split_name(run.options.split);
  certificate.shared_reaction_count = static_cast<std::int64_t>(shared.shared_count());
  certificate.has_reaction_partners = shared.has_partners;
  for (std::size_t d = 0; d < shared.group.size(); ++d) {
    if (shared.is_unique(d)) continue;
    if (certificate.shared_reactions.size() == results::kMostSharedReactions) break;
    certificate.shared_reactions.push_back({direction_channel(run.system, d), direction_element(run.system, d),
                                            shared.group[d], audit.shared_rows[d] == audit.rows});
  }
}

void put_contacts(const CertifiedRun& run, Certificate& certificate) {
  if (!run.system.has_jumps()) return;
  const ContactReport& report = run.result.contacts;
  Certificate::Contacts& to = certificate.contacts.emplace();
  const auto name = [&](std::int32_t number) {
    const std::size_t contacts = run.system.contacts.size();
    if (number < 0) return std::string();
    if (at(number) < contacts) return run.system.contacts[at(number)].path;
    return run.system.forces[at(run.system.hard_laws[at(number) - contacts].force)].path;
  };
  to.solves = report.solves;
  to.unsolved = report.unsolved;
  to.most_sweeps = report.most_sweeps;
  to.impacts = report.impacts;
  to.late_impacts = report.late_impacts;
  to.lost_bounces = report.lost_bounces;
  to.tolerance = report.tolerance;
  to.natural_map = report.solves > 0 ? std::sqrt(report.squares / static_cast<double>(report.solves)) : 0.0;
  to.worst = report.worst;
  to.worst_time = report.worst_time;
  to.worst_contact = name(report.worst_contact);
  to.deepest = report.deepest;
  to.deepest_time = report.deepest_time;
  to.deepest_contact = name(report.deepest_contact);
  to.work_of_impacts = report.work_normal;
  to.work_of_friction = report.work_friction;
}

void put_energy(const CertifiedRun& run, Certificate& certificate) {
  const RunResult& result = run.result;
  certificate.start_energy = result.start_energy.total();
  certificate.end_energy = result.end_energy.total();
  certificate.work_of_forces = result.work.forces;
  certificate.work_of_drivers = result.work.drivers;
  certificate.work_of_impacts = result.work.impacts;
  certificate.energy_turnover = result.audit.energy_turnover;
  certificate.energy_imbalance = result.audit.energy_imbalance;
  certificate.imbalance_time = result.audit.imbalance_time;
  certificate.impact = result.impact;
  for (const system::SealedComponent& component : run.system.sealed) certificate.other_books.push_back(component.path);
}

}  // namespace

results::Certificate certify(const CertifiedRun& run, StepAccuracy accuracy) {
  Certificate certificate;
  certificate.program_version = run.program_version;
  certificate.build = run.build;
  certificate.model_hash = sha256(run.resolved_model);
  certificate.options_hash = sha256(run.option_text);
  certificate.state_hash = state_hash(run.result.end_state);
  certificate.status = results::status_name(run.result.status);
  certificate.start_time = run.options.start_time;
  certificate.end_time = run.result.time;
  certificate.recorded_rows = static_cast<std::int64_t>(run.result.audit.rows);
  certificate.display = run.machine.display;
  put_method(run, certificate);
  put_joints(run, certificate);
  put_reactions(run, certificate);
  put_energy(run, certificate);
  put_contacts(run, certificate);
  put_limits(run, certificate);
  put_small_states(run, certificate);
  put_departures(run, certificate);
  certificate.event_count = static_cast<std::int64_t>(run.result.event_count);
  certificate.confirmation = std::move(accuracy.confirmation);
  certificate.doubled_step = std::move(accuracy.doubled_step);
  certificate.unknown_step_error = std::move(accuracy.unknown);
  certificate.assumptions = assumptions(run, certificate.confirmation || certificate.doubled_step);
  results::judge(certificate);
  return certificate;
}

std::string state_hash(const system::State& state) {
  ByteWriter bytes;
  bytes.put(state.time);
  bytes.put(static_cast<std::uint64_t>(state.position.size()));
  for (const std::vector<Vector3>* places : {&state.position, &state.origin}) {
    for (const Vector3& p : *places) {
      for (const double number : {p.x(), p.y(), p.z()}) bytes.put(number);
    }
  }
  bytes.put(static_cast<std::uint64_t>(state.orientation.size()));
  for (const Quaternion& q : state.orientation) {
    for (const double number : {q.w(), q.x(), q.y(), q.z()}) bytes.put(number);
  }
  bytes.put(state.velocity);
  bytes.put(state.extra);
  bytes.put(state.sides);
  return sha256(bytes.bytes());
}

}  // namespace gelenk::analysis
