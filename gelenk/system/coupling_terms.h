#pragma once

#include <cstdint>

#include "gelenk/system/system.h"

namespace gelenk::system {

// Which term of the coupling has this coordinate, which one of them has.
inline std::int32_t term_of(const System& system, const Coupling& coupling, std::int32_t coordinate) {
  std::int32_t term = 0;
  while (system.coupling_terms[static_cast<std::size_t>(coupling.first_term + term)].coordinate != coordinate) ++term;
  return term;
}

}  // namespace gelenk::system
