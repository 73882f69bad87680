#pragma once

#include <memory>

#include "gelenk/model/expand/numbers.h"

namespace gelenk::model::expanding {

// The curve of a joint, in the axes of its first joint frame as written. Where it cannot be one, that is reported and
// it is a straight line.
std::shared_ptr<const Curve> read_curve(const Object& written, Instance& scope, Numbers& numbers,
                                        Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
