#include "gelenk/analysis/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gelenk/analysis/failure.h"
#include "gelenk/analysis/run_integrator.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/base/bytes.h"
#include "gelenk/base/checksum.h"

namespace gelenk::analysis {

using integrate::Integrator;
using integrate::Outcome;

namespace {

// With a fixed step, the end of one of its steps where the time differs from that by rounding: added up, times would
// make steps that are longer or shorter by it, and other bits.
double end_of_step_near(const RunOptions& options, double time) {
  constexpr double kRounding = 1e-9;  // of a step
  if (options.is_adaptive()) return time;
  const double end = options.start_time + std::round((time - options.start_time) / options.step) * options.step;
  return std::abs(time - end) <= kRounding * options.step ? end : time;
}

}  // namespace

Simulation::Simulation(const system::System& system, const system::Params& params, const Assembly& assembly,
                       const RunOptions& options, std::span<subsystem::Subsystem* const> subsystems)
    : system_(system),
      params_(params),
      options_(options),
      problem_(system, params, error_weight(options),
               {.rank_tolerance = run_rank_tolerance(assembly),
                .refuses_singular_stages = options.is_adaptive(),
                .partitioning = options.partition},
               subsystems),
      observer_(system, params, options.split) {
  problem_.set_state(Integrator::kCurrentState, assembly.state, assembly.sealed_states);
}

// The assembled state is closed to the accuracy of the assembly; a motion starts from rounding.
bool Simulation::start() {
  if (!problem_.project(Integrator::kCurrentState)) {
    failure_ = integrate::Failure::projection_failed;
    return false;
  }
  problem_.start_work(Integrator::kCurrentState);
  integrator_.emplace(problem_, integrator_options(options_), options_.start_time);
  return true;
}

Outcome Simulation::step_towards(double limit) {
  const Outcome outcome = integrator_->advance(limit);
  if (outcome == Outcome::failed) failure_ = integrator_->failure();
  note_loads();
  return outcome;
}

void Simulation::note_loads() {
  if (problem_.impulses() != nullptr) observer_.set_loads(problem_.impulses()->loads());
}

Outcome Simulation::step() { return step_towards(options_.end_time()); }

Outcome Simulation::advance(double until, const std::function<bool()>& stop) {
  Outcome worst = Outcome::ok;
  const double end = end_of_step_near(options_, until);
  while (integrator_->time() < end) {
    const Outcome outcome = step_towards(end);
    if (outcome == Outcome::failed) return outcome;
    if (outcome == Outcome::event) worst = outcome;
    if (stop && stop()) break;
  }
  return worst;
}

Diagnostic Simulation::failure() {
  return explain_failure(system_, params_, problem_, failure_, state().time, options_);
}

bool Simulation::observe(const results::Row& row) {
  return observer_.fill(problem_, slot_to_observe(Integrator::kCurrentState), row);
}

// What contacts do counts in a row, and must leave no trace in the next step.
int Simulation::slot_to_observe(int slot) {
  if (problem_.impulses() == nullptr) return slot;
  problem_.copy(slot, Integrator::kOutputState);
  return Integrator::kOutputState;
}

void Simulation::note_inputs() {
  problem_.dynamics().forget_loaded();
  problem_.dynamics().forget_stage();
  integrator_->restart();
}

// What must be the same for bytes to mean the same.
std::string Simulation::kind() const {
  return fmt::format("gelenk simulation 1 {} {} {} {} {} {} {}", system_.name, method_name(options_.method),
                     options_.is_adaptive() ? options_.tolerance : options_.step, system_.bodies.size(),
                     state().extra.size(), system_.row_count(), params_.inputs.size());
}

std::string Simulation::save() const {
  ByteWriter out;
  out.put(kind());
  out.put(params_.inputs);
  integrator_->save(out);
  const std::uint32_t checksum = crc32_of(out.bytes());
  out.put(checksum);
  return out.bytes();
}

bool Simulation::load(std::string_view bytes, std::span<double> inputs) {
  const std::string before = save();
  if (load_state(bytes, inputs)) return true;
  load_state(before, inputs);
  return false;
}

bool Simulation::load_state(std::string_view bytes, std::span<double> inputs) {
  std::uint32_t checksum = 0;
  if (bytes.size() < sizeof checksum) return false;
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof checksum);
  ByteReader(bytes.substr(content.size())).get(checksum);
  if (checksum != crc32_of(content)) return false;
  ByteReader in(content);
  std::string kind_of_bytes;
  std::vector<double> given;
  in.get(kind_of_bytes);
  if (!in.is_good() || kind_of_bytes != kind()) return false;
  in.get(given);
  if (given.size() != inputs.size()) return false;
  integrator_->load(in);
  if (!in.is_complete()) return false;
  std::copy(given.begin(), given.end(), inputs.begin());
  problem_.dynamics().forget_loaded();
  problem_.dynamics().forget_factors();
  note_loads();
  return true;
}

}  // namespace gelenk::analysis
