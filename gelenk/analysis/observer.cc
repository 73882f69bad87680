#include "gelenk/analysis/observer.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/code.h"
#include "gelenk/mechanics/couplings.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {
namespace {

using results::BlockId;

void put(const std::vector<double>& from, std::span<double> to) {
  if (!to.empty()) std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

Observer::Observer(const system::System& system, const system::Params& params, ReactionSplit split)
    : system_(system),
      params_(params),
      compliance_(row_compliances(system, params, split)),
      reactions_(system),
      body_accelerations_(6 * system.bodies.size(), 0.0),
      multipliers_(system.row_count(), 0.0),
      part_accelerations_(6 * system.parts.size(), 0.0),
      joint_reactions_(6 * system.joints.size(), 0.0),
      driver_efforts_(2 * system.drivers.size(), 0.0),
      coupling_efforts_(system.couplings.size(), 0.0) {}

bool Observer::fill(MachineProblem& problem, int slot, const results::Row& row) {
  if (!problem.dynamics().accelerations(slot, body_accelerations_, multipliers_)) return false;
  if (!system_.sealed.empty()) problem.subsystems().read_outputs(slot, sealed_);
  Equations& equations = problem.dynamics().equations_of(slot);
  if (!loads_.empty()) add_loads(equations);
  // Forces in balance are looked for beside nothing else, in subsystems, too.
  equations.subsystems().put_right_side(subsystem::RightSide::impulses);
  equations.solver().share(multipliers_, compliance_);
  equations.load_rows(problem.state(slot));
  mechanics::Workspace& workspace = equations.workspace();
  const mechanics::Context context{system_, params_, problem.state(slot)};
  mechanics::part_accelerations(context, workspace, body_accelerations_, part_accelerations_);
  reactions_.evaluate(context, workspace, body_accelerations_, multipliers_, joint_reactions_);
  mechanics::driver_efforts(context, workspace, multipliers_, driver_efforts_);
  mechanics::coupling_efforts(system_, params_, multipliers_, coupling_efforts_);
  energy_ = mechanics::energy(context, workspace);
  work_ = mechanics::work(system_, context.state, energy_);

  fill_parts(context, workspace, row);
  put(part_accelerations_, row[BlockId::acceleration]);
  put(joint_reactions_, row[BlockId::reaction]);
  put(driver_efforts_, row[BlockId::effort]);
  put(coupling_efforts_, row[BlockId::coupling]);
  mechanics::View<double> now = mechanics::view(context, workspace);
  fill_joints(now, row);
  std::span<const double> hard_forces;
  std::span<const double> contacts;
  if (const MachineImpulses* const impulses = problem.impulses(); impulses != nullptr) {
    hard_forces = impulses->hard_channels();
    contacts = impulses->contact_channels();
  }
  fill_forces(now, hard_forces, row);
  if (const std::span<double> out = row[BlockId::contact]; !out.empty()) {
    std::copy(contacts.begin(), contacts.end(), out.begin());
  }
  if (const std::span<double> out = row[BlockId::energy]; !out.empty()) {
    out[0] = energy_.kinetic;
    out[1] = energy_.potential;
    out[2] = energy_.total();
    out[3] = work_.forces;
    out[4] = work_.drivers;
    out[5] = work_.impacts;
  }
  if (const std::span<double> out = row[BlockId::state]; !out.empty()) {
    for (std::size_t s = 0; s < system_.states.size(); ++s) out[s] = context.state.extra[at(system_.states[s].place)];
    std::size_t next = system_.states.size();
    for (std::size_t c = 0; c < system_.codes.size(); ++c) {
      for (const double state : mechanics::code_states(context, c)) out[next++] = state;
    }
  }
  if (const std::span<double> out = row[BlockId::code]; !out.empty()) {
    std::size_t next = 0;
    for (const mechanics::CodeWork& code : workspace.codes) {
      for (const double output : code.outputs) out[next++] = output;
    }
  }
  now.set_results({part_accelerations_, joint_reactions_, driver_efforts_, workspace.codes, coupling_efforts_,
                   hard_forces, contacts});
  const std::span<double> outputs = row[BlockId::output];
  for (std::size_t o = 0; o < system_.outputs.size() && !outputs.empty(); ++o) {
    outputs[o] = now.signal(system_.outputs[o].value);
  }
  if (!outputs.empty())
    std::copy(sealed_.outputs.begin(), sealed_.outputs.end(), outputs.end() - std::ssize(sealed_.outputs));
  return true;
}

// Accelerations and multipliers are linear in the forces.
void Observer::add_loads(Equations& equations) {
  load_accelerations_.assign(body_accelerations_.size(), 0.0);
  load_multipliers_.assign(multipliers_.size(), 0.0);
  zero_rows_.assign(multipliers_.size(), 0.0);
  equations.solver().solve(loads_, zero_rows_, load_accelerations_, load_multipliers_);
  for (std::size_t i = 0; i < body_accelerations_.size(); ++i) body_accelerations_[i] += load_accelerations_[i];
  for (std::size_t r = 0; r < multipliers_.size(); ++r) multipliers_[r] += load_multipliers_[r];
}

void Observer::fill_parts(const mechanics::Context& context, const mechanics::Workspace& workspace,
                          const results::Row& row) {
  const std::span<double> poses = row[BlockId::pose];
  const std::span<double> twists = row[BlockId::twist];
  for (std::size_t p = 0; p < system_.parts.size(); ++p) {
    const std::int32_t body = system_.parts[p].body;
    const mechanics::Motion<double> carrier =
        body == system::kGround ? mechanics::Motion<double>{} : workspace.bodies[at(body)];
    const mechanics::Motion<double> part = mechanics::frame_on(carrier, context.params.parts[p].X_BP);
    if (!poses.empty()) {
      const Quaternion q = quaternion_from_rotation(part.R);
      const Vector3 place = body == system::kGround ? part.p : system::origin_of(context.state, at(body)) + part.p;
      const double numbers[] = {place.x(), place.y(), place.z(), q.w(), q.x(), q.y(), q.z()};
      std::copy(std::begin(numbers), std::end(numbers), &poses[7 * p]);
    }
    if (!twists.empty()) {
      std::copy_n(part.v.data(), 3, &twists[6 * p]);
      std::copy_n(part.w.data(), 3, &twists[6 * p + 3]);
    }
  }
}

void Observer::fill_joints(const mechanics::View<double>& now, const results::Row& row) {
  const std::span<double> coordinates = row[BlockId::coordinate];
  const std::span<double> rates = row[BlockId::rate];
  std::size_t next_coordinate = 0;
  std::size_t next_rate = 0;
  for (std::size_t i = 0; i < system_.coordinates.size(); ++i) {
    const system::Coordinate& c = system_.coordinates[i];
    const auto index = static_cast<std::int32_t>(i);
    if (c.type->motion != model::Coordinate::Motion::orientation) {
      if (!coordinates.empty()) coordinates[next_coordinate] = now.coordinate(index);
      if (!rates.empty()) rates[next_rate] = now.rate(index);
      ++next_coordinate;
      ++next_rate;
      continue;
    }
    const system::Joint& joint = system_.joints[at(c.joint)];
    const mechanics::Motion<double> A = now.frame(joint.frame_a);
    const mechanics::Motion<double> B = now.frame(joint.frame_b);
    if (!coordinates.empty()) {
      const Quaternion q = quaternion_from_rotation(A.R.transpose() * B.R);
      const double numbers[] = {q.w(), q.x(), q.y(), q.z()};
      std::copy(std::begin(numbers), std::end(numbers), &coordinates[next_coordinate]);
    }
    if (!rates.empty()) {
      const Vector3 w = A.R.transpose() * (B.w - A.w);
      std::copy_n(w.data(), 3, &rates[next_rate]);
    }
    next_coordinate += 4;
    next_rate += 3;
  }
}

void Observer::fill_forces(const mechanics::View<double>& now, std::span<const double> hard, const results::Row& row) {
  const std::span<double> values = row[BlockId::force];
  if (values.empty()) return;
  for (std::size_t f = 0; f < system_.forces.size(); ++f) {
    const mechanics::ForceResult<double> result = now.force(static_cast<std::int32_t>(f));
    std::copy_n(result.channels.begin(), at(system_.forces[f].channel_count),
                values.begin() + system_.forces[f].first_channel);
  }
  if (hard.empty()) return;
  for (const system::HardLaw& law : system_.hard_laws) {
    const system::Force& force = system_.forces[at(law.force)];
    std::copy_n(hard.begin() + force.first_channel, at(force.channel_count), values.begin() + force.first_channel);
  }
}

}  // namespace gelenk::analysis
