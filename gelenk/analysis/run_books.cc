#include "gelenk/analysis/run_books.h"

#include <algorithm>
#include <cmath>

namespace gelenk::analysis {
namespace {

using integrate::Integrator;

// So often at least the energy of a run with sealed components is looked at, rows or not.
constexpr double kSealedAudits = 200.0;

}  // namespace

RunBooks::RunBooks(const system::System& system, const system::Params& params, const RunOptions& options,
                   MachineProblem& problem, Observer& observer)
    : system_(system),
      params_(params),
      options_(options),
      problem_(problem),
      observer_(observer),
      sharing_(system, params) {}

void RunBooks::note_row(int slot) {
  const mechanics::Context context{system_, params_, problem_.state(slot)};
  if (audit_.rows == 0) audit_ = start_audit(context, observer_.energy());
  note_observed(slot);
  ++audit_.rows;
  audit_.sharing.note(sharing_, problem_.dynamics().equations_of(slot), context.state, direction_count(system_));
}

bool RunBooks::note_step() {
  const mechanics::Context context{system_, params_, problem_.state(Integrator::kCurrentState)};
  if (context.state.time == kept_until_) return true;
  if (system_.sealed.empty()) {
    note_speed(context.state);
    mechanics::Workspace& workspace = problem_.dynamics().place(Integrator::kCurrentState);
    const mechanics::Energy energy = mechanics::energy(context, workspace);
    audit_state(context, workspace, energy, mechanics::work(system_, context.state, energy), {}, audit_);
    return true;
  }
  // Sealed components report their energy only with their accelerations: asked in every step, that would be felt.
  if (context.state.time - kept_until_ < options_.duration / kSealedAudits) return true;
  if (!observer_.fill(problem_, Integrator::kCurrentState, {})) return false;
  note_observed(Integrator::kCurrentState);
  return true;
}

void RunBooks::note_observed(int slot) {
  const mechanics::Context context{system_, params_, problem_.state(slot)};
  note_speed(context.state);
  const SubsystemStates::Report& sealed = observer_.sealed();
  audit_state(context, problem_.dynamics().equations_of(slot).workspace(), observer_.energy(), observer_.work(),
              {sealed.received, sealed.exchanged, sealed.error}, audit_);
  kept_until_ = context.state.time;
}

void RunBooks::note_speed(const system::State& state) {
  for (std::size_t i = 0; i < state.velocity.size(); ++i) {
    const double size = i % 6 < 3 ? 1.0 : params_.length;
    largest_speed_ = std::max(largest_speed_, std::abs(state.velocity[i]) * size);
  }
}

void RunBooks::save(ByteWriter& out) const {
  out.put(largest_speed_);
  out.put(kept_until_);
  audit_.save(out);
}

void RunBooks::load(ByteReader& in) {
  in.get(largest_speed_);
  in.get(kept_until_);
  audit_.load(in, system_.states.size());
}

}  // namespace gelenk::analysis
