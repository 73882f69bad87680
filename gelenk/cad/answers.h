#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gelenk/cad/import.h"
#include "gelenk/cad/step_writer.h"

// What the process in the sandbox hands to the one outside, which believes nothing of it.
namespace gelenk::cad {

std::string encode(const ImportResult& result);
std::string encode(const StepWriting& result);

// Nothing when the bytes are none of that. Files have names that an import of this name has: NAME.yaml, NAME.cad.yaml
// and what is in NAME.cad.
std::optional<ImportResult> decode_import(std::string_view bytes, const std::string& name);
std::optional<StepWriting> decode_step(std::string_view bytes);

}  // namespace gelenk::cad
