#include "gelenk/contact/local_law.h"

#include <algorithm>
#include <cmath>

namespace gelenk::contact {
namespace {

struct Plane {  // a symmetric 2×2 matrix
  double xx, xy, yy;
};

// -(A + s 1)⁻¹ b
void solve_shifted(const Plane& A, double s, double bx, double by, double& x, double& y) {
  const double xx = A.xx + s;
  const double yy = A.yy + s;
  const double determinant = xx * yy - A.xy * A.xy;
  x = -(yy * bx - A.xy * by) / determinant;
  y = -(xx * by - A.xy * bx) / determinant;
}

}  // namespace

Vector3 nearest_in_cone(const Vector3& impulse, double friction) {
  const double across = std::hypot(impulse[1], impulse[2]);
  if (impulse[0] >= 0.0 && across <= friction * impulse[0]) return impulse;
  if (friction * across <= -impulse[0]) return Vector3::Zero();
  const double normal = (impulse[0] + friction * across) / (1.0 + friction * friction);
  const double share = friction * normal / across;
  return {normal, share * impulse[1], share * impulse[2]};
}

double natural_map(const Vector3& velocity, const Vector3& impulse, double friction, double mobility_trace) {
  const double rho = 3.0 / mobility_trace;
  Vector3 shifted = velocity;
  shifted[0] += friction * std::hypot(velocity[1], velocity[2]);
  return (impulse - nearest_in_cone(impulse - rho * shifted, friction)).norm() / rho;
}

Vector3 solve_local_law(const Matrix3& D, const Vector3& q, double friction) {
  if (q[0] >= 0.0) return Vector3::Zero();
  const Vector3 stick = -(D.inverse() * q);
  if (std::hypot(stick[1], stick[2]) <= friction * stick[0]) return stick;
  // Sliding: r_T(s) against the motion, r_N from u_N = 0.
  const double inverse = 1.0 / D(0, 0);
  const Plane A{D(1, 1) - D(1, 0) * D(0, 1) * inverse, D(1, 2) - D(1, 0) * D(0, 2) * inverse,
                D(2, 2) - D(2, 0) * D(0, 2) * inverse};
  const double bx = q[1] - D(1, 0) * q[0] * inverse;
  const double by = q[2] - D(2, 0) * q[0] * inverse;
  Vector3 r = Vector3::Zero();
  // How much friction is still above its limit; falls with s.
  const auto excess = [&](double s) {
    solve_shifted(A, s, bx, by, r[1], r[2]);
    r[0] = -(q[0] + D(0, 1) * r[1] + D(0, 2) * r[2]) * inverse;
    return std::hypot(r[1], r[2]) - friction * r[0];
  };
  double low = 0.0;
  double high = A.xx + A.yy;
  constexpr int kMostSteps = 200;
  for (int i = 0; i < kMostSteps && excess(high) > 0.0; ++i) {
    low = high;
    high *= 4.0;
  }
  for (int i = 0; i < kMostSteps; ++i) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    (excess(middle) > 0.0 ? low : high) = middle;
  }
  excess(high);
  return r;
}

}  // namespace gelenk::contact
