#pragma once

#include "gelenk/math/null_space.h"
#include "gelenk/model/machine.h"
#include "gelenk/model/primitives.h"

// Constraint rows of joints in a pose, as a matrix on the twists of parts: for counts of motions.
namespace gelenk::model {

// Twist of a part: velocity of its point at the world origin, then angular velocity, lengths divided by a length that
// fits the machine so that both weigh alike.
struct RowWriter {
  MatrixX& G;
  Eigen::Index next = 0;
  Eigen::Index column_a = -1;  // -1: ground
  Eigen::Index column_b = -1;
  double length = 1.0;

  // e · (velocity of B at p_b - velocity of A at p_a)
  void translation(const Vector3& e, const Vector3& p_a, const Vector3& p_b) {
    add(column_a, -1.0, e, p_a.cross(e) / length);
    add(column_b, 1.0, e, p_b.cross(e) / length);
    ++next;
  }
  // The same and turn · (angular velocity of B - of A): both are angles by a length.
  void both(const Vector3& e, const Vector3& p_a, const Vector3& p_b, const Vector3& turn) {
    add(column_a, -1.0, length * e, p_a.cross(e) + turn);
    add(column_b, 1.0, length * e, p_b.cross(e) + turn);
    ++next;
  }
  // d · (angular velocity of B - of A)
  void rotation(const Vector3& d) {
    add(column_a, -1.0, Vector3::Zero(), d);
    add(column_b, 1.0, Vector3::Zero(), d);
    ++next;
  }

 private:
  void add(Eigen::Index column, double sign, const Vector3& linear, const Vector3& angular) {
    if (column < 0) return;
    Eigen::Matrix<double, 1, 6> row;
    row << linear.transpose(), angular.transpose();
    G.block<1, 6>(next, column) += sign * row;
  }
};

// The rows of all primitives of a joint, in their order; A and B: its frames in the world.
void write_rows(RowWriter& rows, const JointNode& joint, const Pose& A, const Pose& B);

// What its primitives hold: `held_size()` or `held_curve()` of its data; zero if it has none.
Held held_by(const JointNode& joint);

std::size_t rows_of(const JointNode& joint);
// Those among them that hold velocities alone.
std::size_t velocity_rows_of(const JointNode& joint);

}  // namespace gelenk::model
