#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gelenk::solve {

// D = W Wᵀ of the bodies (six rows and columns each, row by row) by a Cholesky factorization with pivots, in units of
// their reference masses (Program::reference_mass); how many columns. `scaled`: room for as many numbers as D has.
std::size_t root_of_mobility(std::span<const double> reference_mass, std::span<const std::int32_t> bodies,
                             const double* D, double* scaled, double* W);

}  // namespace gelenk::solve
