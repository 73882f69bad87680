#pragma once

#include <cstdint>
#include <string>

namespace gelenk::minimal {
struct TracedMachine;
}

namespace gelenk::generate {

enum class Notation : std::uint8_t { text, latex };

// The equations of a machine for people: what the symbols are, M v' = f + Cᵀλ row by row, the rows of loops, the rates
// of states. Small machines are written out as in a textbook, larger ones in numbered steps. LaTeX needs amsmath.
std::string equation_text(const minimal::TracedMachine& machine, Notation notation);

}  // namespace gelenk::generate
