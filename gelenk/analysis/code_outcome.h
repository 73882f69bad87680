#pragma once

#include <string>

#include "gelenk/mechanics/evaluate.h"

namespace gelenk::analysis {

// Whether all code in C answered when forces were last computed. False: some has no result here, and a shorter step may
// help; `trouble`, where given, says which. Numbers that are not finite, and code without a function, throw
// subsystem::Failure.
bool has_code_answered(const system::System& system, const mechanics::Workspace& workspace,
                       std::string* trouble = nullptr);

}  // namespace gelenk::analysis
