#pragma once

#include <optional>
#include <span>

#include "gelenk/model/expand/places.h"

// What parts weigh.
namespace gelenk::model::expanding {

// Of the part with this number in its assembly, as written, before mirrors. Reads its shapes; makes its mass_source.
// Nothing when something is wrong, which is reported.
std::optional<MassProperties> mass_properties(Instance& scope, std::size_t number_of_part, PartNode& part,
                                              Numbers& numbers, Places& places, Diagnostics& diagnostics);
// Warns of numbers that no such part can have. `frames`: those of the part.
void check_mass_properties(const Object& written, const PartNode& part, std::span<const NamedFrame> frames,
                           Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
