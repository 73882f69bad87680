#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gelenk/system/system.h"

// Joint coordinates as people name them.
namespace gelenk::app {

// "crank_bearing.angle"
std::string coordinate_path(const system::System& system, std::size_t index);
// "rad" or "m"
std::string_view coordinate_unit(const system::System& system, std::size_t index);
// Of System::coordinates, by its name, that of a joint with one coordinate, or that of a driver. -1, with sentences in
// `problem` and `hint`: there is none. `option`: where the name was given.
std::int32_t find_coordinate(const system::System& system, const std::string& name, std::string_view option,
                             std::string& problem, std::string& hint);

}  // namespace gelenk::app
