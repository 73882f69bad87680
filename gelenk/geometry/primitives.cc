#include "gelenk/geometry/primitives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <string_view>

namespace gelenk::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

struct NamedLength {
  std::string_view name;
  double value;  // m
};

std::string first_not_positive(std::initializer_list<NamedLength> lengths) {
  for (const auto& [name, value] : lengths) {
    if (!std::isfinite(value)) return fmt::format("{} must be a finite number, but is {}", name, value);
    if (value <= 0.0) return fmt::format("{} must be positive, but is {:.6g} m", name, value);
  }
  return {};
}

std::string first_negative(std::initializer_list<NamedLength> lengths) {
  for (const auto& [name, value] : lengths) {
    if (!std::isfinite(value)) return fmt::format("{} must be a finite number, but is {}", name, value);
    if (value < 0.0) return fmt::format("{} must not be negative, but is {:.6g} m", name, value);
  }
  return {};
}

// A solid of revolution about z with its center of mass at height z.
MassProperties around_z(double mass, double z, double transverse, double axial) {
  return {mass, {0.0, 0.0, z}, Vector3(transverse, transverse, axial).asDiagonal()};
}

// Distance from the axis at which a circle of radius 1 about z touches a plane with normal d.
double radial(const Vector3& d) { return std::hypot(d.x(), d.y()); }

}  // namespace

std::string problem(const Box& box) {
  return first_not_positive(
      {{"size along x", box.size.x()}, {"size along y", box.size.y()}, {"size along z", box.size.z()}});
}

std::string problem(const Cylinder& cylinder) {
  return first_not_positive({{"radius", cylinder.radius}, {"length", cylinder.length}});
}

std::string problem(const Tube& tube) {
  if (std::string text = first_not_positive({{"radius", tube.radius}, {"length", tube.length}}); !text.empty())
    return text;
  if (std::string text = first_negative({{"inner_radius", tube.inner_radius}}); !text.empty()) return text;
  if (tube.inner_radius < tube.radius) return {};
  return fmt::format("inner_radius must be less than radius ({:.6g} m), but is {:.6g} m", tube.radius,
                     tube.inner_radius);
}

std::string problem(const Sphere& sphere) { return first_not_positive({{"radius", sphere.radius}}); }

std::string problem(const Capsule& capsule) {
  return first_not_positive({{"radius", capsule.radius}, {"length", capsule.length}});
}

std::string problem(const Cone& cone) {
  if (std::string text = first_not_positive({{"length", cone.length}}); !text.empty()) return text;
  if (std::string text = first_negative({{"radius", cone.radius}, {"end_radius", cone.end_radius}}); !text.empty()) {
    return text;
  }
  return cone.radius + cone.end_radius > 0.0 ? "" : "radius or end_radius must be positive, but both are 0 m";
}

// V = a b c
double surface_area(const Box& box) {
  const Vector3& a = box.size;
  return 2.0 * (a.x() * a.y() + a.y() * a.z() + a.z() * a.x());
}

double surface_area(const Cylinder& cylinder) {
  return 2.0 * kPi * cylinder.radius * (cylinder.radius + cylinder.length);
}

double surface_area(const Tube& tube) {
  return 2.0 * kPi * (tube.radius + tube.inner_radius) * (tube.length + tube.radius - tube.inner_radius);
}

double surface_area(const Sphere& sphere) { return 4.0 * kPi * sphere.radius * sphere.radius; }

double surface_area(const Capsule& capsule) {
  return 2.0 * kPi * capsule.radius * (capsule.length + 2.0 * capsule.radius);
}

double surface_area(const Cone& cone) {
  const double slant = std::hypot(cone.length, cone.radius - cone.end_radius);
  return kPi *
         (cone.radius * cone.radius + cone.end_radius * cone.end_radius + (cone.radius + cone.end_radius) * slant);
}

double volume(const Box& box) { return box.size.prod(); }

// V = π r² l
double volume(const Cylinder& cylinder) { return kPi * cylinder.radius * cylinder.radius * cylinder.length; }

// V = π (R² - r²) l; the product form keeps the digits of a thin wall.
double volume(const Tube& tube) {
  return kPi * (tube.radius - tube.inner_radius) * (tube.radius + tube.inner_radius) * tube.length;
}

// V = 4/3 π r³
double volume(const Sphere& sphere) { return 4.0 / 3.0 * kPi * sphere.radius * sphere.radius * sphere.radius; }

// V = π r² l + 4/3 π r³
double volume(const Capsule& capsule) {
  return volume(Cylinder{capsule.radius, capsule.length}) + volume(Sphere{capsule.radius});
}

// V = π l (a² + a b + b²) / 3 with end radii a, b
double volume(const Cone& cone) {
  const double a = cone.radius;
  const double b = cone.end_radius;
  return kPi / 3.0 * cone.length * (a * a + a * b + b * b);
}

// J_xx = m (b² + c²) / 12, and cyclic
MassProperties mass_properties(const Box& box, double density) {
  const double mass = density * volume(box);
  const Vector3 squares = box.size.cwiseAbs2();
  const Vector3 moments = mass / 12.0 * (Vector3::Constant(squares.sum()) - squares);
  return {mass, Vector3::Zero(), moments.asDiagonal()};
}

// J_xx = m (3 r² + l²) / 12, J_zz = m r² / 2
MassProperties mass_properties(const Cylinder& cylinder, double density) {
  return mass_properties(Tube{cylinder.radius, 0.0, cylinder.length}, density);
}

// J_xx = m (3 (R² + r²) + l²) / 12, J_zz = m (R² + r²) / 2
MassProperties mass_properties(const Tube& tube, double density) {
  const double mass = density * volume(tube);
  const double squares = tube.radius * tube.radius + tube.inner_radius * tube.inner_radius;
  return around_z(mass, 0.5 * tube.length, mass / 12.0 * (3.0 * squares + tube.length * tube.length),
                  0.5 * mass * squares);
}

// J = 2/5 m r²
MassProperties mass_properties(const Sphere& sphere, double density) {
  const double mass = density * volume(sphere);
  const double moment = 0.4 * mass * sphere.radius * sphere.radius;
  return {mass, Vector3::Zero(), moment * Matrix3::Identity()};
}

// Cylinder of mass m_c and two half spheres of mass m_s together. A half sphere has its center of mass 3/8 r above its
// flat side and 2/5 m r² - m (3/8 r)² across its axis; moved out to l/2 + 3/8 r this becomes
//   J_xx = m_c (r²/4 + l²/12) + m_s (2/5 r² + 3/8 r l + l²/4),   J_zz = m_c r²/2 + 2/5 m_s r²
MassProperties mass_properties(const Capsule& capsule, double density) {
  const double r = capsule.radius;
  const double l = capsule.length;
  const double m_c = density * volume(Cylinder{r, l});
  const double m_s = density * volume(Sphere{r});
  return around_z(m_c + m_s, 0.5 * l,
                  m_c * (r * r / 4.0 + l * l / 12.0) + m_s * (0.4 * r * r + 0.375 * r * l + 0.25 * l * l),
                  m_c * r * r / 2.0 + 0.4 * m_s * r * r);
}

// Moments of the cross section π (a + (b - a) z/l)² over z, with q = a² + a b + b²:
//   z_C = l (a² + 2 a b + 3 b²) / (4 q),   J_zz = 3/10 m (a⁴ + a³b + a²b² + a b³ + b⁴) / q
//   J_xx = J_zz / 2 + m 3/80 l² (a⁴ + 4 a³b + 10 a²b² + 4 a b³ + b⁴) / q²
// The last term is the variance of z over the mass, already subtracted so that nothing cancels.
MassProperties mass_properties(const Cone& cone, double density) {
  const double mass = density * volume(cone);
  // Ratios to the larger radius: powers of four of small radii would underflow.
  const double larger = std::max(cone.radius, cone.end_radius);
  const double a = cone.radius / larger;
  const double b = cone.end_radius / larger;
  const double l = cone.length;
  const double q = a * a + a * b + b * b;
  const double even = a * a * a * a + b * b * b * b;
  const double odd = a * b * (a * a + b * b);
  const double middle = a * a * b * b;
  const double axial = 0.3 * mass * larger * larger * (even + odd + middle) / q;
  const double variance = 3.0 / 80.0 * l * l * (even + 4.0 * odd + 10.0 * middle) / (q * q);
  return around_z(mass, l * (a * a + 2.0 * a * b + 3.0 * b * b) / (4.0 * q), 0.5 * axial + mass * variance, axial);
}

// Support functions: the farthest corner or rim point in direction d.

Bounds bounds(const Box& box, const Pose& X_PS) {
  return bounds_from_support(X_PS, [&](const Vector3& d) { return 0.5 * d.cwiseAbs().dot(box.size); });
}

Bounds bounds(const Cylinder& cylinder, const Pose& X_PS) {
  return bounds(Cone{cylinder.radius, cylinder.radius, cylinder.length}, X_PS);
}

Bounds bounds(const Tube& tube, const Pose& X_PS) { return bounds(Cone{tube.radius, tube.radius, tube.length}, X_PS); }

Bounds bounds(const Sphere& sphere, const Pose& X_PS) {
  return bounds_from_support(X_PS, [&](const Vector3&) { return sphere.radius; });
}

Bounds bounds(const Capsule& capsule, const Pose& X_PS) {
  return bounds_from_support(X_PS,
                             [&](const Vector3& d) { return capsule.radius + std::max(0.0, d.z() * capsule.length); });
}

Bounds bounds(const Cone& cone, const Pose& X_PS) {
  return bounds_from_support(X_PS, [&](const Vector3& d) {
    return std::max(cone.radius * radial(d), cone.end_radius * radial(d) + d.z() * cone.length);
  });
}

}  // namespace gelenk::geometry
