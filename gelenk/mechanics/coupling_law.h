#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "gelenk/mechanics/evaluate.h"
#include "gelenk/model/machine.h"

namespace gelenk::mechanics {

// The formula g of a coupling that is zero, equations.md (12.5), with its first and second derivatives by the
// coordinates of its terms.
struct CouplingLaw {
  static constexpr std::size_t kMost = model::kMostLawTerms;
  double value = 0.0;
  std::array<double, kMost> slopes{};
  std::array<std::array<double, kMost>, kMost> curvatures{};
};

// One coordinate for each term of the coupling.
CouplingLaw coupling_law(const Context& context, const Workspace& workspace, const system::Coupling& coupling,
                         std::span<const double> coordinates);

}  // namespace gelenk::mechanics
