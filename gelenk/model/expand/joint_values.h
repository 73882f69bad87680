#pragma once

#include "gelenk/model/expand/numbers.h"

namespace gelenk::model::expanding {

// Start values, guesses and limits as `written`, for the coordinates of `joint`.
void read_coordinates(const Object& written, Instance& scope, bool is_mirrored, JointNode& joint, Numbers& numbers,
                      Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
