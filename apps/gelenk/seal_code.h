#pragma once

#include <optional>

#include "apps/gelenk/seal_draft.h"

// Code in C that goes into a sealed component, beside the library that runs its model.
namespace gelenk::app {

// Puts the file of `--code`, or what the files of the sections are compiled to, into the draft, which has the library
// already. A model without a section `code:`, or with one and without a file, is in the diagnostics.
std::optional<SealProblem> add_code(const SealRequest& request, ModelInput& input, component::ContainerDraft& draft);

// Whether the code fits the section: the component is made once, in a sandbox of its own.
std::optional<SealProblem> try_code(const component::ContainerDraft& draft);

}  // namespace gelenk::app
