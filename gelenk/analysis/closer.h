#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/held_coordinates.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/solve/motion_solver.h"

namespace gelenk::analysis {

// Brings a state onto the joints, with some coordinates held, by steps that are as small as can be in the mass metric
// (component method, ALGORITHM 5). Steps are taken by the component solver; where these do not close the joints to
// rounding, as when redundant joints contradict each other, by the flat one.
class Closer {
 public:
  Closer(const system::System& system, const system::Params& params, std::vector<HeldCoordinate> held);

  // Where the held coordinates are on their way: 0 at `from`, 1 at `value`.
  void set_fraction(double fraction);
  // Takes the coordinates of a state as those to start from.
  void lead_from(const system::State& state);

  struct Result {
    bool is_closed = false;
    ClosedBy closed_by = ClosedBy::drawing;
    double rank_tolerance = 1e-6;
    double residual = 0.0;
  };
  // Tries rank tolerances from the finest up. The state must not move by more than `limit` (lengths of the machine,
  // rad).
  Result close(system::State& state, double limit);
  // For a state that is far from closed: gaps are narrowed in small increments.
  Result close_gradually(system::State& state, double limit);

  // Held coordinates have their values, and no axis points the wrong way: rows alone cannot distinguish θ from θ + π.
  bool is_proper(const system::State& state);
  // Largest residual of each joint's rows (lengths of the machine, rad), and of each held coordinate.
  std::vector<double> joint_gaps(const system::State& state);
  // How far a joint is open: m and rad.
  struct Gap {
    double distance = 0.0, angle = 0.0;
  };
  Gap gap(const system::State& state, std::size_t joint);
  // The coupling that is furthest from its constant, and by how much (m or rad); -1: none is off.
  struct CouplingGap {
    std::int32_t coupling = -1;
    double open = 0.0;
    bool is_length = false;
  };
  CouplingGap worst_coupling(const system::State& state);
  const std::vector<HeldCoordinate>& held() const { return held_; }

  // What rows carry when the held coordinates are pushed on at the pace of their ways, in a state on the joints. Near a
  // dead center these loads grow without bound, so only what they are relative to each other means something.
  struct RowLoad {
    std::int32_t joint = -1;
    Vector3 force, moment;  // on the body of frame B, world axes; a row has one of them
  };
  struct Push {
    std::vector<RowLoad> joints;
    std::vector<double> efforts;  // of the held coordinates
  };
  Push push(const system::State& state);

 private:
  bool newton(system::State& state, double tau, double limit, ClosedBy solver);
  void step(const system::State& state, double tau, ClosedBy solver, solve::PivotSet& pivots);  // -> motion_
  bool is_closed(double residual) const;
  void load(const system::State& state);
  bool is_length(std::size_t row) const;
  double row_size(std::size_t row) const;
  double largest_residual(std::size_t first, std::size_t last) const;

  std::vector<HeldCoordinate> held_;
  HeldSystem target_;
  mechanics::Workspace workspace_;
  // Made when first needed: what is drawn closed needs none.
  std::unique_ptr<solve::MotionSolver> components_, flat_;
  std::vector<double> values_;  // g of the rows less what may still be open
  std::vector<double> shift_;   // what may still be open
  std::vector<double> right_side_, motion_, zeros_, multipliers_;
};

}  // namespace gelenk::analysis
