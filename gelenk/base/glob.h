#pragma once

#include <string_view>

namespace gelenk {

// Whether the pattern has a wildcard: `*` stands for any characters, dots included, `?` for one.
bool is_glob(std::string_view pattern);

// Whether the whole text fits the pattern. Time is at most the product of the two lengths.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace gelenk
