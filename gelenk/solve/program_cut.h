#pragma once

#include "gelenk/solve/elimination_program.h"

namespace gelenk::solve {

// Trees with fewer bodies are not cut: one thread pays up to a quarter more, where wrenches at the cut do not fade.
inline constexpr std::int32_t kFewestBodiesToCut = 32'768;

// Cuts the longest chain of a program (ChainCut) if there is one that is worth it, and puts the ops in that order. The
// cut depends on the program alone, not on the number of threads.
void cut_long_chain(Program& program, std::int32_t fewest_bodies = kFewestBodiesToCut);

}  // namespace gelenk::solve
