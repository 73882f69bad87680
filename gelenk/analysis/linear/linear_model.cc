#include "gelenk/analysis/linear/linear_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gelenk/analysis/machine/problem.h"
#include "gelenk/base/index.h"
#include "gelenk/math/dense_analysis.h"
#include "gelenk/mechanics/couplings.h"
#include "gelenk/mechanics/quantities.h"

namespace gelenk::analysis {
namespace {

constexpr int kOutputs = integrate::Integrator::kOutputState;
// Steps of differences: lengths of the machine and rad, and per second; of an input and of a state by its scale.
constexpr double kDisplacement = 1e-5;
constexpr double kOfScale = 1e-4;
// Of a row that is chosen: what others leave of it, of the largest.
constexpr double kIndependent = 1e-6;

// Outputs of a machine in a state.
class Outputs {
 public:
  Outputs(const system::System& system, const system::Params& params, double rank_tolerance)
      : system_(system),
        params_(params),
        problem_(system, params, 1.0, {.rank_tolerance = rank_tolerance}),
        reactions_(system),
        body_accelerations_(6 * system.bodies.size()),
        multipliers_(system.row_count()),
        parts_(6 * system.parts.size()),
        joints_(6 * system.joints.size()),
        drivers_(2 * system.drivers.size()),
        couplings_(system.couplings.size()) {}

  Vector at(const system::State& state) {
    ++evaluations;
    Vector result(static_cast<Eigen::Index>(system_.outputs.size()));
    problem_.set_state(kOutputs, state);
    if (!problem_.dynamics().accelerations(kOutputs, body_accelerations_, multipliers_)) {
      return Vector::Constant(result.size(), std::nan(""));
    }
    Equations& equations = problem_.dynamics().equations_of(kOutputs);
    equations.solver().share(multipliers_);
    equations.load_rows(problem_.state(kOutputs));
    mechanics::Workspace& workspace = equations.workspace();
    const mechanics::Context context{system_, params_, problem_.state(kOutputs)};
    mechanics::part_accelerations(context, workspace, body_accelerations_, parts_);
    reactions_.evaluate(context, workspace, body_accelerations_, multipliers_, joints_);
    mechanics::driver_efforts(context, workspace, multipliers_, drivers_);
    mechanics::coupling_efforts(system_, params_, multipliers_, couplings_);
    mechanics::View<double> now = mechanics::view(context, workspace);
    now.set_results({parts_, joints_, drivers_, workspace.codes, couplings_});
    for (std::size_t o = 0; o < system_.outputs.size(); ++o) {
      result[static_cast<Eigen::Index>(o)] = now.signal(system_.outputs[o].value);
    }
    return result;
  }
  int evaluations = 0;

 private:
  const system::System& system_;
  const system::Params& params_;
  MachineProblem problem_;
  mechanics::Reactions reactions_;
  std::vector<double> body_accelerations_, multipliers_, parts_, joints_, drivers_, couplings_;
};

// Numbers that people know, for columns that are motions of the bodies.
struct Names {
  std::vector<std::string> positions, rates;
  Matrix rows;              // values by bodies: number of names × 6 bodies
  Eigen::Index joints = 0;  // the first are those of joints
};

class Linearization {
 public:
  Linearization(const system::System& system, const system::Params& params, const system::State& state, double tau)
      : system_(system), params_(params), state_(state), tau_(tau), solver_(system, params_, tau) {}

  LinearModel run(const std::vector<std::string>& input_names) {
    const SmallMotions m = solver_.linearize(state_);
    q_ = m.N_q.cols();
    v_ = m.N_v.cols();
    s_ = m.A_s.cols();
    LinearModel result;
    result.evaluations = 1;
    result.inputs = input_names;
    for (const system::Output& output : system_.outputs) result.outputs.push_back(output.path);
    put_matrix(m, result);
    put_inputs(result);
    put_outputs(m, result);
    name_states(m, result);
    return result;
  }

 private:
  Eigen::Index size() const { return q_ + v_ + s_; }

  void put_matrix(const SmallMotions& m, LinearModel& result) const {
    result.A.setZero(size(), size());
    result.A.block(0, q_, v_, v_).setIdentity();  // the first columns of N_q are those of N_v
    result.A.block(q_, 0, v_, q_) = -m.K;
    result.A.block(q_, q_, v_, v_) = -m.C;
    result.A.block(q_, q_ + v_, v_, s_) = m.E;
    result.A.block(q_ + v_, 0, s_, q_) = m.B_q;
    result.A.block(q_ + v_, q_, s_, v_) = m.B_v;
    result.A.block(q_ + v_, q_ + v_, s_, s_) = m.A_s;
  }

  // Central differences of something that follows from the inputs.
  Matrix by_inputs(const std::function<Vector()>& value, Eigen::Index rows) {
    Matrix result(rows, static_cast<Eigen::Index>(params_.inputs.size()));
    for (std::size_t i = 0; i < params_.inputs.size(); ++i) {
      const double there = params_.inputs[i];
      const double step = kOfScale * std::max(1.0, std::abs(there));
      params_.inputs[i] = there + step;
      const Vector after = value();
      params_.inputs[i] = there - step;
      const Vector before = value();
      params_.inputs[i] = there;
      result.col(static_cast<Eigen::Index>(i)) = (after - before) / (2.0 * step);
    }
    return result;
  }

  void put_inputs(LinearModel& result) {
    result.B.setZero(size(), static_cast<Eigen::Index>(params_.inputs.size()));
    if (params_.inputs.empty()) return;
    result.B.bottomRows(v_ + s_) = by_inputs(
        [&] {
          const SmallMotions there = solver_.linearize(state_);
          ++result.evaluations;
          Vector both(v_ + s_);
          both << there.f, there.r;
          return both;
        },
        v_ + s_);
  }

  double largest(const Vector& motion) const {
    double size = 0.0;
    for (Eigen::Index i = 0; i < motion.size(); ++i) {
      size = std::max(size, std::abs(motion[i]) / (i % 6 < 3 ? params_.length : 1.0));
    }
    return size;
  }

  // The state in the direction of one number of x.
  system::State moved(const SmallMotions& m, Eigen::Index which, double way) {
    system::State state = state_;
    if (which < q_) {
      const Vector d = way * m.N_q.col(which);
      solver_.move(state, {d.data(), static_cast<std::size_t>(d.size())});
    } else if (which < q_ + v_) {
      const Vector v = way * m.N_v.col(which - q_);
      for (std::size_t i = 0; i < state.velocity.size(); ++i) state.velocity[i] = v[static_cast<Eigen::Index>(i)];
    } else {
      state.extra[place_of(which - q_ - v_)] += way;
    }
    return state;
  }
  std::size_t place_of(Eigen::Index state) const {
    return at(system_.states[at(solver_.states()[static_cast<std::size_t>(state)])].place);
  }

  void put_outputs(const SmallMotions& m, LinearModel& result) {
    const auto rows = static_cast<Eigen::Index>(system_.outputs.size());
    result.C.setZero(rows, size());
    result.D.setZero(rows, static_cast<Eigen::Index>(params_.inputs.size()));
    if (rows == 0) return;
    Outputs outputs(system_, params_, tau_);
    result.start = outputs.at(state_);
    for (Eigen::Index j = 0; j < size(); ++j) {
      double step = kOfScale;
      if (j < q_) step = kDisplacement / largest(m.N_q.col(j));
      if (j >= q_ && j < q_ + v_) step = kDisplacement / largest(m.N_v.col(j - q_));
      if (j >= q_ + v_) step *= params_.extra_scales[place_of(j - q_ - v_)];
      result.C.col(j) = (outputs.at(moved(m, j, step)) - outputs.at(moved(m, j, -step))) / (2.0 * step);
    }
    if (!params_.inputs.empty()) result.D = by_inputs([&] { return outputs.at(state_); }, rows);
    result.evaluations += outputs.evaluations;
  }

  // What each joint coordinate and each body does with a unit of each number of its velocity.
  Names names() const {
    Names names;
    const auto width = static_cast<Eigen::Index>(6 * system_.bodies.size());
    std::vector<std::int32_t> scalars;
    for (std::size_t i = 0; i < system_.coordinates.size(); ++i) {
      const system::Coordinate& c = system_.coordinates[i];
      if (c.type->motion == model::Coordinate::Motion::orientation) continue;
      const std::string& joint = system_.joints[at(c.joint)].path;
      scalars.push_back(static_cast<std::int32_t>(i));
      names.positions.push_back(fmt::format("{}.{}", joint, c.type->name));
      names.rates.push_back(fmt::format("{}.{}", joint, c.type->rate));
    }
    names.joints = static_cast<Eigen::Index>(scalars.size());
    names.rows.setZero(names.joints + width, width);
    system::State state = state_;
    mechanics::Workspace workspace(system_);
    for (Eigen::Index j = 0; j < width; ++j) {
      std::fill(state.velocity.begin(), state.velocity.end(), 0.0);
      state.velocity[static_cast<std::size_t>(j)] = 1.0;
      mechanics::update_positions({system_, params_, state}, workspace);
      mechanics::update_velocities({system_, params_, state}, workspace);
      const mechanics::View<double> now = mechanics::view({system_, params_, state}, workspace);
      for (std::size_t k = 0; k < scalars.size(); ++k)
        names.rows(static_cast<Eigen::Index>(k), j) = now.rate(scalars[k]);
    }
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      const auto first = static_cast<Eigen::Index>(6 * b);
      const system::Part& part = system_.lead_part(b);
      const Vector3 arm = workspace.bodies[b].R * params_.parts[at(system_.bodies[b].parts.front())].X_BP.position;
      for (Eigen::Index k = 0; k < 3; ++k) {
        names.rows(names.joints + first + k, first + k) = 1.0;
        // Of its origin: v + ω × arm.
        for (Eigen::Index w = 0; w < 3; ++w) {
          names.rows(names.joints + first + k, first + 3 + w) = Vector3::Unit(w).cross(arm)[k];
        }
        names.rows(names.joints + first + 3 + k, first + 3 + k) = 1.0;
      }
      for (const char axis : {'x', 'y', 'z'}) {
        names.positions.push_back(fmt::format("{}.position.{}", part.path, axis));
        names.rates.push_back(fmt::format("{}.velocity.{}", part.path, axis));
      }
      for (const char axis : {'x', 'y', 'z'}) {
        names.positions.push_back(fmt::format("{}.turn.{}", part.path, axis));
        names.rates.push_back(fmt::format("{}.angular_velocity.{}", part.path, axis));
      }
    }
    return names;
  }

  // As many rows of J as it has columns, far from each other: joints first.
  static std::vector<Eigen::Index> independent(Matrix J, Eigen::Index preferred) {
    std::vector<Eigen::Index> chosen;
    const double largest = J.rows() > 0 ? J.rowwise().norm().maxCoeff() : 0.0;
    for (const Eigen::Index end : {preferred, J.rows()}) {
      while (static_cast<Eigen::Index>(chosen.size()) < J.cols()) {
        Eigen::Index best = 0;
        const double size = end > 0 ? J.topRows(end).rowwise().norm().maxCoeff(&best) : 0.0;
        if (!(size > kIndependent * largest)) break;
        chosen.push_back(best);
        const Vector direction = J.row(best).transpose() / size;
        J -= (J * direction) * direction.transpose();
        J.row(best).setZero();
      }
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

  static Matrix rows_of(const Matrix& J, const std::vector<Eigen::Index>& chosen) {
    Matrix result(static_cast<Eigen::Index>(chosen.size()), J.cols());
    for (std::size_t i = 0; i < chosen.size(); ++i) result.row(static_cast<Eigen::Index>(i)) = J.row(chosen[i]);
    return result;
  }

  // x of the mass metric into numbers that people know.
  void name_states(const SmallMotions& m, LinearModel& result) const {
    const Names all = names();
    const Matrix J_q = all.rows * m.N_q, J_v = all.rows * m.N_v;
    const std::vector<Eigen::Index> q = independent(J_q, all.joints);
    const std::vector<Eigen::Index> v = q_ == v_ ? q : independent(J_v, all.joints);
    Matrix T = Matrix::Identity(size(), size());
    T.topLeftCorner(q_, q_) = rows_of(J_q, q);
    T.block(q_, q_, v_, v_) = rows_of(J_v, v);
    for (const Eigen::Index i : q) result.states.push_back(all.positions[static_cast<std::size_t>(i)]);
    for (const Eigen::Index i : v) result.states.push_back(all.rates[static_cast<std::size_t>(i)]);
    for (const std::int32_t s : solver_.states()) result.states.push_back(system_.states[at(s)].path);
    const Matrix back = inverse_matrix(T);
    result.A = T * result.A * back;
    result.B = T * result.B;
    result.C = result.C * back;
    // ẏ = z is exact in any coordinates.
    if (q_ == v_) {
      result.A.topRows(q_).setZero();
      result.A.block(0, q_, v_, v_).setIdentity();
    }
  }

  const system::System& system_;
  system::Params params_;
  const system::State& state_;
  const double tau_;
  SmallMotionSolver solver_;
  Eigen::Index q_ = 0, v_ = 0, s_ = 0;
};

}  // namespace

LinearModel linear_model(const system::System& system, const system::Params& params,
                         const std::vector<std::string>& input_names, const system::State& state,
                         double rank_tolerance) {
  return Linearization(system, params, state, rank_tolerance).run(input_names);
}

Eigen::MatrixXcd frequency_response(const LinearModel& model, double omega) {
  return transfer_matrix(model.A, model.B, model.C, model.D, {0.0, omega});
}

}  // namespace gelenk::analysis
