#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/analysis/partition.h"
#include "gelenk/component/carrier.h"
#include "gelenk/integrate/problem.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/solve/implicit_node.h"
#include "gelenk/solve/node_functions.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::analysis {

// Numbers of a port in GELENK_NEWTON_RIGHT_SIDE: three motions.
inline constexpr std::size_t kNewtonMotions = 18;

// The sealed components of a machine as its equations see them: what equations do with bodies of their own, they ask
// these to do with theirs, on the same slot. Without any, nothing is done.
class SealedEnds {
 public:
  SealedEnds(const system::System& system, const mechanics::Ports& ports,
             std::span<component::Carrier* const> carriers);

  // For planning.
  static std::vector<SealedMobility> drawn(std::span<component::Carrier* const> carriers);
  void load_drawn();

  bool is_empty() const { return ends_.empty(); }
  void set_slot(int slot) {
    for (const std::unique_ptr<End>& end : ends_) end->slot = slot;
  }

  // What all of them will be asked for next, in this order, so that those in processes of their own can work at the
  // same time and are asked as seldom as can be. rule: of GELENK_FACTOR.
  struct Next {
    gelenk_code code;
    unsigned flags = 0;
  };
  void begin(std::span<const Next> next, const solve::RankRule& rule) {
    if (works_ahead_) begin_all(next, rule);
  }
  // The accelerations that are found next will become this rate; -1: nobody knows.
  void expect_rate(int rate) {
    for (const std::unique_ptr<End>& end : ends_) end->expected_rate = rate;
  }

  // Positions, velocities, laws, rows, forces (gelenk_part); the motions of ports come into the workspace.
  void load(unsigned parts, mechanics::Workspace& workspace) {
    if (!ends_.empty()) load_all(parts, workspace);
  }
  // Where the ports are and how they move, and nothing else.
  void look(mechanics::Workspace& workspace) {
    if (!ends_.empty()) load_all(0, workspace);
  }
  // What the machine gives them, from its motion in the workspace and from what they tell. `parts`: of the load that it
  // goes with; forces are computed after it.
  void give_inputs(const mechanics::Context& context, unsigned parts, mechanics::Workspace& workspace) {
    if (has_inputs_) give_all_inputs(context, parts, workspace);
  }
  void put_right_side(gelenk_right_side kind) {
    if (!ends_.empty()) put_all_right_sides(kind);
  }
  // Largest residual of an enforced row, and of another one, of the last right side.
  double gap() const { return gap_; }
  double dropped_gap() const { return dropped_gap_; }
  // What was found moves the slot.
  void take(gelenk_right_side kind);
  // It becomes a rate.
  void take_accelerations(int rate);
  // The slot is on its constraints.
  void settle();

  // Of each component; they stay where they are.
  std::span<const solve::NodeFunctions> functions() const { return functions_; }

  // Something was not solvable since this was last asked.
  bool has_failed();

  // Implicit methods (sealed_ends_implicit.cc). Loads and motions by port of the workspace.
  std::span<const solve::ImplicitFunctions> implicit_functions() const { return implicit_functions_; }
  // What their matrices are made for; loads: six for each port, in all.
  void set_newton(gelenk_newton kind, double velocity_gain, double position_gain, std::span<const double> loads);
  // Three motions of each port, as GELENK_NEWTON_RIGHT_SIDE tells them; those of other ports are left as they are.
  void put_newton_right_side(int rate, std::span<double> motions);
  void take_newton(int rate, int to);
  void begin_stage(const integrate::Stage& stage);
  void place_stage();
  // Sends the loads on ports of theirs, six each, and takes them away from where they are. Returns by how much states
  // of first order change.
  double send_stage_loads(std::span<double> loads);
  double take_stage();
  void end_stage();

 private:
  struct End {
    component::Carrier* carrier = nullptr;
    int slot = -1;
    int expected_rate = -1;
    std::vector<gelenk_command> next;
    std::vector<std::size_t> ports;  // of the workspace, in the order of the mounts
    std::vector<double> answer;
    gelenk_newton newton_kind = GELENK_AT_STATE;
    std::vector<double> newton;    // gains and loads
    std::vector<double> loads;     // of a stage
    std::size_t first_signal = 0;  // of the workspace
    std::vector<double> inputs;
    bool has_failed = false;

    bool perform(gelenk_code code, unsigned flags, int other, std::span<const double> in, std::span<double> out);
    void tell(gelenk_code code, unsigned flags = 0);
    // The same will be performed once the others have begun, too.
    void begin(gelenk_code code, int other, std::span<const double> in, std::span<double> out);
  };
  void begin_all(std::span<const Next> next, const solve::RankRule& rule);
  void load_all(unsigned parts, mechanics::Workspace& workspace);
  void give_all_inputs(const mechanics::Context& context, unsigned parts, mechanics::Workspace& workspace);
  void put_all_right_sides(gelenk_right_side kind);
  static solve::NodeFunctions functions_of(End& end);
  static solve::ImplicitFunctions implicit_functions_of(End& end);
  double perform_all(gelenk_code code);  // the largest answer, of those that have one

  std::vector<std::unique_ptr<End>> ends_;
  std::vector<solve::NodeFunctions> functions_;
  std::vector<solve::ImplicitFunctions> implicit_functions_;
  bool has_inputs_ = false;
  bool works_ahead_ = false;
  double gap_ = 0.0, dropped_gap_ = 0.0;
};

}  // namespace gelenk::analysis
