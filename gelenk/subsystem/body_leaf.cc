#include "gelenk/subsystem/body_leaf.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gelenk/base/bytes.h"
#include "gelenk/base/index.h"
#include "gelenk/integrate/integrator.h"
#include "gelenk/math/rotation.h"
#include "gelenk/subsystem/leaf_newton.h"
#include "gelenk/subsystem/leaf_parts.h"

namespace gelenk::subsystem {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// What is scaled with a size needs no more of it than that.
double power_of_four(double size) { return std::pow(4.0, std::round(std::log2(size) / 2.0)); }

class LeafStates final : public States {
 public:
  explicit LeafStates(Leaf& leaf) : leaf_(leaf) {}

  void reserve(int states, int rates, integrate::Chart chart, bool /*has_stages*/) override {
    leaf_.slots.reserve(states, rates, chart);
  }
  void start(int slot) override {
    leaf_.slots.start(slot);
    leaf_.open_books(slot);
  }
  void copy(int from, int to) override { leaf_.slots[to] = leaf_.slots[from]; }
  void combine(int from, double time, std::span<const integrate::Term> terms, int to) override {
    leaf_.slots.combine(from, time, terms, to);
  }
  void combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to) override {
    leaf_.slots.move(from, time, leaf_.slots.sum_stage(terms), to);
  }
  void combine_rates(std::span<const integrate::Term> terms, int to) override {
    leaf_.slots.rate(to) = leaf_.slots.sum(terms);
  }
  // Scales as those of bodies (theory, 9.2); own coordinates by their size, beside one.
  integrate::Norm error_norm(int /*from*/, int to, std::span<const integrate::Term> error) override {
    const std::vector<double>& e = leaf_.slots.sum(error);
    const LeafState& state = leaf_.slots[to].state;
    const LeafSettings& settings = leaf_.settings;
    integrate::Norm norm;
    const auto add = [&](double value, double scale) {
      const double relative = value / (settings.tolerance * scale);
      norm.sum += relative * relative;
      ++norm.count;
    };
    const double way = (state.position - settings.start.position).norm();
    const double speed = Vector3::Map(state.velocity.data()).norm();
    const double spin = Vector3::Map(&state.velocity[3]).norm();
    const std::size_t width = leaf_.slots.width();
    const bool is_linear = leaf_.slots.chart() == integrate::Chart::linear;
    const Eigen::Matrix<double, 6, 1> moved =
        is_linear ? to_tangent(state.orientation, e.data()) : Eigen::Matrix<double, 6, 1>::Map(e.data());
    for (std::size_t i = 0; i < 3; ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      add(moved(k), settings.length + way);
      add(moved(3 + k), 1.0);
      add(e[width + i], settings.length + speed);
      add(e[width + 3 + i], 1.0 + spin);
    }
    for (std::size_t i = 0; i < leaf_.own; ++i) {
      add(e[width + 6 + i], 1.0 + std::abs(state.q[i]));
      add(e[width + 6 + leaf_.own + i], 1.0 + std::abs(state.q_rate[i]));
    }
    return norm;
  }

  std::string read(Kept what, int slot) const override {
    ByteWriter out;
    if (what == Kept::rate) {
      out.put(leaf_.slots.rate(slot));
      return out.bytes();
    }
    const LeafSlot& s = leaf_.slots[slot];
    for (const double x : {s.state.time, s.received, s.work}) out.put(x);
    for (int i = 0; i < 3; ++i) out.put(s.state.position(i));
    for (int i = 0; i < 4; ++i) out.put(s.state.orientation.coeffs()(i));
    for (int i = 0; i < 3; ++i) out.put(s.turn(i));
    out.put(s.is_base);
    out.put(s.state.velocity);
    out.put(s.state.q);
    out.put(s.state.q_rate);
    return out.bytes();
  }
  bool write(Kept what, int slot, std::string_view bytes) override {
    ByteReader in(bytes);
    if (what == Kept::rate) {
      std::vector<double>& rate = leaf_.slots.rate(slot);
      in.get(rate);
      const bool fits = rate.size() == leaf_.slots.size();
      rate.resize(leaf_.slots.size());
      return fits && in.is_complete();
    }
    LeafSlot s = leaf_.slots[slot];
    for (double* const x : {&s.state.time, &s.received, &s.work}) in.get(*x);
    for (int i = 0; i < 3; ++i) in.get(s.state.position(i));
    for (int i = 0; i < 4; ++i) in.get(s.state.orientation.coeffs()(i));
    for (int i = 0; i < 3; ++i) in.get(s.turn(i));
    in.get(s.is_base);
    in.get(s.state.velocity);
    in.get(s.state.q);
    in.get(s.state.q_rate);
    if (!in.is_complete() || s.state.velocity.size() != 6 || s.state.q.size() != leaf_.own ||
        s.state.q_rate.size() != leaf_.own) {
      return false;
    }
    leaf_.slots[slot] = std::move(s);
    return true;
  }

 private:
  Leaf& leaf_;
};

// A leaf has neither jumps nor switches of its own.
class LeafEvents final : public Events {
 public:
  double next_jump(double /*time*/) override { return std::numeric_limits<double>::infinity(); }
  void cross(int /*slot*/) override {}
  void set_all_sides(int /*slot*/) override {}
  void slacks(int /*slot*/, std::span<double> /*values*/) override {}
  void flip(int /*slot*/, std::size_t /*which*/) override {}
  void mark_event(int /*slot*/) override {}
};

// D = A M⁻¹ Aᵀ, row by row, symmetric to the last bit.
void put_mobility(const Matrix& A, const Eigen::LDLT<Matrix>& factors, double* D) {
  const Matrix mobility = A * factors.solve(Matrix(A.transpose()));
  Eigen::Map<Matrix>(D, mobility.rows(), mobility.cols()) = 0.5 * (mobility + mobility.transpose());
}

class LeafEvaluation final : public Evaluation {
 public:
  explicit LeafEvaluation(Leaf& leaf) : leaf_(leaf) {}

  Drawing drawn() override {
    leaf_.load(kDrawn);
    const LeafSolve& pose = leaf_.solve(kDrawn);
    Drawing drawing;
    drawing.motions.resize(kFrameMotion * leaf_.settings.ports.size() + kShaftMotion * leaf_.settings.shafts.size());
    show(kDrawn, drawing.motions);
    for (std::size_t p = 0; p < leaf_.settings.ports.size(); ++p) {
      drawing.references.push_back(power_of_four(leaf_.settings.mass));
      drawing.references.push_back(power_of_four(1.0 / leaf_.settings.inertia));
    }
    drawing.D.resize(static_cast<std::size_t>(leaf_.ports() * leaf_.ports()));
    put_mobility(pose.A, pose.M.ldlt(), drawing.D.data());
    return drawing;
  }
  // Forces are found with the right side.
  bool load(int slot, unsigned parts, std::span<const double> /*inputs*/, std::span<double> out) override {
    if ((parts & kJoints) != 0) leaf_.load(slot);
    if (!out.empty()) show(slot, out);
    return true;
  }
  // It has no rows: what joints of others want is all there is.
  bool put_right_side(int slot, RightSide kind, Gap& gap) override {
    LeafSolve& pose = leaf_.solve(slot);
    gap = {};
    pose.right = Vector::Zero(leaf_.rows());
    pose.biases = Vector::Zero(leaf_.ports());
    if (kind != RightSide::accelerations) return true;
    const LeafState& state = leaf_.slots[slot].state;
    leaf_.evaluate(state, leaf_.unused_masses, pose.right);
    pose.biases = leaf_.port_biases(state);
    return pose.right.allFinite();
  }
  void take(int slot, RightSide kind) override {
    LeafState& state = leaf_.slots[slot].state;
    const Vector& x = leaf_.solve(slot).found;
    if (kind == RightSide::position_gaps) {
      state.position += x.head<3>();
      state.orientation = turned(state.orientation, Vector3(x.segment<3>(3)));
    } else {
      for (std::size_t i = 0; i < 6; ++i) state.velocity[i] += x(static_cast<Eigen::Index>(i));
    }
    std::vector<double>& own = kind == RightSide::position_gaps ? state.q : state.q_rate;
    for (std::size_t i = 0; i < leaf_.own; ++i) own[i] += x(static_cast<Eigen::Index>(6 + i));
  }
  bool take_accelerations(int slot, int rate) override;
  void settle(int slot) override {
    LeafSlot& s = leaf_.slots[slot];
    s.is_base = true;
    s.turn.setZero();
    if (s.state.time == leaf_.settings.start.time) leaf_.open_books(slot);
  }

 private:
  void show(int slot, std::span<double> out);

  Leaf& leaf_;
};

void LeafEvaluation::show(int slot, std::span<double> out) {
  const LeafState& state = leaf_.slots[slot].state;
  const Matrix3 R = state.orientation.toRotationMatrix();
  const Vector3 v = Vector3::Map(state.velocity.data());
  const Vector3 w = Vector3::Map(&state.velocity[3]);
  for (std::size_t p = 0; p < leaf_.settings.ports.size(); ++p) {
    double* const to = &out[kFrameMotion * p];
    const Vector3 arm = leaf_.arm(state, p);
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>{to} = R * leaf_.settings.ports[p].rotation;
    Vector3::Map(to + 9) = state.position + arm;
    Vector3::Map(to + 12) = v + w.cross(arm);
    Vector3::Map(to + 15) = w;
  }
  double* to = out.data() + kFrameMotion * leaf_.settings.ports.size();
  for (const std::size_t own : leaf_.settings.shafts) {
    *to++ = state.q[own] - leaf_.settings.start.q[own];
    *to++ = state.q_rate[own];
  }
}

bool LeafEvaluation::take_accelerations(int slot, int rate) {
  const LeafSlot& s = leaf_.slots[slot];
  const LeafSolve& pose = leaf_.solve(slot);
  std::vector<double>& out = leaf_.slots.rate(rate);
  const Vector3 w = Vector3::Map(&s.state.velocity[3]);
  std::copy_n(s.state.velocity.begin(), 3, out.begin());
  if (leaf_.slots.chart() == integrate::Chart::linear) {
    const Quaternion turn = Quaternion(0.0, 0.5 * w.x(), 0.5 * w.y(), 0.5 * w.z()) * s.state.orientation;
    const double numbers[] = {turn.w(), turn.x(), turn.y(), turn.z()};
    std::copy_n(numbers, 4, out.begin() + 3);
  } else {
    Vector3::Map(&out[3]) = s.is_base ? w : rotation_vector_rate(s.turn, w);
  }
  double* next = &out[leaf_.slots.width()];
  for (Eigen::Index i = 0; i < 6; ++i) *next++ = pose.found(i);
  for (const double q_rate : s.state.q_rate) *next++ = q_rate;
  for (Eigen::Index i = 6; i < leaf_.rows(); ++i) *next++ = pose.found(i);
  Vector velocities(leaf_.rows());
  std::copy_n(s.state.velocity.begin(), 6, velocities.data());
  std::copy(s.state.q_rate.begin(), s.state.q_rate.end(), velocities.data() + 6);
  *next++ = (pose.A * velocities).dot(pose.loads);
  *next = leaf_.equations->power(s.state);
  return pose.found.allFinite();
}

class LeafSweeps final : public Sweeps {
 public:
  explicit LeafSweeps(Leaf& leaf) : leaf_(leaf) {}

  bool factor(int slot, const solve::RankRule& /*rule*/, double* D, FactorReport& report) override {
    LeafSolve& pose = leaf_.solve(slot);
    report = {};
    pose.factors.compute(pose.M);
    if (pose.factors.info() != Eigen::Success || !pose.factors.isPositive()) return false;
    put_mobility(pose.A, pose.factors, D);
    return true;
  }
  bool up(int slot, solve::NodeLoad load, double* r) override {
    const LeafSolve& pose = leaf_.solve(slot);
    const bool is_rest = load == solve::NodeLoad::rest;
    auto result = Vector::Map(r, leaf_.ports());
    result = pose.A * pose.factors.solve(is_rest ? pose.rest : pose.right);
    if (!is_rest) result += pose.biases;
    return true;
  }
  bool down(int slot, solve::NodeLoad load, const double* loads, double* motions) override {
    LeafSolve& pose = leaf_.solve(slot);
    const Vector tau = Vector::Map(loads, leaf_.ports());
    auto result = Vector::Map(motions, leaf_.ports());
    if (load == solve::NodeLoad::rest) {  // corrects what is known
      pose.change = pose.factors.solve(Vector(pose.rest + pose.A.transpose() * tau));
      pose.loads += tau;
      pose.found += pose.change;
      result = pose.A * pose.change;
      return true;
    }
    pose.change = pose.factors.solve(Vector(pose.right + pose.A.transpose() * tau));
    pose.loads = tau;
    pose.found = pose.change;
    result = pose.A * pose.change + pose.biases;
    return true;
  }
  // In units of the masses, as bodies do.
  bool residual(int slot, solve::NodeResidual& residual) override {
    LeafSolve& pose = leaf_.solve(slot);
    const Vector inertial = pose.M * pose.found;
    const Vector masses = pose.M.diagonal();
    pose.rest = pose.right + pose.A.transpose() * pose.loads - inertial;
    residual = {};
    residual.forces = pose.rest.cwiseQuotient(masses).cwiseAbs().maxCoeff();
    residual.inertial_forces = inertial.cwiseQuotient(masses).cwiseAbs().maxCoeff();
    residual.change = pose.change.cwiseAbs().maxCoeff();
    residual.motion = pose.found.cwiseAbs().maxCoeff();
    return true;
  }
  // Nothing acts on it, and it does not move.
  bool make_test_load(int slot, int /*which*/, double* motions) override {
    LeafSolve& pose = leaf_.solve(slot);
    pose.right = Vector::Zero(leaf_.rows());
    pose.biases = Vector::Zero(leaf_.ports());
    Vector::Map(motions, leaf_.ports()).setZero();
    return true;
  }
  void forget(int /*slot*/) override {}

 private:
  Leaf& leaf_;
};

class LeafOutputs final : public Outputs {
 public:
  explicit LeafOutputs(Leaf& leaf) : leaf_(leaf) {}

  Books read(int slot, std::span<double> values) override {
    const LeafSlot& s = leaf_.slots[slot];
    std::copy(s.state.q.begin(), s.state.q.end(), values.begin());
    return {s.received, leaf_.equations->energy(s.state) - leaf_.start_energy - s.received - s.work};
  }

 private:
  Leaf& leaf_;
};

class BodyLeaf final : public Subsystem {
 public:
  BodyLeaf(std::unique_ptr<LeafEquations> equations, const LeafSettings& settings)
      : leaf_(std::move(equations), settings),
        states_(leaf_),
        evaluation_(leaf_),
        sweeps_(leaf_),
        newton_(leaf_),
        outputs_(leaf_) {
    shape_.ports = settings.ports.size();
    shape_.shafts = settings.shafts.size();
    shape_.outputs = leaf_.own;
  }

  const Shape& shape() const override { return shape_; }
  States& states() override { return states_; }
  Events& events() override { return events_; }
  Evaluation& evaluation() override { return evaluation_; }
  Sweeps& sweeps() override { return sweeps_; }
  Newton* newton() override { return &newton_; }
  Outputs& outputs() override { return outputs_; }

 private:
  Leaf leaf_;
  Shape shape_;
  LeafStates states_;
  LeafEvents events_;
  LeafEvaluation evaluation_;
  LeafSweeps sweeps_;
  LeafNewton newton_;
  LeafOutputs outputs_;
};

}  // namespace

std::unique_ptr<Subsystem> make_leaf(std::unique_ptr<LeafEquations> equations, const LeafSettings& settings) {
  return std::make_unique<BodyLeaf>(std::move(equations), settings);
}

}  // namespace gelenk::subsystem
