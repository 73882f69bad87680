#pragma once

#include <optional>
#include <span>

#include "gelenk/cad/feature.h"

namespace gelenk::cad {

// What a surface is, wherever it ends.
struct FittedSurface {
  Feature::Kind kind = Feature::Kind::plane;
  Vector3 point = Vector3::Zero();
  Vector3 direction = Vector3::UnitZ();
  double radius = 0.0;
};

struct SurfaceSample {
  Vector3 point, normal;  // m, unit
};

// The plane, cylinder or sphere on which the samples lie within kFitTolerance, if any. Many programs write such
// surfaces as splines.
std::optional<FittedSurface> fit_surface(std::span<const SurfaceSample> samples);

// Largest distance from the fitted surface, as a part of its radius, or of the extent of a plane.
inline constexpr double kFitTolerance = 1e-4;

}  // namespace gelenk::cad
