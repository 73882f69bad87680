#pragma once

#include "gelenk/geometry/mesh.h"

namespace gelenk::cad {

// Of links that do not say what they weigh, kg/m³: between plastic and a hollow casting of metal.
inline constexpr double kAssumedLinkDensity = 1000.0;

// The mass of a shape of that density. A surface with holes, as meshes for pictures often are, counts as half of the
// box around it; nothing drawn as a ball of a gram.
MassProperties assumed_mass(const geometry::TriangleMesh& shape);

// The same shape with this mass and center.
MassProperties with_assumed_inertia(const MassProperties& given, const geometry::TriangleMesh& shape);

}  // namespace gelenk::cad
