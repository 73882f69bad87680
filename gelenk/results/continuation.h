#pragma once

#include <cstddef>
#include <string>

#include "gelenk/results/layout.h"

namespace gelenk::results {

// Why a file that exists may not be changed by us now, as a sentence: somebody else writes or reads it, or may not
// change it at all. Empty: nobody has it open.
std::string change_obstacle(const std::string& path);

// Why a run cannot go on in this file behind its first rows and events, as a sentence, or nothing.
std::string continuation_obstacle(const std::string& path, const Layout& layout, std::size_t rows, std::size_t events);

}  // namespace gelenk::results
