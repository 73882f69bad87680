#pragma once

#include <cstddef>
#include <cstdint>

namespace gelenk {

// Place in a vector of an index that is kept as a small number and known not to be negative.
constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

}  // namespace gelenk
