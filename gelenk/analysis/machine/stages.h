#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/analysis/implicit_equations.h"
#include "gelenk/analysis/machine/dynamics.h"
#include "gelenk/analysis/state_newton.h"
#include "gelenk/analysis/subsystem_states.h"
#include "gelenk/integrate/problem.h"

namespace gelenk::analysis {

// A machine in implicit methods, equations.md (9.4). Verbs that begin with `owner_` are for a machine that
// is a subsystem of another one: `outside`, loads at its mounts, six each.
class MachineStages final : public integrate::ImplicitProblem {
 public:
  MachineStages(const system::System& system, const system::Params& params, MachineSlots& slots,
                MachineDynamics& dynamics, SubsystemStates& subsystems);

  bool factor_newton(int state, double gamma) override;
  void solve_newton(int rate, int to) override;
  int solve_stage(const integrate::Stage& stage) override;
  void combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to) override;

  // False: the matrix is singular.
  bool owner_factor_newton(int slot, double velocity_gain, double position_gain, std::span<const double> outside,
                           double* D);
  bool owner_factor_stage(std::span<const double> outside, double* D);
  void owner_put_newton(int rate, std::span<double> motions);
  void owner_up(double* r);
  void owner_down(const double* loads, double* motions);
  void take_newton(int rate, int to);
  void begin_stage(const integrate::Stage& stage);
  void owner_place_stage();
  double owner_put_loads(std::span<const double> outside);
  double take_stage();
  void end_stage();
  const integrate::Stage& stage() const { return stage_; }

 private:
  ImplicitEquations& implicit_equations();
  void place_stage();
  double stage_residual(std::span<const double> outside);
  void subtract_inertia(std::span<const double> accelerations);
  void add_row_forces(const mechanics::Context& context);
  ImplicitEquations::Point stage_point(std::span<const double> outside);
  ImplicitEquations::Point newton_point(int slot, double gamma, std::span<const double> outside);
  void put_newton_right_side(int rate);
  void keep_right_side();
  std::span<const double> by_port(std::span<const double> at_mounts);  // -> outside_
  double stage_extra_change(const system::State& state, double gain, std::span<double> rates);

  const system::System& system_;
  const system::Params& params_;
  MachineSlots& slots_;
  MachineDynamics& dynamics_;
  SubsystemStates& subsystems_;
  std::unique_ptr<ImplicitEquations> implicit_equations_;
  StateNewton state_newton_;
  integrate::Stage stage_;
  double newton_gain_ = 0.0;
  std::vector<std::int32_t> newton_rows_;
  std::vector<Quaternion> newton_orientation_;
  std::vector<double> port_motions_;  // kNewtonMotions for each port
  std::vector<double> outside_;       // loads of an owner, six for each port
  std::vector<double> multipliers_, shaft_loads_;
  // forces_ and row_motions_: a right side, then its solution; owner_: the right side of an owner.
  std::vector<double> accelerations_, motions_, forces_, row_motions_;
  std::vector<double> owner_forces_, owner_row_motions_;
  std::vector<double> known_, known_extra_, row_values_, linear_;
};

}  // namespace gelenk::analysis
