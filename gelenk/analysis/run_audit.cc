#include "gelenk/analysis/run_audit.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/gravity.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {
namespace {

// Next to nothing: this part of what it takes to lift the machine by its own size, or of what its springs hold.
constexpr double kSmallEnergy = 1e-4;
// A machine that moves by less than this part of its size in a second is at rest.
constexpr double kAtRest = 1e-6;  // 1/s
// Energies are differences of potentials, which are as large as the place of the origin makes them.
constexpr double kRoundingOfEnergy = 1e-9;
// A coordinate that lies on its limit does not exceed it.
constexpr double kOnLimit = 1e-9;

}  // namespace

RunAudit start_audit(const mechanics::Context& context, const mechanics::Energy& energy) {
  const system::Params& params = context.params;
  RunAudit audit;
  audit.start_energy = energy;
  audit.limits.resize(params.limits.size());
  audit.largest_states.assign(context.system.states.size(), 0.0);
  for (std::size_t b = 0; b < params.bodies.size(); ++b) {
    const double mass = params.bodies[b].mass;
    const double weight =
        mechanics::gravity_force<double>(params.gravity, mass, system::place_of(context.state, b)).norm();
    const double creeping = kAtRest * params.length;
    audit.energy_turnover += kSmallEnergy * weight * params.length + 0.5 * mass * creeping * creeping;
  }
  return audit;
}

void audit_state(const mechanics::Context& context, mechanics::Workspace& workspace, const mechanics::Energy& energy,
                 const mechanics::Work& work, const SealedEnergy& sealed, RunAudit& audit) {
  const double own = energy.total() - audit.start_energy.total() - work.total() + sealed.received;
  const double imbalance = std::abs(own) + sealed.error;
  if (!(imbalance <= audit.energy_imbalance)) {
    audit.energy_imbalance = imbalance;
    audit.imbalance_time = context.state.time;
  }
  audit.energy_turnover =
      std::max({audit.energy_turnover, energy.kinetic, std::abs(energy.potential - audit.start_energy.potential),
                std::abs(work.forces), std::abs(work.drivers), std::abs(work.impacts), sealed.exchanged,
                kSmallEnergy * std::abs(energy.elastic), kRoundingOfEnergy * std::abs(energy.potential)});

  for (std::size_t s = 0; s < audit.largest_states.size(); ++s) {
    const double value = std::abs(context.state.extra[at(context.system.states[s].place)]);
    audit.largest_states[s] = std::max(audit.largest_states[s], value);
  }
  const mechanics::View<double> now = mechanics::view(context, workspace);
  for (std::size_t i = 0; i < context.params.limits.size(); ++i) {
    const system::Limit& limit = context.params.limits[i];
    const double value = limit.is_rate ? now.rate(limit.coordinate) : now.coordinate(limit.coordinate);
    const auto check = [&](const std::optional<double>& bound, double sign) {
      if (!bound) return;
      const double excess = sign * (value - *bound);
      if (excess <= kOnLimit * (1.0 + std::abs(*bound)) || excess <= audit.limits[i].excess) return;
      audit.limits[i] = {excess, value, *bound, context.state.time};
    };
    check(limit.max, 1.0);
    check(limit.min, -1.0);
  }
}

void RunAudit::save(ByteWriter& out) const {
  out.put(rows);
  for (const double number : {start_energy.kinetic, start_energy.potential, start_energy.elastic, energy_turnover,
                              energy_imbalance, imbalance_time}) {
    out.put(number);
  }
  out.put(static_cast<std::uint64_t>(limits.size()));
  for (const Worst& worst : limits) {
    for (const double number : {worst.excess, worst.value, worst.limit, worst.time}) out.put(number);
  }
  for (const double largest : largest_states) out.put(largest);
  sharing.save(out);
}

void RunAudit::load(ByteReader& in, std::size_t state_count) {
  in.get(rows);
  for (double* number : {&start_energy.kinetic, &start_energy.potential, &start_energy.elastic, &energy_turnover,
                         &energy_imbalance, &imbalance_time}) {
    in.get(*number);
  }
  limits.clear();
  const auto count = in.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count && in.is_good(); ++i) {
    Worst& worst = limits.emplace_back();
    for (double* number : {&worst.excess, &worst.value, &worst.limit, &worst.time}) in.get(*number);
  }
  largest_states.assign(state_count, 0.0);
  for (double& largest : largest_states) in.get(largest);
  sharing.load(in);
}

}  // namespace gelenk::analysis
