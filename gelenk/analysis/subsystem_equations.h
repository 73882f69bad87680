#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/analysis/shaft_border.h"
#include "gelenk/analysis/subsystem_shafts.h"
#include "gelenk/integrate/problem.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/solve/implicit_node.h"
#include "gelenk/solve/node_functions.h"
#include "gelenk/solve/rank_rule.h"
#include "gelenk/subsystem/subsystem.h"

namespace gelenk::analysis {

// Numbers of a port in subsystem::Newton::put_right_side(): three motions.
inline constexpr std::size_t kNewtonMotions = 18;

// The subsystems of a machine as its equations see them: what equations do with bodies of their own, they ask these to
// do with theirs, on the same slot. Ports and signals are wired to those of the workspace. Without any, nothing is
// done.
class SubsystemEquations {
 public:
  SubsystemEquations(const system::System& system, const mechanics::Ports& ports,
                     std::span<subsystem::Subsystem* const> all);
  SubsystemEquations(const SubsystemEquations&) = delete;  // solvers keep the address of its shafts
  SubsystemEquations& operator=(const SubsystemEquations&) = delete;

  // For planning: of the frames.
  static std::vector<subsystem::Drawing> drawn(std::span<subsystem::Subsystem* const> all);
  void load_drawn();

  void set_slot(int slot) {
    for (const std::unique_ptr<Connection>& one : connections_) one->slot = slot;
  }

  // What all of them will be asked for next, in this order, so that those in processes of their own can work at the
  // same time and are asked as seldom as can be. rule: of the factorization.
  using Step = subsystem::Ahead::Step;
  void begin(std::span<const Step> steps, const solve::RankRule& rule) {
    if (works_ahead_) begin_all(steps, rule);
  }
  // The accelerations that are found next will become this rate; -1: nobody knows.
  void expect_rate(int rate) {
    for (const std::unique_ptr<Connection>& one : connections_) one->expected_rate = rate;
  }

  // Positions, velocities, laws, rows, forces (subsystem::Part); the motions of ports come into the workspace.
  void load(unsigned parts, mechanics::Workspace& workspace) {
    if (!connections_.empty()) load_all(parts, workspace);
  }
  // Where the ports are and how they move, and nothing else.
  void look(mechanics::Workspace& workspace) { load(0, workspace); }
  // What they hear of the machine, from its motion in the workspace and from what they say. `parts`: of the load that
  // it goes with; forces are computed after it.
  void give_inputs(const mechanics::Context& context, unsigned parts, mechanics::Workspace& workspace) {
    if (has_inputs_) give_all_inputs(context, parts, workspace);
  }
  // The largest residuals of all.
  subsystem::Gap put_right_side(subsystem::RightSide kind);
  // What was found moves the slot.
  void take(subsystem::RightSide kind);
  // It becomes a rate.
  void take_accelerations(int rate);
  // The slot is on its constraints.
  void settle();

  // Of each; they stay where they are. What sees them sees frames alone: loads on shafts are loads inside.
  std::span<const solve::NodeFunctions> functions() const { return functions_; }

  SubsystemShafts& shafts() { return shafts_; }

  // Whether something was not solvable; asking for it clears it.
  bool take_failure();

  // Implicit methods (subsystem_equations_implicit.cc). Loads and motions by port of the workspace.
  std::span<const solve::ImplicitFunctions> implicit_functions() const { return implicit_functions_; }
  // What their matrices are made for; loads: six for each port, and one for each shaft, in all.
  void set_newton(subsystem::Newton::At at, double velocity_gain, double position_gain, std::span<const double> loads,
                  std::span<const double> on_shafts);
  // Three motions of each port; those of other ports are left as they are.
  void put_newton_right_side(int rate, std::span<double> motions);
  void take_newton(int rate, int to);
  void begin_stage(const integrate::Stage& stage);
  void place_stage();
  // Sends the loads on ports of theirs, six each, and takes them away from where they are; and those on shafts. Returns
  // by how much states of first order change.
  double send_stage_loads(std::span<double> loads, std::span<const double> on_shafts);
  double take_stage();
  void end_stage();

 private:
  struct Connection {
    subsystem::Subsystem* subsystem = nullptr;
    int slot = subsystem::kDrawn;
    int expected_rate = -1;
    std::vector<std::size_t> ports;    // of the workspace, in its own order
    std::vector<std::int32_t> shafts;  // of the machine, likewise; -1: nothing is coupled to it
    ShaftBorder border, newton_border;
    std::vector<double> shown;  // subsystem::Shape::shown()
    subsystem::Newton::Point point;
    std::vector<double> newton_loads, newton_motions;
    std::vector<double> stage_loads;
    std::size_t first_signal = 0;  // of the workspace
    std::vector<double> inputs;
    bool has_failed = false;

    // Calls visit(place here, number in the machine) for shafts that are coupled.
    template <class Visit>
    void visit_shafts(Visit&& visit) const {
      for (std::size_t i = 0; i < shafts.size(); ++i) {
        if (shafts[i] >= 0) visit(i, static_cast<std::size_t>(shafts[i]));
      }
    }
    void append_shaft_loads(std::span<const double> of_machine, std::vector<double>& to) const {
      to.resize(to.size() + shafts.size(), 0.0);
      visit_shafts([&](std::size_t i, std::size_t shaft) { to[to.size() - shafts.size() + i] = of_machine[shaft]; });
    }
    // Keeps a failure in mind.
    bool note(bool is_solved) {
      if (!is_solved) has_failed = true;
      return is_solved;
    }
  };
  void connect_shafts(const system::System& system);
  void begin_all(std::span<const Step> steps, const solve::RankRule& rule);
  void load_all(unsigned parts, mechanics::Workspace& workspace);
  void give_all_inputs(const mechanics::Context& context, unsigned parts, mechanics::Workspace& workspace);
  static solve::NodeFunctions functions_of(Connection& connection);
  static solve::ImplicitFunctions implicit_functions_of(Connection& connection);
  void begin_stage_step(subsystem::Ahead::StageStep step);

  std::vector<std::unique_ptr<Connection>> connections_;
  SubsystemShafts shafts_{*this};
  std::vector<solve::NodeFunctions> functions_;
  std::vector<solve::ImplicitFunctions> implicit_functions_;
  std::vector<Step> steps_;  // of those that hear something
  bool has_inputs_ = false;
  bool works_ahead_ = false;
};

}  // namespace gelenk::analysis
