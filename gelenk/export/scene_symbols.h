#pragma once

#include <cstddef>
#include <vector>

#include "gelenk/export/scene.h"

namespace gelenk::exporting {

inline constexpr Color kSymbolColor{0.85, 0.45, 0.25};

// Which of the two joint frames carries the symbol: what rolls or slides on something has it, not the plane.
std::size_t symbol_end(const SceneJoint& joint);

// A small picture of what a joint does, in the joint frame that carries it; `length` is about its size, m.
std::vector<SceneShape> joint_symbol(const SceneJoint& joint, double length);

}  // namespace gelenk::exporting
