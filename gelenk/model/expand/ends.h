#pragma once

#include <span>

#include "gelenk/model/expand/places.h"

namespace gelenk::model::expanding {

// Whether a joint or force may act between these two; reported when not.
bool is_usable(const Object& written, const FrameInAssembly& a, const FrameInAssembly& b,
               std::span<const PartNode> parts, Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
