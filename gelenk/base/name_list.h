#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gelenk {

// Names for a sentence, at most so many of them: "crank_pin, bore and 3 more".
std::string list_names(std::vector<std::string> names, std::size_t most);

}  // namespace gelenk
