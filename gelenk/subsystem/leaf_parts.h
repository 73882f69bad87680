#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/integrate/integrator.h"
#include "gelenk/math/rotation.h"
#include "gelenk/subsystem/body_leaf.h"

// What the groups of verbs of a leaf share.
namespace gelenk::subsystem {

// A slot. Books beside the state: energy that came in through the ports, work of forces without a potential.
struct LeafSlot {
  LeafState state;
  Vector3 turn = Vector3::Zero();  // rotation vector from the base of the step
  bool is_base = true;
  double received = 0.0, work = 0.0;
};

// A rate: of the position (seven numbers in the linear chart: a quaternion w x y z; six else), the velocity, own
// coordinates and their rates, the two books. A state in the same order is a sum of it and these.
class LeafSlots {
 public:
  LeafSlots(const LeafSettings& settings, std::size_t own) : start_{settings.start}, own_(own) {}

  void reserve(int states, int rates, integrate::Chart chart) {
    if (chart != chart_) rates_.clear();
    chart_ = chart;
    if (slots_.size() < at(states)) slots_.resize(at(states), start_);
    if (rates_.size() < at(rates)) rates_.resize(at(rates), std::vector<double>(size(), 0.0));
    sum_.assign(size(), 0.0);
  }
  LeafSlot& operator[](int slot) { return slot == kDrawn ? start_ : slots_[at(slot)]; }
  std::vector<double>& rate(int rate) { return rates_[at(rate)]; }
  void start(int slot) { slots_[at(slot)] = start_; }
  integrate::Chart chart() const { return chart_; }
  std::size_t width() const { return chart_ == integrate::Chart::linear ? 7 : 6; }
  std::size_t size() const { return width() + 6 + 2 * own_ + 2; }

  const std::vector<double>& sum(std::span<const integrate::Term> terms) {
    std::fill(sum_.begin(), sum_.end(), 0.0);
    for (const integrate::Term& term : terms) {
      const std::vector<double>& rate = rates_[at(term.rate)];
      for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += term.coefficient * rate[i];
    }
    return sum_;
  }
  void combine(int from, double time, std::span<const integrate::Term> terms, int to) {
    move(from, time, sum(terms), to);
  }
  // In the order of a rate, in the exponential chart.
  const std::vector<double>& sum_stage(std::span<const integrate::StageTerm> terms) {
    std::fill(sum_.begin(), sum_.end(), 0.0);
    for (const integrate::StageTerm& term : terms) {
      const std::vector<double>& rate = rates_[at(term.rate)];
      const auto add = [&](std::size_t position, std::size_t velocity, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
          sum_[position + i] += term.position * rate[position + i] + term.shifted * rate[velocity + i];
          sum_[velocity + i] += term.velocity * rate[velocity + i] + term.lowered * rate[position + i];
        }
      };
      add(0, 6, 6);
      add(12, 12 + own_, own_);
      for (std::size_t i = 12 + 2 * own_; i < sum_.size(); ++i) sum_[i] += term.velocity * rate[i];
    }
    return sum_;
  }
  // to := from ⊞ change.
  void move(int from, double time, std::span<const double> change, int to) {
    const LeafSlot base = slots_[at(from)];
    LeafSlot& target = slots_[at(to)];
    target = base;
    target.is_base = false;
    target.state.time = time;
    target.state.position += Vector3::Map(change.data());
    if (chart_ == integrate::Chart::linear) {
      const Quaternion& q = base.state.orientation;
      target.turn.setZero();
      target.state.orientation =
          Quaternion(q.w() + change[3], q.x() + change[4], q.y() + change[5], q.z() + change[6]).normalized();
    } else {
      target.turn = Vector3::Map(&change[3]);
      target.state.orientation = turned(base.state.orientation, target.turn);
    }
    const double* next = &change[width()];
    for (double& v : target.state.velocity) v += *next++;
    for (double& q : target.state.q) q += *next++;
    for (double& rate : target.state.q_rate) rate += *next++;
    target.received += *next++;
    target.work += *next;
  }

 private:
  LeafSlot start_;
  std::size_t own_;
  integrate::Chart chart_ = integrate::Chart::exponential;
  std::vector<LeafSlot> slots_;
  std::vector<std::vector<double>> rates_;
  std::vector<double> sum_;
};

// The pose that was loaded last, its factors, and the right side of a sweep.
struct LeafSolve {
  Eigen::MatrixXd M, A;
  Eigen::LDLT<Eigen::MatrixXd> factors;
  Eigen::VectorXd right, rest, found, change;
  Eigen::VectorXd biases;  // of the ports, zero but for accelerations
  Eigen::VectorXd loads;   // at the ports, in all
};

// What the groups of verbs share.
struct Leaf {
  Leaf(std::unique_ptr<LeafEquations> given, const LeafSettings& with)
      : equations(std::move(given)), settings(with), own(equations->coordinate_count()), slots(settings, own) {}

  Eigen::Index rows() const { return static_cast<Eigen::Index>(6 + own); }
  Eigen::Index frames() const { return static_cast<Eigen::Index>(kFrameWidth * settings.ports.size()); }
  Eigen::Index ports() const { return frames() + static_cast<Eigen::Index>(settings.shafts.size()); }
  // Of a shaft: its row in motions of ports, its column in velocities.
  Eigen::Index shaft_row(std::size_t shaft) const { return frames() + static_cast<Eigen::Index>(shaft); }
  Eigen::Index shaft_column(std::size_t shaft) const { return static_cast<Eigen::Index>(6 + settings.shafts[shaft]); }
  // The one that works on a slot.
  LeafSolve& solve(int slot) { return slot == integrate::Integrator::kOutputState ? output_solve : main_solve; }

  // From the origin of the reference frame to a port, world axes.
  Vector3 arm(const LeafState& state, std::size_t port) const {
    return state.orientation * settings.ports[port].position;
  }
  // Motions of the ports are A x; loads on them Aᵀ τ.
  Eigen::MatrixXd arms(const LeafState& state) const {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(ports(), rows());
    for (std::size_t p = 0; p < settings.ports.size(); ++p) {
      const auto first = static_cast<Eigen::Index>(6 * p);
      A.block<3, 3>(first, 0).setIdentity();
      A.block<3, 3>(first, 3) = -skew<double>(arm(state, p));
      A.block<3, 3>(first + 3, 3).setIdentity();
    }
    for (std::size_t s = 0; s < settings.shafts.size(); ++s) A(shaft_row(s), shaft_column(s)) = 1.0;
    return A;
  }
  // What the angular velocity does to the acceleration of the ports.
  Eigen::VectorXd port_biases(const LeafState& state) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(ports());
    const Vector3 w = Vector3::Map(&state.velocity[3]);
    for (std::size_t p = 0; p < settings.ports.size(); ++p) {
      result.segment<3>(static_cast<Eigen::Index>(6 * p)) = w.cross(w.cross(arm(state, p)));
    }
    return result;
  }
  void evaluate(const LeafState& state, Eigen::MatrixXd& M, Eigen::VectorXd& f) const {
    M.setZero(rows(), rows());
    f.setZero(rows());
    equations->evaluate(state, M, f);
  }
  // Masses and arms.
  void load(int slot) {
    const LeafState& state = slots[slot].state;
    LeafSolve& pose = solve(slot);
    evaluate(state, pose.M, unused_forces);
    pose.A = arms(state);
  }
  void open_books(int slot) {
    slots[slot].received = slots[slot].work = 0.0;
    start_energy = equations->energy(slots[slot].state);
  }

  std::unique_ptr<LeafEquations> equations;
  LeafSettings settings;
  std::size_t own;
  LeafSlots slots;
  LeafSolve main_solve, output_solve;
  double start_energy = 0.0;
  Eigen::MatrixXd unused_masses;
  Eigen::VectorXd unused_forces;
};

// A change of the position in the linear chart, three numbers and a quaternion, as displacement and small turn.
inline Eigen::Matrix<double, 6, 1> to_tangent(const Quaternion& orientation, const double* linear) {
  const Quaternion change(linear[3], linear[4], linear[5], linear[6]);
  Eigen::Matrix<double, 6, 1> result;
  result << Vector3::Map(linear), 2.0 * (change * orientation.conjugate()).vec();
  return result;
}

}  // namespace gelenk::subsystem
