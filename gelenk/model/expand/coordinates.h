#pragma once

#include <optional>
#include <string_view>

#include "gelenk/model/expand/elements.h"
#include "gelenk/model/expand/reports.h"

namespace gelenk::model::expanding {

// The joint coordinate that `key` of a driver or force names. Reads Machine::joints. Nothing when there is none, which
// is reported.
std::optional<CoordinateUse> coordinate_use(const Object& written, std::string_view key, const Instance& scope,
                                            const Machine& machine, const Elements& elements, Reports& reports);
// The same by its name, which is written there.
std::optional<CoordinateUse> coordinate_named(const std::string& name, const SourceRange& where, const Instance& scope,
                                              const Machine& machine, const Elements& elements, Reports& reports);

}  // namespace gelenk::model::expanding
