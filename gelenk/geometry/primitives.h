#pragma once

#include <string>

#include "gelenk/geometry/bounds.h"
#include "gelenk/math/mass_properties.h"

namespace gelenk::geometry {

// Solids in their own shape frame S, all sizes in m. Box and sphere are centered at the origin of S; the others have
// their axis along +z of S, from z = 0 to z = length.

struct Box {
  Vector3 size = Vector3::Zero();  // edge lengths along x, y, z
};

struct Cylinder {
  double radius = 0.0;
  double length = 0.0;
};

struct Tube {
  double radius = 0.0;  // outer
  double inner_radius = 0.0;
  double length = 0.0;
};

struct Sphere {
  double radius = 0.0;
};

// A cylinder with a half sphere on each end; it reaches from z = -radius to z = length + radius.
struct Capsule {
  double radius = 0.0;
  double length = 0.0;  // between the centers of the half spheres
};

// A cone, cut off when end_radius > 0.
struct Cone {
  double radius = 0.0;      // at z = 0
  double end_radius = 0.0;  // at z = length
  double length = 0.0;
};

// What is wrong with the sizes, for people: "radius must be positive, but is -0.003 m"; empty when all is well.
std::string problem(const Box& box);
std::string problem(const Cylinder& cylinder);
std::string problem(const Tube& tube);
std::string problem(const Sphere& sphere);
std::string problem(const Capsule& capsule);
std::string problem(const Cone& cone);

// m³; exact, as are the mass properties.
double volume(const Box& box);
double volume(const Cylinder& cylinder);
double volume(const Tube& tube);
double volume(const Sphere& sphere);
double volume(const Capsule& capsule);
double volume(const Cone& cone);

// m²; exact.
double surface_area(const Box& box);
double surface_area(const Cylinder& cylinder);
double surface_area(const Tube& tube);
double surface_area(const Sphere& sphere);
double surface_area(const Capsule& capsule);
double surface_area(const Cone& cone);

// In axes of S from its origin; density in kg/m³.
MassProperties mass_properties(const Box& box, double density);
MassProperties mass_properties(const Cylinder& cylinder, double density);
MassProperties mass_properties(const Tube& tube, double density);
MassProperties mass_properties(const Sphere& sphere, double density);
MassProperties mass_properties(const Capsule& capsule, double density);
MassProperties mass_properties(const Cone& cone, double density);

// The smallest box in axes of P around the solid placed at X_PS.
Bounds bounds(const Box& box, const Pose& X_PS = {});
Bounds bounds(const Cylinder& cylinder, const Pose& X_PS = {});
Bounds bounds(const Tube& tube, const Pose& X_PS = {});
Bounds bounds(const Sphere& sphere, const Pose& X_PS = {});
Bounds bounds(const Capsule& capsule, const Pose& X_PS = {});
Bounds bounds(const Cone& cone, const Pose& X_PS = {});

}  // namespace gelenk::geometry
