#pragma once

#include <cstdint>
#include <span>

#include "gelenk/analysis/machine/contact_finder.h"
#include "gelenk/contact/problem.h"

namespace gelenk::analysis {

// Adds the impulses of a solved problem, whose points are the chosen ones, to the channels of the contacts:
// model::kContactNumbers each.
void add_contact_impulses(const system::System& system, std::span<const FoundPoint> points,
                          std::span<const std::int32_t> chosen, const contact::Problem& problem,
                          std::span<double> numbers);

}  // namespace gelenk::analysis
