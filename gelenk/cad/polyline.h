#pragma once

#include <vector>

#include "gelenk/math/pose.h"

namespace gelenk::cad {

using Polyline = std::vector<Vector3>;

}  // namespace gelenk::cad
