#pragma once

#include <span>
#include <vector>

#include "gelenk/subsystem/leaf_parts.h"

namespace gelenk::subsystem {

// A leaf in implicit methods: (M + c C + k K) x = g + Aᵀ τ, with its own coordinates eliminated, x = D τ + r at the
// ports (docs/theory/components.md (6)); c and k the gains of velocity and position, K = ∂(M a - f - Aᵀ τ)/∂(position,
// turn, own coordinates), C = ∂(M a - f)/∂(velocities, their rates).
class LeafNewton final : public Newton {
 public:
  explicit LeafNewton(Leaf& leaf) : leaf_(leaf) {}

  bool factor(const Point& point, double* D) override;
  bool put_right_side(int rate, std::span<double> motions) override;
  bool up(double* r) override;
  bool down(const double* loads, double* motions) override;
  bool take(int rate, int to) override;
  bool begin_stage(const integrate::Stage& stage) override;
  bool place_stage() override;
  bool put_stage_loads(std::span<const double> loads, double& change) override;
  bool take_stage(double& size) override;
  bool end_stage() override;

 private:
  // Accelerations in a rate of the exponential chart.
  Eigen::VectorXd stage_accelerations();
  // How ports move with x, twelve rows each: components.md (7).
  void map_ports(const Matrix3& T);

  Leaf& leaf_;
  // Of the last matrix.
  LeafState state_;
  double velocity_gain_ = 0.0, position_gain_ = 0.0;
  Eigen::MatrixXd M_, K_, C_, A_, P_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
  Eigen::VectorXd forces_, right_, found_;
  // Of a rate that is solved for: its change of the position, the same with what its gain makes of the velocity, and
  // its change of the velocity; own coordinates behind the six.
  Eigen::VectorXd known_, moved_, velocity_;
  integrate::Stage stage_;
  std::vector<double> stage_known_, change_;
};

}  // namespace gelenk::subsystem
