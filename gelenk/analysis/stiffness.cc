#include "gelenk/analysis/stiffness.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/analysis/equations.h"
#include "gelenk/analysis/implicit_equations.h"
#include "gelenk/base/index.h"

namespace gelenk::analysis {
namespace {

constexpr int kIterations = 30;

// Numbers without a pattern, the same in every run.
std::vector<double> any_motion(std::size_t size) {
  std::vector<double> result(size);
  std::uint32_t x = 12345;
  for (double& value : result) {
    x = 1664525u * x + 1013904223u;
    value = static_cast<double>(x >> 8) / 16777216.0 - 0.5;
  }
  return result;
}

class Estimate {
 public:
  Estimate(const system::System& system, const system::Params& params, const system::State& state,
           double rank_tolerance)
      : system_(system),
        params_(params),
        state_(state),
        equations_(system, params),
        implicit_(system, params, equations_.workspace().ports, nullptr) {
    accelerations_.resize(6 * system.bodies.size());
    forces_.resize(equations_.workspace().forces.size());
    no_motion_.resize(system.row_count());
    multipliers_.resize(system.row_count());
    equations_.set_rank_tolerance(rank_tolerance);
    equations_.load(state);
    solve::PivotSet pivots;
    equations_.factor(pivots);
    equations_.solve_accelerations(state, accelerations_, multipliers_);
    std::vector<std::int32_t> rows;
    solve::independent_rows(pivots, system.row_count(), rows);
    equations_.load_rows(state);
    implicit_.linearize({state, equations_.workspace(), accelerations_, multipliers_, rows, {}});
  }

  // Largest |M⁻¹ K x| / |x|, or with C, over the motions that the joints allow; leaves that motion in motion_.
  double largest(bool is_damping) {
    motion_ = any_motion(accelerations_.size());
    double ratio = 0.0;
    for (int i = 0; i < kIterations; ++i) {
      const double size = norm(motion_);
      if (!(size > 0.0) || !std::isfinite(size)) return 0.0;
      for (double& x : motion_) x /= size;
      std::fill(forces_.begin(), forces_.end(), 0.0);
      if (is_damping) {
        implicit_.subtract_damping(motion_, {}, forces_);
      } else {
        implicit_.subtract_stiffness(motion_, {}, forces_);
      }
      equations_.solver().solve(forces_, no_motion_, motion_, {});
      ratio = norm(motion_);
    }
    return std::isfinite(ratio) ? ratio : 0.0;
  }

  // The force that pushes most on motion_.
  std::int32_t strongest(bool is_damping) {
    const mechanics::Workspace& workspace = equations_.workspace();
    mechanics::ForceDerivatives derivatives(system_, workspace.ports);
    std::vector<double> motion = motion_;
    motion.resize(forces_.size());
    mechanics::shift_to_ports(workspace.ports, workspace.port_arms, motion);
    const mechanics::Context context{system_, params_, state_};
    std::int32_t result = -1;
    double most = 0.0;
    for (std::size_t f = 0; f < system_.forces.size(); ++f) {
      std::vector<mechanics::ForceBlock> blocks;
      derivatives.evaluate(context, workspace, static_cast<std::int32_t>(f), blocks);
      double power = 0.0;
      for (const mechanics::ForceBlock& block : blocks) {
        for (std::size_t i = 0; i < 6; ++i) {
          for (std::size_t k = 0; k < 6; ++k) {
            power += motion[6 * at(block.on_body) + i] * block.values[12 * i + (is_damping ? 6 : 0) + k] *
                     motion[6 * at(block.by_body) + k];
          }
        }
      }
      if (!(std::abs(power) > most)) continue;
      most = std::abs(power);
      result = static_cast<std::int32_t>(f);
    }
    return result;
  }

  mechanics::StateDerivatives::Fastest fastest_state() {
    mechanics::StateDerivatives derivatives(system_, equations_.workspace().ports);
    derivatives.evaluate({system_, params_, state_}, equations_.workspace());
    mechanics::StateDerivatives::Fastest result;
    for (std::size_t g = 0; g < derivatives.group_count(); ++g) {
      const mechanics::StateDerivatives::Fastest one = derivatives.fastest(g);
      if (one.rate > result.rate) result = one;
    }
    return result;
  }

 private:
  // Turns count with the size of the machine.
  double norm(std::span<const double> motion) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < motion.size(); ++i) {
      const double x = i % 6 < 3 ? motion[i] : motion[i] * params_.length;
      sum += x * x;
    }
    return std::sqrt(sum);
  }

  const system::System& system_;
  const system::Params& params_;
  const system::State& state_;
  Equations equations_;
  ImplicitEquations implicit_;
  std::vector<double> accelerations_, forces_, motion_, no_motion_, multipliers_;
};

}  // namespace

Stiffness estimate_stiffness(const system::System& system, const system::Params& params, const system::State& state,
                             double rank_tolerance) {
  Stiffness result;
  if (system.bodies.empty() || (system.forces.empty() && system.states.empty())) return result;
  Estimate estimate(system, params, state, rank_tolerance);
  result.decay = estimate.largest(true);
  const std::int32_t damper = estimate.strongest(true);
  result.frequency = std::sqrt(estimate.largest(false));
  const std::int32_t spring = estimate.strongest(false);
  const std::int32_t force = result.decay > result.frequency ? damper : spring;
  if (force >= 0) {
    result.element = system.forces[at(force)].path;
    result.where = system.forces[at(force)].where;
  }
  const mechanics::StateDerivatives::Fastest of_states = estimate.fastest_state();
  if (of_states.rate > result.rate()) {
    result.decay = of_states.rate;
    result.element = system.states[at(of_states.state)].path;
    result.where = system.states[at(of_states.state)].where;
  }
  return result;
}

}  // namespace gelenk::analysis
