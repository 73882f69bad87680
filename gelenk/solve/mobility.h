#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/solve/motion_solver.h"

namespace gelenk::solve {

// A point that moves with a body: world axes, from the center of mass.
struct PointOnBody {
  std::int32_t body = 0;
  std::array<double, 3> arm{};
};

// How points of a machine answer wrenches at points, D of docs/theory/components.md: accelerations (linear first) of
// point p for unit forces and moments at point q, six rows and six columns for each, row by row. By the factorization
// at hand, six solves for each point; the machine is otherwise at rest and without loads. Allocates.
std::vector<double> mobility(MotionSolver& solver, std::size_t body_count, std::span<const PointOnBody> points);

// Velocities after a blow: momenta P on the bodies (six each), and joints that stay as they are. v: before, then after.
// The rows answer with impulses λ, none wanted: empty.
SweepReport apply_impulse(MotionSolver& solver, std::span<const double> P, std::span<double> v,
                          std::span<double> lambda);

}  // namespace gelenk::solve
