#include "gelenk/subsystem/leaf_newton.h"

#include <algorithm>
#include <cmath>

namespace gelenk::subsystem {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Third root of the rounding of numbers: there, errors of central differences by curvature and by rounding are alike.
constexpr double kStep = 6e-6;
constexpr std::size_t kNewtonMotions = 18;

// Velocities, six and those of the own coordinates.
Vector velocities_of(const LeafState& state) {
  Vector result(static_cast<Eigen::Index>(6 + state.q_rate.size()));
  std::copy(state.velocity.begin(), state.velocity.end(), result.data());
  std::copy(state.q_rate.begin(), state.q_rate.end(), result.data() + 6);
  return result;
}

void move_position(Eigen::Index direction, double step, LeafState& state) {
  if (direction < 3) {
    state.position(direction) += step;
  } else if (direction < 6) {
    state.orientation = turned(state.orientation, step * Vector3::Unit(direction - 3));
  } else {
    state.q[static_cast<std::size_t>(direction - 6)] += step;
  }
}

double& velocity_at(Eigen::Index direction, LeafState& state) {
  const auto i = static_cast<std::size_t>(direction);
  return i < 6 ? state.velocity[i] : state.q_rate[i - 6];
}

}  // namespace

void LeafEquations::linearize(const LeafState& state, const Vector& x, Matrix& K, Matrix& C) const {
  Matrix M;
  Vector f;
  LeafState there = state;
  const auto balance = [&] {
    M.setZero(x.size(), x.size());
    f.setZero(x.size());
    evaluate(there, M, f);
    return Vector(M * x - f);
  };
  K.resize(x.size(), x.size());
  C.resize(x.size(), x.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    move_position(k, kStep, there);
    const Vector plus = balance();
    there = state;
    move_position(k, -kStep, there);
    K.col(k) = (plus - balance()) / (2.0 * kStep);
    there = state;
    double& velocity = velocity_at(k, there);
    const double kept = velocity;
    const double step = kStep * std::max(1.0, std::abs(kept));
    velocity = kept + step;
    const Vector faster = balance();
    velocity = kept - step;
    C.col(k) = (faster - balance()) / (2.0 * step);
    velocity = kept;
  }
}

void LeafNewton::map_ports(const Matrix3& T) {
  P_.setZero(2 * leaf_.ports(), leaf_.rows());
  const Matrix3 spin = skew<double>(Vector3(Vector3::Map(&state_.velocity[3])));
  for (std::size_t p = 0; p < leaf_.settings.ports.size(); ++p) {
    const auto first = static_cast<Eigen::Index>(12 * p);
    const Matrix3 arm = skew<double>(leaf_.arm(state_, p));
    P_.block<3, 3>(first, 0).setIdentity();
    P_.block<3, 3>(first, 3) = -arm * T;
    P_.block<3, 3>(first + 3, 3) = T;
    P_.block<3, 3>(first + 6, 0).setIdentity();
    P_.block<3, 3>(first + 6, 3) = -arm - position_gain_ / velocity_gain_ * spin * arm * T;
    P_.block<3, 3>(first + 9, 3).setIdentity();
  }
  for (std::size_t s = 0; s < leaf_.settings.shafts.size(); ++s) {
    const Eigen::Index first = 2 * leaf_.shaft_row(s);
    P_(first, leaf_.shaft_column(s)) = P_(first + 1, leaf_.shaft_column(s)) = 1.0;
  }
}

Vector LeafNewton::stage_accelerations() {
  const std::vector<double>& rate = leaf_.slots.rate(stage_.rate);
  Vector result(leaf_.rows());
  std::copy_n(&rate[6], 6, result.data());
  std::copy_n(rate.data() + 12 + leaf_.own, leaf_.own, result.data() + 6);
  return result;
}

bool LeafNewton::factor(const Point& point, double* D) {
  const bool is_stage = point.at == At::stage;
  const LeafSlot& slot = leaf_.slots[is_stage ? stage_.to : point.slot];
  state_ = slot.state;
  velocity_gain_ = point.velocity_gain;
  position_gain_ = point.position_gain;
  leaf_.evaluate(state_, M_, forces_);
  leaf_.equations->linearize(state_, is_stage ? stage_accelerations() : leaf_.solve(point.slot).found, K_, C_);
  A_ = leaf_.arms(state_);
  // The moment s × F of a load turns with its arm: components.md (8).
  for (std::size_t p = 0; p < leaf_.settings.ports.size(); ++p) {
    const Vector3 force = Vector3::Map(&point.loads[6 * p]);
    K_.block<3, 3>(3, 3) -= skew<double>(force) * skew<double>(leaf_.arm(state_, p));
  }
  const Matrix3 T = is_stage ? exp_differential(slot.turn) : Matrix3(Matrix3::Identity());
  Matrix matrix = M_ + velocity_gain_ * C_;
  matrix.leftCols<3>() += position_gain_ * K_.leftCols<3>();
  matrix.middleCols<3>(3) += position_gain_ * K_.middleCols<3>(3) * T;
  matrix.rightCols(leaf_.rows() - 6) += position_gain_ * K_.rightCols(leaf_.rows() - 6);
  map_ports(T);
  factors_.compute(matrix);
  if (!matrix.allFinite() || (factors_.matrixLU().diagonal().array() == 0.0).any()) return false;
  const Matrix mobility = P_ * factors_.solve(Matrix(A_.transpose()));
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(D, mobility.rows(),
                                                                                     mobility.cols()) = mobility;
  return mobility.allFinite();
}

bool LeafNewton::put_right_side(int rate, std::span<double> motions) {
  const std::vector<double>& r = leaf_.slots.rate(rate);
  const std::size_t width = leaf_.slots.width();
  const auto own = static_cast<Eigen::Index>(leaf_.own);
  known_.resize(leaf_.rows());
  velocity_.resize(leaf_.rows());
  known_ << to_tangent(state_.orientation, r.data()), Vector::Map(&r[width + 6], own);
  velocity_ << Vector::Map(&r[width], 6), Vector::Map(r.data() + width + 6 + own, own);
  moved_ = known_ + velocity_gain_ * velocity_;
  right_ = -K_ * moved_ - C_ * velocity_;
  const Vector3 w = Vector3::Map(&state_.velocity[3]);
  for (std::size_t p = 0; p < leaf_.settings.ports.size(); ++p) {
    double* const to = &motions[kNewtonMotions * p];
    const Vector3 arm = leaf_.arm(state_, p);
    const auto shift = [&](const Vector& motion, double* out) {
      const Vector3 turn = motion.segment<3>(3);
      Vector3::Map(out) = motion.head<3>() + turn.cross(arm);
      Vector3::Map(out + 3) = turn;
    };
    shift(moved_, to);
    Vector3::Map(to + 6) = w.cross(Vector3(moved_.segment<3>(3)).cross(arm));
    Vector3::Map(to + 9).setZero();
    shift(velocity_, to + 12);
  }
  double* to = motions.data() + kNewtonMotions * leaf_.settings.ports.size();
  for (std::size_t s = 0; s < leaf_.settings.shafts.size(); ++s, to += 3) {
    to[0] = moved_(leaf_.shaft_column(s));
    to[1] = 0.0;
    to[2] = velocity_(leaf_.shaft_column(s));
  }
  return right_.allFinite();
}

bool LeafNewton::up(double* r) {
  Vector::Map(r, 2 * leaf_.ports()) = P_ * factors_.solve(right_);
  return true;
}

bool LeafNewton::down(const double* loads, double* motions) {
  found_ = factors_.solve(Vector(right_ + A_.transpose() * Vector::Map(loads, leaf_.ports())));
  Vector::Map(motions, 2 * leaf_.ports()) = P_ * found_;
  return found_.allFinite();
}

// δq = r_q + γ δv, δv = r_v + γ δa.
bool LeafNewton::take(int rate, int to) {
  std::vector<double>& out = leaf_.slots.rate(to);
  if (to != rate) out = leaf_.slots.rate(rate);
  const std::size_t width = leaf_.slots.width();
  const Vector change = moved_ + velocity_gain_ * velocity_gain_ * found_ - known_;
  const Vector velocity = velocity_ + velocity_gain_ * found_;
  for (std::size_t i = 0; i < 3; ++i) out[i] += change(static_cast<Eigen::Index>(i));
  // What a change of a quaternion has along itself stays as it is.
  const Vector3 half = 0.5 * change.segment<3>(3);
  const Quaternion turn = Quaternion(0.0, half.x(), half.y(), half.z()) * state_.orientation;
  const double numbers[] = {turn.w(), turn.x(), turn.y(), turn.z()};
  for (std::size_t i = 0; i < 4; ++i) out[3 + i] += numbers[i];
  std::copy_n(velocity.data(), 6, &out[width]);
  for (std::size_t i = 0; i < leaf_.own; ++i) {
    out[width + 6 + i] += change(static_cast<Eigen::Index>(6 + i));
    out[width + 6 + leaf_.own + i] = velocity(static_cast<Eigen::Index>(6 + i));
  }
  return true;
}

bool LeafNewton::begin_stage(const integrate::Stage& stage) {
  stage_ = stage;
  stage_.known = {};  // summed up here
  stage_known_ = leaf_.slots.sum_stage(stage.known);
  return true;
}

bool LeafNewton::place_stage() {
  const std::vector<double>& rate = leaf_.slots.rate(stage_.rate);
  change_ = stage_known_;
  const auto add = [&](std::size_t position, std::size_t velocity, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      change_[position + i] += stage_.position_gain * rate[velocity + i];
      change_[velocity + i] += stage_.velocity_gain * rate[velocity + i];
    }
  };
  add(0, 6, 6);
  add(12, 12 + leaf_.own, leaf_.own);
  for (std::size_t i = 12 + 2 * leaf_.own; i < change_.size(); ++i) change_[i] += stage_.velocity_gain * rate[i];
  leaf_.slots.move(stage_.from, stage_.time, change_, stage_.to);
  return true;
}

// With the arms of now: the matrix may be one of an earlier iteration.
bool LeafNewton::put_stage_loads(std::span<const double> loads, double& change) {
  change = 0.0;
  const LeafState& state = leaf_.slots[stage_.to].state;
  const Vector at_ports = Vector::Map(loads.data(), leaf_.ports());
  const Matrix arms = leaf_.arms(state);
  leaf_.evaluate(state, M_, forces_);
  right_ = forces_ + arms.transpose() * at_ports - M_ * stage_accelerations();
  std::vector<double>& rate = leaf_.slots.rate(stage_.rate);
  rate[12 + 2 * leaf_.own] = (arms * velocities_of(state)).dot(at_ports);
  rate[13 + 2 * leaf_.own] = leaf_.equations->power(state);
  return right_.allFinite();
}

bool LeafNewton::take_stage(double& size) {
  std::vector<double>& rate = leaf_.slots.rate(stage_.rate);
  const LeafState& state = leaf_.slots[stage_.to].state;
  size = 0.0;
  for (std::size_t i = 0; i < 6 + leaf_.own; ++i) {
    const double found = found_(static_cast<Eigen::Index>(i));
    rate[i < 6 ? 6 + i : 6 + leaf_.own + i] += found;
    const double scale = i < 3 ? leaf_.settings.length : i < 6 ? 1.0 : 1.0 + std::abs(state.q[i - 6]);
    size = std::max(size, std::abs(stage_.position_gain * found) / scale);
  }
  if (!found_.allFinite()) size = found_.sum();
  return true;
}

bool LeafNewton::end_stage() {
  place_stage();
  std::vector<double>& rate = leaf_.slots.rate(stage_.rate);
  const LeafState& state = leaf_.slots[stage_.to].state;
  std::copy(state.velocity.begin(), state.velocity.end(), rate.begin());
  std::copy(state.q_rate.begin(), state.q_rate.end(), rate.begin() + 12);
  return true;
}

}  // namespace gelenk::subsystem
