#pragma once

#include "gelenk/math/pose.h"

namespace gelenk {

// Mass, center of mass C from the part origin P in part axes, and inertia tensor about C in part axes.
// Products of inertia are tensor elements: inertia(0, 1) = -∫ x y dm.
struct MassProperties {
  double mass = 0.0;                  // kg
  Vector3 center = Vector3::Zero();   // p_PC_P, m
  Matrix3 inertia = Matrix3::Zero();  // I_C_P, kg m²

  // The same body seen from frame A with pose X_AP.
  MassProperties in_frame(const Pose& X_AP) const;
  // The body mirrored by the orthogonal matrix S.
  MassProperties mirrored(const Matrix3& S) const;
};

// Bodies put together, or taken away when the second has a negative mass (a hole).
// Where the masses cancel to zero there is no center: the result is empty, all zero.
MassProperties combined(const MassProperties& a, const MassProperties& b);
// All of it times a factor; -1 makes a hole of a body.
MassProperties scaled(const MassProperties& a, double factor);

// Inertia tensor of a point mass at p about the origin: m (|p|² 1 - p pᵀ).
Matrix3 point_inertia(double mass, const Vector3& p);

// Whether a real body can have this inertia tensor about its center of mass.
struct InertiaCheck {
  Vector3 principal_moments = Vector3::Zero();  // ascending, kg m²
  bool positive_definite = false;
  bool triangle_inequality = false;  // J₁ + J₂ >= J₃: equal for a flat body, never less

  bool is_physical() const { return positive_definite && triangle_inequality; }
};

// A flat body has J₁ + J₂ = J₃ exactly; copied from a data sheet with four digits it misses by up to 1e-3 of J₃.
inline constexpr double kTriangleTolerance = 1e-3;
// A smallest moment below this part of the largest is rounding noise of the tensor elements, not a thickness.
inline constexpr double kDefiniteTolerance = 1e-12;

// Looks at the symmetric part of the tensor; all false when an element is not finite.
InertiaCheck check_inertia(const Matrix3& inertia);

}  // namespace gelenk
