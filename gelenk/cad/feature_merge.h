#pragma once

#include <span>
#include <vector>

#include "gelenk/cad/surface_fit.h"

namespace gelenk::cad {

// One face of a part: the surface on which it lies, and the piece of it that is there.
struct FaceOnSurface {
  FittedSurface surface;
  geometry::TriangleMesh triangles;  // facing outwards
};

// Faces as features. Pieces of one cylinder that touch are put together, pieces of one sphere wherever they are; what
// covers too little to guide anything is left out.
std::vector<Feature> merged_features(std::span<const FaceOnSurface> faces);

}  // namespace gelenk::cad
