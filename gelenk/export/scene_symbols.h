#pragma once

#include <vector>

#include "gelenk/export/scene.h"

namespace gelenk::exporting {

inline constexpr Color kSymbolColor{0.85, 0.45, 0.25};

// A small picture of what a joint does, in its frame on the first part; `length` is about its size, m.
std::vector<SceneShape> joint_symbol(const SceneJoint& joint, double length);

}  // namespace gelenk::exporting
