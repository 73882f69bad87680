#pragma once

#include <vector>

#include "gelenk/cad/polyline.h"

class TopoDS_Shape;

// For the files of this layer that include OpenCASCADE.
namespace gelenk::cad {

// Edges of the solids where two faces meet at an angle, m, as fine as the triangulation, which the shape has. Seams and
// edges where one face goes on smoothly as another are left out: nobody sees them on the real part.
std::vector<Polyline> sharp_edges(const TopoDS_Shape& shape);

}  // namespace gelenk::cad
