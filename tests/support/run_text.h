#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/machine/problem.h"
#include "gelenk/integrate/integrator.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/system/compile.h"
#include "tests/support/load_text.h"

// Models from texts in memory, compiled, assembled and set in motion, for tests.
namespace gelenk::test {

// A model on its way from the text to the start of a run. Each step that fails leaves the following ones empty.
struct Assembled {
  Checked checked;
  std::optional<system::System> system;
  system::Params params;
  std::optional<analysis::Assembly> assembly;

  bool is_ready() const { return assembly.has_value(); }
  std::string messages() const { return checked.messages(); }
  const model::Machine& machine() const { return checked.machine; }
  const system::State& state() const { return assembly->state; }
  // The diagnostic with this code, or null.
  const Diagnostic* find(Code code) const {
    for (const Diagnostic& d : checked.diagnostics.all()) {
      if (d.code == code) return &d;
    }
    return nullptr;
  }
};

inline Assembled assemble_model(Checked checked, const system::CompileOptions& options = {}, double start_time = 0.0) {
  Assembled result;
  result.checked = std::move(checked);
  Diagnostics& diagnostics = result.checked.diagnostics;
  if (diagnostics.has_errors()) return result;
  result.system = system::compile(result.checked.machine, options, diagnostics);
  if (!result.system) return result;
  result.params = system::make_params(*result.system, result.checked.machine);
  result.assembly = analysis::assemble(*result.system, result.params, result.checked.machine, start_time, diagnostics);
  return result;
}
// One model without the first line, which is always the same.
inline Assembled assemble_text(const std::string& text, const system::CompileOptions& options = {},
                               double start_time = 0.0) {
  return assemble_model(check_text(text), options, start_time);
}

inline std::size_t index_of_path(const auto& elements, const std::string& path) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].path == path) return i;
  }
  return elements.size();
}

// What can be asked about a state. NaN for what does not exist, so that every comparison fails.
class Probe {
 public:
  Probe(const system::System& system, const system::Params& params, const system::State& state)
      : system_(system), params_(params), state_(state), workspace_(system) {
    mechanics::update_positions(context(), workspace_);
    mechanics::update_velocities(context(), workspace_);
    mechanics::update_drivers(context(), workspace_);
    mechanics::update_rows(context(), workspace_);
  }
  explicit Probe(const Assembled& model) : Probe(*model.system, model.params, model.state()) {}

  double coordinate(const std::string& joint, const std::string& name) {
    const std::int32_t index = coordinate_index(joint, name);
    return index < 0 ? std::nan("") : mechanics::view(context(), workspace_).coordinate(index);
  }
  double rate(const std::string& joint, const std::string& coordinate_name) {
    const std::int32_t index = coordinate_index(joint, coordinate_name);
    return index < 0 ? std::nan("") : mechanics::view(context(), workspace_).rate(index);
  }
  // Motion of a part at its origin, world axes.
  mechanics::Motion<double> part(const std::string& path) const {
    const std::size_t p = index_of_path(system_.parts, path);
    if (p == system_.parts.size()) {
      mechanics::Motion<double> nowhere;
      nowhere.p.setConstant(std::nan(""));
      return nowhere;
    }
    const std::int32_t body = system_.parts[p].body;
    const mechanics::Motion<double> carrier =
        body == system::kGround ? mechanics::Motion<double>{} : workspace_.bodies[static_cast<std::size_t>(body)];
    return mechanics::frame_on(carrier, params_.parts[p].X_BP);
  }
  mechanics::Energy energy() { return mechanics::energy(context(), workspace_); }
  double largest_row_value() {
    std::vector<double> values(system_.row_count());
    mechanics::row_values(context(), workspace_, values);
    double largest = 0.0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    return largest;
  }
  double largest_row_rate() {
    std::vector<double> rates(system_.row_count());
    mechanics::row_rates(context(), workspace_, rates);
    double largest = 0.0;
    for (const double rate : rates) largest = std::max(largest, std::abs(rate));
    return largest;
  }

 private:
  mechanics::Context context() const { return {system_, params_, state_}; }
  std::int32_t coordinate_index(const std::string& path, const std::string& name) const {
    const std::size_t j = index_of_path(system_.joints, path);
    if (j == system_.joints.size()) return -1;
    const system::Joint& joint = system_.joints[j];
    for (std::int32_t i = 0; i < joint.coordinate_count; ++i) {
      if (joint.type->coordinates[static_cast<std::size_t>(i)].name == name) return joint.first_coordinate + i;
    }
    return -1;
  }

  const system::System& system_;
  const system::Params& params_;
  const system::State& state_;
  mechanics::Workspace workspace_;
};

inline integrate::Options rk4(double step) {
  integrate::Options options;
  options.method = integrate::Method::rk4;
  options.step = step;
  return options;
}
inline integrate::Options dopri5(double tolerance, double max_step = std::numeric_limits<double>::infinity()) {
  integrate::Options options;
  options.tolerance = tolerance;
  options.max_step = max_step;
  return options;
}

// What follows from the accelerations at an instant.
struct Instant {
  std::vector<double> part_accelerations;  // six per part
  std::vector<double> reactions;           // six per joint
  std::vector<double> efforts;             // two per driver: effort, power
};

// A run that can be looked at anywhere. `model` must outlive it.
class Motion {
 public:
  Motion(const Assembled& model, const integrate::Options& options,
         analysis::Partitioning partitioning = analysis::Partitioning::automatic)
      : model_(model),
        problem_(*model.system, model.params, options.tolerance,
                 {.rank_tolerance = model.assembly->rank_tolerance,
                  .refuses_singular_stages = options.method != integrate::Method::rk4 &&
                                             options.method != integrate::Method::generalized_alpha,
                  .partitioning = partitioning}),
        options_(options) {
    problem_.set_state(integrate::Integrator::kCurrentState, model.state());
    is_good_ = problem_.project(integrate::Integrator::kCurrentState);
    integrator_ = std::make_unique<integrate::Integrator>(problem_, options, model.state().time);
  }

  // Goes on to exactly this time; false when that is not possible.
  bool advance_to(double time) {
    while (is_good_ && integrator_->time() < time) {
      is_good_ = integrator_->advance(time) != integrate::Outcome::failed;
    }
    return is_good_;
  }
  const system::State& state() const { return problem_.state(integrate::Integrator::kCurrentState); }
  Probe probe() const { return {*model_.system, model_.params, state()}; }
  integrate::Integrator& integrator() { return *integrator_; }
  analysis::MachineProblem& problem() { return problem_; }

  Instant instant() {
    const system::System& system = *model_.system;
    std::vector<double> accelerations(6 * system.bodies.size());
    std::vector<double> multipliers(system.row_count());
    problem_.dynamics().accelerations(integrate::Integrator::kCurrentState, accelerations, multipliers);
    analysis::Equations& equations = problem_.dynamics().equations_of(integrate::Integrator::kCurrentState);
    equations.solver().share(multipliers);
    equations.load_rows(state());
    const mechanics::Context context{system, model_.params, state()};
    Instant result;
    result.part_accelerations.resize(6 * system.parts.size());
    result.reactions.resize(6 * system.joints.size());
    result.efforts.resize(2 * system.drivers.size());
    mechanics::part_accelerations(context, equations.workspace(), accelerations, result.part_accelerations);
    mechanics::Reactions(system).evaluate(context, equations.workspace(), accelerations, multipliers, result.reactions);
    mechanics::driver_efforts(context, equations.workspace(), multipliers, result.efforts);
    return result;
  }

 private:
  const Assembled& model_;
  analysis::MachineProblem problem_;
  integrate::Options options_;
  std::unique_ptr<integrate::Integrator> integrator_;
  bool is_good_ = true;
};

}  // namespace gelenk::test
