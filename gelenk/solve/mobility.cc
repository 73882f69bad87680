#include "gelenk/solve/mobility.h"

#include "gelenk/base/index.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {

std::vector<double> mobility(MotionSolver& solver, std::size_t body_count, std::span<const PointOnBody> points) {
  const std::size_t size = 6 * points.size();
  std::vector<double> D(size * size);
  std::vector<double> f(6 * body_count, 0.0);
  std::vector<double> a(f.size());
  const std::vector<double> u(solver.row_count(), 0.0);
  for (std::size_t column = 0; column < size; ++column) {
    const PointOnBody& pushed = points[column / 6];
    double wrench[6] = {};
    wrench[column % 6] = 1.0;
    double* const load = &f[6 * at(pushed.body)];
    add_shifted_wrench(pushed.arm.data(), wrench, load);
    solver.solve(f, u, a, {});
    for (std::size_t i = 0; i < 6; ++i) load[i] = 0.0;
    for (std::size_t p = 0; p < points.size(); ++p) {
      double motion[6];
      shift_motion(points[p].arm.data(), &a[6 * at(points[p].body)], motion);
      for (std::size_t i = 0; i < 6; ++i) D[(6 * p + i) * size + column] = motion[i];
    }
  }
  return D;
}

SweepReport apply_impulse(MotionSolver& solver, std::span<const double> P, std::span<double> v,
                          std::span<double> lambda) {
  // The rows hold before and after: their rates do not change.
  const std::vector<double> u(solver.row_count(), 0.0);
  std::vector<double> change(v.size());
  const SweepReport report = solver.solve(P, u, change, lambda);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += change[i];
  return report;
}

}  // namespace gelenk::solve
