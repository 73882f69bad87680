#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gelenk/math/pose.h"
#include "gelenk/math/vector.h"
#include "gelenk/subsystem/subsystem.h"

// A leaf of a machine: a body with n coordinates of its own beside its six, behind ports. Its mass matrix, its forces
// and its energy are enough for a subsystem, for all methods. One that only has shafts has its body at rest: six rows
// of a unit matrix.
namespace gelenk::subsystem {

// Where a leaf is. World axes; velocity of the reference frame's origin, then angular velocity.
struct LeafState {
  double time = 0.0;
  Vector3 position = Vector3::Zero();
  Quaternion orientation = Quaternion::Identity();
  std::vector<double> velocity = std::vector<double>(6, 0.0);
  std::vector<double> q, q_rate;  // own coordinates, n each
};

// M x = f + loads, with x the acceleration of the reference frame's origin, its angular acceleration and the second
// derivatives of the own coordinates. Pure: what they return depends on the state alone.
class LeafEquations {
 public:
  virtual ~LeafEquations() = default;
  virtual std::size_t coordinate_count() const = 0;
  // M symmetric, (6 + n)², f all that acts, with what velocities do to moving masses; both come as zero.
  virtual void evaluate(const LeafState& state, Eigen::MatrixXd& M, Eigen::VectorXd& f) const = 0;
  // For implicit methods, at the acceleration x: K = ∂(M x - f)/∂(displacement, small turn in world axes, own
  // coordinates), C = ∂(M x - f)/∂(velocity, angular velocity, rates of the own coordinates). By default central
  // differences of evaluate(); whatever it returns, iterations end at the same motion.
  virtual void linearize(const LeafState& state, const Eigen::VectorXd& x, Eigen::MatrixXd& K,
                         Eigen::MatrixXd& C) const;
  // Kinetic and potential, J.
  virtual double energy(const LeafState& state) const = 0;
  // Of forces without a potential, W: dampers, laws of time.
  virtual double power(const LeafState& state) const {
    static_cast<void>(state);
    return 0.0;
  }
};

struct LeafSettings {
  std::vector<Pose> ports;          // frames that move with the reference frame, in its axes
  std::vector<std::size_t> shafts;  // own coordinates that are ports, too
  LeafState start;                  // as drawn
  double mass = 1.0;                // with which its ports are scaled: of the whole, and its mean inertia
  double inertia = 1.0;
  double length = 1.0;     // of the machine
  double tolerance = 1.0;  // of steps that choose their length; 1 for others
};

std::unique_ptr<Subsystem> make_leaf(std::unique_ptr<LeafEquations> equations, const LeafSettings& settings);

}  // namespace gelenk::subsystem
