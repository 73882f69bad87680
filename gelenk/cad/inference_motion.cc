#include "gelenk/cad/inference_motion.h"

#include <cmath>

#include "gelenk/math/null_space.h"

namespace gelenk::cad {
namespace {

// Rows nearer to each other than this are one: axes may be drawn 0.2 degrees apart, and planes as well.
constexpr double kRankTolerance = 0.02;
// Directions within this angle (rad) are parallel.
constexpr double kParallel = 0.05;

// Rows G with G [v; L ω] = 0 for every motion that is not held: v of the second body at the middle, relative to the
// first, ω its angular velocity, L the length.
MatrixX rows_of(std::span<const Hold> holds, const Vector3& middle, double length) {
  MatrixX G = MatrixX::Zero(static_cast<Eigen::Index>(holds.size()), 6);
  Eigen::Index row = 0;
  for (const Hold& hold : holds) {
    if (hold.kind == Hold::Kind::shift) {
      G.block<1, 3>(row, 0) = hold.along.transpose();
      G.block<1, 3>(row, 3) = (hold.point - middle).cross(hold.along).transpose() / length;
    } else {
      G.block<1, 3>(row, 3) = hold.along.transpose();
    }
    ++row;
  }
  return G;
}

// The free motions in terms of shifts and turns.
struct Freedom {
  MatrixX shifts;  // columns: v of motions without a turn
  MatrixX turns;   // columns: v and L ω of motions with a turn
};

Freedom freedom_of(const MatrixX& basis) {
  if (basis.bottomRows(3).norm() <= kRankTolerance) return {basis.topRows(3), MatrixX::Zero(6, 0)};
  const NullSpace pure = null_space(basis.bottomRows(3), kRankTolerance);
  if (pure.basis.cols() == 0) return {MatrixX::Zero(3, 0), basis};
  // What is left of the basis without the shifts: perpendicular to them.
  const NullSpace rest = null_space(pure.basis.transpose(), kRankTolerance);
  return {basis.topRows(3) * pure.basis, basis * rest.basis};
}

// The center about which all three turns go, if there is one: v + ω × (c - middle) = 0.
std::optional<Vector3> center_of(const MatrixX& turns, const Vector3& middle, double length) {
  Vector3 offset = Vector3::Zero();
  Matrix3 square = Matrix3::Zero();
  for (Eigen::Index i = 0; i < turns.cols(); ++i) {
    const Vector3 v = turns.col(i).head<3>(), w = turns.col(i).tail<3>() / length;
    const Matrix3 W = skew<double>(w);
    offset -= W.transpose() * v;
    square += W.transpose() * W;
  }
  if (std::abs(square.determinant()) < 1e-12 * std::pow(square.trace(), 3)) return std::nullopt;
  offset = square.inverse() * offset;
  for (Eigen::Index i = 0; i < turns.cols(); ++i) {
    const Vector3 v = turns.col(i).head<3>(), w = turns.col(i).tail<3>() / length;
    if ((v + w.cross(offset)).norm() > kRankTolerance) return std::nullopt;
  }
  return middle + offset;
}

std::optional<FreeMotion> motion_of(const Freedom& freedom, const Vector3& middle, double length) {
  const Eigen::Index shifts = freedom.shifts.cols(), turns = freedom.turns.cols();
  if (shifts + turns == 0) return FreeMotion{"fixed", middle, Vector3::UnitZ()};
  if (turns == 3 && shifts == 0) {
    const std::optional<Vector3> center = center_of(freedom.turns, middle, length);
    return center ? std::optional(FreeMotion{"spherical", *center, Vector3::UnitZ()}) : std::nullopt;
  }
  if (turns == 0) {
    return shifts == 1 ? std::optional(FreeMotion{"prismatic", middle, freedom.shifts.col(0).normalized()})
                       : std::nullopt;
  }
  if (turns != 1) return std::nullopt;
  const Vector3 v = freedom.turns.col(0).head<3>(), w = freedom.turns.col(0).tail<3>() / length;
  const Vector3 axis = w.normalized();
  const Vector3 point = middle + w.cross(v) / w.squaredNorm();
  if (shifts == 0) {
    // A thread moves along while it turns; no contact that is looked for is one.
    const double pitch = std::abs(v.dot(w)) / w.squaredNorm();
    return pitch <= kRankTolerance * length ? std::optional(FreeMotion{"revolute", point, axis}) : std::nullopt;
  }
  if (shifts == 1) {
    return are_parallel_axes(freedom.shifts.col(0), axis) ? std::optional(FreeMotion{"cylindrical", point, axis})
                                                          : std::nullopt;
  }
  if (shifts != 2) return std::nullopt;
  const Vector3 normal = Vector3(freedom.shifts.col(0)).cross(Vector3(freedom.shifts.col(1)));
  return are_parallel_axes(normal, axis) ? std::optional(FreeMotion{"planar", middle, axis}) : std::nullopt;
}

}  // namespace

std::optional<FreeMotion> motion_left_by(std::span<const Hold> holds, const Vector3& middle, double length) {
  const NullSpace free = null_space(rows_of(holds, middle, length), kRankTolerance);
  return motion_of(freedom_of(free.basis), middle, length);
}

bool are_parallel_axes(const Vector3& a, const Vector3& b) {
  return a.cross(b).norm() <= std::sin(kParallel) * a.norm() * b.norm();
}

}  // namespace gelenk::cad
