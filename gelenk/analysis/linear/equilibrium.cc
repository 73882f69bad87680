#include "gelenk/analysis/linear/equilibrium.h"

#include <algorithm>
#include <cmath>

#include "gelenk/analysis/linear/modes.h"
#include "gelenk/analysis/linear/small_motions.h"
#include "gelenk/base/index.h"
#include "gelenk/math/dense_analysis.h"

namespace gelenk::analysis {
namespace {

constexpr int kMostSteps = 400;
// Lengths of the machine, rad.
constexpr double kRest = 1e-11;      // a step of Newton's method below this is rounding
constexpr double kRadius = 0.1;      // of the first step
constexpr double kMostRadius = 0.5;  // and of the largest
constexpr double kKick = 1e-2;       // off an unstable equilibrium
constexpr double kRunaway = 100.0;
constexpr double kDriven = 1e-9;        // speeds, 1/s
constexpr double kDrivenFaster = 1e-7;  // accelerations, 1/s²: more than rounding of what weights do
constexpr double kBalanced = 1e-9;      // accelerations, 1/s², and rates of states by their scale, 1/s
// Of the stiffest direction: less is none.
constexpr double kNoStiffness = 1e-11;
constexpr double kNoForce = 1e-7;          // of all forces
constexpr double kLeastStiffness = 1e-12;  // 1/s²
constexpr int kMostKicks = 3;

struct Step {
  Vector y, s;
  double size = 0.0;
  // Of Newton's method: accelerations and rates that no displacement takes away, as of a part that falls.
  Vector left_f, left_r;
};

class Search {
 public:
  Search(const system::System& system, const system::Params& params, const system::State& from, double rank_tolerance)
      : system_(system), params_(params), from_(from), solver_(system, params, rank_tolerance) {
    result_.state = from;
  }

  Equilibrium run() {
    if (!stop()) return give_up();
    if (result_.is_driven) return std::move(result_);
    double radius = kRadius;
    SmallMotions here = solver_.linearize(result_.state);
    if (here.N_v.cols() + here.A_s.cols() == 0) return finish(here);  // drivers and joints hold everything
    int kicks = 0;
    for (; result_.steps < kMostSteps; ++result_.steps) {
      const Step newton = solve(here, 0.0);
      const bool is_balanced = can_be_balanced(here, newton);
      if (newton.size < kRest && is_balanced) {
        if (kicks >= kMostKicks || !is_unstable(here)) return finish(here);
        ++kicks;
        result_.left_unstable = true;
        if (!kick(here)) return give_up();
        here = solver_.linearize(result_.state);
        continue;
      }
      const Step step = trusted(here, newton, radius, is_balanced);
      const double work_before = step.y.dot(here.f);
      system::State next = result_.state;
      const Vector d = here.N_v * step.y;
      if (!move(next, step, here)) {
        radius = 0.25 * step.size;
        if (radius < kRest) return give_up();
        continue;
      }
      SmallMotions there = solver_.linearize(next);
      // What the forces there do along the same way: against it, the step went past the valley.
      const double work_after = (there.N_v.transpose() * solver_.momentum(d)).dot(there.f);
      if (work_after < -0.5 * std::abs(work_before) && step.size > 1e3 * kRest) {
        radius = 0.25 * step.size;
        continue;
      }
      if (work_after >= 0.0) radius = std::min(2.0 * radius, kMostRadius);
      result_.state = std::move(next);
      here = std::move(there);
      if (went_away()) return give_up();
    }
    return give_up();
  }

  Equilibrium hold() {
    result_.is_found = stop() && !result_.is_driven;
    return std::move(result_);
  }

 private:
  // All velocities become zero. Drivers may move there, or be about to.
  bool stop() {
    const std::vector<double> nothing(6 * system_.bodies.size(), 0.0);
    if (!solver_.move(result_.state, nothing)) return false;
    result_.is_driven = solver_.driven_speed() > kDriven;
    if (result_.is_driven || system_.drivers.empty()) return true;
    solver_.linearize(result_.state);
    result_.is_driven = solver_.driven_acceleration() > kDrivenFaster;
    return true;
  }

  // (K + σ) y - E s = f,   (√σ - A_s) s - B_q y = r: Newton's method, or with σ a long step of a motion that is slowed
  // down. In neutral directions the shortest solution.
  Step solve(const SmallMotions& m, double shift) const {
    const Eigen::Index f = m.N_v.cols(), n = f + m.A_s.cols();
    Matrix J(n, n);
    Vector sizes = Vector::Ones(n);
    J.topLeftCorner(f, f) = m.K.leftCols(f) + shift * Matrix::Identity(f, f);
    J.topRightCorner(f, n - f) = -m.E;
    J.bottomLeftCorner(n - f, f) = -m.B_q.leftCols(f);
    J.bottomRightCorner(n - f, n - f) = std::sqrt(shift) * Matrix::Identity(n - f, n - f) - m.A_s;
    Vector right(n);
    right << m.f, m.r;
    // Rows of states have units of their own.
    for (Eigen::Index i = 0; i < n; ++i) {
      const double size = J.row(i).cwiseAbs().maxCoeff();
      if (!(size > 0.0) || i < f) continue;
      J.row(i) /= size;
      right[i] /= size;
      sizes[i] = size;
    }
    // Stiffnesses that are nothing but rounding of the loads must not hold anything.
    const double largest = J.size() > 0 ? J.cwiseAbs().maxCoeff() : 0.0;
    const double rounding = kLeastStiffness + kNoStiffness * (m.N_v * m.f).cwiseAbs().sum();
    const Vector x = largest > rounding ? shortest_solution(J, right, std::max(kNoStiffness, rounding / largest))
                                        : Vector(Vector::Zero(n));
    const Vector left = (right - J * x).cwiseProduct(sizes);
    Step step{x.head(f), x.tail(n - f), 0.0, left.head(f), left.tail(n - f)};
    keep_neutral(m, step.y);
    step.size = size_of(m, step);
    return step;
  }

  // In directions in which the machine rests anywhere it stays where it is: forces there are rounding. Not beside rows
  // of velocities, which Q does not know.
  static void keep_neutral(const SmallMotions& m, Vector& y) {
    if (m.N_q.cols() != m.N_v.cols()) return;
    const Matrix Q = state_matrix(m).Q;
    const Vector forces = m.f - Q * (Q.transpose() * m.f);
    if (forces.norm() <= kNoForce * m.f.norm()) y = Q * (Q.transpose() * y);
  }

  // Of a state of the motion, in State::extra.
  std::size_t place_of(Eigen::Index i) const {
    return at(system_.states[at(solver_.states()[static_cast<std::size_t>(i)])].place);
  }

  double size_of(const SmallMotions& m, const Step& step) const {
    const Vector d = m.N_v * step.y;
    double size = 0.0;
    for (Eigen::Index i = 0; i < d.size(); i += 3) {
      size = std::max(size, d.segment<3>(i).norm() / (i % 6 == 0 ? params_.length : 1.0));
    }
    for (Eigen::Index i = 0; i < step.s.size(); ++i) {
      const std::size_t place = place_of(i);
      const double scale = std::max(std::abs(result_.state.extra[place]), params_.extra_scales[place]);
      size = std::max(size, 1e-3 * std::abs(step.s[i]) / scale);
    }
    return std::isfinite(size) ? size : kRunaway;
  }

  // Whether Newton's method leaves nothing, up to rounding.
  bool can_be_balanced(const SmallMotions& m, const Step& newton) {
    const double stiffest = m.K.size() > 0 ? m.K.cwiseAbs().maxCoeff() : 0.0;
    const Vector a = m.N_v * newton.left_f;
    double largest = kBalanced + kNoStiffness * stiffest;
    result_.restless_state = result_.runaway = -1;
    for (Eigen::Index i = 0; i < a.size(); i += 3) {
      const Vector3 of_body = a.segment<3>(i);
      const double size = of_body.norm() / (i % 6 == 0 ? params_.length : 1.0);
      if (size <= largest) continue;
      largest = size;
      result_.runaway = static_cast<std::int32_t>(i / 6);
      result_.is_turning = i % 6 != 0;
      result_.direction = of_body.normalized();
    }
    if (result_.runaway >= 0) return false;
    for (Eigen::Index i = 0; i < newton.left_r.size(); ++i) {
      const std::size_t place = place_of(i);
      const double scale = std::max(std::abs(result_.state.extra[place]), params_.extra_scales[place]);
      if (std::abs(newton.left_r[i]) <= kBalanced * scale) continue;
      result_.restless_state = solver_.states()[static_cast<std::size_t>(i)];
      return false;
    }
    return true;
  }

  // Downhill, and no longer than the radius.
  Step trusted(const SmallMotions& m, const Step& newton, double radius, bool is_balanced) const {
    const Eigen::Index f = m.N_v.cols();
    const Vector values = symmetric_eigensystem(m.K.leftCols(f)).values;
    const double most = f > 0 ? values.cwiseAbs().maxCoeff() : 0.0;
    const double least = f > 0 ? values.minCoeff() : 0.0;
    double shift = least < -kNoStiffness * most ? -1.5 * least : 0.0;
    // What nothing holds moves by a radius.
    if (!is_balanced) {
      const Step restless{newton.left_f, Vector::Zero(m.A_s.cols()), 0.0, {}, {}};
      shift = std::max(shift, size_of(m, restless) / radius);
    }
    Step step = shift > 0.0 ? solve(m, shift) : newton;
    const double smallest = 1e-6 * std::max(most, m.f.norm());
    while (step.size > radius) {
      shift = std::max(4.0 * shift, smallest > 0.0 ? smallest : 1.0);
      step = solve(m, shift);
      if (!(shift < 1e30)) break;
    }
    return step;
  }

  bool move(system::State& state, const Step& step, const SmallMotions& m) {
    const Vector d = m.N_v * step.y;
    for (Eigen::Index i = 0; i < step.s.size(); ++i) state.extra[place_of(i)] += step.s[i];
    return solver_.move(state, {d.data(), static_cast<std::size_t>(d.size())});
  }

  bool is_unstable(const SmallMotions& m) const { return fastest_growth(m) > 0.0; }

  // Along what falls fastest.
  bool kick(const SmallMotions& m) {
    const Eigen::Index f = m.N_v.cols();
    Step step{symmetric_eigensystem(m.K.leftCols(f)).vectors.col(0), Vector::Zero(m.A_s.cols()), 0.0, {}, {}};
    step.y *= kKick / size_of(m, step);
    return move(result_.state, step, m);
  }

  Vector3 way(std::size_t body) const {
    Vector3 d = result_.state.position[body] - from_.position[body];
    if (!from_.origin.empty()) d += result_.state.origin[body] - from_.origin[body];
    return d;
  }

  bool went_away() const {
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      if (!(way(b).norm() < kRunaway * params_.length)) return true;
    }
    return false;
  }

  Equilibrium finish(const SmallMotions& m) {
    result_.is_found = true;
    result_.is_stable = !is_unstable(m);
    result_.neutral_motions = state_matrix(m).neutral;
    return std::move(result_);
  }

  Equilibrium give_up() {
    if (result_.runaway >= 0 || result_.restless_state >= 0) return std::move(result_);
    double farthest = 0.0;
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      const Vector3 d = way(b);
      if (d.norm() <= farthest) continue;
      farthest = d.norm();
      result_.runaway = static_cast<std::int32_t>(b);
      result_.direction = d.normalized();
    }
    return std::move(result_);
  }

  const system::System& system_;
  const system::Params& params_;
  const system::State& from_;
  SmallMotionSolver solver_;
  Equilibrium result_;
};

}  // namespace

Equilibrium find_equilibrium(const system::System& system, const system::Params& params, const system::State& from,
                             double rank_tolerance) {
  return Search(system, params, from, rank_tolerance).run();
}

Equilibrium hold_still(const system::System& system, const system::Params& params, const system::State& from,
                       double rank_tolerance) {
  return Search(system, params, from, rank_tolerance).hold();
}

}  // namespace gelenk::analysis
